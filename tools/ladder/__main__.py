"""Players against each other: ``make ladder ARGS="--deals 2000 --pairs hard:normal"``."""

from __future__ import annotations

import argparse
import os
import platform
import time

from p2p_hearts.rules.options import PRESETS, RuleSet
from tools.ladder.contest import Result, Timed, duplicate, interval, matches
from tools.ladder.players import DEFAULT_PLAYOUTS, NAMES, make

PAIRS = "normal:duck,easy:duck,normal:easy,hard:normal,hard:duck,normal:hard"
TOLD_SECONDS = 60.0


def main() -> None:
    """Play every pair and print points a hand, moons and, if asked for, matches."""
    parser = argparse.ArgumentParser(prog="make ladder ARGS=…", description=f"Players: {NAMES}.")
    parser.add_argument("--deals", type=int, default=200, help="deals, each played by every seat")
    parser.add_argument("--matches", type=int, default=0, help="whole matches, from every seat")
    parser.add_argument("--seed", type=int, default=1, help="the first deal")
    parser.add_argument("--pairs", default=PAIRS, help="one:others, by commas")
    parser.add_argument("--playouts", type=int, default=DEFAULT_PLAYOUTS, help="of hard, a card")
    parser.add_argument("--preset", default="black-lady", choices=PRESETS, help="the rules")
    arguments = parser.parse_args()
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    rules = PRESETS[arguments.preset]
    for pair in arguments.pairs.split(","):
        one, others = pair.split(":")
        play(rules, one, others, arguments)


def play(rules: RuleSet, one: str, others: str, arguments: argparse.Namespace) -> None:
    """Play one pair."""
    player, other = (Timed(make(name, rules, arguments.playouts)) for name in (one, others))
    first = arguments.seed
    told = Told(f"{one} against {rules.seats - 1} {others}")
    duplicate(rules, player, other, range(first, first + arguments.deals), told)
    told.print(last=True)
    for name, timed in ((one, player), (others, other)):
        if timed.cards:
            print(
                f"   {name}: {timed.seconds / timed.cards * 1000:.1f} ms CPU a card, pass included"
            )
    if arguments.matches:
        won = matches(rules, player, other, range(first, first + arguments.matches))
        found = interval(won)
        print(
            f"   matches won: {found.mean:.3f} ± {found.half:.3f} (fair is {1 / rules.seats:.3f}), "
            f"{found.number} matches from every seat",
            flush=True,
        )


class Told:
    """Prints how a contest stands, once in a while and at its end."""

    def __init__(self, title: str) -> None:
        self.title, self.result, self.last = title, Result(), time.monotonic()

    def __call__(self, result: Result) -> None:
        """Take note of a result that grows."""
        self.result = result
        if time.monotonic() - self.last > TOLD_SECONDS:
            self.print()

    def print(self, *, last: bool = False) -> None:
        """Print one line."""
        result, self.last = self.result, time.monotonic()
        better, points = interval(result.better), interval(result.points)
        line = (
            f"{self.title}: {better.mean:+.2f} ± {better.half:.2f} points a hand better "
            f"({points.mean:.2f} points), {better.number} deals; moons {result.moons} "
            f"and {result.moons_of_others} of the others in {result.hands} hands"
        )
        print(line if last else f"   so far: {line}", flush=True)


if __name__ == "__main__":
    main()
