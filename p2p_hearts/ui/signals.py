"""Signals that a front end answers while it runs: to end, or to take its terminal again."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable, Iterator, Mapping


@contextlib.contextmanager
def handled(
    loop: asyncio.AbstractEventLoop | None, actions: Mapping[str, Callable[[], None]]
) -> Iterator[None]:
    """Let each signal, by name ("SIGTERM"), call its action as long as the context lasts.

    Where a platform has no such signal, and outside the main thread, nothing is changed.
    """
    installed: list[int] = []
    for name, action in actions.items() if loop is not None else ():
        number = getattr(signal, name, None)
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            if number is not None and loop is not None:
                loop.add_signal_handler(number, action)
                installed.append(number)
    try:
        yield
    finally:
        for number in installed:
            if loop is not None:
                loop.remove_signal_handler(number)
