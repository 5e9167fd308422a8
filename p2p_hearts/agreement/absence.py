"""How a round closes without a silent seat: votes, confirms, and what they decide.

Implements protocol/SPEC.md section 7.4. A round is normally closed by equal acks of all seats. When
nothing but one seat's message or ack is missing for too long, the others *vote*; a vote is a
promise and says what its voter holds. Whoever holds the votes of all but the target *confirms* what
``decide`` makes of them, and equal confirms of all but the target close the round.

    value      by speaker, in seat order, the hash of its content; ``None``, written ⊥: without it
    ballot     numbered from 1; each has one target, though voters may disagree about which
    lock       what a voter confirmed last, with the votes it confirmed: carried in its next vote

Everything here is a pure function of plain values, and the only place where these rules stand: the
history asks them, the audit asks them, and ``tests/table/test_absence_model.py`` explores what
they allow, message by message, with liars. When a seat votes is in ``table.voting``.

Never: judges a card; reads a clock.
Errors: none; what a peer said is sound or it is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

OPENINGS = 3
"""Ballots that one seat may open in a round; more of its ballots are ignored."""

Value = tuple[bytes | None, ...]
"""By speaker, in seat order."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Who takes part in a round."""

    seats: tuple[int, ...]
    """All seats that acknowledge it, ascending. A round in which not every seat of the table takes
    part has no ballots: a second missing seat makes the table wait."""
    speakers: tuple[int, ...]
    """Those that speak in it, ascending."""
    runs_ahead: bool = False
    """The next round may be followed before this one has a certificate. Then a target may have gone
    on from another content than is held here, so nobody votes against it before it is late."""

    def voters(self, target: int) -> tuple[int, ...]:
        """Return who votes in a ballot against ``target``."""
        return tuple(seat for seat in self.seats if seat != target)


@dataclass(frozen=True, slots=True, eq=False)
class Vote:
    """One vote. Two votes are the same if they have the same name."""

    name: bytes
    """Hash of the content that says it."""
    voter: int
    ballot: int
    target: int
    opener: int
    """Who opened this ballot: the voter itself, or a seat whose vote it has seen."""
    view: Value
    """What the voter holds: what it acknowledged, else the first content of each speaker."""
    lock: Confirm | None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vote) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


