"""One content: to whose table and to which place it belongs, and what it is there.

Steps 1 to 4 of ``auditor``, after the signature.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from p2p_hearts.agreement.absence import Value
from p2p_hearts.i18n import _
from p2p_hearts.record.audit.ledger import Note
from p2p_hearts.record.audit.returning import go_back, is_followed
from p2p_hearts.record.audit.rounds import MAX_VALUES, AuditRound
from p2p_hearts.record.audit.speeches import deliver_speech, not_of_this_table
from p2p_hearts.record.audit.state import State, Waiting
from p2p_hearts.record.audit.words import words_of
from p2p_hearts.wire.chain import place_of
from p2p_hearts.wire.codec import DecodeError, decode
from p2p_hearts.wire.envelope import Sealed
from p2p_hearts.wire.faults import Rule, fault_of
from p2p_hearts.wire.messages import BALLOTS, Ack, Content, Kind


def admit(state: State, sealed: Sealed, offset: int) -> None:
    """Bind author, seat and table; enter the ledger; go to the content's place.

    Raises:
        NotKeptError: it is of a hand that was folded.
    """
    content = sealed.content
    if content.hand and state.drawn is None:
        state.before_draw.append(Waiting(sealed, offset))
        state.limit_waiting()
        return
    reason = not_of_this_table(state, content)  # V102
    if reason:
        state.refuse(reason, offset)
        return
    state.require(content.hand)
    note = state.ledger.note(sealed)  # V103
    if note is Note.REPEATED:
        state.counts["repeated messages"] += 1
    elif note is not Note.SECOND:
        _route(state, sealed, offset)
    elif (reached := state.rounds.get(place_of(content))) is not None:
        if _fills_a_place(reached, content):
            deliver(state, reached, sealed)
        _follow_acks(state, reached)


def _fills_a_place(reached: AuditRound, content: Content) -> bool:
    """Whether a second speech is the one that its round follows, or may be.

    The first one was set aside, or confirms have closed the round with another one.
    """
    is_speech = content.kind not in (Kind.ACK, *BALLOTS)
    is_due = content.seat in reached.speakers and content.seat not in reached.speeches
    return is_speech and is_due and content.prev == reached.prev


def deliver_second(state: State, target: AuditRound) -> None:
    """Take into a round just opened what came second and before it was reached, if it is due."""
    taken = {sealed.hash for sealed in target.contents}
    for seat in target.speakers:
        for sealed in state.ledger.find(target.place, state.author_of(seat), is_ack=False):
            if sealed.hash not in taken and _fills_a_place(target, sealed.content):
                deliver(state, target, sealed)


def _route(state: State, sealed: Sealed, offset: int) -> None:
    place = place_of(sealed.content)
    reached = state.rounds.get(place)
    if reached is not None:
        deliver(state, reached, sealed)
    elif place[:2] in state.void:
        state.counts["messages of attempts begun anew"] += 1
    elif place < next(reversed(state.rounds)):  # V104
        state.refuse(
            _("a message for {place}, which never was").format(place=words_of(place)), offset
        )
    else:
        state.waiting.setdefault(place, []).append(Waiting(sealed, offset))
        state.waiting_count += 1
        state.limit_waiting()


def deliver(state: State, target: AuditRound, sealed: Sealed) -> None:
    """Take a content into a round that was reached."""
    content = sealed.content
    is_ack = content.kind == Kind.ACK
    if content.prev != target.prev:  # V105
        state.astray.append(sealed)
        return
    target.contents.append(sealed)
    if content.kind in BALLOTS:
        _deliver_ballot(state, target, sealed)
    elif not is_ack and content.seat not in target.speakers:  # V61, V106
        state.faults.append(fault_of(Rule.TURN, sealed))
    elif not target.place.hand and content.sequence != target.sequence(
        content.author, content.seat, is_ack=is_ack
    ):
        # Later, votes count as well, and what an honest peer logs leaves no number out.
        state.faults.append(fault_of(Rule.CHAIN, sealed))
    elif is_ack:
        _deliver_ack(state, target, sealed)
    else:
        deliver_speech(state, target, sealed)
        _follow_acks(state, target)


def _deliver_ack(state: State, target: AuditRound, sealed: Sealed) -> None:
    try:
        ack = decode(sealed.content.body, Ack)  # V63, V107
    except DecodeError:
        state.faults.append(fault_of(Rule.BODY, sealed))
        return
    target.acknowledge(sealed.content.seat, ack.head)
    _follow_acks(state, target)


def _follow_acks(state: State, target: AuditRound) -> None:
    """Follow what all seats have acknowledged, if something else was heard first here.

    To a seat that comes back with an old log a liar can say first what it has said to nobody else.
    What confirms have closed a round with goes before it (``AuditRound.standing``).
    """
    if not target.is_doubtful or target.closing is not None or not is_followed(state, target):
        return
    said = [list(islice(_said_on(state, target, seat), MAX_VALUES)) for seat in target.speakers]
    value = target.acknowledged_by_all(said)
    if value is not None:
        target.acknowledged = value
        _let_stand(state, target, value)


def _said_on(state: State, target: AuditRound, seat: int) -> Iterator[bytes]:
    """Return the hashes of what a seat has said in a round, on the head before it."""
    for sealed in state.ledger.find(target.place, state.author_of(seat), is_ack=False):
        if sealed.content.prev == target.prev:
            yield sealed.hash


def _deliver_ballot(state: State, target: AuditRound, sealed: Sealed) -> None:
    """Count a vote or a confirm; go back if it closes the round otherwise than followed."""
    if not target.votable or sealed.content.seat not in target.seats:  # V77
        state.faults.append(fault_of(Rule.BALLOT, sealed))
        return
    for item, rule in target.note_ballot(sealed):
        state.faults.append(fault_of(rule, item))
    state.counts["votes and confirms"] += 1
    if target.closing is None:
        return
    state.targets |= target.aimed_at.get(target.closing, set())
    _let_stand(state, target, target.closing)


def _let_stand(state: State, target: AuditRound, value: Value) -> None:
    """Follow a round by what its certificate names."""
    stands = dict(zip(target.speakers, value, strict=True))
    if any(stands[seat] != name for seat, name in target.speeches.items()):
        go_back(state, target)
    for seat, name in stands.items():
        if name is not None and seat not in target.speeches:
            _deliver_standing(state, target, seat, name)


def _deliver_standing(state: State, target: AuditRound, seat: int, name: bytes) -> None:
    """Judge the content that a round was closed with, if it had been set aside."""
    sealed = state.ledger.speech(target.place, state.author_of(seat), name)
    if sealed is None:
        return
    if sealed not in target.contents:
        # The second of two for one place: it is needed again if the hand is judged anew.
        target.contents.append(sealed)
    deliver_speech(state, target, sealed)
