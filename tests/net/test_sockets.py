"""Listening at the addresses of an interface, and dialling where sockets are short."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
import time
from collections.abc import Callable
from typing import Any

import pytest
import zmq
import zmq.asyncio

from p2p_hearts.net import sockets
from p2p_hearts.net.addresses import LocalAddress
from p2p_hearts.net.door import LATE_SECONDS, Door
from p2p_hearts.net.errors import NetError
from p2p_hearts.net.sockets import Trouble
from tests.net.helpers import HOST, PATIENCE, carry_to, fetch_card, new_context, run, serving, until

NOT_OURS = "192.0.2.1"
"""An address for documentation alone (RFC 5737): no machine has it."""


def interface_of(*addresses: str) -> tuple[LocalAddress, ...]:
    return tuple(LocalAddress("eth0", address, 2) for address in addresses)


def test_bind__an_address_that_the_interface_does_not_have_yet_keeps_none_of_the_others_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scene() -> None:
        context = new_context()
        for addresses in ([NOT_OURS, HOST], [HOST, NOT_OURS]):
            own = interface_of(*addresses)
            monkeypatch.setattr(sockets, "local_addresses", lambda interface, own=own: own)
            with context.socket(zmq.ROUTER) as sock:
                port = sockets.bind(sock, 0, "eth0")
                assert sock.last_endpoint == f"tcp://{HOST}:{port}".encode()

    run(scene())


def test_bind__an_interface_without_any_address_of_its_own_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scene() -> None:
        own = interface_of(NOT_OURS)
        monkeypatch.setattr(sockets, "local_addresses", lambda interface: own)
        with (
            new_context().socket(zmq.ROUTER) as sock,
            pytest.raises(NetError, match="Cannot listen on eth0"),
        ):
            sockets.bind(sock, 0, "eth0")

    run(scene())


def test_dial__where_no_socket_is_left_for_the_monitor_is_a_trouble_like_any_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[zmq.asyncio.Socket] = []

    def no_more(sock: zmq.asyncio.Socket, events: int = 0) -> zmq.asyncio.Socket:
        raise zmq.ZMQError(errno.EMFILE)

    async def scene() -> None:
        monkeypatch.setattr(sockets, "watch", no_more)
        with pytest.raises(sockets.DialError) as refused:
            await sockets.dial(new_context(), zmq.REQ, HOST, 7, opened.append)
        assert refused.value.trouble is sockets.Trouble.LOCAL
        assert opened[0].closed

    run(scene())


FAILED = zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL
HOUR_MS = 3_600_000


@pytest.mark.parametrize(
    ("event", "value", "longest", "trouble"),
    [
        (FAILED, errno.EPIPE, HOUR_MS, Trouble.WRONG_KEY),
        (FAILED, errno.ECONNRESET, HOUR_MS, Trouble.WRONG_KEY),
        (zmq.EVENT_DISCONNECTED, 0, HOUR_MS, Trouble.FOREIGN),
        (FAILED, errno.EAGAIN, HOUR_MS, Trouble.SILENT),
        # This program was stopped, and its timer had run out when it went on.
        (FAILED, errno.EINTR, HOUR_MS, Trouble.SILENT),
        # So late their timer has run out: nothing is said about what listens there.
        (FAILED, errno.EPIPE, -1, Trouble.SILENT),
        (zmq.EVENT_DISCONNECTED, 0, -1, Trouble.SILENT),
    ],
)
def test_dial__a_handshake_that_somebody_slept_through_tells_nothing_of_who_listens(
    monkeypatch: pytest.MonkeyPatch,
    event: int,
    value: int,
    longest: int,
    trouble: Trouble,
) -> None:
    told = [(zmq.EVENT_CONNECTED, 0), (event, value)]

    async def next_told(monitor: object) -> tuple[int, int]:
        return told.pop(0)

    async def scene() -> None:
        monkeypatch.setattr(sockets, "next_monitor_event", next_told)
        monkeypatch.setattr(sockets, "HANDSHAKE_MS", longest)
        with pytest.raises(sockets.DialError) as broken:
            await sockets.dial(new_context(), zmq.DEALER, HOST, 7, lambda sock: None)
        assert broken.value.trouble is trouble

    run(scene())


def test_dial__who_is_held_up_after_the_connect_takes_no_silence_for_a_refusal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sockets, "CONNECT_MS", 200)
    connect = zmq.asyncio.Socket.connect

    def held_up(sock: zmq.asyncio.Socket, where: str) -> Any:
        connecting = connect(sock, where)
        time.sleep(0.1)  # As on a busy machine: the connect goes on meanwhile.
        return connecting

    async def scene() -> None:
        monkeypatch.setattr(zmq.asyncio.Socket, "connect", held_up)
        full, waiting = full_listener()
        with pytest.raises(sockets.DialError) as broken:
            await sockets.dial(new_context(), zmq.REQ, HOST, full.getsockname()[1], prepared)
        assert broken.value.trouble is Trouble.SILENT
        for one in (full, *waiting):
            one.close()

    def prepared(sock: zmq.asyncio.Socket) -> None:
        sockets.prepare(sock, frame_bytes=100, queue=1)

    run(scene())


def test_fetch_card__dials_again_where_nothing_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a LAN that loses frames: a full queue of listeners drops whoever dials."""
    dial, dialled = sockets.dial, list[int]()
    monkeypatch.setattr(sockets, "CONNECT_MS", 200)

    async def counted(
        context: zmq.asyncio.Context,
        kind: int,
        host: str,
        port: int,
        configure: Callable[[zmq.asyncio.Socket], None],
    ) -> Any:
        dialled.append(port)
        return await dial(context, kind, host, port, configure)

    async def scene() -> None:
        monkeypatch.setattr("p2p_hearts.net.door.dial", counted)
        context = new_context()
        door = Door(context, 0, lambda: b"card", HOST)

        async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await carry_to(door.port, reader, writer)

        full, waiting = full_listener()
        port = full.getsockname()[1]
        fetching = asyncio.create_task(fetch_card(context, HOST, port))
        await until(lambda: len(dialled) > 2)
        assert not fetching.done()
        for one in waiting:
            one.close()
        async with serving(carry, full):
            assert await fetching == b"card"
        await door.close()

    run(scene())


