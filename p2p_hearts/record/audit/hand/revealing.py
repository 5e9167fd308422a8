"""The reveal: the secret of the hand, and everything made again from it (SPEC.md section 4.7)."""

from __future__ import annotations

from functools import partial

from p2p_hearts.cards.reveal import check_commitment
from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.record.audit.hand import again
from p2p_hearts.record.audit.hand.state import HandState
from p2p_hearts.record.audit.memo import Said
from p2p_hearts.wire.faults import FLAW_RULES, Rule
from p2p_hearts.wire.messages import Reveal


def judge_reveal(hand: HandState, said: Said, body: Reveal) -> Rule | None:
    """Check a secret against its commitment, and everything that was made from it."""
    place = (hand.setting.table, hand.number, hand.attempt, said.seat)
    flaw = check_commitment(*place, hand.commitments[said.seat], body.secret)
    if flaw is not None:
        return FLAW_RULES[flaw]
    hand.counts["revealed secrets"] += 1
    secret = HandSecret(body.secret, *place)
    steps = tuple(hand.steps[said.seat])
    encoding = hand.setting.encoding
    flaw = hand.memo.again(said, partial(again.rerun, secret, encoding, steps))
    if flaw is not None:
        return FLAW_RULES[flaw]
    hand.owners[said.seat] = again.Owner(secret, encoding)
    hand.counts["messages made again"] += len(steps)
    return None


def close_reveal(hand: HandState, heard: dict[int, object]) -> None:
    """The hand is complete."""
    hand.has_revealed = True
