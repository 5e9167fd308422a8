"""One player against several of another on duplicate deals: the same cards, every seat in turn.

A deal is played once for each seat: in turn every seat is taken by the one player, all others by
the other one. What luck deals to a seat it deals to both sides. The deal is the unit that is
counted: its value is the mean over its seats of how many points the one player was better than
the mean of the others, and intervals come from the spread of these values.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from statistics import fmean

from p2p_hearts.rules.cards import Card, CardSet
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.play import PlayState
from p2p_hearts.rules.score import MoonChoice, moon_shooter
from p2p_hearts.rules.view import View
from tests.rules.dealer import Chooser, at_hand, play_hand, play_match
from tools.ladder.figures import interval


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
    by_moons: float
    """What the one player's moons are of ``better``."""
    by_moons_of_others: float
    heavy: int
    """Hands without a moon in which the one player took more than half of all penalty points."""
    heavy_of_others: int
    """The same of each of the others, added up."""

    @property
    def quiet(self) -> float:
        """What hands without a moon are of ``better``."""
        return self.better - self.by_moons - self.by_moons_of_others


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

    @property
    def parts(self) -> str:
        """Where the difference comes from: moons made, moons suffered, and all other hands."""
        own = interval([deal.by_moons for deal in self.deals])
        theirs = interval([deal.by_moons_of_others for deal in self.deals])
        quiet = interval([deal.quiet for deal in self.deals])
        hands = len(self.deals) * self.seats
        heavy = sum(deal.heavy for deal in self.deals) / hands
        others = sum(deal.heavy_of_others for deal in self.deals) / hands / (self.seats - 1)
        return (
            f"of that by own moons {own.mean:+.2f} ± {own.half:.2f}, by moons of the others "
            f"{theirs.mean:+.2f} ± {theirs.half:.2f}, by hands without one {quiet.mean:+.2f} ± "
            f"{quiet.half:.2f}; more than half of the points, but no moon: {heavy:.1%} of the "
            f"hands, each of the others {others:.1%}"
        )


def duplicate(rules: RuleSet, one: Chooser, other: Chooser, seeds: Iterable[int]) -> Iterator[Deal]:
    """Play the deals of ``seeds``, each once for every seat.

    Hand numbers go round the pass cycle; every hand is the first one of its match.
    """
    for seed in seeds:
        match = at_hand(rules, 1 + seed % rules.seats)
        hands = []
        for seat in range(rules.seats):
            players = [one if s == seat else other for s in range(rules.seats)]
            hand, after = play_hand(match, seed % rules.seats, players, random.Random(seed))
            play: PlayState | None = hand.play
            shooter = None if play is None else moon_shooter(rules, play.taken)
            hands.append(_Played(seat, after.hands[-1], shooter))
        half = rules.total_penalty / 2
        yield Deal(
            seed,
            fmean(hand.better for hand in hands),
            fmean(hand.own for hand in hands),
            sum(hand.shot for hand in hands),
            sum(hand.suffered for hand in hands),
            fmean(hand.better * hand.shot for hand in hands),
            fmean(hand.better * hand.suffered for hand in hands),
            sum(hand.own > half for hand in hands if hand.shooter is None),
            sum(p > half for hand in hands if hand.shooter is None for p in hand.theirs),
        )


@dataclass(frozen=True)
class _Played:
    """One hand, as the one player's seat has it."""

    seat: int
    scores: tuple[int, ...]
    shooter: int | None

    @property
    def own(self) -> int:
        return self.scores[self.seat]

    @property
    def theirs(self) -> tuple[int, ...]:
        return self.scores[: self.seat] + self.scores[self.seat + 1 :]

    @property
    def better(self) -> float:
        return fmean(self.theirs) - self.own

    @property
    def shot(self) -> bool:
        return self.shooter == self.seat

    @property
    def suffered(self) -> bool:
        return self.shooter not in (None, self.seat)


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
