"""How many processors there are for this process, and signals for those that it began."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio


def cores() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def send(process: asyncio.subprocess.Process, signal: int) -> None:
    """Send a signal to a process; nothing happens if it has ended.

    ``Process.kill`` and ``terminate`` first ask the system whether it has ended. Where it just has,
    they take the answer away from asyncio, which waits for it in another thread: then its exit
    status is lost, and a complaint about that is written, over a person's table.
    """
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal)
