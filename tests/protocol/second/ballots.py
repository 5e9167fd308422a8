"""The votes and confirms of one round: going on without a seat that is missing (7.4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from protocol import verify
from protocol.verify import Confirm, Value, Vote

Said = tuple[str, Value]
"""Kind and body of what is to be signed."""


class Ballots:
    """Of one round: `seats` take part, `speakers` speak, `me` is the own seat."""

    def __init__(self, seats: Sequence[int], speakers: Sequence[int], me: int) -> None:
        self.seats, self.speakers, self.me = seats, speakers, me
        self.votes: dict[bytes, Vote] = {}
        self.confirms: dict[bytes, Confirm] = {}

    def take(
        self, kind: str, name: bytes, seat: int, body: Mapping[str, Any], is_held: Mapping[int, Any]
    ) -> bool | None:
        """Count a vote or confirm: whether it is sound (V77 to V80), None while it names
        something that is not held.

        `is_held` are the speeches by seat.
        """
        head = (name, seat, body["ballot"], body["target"])
        if kind == "vote":
            if len(body["view"]) != len(self.speakers):
                return False
            named = zip(self.speakers, body["view"], strict=True)
            if any(each and is_held.get(speaker) != each for speaker, each in named):
                return None
            lock = self.confirms.get(body["lock"])
            if body["lock"] and lock is None:
                return None
            vote = Vote(*head, body["opener"], tuple(body["view"]), lock)
            self.votes[name] = vote
            return verify.sound_vote(vote, self.seats, self.speakers)
        if any(vote not in self.votes for vote in body["votes"]):
            return None
        votes = tuple(self.votes[vote] for vote in body["votes"])
        confirm = Confirm(*head, tuple(body["value"]), votes)
        self.confirms[name] = confirm
        return verify.sound_confirm(confirm, self.seats, self.speakers)

    def latest(self, found: Mapping[bytes, Vote | Confirm]) -> Any:
        """The own vote, or confirm, of the highest ballot."""
        own = [item for item in found.values() if item.voter == self.me]
        return max(own, key=lambda item: item.ballot, default=None)

    def due(self, view: Mapping[int, bytes], is_late: Callable[[int], bool]) -> Said | None:
        """What this seat signs next: it joins a ballot against a seat that is late for it, too,
        and confirms what the ballot that it voted in decides.

        `view` are the hashes of what it acknowledged, else holds, by speaker.
        """
        mine, confirmed = self.latest(self.votes), self.latest(self.confirms)
        if mine is not None and (confirmed is None or confirmed.ballot < mine.ballot):
            votes = self.of(mine.ballot, mine.target)
            value = verify.decided(mine.target, votes, self.speakers)
            if len(votes) == len(self.seats) - 1 and value is not None:
                named = [vote.name for vote in votes]
                about = {"ballot": mine.ballot, "target": mine.target}
                return "confirm", {**about, "value": list(value), "votes": named}
        last = 0 if mine is None else mine.ballot
        for vote in self.votes.values():
            target = vote.target
            needed = [seat for seat in self.speakers if seat != target]
            has_all = all(seat in view for seat in needed)
            if vote.ballot > last and target != self.me and has_all and is_late(target):
                about = {"ballot": vote.ballot, "target": target, "opener": vote.opener}
                seen = [view.get(seat, b"") for seat in self.speakers]
                lock = b"" if confirmed is None else confirmed.name
                return "vote", {**about, "view": seen, "lock": lock}
        return None

    def of(self, ballot: int, target: int) -> list[Vote]:
        """The votes of a ballot against a seat, one of each seat, in seat order."""
        found = {
            vote.voter: vote
            for vote in self.votes.values()
            if (vote.ballot, vote.target) == (ballot, target)
        }
        return [found[seat] for seat in sorted(found)]

    def closed(self) -> tuple[bytes, ...] | None:
        """The value by which equal confirms of all seats but the target close the round."""
        by: dict[tuple[int, int, tuple[bytes, ...]], set[int]] = {}
        for confirm in self.confirms.values():
            key = confirm.ballot, confirm.target, confirm.value
            by.setdefault(key, set()).add(confirm.voter)
        for (_, target, value), voters in by.items():
            if voters == set(self.seats) - {target}:
                return value
        return None
