"""One history for everybody: slots, heads, acks, evidence (protocol/SPEC.md sections 6.4 to 6.6).

A history is a list of rounds. A round expects one *speech* from each of its speakers; once all
are there it has a *head*, which every seat acknowledges once; equal acks of all seats are its
*certificate*. The history keeps what it accepted, says what it misses, serves what others miss,
and finds contents that convict their signer by themselves.

Never: judges a body; signs anything; believes a relay (signatures were verified before, by
``open_envelope``). Errors: none for peers' input, every content gets an ``Outcome``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from p2p_hearts.wire.chain import NO_HASH, Place, next_head, place_of
from p2p_hearts.wire.codec import DecodeError, decode
from p2p_hearts.wire.envelope import Sealed
from p2p_hearts.wire.faults import Fault, Rule, fault_of
from p2p_hearts.wire.messages import Ack, Beat, Kind, RoundReport

ROUNDS_AHEAD = 16
"""Contents of at most this many rounds beyond the last open one are kept until they are due."""

EARLY_BYTES = 256 * 1024
"""Early contents of one author are kept up to this size; an honest seat has a few shuffles there.
What is dropped is sent again once it is due."""

SERVED_ROUNDS = 40
"""At most this many whole rounds are sent to a peer for one of its heartbeats."""


class Outcome(Enum):
    """What became of a content."""

    ACCEPTED = "accepted"
    KNOWN = "known"
    EARLY = "early"
    DROPPED = "dropped"
    FAULT = "fault"


@dataclass(slots=True)
class Round:
    """One round as far as it is known here."""

    place: Place
    table: bytes
    kind: Kind
    speakers: tuple[int, ...]
    prev: bytes
    runs_ahead: bool
    speeches: dict[int, Sealed] = field(default_factory=dict)
    acks: dict[int, Sealed] = field(default_factory=dict)
    heads: dict[int, bytes] = field(default_factory=dict)
    """The head each ack names."""
    head: bytes | None = None
    """Head of this round, once every speaker was heard."""

    @property
    def complete(self) -> bool:
        """Every speaker was heard."""
        return len(self.speeches) == len(self.speakers)

    def certified(self, seats: int) -> bool:
        """Whether all ``seats`` seats acknowledged this very head."""
        return (
            self.head is not None
            and len(self.heads) == seats
            and all(head == self.head for head in self.heads.values())
        )

    def contents(self) -> Iterator[Sealed]:
        """Everything held of this round, speeches first."""
        yield from self.speeches.values()
        yield from self.acks.values()


class History:
    """All rounds of one table, from its formation on."""

    def __init__(self, seats: int, first: bytes) -> None:
        """Begin before the first round; ``first`` is the head it builds on."""
        self.seats = seats
        self.rounds: list[Round] = []
        self.fault: Fault | None = None
        self._first = first
        self._index: dict[Place, Round] = {}
        self._certified = 0
        self._early: dict[tuple[Place, int, bool], Sealed] = {}
        self._spoken: dict[tuple[bytes, int], Sealed] = {}

    @property
    def current(self) -> Round:
        """The last round that was opened."""
        return self.rounds[-1]

    @property
    def certified(self) -> int:
        """How many rounds, counted from the first, are certified without a gap."""
        return self._certified

    @property
    def head(self) -> bytes:
        """Head of the last certified round."""
        if not self._certified:
            return self._first
        head = self.rounds[self._certified - 1].head
        return NO_HASH if head is None else head

    def open_round(
        self,
        place: Place,
        table: bytes,
        kind: Kind,
        speakers: Sequence[int],
        runs_ahead: bool,
    ) -> list[Sealed]:
        """Open the next round, and return the contents that arrived early for it."""
        before = self.rounds[-1].head if self.rounds else self._first
        if before is None:
            raise ValueError("a round is opened on a complete one")
        opened = Round(place, table, kind, tuple(speakers), before, runs_ahead)
        self.rounds.append(opened)
        self._index[place] = opened
        due = [key for key in self._early if key[0] <= place]
        waiting = [self._early.pop(key) for key in sorted(due)]
        return [sealed for sealed in waiting if place_of(sealed.content) == place]

    def may_speak(self) -> bool:
        """Whether a seat may speak in the current round: all it builds on is certified.

        Rounds that run ahead may follow each other uncertified, nothing else may.
        """
        uncertified = self.rounds[self._certified : -1]
        if self.current.runs_ahead:
            return all(item.runs_ahead for item in uncertified)
        return not uncertified

    def accept(self, sealed: Sealed) -> Outcome:
        """Take in one verified content whose author sits in the seat it names."""
        content = sealed.content
        place, is_ack = place_of(content), content.kind == Kind.ACK
        target = self._index.get(place)
        if target is None:
            return self._keep_early(sealed, place, is_ack)
        if content.table != target.table:
            return Outcome.DROPPED
        held = target.acks.get(content.seat) if is_ack else target.speeches.get(content.seat)
        if held is not None and held.hash == sealed.hash:
            return Outcome.KNOWN
        if content.prev != target.prev:
            return self._judge_other_history(sealed, target)
        if held is not None:
            return self._convict(Rule.TWO_CONTENTS, held, sealed)
        if not is_ack and content.seat not in target.speakers:
            return self._convict(Rule.TURN, sealed)
        outcome = self._note_sequence(sealed)
        if outcome is not Outcome.ACCEPTED:
            return outcome
        if is_ack:
            # Kept even if its body is nonsense: it is what the seat said in this place.
            target.acks[content.seat] = sealed
            try:
                target.heads[content.seat] = decode(content.body, Ack).head
            except DecodeError:
                self.convict(fault_of(Rule.BODY, sealed))
        else:
            target.speeches[content.seat] = sealed
            if target.complete:
                target.head = next_head(
                    target.prev,
                    place,
                    [(seat, item.hash) for seat, item in target.speeches.items()],
                )
        self._count_certified()
        return Outcome.ACCEPTED

    def convict(self, fault: Fault) -> None:
        """Note a fault; the first one in the order of ``Fault.rank`` stands.

        So peers that learn of several faults in different orders name the same one in the end.
        """
        if self.fault is None or fault.rank < self.fault.rank:
            self.fault = fault

    def holds(self, data: bytes) -> bool:
        """Whether this envelope fills a place of the history."""
        return any(sealed.data == data for item in self.rounds for sealed in item.contents())

    def report(self) -> list[RoundReport]:
        """Return what is held of the rounds that are not certified."""
        return [
            RoundReport(
                round=item.place.round,
                speeches=[
                    item.speeches[seat].hash if seat in item.speeches else b""
                    for seat in range(self.seats)
                ],
                acks=[
                    item.acks[seat].hash if seat in item.acks else b"" for seat in range(self.seats)
                ],
            )
            for item in self.rounds[self._certified :][:ROUNDS_AHEAD]
        ]

    def next_place(self) -> Place:
        """Return the place of the first round without a certificate, or after all of them."""
        if self._certified < len(self.rounds):
            return self.rounds[self._certified].place
        hand, attempt, number = self.rounds[-1].place
        return Place(hand, attempt, number + 1)

    def missing_for(self, beat: Beat) -> list[bytes]:
        """Return the envelopes that the sender of a heartbeat lacks or holds differently."""
        start = Place(beat.hand, beat.attempt, beat.round)
        told = {item.round: item for item in beat.open}
        found: list[bytes] = []
        for item in [item for item in self.rounds if item.place >= start][:SERVED_ROUNDS]:
            same_hand = item.place[:2] == start[:2]
            report = told.get(item.place.round) if same_hand else None
            found += _unlike(item.speeches, report.speeches if report else [])
            found += _unlike(item.acks, report.acks if report else [])
        return found

    def serves_all(self, beat: Beat) -> bool:
        """Whether ``missing_for`` reaches up to the last round held, and its receiver keeps it all.

        What is further ahead of the receiver than ``ROUNDS_AHEAD`` it drops.
        """
        start = Place(beat.hand, beat.attempt, beat.round)
        return sum(item.place >= start for item in self.rounds) <= ROUNDS_AHEAD

    def early_of(self, author: bytes) -> list[bytes]:
        """Return what an author said for rounds that are not open here yet."""
        return [item.data for item in self._early.values() if item.content.author == author]

    def missing(self) -> list[tuple[int, str]]:
        """Return whom the first uncertified round waits for: seat, and ``message`` or ``ack``."""
        for item in self.rounds[self._certified :]:
            silent = [seat for seat in item.speakers if seat not in item.speeches]
            if silent:
                return [(seat, "message") for seat in silent]
            unequal = [seat for seat in range(self.seats) if item.heads.get(seat) != item.head]
            if unequal:
                return [(seat, "ack") for seat in unequal]
        return []

    def _keep_early(self, sealed: Sealed, place: Place, is_ack: bool) -> Outcome:
        if not self.rounds or place <= self.current.place:
            return Outcome.DROPPED
        here = self.current.place
        near = place.hand == here.hand and place.round <= here.round + ROUNDS_AHEAD
        next_hand = place.hand == here.hand + 1 and place.round < ROUNDS_AHEAD
        if not (near or next_hand):
            return Outcome.DROPPED
        key = place, sealed.content.seat, is_ack
        if key not in self._early:
            kept = sum(len(data) for data in self.early_of(sealed.content.author))
            if kept + len(sealed.data) > EARLY_BYTES:
                return Outcome.DROPPED
            self._early[key] = sealed
        return Outcome.EARLY

    def _judge_other_history(self, sealed: Sealed, target: Round) -> Outcome:
        """A speech on another history convicts only beside a certificate of the right one."""
        number = self.rounds.index(target)
        if sealed.content.kind != Kind.ACK and number <= self._certified:
            return self._convict(Rule.PREVIOUS, sealed)
        return Outcome.DROPPED

    def _note_sequence(self, sealed: Sealed) -> Outcome:
        """Check the author's own count, and its hash chain where both ends are here."""
        content = sealed.content
        own = (content.author, content.sequence)
        twin = self._spoken.get(own)
        if twin is not None and twin.hash != sealed.hash:
            return self._convict(Rule.CHAIN, twin, sealed)
        before = self._spoken.get((content.author, content.sequence - 1))
        after = self._spoken.get((content.author, content.sequence + 1))
        first_is_wrong = content.sequence == 0 and content.last != NO_HASH
        if first_is_wrong or (before is not None and content.last != before.hash):
            return self._convict(Rule.CHAIN, *([sealed] if before is None else [before, sealed]))
        if after is not None and after.content.last != sealed.hash:
            return self._convict(Rule.CHAIN, sealed, after)
        self._spoken[own] = sealed
        return Outcome.ACCEPTED

    def _convict(self, rule: Rule, *contents: Sealed) -> Outcome:
        self.convict(fault_of(rule, *contents))
        return Outcome.FAULT

    def _count_certified(self) -> None:
        while self._certified < len(self.rounds) and self.rounds[self._certified].certified(
            self.seats
        ):
            self._certified += 1


def _unlike(held: Mapping[int, Sealed], told: Sequence[bytes]) -> list[bytes]:
    """Return what is held by seat and was not told by the same hash."""
    return [item.data for seat, item in held.items() if told[seat : seat + 1] != [item.hash]]
