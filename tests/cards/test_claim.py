from __future__ import annotations

import pytest

from p2p_hearts.cards.claim import CLAIM_PROOF_BYTES, check_claim, make_claim
from p2p_hearts.cards.encoding import Encoding
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.keys import public_key
from p2p_hearts.rules.cards import Card, parse_card
from p2p_hearts.rules.options import PRESETS
from tests.cards.hands import FOUR, PLAY_ROUND, context_of, hand_of, secret_of

SECRET = secret_of(1)
PUBLIC = public_key(SECRET)
HERE = context_of(1, PLAY_ROUND)
ENCODING = Encoding(FOUR)
CARDS = tuple(parse_card(name) for name in "AH KH QS 10D".split())
HAND = hand_of(SECRET, ENCODING, CARDS)


def proof_of(cards: tuple[Card, ...] = CARDS, hand: object = HAND) -> bytes:
    return make_claim(SECRET, HERE, PUBLIC, ENCODING, hand, cards)  # type: ignore[arg-type]


def check(
    proof: bytes, cards: tuple[Card, ...] = CARDS, *, seat: int = 1, round_number: int = PLAY_ROUND
) -> Flaw | None:
    context = context_of(seat, round_number)
    public = PUBLIC if seat == 1 else public_key(secret_of(seat))
    return check_claim(context, public, ENCODING, HAND, cards, proof)


@pytest.mark.parametrize("count", [1, 2, 4])
def test_claim__of_the_cards_that_are_held_is_accepted_by_64_bytes(count: int) -> None:
    hand, cards = HAND[:count], CARDS[:count]
    proof = make_claim(SECRET, HERE, PUBLIC, ENCODING, hand, cards)
    assert len(proof) == CLAIM_PROOF_BYTES == 64
    assert check_claim(HERE, PUBLIC, ENCODING, hand, cards, proof) is None
    assert make_claim(SECRET, HERE, PUBLIC, ENCODING, hand, cards) == proof


@pytest.mark.parametrize("at", range(4))
def test_claim__binds_every_card_by_itself(at: int) -> None:
    """One wrong card anywhere; also two that are exchanged, which have the same sum."""
    other = (*CARDS[:at], parse_card("2C"), *CARDS[at + 1 :])
    assert check(proof_of(other), other) is Flaw.CARD_PROOF
    assert check(proof_of(), other) is Flaw.CARD_PROOF
    turned = (*CARDS[at:], *CARDS[:at])
    if at:
        assert check(proof_of(turned), turned) is Flaw.CARD_PROOF


@pytest.mark.parametrize("cards", [CARDS[:3], (*CARDS, CARDS[0]), ()])
def test_claim__names_one_card_for_every_place(cards: tuple[Card, ...]) -> None:
    assert check(proof_of(), cards) is Flaw.CLAIM_CARDS


def test_claim__names_cards_of_the_pack() -> None:
    encoding = Encoding(PRESETS["british"])
    gone = (parse_card("2C"), *CARDS[1:])
    assert check_claim(HERE, PUBLIC, encoding, HAND, gone, bytes(64)) is Flaw.CARD_UNKNOWN


@pytest.mark.parametrize("length", [0, 32, 63, 65, 96])
def test_claim__has_a_proof_of_exactly_its_length(length: int) -> None:
    assert check(bytes(length)) is Flaw.MALFORMED


def test_claim__is_bound_to_its_place_its_seat_and_its_cards_as_they_lie() -> None:
    proof = proof_of()
    assert check(proof) is None
    assert check(proof, round_number=PLAY_ROUND + 1) is Flaw.CARD_PROOF
    assert check(proof, seat=2) is Flaw.CARD_PROOF
    assert check_claim(HERE, PUBLIC, ENCODING, HAND[::-1], CARDS, proof) is Flaw.CARD_PROOF
    for at in range(64):
        broken = proof[:at] + bytes([proof[at] ^ 1]) + proof[at + 1 :]
        assert check(broken) is Flaw.CARD_PROOF


def test_claim__of_equal_cards_of_two_packs_is_accepted() -> None:
    encoding = Encoding(PRESETS["cancellation"])
    cards = (parse_card("AH"), parse_card("AH"))
    hand = hand_of(SECRET, encoding, cards)
    proof = make_claim(SECRET, HERE, PUBLIC, encoding, hand, cards)
    assert check_claim(HERE, PUBLIC, encoding, hand, cards, proof) is None
