"""Listening at the addresses of an interface, and dialling where sockets are short."""

from __future__ import annotations

import errno

import pytest
import zmq
import zmq.asyncio

from p2p_hearts.net import sockets
from p2p_hearts.net.addresses import LocalAddress
from p2p_hearts.net.errors import NetError
from tests.net.helpers import HOST, new_context, run

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
