"""Attempts at hands: how one begins, and without whom one of its rounds is closed."""

from __future__ import annotations

from collections import Counter

from p2p_hearts.i18n import _
from p2p_hearts.record.audit.hand import ContradictionError, HandCheck, Setting
from p2p_hearts.record.audit.rounds import AuditRound
from p2p_hearts.record.audit.state import State
from p2p_hearts.wire.faults import Rule, fault_of
from p2p_hearts.wire.messages import Kind

FIRST_ATTEMPT = 1
SECOND_ATTEMPT = 2


def make_part(
    state: State, number: int, attempt: int, dealer: int, keyless: int | None
) -> HandCheck:
    """Begin to follow an attempt at a hand."""
    roster, encoding = state.sealed_roster, state.encoding
    drawn, match = state.drawn, state.match
    if drawn is None or match is None or encoding is None:
        raise ContradictionError(_("a hand before the draw"))
    keys = tuple(roster.entries[place].table_key for place in drawn.seats)
    setting = Setting(drawn.table, roster.rules, roster.rules_hash, encoding, keys)
    counts: Counter[str] = Counter()
    state.attempt_counts.append(counts)
    return HandCheck(setting, number, attempt, dealer, match, state.memo, counts, keyless)


def absent_from(state: State, done: AuditRound, part: HandCheck) -> int | None:
    """Return the seat that a round is closed without, if there is one.

    Left out by vote, by its own fault, or because it has lost its secret.
    """
    kind = done.stage.kind
    if done.absent is not None:
        return done.absent
    if kind is Kind.REVEAL and part.dummy is not None:
        return None
    if kind in (Kind.SHUFFLE, Kind.REVEAL):
        return min(state.lost, default=None)
    seat = part.complained
    if kind is Kind.SEALS and seat is not None and seat not in state.faulty:
        rounds = [item for item in state.rounds.values() if item.place[:2] == done.place[:2]]
        escrow = next(item for item in rounds if item.stage.kind is Kind.ESCROW)
        said = next(item for item in escrow.contents if item.hash == escrow.speeches[seat])
        fault = fault_of(Rule.SEAL, said)  # V76
        state.faults.append(fault)
        state.faulty[seat] = fault
    return min({*state.faulty, *state.lost} - {part.dummy}, default=None)
