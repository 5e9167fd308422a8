"""Signals for processes that this one began."""

from __future__ import annotations

import asyncio
import contextlib
import os


def send(process: asyncio.subprocess.Process, signal: int) -> None:
    """Send a signal to a process; nothing happens if it has ended.

    ``Process.kill`` and ``terminate`` first ask the system whether it has ended. Where it just has,
    they take the answer away from asyncio, which waits for it in another thread: then its exit
    status is lost, and a complaint about that is written, over a person's table.
    """
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal)