def full_listener() -> tuple[socket.socket, list[socket.socket]]:
    """Return a socket that listens and takes nobody in any more, and who waits at it."""
    full = socket.socket()
    full.bind((HOST, 0))
    full.listen(0)
    full.setblocking(False)
    waiting = []
    for _ in range(3):
        one = socket.socket()
        one.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            one.connect(full.getsockname())
        waiting.append(one)
    return full, waiting


@pytest.mark.parametrize(("times", "answers"), [(1, True), (2, False)])
def test_fetch_card__asks_once_more_where_this_program_was_stopped_meanwhile(
    monkeypatch: pytest.MonkeyPatch, times: int, answers: bool
) -> None:
    """A suspended job that comes back knows nothing of who listens."""
    dial, dialled = sockets.dial, list[int]()

    async def stopped(
        context: zmq.asyncio.Context,
        kind: int,
        host: str,
        port: int,
        configure: Callable[[zmq.asyncio.Socket], None],
    ) -> Any:
        dialled.append(port)
        if len(dialled) <= times:
            loop, now = asyncio.get_running_loop(), asyncio.get_running_loop().time
            monkeypatch.setattr(loop, "time", lambda: now() + PATIENCE + 2 * LATE_SECONDS)
            await asyncio.Future()
        return await dial(context, kind, host, port, configure)

    async def scene() -> None:
        monkeypatch.setattr("p2p_hearts.net.door.dial", stopped)
        context = new_context()
        door = Door(context, 0, lambda: b"card", HOST)
        if answers:
            assert await fetch_card(context, HOST, door.port, PATIENCE) == b"card"
        else:
            with pytest.raises(NetError, match="does not answer"):
                await fetch_card(context, HOST, door.port, PATIENCE)
        assert dialled == [door.port] * 2
        await door.close()

    run(scene(), 10 * PATIENCE)
