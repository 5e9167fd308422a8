"""Tables of processes on loopback."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import patch

import zmq.asyncio

from p2p_hearts.net.codes import parse_address
from p2p_hearts.net.door import Door
from p2p_hearts.node import finding
from p2p_hearts.node.finding import look_at
from p2p_hearts.wire.lobby import TableCard
from tests.held import Decision
from tests.programs import LONG, Program

LOOPBACK = ("--interface", "127.0.0.1")
QUICK = ("--auto", "normal", "--pace", "0", *LOOPBACK)


def host(folder: Path, *arguments: str, name: str = "Ana", hold: Decision | None = None) -> Program:
    """Open a table that computer players of other processes can join."""
    return Program(
        *("host", "Sunday", "--port", "0", "--nick", name, "--events", *QUICK, *arguments),
        home=folder / name,
        hold=hold,
    )


def bot(
    folder: Path, where: str, name: str, *arguments: str, hold: Decision | None = None
) -> Program:
    """Let a computer player sit down."""
    return Program(
        *("bot", where, "--nick", name, "--pace", "0", "--events", *LOOPBACK, *arguments),
        home=folder / name,
        hold=hold,
    )


def address_of(program: Program) -> str:
    """Return what to type to join an open table: HOST:PORT#CODE."""
    opened = program.wait_event("open")
    return f"127.0.0.1:{opened['port']}#{opened['code']}"


def card_at(where: str) -> TableCard:
    """Return what a table's door shows; it may take as long as a busy machine does."""

    async def ask() -> TableCard:
        context = zmq.asyncio.Context()
        try:
            return (await look_at(context, parse_address(where))).card
        finally:
            context.destroy(linger=0)

    with patch.object(finding, "ADDRESS_SECONDS", LONG):
        return asyncio.run(ask())


def listening_ports(process: int) -> list[int]:
    """Return the TCP ports that a process listens at, from /proc; none once it has ended."""
    try:
        return _listening_ports(process)
    except FileNotFoundError:
        return []


def _listening_ports(process: int) -> list[int]:
    sockets = set()
    for link in Path(f"/proc/{process}/fd").iterdir():
        with contextlib.suppress(OSError):
            target = str(link.readlink())
            if target.startswith("socket:["):
                sockets.add(target[8:-1])
    ports = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{process}/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and fields[9] in sockets:
                ports.add(int(fields[1].rpartition(":")[2], 16))
    return sorted(ports)


@contextlib.contextmanager
def card_door(card: Callable[[], bytes]) -> Iterator[int]:
    """Serve a card as a host does, from a thread; yields the port."""
    ready = threading.Event()
    ports: list[int] = []
    loop = asyncio.new_event_loop()
    ended = asyncio.Event()

    async def serve() -> None:
        context = zmq.asyncio.Context()
        door = Door(context, 0, card, "127.0.0.1")
        ports.append(door.port)
        ready.set()
        await ended.wait()
        await door.close()
        context.destroy(linger=0)

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()))
    thread.start()
    try:
        assert ready.wait(60)
        yield ports[0]
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join(60)
        loop.close()
