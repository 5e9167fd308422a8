"""Nodes of one process on loopback, and guests that break off in the middle."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Generic, TypeVar

from p2p_hearts.bots.player import make_player
from p2p_hearts.cards.tablekey import make_table_key
from p2p_hearts.home import Home
from p2p_hearts.net.keys import CurveKeys
from p2p_hearts.net.links import Links
from p2p_hearts.node.node import Node
from p2p_hearts.node.returning import choose_seat, come_back
from p2p_hearts.node.terms import TAG_JOIN, Patience, Where
from p2p_hearts.node.watching import WatchingNode
from p2p_hearts.rules.options import PRESETS, RuleSet
from p2p_hearts.table.lobby import GuestLobby
from p2p_hearts.table.machine import Table
from p2p_hearts.wire.envelope import Identity
from p2p_hearts.wire.lobby import Hello, TableCard, open_lobby, sign_lobby
from p2p_hearts.wire.messages import VERSION
from tests.held import Decision, HeldPlayer

HOST = "127.0.0.1"
RULES = replace(PRESETS["black-lady"], seats=3, hands=1)
FIRST: Decision = (1, 0)
PATIENT = Patience(join=0.2, forming=60.0, ask=60.0, visit=60.0, linger=10.0, fault=0.5)
"""Nobody is given up only because the machine is busy; see ``Room.lose_patience``."""


def run(work: Callable[[], Awaitable[None]], seconds: float = 500) -> None:
    """Run a test's coroutine, at most so long."""

    async def bounded() -> None:
        async with asyncio.timeout(seconds):
            await work()

    asyncio.run(bounded())


async def until(true: Callable[[], object], seconds: float = 240) -> None:
    """Wait for a condition."""
    async with asyncio.timeout(seconds):
        while not true():
            await asyncio.sleep(0.02)


N = TypeVar("N", Node, WatchingNode)


class Running(Generic[N]):
    """A node with a folder and the task that runs it."""

    def __init__(self, node: N) -> None:
        self.node: N = node
        self.task = asyncio.get_running_loop().create_task(node.run())
        self._closed = False

    async def close(self) -> None:
        """End in order; a second time does nothing."""
        if self._closed:
            return
        self._closed = True
        self.node.stop()
        await asyncio.gather(self.task, return_exceptions=True)
        await self.node.close()
        self.node.home.close()


class Peer(Running[Node]):
    """Somebody at a table, with a computer player."""

    def __init__(
        self, node: Node, going: asyncio.Event, pause: float = 0.0, since: Decision = FIRST
    ) -> None:
        """``going``: set once decisions from ``since`` on may be taken."""

        async def wait(decision: Decision) -> None:
            if decision >= since:
                await going.wait()

        HeldPlayer(node, make_player("easy"), pause, wait=wait)
        super().__init__(node)

    async def vanish(self) -> None:
        """End without a word, as a killed process does."""
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)
        await self.close()

    @property
    def logs(self) -> list[Path]:
        """The logs in its folder."""
        return sorted(self.node.home.games.iterdir())


Onlooker = Running[WatchingNode]
"""Somebody who watches."""


