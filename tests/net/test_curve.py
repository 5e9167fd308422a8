"""The handshake of a line that is dialled, against a listener that the test plays byte by byte."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Awaitable, Callable

import pytest
import zmq
from zmq.utils import z85

from p2p_hearts.crypto.box import BoxError, open_box, seal_box, shared_key
from p2p_hearts.net.curve import MAX_COMMAND, CurveLine, dial_curve
from p2p_hearts.net.keys import CurveKeys
from p2p_hearts.net.links import Links
from p2p_hearts.net.sockets import DialError, Trouble
from p2p_hearts.net.terms import LinkEventKind
from tests.net.helpers import HOST, event, open_links, receive, run, serving

SMALL_ORDER = [
    bytes(32),
    b"\1" + bytes(31),
    bytes.fromhex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
    bytes.fromhex("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
]
"""Keys of Curve25519 that share one secret with everybody."""

GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x01" + b"CURVE".ljust(20, b"\0") + bytes(32)

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Plays = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def command(body: bytes) -> bytes:
    return bytes([4, len(body)]) + body


async def hello(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
    """Greet, and return the transient key of whoever dials."""
    writer.write(GREETING)
    await reader.readexactly(64)
    said = await reader.readexactly(202)
    assert said[:8] == b"\x04\xc8\x05HELLO"
    return said[82:114]


def welcome(theirs: bytes, own: CurveKeys, transient: bytes) -> bytes:
    nonce = os.urandom(16)
    box = seal_box(
        shared_key(theirs, z85.decode(own.secret)), b"WELCOME-" + nonce, transient + bytes(96)
    )
    return command(b"\x07WELCOME" + nonce + box)


def listening(plays: Plays) -> contextlib.AbstractAsyncContextManager[int]:
    async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, EOFError):
            await plays(reader, writer)
        writer.close()

    return serving(one)


async def trouble_with(plays: Plays, server: bytes | None = None) -> Trouble:
    """Return what a dial says of such a listener."""
    async with listening(plays) as port:
        with pytest.raises(DialError) as refused:
            await dial_curve(
                HOST, port, server or CurveKeys.generate().public, CurveKeys.generate()
            )
    return refused.value.trouble


@pytest.mark.parametrize("transient", SMALL_ORDER, ids=["0", "1", "of order 8", "-1"])
def test_links__a_listener_with_a_transient_key_of_small_order_ends_no_program(
    transient: bytes,
) -> None:
    """With ZeroMQ's own client an assertion of libzmq would end this process."""

    async def scene() -> None:
        theirs = CurveKeys.generate()

        async def plays(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(welcome(await hello(reader, writer), theirs, transient))
            await reader.read()

        one, two = await open_links(), await open_links()
        async with listening(plays) as port:
            one.connect(theirs.public, [(HOST, port)])
            failed = await event(one, lambda told: told.kind is LinkEventKind.DIAL_FAILED)
            assert (failed.key, "does not hold the key" in str(failed.sentence)) == (
                theirs.public,
                True,
            )
            await still_speaks(one, two)

    run(scene())


async def still_speaks(one: Links, two: Links) -> None:
    two.admit([one.public_key])
    one.connect(two.public_key, [(HOST, two.table_port)])
    one.send(two.public_key, b"still here")
    assert (await receive(two)).frame == b"still here"


def test_links__a_key_of_small_order_is_dialled_in_vain() -> None:
    async def scene() -> None:
        for key in SMALL_ORDER:
            assert await trouble_with(hang_up, z85.encode(key)) is Trouble.WRONG_KEY

    run(scene())


async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await hello(reader, writer)


async def say_nothing_known(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await hello(reader, writer)
    writer.write(command(b"\x04WHAT"))
    await reader.read()


async def say_endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await hello(reader, writer)
    writer.write(b"\x06" + (2**62).to_bytes(8, "big") + bytes(10 * MAX_COMMAND))
    await reader.read()


async def say_frame(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await hello(reader, writer)
    writer.write(b"\0\x01x")
    await reader.read()


async def greet_in_clear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(GREETING[:12] + b"NULL".ljust(20, b"\0") + bytes(32))
    await reader.read()


async def speak_http(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")


async def welcome_of_nobody(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(welcome(await hello(reader, writer), CurveKeys.generate(), os.urandom(32)))
    await reader.read()


async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await hello(reader, writer)
    writer.write(command(b"\x05ERROR\x03400"))
    await reader.read()


async def put_off(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await hello(reader, writer)
    writer.write(command(b"\x05ERROR\x03500"))
    await reader.read()


@pytest.mark.parametrize(
    ("plays", "trouble"),
    [
        (hang_up, Trouble.WRONG_KEY),
        (say_nothing_known, Trouble.FOREIGN),
        (say_endless, Trouble.FOREIGN),
        (say_frame, Trouble.FOREIGN),
        (greet_in_clear, Trouble.FOREIGN),
        (speak_http, Trouble.FOREIGN),
        (welcome_of_nobody, Trouble.WRONG_KEY),
        (refuse, Trouble.NOT_ADMITTED),
        (put_off, Trouble.NOT_NOW),
    ],
)
def test_dial_curve__says_what_is_wrong_with_a_listener(plays: Plays, trouble: Trouble) -> None:
    async def scene() -> None:
        assert await trouble_with(plays) is trouble

    run(scene())


async def router_and_line() -> tuple[zmq.asyncio.Socket, CurveLine, zmq.asyncio.Context]:
    """Return a ROUTER of ZeroMQ that may send, and a line to it."""
    context, theirs = zmq.asyncio.Context(), CurveKeys.generate()
    sock = context.socket(zmq.ROUTER)
    sock.curve_server, sock.curve_secretkey = True, theirs.secret
    port = sock.bind_to_random_port(f"tcp://{HOST}")
    return sock, await dial_curve(HOST, port, theirs.public, CurveKeys.generate()), context


def test_line__is_one_to_zeromq_and_ends_when_a_frame_comes_by_it() -> None:
    async def scene() -> None:
        sock, line, context = await router_and_line()
        for size in (0, 1, 200, 255, 256, 70_000):
            await line.send(bytes(size))
            routing, frame = await sock.recv_multipart()
            assert frame == bytes(size)
        lost = asyncio.ensure_future(line.lost())
        await asyncio.sleep(0.1)
        assert not lost.done()
        await sock.send_multipart([routing, b"an answer that nobody wants"])
        await lost
        line.close()
        context.destroy(linger=0)

    run(scene())


def test_line__answers_the_heartbeats_of_a_listener(monkeypatch: pytest.MonkeyPatch) -> None:
    """A listener that sends some hangs up on who is silent."""

    async def scene() -> None:
        context, theirs = zmq.asyncio.Context(), CurveKeys.generate()
        sock = context.socket(zmq.ROUTER)
        sock.curve_server, sock.curve_secretkey = True, theirs.secret
        sock.heartbeat_ivl, sock.heartbeat_timeout = 50, 500
        port = sock.bind_to_random_port(f"tcp://{HOST}")
        for _ in range(20):
            line = await dial_curve(HOST, port, theirs.public, CurveKeys.generate())
            _, stays = await asyncio.wait([asyncio.ensure_future(line.lost())], timeout=1.5)
            line.close()
            # One that is lost is so since this machine stood still: of twenty one will stay.
            if stays:
                break
        assert stays
        await asyncio.gather(*stays)
        context.destroy(linger=0)

    monkeypatch.setattr("p2p_hearts.net.sockets.HEARTBEAT_MS", 60_000)
    run(scene())


def test_box__opens_what_was_sealed_and_nothing_else() -> None:
    one, two = CurveKeys.generate(), CurveKeys.generate()
    shared = shared_key(z85.decode(one.public), z85.decode(two.secret))
    assert shared == shared_key(z85.decode(two.public), z85.decode(one.secret))
    nonce = os.urandom(24)
    for content in (b"", b"x", os.urandom(1000)):
        box = seal_box(shared, nonce, content)
        assert open_box(shared, nonce, box) == content
        for at in (0, len(box) - 1):
            changed = bytearray(box)
            changed[at] ^= 1
            with pytest.raises(BoxError):
                open_box(shared, nonce, bytes(changed))
    with pytest.raises(BoxError):
        open_box(shared, nonce, bytes(15))
    for key in SMALL_ORDER:
        with pytest.raises(BoxError):
            shared_key(key, z85.decode(one.secret))
    with pytest.raises(ValueError, match="32 bytes are needed"):
        shared_key(bytes(31), z85.decode(one.secret))