@dataclass(frozen=True, slots=True, eq=False)
class Confirm:
    """One confirm. Two confirms are the same if they have the same name."""

    name: bytes
    voter: int
    ballot: int
    target: int
    value: Value
    votes: tuple[Vote, ...]
    """One of each voter, in seat order."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Confirm) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


@dataclass(frozen=True, slots=True)
class Own:
    """What one seat has signed in a round. Once signed it is there for good."""

    seat: int
    acked: Value | None = None
    votes: tuple[Vote, ...] = ()
    """Ballots ascending."""
    confirms: tuple[Confirm, ...] = ()
    """Ballots ascending."""

    @property
    def ballot(self) -> int:
        """The highest ballot it voted in, or 0."""
        return self.votes[-1].ballot if self.votes else 0

    @property
    def lock(self) -> Confirm | None:
        """Its latest confirm."""
        return self.confirms[-1] if self.confirms else None


@dataclass(frozen=True, slots=True)
class Decision:
    """What the votes of a ballot decide: a value, or which speaker the next ballot is against."""

    value: Value | None
    accused: int | None = None


# The promises: what a seat that keeps the rules signs, given what it has signed.


def may_ack(own: Own) -> bool:
    """Whether a seat may acknowledge a round: once, and never after a vote of its own."""
    return own.acked is None and not own.votes


def view_of(shape: Shape, own: Own, first: Value, target: int) -> Value | None:
    """Return what a vote against ``target`` says of the speakers; ``None``: too much is missing.

    What the seat acknowledged stands, else the first content it holds; only the target's may be
    missing.
    """
    view = first if own.acked is None else own.acked
    for seat, content in zip(shape.speakers, view, strict=True):
        if content is None and seat != target:
            return None
    return view


def may_vote(shape: Shape, own: Own, ballot: int, target: int) -> bool:
    """Whether a seat may vote: not against itself, and in ascending ballots only."""
    return target != own.seat and target in shape.seats and ballot > own.ballot


def may_confirm(own: Own, ballot: int, target: int) -> bool:
    """Whether a seat may confirm a ballot: its own vote there is its last one; once."""
    last = own.votes[-1] if own.votes else None
    return (
        last is not None
        and (last.ballot, last.target) == (ballot, target)
        and all(confirm.ballot < ballot for confirm in own.confirms)
    )


# What votes decide.


def decide(shape: Shape, target: int, votes: Sequence[Vote]) -> Decision:
    """Return what the votes of all voters of one ballot decide; the same for everybody.

    Locks of seats that these votes prove two-faced are dropped. Of the others the lock of the
    highest ballot wins, if there is only one value with it. Without one, a single content that
    was seen of a seat stands; two or none of the target mean it is left out, and two of another
    seat decide nothing but that the next ballot is against that seat.
    """
    locked = winning_lock(shape, votes)
    if locked is not None:
        return Decision(locked)
    value: list[bytes | None] = []
    for at, seat in enumerate(shape.speakers):
        seen = {vote.view[at] for vote in votes} - {None}
        if len(seen) == 1:
            value.append(next(iter(seen)))
        elif seat == target:
            value.append(None)
        else:
            return Decision(None, seat)
    return Decision(tuple(value))


def winning_lock(shape: Shape, votes: Sequence[Vote]) -> Value | None:
    """Return the value of the highest lock that stands, if there is exactly one."""
    liars = two_faced(shape, votes)
    locks = [vote.lock for vote in votes if vote.lock is not None and vote.voter not in liars]
    if not locks:
        return None
    highest = max(lock.ballot for lock in locks)
    values = {lock.value for lock in locks if lock.ballot == highest}
    return next(iter(values)) if len(values) == 1 else None


def two_faced(
    shape: Shape, votes: Sequence[Vote], confirms: Sequence[Confirm] = ()
) -> frozenset[int]:
    """Return the seats that these votes and confirms, nested ones included, prove two-faced.

    Two votes of one ballot, two confirms of one ballot, two contents of one speech.
    """
    all_votes, all_confirms = unfold(votes, confirms)
    said: dict[tuple[int, int, str], bytes] = {}
    found: set[int] = set()
    items: list[Vote | Confirm] = [*all_votes, *all_confirms]
    for item in items:
        key = (item.voter, item.ballot, type(item).__name__)
        if said.setdefault(key, item.name) != item.name:
            found.add(item.voter)
    for at, seat in enumerate(shape.speakers):
        if len({vote.view[at] for vote in all_votes} - {None}) > 1:
            found.add(seat)
    return frozenset(found)


def unfold(
    votes: Sequence[Vote], confirms: Sequence[Confirm]
) -> tuple[frozenset[Vote], frozenset[Confirm]]:
    """Return these votes and confirms and all that are nested in them."""
    all_votes: set[Vote] = set()
    all_confirms: set[Confirm] = set()
    open_votes, open_confirms = list(votes), list(confirms)
    while open_votes or open_confirms:
        if open_votes:
            vote = open_votes.pop()
            if vote not in all_votes:
                all_votes.add(vote)
                open_confirms += [] if vote.lock is None else [vote.lock]
            continue
        confirm = open_confirms.pop()
        if confirm not in all_confirms:
            all_confirms.add(confirm)
            open_votes += confirm.votes
    return frozenset(all_votes), frozenset(all_confirms)


def is_sound_vote(shape: Shape, vote: Vote) -> bool:
    """Whether a vote is one that a seat may sign (V79); all it names was found sound before.

    Not against itself; all contents but perhaps the target's; a lock that is the voter's own and
    of a lower ballot.
    """
    lock = vote.lock
    return (
        vote.voter in shape.seats
        and vote.target in shape.seats
        and vote.opener in shape.voters(vote.target)
        and vote.target != vote.voter
        and 1 <= vote.ballot <= OPENINGS * len(shape.seats)
        and len(vote.view) == len(shape.speakers)
        and all(
            content is not None or seat == vote.target
            for seat, content in zip(shape.speakers, vote.view, strict=True)
        )
        and (lock is None or (lock.voter == vote.voter and lock.ballot < vote.ballot))
    )


def is_sound_confirm(shape: Shape, confirm: Confirm) -> bool:
    """Whether a confirm says what its votes decide (V80); the votes were found sound before."""
    ballot, target = confirm.ballot, confirm.target
    return (
        confirm.voter in shape.voters(target)
        and tuple(vote.voter for vote in confirm.votes) == shape.voters(target)
        and all((vote.ballot, vote.target) == (ballot, target) for vote in confirm.votes)
        and decide(shape, target, confirm.votes).value == confirm.value
    )


def certificate(shape: Shape, confirms: Sequence[Confirm]) -> tuple[Confirm, ...] | None:
    """Return equal confirms of all but the target of one ballot, if they are among these."""
    groups: dict[tuple[int, int, Value], dict[int, Confirm]] = {}
    for confirm in confirms:
        key = (confirm.ballot, confirm.target, confirm.value)
        group = groups.setdefault(key, {})
        group[confirm.voter] = confirm
        if len(group) == len(shape.seats) - 1:
            return tuple(group[voter] for voter in sorted(group))
    return None
