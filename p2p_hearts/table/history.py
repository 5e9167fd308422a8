"""One history for everybody: slots, heads, acks, evidence (protocol/SPEC.md sections 6.4 to 6.6).

A history is a list of rounds. A round expects one *speech* from each of its speakers; once all
are there it has a *head*, which every seat that takes part acknowledges once; equal acks of all of
them are its *certificate*, and so are equal confirms of all but the target of one ballot
(``agreement.absence``), which may leave that target out. The history keeps what it accepted
(``table.round``; what came early, ``table.early``; by author and number, ``table.counts``), says
what it misses, serves what others miss, and finds contents that convict their signer by themselves
(kept in ``table.convictions``).

Never: judges a body; signs anything; believes a relay (signatures were verified before, by
``open_content``). Errors: none for peers' input, every content gets an ``Outcome``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum

from p2p_hearts.agreement import absence
from p2p_hearts.agreement.absence import Value
from p2p_hearts.table import voting
from p2p_hearts.table.convictions import Convictions
from p2p_hearts.table.counts import Counts
from p2p_hearts.table.early import Early
from p2p_hearts.table.round import Round
from p2p_hearts.wire.chain import NO_HASH, Place, place_of
from p2p_hearts.wire.codec import DecodeError, decode
from p2p_hearts.wire.envelope import Sealed
from p2p_hearts.wire.evidence import Known
from p2p_hearts.wire.faults import Fault, Rule, fault_of
from p2p_hearts.wire.messages import BALLOTS, Ack, Confirm, Kind, Vote

BALLOT_TWINS = 2
"""Votes, or confirms, that a seat signs in one ballot: so many are kept, and prove it two-faced."""

VOTERS = 2
"""So many seats are needed to close a round without another one."""


class Outcome(Enum):
    """What became of a content."""

    ACCEPTED = "accepted"
    KNOWN = "known"
    EARLY = "early"
    DROPPED = "dropped"
    FAULT = "fault"


class History:
    """All rounds of one table, from its formation on."""

    def __init__(self, seats: int, first: bytes) -> None:
        """Begin before the first round; ``first`` is the head it builds on."""
        self.seats = seats
        self.rounds: list[Round] = []
        self.convictions = Convictions(self._is_drawn)
        self._first = first
        self._index: dict[Place, Round] = {}
        self._certified = 0
        self._rewound: Place | None = None
        """The earliest round that was closed otherwise than it had been followed."""
        self._early = Early()
        self._admitted: list[Sealed] = []
        """Early contents that were set aside, and what came to stand, or is named by votes, beside
        the first content of a speech."""
        self._counts = Counts()

    @property
    def fault(self) -> Fault | None:
        """The proven fault that stands, if there is one."""
        return self.convictions.fault

    @property
    def current(self) -> Round:
        """The last round that was opened."""
        return self.rounds[-1]

    @property
    def certified(self) -> int:
        """How many rounds, counted from the first, are certified without a gap."""
        return self._certified

    @property
    def is_certified(self) -> bool:
        """Whether every round that was opened has its certificate."""
        return self._certified == len(self.rounds)

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
        seats: Sequence[int] | None = None,
    ) -> None:
        """Open the next round; ``seats``: those that take part, if not all do."""
        before = self.rounds[-1].head if self.rounds else self._first
        if before is None:
            raise ValueError("a round is opened on a complete one")
        live = tuple(range(self.seats)) if seats is None else tuple(seats)
        opened = Round(
            place,
            table,
            kind,
            tuple(speakers),
            before,
            runs_ahead,
            live,
            votable=place.hand > 0 and len(live) == self.seats > VOTERS,
            number=len(self.rounds),
            spoken=self._spoken_before(),
            missed=self._missed_before(),
        )
        self.rounds.append(opened)
        self._index[place] = opened

    def take_due(self) -> list[Sealed]:
        """Return the contents that arrived early for the current round, once."""
        return self._early.take_due(self.current.place, self.current.prev)

    def take_admitted(self) -> list[Sealed]:
        """Return what belongs into the log beside the contents that were accepted, once."""
        admitted, self._admitted = self._admitted, []
        return admitted

    def take_rewound(self) -> Place | None:
        """Return, once, where to go back to: a round was closed otherwise than it was followed."""
        place, self._rewound = self._rewound, None
        return place

    def may_speak(self) -> bool:
        """Whether a seat may speak in the current round: all it builds on is certified.

        Rounds that run ahead may follow each other uncertified, nothing else may.
        """
        uncertified = self.rounds[self._certified : -1]
        if self.current.runs_ahead:
            return all(item.runs_ahead for item in uncertified)
        return not uncertified

    def has_voted(self, seat: int) -> bool:
        """Whether a seat has voted in a round that is still open: it does not run ahead of that."""
        return any(
            ballot.content.seat == seat
            for item in self.rounds[self._certified :]
            for ballot in item.ballots.values()
        )

    def accept(self, sealed: Sealed) -> Outcome:
        """Take in one verified content whose author sits in the seat it names."""
        content = sealed.content
        place, is_ack = place_of(content), content.kind == Kind.ACK
        target = self._index.get(place)
        if target is None:
            return self._keep_early(sealed, place)
        if content.table != target.table:
            return Outcome.DROPPED
        if content.kind in BALLOTS:
            return self._accept_ballot(sealed, target)
        held = target.acks.get(content.seat) if is_ack else target.said_by(content.seat)
        if not is_ack and sealed.hash in target.twins.get(content.seat, {}):
            return Outcome.KNOWN
        if held is not None and held.hash == sealed.hash:  # V58
            return Outcome.KNOWN
        if held is not None:
            # Also on another history: nobody signs twice for one place.
            on_top = content.prev == target.prev
            if on_top and not is_ack:
                if target.keep_twin(sealed, self.seats):
                    self._admitted.append(sealed)
                self._resolve(target)
                self._follow_acks(target)
                self._count_certified()
            outcome = self._convict(Rule.TWO_CONTENTS, held, sealed)  # V59
            if on_top and is_ack and self._adopt_ack(target, sealed):
                return Outcome.ACCEPTED
            return outcome
        aside = self._early.aside(sealed)
        if aside is not None and aside.hash != sealed.hash:
            outcome = self._convict(Rule.TWO_CONTENTS, aside, sealed)  # V59
            if content.prev != target.prev:
                return outcome
            # What was set aside fills no place: the others may go on with this one.
        if content.prev != target.prev:  # V60
            return self._judge_other_history(sealed, target)
        if not is_ack and content.seat not in target.speakers:  # V61
            return self._convict(Rule.TURN, sealed)
        outcome = self._note_sequence(sealed, target)
        if outcome is not Outcome.ACCEPTED:
            return outcome
        if is_ack:
            # Kept even if its body is nonsense: it is what the seat said in this place.
            target.acks[content.seat] = sealed
            try:
                target.heads[content.seat] = decode(content.body, Ack).head  # V63
            except DecodeError:
                self.convictions.add(fault_of(Rule.BODY, sealed))
            self._follow_acks(target)
        elif content.seat == target.absent:
            target.late[content.seat] = sealed
        else:
            target.speeches[content.seat] = sealed
            if target.complete and target.closing is None:
                target.head = target.head_of(target.first)
            self._resolve(target)
        self._count_certified()
        return Outcome.ACCEPTED

    def _adopt_ack(self, target: Round, sealed: Sealed) -> bool:
        """Take a second ack in the place of the first if all others acknowledged what it names.

        Or if it names the head of the round here. It convicts its signer, and with the others' acks
        it is a certificate: those who heard it first have gone on, so the others must be able to
        follow.
        """
        content = sealed.content
        try:
            names = decode(content.body, Ack).head
        except DecodeError:
            return False
        others = {target.heads.get(seat) for seat in target.seats if seat != content.seat}
        wanted = target.head if None in others or len(others) > 1 else next(iter(others))
        if names != wanted or target.heads.get(content.seat) == names:
            return False
        target.acks[content.seat], target.heads[content.seat] = sealed, names
        self._follow_acks(target)
        self._count_certified()
        return True

    def _accept_ballot(self, sealed: Sealed, target: Round) -> Outcome:
        """Take in a vote or a confirm; it counts once all that it names is here."""
        content = sealed.content
        if sealed.hash in target.ballots:
            return Outcome.KNOWN
        if content.prev != target.prev or not target.votable:  # V77, as the body and the ballot
            return Outcome.DROPPED
        kind: type[Vote] | type[Confirm] = Vote if content.kind == Kind.VOTE else Confirm
        try:
            body: Vote | Confirm = decode(content.body, kind)
        except DecodeError:
            return self._convict(Rule.BODY, sealed)
        held = target.ballots_of(content.seat, content.kind, body.ballot)
        if self._has_gone_on(sealed, target):
            return Outcome.DROPPED
        limit = absence.OPENINGS * len(target.seats)
        if not 1 <= body.ballot <= limit:
            return self._convict(Rule.BALLOT, sealed) if body.ballot > limit else Outcome.DROPPED
        if len(held) >= BALLOT_TWINS and not (
            target.is_called(sealed) or target.is_closed_by(sealed)
        ):
            return Outcome.DROPPED
        if target.runs_ahead:
            for item in self._early.admit(sealed, self._counts):
                self._counts.note(item)
                self._admitted.append(item)
        outcome = self._note_sequence(sealed, target)
        if outcome is not Outcome.ACCEPTED:
            return outcome
        self._admitted += target.keep_ballot(sealed, body)
        if held:  # V78
            self.convictions.add(fault_of(Rule.TWO_CONTENTS, held[0], sealed))
        self._resolve(target)
        self._count_certified()
        return Outcome.ACCEPTED

    def _resolve(self, target: Round) -> None:
        """Count the votes and confirms that can be counted by now; close the round if they do.

        Not a round that acks have certified already: of two certificates, which only two liars can
        make, the first one stands.
        """
        for unsound in target.count_ballots():
            self.convictions.add(fault_of(Rule.BALLOT, unsound))
        if not target.certified:
            proof = absence.certificate(target.shape, list(target.confirms.values()))
            if proof is not None:
                self._close(target, proof[0].value)

    def _close(self, target: Round, value: Value) -> None:
        """Close a round by confirms: these contents stand, whatever was followed before."""
        self._turn(target, target.close, value)

    def _follow_acks(self, target: Round) -> None:
        """Follow what all seats have acknowledged, if something else was heard first here.

        To a seat that comes back with an old log, or that watches, a liar can say first what it has
        said to nobody else.
        """
        value = None if target.closing else target.acknowledged
        if value is not None:
            self._turn(target, target.follow, value)

    def _turn(self, target: Round, stand: Callable[[Value], bool], value: Value) -> None:
        followed, swapped = target.head, stand(value)
        at = self.rounds.index(target)
        for later in self.rounds[at + 1 :] if followed != target.head else ():
            del self._index[later.place]
        if followed != target.head:
            del self.rounds[at + 1 :]
            self._certified = min(self._certified, at)
        if swapped:
            self._admitted += target.speeches.values()
            if self._rewound is None or target.place < self._rewound:
                self._rewound = target.place

    def next_number(self, item: Round, author: bytes, seat: int, kind: Kind) -> int:
        """Return the number of the next content that an author signs, in this round.

        It follows from the round, unless somebody has voted since the table was formed, or rounds
        went on without its seat.
        """
        has_missed = seat in item.missed
        if kind in BALLOTS or has_missed or any(other.ballots for other in self.rounds):
            return self._counts.next_of(author)
        return item.sequence(author, seat, is_ack=kind is Kind.ACK)

    def _is_drawn(self) -> bool:
        """Whether no round of the draw lacks its certificate."""
        undone = self.rounds[self._certified : self._certified + 1]
        return all(item.place.hand for item in undone)

    def known_before(self, before: Place) -> Callable[[Place], Known | None]:
        """Return what everybody knows of the rounds before one whose head is certified."""

        def known(place: Place) -> Known | None:
            item = self._index.get(place)
            return None if item is None or place >= before else Known(item.prev, item.speakers)

        return known

    def find(self, place: Place) -> Round | None:
        """Return the round at a place, if it is open or was."""
        return self._index.get(place)

    def numbered(self, author: bytes, sequence: int) -> Sealed | None:
        """Return what an author signed under a number of its own count, if it is held."""
        return self._counts.numbered(author, sequence)

    def holds(self, data: bytes) -> bool:
        """Whether this envelope fills a place of the history."""
        return any(
            sealed.data == data and sealed.hash not in item.twins.get(sealed.content.seat, {})
            for item in self.rounds
            for sealed in item.contents()
        )

    def keeps(self, sealed: Sealed) -> bool:
        """Whether a content is held, in its place or for proof, or waits for its round."""
        item = self._index.get(place_of(sealed.content))
        return self._early.holds(sealed) or (
            item is not None and any(held.hash == sealed.hash for held in item.contents())
        )

    def early_of(self, author: bytes) -> list[bytes]:
        """Return what an author said for rounds that are not open here yet."""
        return self._early.said_by(author)

    def missing(self) -> list[tuple[int, str]]:
        """Return whom the first uncertified round waits for: seat, and the item it owes."""
        for item in self.rounds[self._certified :]:
            owed = voting.owed(item.sight(-1))
            if owed:
                return [(seat, str(what)) for seat, what in owed]
        return []

    def _spoken_before(self) -> dict[bytes, int]:
        """Return the speeches so far by author; every round so far is complete."""
        if not self.rounds:
            return {}
        spoken = dict(self.rounds[-1].spoken)
        for sealed in self.rounds[-1].speeches.values():
            spoken[sealed.content.author] = spoken.get(sealed.content.author, 0) + 1
        return spoken

    def _missed_before(self) -> frozenset[int]:
        """Return the seats that a round so far went on without, once seats are drawn."""
        if not self.rounds:
            return frozenset()
        last = self.rounds[-1]
        return last.missed | (frozenset(range(self.seats)) - {*last.seats})

    def _keep_early(self, sealed: Sealed, place: Place) -> Outcome:
        if not self.rounds or place <= self.current.place:  # V57
            return Outcome.DROPPED
        is_kept = self._early.keep(sealed, self.current.place)
        return Outcome.EARLY if is_kept else Outcome.DROPPED

    def _judge_other_history(self, sealed: Sealed, target: Round) -> Outcome:
        """A speech on another history convicts an author whose ack alone can certify the right one.

        Where votes may close a round, two liars can give it two certificates, and each of them may
        have an honest seat that goes on from it.
        """
        number = self.rounds.index(target)
        before = self.rounds[number - 1] if number else None
        is_bound = before is None or (not before.runs_ahead and before.binds(sealed.content.seat))
        if sealed.content.kind != Kind.ACK and is_bound:
            return self._convict(Rule.PREVIOUS, sealed)
        if before is None or not before.runs_ahead:
            return Outcome.DROPPED
        if self._early.aside(sealed) is not None:
            return Outcome.KNOWN
        outcome = self._note_sequence(sealed, target)
        if outcome is Outcome.ACCEPTED:
            self._early.set_aside(sealed)
        return outcome

    def _has_gone_on(self, ballot: Sealed, target: Round) -> bool:
        """Whether a ballot stands on top of what its author said in a later round.

        Who keeps the rules votes in the first round that it has no certificate of; only shuffles
        may have run ahead of that one.
        """
        before = self._counts.before(ballot)
        return (
            before is not None and place_of(before.content) > target.place and not target.runs_ahead
        )

    def _note_sequence(self, sealed: Sealed, target: Round) -> Outcome:
        """Check the author's own count, and its hash chain where both ends are here (V62).

        What an author counts follows from the rounds before, as long as nobody votes. A content
        with another number is taken only on top of the content that it names as the one before:
        so nobody can leave numbers out, and make every log seem to lack messages that never were.
        It is no fault, for a vote that is still on its way counts, too.

        A seat that is convicted already may have told others another count, or what nobody takes
        any more. What it says is taken all the same: they go on with it, and everybody must be able
        to follow. In the draw nothing follows from votes, so there its number is its place's.
        """
        content = sealed.content
        is_convicted = self.convictions.is_convicted(target.place, content.seat)
        twin = self._counts.twin_of(sealed)
        if twin is not None:
            outcome = self._convict(Rule.CHAIN, twin, sealed)
            return Outcome.ACCEPTED if is_convicted and target.place.hand else outcome
        is_ack = content.kind == Kind.ACK
        expected = target.sequence(content.author, content.seat, is_ack=is_ack)
        counts_by_place = content.kind not in BALLOTS and content.seat not in target.missed
        by_place = content.sequence == expected and counts_by_place
        if not (by_place or target.place.hand):
            return self._convict(Rule.CHAIN, sealed)
        if not (by_place or is_convicted) and self._counts.before(sealed) is None:
            return Outcome.DROPPED
        broken = self._counts.break_with(sealed)
        if broken:
            outcome = self._convict(Rule.CHAIN, *broken)
            if not is_convicted:
                return outcome
        self._counts.note(sealed)
        return Outcome.ACCEPTED

    def _convict(self, rule: Rule, *contents: Sealed) -> Outcome:
        self.convictions.add(fault_of(rule, *contents))
        return Outcome.FAULT

    def _count_certified(self) -> None:
        while self._certified < len(self.rounds) and self.rounds[self._certified].certified:
            self._certified += 1
