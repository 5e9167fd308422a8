from __future__ import annotations

import asyncio
import random
import time

import pytest
import zmq
import zmq.asyncio

from p2p_hearts.net import guard
from p2p_hearts.net.door import EACH, MAX_CARD, REQUEST, Door
from p2p_hearts.net.errors import NetError
from p2p_hearts.net.sockets import receive_parts
from tests.net.helpers import (
    HOST,
    PATIENCE,
    carry_to,
    fetch_card,
    free_ports,
    needs_ipv6,
    new_context,
    open_links,
    open_tcp,
    raw_socket,
    run,
    serving,
)


async def ask(context: zmq.asyncio.Context, port: int, parts: list[bytes]) -> list[bytes]:
    """Send a request of our own making; return its answer."""
    sock = raw_socket(context, zmq.DEALER)
    sock.connect(f"tcp://{HOST}:{port}")
    await sock.send_multipart(parts)
    return await asyncio.wait_for(sock.recv_multipart(), PATIENCE)


async def is_ignored(context: zmq.asyncio.Context, port: int, parts: list[bytes]) -> bool:
    """Whether a request gets no answer, though one after it does."""
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(ask(context, port, parts), 0.3)
    return await ask(context, port, [b"", REQUEST]) == [b"", b"card"]


def test_door__shows_the_current_card_to_anybody() -> None:
    async def scene() -> None:
        context = new_context()
        cards = [b"new card", b"old card"]
        door = Door(context, 0, cards.pop)
        other = new_context()
        assert await fetch_card(other, HOST, door.port) == b"old card"
        assert await fetch_card(other, HOST, door.port) == b"new card"
        assert await fetch_card_by_name(other, door.port, cards) == b"named"
        await door.close()

    async def fetch_card_by_name(
        context: zmq.asyncio.Context, port: int, cards: list[bytes]
    ) -> bytes:
        cards.append(b"named")
        return await fetch_card(context, "localhost", port)

    run(scene())


@needs_ipv6
def test_door__shows_its_card_over_ipv6() -> None:
    async def scene() -> None:
        context = new_context()
        door = Door(context, 0, lambda: b"card")
        for host in ("::1", HOST):
            assert await fetch_card(context, host, door.port) == b"card"
        await door.close()

    run(scene())


