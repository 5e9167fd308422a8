"""A command of the program that says what its processes used.

``python -m tools.bench.measured audit LOG`` does as ``p2p-hearts audit LOG``, and writes one line
to stderr: seconds of CPU of the process itself, then of each that it began and waited for, and the
MiB of the largest one. On Linux only.
"""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path

from p2p_hearts.cli import main

used: list[resource.struct_rusage] = []


def waitpid(pid: int, options: int) -> tuple[int, int]:
    """As ``os.waitpid``, and keep what the process used."""
    ended, status, of_it = os.wait4(pid, options)
    if ended:
        used.append(of_it)
    return ended, status


def own_memory() -> int:
    """Return the KiB that this process held at most; ``ru_maxrss`` also counts who began it."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))


if __name__ == "__main__":
    os.waitpid = waitpid
    code = main()
    own = resource.getrusage(resource.RUSAGE_SELF)
    seconds = [item.ru_utime + item.ru_stime for item in [own, *used]]
    largest = max([own_memory(), *(item.ru_maxrss for item in used)]) / 1024
    sys.stderr.write(" ".join(f"{number:.3f}" for number in [*seconds, largest]) + "\n")
    sys.exit(code)
