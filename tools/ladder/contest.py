"""One player against several of another on duplicate deals: the same cards, every seat in turn.

A deal is played once for each seat: in turn every seat is taken by the one player, all others by
the other one. What luck deals to a seat it deals to both sides. The deal is the unit that is
counted: its value is the mean over its seats of how many points the one player was better than
the mean of the others, and intervals come from the spread of these values.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from statistics import fmean, stdev

from p2p_hearts.rules.cards import Card, CardSet
from p2p_hearts.rules.match import Match, new_match
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.play import PlayState
from p2p_hearts.rules.score import MoonChoice, moon_shooter
from p2p_hearts.rules.view import View
from tests.rules.dealer import Chooser, play_hand, play_match

Z = 1.96
"""Standard errors to either side of a 95 % interval."""


@dataclass(frozen=True)
class Interval:
    """A mean and the half width of its 95 % interval."""

    mean: float
    half: float
    number: int

    def __str__(self) -> str:
        return f"{self.mean:+.2f} ± {self.half:.2f} (n = {self.number})"


def interval(values: Sequence[float]) -> Interval:
    """Return the mean of independent values with its 95 % interval."""
    half = Z * stdev(values) / sqrt(len(values)) if len(values) > 1 else float("inf")
    return Interval(fmean(values), half, len(values))


class Timed:
    """A player whose CPU time and decisions are counted."""

    def __init__(self, player: Chooser) -> None:
        self.player = player
        self.seconds = 0.0
        self.cards = self.passes = 0

    def choose_pass(self, view: View) -> CardSet:
        """Count and ask."""
        start = time.process_time()
        chosen = self.player.choose_pass(view)
        self.seconds += time.process_time() - start
        self.passes += 1
        return chosen

    def choose_card(self, view: View) -> Card:
        """Count and ask."""
        start = time.process_time()
        card = self.player.choose_card(view)
        self.seconds += time.process_time() - start
        self.cards += 1
        return card

    def choose_moon(self, view: View) -> MoonChoice:
        """Ask."""
        return self.player.choose_moon(view)


@dataclass(frozen=True)
class Deal:
    """What one deal brought, played once from each seat."""

    seed: int
    better: float
    """Points that the others' mean is above the one player's."""
    points: float
    """Points of the one player."""
    moons: int
    """Moons of the one player."""
    moons_of_others: int


@dataclass
class Result:
    """What a contest brought."""

    seats: int
    deals: list[Deal] = field(default_factory=list)

    def __str__(self) -> str:
        better = interval([deal.better for deal in self.deals])
        points = interval([deal.points for deal in self.deals])
        moons = sum(deal.moons for deal in self.deals)
        others = sum(deal.moons_of_others for deal in self.deals)
        return (
            f"{better.mean:+.2f} ± {better.half:.2f} points a hand better "
            f"({points.mean:.2f} points), {better.number} deals; moons {moons} "
            f"and {others} of the others in {len(self.deals) * self.seats} hands"
        )


def duplicate(rules: RuleSet, one: Chooser, other: Chooser, seeds: Iterable[int]) -> Iterator[Deal]:
    """Play the deals of ``seeds``, each once for every seat.

    Hand numbers go round the pass cycle; every hand is the first one of its match.
    """
    for seed in seeds:
        match = at_hand(rules, 1 + seed % rules.seats)
        better, points, moons, moons_of_others = [], [], 0, 0
        for seat in range(rules.seats):
            players = [one if s == seat else other for s in range(rules.seats)]
            hand, after = play_hand(match, seed % rules.seats, players, random.Random(seed))
            scores = after.hands[-1]
            others = (sum(scores) - scores[seat]) / (rules.seats - 1)
            better.append(others - scores[seat])
            points.append(float(scores[seat]))
            play: PlayState | None = hand.play
            shooter = None if play is None else moon_shooter(rules, play.taken)
            moons += shooter == seat
            moons_of_others += shooter not in (None, seat)
        yield Deal(seed, fmean(better), fmean(points), moons, moons_of_others)


def at_hand(rules: RuleSet, number: int) -> Match:
    """Return a match in which hand ``number`` comes next, with all totals at zero."""
    match = new_match(replace(rules, hands=0))
    return replace(match, hands=(match.totals,) * (number - 1))


def matches(
    rules: RuleSet, one: Chooser, other: Chooser, seeds: Iterable[int]
) -> Iterator[tuple[int, float]]:
    """Yield by seed the part of whole matches that the one player wins, from every seat."""
    for seed in seeds:
        shares = []
        for seat in range(rules.seats):
            players = [one if s == seat else other for s in range(rules.seats)]
            winners = play_match(rules, players, random.Random(seed)).winners
            shares.append((seat in winners) / len(winners))
        yield seed, fmean(shares)
