"""One View after the other: what a person has not seen yet, and when the next one is shown.

The table tells as fast as it plays; `pace` says which Views lie between two of them and how long
each stays. Here they wait for their time. Without a running loop nothing waits.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from p2p_hearts.rules.view import View
from p2p_hearts.ui.pace import frames


class Showing:
    """The Views from the one that is drawn to the one that the table told last.

    Args:
        display: draws a View and does what comes with it.
        seconds: how long a View stays, asked once it is drawn.
        shown: called after Views were drawn because their time had come.

    """

    def __init__(
        self,
        display: Callable[[View], None],
        seconds: Callable[[View], float],
        shown: Callable[[], None],
    ) -> None:
        self._display = display
        self._seconds = seconds
        self._shown = shown
        self._latest: View | None = None
        self._queue: deque[View] = deque()
        self._free_at = 0.0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: asyncio.TimerHandle | None = None

    @property
    def behind(self) -> bool:
        """Whether something is on the table that is not yet on the screen."""
        return bool(self._queue)

    def begin(self, loop: asyncio.AbstractEventLoop) -> None:
        """Let Views wait for their time from now on."""
        self._loop = loop

    def take(self, view: View | None) -> None:
        """Take what the table tells now; None where it has no hand, and nothing is left to show."""
        if view is None:
            self._queue.clear()
            self._latest = None
        elif view != self._latest:
            self._queue.extend(frames(self._latest, view))
            self._latest = view
            self.advance()

    def advance(self) -> None:
        """Show the next Views whose time has come."""
        self.stop()
        while self._queue:
            wait = self._free_at - self._now()
            if wait > 0 and self._loop is not None:
                self._timer = self._loop.call_later(wait, self._advance_later)
                return
            view = self._queue.popleft()
            self._display(view)
            self._free_at = self._now() + self._seconds(view)

    def catch_up(self) -> None:
        """Show everything that is known, now."""
        self._free_at = 0.0
        while self._queue:
            self._display(self._queue.popleft())
        self.stop()

    def stop(self) -> None:
        """Show nothing more by itself."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _advance_later(self) -> None:
        self._timer = None
        self.advance()
        self._shown()

    def _now(self) -> float:
        return self._loop.time() if self._loop is not None else 0.0
