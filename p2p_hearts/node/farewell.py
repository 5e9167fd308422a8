"""When a peer goes home after the end: not while somebody who misses the last words is heard.

Whoever was started again shortly before the end of a match may need minutes on a slow machine until
its log is whole, and by then nobody else would have what it lacks.

Never: reads a clock; times arrive as arguments, in seconds on any monotonic clock.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Farewell:
    """The end as one peer lives it: begins with it, and hears of those who are behind."""

    since: float
    """When the end came here."""
    silence: float
    """So long after somebody who misses something was heard, it is taken to be gone."""
    most: float
    """Nobody is waited for any longer than this."""
    _heard: float = 0.0

    def hear(self, now: float) -> None:
        """Note that somebody was heard who has not said that it holds the end."""
        self._heard = now

    def may_go(self, now: float) -> bool:
        """Return whether all who are behind have been silent for long, or it takes too long."""
        return now - max(self.since, self._heard) > self.silence or now - self.since > self.most
