"""A host's computer players: processes of their own that stop with their host, and come back.

    HOME/computers/TABLE/bot-N      the folder of each, while the table is not over
    HOME/computers/TABLE/how.json   how they play, and whether others can reach the table

Errors: ``HomeError`` where the folder cannot be made.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import shutil
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path
from types import TracebackType

from p2p_hearts.arguments import LEVELS
from p2p_hearts.commands.peers import BOT_NAMES, Peers
from p2p_hearts.commands.seat import is_person
from p2p_hearts.home import Home, HomeError, is_used
from p2p_hearts.home.files import PRIVATE_FOLDER, cannot_write, write_private
from p2p_hearts.i18n import _, os_reason
from p2p_hearts.net.addresses import local_addresses
from p2p_hearts.net.codes import Address
from p2p_hearts.node.node import Node
from p2p_hearts.node.returning import open_seats
from p2p_hearts.node.terms import PORTS, NodeError
from p2p_hearts.table.lobby import FounderLobby

log = logging.getLogger(__name__)

LOOPBACK = "127.0.0.1"

FIRST_PICTURE_SECONDS = 0.05
"""The table is drawn before computer players start: they want the processor for themselves."""

LOOK_SECONDS = 0.2
"""Between two looks whether a folder is free again."""

KEPT_TABLES = 10
"""Tables that were left and never finished, a few MiB each: of older ones nobody comes back."""

_HOW = "how.json"


class Companions:
    """The computer players that a host seats at the table it opens; a context that ends them.

    Their folders stay while the table is not over, for ``bring_back``.
    """

    def __init__(
        self,
        node: Node,
        lobby: FounderLobby,
        folder: Path,
        address: Address,
        arguments: argparse.Namespace,
    ) -> None:
        """``address``: where a process of this machine reaches the table."""
        self.say: Callable[[str], None] = lambda _sentence: None
        """Tells the person at the table, once there is a front end."""
        self._node = node
        self._lobby = lobby
        self._address = address
        self._arguments = arguments
        self._peers = _peers(folder, node)
        self._coming: dict[asyncio.Task[None], str] = {}
        self._seated: set[str] = set()
        """Who of them was seen to sit, and may have left since."""
        self._started = 0
        node.listeners.append(self._look)

    async def __aenter__(self) -> Companions:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for task in tuple(self._coming):
            await _ended(task)
        await self._peers.__aexit__(kind, error, trace)

    def begin(self, count: int) -> None:
        """Seat the first ones; the table is given up when one cannot sit down."""
        for _number in range(count):
            self._seat(self._first_failed)

    @property
    def may_add(self) -> bool:
        """Whether a seat is free that no computer player is on its way to."""
        node = self._node
        sitting = zip(self._lobby.nicks, self._lobby.identities, strict=True)
        seated = sum(node.people.is_computer(nick, key) for nick, key in sitting)
        is_looking = self._lobby.roster is None  # also once a formation was given up
        # One that has failed may still sit, until its silence is noticed.
        return is_looking and self._lobby.free > max(0, len(self._coming) - seated)

    def add(self) -> str:
        """Seat one more, and return what to tell the person; ``say`` tells what comes later."""
        if not self.may_add:
            return _("There is no free seat for a computer player.")
        self._seat(self._failed)
        return _("A computer player comes in a moment.")

    def _first_failed(self, reason: str, sat: bool) -> None:
        if sat and is_person(self._arguments):
            self._failed(reason, sat)  # who may seat another one
            return
        told = _("a computer player could not sit down: {reason}")
        self._node.fail(NodeError(told.format(reason=reason)))

    def _failed(self, reason: str, sat: bool) -> None:
        told = _("A computer player could not sit down: {reason}")
        if sat:
            told = _("A computer player has failed, and its seat is free again soon: {reason}")
        self.say(told.format(reason=reason))

    def _seat(self, failed: Callable[[str, bool], None]) -> None:
        """Start one; ``failed`` takes why it ended before the draw, and whether it had a seat."""
        name = next(name for name in _names() if not self._is_taken(name))
        self._seated.discard(name)  # that was another one of this name
        come = self._come(self._started, name, failed)
        self._started += 1
        task = asyncio.get_running_loop().create_task(come)
        self._coming[task] = name
        task.add_done_callback(self._coming.pop)

    def _is_taken(self, name: str) -> bool:
        """Whether a computer player of this name could not sit down: its name is its key, too."""
        taken = {self._node.nick, *self._coming.values()}
        return name in taken or self._lobby.has_left_out(self._key(name))

    def _key(self, name: str) -> bytes:
        return self._node.home.identity.companion(name).public

    async def _come(self, number: int, name: str, failed: Callable[[str, bool], None]) -> None:
        """Start a computer player, and tell if it cannot sit down; later it is waited for."""
        await asyncio.sleep(FIRST_PICTURE_SECONDS)
        arguments = self._arguments
        try:
            peer = await self._peers.start_bot(
                number,
                name,
                self._address,
                arguments.level,
                arguments.pace,
                arguments.think,
                options=_link_options(arguments),
                port=arguments.port or 0,
                of=self._node.home.identity,
                heard=False,
            )
            reason = await self._peers.failure(peer)
        except (OSError, HomeError) as error:
            reason = os_reason(error)
        if reason is not None and not self._node.formed:
            self._look()
            failed(reason, name in self._seated)

    def _look(self) -> None:
        sitting = set(self._lobby.identities)
        self._seated |= {name for name in self._coming.values() if self._key(name) in sitting}


def _names() -> Iterator[str]:
    """Return what computer players may be called, without end."""
    yield from BOT_NAMES
    for number in count(2):
        yield from (f"{name} {number}" for name in BOT_NAMES)


async def bring_back(
    stack: AsyncExitStack, node: Node, instance: bytes, arguments: argparse.Namespace
) -> None:
    """Start the computer players of a table again, in the seats that they had.

    Those that a host which was killed has left behind are waited for: they end by themselves.
    """
    folder = _folder(node.home, instance)
    bots = sorted(path for path in folder.glob("bot-*") if any((path / "seats").glob("*.json")))
    if not bots:
        return
    peers = await stack.enter_async_context(_peers(folder, node))
    level, _alone = _how(folder)
    where = Address(own_host(arguments.interface), node.links.table_port)
    words = ["--auto", level, "--pace", str(arguments.pace), "--think", str(arguments.think)]
    words += ["--at", str(where), *_link_options(arguments)]

    async def seat(number: int, bot: Path) -> None:
        port = ("--port", str(arguments.port + number * PORTS)) if arguments.port else ()
        while is_used(bot):
            await asyncio.sleep(LOOK_SECONDS)
        try:
            peer = await peers.start(bot.name, "resume", *words, *port, heard=False)
            reason = await peers.failure(peer)
        except OSError as error:
            reason = os_reason(error)
        if reason is not None:
            log.warning("a computer player did not come back: %s", reason)

    for number, bot in enumerate(bots, 1):
        stack.push_async_callback(_ended, asyncio.create_task(seat(number, bot)))


def new_folder(home: Home, instance: bytes, level: str, interface: str | None) -> Path:
    """Return the folder of the computer players of a new table; those of tables that are over go.

    Raises:
        HomeError: it cannot be made.
    """
    _forget_others(home)
    folder = _folder(home, instance)
    try:
        folder.mkdir(mode=PRIVATE_FOLDER, parents=True)
    except OSError as error:
        raise cannot_write(folder, error) from None
    how = {"level": level, "alone": interface == LOOPBACK}
    write_private(folder / _HOW, json.dumps(how).encode())
    return folder


def own_host(interface: str | None) -> str:
    """Return an address where a process of this machine reaches the table."""
    return LOOPBACK if interface is None else local_addresses(interface)[0].address


def was_alone(home: Home, instance: bytes) -> bool:
    """Whether a table was of this machine alone, as that of ``play``."""
    return _how(_folder(home, instance))[1]


def _peers(folder: Path, node: Node) -> Peers:
    """Return what starts them; their folders stay where there is something to come back to."""

    def is_unfinished() -> bool:
        return node.formed and node.table is not None and not node.table.over

    return Peers(folder, home=node.home.path, kept=is_unfinished)


def _link_options(arguments: argparse.Namespace) -> list[str]:
    """Return the options that let others reach the computer players where they reach the host."""
    options = [] if arguments.interface is None else [f"--interface={arguments.interface}"]
    return options + [f"--advertise={address}" for address in arguments.advertise or ()]


def _folder(home: Home, instance: bytes) -> Path:
    return home.path / "computers" / instance.hex()[:32]


def _how(folder: Path) -> tuple[str, bool]:
    """Return the level of the computer players, and whether the table was of this machine alone."""
    try:
        how = json.loads((folder / _HOW).read_bytes())
        level, alone = how["level"], how["alone"]
    except (OSError, ValueError, KeyError, TypeError):
        return "normal", False
    return level if level in LEVELS else "normal", alone is True


def _forget_others(home: Home) -> None:
    """Remove the folders of tables that there is no way back to, or that were left long ago."""
    try:
        latest = open_seats(home)[:KEPT_TABLES]
        kept = {_folder(home, roster.instance) for _seat, roster in latest}
    except HomeError:
        return  # which tables there is a way back to is not known, and a new one needs none
    for folder in (home.path / "computers").glob("*"):
        if folder not in kept:
            shutil.rmtree(folder, ignore_errors=True)


async def _ended(task: asyncio.Task[None]) -> None:
    """Cancel a task and wait until it is gone."""
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
