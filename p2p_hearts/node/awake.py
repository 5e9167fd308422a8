"""A clock that stands still while this program sleeps, as with the lid of a laptop closed.

Whoever wakes finds everybody silent for as long as it slept: that is nobody's fault. Patience with
others is measured by this clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from p2p_hearts.node.pump import CLOCK_SECONDS

ASLEEP_SECONDS: Final = 2.0
"""A program that is awake looks at its clock much more often: a longer gap was its own sleep."""


class AwakeClock:
    """Seconds of a monotonic clock without those that this program slept.

    It has to be looked at every CLOCK_SECONDS.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        """Begin now."""
        self._now = now
        self._last = now()
        self._slept = 0.0

    def __call__(self) -> float:
        """Return the time."""
        now = self._now()
        gap, self._last = now - self._last, now
        if gap > ASLEEP_SECONDS:
            self._slept += gap - CLOCK_SECONDS
        return now - self._slept
