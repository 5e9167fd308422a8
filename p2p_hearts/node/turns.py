"""The turn clock: a person who does not decide in time has the own program decide.

Only where the table has a ``clock`` (protocol/SPEC.md section 5.1), and only by what the own seat
may see. The others notice nothing but a card; they wait for longer than that before they may go on
without.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from p2p_hearts.bots.player import Player
from p2p_hearts.node.node import Node
from p2p_hearts.wire.chain import Place
from p2p_hearts.wire.messages import Kind


class TurnClock:
    """Listens to a node and decides for its person once the table's clock has run out."""

    def __init__(
        self,
        node: Node,
        player: Player,
        tell: Callable[[], None],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Attach to ``node``; ``player`` decides, and ``tell`` is called each time."""
        self._node = node
        self._player = player
        self._tell = tell
        self._now = now
        self._asked: tuple[Place, Kind] | None = None
        self._since = 0.0
        node.listeners.append(self._look)

    @property
    def left(self) -> float | None:
        """Seconds that the person has for the decision that is open; ``None`` for no limit."""
        table = self._node.table
        if table is None or not table.roster.rules.clock or self._asked is None:
            return None
        return max(0.0, self._since + table.roster.rules.clock - self._now())

    def _look(self) -> None:
        table = self._node.table
        kind = None if table is None else table.decision
        asked = None if table is None or kind is None else (table.history.current.place, kind)
        if asked != self._asked:
            self._asked, self._since = asked, self._now()
        if asked is not None and self.left == 0.0:
            self._decide(asked[1])

    def _decide(self, kind: Kind) -> None:
        node, player = self._node, self._player
        view = None if node.table is None else node.table.view()
        if view is None:
            return
        self._tell()
        if kind is Kind.PASS_SELECT:
            node.choose_pass(player.choose_pass(view))
        elif kind is Kind.PLAY:
            node.choose_card(player.choose_card(view))
        elif kind is Kind.CHOICE:
            node.choose_moon(player.choose_moon(view))
