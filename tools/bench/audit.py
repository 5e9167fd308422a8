"""The audit as a player runs it, of matches of several lengths: wall time, CPU time, memory."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from p2p_hearts.rules.options import RuleSet
from tests.record.maker import Game
from tools.bench.primitives import Floor

LENGTHS = (1, 4, 10)
"""Hands of four seats."""
ROUNDS = 3


def run(floor: Floor) -> None:
    """Print a row for each length."""
    with tempfile.TemporaryDirectory(prefix="p2p-hearts-bench-") as folder:
        for hands in LENGTHS:
            path = Path(folder) / f"{hands}.hearts"
            path.write_bytes(Game(RuleSet(hands=hands), seed="bench").run().log())
            _row(hands, path)


def _row(hands: int, path: Path) -> None:
    wall, cpu, memory = zip(*(_audit(path) for _ in range(ROUNDS)), strict=True)
    print(
        f"audit of {hands} hands, {path.stat().st_size / 1e3:.0f} kB: {min(wall):.2f} s wall, "
        f"{min(cpu):.2f} s of CPU, {max(memory):.0f} MiB at most"
    )


def _audit(path: Path) -> tuple[float, float, float]:
    """Return seconds by the wall clock and of CPU, and the MiB of the largest process."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "p2p_hearts", "audit", str(path)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _pid, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError("the log that is measured is not clean")
    wall = time.perf_counter() - began
    return wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
