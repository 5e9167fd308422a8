"""The card door of a table: the port a person types, where anybody may ask for the table's card.

The only socket without encryption. It answers one literal request, ``p2p-hearts card 1``, with the
table's current signed card (opaque here: the caller signs it and checks it) and any other request
with an empty reply; it takes no other input. A card that came through it proves nothing by where it
came from: its signature does, and the join code that a person was told. ``fetch_card`` is both the
first step of joining and the proof that a table in the list is alive.

On the wire it is a REQ socket asking a REP socket. The serving side is a ROUTER all the same: a REP
that is fed random bytes loses its place and gives the next answer to the wrong peer.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Sequence

import zmq
import zmq.asyncio

from p2p_hearts.net.addresses import plain, resolve, show
from p2p_hearts.net.buckets import Bucket, Buckets, Rate
from p2p_hearts.net.errors import NetError, sentence
from p2p_hearts.net.guard import Guard, LineLimits
from p2p_hearts.net.sockets import (
    DialError,
    Line,
    Trouble,
    bind,
    dial,
    first_line,
    prepare,
    receive_parts,
)

log = logging.getLogger(__name__)

REQUEST = b"p2p-hearts card 1"
MAX_REQUEST = 256
"""Largest request read, in bytes."""
MAX_CARD = 16 * 1024
"""Largest card served or fetched, in bytes."""
EACH = Rate(20, 60)
"""Answers to one IP address; beyond them the reply is empty."""
ALL = Rate(200, 400)
"""Requests read a second from everybody together; beyond them the door reads more slowly."""
LINES = LineLimits(lines=64, pending=64 * 1024, silent=10.0, look=0.003)
"""Who asked has the answer at once; nobody needs a line for longer."""

LATE_SECONDS = 1.0
"""A timer that rings later than that rings in a program that was stopped meanwhile."""

_AFTER_FAILURE_SECONDS = 0.5


class Door:
    """Serves the card at ``port`` (0: any free one) until ``close``; make it in a running loop.

    ``card`` is called for every request and returns the current card, at most MAX_CARD bytes.
    NetError, with what to do, when the port is taken.
    """

    def __init__(
        self,
        context: zmq.asyncio.Context,
        port: int,
        card: Callable[[], bytes],
        interface: str | None = None,
    ) -> None:
        self._card = card
        self._socket = context.socket(zmq.ROUTER)
        try:
            prepare(self._socket, frame_bytes=MAX_REQUEST, queue=16, listens=True)
            self._guard = Guard(self._socket, LINES, closed=lambda: self._task.cancel())
            self.port = self._guard.port = bind(self._socket, port, interface)
        except BaseException:
            self._socket.close(linger=0)
            raise
        self.answered = 0
        """Cards that were given away."""
        self._task = asyncio.get_running_loop().create_task(self._serve())

    async def close(self) -> None:
        """Stop serving; the port is free again afterwards."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._socket.close(linger=0)
        await self._guard.ended()

    async def _serve(self) -> None:
        """Answer until cancelled; one that fails is logged and costs nobody else an answer."""
        each, total = Buckets(EACH, 256), Bucket(ALL, time.monotonic())
        while True:
            try:
                await self._answer(await receive_parts(self._socket), each)
            except Exception:
                log.exception("The door of this table failed once and goes on.")
                await asyncio.sleep(_AFTER_FAILURE_SECONDS)
            now = time.monotonic()
            total.take(1, now)
            await asyncio.sleep(total.wait(1, now))

    async def _answer(self, parts: Sequence[zmq.Frame], each: Buckets) -> None:
        self._guard.heard(parts)
        if len(parts) != 3 or len(parts[1]):
            return
        now = time.monotonic()
        may = each.of(_asker(parts[2]), now).take(1, now)
        reply = self._current() if may and parts[2].bytes == REQUEST else b""
        self.answered += bool(reply)
        with contextlib.suppress(zmq.ZMQError):  # who asked may be gone
            await self._socket.send_multipart([parts[0].bytes, b"", reply])

    def _current(self) -> bytes:
        """Return the card, or b"" when it cannot be had."""
        try:
            card = self._card()
            if len(card) > MAX_CARD:
                raise ValueError(f"a card has at most {MAX_CARD} bytes")
        except Exception:
            log.exception("The card of this table could not be shown.")
            return b""
        return card


