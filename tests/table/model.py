"""An explicit-state model of one round that somebody may spoil, over the table's own rules.

The rules are not written down here: every step asks the functions of ``agreement.absence``, by
their names in that module or ``table.voting``, so a test that replaces one explores what happens
without it.

What is modelled. Seats sign acks, votes and confirms, and what is signed is there for good: a seat
that crashes comes back with it, or acts no more, which is one of the interleavings. The network may
delay, lose, repeat and reorder: a seat may act on *any* of what was sent, so a state is just what
was signed, and a message counts as delivered at the moment in which somebody acts on it. One seat
may be a liar. It needs no state either: whenever somebody acts on a message of the liar's, that is
any message that it could sign then, another one for everybody.

Not modelled: time (any seat may vote at any moment), forged signatures, votes that are not sound
(they prove their signer's fault, and nobody acts on them).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product

from p2p_hearts.agreement import absence
from p2p_hearts.agreement.absence import Confirm, Own, Shape, Value, Vote
from p2p_hearts.table import voting
from p2p_hearts.table.voting import Item, Sight

State = tuple[Own, ...]
"""Of the honest seats, in seat order; whether the slow one has spoken shows in ``SPOKEN``."""

CLOCKS: tuple[tuple[Item, ...], ...] = (
    (),
    (Item.MESSAGE, Item.ACK, Item.CONFIRM),
    (Item.MESSAGE, Item.ACK, Item.CONFIRM, Item.VOTE),
)
"""What has been owed for too long, the longer nothing happens (``table.patience``)."""


@dataclass(frozen=True)
class Scenario:
    """One round: who sits, who speaks, who is slow, who lies, which ballots there may be."""

    seats: int
    speakers: tuple[int, ...]
    slow: int | None = None
    """An honest speaker that has not spoken at first; it may at any moment, or never."""
    liar: int | None = None
    ballots: tuple[tuple[int, ...], ...] = ((0,),)
    """The targets of each ballot that is explored."""
    ordered: bool = False
    """Nobody votes in a ballot before an honest seat voted in the one before, as at a table."""
    runs_ahead: bool = False
    """The round is a shuffle: the next one may be followed before it has a certificate."""

    @property
    def shape(self) -> Shape:
        return Shape(tuple(range(self.seats)), self.speakers, self.runs_ahead)

    @property
    def honest(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(self.seats) if seat != self.liar)


class CounterexampleError(AssertionError):
    """A state that must not be reachable, and the steps that reach it."""


@dataclass
class Model:
    """Explores a scenario."""

    scenario: Scenario
    closes_by: Callable[[Model, bool, State], set[Value]] | None = None
    """How rounds close, where it is not by certificates."""
    names: dict[object, bytes] = field(default_factory=dict)
    decisions: dict[object, absence.Decision] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.shape = self.scenario.shape
        self.ballots = len(self.scenario.ballots)

    # The contents that are there.

    def contents(self, spoken: bool, seat: int) -> tuple[bytes, ...]:
        """What a speaker has said by now: nothing, one content, or a liar's two."""
        if seat == self.scenario.liar:
            return (b"%d a" % seat, b"%d b" % seat)
        if seat == self.scenario.slow and not spoken:
            return ()
        return (b"%d" % seat,)

    def firsts(self, spoken: bool, own: Own) -> Iterator[Value]:
        """Every row of first contents that a seat may hold, given what it said it holds."""
        fixed: list[bytes | None] = [None] * len(self.shape.speakers)
        said = [vote.view for vote in own.votes] + ([own.acked] if own.acked else [])
        for view in said:
            for at, content in enumerate(view):
                fixed[at] = fixed[at] or content
        options: list[tuple[bytes | None, ...]] = []
        for at, seat in enumerate(self.shape.speakers):
            if fixed[at] is not None:
                options.append((fixed[at],))
            elif seat == own.seat:
                options.append(self.contents(spoken, seat) or (None,))
            else:
                options.append((None, *self.contents(spoken, seat)))
        yield from product(*options)

    # Signed things, one object for each.

    def vote(
        self,
        voter: int,
        ballot: int,
        target: int,
        view: Value,
        lock: Confirm | None,
        opener: int | None = None,
    ) -> Vote:
        opener = voter if opener is None else opener
        # Who opened a ballot matters to who votes when, and not to what votes decide.
        key = (voter, ballot, target, view, None if lock is None else lock.name)
        name = self.names.setdefault(key, b"v%d" % len(self.names))
        return Vote(name, voter, ballot, target, opener, view, lock)

    def opener(self, state: State, ballot: int, target: int) -> int | None:
        """Who opened a ballot against a target, if an honest seat votes in it already."""
        for own in state:
            for vote in own.votes:
                if (vote.ballot, vote.target) == (ballot, target):
                    return vote.opener
        return None

    def confirm(self, voter: int, target: int, value: Value, votes: tuple[Vote, ...]) -> Confirm:
        key = (voter, value, tuple(vote.name for vote in votes))
        name = self.names.setdefault(key, b"c%d" % len(self.names))
        return Confirm(name, voter, votes[0].ballot, target, value, votes)

    def decide(self, target: int, votes: tuple[Vote, ...]) -> absence.Decision:
        if votes not in self.decisions:
            self.decisions[votes] = absence.decide(self.shape, target, votes)
        return self.decisions[votes]

    # What a liar may say.

    def liar_votes(self, spoken: bool, state: State, ballot: int, target: int) -> list[Vote]:
        """Every sound vote that the liar could sign for this ballot now."""
        liar = self.scenario.liar
        if liar is None or target == liar:
            return []
        views = product(
            *[
                (*self.contents(spoken, seat), None)
                if seat == target
                else self.contents(spoken, seat)
                for seat in self.shape.speakers
            ]
        )
        locks: list[Confirm | None] = [None]
        for lower in range(1, ballot):
            for other in self.scenario.ballots[lower - 1]:
                for votes in self.vote_sets(spoken, state, lower, other):
                    value = self.decide(other, votes).value
                    if value is not None and other != liar:
                        locks.append(self.confirm(liar, other, value, votes))
        return [self.vote(liar, ballot, target, view, lock) for view in views for lock in locks]

    def vote_sets(
        self, spoken: bool, state: State, ballot: int, target: int
    ) -> Iterator[tuple[Vote, ...]]:
        """Every set of votes, one of each voter, that somebody could hold of a ballot."""
        choices: list[list[Vote]] = []
        by_seat = dict(zip(self.scenario.honest, state, strict=True))
        for voter in self.shape.voters(target):
            if voter == self.scenario.liar:
                choices.append(self.liar_votes(spoken, state, ballot, target))
                continue
            choices.append(
                [
                    vote
                    for vote in by_seat[voter].votes
                    if (vote.ballot, vote.target) == (ballot, target)
                ]
            )
            if not choices[-1]:
                return
        yield from product(*choices)

    # Steps.

    def steps(self, spoken: bool, state: State) -> Iterator[tuple[str, bool, State]]:
        """Every step of every honest seat: what it is, and the state after it."""
        if self.scenario.slow is not None and not spoken:
            yield f"{self.scenario.slow} speaks", True, state
        for at, own in enumerate(state):
            for what, after in self.steps_of(spoken, state, own):
                yield f"{own.seat} {what}", spoken, (*state[:at], after, *state[at + 1 :])

    def steps_of(self, spoken: bool, state: State, own: Own) -> Iterator[tuple[str, Own]]:
        firsts = list(self.firsts(spoken, own))
        if absence.may_ack(own):
            for first in firsts:
                if None not in first:
                    yield f"acks {first}", Own(own.seat, first, own.votes, own.confirms)
        for ballot, targets in enumerate(self.scenario.ballots, start=1):
            if self.scenario.ordered and not self.is_open(state, ballot):
                break
            for target in targets:
                if not absence.may_vote(self.shape, own, ballot, target):
                    continue
                views = {absence.view_of(self.shape, own, first, target) for first in firsts}
                for view in sorted(views - {None}, key=repr):
                    if view is not None:
                        opener = self.opener(state, ballot, target)
                        vote = self.vote(own.seat, ballot, target, view, own.lock, opener)
                        yield (
                            f"votes {ballot} against {target}: {view}",
                            Own(own.seat, own.acked, (*own.votes, vote), own.confirms),
                        )
                yield from self.confirms_of(spoken, state, own, ballot, target)
        for ballot, targets in enumerate(self.scenario.ballots, start=1):
            for target in targets:
                if not absence.may_vote(self.shape, own, ballot, target):
                    yield from self.confirms_of(spoken, state, own, ballot, target)

    def is_open(self, state: State, ballot: int) -> bool:
        """Whether an honest seat voted in the ballot before."""
        return ballot == 1 or any(vote.ballot == ballot - 1 for own in state for vote in own.votes)

    def confirms_of(
        self, spoken: bool, state: State, own: Own, ballot: int, target: int
    ) -> Iterator[tuple[str, Own]]:
        if target == own.seat or not absence.may_confirm(own, ballot, target):
            return
        seen: set[bytes] = set()
        for votes in self.vote_sets(spoken, state, ballot, target):
            value = self.decide(target, votes).value
            if value is None:
                continue
            confirm = self.confirm(own.seat, target, value, votes)
            if confirm.name not in seen:
                seen.add(confirm.name)
                confirms = (*own.confirms, confirm)
                yield f"confirms {value}", Own(own.seat, own.acked, own.votes, confirms)

    # What must hold.

    def closings(self, spoken: bool, state: State) -> set[Value]:
        """Every value that somebody may hold a certificate for."""
        if self.closes_by is not None:
            return self.closes_by(self, spoken, state)
        found: set[Value] = set()
        acked = {own.acked for own in state}
        if len(acked) == 1 and None not in acked:
            found |= {value for value in acked if value is not None}
        confirms = [confirm for own in state for confirm in own.confirms]
        liar = self.scenario.liar
        if liar is not None:
            confirms += [
                self.confirm(liar, item.target, item.value, item.votes)
                for item in list(confirms)
                if item.target != liar
            ]
        for value in {item.value for item in confirms}:
            ours = [item for item in confirms if item.value == value]
            if absence.certificate(self.shape, ours) is not None:
                found.add(value)
        return found

    def check(self, spoken: bool, state: State) -> None:
        """Raise for two certificates of different values, and for an honest seat convicted."""
        closings = self.closings(spoken, state)
        if len(closings) > 1:
            raise CounterexampleError(f"two closings: {sorted(closings, key=repr)}")
        for own in state:
            convicted = absence.two_faced(self.shape, own.votes, own.confirms)
            if convicted - {self.scenario.liar}:
                raise CounterexampleError(f"an honest seat is convicted: {sorted(convicted)}")

    def explore(
        self, limit: int = 10**9, visit: Callable[[bool, State], None] | None = None
    ) -> tuple[int, bool]:
        """Visit states breadth first; return how many, and whether those are all.

        ``CounterexampleError`` with the steps, if a state breaks a promise.
        """
        start: State = tuple(Own(seat) for seat in self.scenario.honest)
        first = (False, start)
        before: dict[tuple[bool, State], tuple[tuple[bool, State], str] | None] = {first: None}
        queue = [first]
        for node in queue:
            try:
                self.check(*node)
            except CounterexampleError as error:
                raise CounterexampleError(
                    f"{error}\n" + "\n".join(self.path(before, node))
                ) from None
            if visit is not None:
                visit(*node)
            if len(before) >= limit:
                continue
            for what, spoken, state in self.steps(*node):
                following = (spoken, state)
                if following not in before:
                    before[following] = (node, what)
                    queue.append(following)
        return len(before), len(before) < limit

    def path(self, before: dict, node: tuple[bool, State]) -> list[str]:  # type: ignore[type-arg]
        """The steps that led to a state."""
        steps: list[str] = []
        link = before[node]
        while link is not None:
            steps.append(link[1])
            link = before[link[0]]
        return list(reversed(steps))

    # Liveness: from any state the honest seats that are up close the round.

    def close_without(
        self, down: int | None, spoken: bool, state: State, *, at_once: bool = False
    ) -> Value:
        """Let everybody but ``down`` go on, with all delivered; return what the round closes with.

        Time passes where nobody can do anything without it: then everybody's clock runs out for
        what ``voting.owed`` names, one after the other or ``at_once``; for votes it runs longer.
        ``CounterexampleError`` if the seats wait for each other instead.
        """
        owns = dict(zip(self.scenario.honest, state, strict=True))
        if self.scenario.slow not in (None, down):
            spoken = True
        firsts = {own.seat: self.delivered(spoken, own) for own in state}
        clock = 0
        while clock < len(CLOCKS):
            before = dict(owns)
            late = {
                seat: {
                    other
                    for other, what in voting.owed(self.sight(owns, seat, firsts[seat]))
                    if what in CLOCKS[clock]
                }
                for seat in owns
            }
            for seat in [seat for seat in owns if seat != down]:
                seen = before if clock and at_once else owns
                sight = self.sight(seen, seat, firsts[seat])
                still = {other for other, _ in voting.owed(sight)}
                owns[seat] = self.go_on(sight, late[seat] & still)
            closed = self.closed(owns, down)
            if closed is not None:
                return closed
            clock = clock + 1 if owns == before else 0
        waits = {
            seat: voting.owed(self.sight(owns, seat, firsts[seat])) for seat in owns if seat != down
        }
        raise CounterexampleError(f"with {down} down everybody waits: {waits}\n{owns}")

    def delivered(self, spoken: bool, own: Own) -> Value:
        """One row of first contents, once all was delivered; a liar's two reach half each."""
        rows = list(self.firsts(spoken, own))
        full = [row for row in rows if None not in row]
        return full[own.seat % len(full)] if full else rows[-1]

    def sight(self, owns: dict[int, Own], seat: int, first: Value) -> Sight:
        votes, confirms = absence.unfold(
            [vote for own in owns.values() for vote in own.votes],
            [confirm for own in owns.values() for confirm in own.confirms],
        )
        return Sight(
            self.shape,
            owns[seat],
            first,
            frozenset(other for other, own in owns.items() if own.acked == first),
            tuple(sorted(votes, key=lambda vote: vote.name)),
            tuple(sorted(confirms, key=lambda confirm: confirm.name)),
        )

    def go_on(self, sight: Sight, late: set[int]) -> Own:
        """One step as the table takes it; ``late`` have owed something for too long."""
        own = sight.own
        votes = voting.complete_ballot(sight)
        if votes is not None:
            target = own.votes[-1].target
            value = absence.decide(self.shape, target, votes).value
            if value is not None:
                confirm = self.confirm(own.seat, target, value, votes)
                return Own(own.seat, own.acked, own.votes, (*own.confirms, confirm))
        liars = absence.two_faced(self.shape, sight.votes, sight.confirms)
        # Both contents of a liar are here by now, whichever counts as the first.
        liars |= {seat for seat in self.shape.speakers if len(self.contents(True, seat)) > 1}
        choice = voting.next_vote(sight, (liars | late) - {own.seat})
        if choice is not None:
            ballot, target, opener = choice
            view = absence.view_of(self.shape, own, sight.first, target)
            assert view is not None
            vote = self.vote(own.seat, ballot, target, view, own.lock, opener)
            return Own(own.seat, own.acked, (*own.votes, vote), own.confirms)
        if absence.may_ack(own) and None not in sight.first:
            return Own(own.seat, sight.first, own.votes, own.confirms)
        return own

    def closed(self, owns: dict[int, Own], down: int | None) -> Value | None:
        """The value of the certificate that the seats hold, if there is one."""
        acked = {own.acked for own in owns.values()}
        if len(acked) == 1 and None not in acked and self.scenario.liar is None:
            return next(iter(acked))
        confirms = [confirm for own in owns.values() for confirm in own.confirms]
        found = absence.certificate(self.shape, confirms)
        return None if found is None else found[0].value
