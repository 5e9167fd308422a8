"""Players against each other: ``make ladder ARGS="--deals 2000 --pairs hard:normal"``."""

from __future__ import annotations

import argparse
import os
import platform
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path

from p2p_hearts.rules.options import PRESETS, Moon
from tools.ladder.contest import Deal, Result, Timed, duplicate, matches
from tools.ladder.figures import interval, paired
from tools.ladder.kept import Kept, Line, kept_name
from tools.ladder.moons import THREAT, Moons, Played, Trying, self_play
from tools.ladder.players import DEFAULT_PLAYOUTS, IDEAS, NAMES, make
from tools.ladder.quick import quick

PAIRS = "normal:duck,easy:duck,normal:easy,hard:normal,hard:duck,normal:hard"
ABLATED, AGAINST = "hard", "normal"
"""Whose ideas are left out in turn, and who plays against both."""
OF_MATCHES = ("match_score",)
"""Ideas that a hand tells nothing of: they are compared by whole matches."""
TOLD_SECONDS = 60.0


def main(args: Sequence[str] | None = None) -> None:
    """Play what is asked for and print it; a folder given by ``--keep`` is filled on the way."""
    parser = argparse.ArgumentParser(
        prog="make ladder ARGS=…",
        description=f"Players: {NAMES}.",
        epilog=f"Without --pairs, --moons and --ablate these pairs are played: {PAIRS}.",
    )
    parser.add_argument("--deals", type=int, default=200, help="deals, each played by every seat")
    parser.add_argument("--matches", type=int, default=0, help="whole matches, from every seat")
    parser.add_argument("--seed", type=int, default=1, help="the first deal")
    parser.add_argument("--pairs", type=_names, default=[], help="one:others, by commas")
    parser.add_argument(
        "--moons",
        type=_names,
        default=[],
        help="players by commas, each against itself, a hand a deal: moons made, and threats "
        "stopped. A threat: one seat alone has taken all penalty cards taken so far, and they are "
        "at least --threat of all penalty points. It is stopped if somebody else takes one then. "
        "Of hard also the tries that it begins knowingly: at its first choice that its search "
        "played out as a try to shoot the moon",
    )
    parser.add_argument(
        "--threat",
        type=float,
        default=THREAT,
        metavar="PART",
        help="which part of all penalty points makes a threat (%(default).3f)",
    )
    parser.add_argument(
        "--ablate",
        type=_names,
        default=[],
        help=f"ideas by commas: {ABLATED} and {ABLATED}-IDEA, each against three {AGAINST} in the "
        "same deals, and the mean difference between both, deal by deal; "
        f"{' and '.join(OF_MATCHES)} in --matches instead of --deals",
    )
    parser.add_argument("--playouts", type=int, default=DEFAULT_PLAYOUTS, help="of hard, a card")
    parser.add_argument("--preset", default="black-lady", choices=PRESETS, help="the rules")
    parser.add_argument("--arrays", action="store_true", help="simulate as at a table, slowly")
    parser.add_argument("--keep", type=Path, help="folder of finished deals, played once only")
    arguments = parser.parse_args(args)
    unknown = set(arguments.ablate) - set(IDEAS)
    if unknown:
        parser.error(f"no such idea: {', '.join(sorted(unknown))}; they are {', '.join(IDEAS)}")
    if not arguments.matches and set(arguments.ablate) & set(OF_MATCHES):
        parser.error(f"{' and '.join(OF_MATCHES)} changes matches only: give --matches, too")
    if arguments.moons and PRESETS[arguments.preset].moon is Moon.OFF:
        parser.error(f"{arguments.preset} is played without the moon")
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    try:
        engine = nullcontext() if arguments.arrays else quick()
    except RuntimeError as error:
        parser.error(str(error))
    with engine:
        ladder = Ladder(arguments)
        for name in arguments.moons:
            ladder.moons(name)
        for idea in arguments.ablate:
            ladder.ablate(idea)
        given = arguments.pairs or arguments.moons or arguments.ablate
        for pair in arguments.pairs if given else _names(PAIRS):
            ladder.pair(*pair.split(":"))


def _names(text: str) -> list[str]:
    return text.split(",")