def _asker(frame: zmq.Frame) -> str:
    """Return the IP address that asks."""
    try:
        address = frame.get("Peer-Address")
    except zmq.ZMQError:
        return ""
    return plain(address) if isinstance(address, str) else ""


async def fetch_card(
    context: zmq.asyncio.Context, host: str, port: int, timeout: float = 3.0
) -> bytes:
    """Ask the door at ``host`` (a name or IP literal) and ``port`` for its table's card.

    At most ``timeout`` seconds and MAX_CARD bytes. NetError that says what is wrong with the
    address. What comes back is untrusted bytes.
    """
    where = show(host, port)
    try:
        card = await _fetch(context, host, port, timeout)
        if card is None:
            card = await _fetch(context, host, port, timeout)
    except DialError as error:
        raise _no_card(error.trouble, where) from error
    if card is None:
        raise _no_card(Trouble.SILENT, where)
    if not card:
        raise NetError(
            sentence("The table at {where} does not show its card now.", where=where),
            sentence("It may be asked too often: wait a few seconds and try again."),
        )
    return card


async def _fetch(
    context: zmq.asyncio.Context, host: str, port: int, timeout: float
) -> bytes | None:
    """Ask once; None where this program itself stood still in the time that there was.

    Then it says nothing of who listens. DialError when nobody answered.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + timeout
    try:
        async with asyncio.timeout_at(end):
            addresses = await resolve(host, port)
            try:
                return await _dial_and_ask(context, addresses)
            except DialError as error:
                if error.trouble in (Trouble.REFUSED, Trouble.LOCAL):
                    raise
                # A line may break off for many reasons: where two do, no table is there.
                return await _dial_and_ask(context, addresses)
    except TimeoutError as error:
        if loop.time() - end > LATE_SECONDS:
            return None
        raise DialError(Trouble.SILENT, host, port) from error


async def _dial_and_ask(
    context: zmq.asyncio.Context, addresses: Sequence[tuple[str, int]]
) -> bytes:
    line = await _dialled(context, addresses)
    try:
        return await _ask(line)
    finally:
        line.close(linger=0)


async def _dialled(context: zmq.asyncio.Context, addresses: Sequence[tuple[str, int]]) -> Line:
    """Dial until somebody is there: frames get lost, and programs sleep through handshakes.

    Ends when it is cancelled; DialError where an answer says that it is in vain.
    """
    while True:
        try:
            return await first_line([dial(context, zmq.REQ, *a, _configure) for a in addresses])
        except DialError as error:
            if error.trouble is not Trouble.SILENT:
                raise


def _configure(sock: zmq.asyncio.Socket) -> None:
    prepare(sock, frame_bytes=MAX_CARD, queue=4)


async def _ask(line: Line) -> bytes:
    """Send the request and return the one frame of the reply; DialError when there is none."""
    await line.socket.send(REQUEST)
    reply = asyncio.ensure_future(line.socket.recv_multipart())
    lost = asyncio.create_task(line.lost())
    try:
        await asyncio.wait((reply, lost), return_when=asyncio.FIRST_COMPLETED)
        if reply.done() and len(reply.result()) == 1:
            return bytes(reply.result()[0])
        raise DialError(Trouble.FOREIGN, line.host, line.port)
    finally:
        reply.cancel()
        lost.cancel()
        await asyncio.gather(reply, lost, return_exceptions=True)


def _no_card(trouble: Trouble, where: str) -> NetError:
    if trouble in (Trouble.REFUSED, Trouble.LOCAL):
        return NetError(
            sentence("No table is open at {where}.", where=where),
            sentence(
                "Check the address and the port that the host's screen shows, and that the table "
                "is still open."
            ),
        )
    if trouble is Trouble.SILENT:
        return NetError(
            sentence("{where} does not answer.", where=where),
            sentence(
                "Check that both computers are on the same network and that no firewall blocks "
                "the port; on the host's computer, p2p-hearts doctor tells more."
            ),
        )
    return NetError(
        sentence("What answers at {where} is no table of p2p-hearts.", where=where),
        sentence("Use the port that the host's screen shows; another version may differ, too."),
    )