def test_door__one_failure_is_logged_and_the_next_who_asks_is_answered(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail_once(sock: zmq.asyncio.Socket) -> list[zmq.Frame]:
        monkeypatch.setattr("p2p_hearts.net.door.receive_parts", receive_parts)
        raise RuntimeError("a fault of ours")

    async def scene() -> None:
        monkeypatch.setattr("p2p_hearts.net.door.receive_parts", fail_once)
        context = new_context()
        door = Door(context, 0, lambda: b"card", HOST)
        assert await fetch_card(context, HOST, door.port) == b"card"
        await door.close()
        assert "a fault of ours" in caplog.text

    run(scene())


def test_door__shares_the_context_of_guarded_links() -> None:
    async def scene() -> None:
        links = await open_links()
        door = Door(links.context, 0, lambda: b"card", HOST)
        assert await fetch_card(links.context, HOST, door.port) == b"card"
        await door.close()

    run(scene())


def test_door__a_taken_port_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    # A port is free again once its watch has ended, however late that is.
    monkeypatch.setattr(guard, "_CLOSE_SECONDS", PATIENCE)

    async def scene() -> None:
        context = new_context()
        door = Door(context, 0, lambda: b"card")
        with pytest.raises(NetError, match=rf"Port {door.port} is already taken.*--port"):
            Door(context, door.port, lambda: b"card")
        for _ in range(20):
            await door.close()
            door = Door(context, door.port, lambda: b"card")
        await door.close()
        await door.close()

    run(scene())


def test_door__anything_but_the_request_gets_an_empty_reply_or_none() -> None:
    async def scene() -> None:
        context = new_context()
        door = Door(context, 0, lambda: b"card", HOST)
        assert await ask(context, door.port, [b"", REQUEST]) == [b"", b"card"]
        assert await ask(context, door.port, [b"", b"p2p-hearts card 2"]) == [b"", b""]
        assert await ask(context, door.port, [b"", b""]) == [b"", b""]
        for parts in ([REQUEST], [b"", REQUEST, b""], [b"x", REQUEST], [b""] * 200):
            assert await is_ignored(context, door.port, parts)
        assert await is_ignored(context, door.port, [b"", bytes(1000)])
        assert await fetch_card(context, HOST, door.port) == b"card"
        assert door.answered == 2 + 5
        await door.close()

    run(scene())


def test_door__a_card_that_fails_or_is_too_large_is_not_shown(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def scene() -> None:
        context = new_context()
        for card in (lambda: bytes(MAX_CARD + 1), lambda: bytes([256])):
            door = Door(context, 0, card, HOST)
            for _ in range(2):
                with pytest.raises(NetError, match="does not show its card"):
                    await fetch_card(context, HOST, door.port)
            await door.close()
        door = Door(context, 0, lambda: bytes(MAX_CARD), HOST)
        assert await fetch_card(context, HOST, door.port) == bytes(MAX_CARD)
        await door.close()

    run(scene())


def test_door__one_address_asks_only_so_often() -> None:
    async def scene() -> None:
        context = new_context()
        door = Door(context, 0, lambda: b"card", HOST)
        sock = raw_socket(context, zmq.DEALER)
        sock.connect(f"tcp://{HOST}:{door.port}")
        start = time.monotonic()
        replies = []
        for _ in range(150):
            # One at a time: a door that is busy drops what does not fit its queue.
            await sock.send_multipart([b"", REQUEST])
            replies.append((await sock.recv_multipart())[1])
        spent = time.monotonic() - start
        assert EACH.burst <= replies.count(b"card") <= EACH.burst + EACH.per_second * spent + 1
        assert replies.count(b"") == 150 - replies.count(b"card")
        await door.close()

    run(scene())


def test_door__random_bytes_do_not_misdirect_answers() -> None:
    """A REP socket fails this: fed with garbage, its next answer goes to the wrong peer."""

    async def scene() -> None:
        noise = random.Random(2)
        context = new_context()
        door = Door(context, 0, lambda: b"card", HOST)
        held = []
        for _ in range(300):
            held.append(await open_tcp(door.port, noise.randbytes(noise.randrange(1, 400))))
            if len(held) > 30:
                held.pop(0).close()
            await asyncio.sleep(0)
        assert await fetch_card(context, HOST, door.port) == b"card"
        for sock in held:
            sock.close()
        assert await fetch_card(context, HOST, door.port) == b"card"
        await door.close()

    run(scene())


def test_fetch_card__says_what_is_wrong_with_an_address() -> None:
    async def scene() -> None:
        context = new_context()
        with pytest.raises(NetError, match="No table is open"):
            await fetch_card(context, HOST, free_ports(1)[0])
        with pytest.raises(NetError, match="Nobody knows a computer called no-such-host"):
            await fetch_card(context, "no-such-host.invalid", 7)
        links = await open_links()
        for port in (links.lobby_port, links.table_port):
            with pytest.raises(NetError, match="is no table of p2p-hearts"):
                await fetch_card(context, HOST, port)

    run(scene())


def test_fetch_card__asks_again_whom_it_lost_once() -> None:
    """As on a LAN that loses many frames: a line that breaks off proves nothing of who listens."""
    came = 0

    async def scene() -> None:
        context = new_context()
        door = Door(context, 0, lambda: b"card", HOST)

        async def breaks_off_once(
            reader: asyncio.StreamReader, writer: asyncio.StreamWriter
        ) -> None:
            nonlocal came
            came += 1
            if came == 1:
                writer.close()
                return
            await carry_to(door.port, reader, writer)

        async with serving(breaks_off_once) as port:
            assert await fetch_card(context, HOST, port) == b"card"
        assert came == 2
        await door.close()

    run(scene())


def test_fetch_card__is_bounded_in_time_and_size() -> None:
    async def mute(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    async def web(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n" * 10)
        await writer.drain()
        writer.close()

    async def lie(liar: zmq.asyncio.Socket, reply: list[bytes]) -> None:
        while True:
            assert await liar.recv() == REQUEST
            await liar.send_multipart(reply)

    async def scene() -> None:
        context = new_context()
        for serve, said, bound in (
            (mute, "does not answer", 0.5),
            (web, "is no table", PATIENCE),
        ):
            # Without a bound of its own it would be for ever.
            async with serving(serve) as port, asyncio.timeout(PATIENCE):
                with pytest.raises(NetError, match=said):
                    await fetch_card(context, HOST, port, timeout=bound)
        liar = raw_socket(context, zmq.REP)
        port = liar.bind_to_random_port(f"tcp://{HOST}")
        for reply in ([bytes(MAX_CARD * 2)], [b"two", b"parts"]):
            lying = asyncio.create_task(lie(liar, reply))
            with pytest.raises(NetError, match="is no table"):
                await fetch_card(context, HOST, port, timeout=PATIENCE)
            lying.cancel()
            await asyncio.gather(lying, return_exceptions=True)

    run(scene())
