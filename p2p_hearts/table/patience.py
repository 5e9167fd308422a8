"""How long a seat is waited for, by the own clock (protocol/SPEC.md section 7.4).

Time decides nothing by itself: it only says when this seat may vote to go on without another one.

Never: reads a clock; the time arrives as an argument, in seconds on any monotonic clock.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from p2p_hearts.agreement.rounds import stage_of
from p2p_hearts.table import voting
from p2p_hearts.table.round import Round
from p2p_hearts.table.voting import Item
from p2p_hearts.wire.chain import Place

LATE_SECONDS = 5.0
"""How long a seat is waited for that was away before and has not been heard since."""

GRACES = 3
"""So often a seat may use up its grace in one hand; then it is waited for as one that was away."""

HEARD_SECONDS = 6.0
"""A peer whose heartbeat is younger than this is there: its player may be thinking."""

ASLEEP_SECONDS = 3.0
"""After a longer pause of the own clock nobody is held to be late: it was this program's sleep."""

OF_A_BALLOT = (Item.VOTE, Item.CONFIRM)
"""What is owed anew in each ballot of a round."""


@dataclass(frozen=True, slots=True)
class Owed:
    """One thing that a seat owes: the clock runs for each by itself."""

    place: Place
    item: Item
    ballot: int


class Patience:
    """Since when each seat has owed the open round something, and who has done so for too long."""

    def __init__(self, grace: float, clock: float = 0.0) -> None:
        """Measure by two rules of the table, in seconds.

        ``grace``: how long a silent seat is waited for. ``clock``: how long a player who is there
        has for a decision before its own program decides; 0 for no limit.
        """
        self._grace = grace
        self._clock = clock
        self._now = 0.0
        self._owed_since: dict[tuple[int, Owed], float] = {}
        """Seat, and what it owes."""
        self._heard: dict[int, float] = {}
        """By place, when its last frame came."""
        self._gone: dict[int, float] = {}
        """Seats that a ballot was against, and when."""
        self._late: dict[Place, frozenset[int]] = {}
        self._slow: dict[Place, frozenset[int]] = {}
        self._spent: dict[int, set[Owed]] = {}
        """By seat, with what it has used up its grace in this hand."""
        self._hand = 0

    def tick(self, now: float) -> None:
        """Note the time."""
        asleep, self._now = now - self._now > ASLEEP_SECONDS, now
        if asleep:
            self._owed_since.clear()

    def hear(self, place: int) -> None:
        """Note that a frame came from the peer at this place."""
        self._heard[place] = self._now

    def note_gone(self, seats: Iterable[int]) -> None:
        """Note that ballots were against these seats."""
        for seat in seats:
            self._gone.setdefault(seat, self._now)

    def late(self, item: Round) -> frozenset[int]:
        """Return who had owed this round something for too long at the last ``measure``."""
        return self._late.get(item.place, frozenset())

    def slow(self, item: Round) -> frozenset[int]:
        """Return whose player is there and had been deciding for longer than the grace.

        No program holds that against anybody by itself; the other players may.
        """
        return self._slow.get(item.place, frozenset())

    def forget(self) -> None:
        """Hold nobody to be late: there is no round that could be closed without a seat."""
        self._owed_since.clear()
        self._late = {}
        self._slow = {}

    def measure(self, item: Round, me: int, places: dict[int, int], liars: Collection[int]) -> None:
        """Measure who has owed the open round something, and for how long.

        ``me`` is the own seat in it; ``places`` is every seat's place in the roster; ``liars``
        are seats that are proven to be: they are not waited for.
        """
        sight = item.sight(me)
        ballot = len(voting.counted_ballots(sight.votes))
        known = {
            (seat, Owed(item.place, what, ballot if what in OF_A_BALLOT else 0))
            for seat, what in voting.owed(sight)
        }
        self._owed_since = {key: since for key, since in self._owed_since.items() if key in known}
        late, slow = set[int](), set[int]()
        if item.place.hand != self._hand:
            self._hand, self._spent = item.place.hand, {}
        for key in known:
            since = self._owed_since.setdefault(key, self._now)
            seat, what = key
            wait = 0.0 if seat in liars else self._wait(item, seat, what, places[seat])
            if seat == me:
                continue
            if wait == float("inf") and self._now - since >= self._grace:
                slow.add(seat)
            if self._now - since >= wait:
                late.add(seat)
                if seat not in liars:
                    self._spent.setdefault(seat, set()).add(what)
        self._late = {item.place: frozenset(late)}
        self._slow = {item.place: frozenset(slow)}

    def _wait(self, item: Round, seat: int, owed: Owed, place: int) -> float:
        """How long a seat is waited for: while its player is there and decides, without end.

        Or, at a table with a clock, for the grace after its own program should have decided.
        """
        heard = self._heard.get(place, -HEARD_SECONDS)
        is_there = self._now - heard < HEARD_SECONDS
        decides = stage_of(item.kind).decided and owed.item is Item.MESSAGE
        if is_there and decides:
            return self._clock + self._grace if self._clock else float("inf")
        # Who is to vote may have begun to wait for the target when it saw the ballot.
        times = 2.0 if owed.item is Item.VOTE else 1.0
        return times * self._silence(seat, owed, heard)

    def _silence(self, seat: int, owed: Owed, heard: float) -> float:
        """How long a seat may be silent, by what it has done in this hand."""
        if seat in self._gone:
            if heard <= self._gone[seat]:
                return LATE_SECONDS
            del self._gone[seat]
        if len(self._spent.get(seat, set()) - {owed}) >= GRACES:
            return min(LATE_SECONDS, self._grace)
        return self._grace
