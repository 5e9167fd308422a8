"""Hands and hands of real processes that are killed, paused and brought back (``make soak``).

Four processes of this program play matches, as root each in a network namespace of its own with a
cable to one bridge, else on loopback. At random moments one or two of them get SIGKILL and come
back with ``resume``, are stopped for a while, or (as root) have their cables pulled, long enough
for the others to lose the line. In one match of three one of them is lost for good, and the others
go on without; where they may not, since somebody else is played for in that hand, they have to
wait for it by name, and it comes back after all. One process of each match, another one each time,
is never killed: the growth of its memory is that of a process that lives through the whole match.
In the end the logs are compared content by content, and audited. Of a match in which something was
wrong everything is kept: logs, homes, and all that the processes said.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
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
from p2p_hearts.wire.messages import BALLOTS, Confirm, Content, Kind
from tests.lan.network import Lan
from tests.programs import Program, run

NAMES = ("Ana", "Rui", "Dewi", "Sari")
STUCK_SECONDS = 400.0
"""No card for so long with everybody there: the table is stuck, however slow the machine."""

WAIT_SECONDS = 100.0
"""So long without a card, and a table that must wait for a lost player is held to do so."""

END_SECONDS = 240.0
"""A process that has told of the end of its match, and is there so long afterwards, is stuck."""

LONG = 300.0
"""Seconds for a table to open and to form, however slow the machine."""

GRACE = 15
"""Seconds that a silent player is waited for: the least that a table can have."""

LOSS_EVERY = 3
"""In one match of so many a player is lost for good."""

BETWEEN_WITHOUT = 4.0 * GRACE
"""Seconds from one trouble to the next, in the mean, once a player is lost: whoever is started
again waits for its answer, too."""


@dataclass
class Figures:
    """What happened, over all matches."""

    matches: int = 0
    hands: int = 0
    kills: int = 0
    pairs: int = 0
    pauses: int = 0
    cuts: int | None = None
    """``None`` where there are no cables to pull."""
    losses: int = 0
    waits: int = 0
    """Tables that waited for a lost player until it came back, since two were missing in a hand."""
    contents: int = 0
    lost: int = 0
    doubled: int = 0
    accusations: int = 0
    logs: int = 0
    clean: int = 0
    stuck: int = 0
    ended: int = 0
    """Processes that ended otherwise than at the end of their match, or by this program."""
    growth: list[float] = field(default_factory=list)
    levels: list[float] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def is_good(self) -> bool:
        """Whether nothing happened that must not."""
        wrong = self.lost + self.doubled + self.accusations + self.stuck + self.ended
        return wrong == 0 and self.clean == self.logs

    def table(self) -> str:
        """Return the figures as a table in Markdown."""
        growth = f"{max(self.growth, default=0.0):+.1f} MB on {max(self.levels, default=0):.0f} MB"
        rows = [
            ("hands played", f"{self.hands} in {self.matches} matches"),
            ("kills with -9, each followed by `resume`", str(self.kills)),
            ("of them two at once", str(self.pairs)),
            ("pauses of 1 to 9 s (SIGSTOP, SIGCONT)", str(self.pauses)),
            ("cables pulled for 1 to 9 s", "-" if self.cuts is None else str(self.cuts)),
            ("players lost for good, and played without", str(self.losses)),
            ("tables that waited for a second one until it came back", str(self.waits)),
            ("signed contents in a log, all matches", str(self.contents)),
            ("messages lost", str(self.lost)),
            ("messages doubled", str(self.doubled)),
            ("false accusations", str(self.accusations)),
            ("tables stuck", str(self.stuck)),
            ("processes that ended before their match", str(self.ended)),
            ("logs that audit clean", f"{self.clean} of {self.logs}"),
            ("most that a process grew that lived through a match", growth),
            ("time", f"{self.seconds:.0f} s"),
        ]
        lines = ["| what | figure |", "| --- | --- |"]
        return "\n".join([*lines, *(f"| {name} | {value} |" for name, value in rows)])


class Evening:
    """One match and its troubles."""

    def __init__(
        self,
        folder: Path,
        hands: int,
        pace: str,
        between: float,
        chance: random.Random,
        lan: Lan | None,
    ) -> None:
        """Prepare a match of so many hands, with its logs and secrets in ``folder``.

        ``pace`` in seconds for a decision; ``between`` in seconds from one trouble to the next.
        """
        self.folder = folder
        self.programs: dict[str, Program] = {}
        self.witness = chance.choice(NAMES)
        """Never killed."""
        self.lost: str | None = None
        """Killed for good."""
        self.loses = False
        """Whether somebody is to be."""
        self._hands = hands
        self._options = ("--events", "--pace", pace, "--log-level", "info")
        self._between = between
        self._chance = chance
        self._lan = lan
        self._stack = contextlib.ExitStack()
        self._started: list[tuple[str, Program]] = []
        self._killed: set[Program] = set()
        self._level = 0.0
        self._hurries = False
        """Whether the next trouble comes even before all are back from the last one."""

    def _start(self, name: str, *arguments: str) -> None:
        home, options = self.folder / name, [*arguments, *self._options]
        if self._lan is None:
            program = Program(*options, "--interface", "127.0.0.1", home=home)
        else:
            program = self._lan.start(NAMES.index(name), *options, home=home)
        self.programs[name] = self._stack.enter_context(program)
        self._started.append((name, program))

    def play(self, figures: Figures) -> None:
        """Play, with a trouble every few seconds, and count."""
        there: Sequence[str] = NAMES
        with self._stack:
            self._sit_down()
            if self._live_through(figures):
                there = [name for name in NAMES if name != self.lost]
                codes = [self._end(self.programs[name], figures) for name in there]
                figures.accusations += codes.count(1)
            else:
                figures.stuck += 1
            figures.ended += sum(self._ended_early(program) for _, program in self._started)
        if figures.stuck or figures.ended:
            return
        figures.matches += 1
        figures.hands += self._hands
        self._compare(figures, there)

    def write_stories(self) -> None:
        """Write all that each process said beside the homes."""
        for number, (name, program) in enumerate(self._started):
            path = self.folder / f"{number:03}-{name}"
            path.with_suffix(".out").write_text("".join(program.lines))
            path.with_suffix(".err").write_text("".join(program.errors))

    def _end(self, program: Program, figures: Figures) -> int:
        """Wait for a process to end; its code, or -1 if it is stuck."""
        try:
            return program.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            figures.stuck += 1
            return -1

    def _ended_early(self, program: Program) -> bool:
        """Whether a process has ended, and neither by its match nor by this program."""
        code = program.process.poll()
        wrong = program not in self._killed and code not in (None, 0, 1)
        if wrong:
            sys.stderr.write(f"ended with {code}: {program.story()}\n")
        return wrong

    def _sit_down(self) -> None:
        options = ("--hands", str(self._hands), "--target", "10000", "--grace", str(GRACE))
        self._start(
            "Ana", "host", "Sunday", "--port", "0", "--nick", "Ana", "--auto", "normal", *options
        )
        founder = self.programs["Ana"]
        opened = founder.wait_event("open", LONG)
        where = "127.0.0.1" if self._lan is None else self._lan.address(0)
        for name in NAMES[1:]:
            self._start(name, "bot", f"{where}:{opened['port']}#{opened['code']}", "--nick", name)
        founder.wait_event("formed", LONG)

    def _live_through(self, figures: Figures) -> bool:
        """Make trouble until the match is over; False if the table is stuck."""
        moved, seen = time.monotonic(), (0, 0)
        witness = self.programs[self.witness]
        trouble_at = time.monotonic() + self._chance.uniform(1, 4)
        high = 0.0
        while not all(is_done(self.programs[name]) for name in NAMES if name != self.lost):
            time.sleep(0.1)
            now = time.monotonic()
            if (cards := last_card(witness)) != seen:
                moved, seen = now, cards
            if witness.process.poll() is None and cards >= (1, 1):
                memory = resident_mb(witness)
                self._level = self._level or memory
                high = max(high, memory)
            if now - moved > WAIT_SECONDS and self._must_wait():
                self._bring_back(figures)
                moved = now
            if now - moved > STUCK_SECONDS or any(map(self._ended_early, self.programs.values())):
                return False
            playing = {name for name in NAMES if not is_done(self.programs[name])}
            if now >= trouble_at and playing >= set(NAMES) - {self.lost} and self._is_time():
                self._make_trouble(figures, cards)
                between = self._between if self.lost is None else BETWEEN_WITHOUT
                trouble_at = time.monotonic() + self._chance.expovariate(1 / between)
                self._hurries = self._chance.random() < 0.2
        figures.growth.append(high - self._level)
        figures.levels.append(self._level)
        return True

    def _must_wait(self) -> bool:
        """Whether one is lost, somebody else is played for in this hand, and all wait for the lost.

        In a hand that plays for one seat the others need each other (protocol/SPEC.md section 7.4).
        """
        if self.lost is None:
            return False
        there = [program for name, program in self.programs.items() if name != self.lost]
        if any(waits_for(program) != [self.lost] for program in there):
            return False
        names = there[0].wait_event("formed")["names"]
        out = targets_of_last_hand(log_of(self.folder / self.witness))
        return bool(out - {names.index(self.lost)})

    def _bring_back(self, figures: Figures) -> None:
        """Let the lost player come back after all."""
        if self.lost is not None:
            figures.losses -= 1
            figures.waits += 1
            name, self.lost, self.loses = self.lost, None, False
            self._start(name, "resume", "Sunday", "--auto", "normal")

    def _is_time(self) -> bool:
        """Whether all sit at the table again, or this trouble is to come before they do.

        On a slow machine it may take longer to come back than to the next trouble, for ever.
        """
        if self._hurries:
            return True
        there = [program for name, program in self.programs.items() if name != self.lost]
        return all(any('"event": "formed"' in line for line in p.lines) for p in there)

    def _make_trouble(self, figures: Figures, cards: tuple[int, int]) -> None:
        there = [name for name in NAMES if name != self.lost]
        if self.loses and self.lost is None and cards >= (2, 1):
            self.lost = self._chance.choice([name for name in NAMES if name != self.witness])
            figures.losses += 1
            self._kill(self.lost)
        elif (lot := self._chance.random()) < 0.3:
            figures.pauses += 1
            process = self.programs[self._chance.choice(there)].process
            process.send_signal(signal.SIGSTOP)
            time.sleep(self._chance.uniform(1, 9))
            process.send_signal(signal.SIGCONT)
        elif lot < 0.6 and self._lan is not None:
            numbers = [NAMES.index(name) for name in self._victims(there)]
            figures.cuts = (figures.cuts or 0) + len(numbers)
            for number in numbers:
                self._lan.pull(number)
            time.sleep(self._chance.uniform(1, 9))
            for number in numbers:
                self._lan.plug(number)
        else:
            self._kill_and_resume(figures, [name for name in there if name != self.witness])

    def _victims(self, names: Sequence[str]) -> list[str]:
        return self._chance.sample(list(names), 2 if self._chance.random() < 0.2 else 1)

    def _kill(self, name: str) -> None:
        self._killed.add(self.programs[name])
        process = self.programs[name].process
        process.kill()
        process.wait(60)

    def _kill_and_resume(self, figures: Figures, names: Sequence[str]) -> None:
        victims = self._victims(names)
        for name in victims:
            self._kill(name)
        figures.kills += len(victims)
        figures.pairs += len(victims) == 2
        time.sleep(self._chance.uniform(0, 2))
        self._chance.shuffle(victims)
        for name in victims:
            if not list((self.folder / name / "seats").glob("*.json")):
                # Killed after its match was over, while it waited for the others.
                figures.kills -= 1
                continue
            self._start(name, "resume", "Sunday", "--auto", "normal")

    def _compare(self, figures: Figures, names: Sequence[str]) -> None:
        """Compare the logs of those who stayed; ballots and who is gone are no part of the count.

        What a lost player said last may have reached some of the others only, and a vote may come
        after the round is closed: what counts of them is in the certificates, which are audited.
        """
        logs = {name: log_of(self.folder / name) for name in names}
        held = {name: contents_of(path) for name, path in logs.items()}
        report = json.loads(run("audit", "--json", *map(str, logs.values()), seconds=4 * LONG).out)
        gone = {item["key"] for item in report["players"] if item["nick"] == self.lost}
        everything = set().union(*held.values())
        figures.contents += len(everything)
        counted = {
            (content, slot)
            for content, slot in everything
            if slot[0].hex() not in gone and slot[4] not in BALLOTS
        }
        for found in held.values():
            figures.lost += len(counted - set(found))
            figures.doubled += sum(count - 1 for count in found.values())
        said = Counter(slot for _, slot in counted)
        figures.doubled += sum(count - 1 for count in said.values())
        figures.accusations += len(report.get("faults") or ())
        figures.logs += len(logs)
        figures.clean += sum(alone["verdict"] == "clean" for alone in report["logs"])
        if report["verdict"] != "clean":
            sys.stderr.write("\n".join([*report["summary"], ""]))


Slot = tuple[bytes, int, int, int, str]


def contents_of(path: Path) -> Counter[tuple[bytes, Slot]]:
    """Count each content of a log, with what it stands for: author, place, and in what part."""
    found: Counter[tuple[bytes, Slot]] = Counter()
    for record in read_log(path):
        if record.kind is RecordKind.CONTENT:
            data = decode(record.data, Envelope).content
            item = decode(data, Content)
            part = item.kind if item.kind in (*BALLOTS, Kind.ACK) else "speech"
            slot = (item.author, item.hand, item.attempt, item.round, part)
            found[content_hash(data), slot] += 1
    return found


def log_of(home: Path) -> Path:
    """Return the one log of a home."""
    (path,) = (home / "games").glob("*.hearts")
    return path


def is_done(program: Program) -> bool:
    """Whether a process has told that its match is over, or ended."""
    return program.process.poll() is not None or any(
        '"event": "done"' in line for line in program.lines[-3:]
    )


def last_card(program: Program) -> tuple[int, int]:
    """Return hand and number of the last card that a process told of."""
    for line in reversed(program.lines[-80:]):
        if '"event": "card"' in line:
            event = json.loads(line)
            return int(event["hand"]), int(event["cards"])
    return (0, 0)


def waits_for(program: Program) -> list[str]:
    """Return whom a process has told last that it waits for."""
    for line in reversed(program.lines):
        if '"event": "waiting"' in line:
            names: list[str] = json.loads(line)["names"]
            return names
    return []


def targets_of_last_hand(path: Path) -> set[int]:
    """Return the seats that others confirmed to go on without in the last hand of a log."""
    found: dict[int, set[int]] = {}
    for record in read_log(path):
        if record.kind is RecordKind.CONTENT:
            item = decode(decode(record.data, Envelope).content, Content)
            seats = found.setdefault(item.hand, set())
            if item.kind == Kind.CONFIRM:
                seats.add(decode(item.body, Confirm).target)
    return found[max(found)]


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
    parser.add_argument(
        "--between",
        type=float,
        default=5.0,
        help="seconds from one trouble to the next, in the mean",
    )
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**6, help="of the troubles")
    arguments = parser.parse_args(argv)
    # Whoever ends this ends its processes and namespaces as well.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    chance = random.Random(arguments.seed)
    figures, began = Figures(), time.monotonic()
    has_cables = os.geteuid() == 0 and shutil.which("ip") is not None
    figures.cuts = 0 if has_cables else None
    while figures.hands < arguments.hands:
        hands = min(arguments.match, arguments.hands - figures.hands)
        folder = Path(tempfile.mkdtemp(prefix="p2p-hearts-soak-"))
        with contextlib.ExitStack() as stack:
            lan = stack.enter_context(Lan(len(NAMES))) if has_cables else None
            evening = Evening(folder, hands, arguments.pace, arguments.between, chance, lan)
            evening.loses = figures.matches % LOSS_EVERY == LOSS_EVERY - 1
            try:
                evening.play(figures)
            except AssertionError as error:
                figures.stuck += 1
                sys.stderr.write(f"{error}\n")
            except (KeyboardInterrupt, SystemExit):
                shutil.rmtree(folder)
                raise
        figures.seconds = time.monotonic() - began
        sys.stderr.write(f"seed {arguments.seed}\n{figures.table()}\n")
        if not figures.is_good:
            evening.write_stories()
            sys.stderr.write(f"Something was wrong; all of this match is in {folder}\n")
            break
        shutil.rmtree(folder)
    sys.stdout.write(figures.table() + "\n")
    return 0 if figures.is_good else 1


if __name__ == "__main__":
    sys.exit(main())
