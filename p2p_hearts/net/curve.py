"""A line that this peer dials, by a CURVE handshake of its own (ZeroMQ RFC 23, 26 and 37).

What listens is a ROUTER of ZeroMQ; to it this is a DEALER that sends and wants no answer. ZeroMQ's
own client does not do here: a listener whose transient key is of small order ends the whole process
of whoever dials it, by an assertion of libzmq 4.3 (``curve_client_tools.hpp``), and everybody dials
strangers: a guest its host, a host whoever knocks. Here such a key is a wrong key.

A line sends whole frames and heartbeats. It takes heartbeats, each once and not many; a frame that
comes by it ends it, since who sends there fills our queue for no good.

Never: takes a command or frame of more than ``MAX_COMMAND`` bytes; dials again by itself.
Errors: ``DialError`` from ``dial_curve``; ``OSError`` from ``Line.send`` once it is lost.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import socket
import struct

import zmq
from zmq.utils import z85

from p2p_hearts.crypto.box import BoxError, open_box, seal_box, shared_key
from p2p_hearts.net import sockets
from p2p_hearts.net.addresses import endpoint
from p2p_hearts.net.keys import CurveKeys
from p2p_hearts.net.sockets import LINGER_MS, DialError, Trouble

MAX_COMMAND = 1024
"""Bytes of one command or frame that are taken; the longest of a handshake has some 250."""

QUEUE_BYTES = 256 * 1024
"""So much of what was sent may wait for the system to take it, before ``send`` waits."""

MAX_HEARTBEATS = 200
"""So many may come between two of ours. An honest listener answers one; a flood of them would hold
up whatever else this program does."""

_GREETING_BYTES = 64
_GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x01" + b"CURVE".ljust(20, b"\0") + bytes(32)
_VERSION = b"\1\0"
_METADATA = (
    b"\x0bSocket-Type" + struct.pack(">I", 6) + b"DEALER" + b"\x08Identity" + struct.pack(">I", 0)
)
_MORE, _LONG, _COMMAND = 1, 2, 4
_INNER_COMMAND = 2
"""What a MESSAGE says of itself inside its box: a heartbeat, and no frame."""

_LOCAL = (errno.EMFILE, errno.ENFILE, errno.EADDRNOTAVAIL, errno.EINVAL, errno.ENODEV)


class _WrongKeyError(Exception):
    """Whoever listens does not prove the key that was announced."""


class _ForeignError(Exception):
    """Whoever listens speaks another protocol."""


class _RefusedError(Exception):
    """Whoever listens lets us in not at all or not now; it says a status of ZAP."""


class CurveLine:
    """A line whose handshake has succeeded; ``lost`` tells of its end."""

    def __init__(
        self,
        host: str,
        port: int,
        stream: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        shared: bytes,
        numbers: tuple[int, int],
    ) -> None:
        """Use ``dial_curve``; ``numbers`` are those last used with ``shared``: ours, theirs."""
        self.host = host
        self.port = port
        self._reader, self._writer = stream
        self._shared = shared
        self._number, self._their_number = numbers
        self._silent = 0
        """Heartbeats since anything came."""
        self._came = 0
        """What came since our last heartbeat."""
        self._tasks = [asyncio.create_task(self._take()), asyncio.create_task(self._beat())]

    @property
    def is_busy(self) -> bool:
        """Whether the system has not taken all that was sent."""
        return self._writer.transport.get_write_buffer_size() > 0

    async def send(self, frame: bytes) -> None:
        """Send a frame once little enough waits here. ``OSError`` once the line is lost.

        Who ends this by an exception has not sent the frame, and may send it by another line.
        """
        await self._writer.drain()
        self._write(frame, 0)

    async def lost(self) -> None:
        """Return when the other end is gone, silent for long, or sends what it should not."""
        await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)

    def close(self, linger: int = LINGER_MS) -> None:
        """Hang up; what is queued gets ``linger`` milliseconds to leave."""
        for task in self._tasks:
            task.cancel()
        transport = self._writer.transport
        if not linger or not self.is_busy:
            transport.close() if linger else transport.abort()
            return
        transport.close()
        asyncio.get_running_loop().call_later(linger / 1000, transport.abort)

    async def gone(self) -> None:
        """Return once nothing is left of a line that was closed."""
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()

    def _write(self, content: bytes, flags: int) -> None:
        self._number += 1
        number = struct.pack(">Q", self._number)
        box = seal_box(self._shared, b"CurveZMQMESSAGEC" + number, bytes([flags]) + content)
        self._writer.write(_framed(0, b"\x07MESSAGE" + number + box))

    async def _take(self) -> None:
        """Take what comes until the line ends, or something comes that is no heartbeat."""
        with contextlib.suppress(OSError, EOFError, BoxError, _ForeignError):
            while True:
                flags, body = await _receive(self._reader)
                self._came += 1
                if self._came > MAX_HEARTBEATS or len(body) < 16:
                    return
                if flags & (_COMMAND | _MORE) or body[:8] != b"\x07MESSAGE":
                    return
                content = open_box(self._shared, b"CurveZMQMESSAGES" + body[8:16], body[16:])
                number = int.from_bytes(body[8:16], "big")
                if number <= self._their_number:
                    return  # Somebody between us sends again what once came.
                self._their_number = number
                self._silent = 0
                if not content or not content[0] & _INNER_COMMAND:
                    return
                if content[1:6] == b"\x04PING":
                    # Its time to live is ours to know; what follows is to be sent back.
                    self._write(b"\x04PONG" + content[8:24], _INNER_COMMAND)
                    await self._writer.drain()

    async def _beat(self) -> None:
        """Send heartbeats until too many were not answered."""
        pause, longest = sockets.HEARTBEAT_MS, sockets.HEARTBEAT_TIMEOUT_MS
        ping = b"\x04PING" + struct.pack(">H", -(-longest // 100))
        # Counted, not timed: this program may have been stopped meanwhile.
        while self._silent * pause <= longest:
            self._silent += 1
            self._came = 0
            self._write(ping, _INNER_COMMAND)
            await asyncio.sleep(pause / 1000)


async def dial_curve(host: str, port: int, server: bytes, keys: CurveKeys) -> CurveLine:
    """Dial the holder of the key ``server`` with our own keys; both in Z85.

    Ends within about CONNECT_MS + HANDSHAKE_MS. Raises DialError; ValueError when the address is no
    IP literal.
    """
    endpoint(host, port)
    stream = await _connect(host, port)
    loop = asyncio.get_running_loop()
    start, is_greeted = loop.time(), asyncio.Event()
    seconds = sockets.HANDSHAKE_MS / 1000
    try:
        async with asyncio.timeout(seconds):
            shared, numbers = await _shake_hands(stream, server, keys, is_greeted)
        return CurveLine(host, port, stream, shared, numbers)
    except BaseException as error:
        stream[1].transport.abort()
        trouble = _trouble(error, is_greeted.is_set())
        if trouble is None:
            raise
        # So late a timer did it there, after one of us had slept.
        is_late = isinstance(error, OSError | EOFError) and loop.time() - start > 0.9 * seconds
        raise DialError(Trouble.SILENT if is_late else trouble, host, port) from error


def _trouble(error: BaseException, is_greeted: bool) -> Trouble | None:
    """Return what a failure of the handshake says of who listens; ``None`` for one of our own."""
    if isinstance(error, TimeoutError):
        return Trouble.SILENT
    if isinstance(error, _RefusedError):
        return Trouble.NOT_ADMITTED if error.args == (b"400",) else Trouble.NOT_NOW
    if isinstance(error, _WrongKeyError):
        return Trouble.WRONG_KEY
    if isinstance(error, _ForeignError):
        return Trouble.FOREIGN
    if isinstance(error, OSError | EOFError):
        return Trouble.WRONG_KEY if is_greeted else Trouble.FOREIGN
    return None


async def _connect(host: str, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    try:
        async with asyncio.timeout(sockets.CONNECT_MS / 1000):
            reader, writer = await asyncio.open_connection(host, port, limit=2 * MAX_COMMAND)
    except TimeoutError as error:
        raise DialError(Trouble.SILENT, host, port) from error
    except OSError as error:
        is_local = isinstance(error, socket.gaierror) or error.errno in _LOCAL
        raise DialError(Trouble.LOCAL if is_local else Trouble.REFUSED, host, port) from error
    writer.transport.set_write_buffer_limits(high=QUEUE_BYTES)
    return reader, writer


async def _shake_hands(
    stream: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    server: bytes,
    keys: CurveKeys,
    is_greeted: asyncio.Event,
) -> tuple[bytes, tuple[int, int]]:
    """Prove our key, have the other one proven; return the key of the line and the last numbers."""
    reader, writer = stream
    announced, own = z85.decode(server), z85.decode(keys.secret)
    transient, hidden = (z85.decode(half) for half in zmq.curve_keypair())
    try:
        once = shared_key(announced, hidden)
    except BoxError:
        raise _WrongKeyError from None  # Nobody holds it, or everybody.
    writer.write(_GREETING)
    await _greeted(reader)
    is_greeted.set()
    number = struct.pack(">Q", 1)
    hello = _VERSION + bytes(72) + transient + number
    hello += seal_box(once, b"CurveZMQHELLO---" + number, bytes(64))
    writer.write(_framed(_COMMAND, b"\x05HELLO" + hello))
    welcome = await _command(reader, b"\x07WELCOME", 16 + 144)
    try:
        content = open_box(once, b"WELCOME-" + welcome[:16], welcome[16:])
        shared = shared_key(content[:32], hidden)
        vouching = shared_key(content[:32], own)
    except BoxError:
        raise _WrongKeyError from None
    nonce = os.urandom(16)
    vouch = seal_box(vouching, b"VOUCH---" + nonce, transient + announced)
    number = struct.pack(">Q", 2)
    inside = z85.decode(keys.public) + nonce + vouch + _METADATA
    box = seal_box(shared, b"CurveZMQINITIATE" + number, inside)
    writer.write(_framed(_COMMAND, b"\x08INITIATE" + content[32:] + number + box))
    ready = await _command(reader, b"\x05READY")
    try:
        open_box(shared, b"CurveZMQREADY---" + ready[:8], ready[8:])
    except (BoxError, ValueError):
        raise _WrongKeyError from None
    return shared, (2, int.from_bytes(ready[:8], "big"))


async def _greeted(reader: asyncio.StreamReader) -> None:
    """Take the greeting of whoever listens."""
    said = await reader.readexactly(10)
    if (said[0], said[9] & 1) != (0xFF, 1):
        raise _ForeignError
    said += await reader.readexactly(_GREETING_BYTES - 10)
    if said[10] < _GREETING[10] or said[12:32] != _GREETING[12:32]:
        raise _ForeignError


async def _command(reader: asyncio.StreamReader, name: bytes, length: int | None = None) -> bytes:
    """Return what a command of the handshake says, the one that is due."""
    flags, body = await _receive(reader)
    if not flags & _COMMAND:
        raise _ForeignError
    if body[:6] == b"\x05ERROR":
        raise _RefusedError(body[7:])
    if not body.startswith(name) or length not in (None, len(body) - len(name)):
        raise _ForeignError
    return body[len(name) :]


async def _receive(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """Return the flags and the body of the next frame."""
    flags = (await reader.readexactly(1))[0]
    size = int.from_bytes(await reader.readexactly(8 if flags & _LONG else 1), "big")
    if size > MAX_COMMAND:
        raise _ForeignError
    return flags, await reader.readexactly(size)


def _framed(flags: int, body: bytes) -> bytes:
    """Write a frame as ZeroMQ does (RFC 23)."""
    if len(body) > 255:
        return bytes([flags | _LONG]) + struct.pack(">Q", len(body)) + body
    return bytes([flags, len(body)]) + body
