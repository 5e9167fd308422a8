"""What every peer has that follows one table, whether it has a hand there or looks on.

A ``Following`` is the loop of ``node.pump`` with a player's folder, somebody's name and, once there
is a roster, a table: it says who sits behind a link, does the table's work, and looks whether a
person sees anything new. ``node.node`` plays, ``node.watching`` looks on.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from p2p_hearts.home import Home
from p2p_hearts.net.links import Links
from p2p_hearts.node.glance import Glance
from p2p_hearts.node.places import Places
from p2p_hearts.node.pump import Pump
from p2p_hearts.node.terms import Patience, Where
from p2p_hearts.table.lobby import may_move_on
from p2p_hearts.table.machine import Table
from p2p_hearts.table.tasks import Task
from p2p_hearts.wire.lobby import SealedRoster


class Following(Pump):
    """Runs a peer that has a table, or looks for one."""

    def __init__(
        self, home: Home, nick: str, links: Links, where: Where, patience: Patience
    ) -> None:
        """No table yet."""
        super().__init__(links)
        self.home = home
        self.nick = nick
        self.table: Table | None = None
        self.glance = Glance(time.monotonic())
        self.places = Places(links, where)
        self._patience = patience

    def _is_next(self, roster: SealedRoster) -> bool:
        """Whether to go to the table of a roster: the first, or one after a failed formation."""
        return self.table is None or may_move_on(self.table, roster)

    def _take_table(self, table: Table) -> None:
        """Follow this table from now on; the pump has its tasks done."""
        self.table = table
        table.leaves_tasks = True

    def _place_of(self, key: bytes) -> int | None:
        """Return the place in the roster of whoever holds a link key."""
        entries = () if self.table is None else self.table.roster.entries
        return next((place for place, entry in enumerate(entries) if entry.curve == key), None)

    def _step(self) -> bool:
        return self.table is not None and self.table.work()

    def _take_tasks(self) -> Sequence[Task[Any]]:
        return () if self.table is None else self.table.take_tasks()
