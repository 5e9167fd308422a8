"""Work done beside other work: in threads, or in processes where there is much of it.

Checks of proofs spend most of their time in the group's library, which lets other threads run; the
rest holds the interpreter's lock, so for a long log processes overlap better. A process costs a few
tenths of a second to start.

Errors: none of its own; work that no process can take is done here.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from types import TracebackType
from typing import Self, TypeVar

T = TypeVar("T")


def cores() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Workers:
    """As many workers as there are processors, until the block is left."""

    def __init__(self, *, processes: bool) -> None:
        """Use ``processes`` if there are several processors; work must then be picklable."""
        count = cores()
        self._pool: Executor = (
            ProcessPoolExecutor(count, get_context("spawn"), initializer=_ignore_interrupts)
            if processes and count > 1
            else ThreadPoolExecutor(count)
        )

    def start(self, work: Callable[[], T]) -> Callable[[], T]:
        """Begin a piece of work; return what waits for its result."""
        try:
            waiting = self._pool.submit(work)
        except (BrokenExecutor, OSError):
            return work

        def result() -> T:
            try:
                return waiting.result()
            except BrokenExecutor:
                return work()

        return result

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._pool.shutdown(cancel_futures=True)


def _ignore_interrupts() -> None:
    """Leave an interrupt from the keyboard to the process that was started by hand."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
