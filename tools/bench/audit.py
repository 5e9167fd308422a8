"""The audit as a player runs it, of matches of several lengths: wall time, CPU time, memory."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from p2p_hearts.rules.options import RuleSet
from tests.record.maker import Game
from tools.bench.primitives import Floor

LENGTHS = (1, 4, 10)
"""Hands of four seats."""
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Used:
    """What one audit took; seconds but for ``memory``."""

    wall: float
    all_cpu: float
    most_cpu: float
    """Of the process that took most: on a machine with a core for each, no audit ends earlier."""
    memory: float
    """MiB of the largest process."""


def run(floor: Floor) -> None:
    """Print a row for each length."""
    with tempfile.TemporaryDirectory(prefix="p2p-hearts-bench-") as folder:
        for hands in LENGTHS:
            path = Path(folder) / f"{hands}.hearts"
            path.write_bytes(Game(RuleSet(hands=hands), seed="bench").run().log())
            _row(hands, path)


def _row(hands: int, path: Path) -> None:
    each = [_audit(path) for _ in range(ROUNDS)]
    print(
        f"audit of {hands} hands, {path.stat().st_size / 1e3:.0f} kB: "
        f"{min(used.wall for used in each):.2f} s wall, "
        f"{min(used.all_cpu for used in each):.2f} s of CPU, "
        f"{min(used.most_cpu for used in each):.2f} s of them in one process, "
        f"{max(used.memory for used in each):.0f} MiB at most"
    )


def _audit(path: Path) -> Used:
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "tools.bench.measured", "audit", str(path)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=True,
    )
    wall = time.perf_counter() - began
    *seconds, memory = [float(word) for word in done.stderr.split()]
    return Used(wall, sum(seconds), max(seconds), memory)
