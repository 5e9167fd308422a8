"""Run a command while its processes sleep now and then: ``python -m tools.chaos -- make test``.

A test that hangs on how long something takes passes on one machine and fails on another. Here every
process of the command and of those that it starts comes late, and each is stopped in the middle of
whatever it does and goes on later, as on a machine that is busy with something else. Whatever fails
under it and not without it is a race. Needs ``/proc``.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

MARK = "P2P_CHAOS"
"""A variable of the environment that only the command's processes have."""
LOOK_SECONDS = 0.02
PROGRAM = b"p2p_hearts"
"""What stands in the command line of a process that may start late."""


class Chaos:
    """Stops processes and lets them go on; knows a process by its number and its start."""

    def __init__(
        self,
        mark: str,
        late: float,
        pause: float,
        every: float,
        chance: random.Random,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """``late``: at most so many seconds after its start; ``pause`` each, ``every`` so many."""
        self._mark = f"{MARK}={mark}".encode()
        self._late, self._pause, self._every = late, pause, every
        self._chance, self._now = chance, now
        self._ours: dict[int, bool] = {}
        self._greeted: set[int] = set()
        self._wake: dict[int, float] = {}
        self._next = now() + every
        self.stops = 0

    def look(self) -> None:
        """Stop who is due to be stopped, wake who has slept."""
        now = self._now()
        for process, until in list(self._wake.items()):
            if now >= until:
                del self._wake[process]
                _send(process, signal.SIGCONT)
        there = {int(name) for name in os.listdir("/proc") if name.isdigit()}  # noqa: PTH208
        self._ours = {number: is_ours for number, is_ours in self._ours.items() if number in there}
        self._greeted &= there
        for process in there - self._ours.keys():
            if (seen := _environment(process)) is not None:
                self._ours[process] = self._mark in seen
        ours = [process for process, is_ours in self._ours.items() if is_ours]
        for process in ours:
            if process not in self._greeted and PROGRAM in _command(process):
                self._greeted.add(process)
                self._stop(process, now + self._chance.uniform(0, self._late))
        if ours and now >= self._next:
            self._next = now + self._chance.uniform(0, 2 * self._every)
            self._stop(self._chance.choice(ours), now + self._chance.uniform(0.2, self._pause))

    def end(self) -> None:
        """Wake everybody."""
        for process in self._wake:
            _send(process, signal.SIGCONT)

    def _stop(self, process: int, until: float) -> None:
        # Whoever was stopped by somebody else is not ours to wake, and the shell of a terminal
        # would say that its job has stopped.
        fields = status(process)
        if process not in self._wake and fields.state not in ("T", "Z", "") and not fields.tty:
            self._wake[process] = until
            self.stops += 1
            _send(process, signal.SIGSTOP)


def _send(process: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, number)


def _read(process: int, name: str) -> bytes | None:
    try:
        return Path(f"/proc/{process}/{name}").read_bytes()
    except OSError:
        return None


def _environment(process: int) -> frozenset[bytes] | None:
    data = _read(process, "environ")
    return None if data is None else frozenset(data.split(b"\0"))


def _command(process: int) -> bytes:
    return _read(process, "cmdline") or b""


class Status(NamedTuple):
    """What the system says of a process: its state, "" once it is gone, and its terminal or 0."""

    state: str
    tty: int


def status(process: int) -> Status:
    """Return what the system says of a process."""
    data = _read(process, "stat")
    if not data:
        return Status("", 0)
    fields = data.rpartition(b")")[2].split()
    return Status(fields[0].decode(), int(fields[4]))


def main(arguments: list[str]) -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.chaos", description=__doc__)
    parser.add_argument("--late", type=float, default=3.0, help="seconds, at most, after its start")
    parser.add_argument("--pause", type=float, default=2.0, help="seconds, at most, of one pause")
    parser.add_argument("--every", type=float, default=1.0, help="seconds between two, on average")
    parser.add_argument("--seed", type=int, default=secrets.randbits(32))
    parser.add_argument("command", nargs="+")
    chosen = parser.parse_args(arguments)
    mark = secrets.token_hex(8)
    chaos = Chaos(mark, chosen.late, chosen.pause, chosen.every, random.Random(chosen.seed))
    with subprocess.Popen(chosen.command, env={**os.environ, MARK: mark}) as running:
        try:
            while running.poll() is None:
                chaos.look()
                time.sleep(LOOK_SECONDS)
        finally:
            chaos.end()
    print(f"chaos: {chaos.stops} pauses, --seed {chosen.seed}", file=sys.stderr)
    return running.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
