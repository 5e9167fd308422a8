"""A thousand honest proofs of whole hands are accepted, and what they cost in bytes."""

from __future__ import annotations

from collections import Counter

from p2p_hearts.cards import deal, keys, passing, play
from p2p_hearts.cards.flaws import Flaw
from tests.cards.hands import (
    FOUR,
    KEY_ROUND,
    OPEN_ROUND,
    PASS_ROUND,
    PLAY_ROUND,
    REMASK_ROUND,
    SHARES_ROUND,
    DealtHand,
    context_of,
    deal_hand,
    passed_hand,
    playout,
    positions_to_share,
    secret_of,
)


def _keys_of_a_hand(hand: int) -> int:
    for seat in range(4):
        context = context_of(seat, KEY_ROUND, hand)
        made = keys.make_key(secret_of(seat, hand=hand), context)
        assert not isinstance(keys.check_key(context, *made), Flaw)
    return 4


def _shares_of_a_hand(dealt: DealtHand) -> int:
    for seat in range(4):
        context = dealt.context(seat, SHARES_ROUND)
        positions = positions_to_share(FOUR, dealt.deal, seat)
        made = deal.make_shares(dealt.secrets[seat], context, dealt.deck, positions)
        checked = deal.check_shares(context, dealt.publics[seat], dealt.deck, positions, *made)
        assert checked == tuple(dealt.shares[seat][position] for position in positions)
    return 4


def _passes_of_a_hand(dealt: DealtHand, first: int) -> int:
    places = (first, first + 1, first + 3)
    for seat in range(4):
        to = dealt.publics[(seat + 1) % 4]
        sources = passing.selected(dealt.hands[seat], places)
        context = dealt.context(seat, PASS_ROUND)
        made = passing.make_pass(dealt.secrets[seat], context, places, sources, to)
        checked = passing.check_pass(context, dealt.publics[seat], to, sources, *made)
        assert not isinstance(checked, Flaw)
    return 4


def _remasks_of_a_hand(dealt: DealtHand, round_: int) -> int:
    for seat in range(4):
        context = dealt.context(seat, REMASK_ROUND + round_)
        public, hand = dealt.publics[seat], dealt.hands[seat]
        data, proof, after = passing.make_remask(dealt.secrets[seat], context, public, hand)
        assert passing.check_remask(context, public, hand, data, proof) == after
    return 4


def _opening_of_a_hand(dealt: DealtHand, round_: int) -> int:
    opening = FOUR.opening_card
    proven = 0
    for seat in range(4):
        context = dealt.context(seat, OPEN_ROUND + round_)
        public, hand, cards = dealt.publics[seat], dealt.hands[seat], dealt.cards[seat]
        proof = play.make_no_opening(
            dealt.secrets[seat], context, public, dealt.encoding, hand, cards
        )
        flaw = play.check_no_opening(context, public, dealt.encoding, hand, proof)
        assert flaw is (Flaw.OPENING_HIDDEN if opening in cards else None)
        proven += flaw is None
    return proven


def _plays_of_a_hand(dealt: DealtHand, seed: int, sizes: Counter[int]) -> int:
    proven = 0
    for number, turn in enumerate(playout(dealt, seed)):
        context = dealt.context(turn.seat, PLAY_ROUND + number)
        public = dealt.publics[turn.seat]
        proof = play.make_play(
            dealt.secrets[turn.seat],
            context,
            public,
            dealt.encoding,
            turn.ciphertext,
            turn.card,
            turn.remaining,
            turn.remaining_cards,
            turn.claim,
        )
        flaw = play.check_play(
            context,
            public,
            dealt.encoding,
            turn.ciphertext,
            turn.card,
            turn.remaining,
            turn.claim,
            proof,
        )
        assert flaw is None, turn
        sizes[len(proof)] += 1
        proven += 1
    return proven


def test_honest__a_thousand_proofs_are_accepted() -> None:
    dealt = deal_hand()
    after = passed_hand(dealt)
    sizes: Counter[int] = Counter()
    proven = sum(_keys_of_a_hand(hand) for hand in range(1, 26))
    proven += _shares_of_a_hand(dealt)
    proven += sum(_passes_of_a_hand(dealt, first) for first in range(10))
    proven += sum(_remasks_of_a_hand(dealt, round_) for round_ in range(4))
    proven += sum(_opening_of_a_hand(after, round_) for round_ in range(10))
    proven += sum(_plays_of_a_hand(after, seed, sizes) for seed in range(16))
    assert proven >= 1000
    assert min(sizes) == 64
    assert max(sizes) <= 256
    assert sizes[224] > 100
