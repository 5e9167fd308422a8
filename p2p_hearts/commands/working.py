"""Work done beside other work: in threads, or in processes where there is much of it.

Checks of proofs spend most of their time in the group's library, which lets other threads run; the
rest holds the interpreter's lock, so processes overlap better. A fork of this process costs hardly
anything; where there cannot be one, a new process costs a few tenths of a second of CPU, which only
much work is worth (docs/decisions/0029).

Errors: none of its own; work that no process can take is done here.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context, parent_process
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TypeVar

from p2p_hearts.node.processes import cores

T = TypeVar("T")


TASKS: Final = Path("/proc/self/task")
"""On Linux a folder for each thread of this process."""


def forks_whole() -> bool:
    """Whether a fork of this process has all of it: there is no other thread, of any library.

    A fork has only the thread that asked for it; a lock that another one held stays shut there.
    """
    try:
        return sys.platform == "linux" and len(list(TASKS.iterdir())) == 1
    except OSError:
        return False


class Workers:
    """As many workers as there are processors, until the block is left."""

    def __init__(self, *, much: bool) -> None:
        """Start them; work must be picklable. ``much``: there is work for seconds.

        Processes, if there are several processors and a process costs little beside the work.
        """
        count, forks = cores(), forks_whole()
        if count > 1 and (forks or much):
            context = get_context("fork" if forks else "spawn")
            self._pool: Executor = ProcessPoolExecutor(count, context, initializer=_begin)
            for _ in range(count):
                self.start(os.getpid)  # They are begun by work, and forks before there is a thread.
        else:
            self._pool = ThreadPoolExecutor(count)

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


def _begin() -> None:
    """Leave an interrupt from the keyboard to the process that was started by hand; end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Wait for the end of the process that gives work: its queue stays open if it is killed."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
