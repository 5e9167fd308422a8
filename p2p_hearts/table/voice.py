"""What a seat signs, and when (protocol/SPEC.md sections 4, 6.4, 6.8, 7.2 and 7.4).

A seat speaks in the current round once everything it builds on is certified and its player has
decided; it acknowledges rounds as soon as they are complete, in order; where a round waits for
somebody for too long it votes and confirms, as ``table.consent`` says. Everything is signed here,
each time into a free slot (``table.spoken``), heard like anybody's words (``table.hearing``), and
sent once the history holds it.

Invariants:

- Nothing is signed for a slot that is filled, whatever the history holds or forgets.
- Nothing is signed before the others have returned what this seat said before its start, and no
  ack or vote while a proven fault stops it; then ``table.machine`` asks for no speech either.
- What the own history refuses is neither kept nor sent; then it was never said.
- Each function that says whether it did something says so a bounded number of times before the
  seat hears anything new: it fills a slot, or says once more what it has said before, once each.
  So work has an end, whatever the history does with what it is given.

Never: judges what others say; reads a clock; raises for anything a peer sent.
Errors: none.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from msgspec import Struct

from p2p_hearts.agreement import absence
from p2p_hearts.agreement.draw import commit_nonce
from p2p_hearts.agreement.rounds import stage_of
from p2p_hearts.table.consent import Consent
from p2p_hearts.table.course import Course
from p2p_hearts.table.effects import Secrets
from p2p_hearts.table.hearing import Hearing
from p2p_hearts.table.history import History
from p2p_hearts.table.post import Post
from p2p_hearts.table.recall import Recall
from p2p_hearts.table.round import Round
from p2p_hearts.table.spoken import slot_in, slot_of
from p2p_hearts.wire.codec import encode
from p2p_hearts.wire.envelope import Sealed, Signer, seal
from p2p_hearts.wire.lobby import SealedRoster
from p2p_hearts.wire.messages import VERSION, Ack, Content, Kind, Sit
from p2p_hearts.wire.messages import Draw as DrawBody


@dataclass(eq=False)
class Voice:
    """One seat's voice at one table, over the other parts of that table."""

    signer: Signer
    roster: SealedRoster
    secrets: Secrets
    history: History
    course: Course
    consent: Consent
    recall: Recall
    hearing: Hearing
    post: Post
    _repeated: set[bytes] = field(default_factory=set, init=False)
    """Hashes of what was said again since something was heard."""

    def renew(self) -> None:
        """Something new is here, from others or the clock: what was said may be said again."""
        self._repeated.clear()

    # Speeches.

    def is_due(self) -> bool:
        """Whether a speech of this seat is due in the current round, once its player decides."""
        current, me = self.history.current, self.course.seat_in(self.history.current.place)
        return (
            not self.recall.waiting
            and self.course.is_up_to_date
            and current.closing is None
            and me in current.speakers
            and self.hearing.spoken.is_free(slot_in(current, current.kind))
            and self.history.may_speak()
            and not self.history.has_voted(me)
        )

    def speak(self) -> bool:
        """Make the own speech of the current round, if it is due and decided; say if it was."""
        current, hand = self.history.current, self.course.hand
        if not self.is_due():
            return False
        kind = current.kind
        if hand is None:
            return self.say(current, kind, self._formation_body(kind))
        if hand.jobs and kind is not Kind.SHUFFLE:
            return False  # Nothing but a shuffle runs ahead of checks that may wait.
        if hand.needs_decision(kind):
            return False
        if hand.lost and not stage_of(kind).takes_lost:
            return False
        kind = hand.kind_to_speak(kind)
        if kind is Kind.REVEAL:
            hand.evidence = self.course.evidence()
        return self.say(current, kind, hand.speak(kind, current.place.round))

    def _formation_body(self, kind: Kind) -> Struct:
        nonce = self.secrets.nonce(self.roster.hash)
        if kind is Kind.SIT:
            place = self.course.seat_in(self.history.current.place)
            return Sit(commit_nonce(self.roster.hash, place, nonce))
        return DrawBody(nonce)

    # Acks.

    def acknowledge(self) -> None:
        """Acknowledge every complete round once, in order, unless this seat voted in it.

        None on top of a round without its certificate, unless that runs ahead: who goes on without
        this seat's ack could else not be voted out of that round.
        """
        for item in self.history.rounds[self.history.certified :]:
            if self.consent.is_stopped or self.recall.waiting:
                return
            me = self.course.seat_in(item.place)
            if item.head is None or item.closing is not None:
                return
            if me in item.seats and me not in item.acks:
                if not absence.may_ack(item.own(me)) or self.hearing.spoken.ballots(item):
                    return
                if not self.say(item, Kind.ACK, Ack(item.head)):
                    return
            if not (item.runs_ahead or item.certified):
                return

    # Votes and confirms.

    def ballot(self) -> bool:
        """Vote or confirm where a round waits for a seat for too long; say whether it did.

        Not before all that this seat has said in ballots of the round counts here.
        """
        if self.recall.waiting or self.consent.is_stopped:
            return False
        item = self.consent.open_round()
        if item is None:
            return False
        own = {sealed.hash for sealed in self.hearing.spoken.ballots(item)}
        if not own <= item.votes.keys() | item.confirms.keys():
            return False
        said = self.consent.next_ballot(item)
        return said is not None and self.say(item, *said)

    # Signing.

    def say_again(self) -> bool:
        """Take in again what this seat has said and its history could not take then.

        It was signed, so it is what the others hold, or nobody; returns whether some is taken now.
        """
        if self.recall.waiting:
            return False
        for item in self.history.rounds[self.history.certified :]:
            for sealed in self.hearing.spoken.on(item):
                if sealed.hash in self._repeated or self.history.keeps(sealed):
                    continue
                if self.give(sealed):
                    self._repeated.add(sealed.hash)
                    return True
        return False

    def say(self, item: Round, kind: Kind, body: Struct) -> bool:
        """Say something in a round, once and for all; return whether it is said now.

        Not if its slot is filled, or if the own history refuses it.
        """
        hand, attempt, number = item.place
        author, seat = self.signer.public, self.course.seat_in(item.place)
        sequence = self.history.next_number(item, author, seat, kind)
        before = self.history.numbered(author, sequence - 1)
        content = Content(
            version=VERSION,
            table=item.table,
            hand=hand,
            attempt=attempt,
            round=number,
            seat=seat,
            author=author,
            sequence=sequence,
            last=self.hearing.spoken.last if before is None else before.hash,
            prev=item.prev,
            kind=kind,
            body=encode(body),
        )
        slot = slot_of(content)
        if not self.hearing.spoken.is_free(slot):
            return False
        self.sign(content)
        is_said = not self.hearing.spoken.is_free(slot)
        if is_said:
            self.acknowledge()
        return is_said

    def sign(self, content: Content) -> None:
        """Sign a content, keep it durably, and send it to all.

        One that the own history drops is neither kept nor sent: then it was never said.
        """
        spoken = self.hearing.spoken
        sealed, before = seal(self.signer, content), (spoken.count, spoken.last)
        if not self.give(sealed) and not self.hearing.is_evidence(sealed):
            spoken.forget(sealed)
            spoken.count, spoken.last = before

    def give(self, sealed: Sealed) -> bool:
        """Take in an own content and send it to all, if the history takes it; say whether."""
        self.hearing.take(sealed)
        is_taken = self.history.keeps(sealed)
        if is_taken:
            self.post.send(None, [sealed.data])
        return is_taken
