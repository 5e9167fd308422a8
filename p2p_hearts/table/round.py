"""One round of the history as far as it is known here (protocol/SPEC.md sections 6.4 and 7.4).

What was said in it, who acknowledged what, which votes and confirms there are and which of them
count, what it was closed with. A ``Round`` keeps what ``table.history`` gives it.

Never: decides whether a content belongs here; judges a body but that of a vote or a confirm.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product

from p2p_hearts.agreement import absence
from p2p_hearts.agreement.absence import Own, Shape, Value
from p2p_hearts.table.voting import Sight
from p2p_hearts.wire.chain import NO_HASH, Place, next_head
from p2p_hearts.wire.codec import decode
from p2p_hearts.wire.envelope import Sealed
from p2p_hearts.wire.messages import Confirm, Kind, Vote

MAX_BALLOTS = 512
"""With so many votes and confirms in a round no more are kept for being named by another one."""

MAX_VALUES = 4096
"""Of the values that two-faced speakers make possible, so many are tried for the head of an ack."""


@dataclass(slots=True)
class Round:
    """One round as far as it is known here."""

    place: Place
    table: bytes
    kind: Kind
    speakers: tuple[int, ...]
    prev: bytes
    runs_ahead: bool
    seats: tuple[int, ...]
    """Those that acknowledge it, ascending."""
    votable: bool
    """Every seat of the table takes part, so one of them may be voted out."""
    number: int = 0
    """How many rounds there were before, each with an ack of every seat."""
    spoken: Mapping[bytes, int] = field(default_factory=dict)
    """By author, how many speeches those rounds had."""
    missed: frozenset[int] = frozenset()
    """Seats that did not take part in all of those rounds: they count on from where they were."""
    speeches: dict[int, Sealed] = field(default_factory=dict)
    """The first content held of each speaker; the one that stands, once the round is closed."""
    twins: dict[int, dict[bytes, Sealed]] = field(default_factory=dict)
    """By speaker and hash, further contents of one speech: proof against their signers."""
    named: set[bytes] = field(default_factory=set)
    """Hashes of contents that votes held here name."""
    vouched: set[bytes] = field(default_factory=set)
    """Likewise, of those that votes of others than their author name."""
    late: dict[int, Sealed] = field(default_factory=dict)
    """Speeches that the round was closed without."""
    ballots: dict[bytes, Sealed] = field(default_factory=dict)
    """Votes and confirms by hash, whether all that they name is here or not."""
    called: set[tuple[bytes, int]] = field(default_factory=set)
    """Hashes of votes that confirms name and of confirms that are a vote's lock, with who does."""
    votes: dict[bytes, absence.Vote] = field(default_factory=dict)
    """Those that count: sound, and all that they name is here."""
    confirms: dict[bytes, absence.Confirm] = field(default_factory=dict)
    """Likewise."""
    closing: Value | None = None
    """What equal confirms closed the round with."""
    acks: dict[int, Sealed] = field(default_factory=dict)
    heads: dict[int, bytes] = field(default_factory=dict)
    """The head each ack names."""
    head: bytes | None = None
    """Head of this round, once every speaker was heard."""

    @property
    def complete(self) -> bool:
        """Every speaker was heard."""
        return len(self.speeches) == len(self.speakers)

    @property
    def absent(self) -> int | None:
        """The speaker that the round was closed without, if there is one."""
        if self.closing is None or None not in self.closing:
            return None
        return self.speakers[self.closing.index(None)]

    @property
    def certified(self) -> bool:
        """Whether equal confirms closed the round, or all its seats acknowledged this head."""
        return self.closing is not None or (
            self.head is not None and all(self.heads.get(seat) == self.head for seat in self.seats)
        )

    def binds(self, seat: int) -> bool:
        """Whether an honest seat cannot hold another certificate: this one takes its own ack.

        And nobody may vote here: confirms could make one without it.
        """
        return not self.votable and seat in self.seats and self.certified

    @property
    def closed_by(self) -> frozenset[bytes]:
        """Hashes of all that the confirms which closed it stand on, and of these, if any have."""
        closing = [item for item in self.confirms.values() if item.value == self.closing]
        votes, confirms = absence.unfold([], closing)
        seen = {name for vote in votes for name in vote.view if name is not None}
        return frozenset(seen | {vote.name for vote in votes} | {item.name for item in confirms})

    def sequence(self, author: bytes, seat: int, *, is_ack: bool) -> int:
        """Return the number that a content of this round has in its author's own count.

        A seat signs one ack a round, and before it its speech, where it has one.
        """
        return self.number + self.spoken.get(author, 0) + (is_ack and seat in self.speakers)

    def said_by(self, seat: int) -> Sealed | None:
        """Return the first speech held of a seat, also if the round was closed without it."""
        return self.speeches.get(seat, self.late.get(seat))

    @property
    def shape(self) -> Shape:
        """Who takes part, as ballots see it."""
        return Shape(self.seats, self.speakers, self.runs_ahead)

    @property
    def first(self) -> Value:
        """Hash of the first content held of each speaker."""
        return tuple(
            self.speeches[seat].hash if seat in self.speeches else None for seat in self.speakers
        )

    def head_of(self, value: Value) -> bytes:
        """Return the head of this round if it is closed with a value."""
        said = zip(self.speakers, value, strict=True)
        return next_head(self.prev, self.place, [(seat, item or NO_HASH) for seat, item in said])

    def own(self, seat: int) -> Own:
        """Return what a seat has signed beside its speech, as far as it is held here."""
        votes = sorted(
            (vote for vote in self.votes.values() if vote.voter == seat),
            key=lambda vote: vote.ballot,
        )
        confirms = sorted(
            (item for item in self.confirms.values() if item.voter == seat),
            key=lambda item: item.ballot,
        )
        return Own(seat, self._acked_by(seat), tuple(votes), tuple(confirms))

    def sight(self, seat: int) -> Sight:
        """Return this round as a seat sees it."""
        first = self.first
        head = None if None in first else self.head_of(first)
        return Sight(
            self.shape,
            self.own(seat),
            first,
            frozenset(other for other, named in self.heads.items() if named == head),
            tuple(self.votes[key] for key in sorted(self.votes)),
            tuple(self.confirms[key] for key in sorted(self.confirms)),
        )

    def _acked_by(self, seat: int) -> Value | None:
        """Return the value whose head a seat acknowledged, if its contents are here."""
        named = self.heads.get(seat)
        if named is None:
            return None
        options = [
            [
                *(item.hash for item in [self.speeches.get(other)] if item is not None),
                *self.twins.get(other, {}),
            ]
            for other in self.speakers
        ]
        rows = islice(product(*options), MAX_VALUES)
        return next((row for row in rows if self.head_of(row) == named), None)

    def keep_twin(self, sealed: Sealed, spares: int) -> bool:
        """Keep a further content of one speech: each seat may have heard another one.

        Beside those that votes name the latest ``spares`` are kept: whoever is told many first
        could else never take the one that stands. Returns whether somebody else's vote names it.
        """
        held = self.twins.setdefault(sealed.content.seat, {})
        spare = [name for name in held if name not in self.named]
        if len(spare) >= spares and sealed.hash not in self.named:
            del held[spare[0]]
        held[sealed.hash] = sealed
        return sealed.hash in self.vouched

    def keep_ballot(self, sealed: Sealed, body: Vote | Confirm) -> list[Sealed]:
        """Keep a vote or a confirm; return the twins of others that a vote names.

        Without them it counts nowhere, so who keeps the one has to keep the others.
        """
        voter = sealed.content.seat
        self.ballots[sealed.hash] = sealed
        if isinstance(body, Confirm):
            self.called |= {(name, voter) for name in body.votes}
            return []
        if body.lock:
            self.called.add((body.lock, voter))
        self.named |= {*body.view} - {b""}
        said = zip(self.speakers, body.view, strict=False)
        seen = {name for seat, name in said if seat != voter}
        self.vouched |= seen
        twins = [twin for twins in self.twins.values() for twin in twins.values()]
        return [twin for twin in twins if twin.hash in seen]

    def is_called(self, sealed: Sealed) -> bool:
        """Whether a confirm of somebody else names a vote, or a vote of its author a confirm.

        Without it what names it could never count. Nobody makes room for votes by naming its own.
        """
        if len(self.ballots) >= MAX_BALLOTS:
            return False
        seat, is_vote = sealed.content.seat, sealed.content.kind == Kind.VOTE
        callers = [other for name, other in self.called if name == sealed.hash]
        return any((other != seat) is is_vote for other in callers)

    def contents(self) -> Iterator[Sealed]:
        """Everything held of this round, speeches first."""
        for part in (self.speeches, self.late, self.acks):
            yield from part.values()
        for twins in self.twins.values():
            yield from twins.values()
        yield from self.ballots.values()

    def ballots_of(self, seat: int, kind: str, ballot: int) -> list[Sealed]:
        """Return what a seat has said of this kind in a ballot."""
        body: type[Vote] | type[Confirm] = Vote if kind == Kind.VOTE else Confirm
        said = [
            held
            for held in self.ballots.values()
            if (held.content.seat, held.content.kind) == (seat, kind)
        ]
        return [held for held in said if decode(held.content.body, body).ballot == ballot]

    def count_ballots(self) -> list[Sealed]:
        """Count the votes and confirms of which all that they name is here by now.

        Returns those that no seat may sign.
        """
        unsound: dict[bytes, Sealed] = {}
        is_more = True
        while is_more:
            is_more = False
            for name, sealed in self.ballots.items():
                if name in self.votes or name in self.confirms:
                    continue
                is_vote = sealed.content.kind == Kind.VOTE
                is_sound = self._count_vote(sealed) if is_vote else self._count_confirm(sealed)
                if is_sound is False:
                    unsound[name] = sealed
                is_more = is_more or bool(is_sound)
        return list(unsound.values())

    def _count_vote(self, sealed: Sealed) -> bool | None:
        """Count a vote; say whether it is sound, ``None`` while something is missing."""
        vote = decode(sealed.content.body, Vote)
        lock = self.confirms.get(vote.lock)
        if (vote.lock and lock is None) or not self._holds_all(vote.view):
            return None
        made = absence.Vote(
            sealed.hash,
            sealed.content.seat,
            vote.ballot,
            vote.target,
            vote.opener,
            _value(vote.view),
            lock,
        )
        if not absence.is_sound_vote(self.shape, made):  # V79
            return False
        self.votes[sealed.hash] = made
        return True

    def _count_confirm(self, sealed: Sealed) -> bool | None:
        """Count a confirm, likewise."""
        made = self._confirm_of(sealed)
        if made is None:
            return None
        if not absence.is_sound_confirm(self.shape, made):  # V80
            return False
        self.confirms[sealed.hash] = made
        return True

    def _confirm_of(self, sealed: Sealed) -> absence.Confirm | None:
        """Return what a confirm says, if the votes that it names are here."""
        body = decode(sealed.content.body, Confirm)
        if any(name not in self.votes for name in body.votes):
            return None
        return absence.Confirm(
            sealed.hash,
            sealed.content.seat,
            body.ballot,
            body.target,
            _value(body.value),
            tuple(self.votes[name] for name in body.votes),
        )

    def is_closed_by(self, sealed: Sealed) -> bool:
        """Whether a vote or confirm is the one that a certificate lacks."""
        if self.certified or sealed.content.kind != Kind.CONFIRM:
            return False
        made = self._confirm_of(sealed)
        if made is None or not absence.is_sound_confirm(self.shape, made):
            return False
        return absence.certificate(self.shape, [*self.confirms.values(), made]) is not None

    def _holds_all(self, names: Sequence[bytes]) -> bool:
        """Whether the contents that a vote names are here; a row of another length is unsound."""
        if len(names) != len(self.speakers):
            return True
        held = {(seat, part[seat].hash) for part in (self.speeches, self.late) for seat in part}
        held |= {(seat, name) for seat, twins in self.twins.items() for name in twins}
        return all(
            not name or (seat, name) in held
            for seat, name in zip(self.speakers, names, strict=True)
        )

    @property
    def acknowledged(self) -> Value | None:
        """What all seats have acknowledged, if it is not what is followed here."""
        heads = {self.heads.get(seat) for seat in self.seats}
        if len(heads) != 1 or self.head in heads:
            return None
        return self._acked_by(self.seats[0])

    def close(self, value: Value) -> bool:
        """Let these contents stand, by confirms; say whether others had been followed."""
        self.closing = value
        return self.follow(value)

    def follow(self, value: Value) -> bool:
        """Let these contents stand; say whether others had been followed."""
        is_swapped = False
        for seat, name in zip(self.speakers, value, strict=True):
            held, twins = self.speeches.get(seat), self.twins.get(seat, {})
            if name is None:
                if held is not None:
                    self.late[seat] = self.speeches.pop(seat)
                    is_swapped = True
            elif name in twins:
                self.speeches[seat] = twins.pop(name)
                is_swapped = True
                if held is not None:
                    twins[held.hash] = held
        self.head = self.head_of(value)
        return is_swapped


def _value(names: Sequence[bytes]) -> Value:
    return tuple(name or None for name in names)
