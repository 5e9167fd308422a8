from __future__ import annotations

from typing import cast

import pytest

from p2p_hearts.cards import deal, keys, passing
from p2p_hearts.cards.encoding import Encoding
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.crypto import sigma
from p2p_hearts.crypto.elgamal import Ciphertext, Deck, decode_deck, encode_deck, encrypt
from p2p_hearts.crypto.group import BASE, IDENTITY, Element
from p2p_hearts.rules.cards import parse_card
from tests.cards.hands import (
    FOUR,
    PASS_ROUND,
    REMASK_ROUND,
    context_of,
    deal_hand,
    hand_of,
    ok,
    passed_hand,
    read_hand,
    secret_of,
)

ENCODING = Encoding(FOUR)
PASSER, RECEIVER, THIRD = secret_of(0), secret_of(1), secret_of(2)
KEY, RECEIVER_KEY, THIRD_KEY = map(keys.public_key, (PASSER, RECEIVER, THIRD))
CARDS = tuple(parse_card(text) for text in ("QS", "2H", "AD", "7C", "10S"))
HAND = hand_of(PASSER, ENCODING, CARDS)
HERE = context_of(0, PASS_ROUND)
POSITIONS = (0, 2, 3)
SOURCES = passing.selected(HAND, POSITIONS)
REMASK = context_of(0, REMASK_ROUND)


def _check(cards: bytes, proof: bytes, to: Element = RECEIVER_KEY) -> Deck | Flaw:
    return passing.check_pass(HERE, KEY, to, SOURCES, cards, proof)


def test_pass__the_receiver_reads_the_selected_cards_and_nobody_else_does() -> None:
    cards, proof = passing.make_pass(PASSER, HERE, POSITIONS, SOURCES, RECEIVER_KEY)
    received = ok(_check(cards, proof))
    assert len(proof) == 32 * 5
    assert read_hand(RECEIVER, ENCODING, received) == (CARDS[0], CARDS[2], CARDS[3])
    for other in (PASSER, THIRD):
        assert all(deal.read_card(other, ENCODING, card) is None for card in received)


@pytest.mark.parametrize("count", [0, 1, 5])
def test_pass__of_any_number_of_cards(count: int) -> None:
    sources = HAND[:count]
    cards, proof = passing.make_pass(PASSER, HERE, range(count), sources, RECEIVER_KEY)
    received = ok(passing.check_pass(HERE, KEY, RECEIVER_KEY, sources, cards, proof))
    assert read_hand(RECEIVER, ENCODING, received) == CARDS[:count]


def test_pass__of_a_card_that_was_not_selected_is_refused() -> None:
    others = passing.selected(HAND, (0, 2, 4))
    cards, proof = passing.make_pass(PASSER, HERE, (0, 2, 4), others, RECEIVER_KEY)
    assert _check(cards, proof) is Flaw.PASS_PROOF


def test_pass__of_a_card_from_nowhere_is_refused() -> None:
    ace = encrypt(ENCODING.point(parse_card("AC")), KEY, 12345)
    cards, proof = passing.make_pass(PASSER, HERE, POSITIONS, (*SOURCES[:2], ace), RECEIVER_KEY)
    assert _check(cards, proof) is Flaw.PASS_PROOF


def test_pass__of_no_card_at_all_is_refused() -> None:
    cards, proof = passing.make_pass(PASSER, HERE, POSITIONS, SOURCES, RECEIVER_KEY)
    received = ok(_check(cards, proof))
    broken = (received[0], Ciphertext(received[1].a, received[1].b + KEY), received[2])
    assert _check(encode_deck(broken), proof) is Flaw.PASS_PROOF


@pytest.mark.parametrize("moves", [(BASE, IDENTITY), (IDENTITY, BASE), (BASE, KEY)])
@pytest.mark.parametrize("slot", range(3))
def test_pass__that_the_receiver_cannot_read_is_refused_whatever_the_proof(
    moves: tuple[Element, Element], slot: int
) -> None:
    """One new card is moved away from what it should be, and the proof is made for that."""
    honest, _ = passing.make_pass(PASSER, HERE, POSITIONS, SOURCES, RECEIVER_KEY)
    cards = list(decode_deck(honest, 3))
    cards[slot] = Ciphertext(cards[slot].a + moves[0], cards[slot].b + moves[1])
    factors = [
        passing._pass_factor(PASSER, HERE, position, source, RECEIVER_KEY)
        for position, source in zip(POSITIONS, SOURCES, strict=True)
    ]
    proof = sigma.prove(
        passing._pass_transcript(HERE, RECEIVER_KEY, SOURCES, tuple(cards)),
        passing._pass_relation(KEY, RECEIVER_KEY, SOURCES, tuple(cards)),
        [PASSER.x(), *factors],
        PASSER.nonce_source(1, b"cheat"),
    )
    assert _check(encode_deck(cards), proof) is Flaw.PASS_PROOF