class Room:
    """One table and its guests; everybody is closed at the end."""

    def __init__(
        self,
        folder: Path,
        rules: RuleSet = RULES,
        patience: Patience = PATIENT,
        pause: float = 0.0,
        held: bool = False,
        since: Decision = FIRST,
    ) -> None:
        """``pause``: seconds that every player takes for a decision.

        ``held``: nobody takes a decision from ``since`` on before ``let_go``, so that no match is
        over before.
        """
        self._pause = pause
        self._since = since
        self._going = asyncio.Event()
        if not held:
            self._going.set()
        self._folder = folder
        self._rules = rules
        self._patience = patience
        self._stack = contextlib.AsyncExitStack()
        self._nodes: list[Node | WatchingNode] = []

    async def __aenter__(self) -> Room:
        return self

    async def __aexit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if error is not None:
            for node in self._nodes:
                error.add_note(_story(node))
        await self._stack.aclose()

    def let_go(self) -> None:
        """Let the players decide."""
        self._going.set()

    async def lose_patience(self, true: Callable[[Table], object]) -> None:
        """Let the founder have waited for the draw for long enough once this is true."""
        node = self.founder.node
        await until(lambda: node.table is not None and true(node.table))
        node._formed_since -= self._patience.forming

    async def found(self, nick: str = "Ana", code: str = "") -> Peer:
        """Open the table."""
        node = await self._node(nick)
        node.open_table(secrets.token_bytes(32), self._rules, "Sunday", code)
        self.founder = self._peer(node)
        return self.founder

    async def join(
        self,
        nick: str,
        code: str = "",
        folder: str | None = None,
        card: TableCard | None = None,
    ) -> Peer:
        """Ask for a seat."""
        node = await self._node(nick, folder)
        node.ask_for_seat(card or self.card, self.lobby, code)
        return self._peer(node)

    async def fill(self, *guests: str) -> list[Peer]:
        """Open the table, and let these ask for seats; return all, the founder first."""
        return [await self.found(), *[await self.join(guest) for guest in guests]]

    async def resume(self, nick: str) -> Peer:
        """Come back to the seat that a player of this room had."""
        home = Home(self._folder / nick)
        seat, roster = choose_seat(home, None)
        return self._peer(await come_back(home, seat, roster, Where(HOST), now=0))

    async def watch(
        self,
        nick: str,
        code: str = "",
        folder: str | None = None,
        log: Path | None = None,
    ) -> Onlooker:
        """Ask to watch."""
        home = Home(self._folder / (folder or nick))
        node = await WatchingNode.create(home, nick, Where(HOST), self._patience, log=log)
        node.ask_to_watch(self.card, self.lobby, code)
        self._nodes.append(node)
        watcher = Onlooker(node)
        self._stack.push_async_callback(watcher.close)
        return watcher

    @property
    def card(self) -> TableCard:
        """The card that the founder shows now."""
        return open_lobby(self.founder.node.card(), TableCard)

    @property
    def lobby(self) -> list[tuple[str, int]]:
        """Where the founder's lobby listens."""
        return [(HOST, self.founder.node.links.lobby_port)]

    @contextlib.asynccontextmanager
    async def quitter(self, nick: str) -> AsyncIterator[Identity]:
        """Sit down as a guest that says hello again and again, and nothing else, ever."""
        identity = Identity.from_private_bytes(secrets.token_bytes(32))
        keys, card = CurveKeys.generate(), self.card
        public, proof = make_table_key(
            secrets.token_bytes(32), card.instance, identity.public, keys.public
        )
        async with await Links.open(keys, interface=HOST) as links:
            hello = Hello(
                version=VERSION,
                instance=card.instance,
                author=identity.public,
                curve=keys.public,
                nick=nick,
                addresses=[(HOST, links.table_port)],
                table_key=public,
                table_proof=proof,
            )
            guest = GuestLobby(card, sign_lobby(identity, hello))
            links.connect(card.curve, self.lobby)

            async def repeat() -> None:
                while True:
                    links.send(card.curve, TAG_JOIN + guest.join())
                    await asyncio.sleep(0.2)

            repeating = asyncio.create_task(repeat())
            try:
                yield identity
            finally:
                repeating.cancel()
                await asyncio.gather(repeating, return_exceptions=True)

    async def _node(self, nick: str, folder: str | None = None) -> Node:
        home = Home(self._folder / (folder or nick))
        return await Node.create(home, nick, Where(HOST), self._patience)

    def _peer(self, node: Node) -> Peer:
        self._nodes.append(node)
        peer = Peer(node, self._going, self._pause, self._since)
        self._stack.push_async_callback(peer.close)
        return peer


def _story(node: Node | WatchingNode) -> str:
    """Tell where a node of a failed test stands."""
    table = node.table
    if table is None:
        return f"{node.nick}: no table"
    return (
        f"{node.nick}: over {table.over}, fault {table.fault}, "
        f"{len(table.history.rounds)} rounds, waiting for {table.waiting()}, "
        f"links up {[node.links.is_up(entry.curve) for entry in table.roster.entries]}"
    )
