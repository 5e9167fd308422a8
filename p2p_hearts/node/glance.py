"""What a person can see change of a table, and since when it has been waiting for the same.

Never: reads a clock; times arrive as arguments, in seconds of ``time.monotonic``.
"""

from __future__ import annotations

from p2p_hearts.table.machine import Table


class Glance:
    """Looks at one table again and again, for a player or for somebody who watches."""

    def __init__(self, now: float) -> None:
        """Begin to wait ``now``."""
        self.waiting_since = now
        self._waiting: object = None

    def seen(self, table: Table, now: float) -> object:
        """Return what is to be drawn anew when it differs; note whom the table waits for."""
        waiting = (table.history.certified, table.waiting())
        if waiting != self._waiting:
            self._waiting, self.waiting_since = waiting, now
        return (
            len(table.history.rounds),
            len(table.history.current.speeches),
            table.decision,
            table.fault,
            table.over,
            table.match.totals,
            table.hand.facts if table.hand else None,
        )
