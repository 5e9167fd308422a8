"""What one peer may cost this seat: so much of something, counted anew every second.

Never: reads a clock; the time arrives as an argument, in seconds on any monotonic clock.
"""

from __future__ import annotations

from collections import Counter

BUDGET_SECONDS = 1.0
"""What one peer may cost is counted anew after so long."""


class Budget:
    """The same for each peer, by its place in the roster."""

    def __init__(self, most: int) -> None:
        """Each may cost ``most`` in ``BUDGET_SECONDS``."""
        self._most = most
        self._spent: Counter[int] = Counter()
        self._ends = 0.0

    def tick(self, now: float) -> None:
        """Note the time: all begin anew now and then."""
        if now >= self._ends:
            self._spent.clear()
            self._ends = now + BUDGET_SECONDS

    def is_spent(self, place: int) -> bool:
        """Whether the peer at ``place`` has cost all that it may for now."""
        return self._spent[place] >= self._most

    def spend(self, place: int) -> None:
        """Count one more that the peer at ``place`` has cost."""
        self._spent[place] += 1
