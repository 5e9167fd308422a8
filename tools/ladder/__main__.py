"""Players against each other: ``make ladder ARGS="--deals 2000 --pairs hard:normal"``."""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path

from p2p_hearts.bots.search import VERSION
from p2p_hearts.rules.options import PRESETS, RuleSet
from tools.ladder.contest import Deal, Result, Timed, duplicate, interval, matches
from tools.ladder.players import DEFAULT_PLAYOUTS, NAMES, make
from tools.ladder.quick import quick

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
    parser.add_argument("--arrays", action="store_true", help="simulate as at a table, slowly")
    parser.add_argument("--keep", type=Path, help="folder of finished deals, played once only")
    arguments = parser.parse_args()
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    rules = PRESETS[arguments.preset]
    try:
        engine = nullcontext() if arguments.arrays else quick()
    except RuntimeError as error:
        parser.error(str(error))
    with engine:
        for pair in arguments.pairs.split(","):
            one, others = pair.split(":")
            play(rules, one, others, arguments)


class Kept:
    """Finished deals or matches in a file, one a line: a long contest may be done in parts."""

    def __init__(self, folder: Path | None, name: str) -> None:
        self._path = None if folder is None else folder / f"{name}.jsonl"
        self.found: dict[int, dict[str, float]] = {}
        if self._path is not None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            lines = self._path.read_text().splitlines() if self._path.exists() else []
            self.found = {line["seed"]: line for line in map(json.loads, lines)}

    def add(self, line: dict[str, float]) -> None:
        """Note one that is finished."""
        self.found[int(line["seed"])] = line
        if self._path is not None:
            with self._path.open("a") as file:
                file.write(json.dumps(line) + "\n")


def kept_name(preset: str, one: str, others: str, number: int) -> str:
    """Return the name of a contest's file; another version of ``hard`` has a file of its own."""
    return f"{preset}-{one}-{others}-{number}-v{VERSION}"


def play(rules: RuleSet, one: str, others: str, arguments: argparse.Namespace) -> None:
    """Play one pair."""
    player, other = (Timed(make(name, rules, arguments.playouts)) for name in (one, others))
    first, number = arguments.seed, arguments.playouts
    title = f"{one} against {rules.seats - 1} {others}"
    name = kept_name(arguments.preset, one, others, number)
    kept, told = Kept(arguments.keep, name), time.monotonic()
    seeds = range(first, first + arguments.deals)

    def result() -> Result:
        deals = [Deal(**kept.found[seed]) for seed in seeds if seed in kept.found]  # type: ignore[arg-type]
        return Result(rules.seats, deals)

    for deal in duplicate(rules, player, other, [s for s in seeds if s not in kept.found]):
        kept.add(asdict(deal))
        if time.monotonic() - told > TOLD_SECONDS:
            told = time.monotonic()
            print(f"   so far: {title}: {result()}", flush=True)
    if arguments.deals:
        print(f"{title}: {result()}", flush=True)
        print(f"   {result().parts}", flush=True)
    for who, timed in ((one, player), (others, other)):
        if timed.cards:
            print(f"   {who}: {timed.seconds / timed.cards * 1000:.1f} ms CPU a card, passes too")
    if arguments.matches:
        kept = Kept(arguments.keep, f"{name}-matches")
        seeds = range(first, first + arguments.matches)
        todo = [seed for seed in seeds if seed not in kept.found]
        for seed, share in matches(rules, player, other, todo):
            kept.add({"seed": seed, "share": share})
        found = interval([kept.found[seed]["share"] for seed in seeds])
        print(
            f"   {title}: matches won: {found.mean:.3f} ± {found.half:.3f} (fair is "
            f"{1 / rules.seats:.3f}), {found.number} matches from every seat",
            flush=True,
        )


if __name__ == "__main__":
    main()
