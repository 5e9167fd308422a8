"""Line mode's reminder: a long wait is told again, now and then."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

FIRST_SECONDS = 10.0
"""Seconds after which a wait is told for the first time."""

AGAIN_SECONDS = 30.0
"""Seconds between two more."""


class Reminder:
    """Calls back at certain ages of a wait, as long as there is one."""

    def __init__(self, waited: Callable[[], float | None], remind: Callable[[], None]) -> None:
        """``waited`` returns the seconds of the wait, None for no wait; ``remind`` tells it."""
        self._waited, self._remind = waited, remind
        self._timer: asyncio.TimerHandle | None = None

    def look(self) -> None:
        """Note that there may be another wait, or none."""
        self.stop()
        waited = self._waited()
        if waited is None:
            return
        due = FIRST_SECONDS
        while due <= waited:
            due += AGAIN_SECONDS
        self._timer = asyncio.get_running_loop().call_later(due - waited, self._tell)

    def stop(self) -> None:
        """Call back no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _tell(self) -> None:
        self._remind()
        self.look()