class Ladder:
    """Plays what is not kept yet, and prints what it brought."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self._rules = PRESETS[arguments.preset]
        self._preset, self._playouts = arguments.preset, arguments.playouts
        self._folder, self._threat = arguments.keep, arguments.threat
        first = arguments.seed
        self._deals = range(first, first + arguments.deals)
        self._matches = range(first, first + arguments.matches)

    def pair(self, one: str, others: str) -> None:
        """Play and print a contest in deals and, if asked for, in matches."""
        title = f"{one} against {self._rules.seats - 1} {others}"
        if self._deals:
            result = Result(self._rules.seats, self._contest(one, others))
            print(f"{title}: {result}", flush=True)
            print(f"   {result.parts}", flush=True)
        if self._matches:
            won = interval([*self._won(one, others).values()])
            print(
                f"   {title}: matches won: {won.mean:.3f} ± {won.half:.3f} (fair is "
                f"{1 / self._rules.seats:.3f}), {won.number} matches from every seat",
                flush=True,
            )

    def moons(self, name: str) -> None:
        """Play and print a player against itself, and its moons."""
        player = make(name, self._rules, self._playouts, Trying)
        kept = self._kept(name, "moons")

        def result() -> Moons:
            hands = [Played(**line) for line in kept.of(self._deals)]  # type: ignore[arg-type]
            return Moons(self._rules, hands, isinstance(player, Trying), self._threat)

        title = f"{self._rules.seats} {name}"
        hands = self_play(self._rules, player, kept.missing(self._deals))
        _play(kept, map(asdict, hands), lambda: f"{title}: {result()}")
        print(f"{title}, {len(self._deals):,} hands:\n   {result()}", flush=True)

    def ablate(self, idea: str) -> None:
        """Play and print what an idea is worth to ``ABLATED``."""
        without = f"{ABLATED}-{idea}"
        title = f"{ABLATED} is better than {without} against {self._rules.seats - 1} {AGAINST}"
        if idea in OF_MATCHES:
            found = paired(self._won(ABLATED, AGAINST), self._won(without, AGAINST))
            print(
                f"{title} by {found.mean:+.3f} ± {found.half:.3f} matches won of each played, "
                f"{found.number} pairs of matches from every seat",
                flush=True,
            )
            return
        whole, less = (
            {deal.seed: deal.better for deal in self._contest(name, AGAINST)}
            for name in (ABLATED, without)
        )
        found = paired(whole, less)
        print(
            f"{title} by {found.mean:+.2f} ± {found.half:.2f} points a hand, "
            f"{found.number} pairs of deals",
            flush=True,
        )

    def _contest(self, one: str, others: str) -> list[Deal]:
        """Return the deals of a contest."""
        player, other = (Timed(make(name, self._rules, self._playouts)) for name in (one, others))
        kept = self._kept(one, others)

        def deals() -> list[Deal]:
            return [Deal(**line) for line in kept.of(self._deals)]  # type: ignore[arg-type]

        title = f"{one} against {self._rules.seats - 1} {others}"
        played = duplicate(self._rules, player, other, kept.missing(self._deals))
        _play(kept, map(asdict, played), lambda: f"{title}: {Result(self._rules.seats, deals())}")
        for who, timed in ((one, player), (others, other)):
            if timed.cards:
                print(
                    f"   {who}: {timed.seconds / timed.cards * 1000:.1f} ms CPU a card, with passes"
                )
        return deals()

    def _won(self, one: str, others: str) -> Mapping[int, float]:
        """Return by seed the share of whole matches that the one player won."""
        player, other = (make(name, self._rules, self._playouts) for name in (one, others))
        kept = self._kept(one, others, "-matches")
        todo = kept.missing(self._matches)
        lines = (
            {"seed": seed, "share": share}
            for seed, share in matches(self._rules, player, other, todo)
        )
        _play(kept, lines, lambda: f"{one}: {len([*kept.of(self._matches)])} matches")
        return {seed: kept.found[seed]["share"] for seed in self._matches}

    def _kept(self, one: str, others: str, what: str = "") -> Kept:
        name = kept_name(self._preset, one, others, self._playouts)
        return Kept(self._folder, f"{name}{what}")


def _play(kept: Kept, lines: Iterable[Line], so_far: Callable[[], str]) -> None:
    """Keep what is played, telling now and then how it stands, and at last what it cost."""
    told, number, begun = time.monotonic(), 0, time.process_time()
    for line in lines:
        kept.add(line)
        number += 1
        if time.monotonic() - told > TOLD_SECONDS:
            told = time.monotonic()
            print(f"   so far: {so_far()}", flush=True)
    if number:
        seconds = (time.process_time() - begun) / number
        print(f"   {number} played now, {seconds:.2f} s CPU each", flush=True)


if __name__ == "__main__":
    main()
