"""Players vanish and return at random around a ballot, and the table never stands still.

Each trial begins where one seat owes something in a round of some kind. That seat is lost for
good, or nobody is. Then peers are killed, cut off or away for a while, one or two at once, the
founder among them, and in the end all are back but the lost one. From there the others must reach
the end of the match by themselves, alike, with nobody accused.
"""

from __future__ import annotations

import random
from functools import lru_cache

import pytest

from p2p_hearts.wire.messages import Kind
from tests.table.liars import CLAIMED
from tests.table.sim import Weather
from tests.table.test_absence import EVERY_ROUND, STORM, finish, is_due, rules_of
from tests.table.test_crash import CrashSim

LOST = 1
"""The place whose turn it is when a trial begins."""

SHORT, LONG = (0.0, 5.0), (1.0, 40.0)
"""Seconds between two interruptions, and seconds that one lasts; the grace is 15."""

KINDS = (*EVERY_ROUND, Kind.CLAIM)


@lru_cache(maxsize=8)
def scene_of(kind: Kind, seats: int) -> CrashSim:
    """A table at which ``LOST`` is to speak in a round of a kind, or the rest was just claimed.

    The same for every trial: each works on a copy.
    """
    has_claim = kind is Kind.CLAIM
    sim = CrashSim(
        rules_of(seats, hands=1),
        dies=lambda *_: False,
        seed=CLAIMED if has_claim else ("interrupted", seats),
        auto_vote=True,
        claims=has_claim,
    )

    def claimed() -> bool:
        last = sim.tables[0].history.rounds[-2:]
        said = [sealed.content.kind for item in last for sealed in item.speeches.values()]
        return Kind.CLAIM in said

    sim.run(claimed if has_claim else is_due(sim, LOST, kind))
    return sim


class Trial:
    """What happens to one table, and the table itself."""

    def __init__(self, number: int) -> None:
        """Everything follows from the number."""
        self._random = random.Random(number)
        kind = KINDS[number % len(KINDS)]
        seats = 4 if kind is Kind.CLAIM else self._random.choice([3, 4, 4, 5])
        self.sim = scene_of(kind, seats).copy()
        self.sim.weather = self._random.choice([Weather(), Weather(), STORM])
        self.story = [f"trial {number}: {kind}, {seats} seats"]
        self.is_lost = self._random.random() < 0.7
        self.places = [place for place in range(seats) if place != LOST or not self.is_lost]

    def run(self) -> None:
        """Let it happen; ``AssertionError`` with the story if the table then stands still."""
        if self.is_lost:
            self.sim.stopped.add(LOST)
            self.story.append("one is lost for good")
        self.sim.wait(self._random.uniform(0.0, 17.0))
        for _ in range(self._random.randint(1, 3)):
            self._interrupt()
            self.sim.wait(self._random.uniform(*SHORT))
        try:
            table = finish(self.sim, self.places, limit=400.0)
        except (TimeoutError, AssertionError) as error:
            raise AssertionError(f"{'; '.join(self.story)}: {error}") from error
        for place in self.places:
            assert self.sim.tables[place].fault is None, self.story
        assert len(table.match.hands) == 1

    def _interrupt(self) -> None:
        """Kill, cut off or send away one or two."""
        who = sorted(self._random.sample(self.places, min(self._random.choice([1, 1, 2]), 2)))
        way = self._random.choice(["killed", "cut off", "away"])
        seconds = 0.0 if way == "killed" else self._random.uniform(*LONG)
        self.story.append(f"{who} {way} at {self.sim.now:.2f} s for {seconds:.2f} s")
        for place in who:
            if way == "cut off":
                self.sim.isolate(place)
            else:
                self.sim.stopped.add(place)
        self.sim.wait(seconds)
        self.sim.cut.clear()
        if way != "cut off":
            for place in who:
                self.sim.start_again(place)


def check(numbers: range) -> None:
    for number in numbers:
        Trial(number).run()


@pytest.mark.parametrize("start", [1, 9])
def test_table__interrupted_around_a_ballot_goes_on(start: int) -> None:
    check(range(start, start + 2))


@pytest.mark.deep
@pytest.mark.parametrize("start", range(100, 700, 50))
def test_table__interrupted_at_random_never_stands_still(start: int) -> None:
    check(range(start, start + 50))
