"""When a seat votes, against whom, and whom a round waits for (protocol/SPEC.md section 7.4).

What a vote may say and what votes decide is in ``agreement.absence``, and binds everybody. What is
here a seat decides for itself, from what it sees of a round: with other answers rounds would close
later or not at all, and never otherwise. So the audit asks nothing of it.

Never: judges a card; reads a clock (``silent`` arrives as an argument and only starts a vote).
Errors: none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from p2p_hearts.agreement import absence
from p2p_hearts.agreement.absence import Confirm, Own, Shape, Value, Vote


class Item(StrEnum):
    """What a round waits for from a seat."""

    MESSAGE = "message"
    ACK = "ack"
    VOTE = "vote"
    CONFIRM = "confirm"


@dataclass(frozen=True, slots=True)
class Sight:
    """What one seat sees of a round that is not closed."""

    shape: Shape
    own: Own
    first: Value
    """The first content it holds of each speaker."""
    acks: frozenset[int]
    """Seats whose ack names exactly ``first``."""
    votes: tuple[Vote, ...]
    """All sound votes it holds, its own included."""
    confirms: tuple[Confirm, ...]
    """All sound confirms it holds, its own included."""


def complete_ballot(sight: Sight) -> tuple[Vote, ...] | None:
    """Return the votes that the own seat may confirm now, one of each voter, if all are there.

    The first vote held of each voter counts.
    """
    own, shape = sight.own, sight.shape
    if not own.votes:
        return None
    last = own.votes[-1]
    if not absence.may_confirm(own, last.ballot, last.target):
        return None
    found = _votes_of(sight.votes, last.ballot, last.target)
    voters = shape.voters(last.target)
    return tuple(found[voter] for voter in voters) if set(voters) <= found.keys() else None


def next_vote(sight: Sight, silent: Collection[int]) -> tuple[int, int, int] | None:
    """Return ballot, target and opener of the vote that the own seat gives now, if any.

    ``silent`` are the seats that owe something, or were not heard at all, for longer than the own
    clock waits. A ballot that somebody opened is joined at once where the target's message is here
    or none is due, else when the target is silent here, too; where rounds run ahead of their
    certificates, only then. A next ballot is opened if two
    targets were named, if a seat was proven two-faced, or if another seat than the target is the
    only silent one. While two seats are silent, nothing is opened.
    """
    own = sight.own
    counted = counted_ballots(sight.votes)
    top = len(counted)
    for ballot in range(top, own.ballot, -1):
        for target in sorted({vote.target for vote in counted[ballot - 1]}):
            opener = min(v.voter for v in counted[ballot - 1] if v.target == target)
            if _is_due(sight, target, silent) and _can_vote(sight, ballot, target):
                return ballot, target, opener
    if len({ballot for ballot, votes in enumerate(counted) if own.seat in _openers(votes)}) >= (
        absence.OPENINGS
    ):
        return None
    next_target = _next_target(sight, counted, silent)
    if next_target is None or not _can_vote(sight, top + 1, next_target):
        return None
    return top + 1, next_target, own.seat


def _next_target(
    sight: Sight, counted: Sequence[Sequence[Vote]], silent: Collection[int]
) -> int | None:
    """Return against whom the ballot after the counted ones is to be opened, if anybody."""
    own, last = sight.own, counted[-1] if counted else ()
    only = next(iter(silent)) if len(silent) == 1 else None
    named = sorted({vote.target for vote in last})
    accused = absence.two_faced(sight.shape, sight.votes, sight.confirms) - {own.seat}
    if only is not None:
        return only if _owes(sight, only, last) and not _may_complete(last, only) else None
    if silent or not named:
        return None
    if accused:
        return None if _may_complete(last, min(accused)) else min(accused)
    if any(_may_complete(last, target) for target in named):
        return None
    # In seat order; who is named itself leaves it to the others.
    return None if named[0] == own.seat else named[0]


def _owes(sight: Sight, seat: int, last: Sequence[Vote]) -> bool:
    """Whether a round waits for something of a seat: what a closing needs, or a ballot does."""
    if not last:
        return any(other == seat for other, _ in owed(sight))
    ballot = last[0].ballot
    return not any(
        _may_complete(last, target)
        and any(vote.voter == seat and vote.target == target for vote in last)
        and any(
            (item.voter, item.ballot, item.target) == (seat, ballot, target)
            for item in sight.confirms
        )
        for target in {vote.target for vote in last}
    )


def _may_complete(votes: Sequence[Vote], target: int) -> bool:
    """Whether a ballot against a target was opened and nobody it needs named somebody else."""
    return any(vote.target == target for vote in votes) and all(
        vote.target == target or vote.voter == target for vote in votes
    )


def counted_ballots(votes: Sequence[Vote]) -> list[list[Vote]]:
    """Return the votes that count, ballot by ballot from 1.

    Ballots follow each other without a gap, a vote counts beside the vote of its opener, and each
    seat opens ``OPENINGS`` ballots at most.
    """
    openings: dict[int, int] = {}
    found: list[list[Vote]] = []
    while True:
        ballot = len(found) + 1
        here = [vote for vote in votes if vote.ballot == ballot]
        openers = [
            seat
            for seat in sorted({vote.voter for vote in here if vote.opener == vote.voter})
            if openings.get(seat, 0) < absence.OPENINGS
        ]
        for seat in openers:
            openings[seat] = openings.get(seat, 0) + 1
        counted = [vote for vote in here if vote.opener in openers]
        if not counted:
            return found
        found.append(counted)


def owed(sight: Sight) -> tuple[tuple[int, Item], ...]:
    """Return what the round waits for: seat and item, in seat order.

    Until the own vote the target of a ballot owes what the ballot was opened for, whether it came
    since or not: else others' votes would stop the own clock, and a vote that waits for it would
    never be given.
    """
    shape, counted = sight.shape, counted_ballots(sight.votes)
    silent = [
        (seat, Item.MESSAGE)
        for seat, content in zip(shape.speakers, sight.first, strict=True)
        if content is None
    ]
    if not counted:
        if silent:
            return tuple(silent)
        return tuple((seat, Item.ACK) for seat in shape.seats if seat not in sight.acks)
    ballot, last = len(counted), counted[-1]
    target = _awaited(sight.own, last)
    voted = _votes_of(sight.votes, ballot, target)
    missing = [(seat, Item.VOTE) for seat in shape.voters(target) if seat not in voted]
    to_join = {vote.target for votes in counted[sight.own.ballot :] for vote in votes}
    missing += [
        (seat, Item.ACK if _holds(sight, seat) else Item.MESSAGE)
        for seat in to_join - {sight.own.seat}
    ]
    if missing:
        return tuple(sorted(dict(missing + silent).items()))
    confirmed = {
        item.voter for item in sight.confirms if (item.ballot, item.target) == (ballot, target)
    }
    return tuple((seat, Item.CONFIRM) for seat in shape.voters(target) if seat not in confirmed)


def _awaited(own: Own, last: Sequence[Vote]) -> int:
    """Return whom the last ballot is against as the own seat waits for its end.

    The own target, or else the lowest, of those against whom it can still end: who has named
    somebody else in this ballot can give it no other vote.
    """
    mine = [vote.target for vote in own.votes if vote.ballot == last[0].ballot]
    named = mine + sorted({vote.target for vote in last})
    return next((seat for seat in named if _may_complete(last, seat)), named[0])


def _can_vote(sight: Sight, ballot: int, target: int) -> bool:
    shape, own = sight.shape, sight.own
    if not absence.may_vote(shape, own, ballot, target):
        return False
    return absence.view_of(shape, own, sight.first, target) is not None


def _is_due(sight: Sight, target: int, silent: Collection[int]) -> bool:
    """Whether a ballot that somebody opened is to be joined now."""
    return target in silent or (_holds(sight, target) and not sight.shape.runs_ahead)


def _holds(sight: Sight, target: int) -> bool:
    """Whether nothing that the target had to say is missing here."""
    if target not in sight.shape.speakers:
        return True
    return sight.first[sight.shape.speakers.index(target)] is not None


def _votes_of(votes: Sequence[Vote], ballot: int, target: int) -> dict[int, Vote]:
    found: dict[int, Vote] = {}
    for vote in votes:
        if (vote.ballot, vote.target) == (ballot, target):
            found.setdefault(vote.voter, vote)
    return found


def _openers(votes: Sequence[Vote]) -> Iterator[int]:
    return (vote.voter for vote in votes if vote.opener == vote.voter)
