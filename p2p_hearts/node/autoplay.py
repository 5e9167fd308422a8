"""A computer player in a seat: decides when the table asks, at a pace that people can follow."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from p2p_hearts.bots.player import Player
from p2p_hearts.node.node import Node
from p2p_hearts.node.terms import NodeError
from p2p_hearts.rules.view import View
from p2p_hearts.wire.messages import Kind

log = logging.getLogger(__name__)


class AutoPlayer:
    """Listens to a node and decides for it.

    Every decision takes the same ``pause``, forced or not: an instant card would tell the others
    that there was no choice.
    """

    def __init__(
        self,
        node: Node,
        player: Player,
        pause: float = 0.0,
        tell: Callable[[], None] = lambda: None,
    ) -> None:
        """Attach to ``node``; ``pause`` in seconds, ``tell`` is called at every decision."""
        self._node = node
        self._player = player
        self._pause = pause
        self._tell = tell
        self._task: asyncio.Task[None] | None = None
        node.listeners.append(self._look)

    def _look(self) -> None:
        table = self._node.table
        if table is None:
            return
        table.auto_vote = True
        if table.decision is None:
            return
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._decide())
            self._task.add_done_callback(self._decided)

    def _decided(self, task: asyncio.Task[None]) -> None:
        """A computer player that fails ends its node: the others would wait for it for ever."""
        if not task.cancelled() and task.exception() is not None:
            log.error("the computer player failed", exc_info=task.exception())
            self._node.fail(NodeError("the computer player of this seat failed"))

    async def _decide(self) -> None:
        await asyncio.sleep(self._pause)
        table = self._node.table
        view = None if table is None else table.view()
        if table is None or view is None:
            return
        self._choose(table.decision, view)

    def _choose(self, kind: Kind | None, view: View) -> None:
        node, player = self._node, self._player
        self._tell()
        if kind is Kind.PASS_SELECT:
            node.choose_pass(player.choose_pass(view))
        elif kind is Kind.PLAY and player.wants_claim(view):
            node.choose_claim()
        elif kind is Kind.PLAY:
            node.choose_card(player.choose_card(view))
        elif kind is Kind.CHOICE:
            node.choose_moon(player.choose_moon(view))
