"""The pass: selections, passed cards, re-masked hands (protocol/SPEC.md section 4.5)."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import cast

from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.passing import check_pass, check_remask, remask_input
from p2p_hearts.crypto.elgamal import Deck, decode_deck
from p2p_hearts.record.audit.hand import again
from p2p_hearts.record.audit.hand.state import HandState
from p2p_hearts.record.audit.memo import Said
from p2p_hearts.rules.passing import receiver, sender
from p2p_hearts.wire.faults import FLAW_RULES, Rule
from p2p_hearts.wire.messages import Pass, PassSelect, Remask


def judge_selection(hand: HandState, said: Said, body: PassSelect) -> Rule | None:
    """Check the positions that go: as many as are passed, ascending."""
    positions = tuple(body.positions)
    # V21, V22
    is_ascending = all(low < high for low, high in pairwise(positions))
    in_hand = all(0 <= position < hand.rules.hand_size for position in positions)
    if len(positions) != hand.rules.pass_count or not is_ascending or not in_hand:
        return Rule.PASS_POSITIONS
    hand.heard[said.seat] = positions
    return None


def judge_pass(hand: HandState, said: Said, body: Pass) -> Rule | None:
    """Check the cards that a seat passes."""
    context, seat = hand.context(said), said.seat
    positions = hand.selections[seat]
    sources = tuple(hand.hands[seat][position] for position in positions)
    public = hand.publics[seat]
    target = hand.publics[receiver(hand.rules, seat, hand.offset)]
    result = hand.memo.once(
        said,
        partial(check_pass, context, public, target, sources, body.cards, body.proof),
        partial(decode_deck, body.cards, len(sources)),
    )
    if isinstance(result, Flaw):
        return FLAW_RULES[result]
    hand.counts["pass proofs"] += 1
    hand.heard[seat] = result
    hand.keep(said, (body.cards, body.proof), again.passed, context, positions, sources, target)
    return None


def judge_remask(hand: HandState, said: Said, body: Remask) -> Rule | None:
    """Check a re-masked hand."""
    context, public = hand.context(said), hand.publics[said.seat]
    before = hand.hands[said.seat]
    result = hand.memo.once(
        said,
        partial(check_remask, context, public, before, body.deck, body.proof),
        partial(decode_deck, body.deck, len(before)),
    )
    if isinstance(result, Flaw):
        return FLAW_RULES[result]
    hand.counts["re-mask proofs"] += 1
    hand.heard[said.seat] = result
    hand.keep(said, (body.deck, body.proof), again.remask, context, public, before)
    return None


def close_selection(hand: HandState, heard: dict[int, object]) -> None:
    """Keep the positions that go."""
    hand.selections = tuple(cast(tuple[int, ...], heard[seat]) for seat in hand.seats)


def close_pass(hand: HandState, heard: dict[int, object]) -> None:
    """Put the passed cards in."""
    passed = [cast(Deck, heard[seat]) for seat in hand.seats]
    hand.hands = [
        remask_input(
            hand.hands[seat],
            hand.selections[seat],
            passed[sender(hand.rules, seat, hand.offset)],
        )
        for seat in hand.seats
    ]
    hand.has_passed = True


def close_remask(hand: HandState, heard: dict[int, object]) -> None:
    """The re-masked hands are the ones that are played from."""
    hand.hands = [cast(Deck, heard[seat]) for seat in hand.seats]
    hand.has_remasked = True
    hand.lay_down()
