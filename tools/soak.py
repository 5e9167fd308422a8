"""Hands and hands of real processes that are killed, paused and brought back (``make soak``).

Four processes of this program play matches on loopback. At random moments one or two of them get
SIGKILL and come back with ``resume``, or are stopped for a while, long enough for the others to
lose the line. One process of each match, another one each time, is never killed: the growth of its
memory is that of a process that lives through the whole match. In the end the logs are compared
content by content, and audited.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from p2p_hearts.record.log import read_log
from p2p_hearts.record.records import RecordKind
from p2p_hearts.wire.codec import decode
from p2p_hearts.wire.envelope import Envelope, content_hash
from p2p_hearts.wire.messages import Content, Kind
from tests.e2e.tables import LOOPBACK, address_of, bot, host
from tests.programs import Program, run

NAMES = ("Ana", "Rui", "Dewi", "Sari")
STUCK_SECONDS = 180.0
"""No card for so long with everybody there: the table is stuck."""


@dataclass
class Figures:
    """What happened, over all matches."""

    matches: int = 0
    hands: int = 0
    kills: int = 0
    pairs: int = 0
    pauses: int = 0
    contents: int = 0
    lost: int = 0
    doubled: int = 0
    accusations: int = 0
    logs: int = 0
    clean: int = 0
    stuck: int = 0
    growth: list[float] = field(default_factory=list)
    levels: list[float] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def is_good(self) -> bool:
        """Whether nothing happened that must not."""
        wrong = self.lost + self.doubled + self.accusations + self.stuck
        return wrong == 0 and self.clean == self.logs

    def table(self) -> str:
        """Return the figures as a table in Markdown."""
        growth = f"{max(self.growth, default=0.0):+.1f} MB on {max(self.levels, default=0):.0f} MB"
        rows = [
            ("hands played", f"{self.hands} in {self.matches} matches"),
            ("kills with -9, each followed by `resume`", str(self.kills)),
            ("of them two at once", str(self.pairs)),
            ("pauses of 1 to 9 s (SIGSTOP, SIGCONT)", str(self.pauses)),
            ("signed contents in a log, all matches", str(self.contents)),
            ("messages lost", str(self.lost)),
            ("messages doubled", str(self.doubled)),
            ("false accusations", str(self.accusations)),
            ("tables stuck", str(self.stuck)),
            ("logs that audit clean", f"{self.clean} of {self.logs}"),
            ("most that a process grew that lived through a match", growth),
            ("time", f"{self.seconds:.0f} s"),
        ]
        lines = ["| what | figure |", "| --- | --- |"]
        return "\n".join([*lines, *(f"| {name} | {value} |" for name, value in rows)])


class Evening:
    """One match and its troubles."""

    def __init__(self, folder: Path, hands: int, pace: str, chance: random.Random) -> None:
        """Prepare a match of so many hands, with its logs and secrets in ``folder``."""
        self.folder = folder
        self.programs: dict[str, Program] = {}
        self.witness = chance.choice(NAMES)
        """Never killed."""
        self._hands = hands
        self._pace = ("--pace", pace)
        self._chance = chance
        self._stack = contextlib.ExitStack()
        self._level = 0.0

    def play(self, figures: Figures) -> None:
        """Play, with a trouble every few seconds, and count."""
        with self._stack:
            self._sit_down()
            before = len(figures.growth)
            is_stuck = not self._live_through(figures)
            if is_stuck:
                figures.stuck += 1
                for program in self.programs.values():
                    sys.stderr.write(program.story())
                return
            codes = {name: program.end(120).code for name, program in self.programs.items()}
        assert len(figures.growth) == before + 1
        figures.matches += 1
        figures.hands += self._hands
        figures.accusations += sum(code == 1 for code in codes.values())
        self._compare(figures)

    def _sit_down(self) -> None:
        options = ("--hands", str(self._hands), "--target", "10000")
        founder = host(self.folder, *options, *self._pace)
        self.programs["Ana"] = self._stack.enter_context(founder)
        where = address_of(founder)
        for name in NAMES[1:]:
            program = bot(self.folder, where, name, *self._pace)
            self.programs[name] = self._stack.enter_context(program)
        founder.wait_event("formed", 120)

    def _live_through(self, figures: Figures) -> bool:
        """Make trouble until the match is over; False if the table is stuck."""
        moved, seen = time.monotonic(), (0, 0)
        witness = self.programs[self.witness]
        trouble_at = time.monotonic() + self._chance.uniform(1, 4)
        high = 0.0
        while not all(is_done(program) for program in self.programs.values()):
            time.sleep(0.1)
            now = time.monotonic()
            if (cards := last_card(witness)) != seen:
                moved, seen = now, cards
            if witness.process.poll() is None and cards >= (1, 1):
                memory = resident_mb(witness)
                self._level = self._level or memory
                high = max(high, memory)
            if now - moved > STUCK_SECONDS:
                return False
            if now >= trouble_at and not any(is_done(one) for one in self.programs.values()):
                self._make_trouble(figures)
                trouble_at = time.monotonic() + self._chance.expovariate(1 / 5)
        figures.growth.append(high - self._level)
        figures.levels.append(self._level)
        return True

    def _make_trouble(self, figures: Figures) -> None:
        others = [name for name in NAMES if name != self.witness]
        if self._chance.random() < 0.35:
            figures.pauses += 1
            process = self.programs[self._chance.choice(NAMES)].process
            process.send_signal(signal.SIGSTOP)
            time.sleep(self._chance.uniform(1, 9))
            process.send_signal(signal.SIGCONT)
            return
        count = 2 if self._chance.random() < 0.2 else 1
        victims = self._chance.sample(others, count)
        for name in victims:
            process = self.programs[name].process
            process.kill()
            process.wait(10)
        figures.kills += count
        figures.pairs += count == 2
        time.sleep(self._chance.uniform(0, 2))
        self._chance.shuffle(victims)
        for name in victims:
            if not list((self.folder / name / "seats").glob("*.json")):
                # Killed after its match was over, while it waited for the others.
                figures.kills -= 1
                continue
            program = Program(
                *("resume", "Sunday", "--events", "--auto", "normal", *self._pace, *LOOPBACK),
                home=self.folder / name,
            )
            self.programs[name] = self._stack.enter_context(program)

    def _compare(self, figures: Figures) -> None:
        logs = {name: log_of(self.folder / name) for name in NAMES}
        held = {name: contents_of(path) for name, path in logs.items()}
        everything = set().union(*held.values())
        figures.contents += len(everything)
        for found in held.values():
            figures.lost += len(everything - set(found))
            figures.doubled += sum(count - 1 for count in found.values())
        said = Counter(slot for _, slot in everything)
        figures.doubled += sum(count - 1 for count in said.values())
        ended = run("audit", "--json", *map(str, logs.values()))
        report = json.loads(ended.out)
        figures.accusations += len(report.get("faults") or ())
        for path in logs.values():
            figures.logs += 1
            figures.clean += json.loads(run("audit", "--json", str(path)).out)["verdict"] == "clean"
        if report["verdict"] != "clean":
            sys.stderr.write(f"{report['summary']}\n")


Slot = tuple[bytes, int, int, int, bool]


def contents_of(path: Path) -> Counter[tuple[bytes, Slot]]:
    """Count each content of a log, with what it stands for: author, place, and whether an ack."""
    found: Counter[tuple[bytes, Slot]] = Counter()
    for record in read_log(path):
        if record.kind is RecordKind.CONTENT:
            data = decode(record.data, Envelope).content
            item = decode(data, Content)
            slot = (item.author, item.hand, item.attempt, item.round, item.kind == Kind.ACK)
            found[content_hash(data), slot] += 1
    return found


def log_of(home: Path) -> Path:
    """Return the one log of a home."""
    (path,) = (home / "games").glob("*.hearts")
    return path


def is_done(program: Program) -> bool:
    """Whether a process has told that its match is over, or ended."""
    return program.process.poll() is not None or any(
        event["event"] == "done" for event in program.events[-3:]
    )


def last_card(program: Program) -> tuple[int, int]:
    """Return hand and number of the last card that a process told of."""
    for line in reversed(program.lines[-80:]):
        if '"event": "card"' in line:
            event = json.loads(line)
            return int(event["hand"]), int(event["cards"])
    return (0, 0)


def resident_mb(program: Program) -> float:
    """Return the memory of a process in MB; 0 once it is gone."""
    try:
        text = Path(f"/proc/{program.process.pid}/statm").read_text()
    except OSError:
        return 0.0
    return int(text.split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def main(argv: Sequence[str] | None = None) -> int:
    """Run the soak and print its table; return 0 if nothing happened that must not."""
    parser = argparse.ArgumentParser(prog="python -m tools.soak", description=__doc__)
    parser.add_argument("--hands", type=int, default=200, help="hands to play in all")
    parser.add_argument("--match", type=int, default=10, help="hands of one match")
    parser.add_argument("--pace", default="0.05", help="seconds for a decision")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**6, help="of the troubles")
    arguments = parser.parse_args(argv)
    chance = random.Random(arguments.seed)
    figures, began = Figures(), time.monotonic()
    while figures.hands < arguments.hands and not figures.stuck:
        hands = min(arguments.match, arguments.hands - figures.hands)
        with tempfile.TemporaryDirectory(prefix="p2p-hearts-soak-") as folder:
            Evening(Path(folder), hands, arguments.pace, chance).play(figures)
        sys.stderr.write(f"{figures.hands} hands, {figures.kills} kills, seed {arguments.seed}\n")
    figures.seconds = time.monotonic() - began
    sys.stdout.write(figures.table() + "\n")
    return 0 if figures.is_good else 1


if __name__ == "__main__":
    sys.exit(main())