def test_pass__in_another_order_is_refused() -> None:
    cards, proof = passing.make_pass(PASSER, HERE, POSITIONS, SOURCES, RECEIVER_KEY)
    assert _check(cards[64:] + cards[:64], proof) is Flaw.PASS_PROOF


def test_pass__to_another_receiver_is_refused() -> None:
    cards, proof = passing.make_pass(PASSER, HERE, POSITIONS, SOURCES, THIRD_KEY)
    assert _check(cards, proof) is Flaw.PASS_PROOF
    assert not isinstance(_check(cards, proof, THIRD_KEY), Flaw)


@pytest.mark.parametrize(
    "cards", [b"", bytes(64 * 3), encode_deck(SOURCES[:2]), encode_deck((*SOURCES, SOURCES[0]))]
)
def test_pass__of_another_number_of_cards_is_malformed(cards: bytes) -> None:
    assert _check(cards, bytes(160)) is Flaw.MALFORMED


@pytest.mark.parametrize(
    "positions",
    [
        (),
        (0, 1),
        (0, 1, 2, 3),
        (1, 1, 1),
        (0, 2, 2),
        (2, 1, 0),
        (-1, 0, 1),
        (0, 1, 13),
        (0, 1, 2**70),
        (False, True, 2),
        (0, 1.0, 2),
        ("0", "1", "2"),
        (None, None, None),
    ],
)
def test_selection__that_is_not_strictly_ascending_and_complete_is_refused(
    positions: tuple[object, ...],
) -> None:
    chosen = cast("tuple[int, ...]", positions)
    assert passing.check_selection(chosen, 3, 13) is Flaw.PASS_POSITIONS


@pytest.mark.parametrize("positions", [(0, 1, 2), (10, 11, 12), [0, 6, 12]])
def test_selection__that_is_right_is_accepted(positions: list[int]) -> None:
    assert passing.check_selection(positions, 3, 13) is None


def test_remask__input_is_kept_cards_ascending_then_received_ones_in_their_order() -> None:
    received = hand_of(PASSER, ENCODING, CARDS[:3])
    hand = passing.remask_input(HAND, POSITIONS, received)
    assert hand == (HAND[1], HAND[4], *received)


def test_remask__keeps_the_cards_and_changes_every_component() -> None:
    data, proof, after = passing.make_remask(PASSER, REMASK, KEY, HAND)
    assert ok(passing.check_remask(REMASK, KEY, HAND, data, proof)) == after
    assert sorted(read_hand(PASSER, ENCODING, after)) == sorted(CARDS)
    before = {part for ciphertext in HAND for part in ciphertext}
    assert not before & {part for ciphertext in after for part in ciphertext}


def test_remask__moves_a_card_to_every_place_equally_often() -> None:
    places = [0] * len(CARDS)
    hands = 200
    for hand in range(hands):
        secret = secret_of(0, "remask", hand)
        context = context_of(0, REMASK_ROUND, hand)
        source = hand_of(secret, ENCODING, CARDS)
        _, _, after = passing.make_remask(secret, context, keys.public_key(secret), source)
        places[read_hand(secret, ENCODING, after).index(CARDS[0])] += 1
    # 4 degrees of freedom: above 23.5 once in 10,000 times.
    assert sum((count - hands / 5) ** 2 / (hands / 5) for count in places) < 23.5


def test_remask__with_another_card_is_refused() -> None:
    other = hand_of(PASSER, ENCODING, (*CARDS[:4], parse_card("2C")))
    data, proof, _ = passing.make_remask(PASSER, REMASK, KEY, other)
    assert passing.check_remask(REMASK, KEY, HAND, data, proof) is Flaw.REMASK_PROOF


def test_remask__under_another_key_is_refused() -> None:
    data, proof, _ = passing.make_remask(PASSER, REMASK, THIRD_KEY, HAND)
    assert passing.check_remask(REMASK, KEY, HAND, data, proof) is Flaw.REMASK_PROOF


@pytest.mark.parametrize("offset", [1, 2, 3])
def test_pass__of_a_whole_table_keeps_the_pack_and_moves_the_selected_cards(offset: int) -> None:
    before = deal_hand()
    after = passed_hand(before, offset)
    for seat in range(4):
        source = (seat - offset) % 4
        kept = {card for place, card in enumerate(before.cards[seat]) if place not in (0, 5, 12)}
        got = {before.cards[source][place] for place in (0, 5, 12)}
        assert set(after.cards[seat]) == kept | got
    everything = [card for cards in after.cards for card in cards]
    assert sorted(everything) == sorted(FOUR.pack)
