from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_hearts.cards import deal, keys, mixing
from p2p_hearts.cards.encoding import Encoding
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.crypto.elgamal import Ciphertext, encode_deck
from p2p_hearts.crypto.group import BASE
from p2p_hearts.rules.options import PRESETS, Opening, RuleSet
from tests.cards.hands import (
    FOUR,
    SHARES_ROUND,
    context_of,
    deal_hand,
    hand_of,
    ok,
    open_widow,
    secret_of,
)

ENCODING = Encoding(FOUR)
EIGHT = RuleSet(seats=8, packs=2, opening=Opening.NONE, pass_count=0)
ELEVEN = replace(EIGHT, seats=11)

whole_deals = pytest.mark.parametrize(
    "rules",
    [
        pytest.param(RuleSet(seats=3), id="3"),
        pytest.param(FOUR, id="4"),
        pytest.param(RuleSet(seats=6), id="6"),
        pytest.param(PRESETS["cancellation"], id="6 with widow", marks=pytest.mark.deep),
        pytest.param(EIGHT, id="8 with two packs", marks=pytest.mark.deep),
        pytest.param(ELEVEN, id="11 with two packs and widow", marks=pytest.mark.deep),
    ],
)


@whole_deals
def test_deal__hands_and_widow_are_exactly_the_pack(rules: RuleSet) -> None:
    dealt = deal_hand(rules, dealer=1)
    assert all(len(cards) == rules.hand_size for cards in dealt.cards)
    everything = [card for cards in dealt.cards for card in cards] + [*open_widow(dealt)]
    assert sorted(everything) == sorted(rules.pack)
    if rules.packs == 1:
        assert len(set(everything)) == len(everything)


@whole_deals
def test_deal__nobody_needs_the_owners_share_and_nobody_else_can_read(rules: RuleSet) -> None:
    dealt = deal_hand(rules, dealer=1)
    encoding = dealt.encoding
    for seat in range(rules.seats):
        assert not set(dealt.shares[seat]) & {*dealt.deal.hands[seat], *dealt.deal.widow}
        for place, position in enumerate(dealt.deal.hands[seat][:3]):
            others = [
                dealt.shares[other][position] for other in range(rules.seats) if other != seat
            ]
            # All shares that were ever sent together do not open the card,
            assert deal.read_open(encoding, dealt.deck[position], others) is None
            # nor does the key of another seat,
            for other in range(rules.seats):
                card = deal.read_card(dealt.secrets[other], encoding, dealt.hands[seat][place])
                assert card == (dealt.cards[seat][place] if other == seat else None)
            # nor does its owner read it while one share is missing.
            early = deal.owned(dealt.deck[position], others[1:])
            assert deal.read_card(dealt.secrets[seat], encoding, early) is None


def test_deal__another_dealer_deals_to_other_seats() -> None:
    first, second = deal_hand(dealer=0, verified=False), deal_hand(dealer=1, verified=False)
    assert first.deal != second.deal
    assert first.cards != second.cards


def test_deal__another_secret_of_one_seat_deals_another_hand_to_all() -> None:
    once, again = deal_hand(verified=False), deal_hand(salt="other", verified=False)
    assert all(mine != theirs for mine, theirs in zip(once.cards, again.cards, strict=True))


def test_first_deck__is_public_and_in_canonical_order() -> None:
    secret = secret_of(0)
    deck = deal.first_deck(ENCODING, keys.public_key(secret))
    assert tuple(deal.read_card(secret, ENCODING, card) for card in deck) == FOUR.pack
    assert {card.a for card in deck} == {BASE}


def test_shuffle__leaves_no_component_as_it_was() -> None:
    dealt = deal_hand(verified=False)
    seen = [{part for ciphertext in deck for part in ciphertext} for deck in dealt.decks]
    for number, parts in enumerate(seen[1:], start=1):
        assert len(parts) == 2 * 52
        assert all(not parts & earlier for earlier in seen[:number])


@pytest.mark.parametrize("held", [(0, 1, 2, 3, 3), (0, 0, 0, 0, 0), (4, 1, 2, 3, 4)])
def test_shuffle__with_a_duplicated_card_is_refused(held: tuple[int, ...]) -> None:
    secret, key = secret_of(2), keys.public_key(secret_of(1))
    cards = FOUR.pack[10:15]
    before = hand_of(secret_of(1), ENCODING, cards)
    forged = hand_of(secret_of(1), ENCODING, [cards[index] for index in held])
    context = context_of(2, 1)
    data, proof, _ = deal.make_shuffle(secret, context, key, forged)
    assert deal.check_shuffle(context, key, before, data, proof) is Flaw.SHUFFLE_PROOF


def test_shuffle__with_one_card_replaced_after_the_proof_is_refused() -> None:
    secret, key = secret_of(2), keys.public_key(secret_of(1))
    before = hand_of(secret_of(1), ENCODING, FOUR.pack[10:15])
    context = context_of(2, 1)
    _, proof, after = deal.make_shuffle(secret, context, key, before)
    foreign = after[0].b - ENCODING.point(FOUR.pack[10]) + ENCODING.point(FOUR.pack[20])
    forged = (Ciphertext(after[0].a, foreign), *after[1:])
    result = deal.check_shuffle(context, key, before, encode_deck(forged), proof)
    assert result is Flaw.SHUFFLE_PROOF


def test_shuffle__has_another_permutation_in_every_round() -> None:
    secret, key = secret_of(2), keys.public_key(secret_of(1))
    deck = hand_of(secret_of(1), ENCODING, FOUR.pack[10:15])
    orders = set()
    for round_ in range(40):
        context = context_of(2, round_)
        data, proof, after = deal.make_shuffle(secret, context, key, deck)
        if round_ < 3:
            assert ok(deal.check_shuffle(context, key, deck, data, proof)) == after
        orders.add(
            tuple(deal.read_card(secret_of(1), ENCODING, ciphertext) for ciphertext in after)
        )
    assert len(orders) > 30


def test_shuffle__is_no_remask() -> None:
    secret = secret_of(2)
    key = keys.public_key(secret)
    deck = hand_of(secret, ENCODING, FOUR.pack[:5])
    context = context_of(2, 1)
    data, proof, _ = deal.make_shuffle(secret, context, key, deck)
    result = mixing.check(context, b"remask", key, deck, data, proof, Flaw.REMASK_PROOF)
    assert result is Flaw.REMASK_PROOF


@pytest.mark.parametrize("wrong", range(3))
def test_shares__one_wrong_share_is_refused(wrong: int) -> None:
    secret = secret_of(2)
    deck = hand_of(secret_of(1), ENCODING, FOUR.pack[:5])
    context, positions = context_of(2, SHARES_ROUND), (0, 2, 4)
    shares, proof = deal.make_shares(secret, context, deck, positions)
    fields = [shares[start : start + 32] for start in range(0, 96, 32)]
    fields[wrong] = ((secret.x() + 1) * deck[positions[wrong]].a).data
    result = deal.check_shares(
        context, keys.public_key(secret), deck, positions, b"".join(fields), proof
    )
    assert result is Flaw.SHARE_PROOF


def test_read_card__of_no_card_is_none() -> None:
    secret = secret_of(2)
    (ciphertext,) = hand_of(secret, ENCODING, FOUR.pack[:1])
    assert deal.read_card(secret, ENCODING, ciphertext) == FOUR.pack[0]
    moved = Ciphertext(ciphertext.a, ciphertext.b + BASE)
    assert deal.read_card(secret, ENCODING, moved) is None
