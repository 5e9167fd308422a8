"""What a seat says next in the ballots of a round (protocol/SPEC.md section 7.4).

The rules stand in ``agreement.absence``; here they become the body of a vote or a confirm.
"""

from __future__ import annotations

from collections.abc import Callable

from p2p_hearts.agreement import absence
from p2p_hearts.table import voting
from p2p_hearts.table.round import Round
from p2p_hearts.wire.messages import Confirm, Kind, Vote


def next_ballot(
    item: Round, me: int, late: frozenset[int], is_agreed: Callable[[int], bool]
) -> tuple[Kind, Vote | Confirm] | None:
    """Return the vote or the confirm that seat ``me`` signs now in a round, if any.

    ``late`` are the seats that have owed something for too long; ``is_agreed`` says of one whether
    the player of this seat has decided to go on without it. A seat that the round proves two-faced
    needs no such decision.
    """
    if not (item.ballots or item.twins or late):
        return None
    sight = item.sight(me)
    votes = voting.complete_ballot(sight)
    if votes is not None:
        ballot, target = votes[0].ballot, votes[0].target
        value = absence.decide(item.shape, target, votes).value
        if value is not None:
            names = [vote.name for vote in votes]
            return Kind.CONFIRM, Confirm(ballot, target, [name or b"" for name in value], names)
    liars = absence.two_faced(item.shape, sight.votes, sight.confirms) | {*item.twins}
    late |= liars
    agreed = frozenset(seat for seat in late if seat in liars or is_agreed(seat))
    if late - agreed - {me} and not sight.votes:
        return None
    choice = voting.next_vote(sight, agreed - {me})
    if choice is None:
        return None
    ballot, target, opener = choice
    view = absence.view_of(item.shape, sight.own, sight.first, target)
    if view is None:
        return None
    lock = b"" if sight.own.lock is None else sight.own.lock.name
    return Kind.VOTE, Vote(ballot, target, opener, [name or b"" for name in view], lock)
