"""Asking an adviser without waiting for the answer: the table goes on meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager

from p2p_hearts.rules.view import View

Adviser = Callable[[View], Awaitable[str]]
"""Gives advice for a View in full sentences, in its own time."""


class Advice:
    """The questions of one front end; each View is asked about once, the answers come one by one.

    An exception of the adviser goes through ``guard``, as one of any callback does.
    """

    def __init__(self, guard: Callable[[], AbstractContextManager[None]]) -> None:
        self._guard = guard
        self._asked: dict[View, asyncio.Task[None]] = {}

    def ask(self, adviser: Adviser, view: View, tell: Callable[[str], None]) -> None:
        """Let ``tell`` have the advice once it is there; needs a running loop."""
        if view in self._asked:
            return

        async def answer() -> None:
            try:
                with self._guard():
                    tell(await adviser(view))
            finally:
                del self._asked[view]

        self._asked[view] = asyncio.get_running_loop().create_task(answer())

    async def close(self) -> None:
        """Want no answer any more."""
        tasks = list(self._asked.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
