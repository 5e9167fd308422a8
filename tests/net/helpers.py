"""Peers on loopback, and a bound on the time of every asynchronous test."""

from __future__ import annotations

import asyncio
import contextlib
import random
import socket
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import replace

import pytest
import zmq
import zmq.asyncio

from p2p_hearts.net import door
from p2p_hearts.net.advert import Advert
from p2p_hearts.net.keys import CurveKeys
from p2p_hearts.net.links import Links
from p2p_hearts.net.terms import Limits, LinkEvent, Received

HOST = "127.0.0.1"
QUICK = replace(Limits(), redial_first=0.05, redial_longest=0.2)


def _has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as sock:
            sock.bind(("::1", 0))
    except OSError:
        return False
    return True


needs_ipv6 = pytest.mark.skipif(not _has_ipv6(), reason="this machine has no IPv6")

ADVERT = Advert(
    table="a1b2c3",
    name="Sunday table",
    nick="Ana",
    version=1,
    preset="classic",
    seats=4,
    free=3,
)
"""What a table says of itself."""


_links: list[Links] = []
_contexts: list[zmq.asyncio.Context] = []
_raw: list[zmq.asyncio.Socket] = []


PATIENCE = 120.0
"""Seconds for what takes less than one on an idle machine."""


def run(work: Coroutine[None, None, None], seconds: float = 2 * PATIENCE) -> None:
    """Run a test's coroutine, at most so long, and close what it left open."""

    async def bounded() -> None:
        try:
            await asyncio.wait_for(work, seconds)
        finally:
            await close(*_links)
            _links.clear()
            while _raw:
                _raw.pop().close()
            while _contexts:
                _contexts.pop().destroy(linger=0)

    asyncio.run(bounded())


def new_context() -> zmq.asyncio.Context:
    """Make a context that ``run`` destroys."""
    _contexts.append(zmq.asyncio.Context())
    return _contexts[-1]


async def open_links(
    keys: CurveKeys | None = None, lobby_port: int = 0, table_port: int = 0, limits: Limits = QUICK
) -> Links:
    """Open links on loopback."""
    links = await Links.open(
        keys or CurveKeys.generate(),
        lobby_port=lobby_port,
        table_port=table_port,
        interface=HOST,
        limits=limits,
    )
    _links.append(links)
    return links


def seat(*peers: Links) -> None:
    """Admit all to each other's tables and let all dial all."""
    for peer in peers:
        others = [other for other in peers if other is not peer]
        peer.admit(other.public_key for other in others)
        for other in others:
            peer.connect(other.public_key, [(HOST, other.table_port)])


async def until(true: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Wait for a condition."""
    async with asyncio.timeout(seconds):
        while not true():
            await asyncio.sleep(0.01)


async def receive(links: Links, seconds: float = PATIENCE) -> Received:
    """Receive one frame, at most so long."""
    async with asyncio.timeout(seconds):
        return await links.receive()


async def event(
    links: Links, wanted: Callable[[LinkEvent], bool], seconds: float = PATIENCE
) -> LinkEvent:
    """Skip to the first event that is wanted."""
    async with asyncio.timeout(seconds):
        while True:
            came = await links.next_event()
            if wanted(came):
                return came


async def fetch_card(
    context: zmq.asyncio.Context, host: str, port: int, timeout: float = PATIENCE
) -> bytes:
    """Ask for a card, and wait longer for it than a person would."""
    return await door.fetch_card(context, host, port, timeout)


async def close(*peers: Links) -> None:
    """Close all at once."""
    await asyncio.gather(*(peer.close() for peer in peers))


def free_ports(count: int) -> list[int]:
    """Return TCP ports of loopback that nobody holds now, nor the system gives away unasked."""
    return free_rows(count, 1)


def free_rows(count: int, length: int) -> list[int]:
    """Return the first ports of rows of that length, all of them free as in ``free_ports``.

    A port beside one that the system gave is as likely as not the end of a line of somebody else,
    which holds it for a minute after the line was closed.
    """
    found: list[int] = []
    for first in random.sample(range(20_000, 30_000, length), 10_000 // length):
        with contextlib.ExitStack() as stack, contextlib.suppress(OSError):
            for port in range(first, first + length):
                stack.enter_context(socket.socket()).bind((HOST, port))
            found.append(first)
        if len(found) == count:
            return found
    raise AssertionError("no free ports")


def raw_socket(context: zmq.asyncio.Context, kind: int) -> zmq.asyncio.Socket:
    """Make a socket that ``run`` closes."""
    sock = context.socket(kind)
    sock.linger = 0
    _raw.append(sock)
    return sock


def raw_dealer(
    context: zmq.asyncio.Context, keys: CurveKeys, server: bytes, port: int
) -> zmq.asyncio.Socket:
    """Connect as somebody whose program is not ours."""
    sock = raw_socket(context, zmq.DEALER)
    sock.curve_serverkey = server
    sock.curve_publickey = keys.public
    sock.curve_secretkey = keys.secret
    sock.connect(f"tcp://{HOST}:{port}")
    return sock


Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[None, None, None]]


@contextlib.asynccontextmanager
async def serving(serve: Serve, sock: socket.socket | None = None) -> AsyncIterator[int]:
    """Serve whoever connects, at a port of loopback; in the end nobody is connected any more.

    Nobody may dial any more when the block ends. A line that came in at the last moment would else
    be left open: by a task that is ended before it begins, or by a server that is closed between
    its accept and its transport.
    """
    tasks: list[asyncio.Task[None]] = []
    lines: list[asyncio.StreamWriter] = []

    def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lines.append(writer)
        tasks.append(asyncio.create_task(serve(reader, writer)))

    where = {"host": HOST, "port": 0} if sock is None else {"sock": sock}
    server = await asyncio.start_server(take, **where)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        for _ in range(5):  # Whom it is about to take is taken.
            await asyncio.sleep(0)
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for line in lines:
            line.transport.abort()
        await asyncio.gather(*(line.wait_closed() for line in lines), return_exceptions=True)


async def open_tcp(port: int, data: bytes) -> socket.socket:
    """Connect a plain TCP socket, say ``data`` and hold the line; the caller closes it."""
    loop = asyncio.get_running_loop()
    sock = socket.socket()
    sock.setblocking(False)
    await loop.sock_connect(sock, (HOST, port))
    with contextlib.suppress(OSError):
        await loop.sock_sendall(sock, data)
    return sock


async def carry_to(port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Carry what comes by a line to another port of loopback, and back what is said there."""
    there, back = await asyncio.open_connection(HOST, port)
    try:
        await asyncio.gather(_pour(reader, back), _pour(there, writer))
    finally:
        back.close()


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Carry bytes until there are no more."""
    with contextlib.suppress(ConnectionError):
        while data := await reader.read(4096):
            writer.write(data)
            await writer.drain()
    writer.close()
