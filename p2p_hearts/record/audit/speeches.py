"""One speech in its round: form, proofs and rules; what rides in a reveal (SPEC.md section 9.2)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from p2p_hearts.i18n import _
from p2p_hearts.record.audit.hand import HandCheck
from p2p_hearts.record.audit.hands import FIRST_ATTEMPT, SECOND_ATTEMPT
from p2p_hearts.record.audit.memo import Said
from p2p_hearts.record.audit.rounds import AuditRound
from p2p_hearts.record.audit.state import State
from p2p_hearts.wire.chain import Place
from p2p_hearts.wire.codec import DecodeError, decode
from p2p_hearts.wire.envelope import BadSignatureError, Sealed
from p2p_hearts.wire.evidence import open_content, proven_by
from p2p_hearts.wire.faults import Rule, fault_of
from p2p_hearts.wire.messages import BODIES, VERSION, Content, Kind, Reveal


def deliver_speech(state: State, target: AuditRound, sealed: Sealed) -> None:
    """Judge a speech in its place, if it stands there."""
    seat = sealed.content.seat
    if not target.stands(seat, sealed.hash):
        state.counts["late messages"] += 1
        return
    rule = _judge(state, target, sealed)
    target.speeches[seat] = sealed.hash
    state.spoken[sealed.content.author] += 1
    if rule is None:
        state.counts["speeches"] += 1
        return
    fault = fault_of(rule, sealed)
    state.faults.append(fault)
    state.faulty.setdefault(seat, fault)
    # A reveal is the last word of a hand: nothing later is judged by it.
    state.is_broken = state.is_broken or target.place.hand == 0


def _judge(state: State, target: AuditRound, sealed: Sealed) -> Rule | None:
    content, part = sealed.content, state.part
    is_lost = content.kind == Kind.LOST and target.stage.takes_lost
    if content.kind not in target.stage.kinds and not is_lost:  # V64, V67
        return Rule.KIND
    try:
        body: Struct = decode(content.body, BODIES[Kind(content.kind)])  # V65
    except DecodeError:
        return Rule.BODY
    if is_lost:
        state.lost.add(content.seat)
        return None
    if isinstance(part, HandCheck):
        said = Said(content.seat, content.round, content.prev, sealed.hash, target.place[:2])
        rule = part.judge(said, body)  # V66
        if rule is None and isinstance(body, Reveal) and body.evidence:
            rule = _judge_evidence(state, target.place, content.seat, body.evidence)
        return rule
    return None if part is None else part.judge(content.seat, body)


def _judge_evidence(
    state: State, place: Place, seat: int, evidence: Iterable[bytes]
) -> Rule | None:
    """Judge what a reveal carries against another seat: if it holds, that seat is convicted."""
    contents = list[Sealed]()
    for data in evidence:
        try:
            contents.append(open_content(data))
        except (DecodeError, BadSignatureError):
            return Rule.EVIDENCE
    # V83
    if any(not_of_this_table(state, item.content) for item in contents):
        return Rule.EVIDENCE
    fault = proven_by(contents, lambda other: state.known(other) if other < place else None)
    if fault is None:  # V84
        return Rule.EVIDENCE
    accused = state.held_against(fault)
    if accused == seat:  # V83
        return Rule.EVIDENCE
    state.counts["accusations proven"] += 1
    state.shown.append((place, fault))
    state.faulty.setdefault(accused, fault)
    return None


def not_of_this_table(state: State, content: Content) -> str:
    """Return why a content cannot stand in a log of this table, or nothing."""
    roster, drawn = state.sealed_roster, state.drawn
    if content.version != VERSION:  # V54, as the seat
        return _("a message of protocol version {version}").format(version=content.version)
    if content.seat >= len(roster.entries):
        return _("a message for seat {seat}, which does not exist").format(seat=content.seat)
    place, table = content.seat, roster.hash
    attempts: tuple[int, ...] = (roster.formation,)
    if content.hand and drawn is not None:
        place, table = drawn.seats[content.seat], drawn.table
        attempts = (FIRST_ATTEMPT, SECOND_ATTEMPT)
    if content.table != table:  # V55, as the attempt
        return _("a message of another table")
    if content.author != roster.entries[place].identity:  # V56
        return _("a message signed by somebody who does not sit in the seat it names")
    if content.attempt not in attempts:
        return _("a message of attempt {attempt}, which never was").format(attempt=content.attempt)
    return ""
