"""A computer player in a seat: decides when the table asks, at a pace that people can follow."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial

from p2p_hearts.bots.player import Player
from p2p_hearts.i18n import _
from p2p_hearts.node.node import Node
from p2p_hearts.node.terms import NodeError
from p2p_hearts.node.thinking import Quick, Thinker
from p2p_hearts.rules.view import View
from p2p_hearts.wire.messages import Kind

log = logging.getLogger(__name__)


class AutoPlayer:
    """Listens to a node and decides for it.

    Every decision takes the same ``pause``, forced or not: an instant card would tell the others
    that there was no choice. Thinking goes on meanwhile, and may take longer.
    """

    def __init__(
        self,
        node: Node,
        player: Player,
        pause: float = 0.0,
        tell: Callable[[], None] = lambda: None,
        thinker: Thinker | None = None,
    ) -> None:
        """Attach to ``node``; ``pause`` in seconds, ``tell`` is called at every decision.

        A ``thinker`` decides on cards and passes; without one ``player`` does.
        """
        self._node = node
        self._player = player
        self._thinker = thinker or Quick(player)
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
            self._node.fail(NodeError(_("the computer player of this seat failed")))

    async def close(self) -> None:
        """Decide no more, and end what was begun for thinking."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._thinker.close()

    async def _decide(self) -> None:
        end = asyncio.get_running_loop().time() + self._pause
        while True:
            table = self._node.table
            view = None if table is None else table.view()
            if table is None or view is None or table.decision is None:
                return
            decide = await self._think(table.decision, view)
            await asyncio.sleep(max(0.0, end - asyncio.get_running_loop().time()))
            if self._node.table is table and table.view() == view:
                self._tell()
                decide()
                return
            # The table went on meanwhile: without this seat, or with another attempt.

    async def _think(self, kind: Kind, view: View) -> Callable[[], object]:
        """Return what tells the node the decision."""
        node, player, thinker = self._node, self._player, self._thinker
        if kind is Kind.PASS_SELECT:
            return partial(node.choose_pass, await thinker.choose_pass(view))
        if kind is Kind.PLAY and player.wants_claim(view):
            return node.choose_claim
        if kind is Kind.PLAY:
            return partial(node.choose_card, await thinker.choose_card(view))
        if kind is Kind.CHOICE:
            return partial(node.choose_moon, player.choose_moon(view))
        return lambda: None
