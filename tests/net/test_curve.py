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
from p2p_hearts.net.curve import MAX_COMMAND, MAX_HEARTBEATS, CurveLine, dial_curve
from p2p_hearts.net.keys import CurveKeys
from p2p_hearts.net.links import Links
from p2p_hearts.net.sockets import DialError, Trouble
from p2p_hearts.net.terms import LinkEventKind
from tests.net.helpers import HOST, close, event, open_links, receive, run, serving, until

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
            await close(one, two)

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
        await line.gone()
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
            await line.gone()
            # One that is lost is so since this machine stood still: of twenty one will stay.
            if stays:
                break
        assert stays
        await asyncio.gather(*stays)
        context.destroy(linger=0)

    monkeypatch.setattr("p2p_hearts.net.sockets.HEARTBEAT_MS", 60_000)
    run(scene())


class Listener:
    """The other end of one line, after a handshake that the test answers."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, shared: bytes
    ) -> None:
        self.reader, self.writer, self.shared = reader, writer, shared

    @classmethod
    async def answering(
        cls, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, own: CurveKeys
    ) -> Listener:
        """Answer a handshake; READY has the number 1."""
        transient = CurveKeys.generate()
        theirs = await hello(reader, writer)
        writer.write(welcome(theirs, own, z85.decode(transient.public)))
        await cls.body(reader)
        shared = shared_key(theirs, z85.decode(transient.secret))
        number = (1).to_bytes(8, "big")
        box = seal_box(shared, b"CurveZMQREADY---" + number, b"")
        writer.write(command(b"\x05READY" + number + box))
        return cls(reader, writer, shared)

    @staticmethod
    async def body(reader: asyncio.StreamReader) -> bytes:
        flags = (await reader.readexactly(1))[0]
        size = int.from_bytes(await reader.readexactly(8 if flags & 2 else 1), "big")
        return await reader.readexactly(size)

    def ping(self, number: int) -> None:
        said = number.to_bytes(8, "big")
        box = seal_box(self.shared, b"CurveZMQMESSAGES" + said, b"\x02\x04PING\0\0")
        body = b"\x07MESSAGE" + said + box
        self.writer.write(bytes([0, len(body)]) + body)

    async def take(self) -> tuple[int, bytes]:
        """Return number and content of what comes next."""
        body = await self.body(self.reader)
        number = int.from_bytes(body[8:16], "big")
        return number, open_box(self.shared, b"CurveZMQMESSAGEC" + body[8:16], body[16:])


async def ends(says: Callable[[Listener], Awaitable[None]]) -> None:
    """Have a listener say something on a line that stands, and wait for the end of that line."""
    own = CurveKeys.generate()

    async def plays(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await says(await Listener.answering(reader, writer, own))
        await reader.read()

    async with listening(plays) as port:
        line = await dial_curve(HOST, port, own.public, CurveKeys.generate())
        await line.lost()
        line.close()
        await line.gone()
        ended = await asyncio.gather(*line._tasks, return_exceptions=True)
    # An exception that nobody asks for would be told of in the middle of the screen.
    assert all(how is None or isinstance(how, asyncio.CancelledError) for how in ended)


async def cut_short(listener: Listener) -> None:
    listener.writer.write(b"\0\x08\x07MESSAGE")


async def ready_again(listener: Listener) -> None:
    listener.writer.write(command(b"\x05READY" + bytes(24)))


async def ping_again(listener: Listener) -> None:
    listener.ping(2)
    listener.ping(2)


async def ping_of_ready(listener: Listener) -> None:
    listener.ping(1)


async def flood(listener: Listener) -> None:
    for number in range(2, 2 * MAX_HEARTBEATS + 3):  # Our first one may come in between.
        listener.ping(number)


@pytest.mark.parametrize("says", [cut_short, ready_again, ping_again, ping_of_ready, flood])
def test_line__ends_when_a_listener_says_what_it_should_not(
    says: Callable[[Listener], Awaitable[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A short box, a number that was used, more heartbeats than anybody needs."""
    # Our own heartbeats do not end it within the test.
    monkeypatch.setattr("p2p_hearts.net.sockets.HEARTBEAT_MS", 3_600_000)
    run(ends(says))


def test_line__a_frame_whose_sending_is_broken_off_was_not_sent_and_no_number_serves_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who sends it again by the next line sends it once."""
    monkeypatch.setattr("p2p_hearts.net.sockets.HEARTBEAT_MS", 3_600_000)

    async def scene() -> None:
        own, reads = CurveKeys.generate(), asyncio.Event()
        taken: list[tuple[int, bytes]] = []

        async def plays(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            listener = await Listener.answering(reader, writer, own)
            await reads.wait()
            while True:
                taken.append(await listener.take())

        async with listening(plays) as port:
            line = await dial_curve(HOST, port, own.public, CurveKeys.generate())
            sent = 0
            while True:
                sending = asyncio.ensure_future(line.send(sent.to_bytes(4, "big") + bytes(60_000)))
                await asyncio.wait([sending], timeout=0.5)
                if not sending.done():
                    break
                sent += 1
            sending.cancel()
            await asyncio.wait([sending])
            reads.set()
            await line.send(b"the last")
            await until(lambda: taken[-1:] != [] and taken[-1][1] == b"\0the last")
            line.close()
            await line.gone()
        frames = [content for _, content in taken if content[0] == 0]
        assert [int.from_bytes(frame[1:5], "big") for frame in frames[:-1]] == list(range(sent))
        numbers = [number for number, _ in taken]
        assert numbers == sorted(set(numbers))

    run(scene())


def test_line__nothing_is_left_of_it_when_links_close_though_nobody_reads() -> None:
    async def scene() -> None:
        own = CurveKeys.generate()

        async def plays(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await Listener.answering(reader, writer, own)
            await asyncio.Event().wait()

        async with listening(plays) as port:
            links = await open_links()
            links.connect(own.public, [(HOST, port)])
            await until(lambda: links.is_up(own.public))
            line = links.dialler.peers[own.public].line
            assert line is not None
            for _ in range(60):
                links.send(own.public, bytes(100_000))
            await until(lambda: line.is_busy)
            await links.close()
            assert line._writer.transport.get_extra_info("socket").fileno() == -1

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
