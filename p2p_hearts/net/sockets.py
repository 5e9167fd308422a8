"""ZeroMQ sockets with every option set before use, and dialling that says what went wrong.

A failed CURVE handshake is silent in ZeroMQ, and its own redialling stops for good after one;
so a :class:`Line` is dialled once, watched through the socket monitor, and never reconnects by
itself: who wants it back dials anew.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import resource
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol, TypeVar

import zmq
import zmq.asyncio
from zmq.utils.monitor import parse_monitor_message

from p2p_hearts.i18n import N_, os_reason
from p2p_hearts.net.addresses import endpoint, local_addresses, show
from p2p_hearts.net.errors import NetError, Sentence, sentence

LINGER_MS = 200
"""Last words get this long to leave after a close; ZeroMQ's default is for ever."""
HANDSHAKE_MS = 5000
HEARTBEAT_MS = 2000
HEARTBEAT_TIMEOUT_MS = 6000
"""A silent cable is noticed after this long at the latest, plus one heartbeat."""
CONNECT_MS = 3000
_CURVE_OVERHEAD = 33
"""Bytes that encryption adds to a frame; ZeroMQ measures the encrypted one (ZeroMQ RFC 26)."""

FEWEST_FILES = 64
"""Below this many files and sockets a process plays no game; with 40 a table of four ended."""

MAX_SOCKETS = 4096
"""Sockets of one peer: every address of everybody dialled takes three while it is tried."""

_BUFFER_FRAMES = 2
"""The system keeps about so many of the largest frames for a line that is not read."""

_NO_ADDRESS = (errno.EADDRNOTAVAIL, errno.ENODEV)
"""What listening at an address ends in that was just lost, or (IPv6) is only tried out yet."""

_HUNG_UP = (errno.EPIPE, errno.ECONNRESET)
"""What a handshake fails with that the other end broke off.

Where a timer of ours ran out it is whatever the system said last: EAGAIN, as nothing came, or EINTR
where this program had been stopped.
"""

_CRYPTOGRAPHIC = 0x11000001
_MECHANISM_MISMATCH = 0x11000002


def prepare(
    sock: zmq.asyncio.Socket,
    *,
    frame_bytes: int,
    queue: int,
    buffer: int | None = None,
    listens: bool = False,
) -> None:
    """Set the options common to all our TCP sockets; before ``bind`` or ``connect``.

    ``frame_bytes`` is the largest frame taken (33 more without encryption), ``queue`` the
    high-water mark each way, in frames; ``buffer`` what the system keeps of a line that is not
    read, in bytes: two of the largest frames, unless another number is given.

    A socket that ``listens`` sends no heartbeats and has no high-water mark for what comes in.
    libzmq ends the whole process when a line breaks off while its queue is full and a heartbeat is
    due, or one that came waits behind the queue (zeromq/libzmq issue 4841): strangers can bring
    that about, and a cable that was pulled and put back did. ``Guard`` bounds what comes in
    instead. A line dialled by us is closed as soon as anything comes out of turn.
    """
    sock.linger = LINGER_MS
    sock.sndhwm = queue
    sock.rcvhwm = 0 if listens else queue
    sock.maxmsgsize = frame_bytes + _CURVE_OVERHEAD
    sock.handshake_ivl = HANDSHAKE_MS
    if not listens:
        sock.heartbeat_ivl = HEARTBEAT_MS
        sock.heartbeat_timeout = HEARTBEAT_TIMEOUT_MS
        sock.heartbeat_ttl = HEARTBEAT_TIMEOUT_MS
    sock.connect_timeout = CONNECT_MS
    sock.reconnect_ivl = -1
    sock.immediate = True
    sock.ipv6 = True
    sock.rcvbuf = _BUFFER_FRAMES * frame_bytes if buffer is None else buffer


def allow_files(count: int) -> None:
    """Let this process open so many files and sockets, as far as the system allows it to.

    NetError, with what to do, where that is too few for a game.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count if hard == resource.RLIM_INFINITY else min(count, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    if 0 <= resource.getrlimit(resource.RLIMIT_NOFILE)[0] < FEWEST_FILES:
        raise too_few_files()


def too_few_files() -> NetError:
    """Return what to say where the system allows this process too few files."""
    allowed, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return NetError(
        sentence(
            "This program needs more files and connections than the {n} that it may open at once.",
            n=allowed,
        ),
        sentence('Allow more (by "ulimit -n 1024" in a new shell, say), and start it again there.'),
    )


def lacks_files(error: Exception) -> bool:
    """Whether an error says that no more files may be opened, where more were to be had."""
    if getattr(error, "errno", None) != errno.EMFILE:
        return False
    return 0 <= resource.getrlimit(resource.RLIMIT_NOFILE)[0] < MAX_SOCKETS


def bind(sock: zmq.asyncio.Socket, port: int, interface: str | None = None) -> int:
    """Listen at ``port`` (0: any free one) of all interfaces or of one; return the port.

    NetError, with what to do, when the port is taken or the interface unknown.
    """
    hosts = [None] if interface is None else [a.address for a in local_addresses(interface)]
    attempts = 1 if port or len(hosts) == 1 else 5
    while True:
        attempts -= 1
        try:
            return _bind_all(sock, hosts, port)
        except zmq.ZMQError as error:
            if not attempts or error.errno != errno.EADDRINUSE:
                raise _bind_error(error, port, interface) from error


def _bind_all(sock: zmq.asyncio.Socket, hosts: Sequence[str | None], port: int) -> int:
    """Listen at one port of all ``hosts`` that can be had; ZMQError if none can."""
    bound: list[str] = []
    missing: zmq.ZMQError | None = None
    try:
        for host in hosts:
            literal = "*" if host is None else f"[{host}]" if ":" in host else host
            try:
                sock.bind(f"tcp://{literal}:{port or '*'}")
            except zmq.ZMQError as error:
                if error.errno not in _NO_ADDRESS:
                    raise
                missing = error
                continue
            where = sock.getsockopt(zmq.LAST_ENDPOINT)
            text = where.rstrip(b"\0").decode("ascii") if isinstance(where, bytes) else str(where)
            bound.append(text)
            port = int(text.rpartition(":")[2])
        if missing is not None and not bound:
            raise missing
    except zmq.ZMQError:
        for text in bound:
            sock.unbind(text)
        raise
    return port


def _bind_error(error: zmq.ZMQError, port: int, interface: str | None) -> NetError:
    if error.errno == errno.EADDRINUSE:
        return NetError(
            sentence("Port {port} is already taken on this machine.", port=port),
            sentence(
                "Another table or program uses it: close that one, choose another with --port, "
                "or use --port 0 for any free one."
            ),
        )
    if error.errno == errno.EACCES:
        return NetError(
            sentence("This account may not open port {port}.", port=port),
            sentence("Choose a port above 1023 with --port."),
        )
    where = interface or "*"
    return NetError(
        sentence("Cannot listen on {where}: {reason}.", where=where, reason=os_reason(error)),
        sentence("Choose another interface with --interface, or leave the option out."),
    )


async def receive_parts(sock: zmq.asyncio.Socket) -> list[zmq.Frame]:
    """Return the frames of the next message.

    A message that ZeroMQ announces and then drops as malformed (without encryption, random bytes
    are read as its oldest protocol) must not end the reader.
    """
    while True:
        try:
            parts: list[zmq.Frame] = await sock.recv_multipart(copy=False)
        except zmq.Again:
            await asyncio.sleep(0)
        else:
            return parts


class Trouble(Enum):
    """Why a line could not be had, the most telling first.

    The value is a sentence with ``{where}`` for the address.
    """

    NOT_ADMITTED = N_("{where} does not admit this player's key.")
    NOT_NOW = N_("{where} cannot let anybody in right now.")
    WRONG_KEY = N_("{where} broke off the handshake: it does not hold the key that was announced.")
    FOREIGN = N_("{where} speaks another protocol or another version.")
    SILENT = N_("{where} did not answer in time.")
    REFUSED = N_("Nothing listens at {where}, or nothing can reach it.")
    LOCAL = N_("{where} cannot be dialled from this machine.")


class DialError(Exception):
    """A line could not be had: ``trouble`` says why, ``where`` at which address."""

    def __init__(self, trouble: Trouble, host: str, port: int) -> None:
        super().__init__(trouble, host, port)
        self.trouble = trouble
        self.where = show(host, port)

    @property
    def rank(self) -> int:
        """0 for the trouble that tells most."""
        return list(Trouble).index(self.trouble)

    @property
    def sentence(self) -> Sentence:
        """The trouble as a sentence."""
        return sentence(self.trouble.value, where=self.where)


@dataclass(frozen=True, slots=True)
class Line:
    """A dialled socket whose handshake succeeded, and the monitor that tells of its end."""

    socket: zmq.asyncio.Socket
    monitor: zmq.asyncio.Socket
    host: str
    port: int

    async def lost(self) -> None:
        """Return when the other end is gone."""
        while True:
            event, _ = await next_monitor_event(self.monitor)
            if event in (zmq.EVENT_DISCONNECTED, zmq.EVENT_CLOSED, zmq.EVENT_MONITOR_STOPPED):
                return

    def close(self, linger: int = LINGER_MS) -> None:
        """Hang up; what is queued gets ``linger`` milliseconds to leave."""
        close_watched(self.socket, self.monitor, linger)


async def next_monitor_event(monitor: zmq.asyncio.Socket) -> tuple[int, int]:
    """Return the next (event, value) of a socket monitor."""
    message: Any = parse_monitor_message(await monitor.recv_multipart())
    return int(message["event"]), int(message["value"])


def watch(sock: zmq.asyncio.Socket, events: int = zmq.EVENT_ALL) -> zmq.asyncio.Socket:
    """Return the monitor of ``sock``; before ``bind`` or ``connect``, or its first events lack.

    Somebody must read it: ZeroMQ's I/O thread waits for room in it.
    """
    monitor = sock.get_monitor_socket(events)
    monitor.linger = 0
    return monitor


def close_watched(
    sock: zmq.asyncio.Socket, monitor: zmq.asyncio.Socket, linger: int = LINGER_MS
) -> None:
    """Close a socket and its monitor; closing twice does nothing."""
    if not sock.closed:
        sock.disable_monitor()
        sock.close(linger=linger)
    if not monitor.closed:
        monitor.close(linger=0)


async def dial(
    context: zmq.asyncio.Context,
    kind: int,
    host: str,
    port: int,
    configure: Callable[[zmq.asyncio.Socket], None],
) -> Line:
    """Connect one socket of ``kind`` and wait for the end of its handshake.

    ``configure`` sets the options. Ends within about CONNECT_MS + HANDSHAKE_MS. Raises DialError;
    ValueError when the address is no IP literal.
    """
    where = endpoint(host, port)
    try:
        sock = context.socket(kind)
    except zmq.ZMQError as error:  # no more files or sockets
        raise DialError(Trouble.LOCAL, host, port) from error
    monitor: zmq.asyncio.Socket | None = None
    try:
        configure(sock)
        # Its timers run from the connect on, however long this thread is held up after that.
        start = asyncio.get_running_loop().time()
        try:
            monitor = watch(sock)
            sock.connect(where)
        except zmq.ZMQError as error:
            raise DialError(Trouble.LOCAL, host, port) from error
        broken = await _handshake(monitor, start)
        if broken is not None:
            raise DialError(broken, host, port)
    except BaseException:
        if monitor is None:
            sock.close(linger=0)
        else:
            close_watched(sock, monitor, linger=0)
        raise
    return Line(sock, monitor, host, port)


async def _handshake(monitor: zmq.asyncio.Socket, start: float) -> Trouble | None:
    """Follow the monitor of a dialling socket to the end of the handshake; what broke it."""
    loop = asyncio.get_running_loop()
    deadline = start + (CONNECT_MS + HANDSHAKE_MS) / 1000 + 1.0
    connected: float | None = None

    def hung_up(why: Trouble) -> Trouble:
        """Tell why they hung up: so late a timer did it there, after one of us had slept."""
        took = loop.time() - (start if connected is None else connected)
        slept = took > 0.9 * HANDSHAKE_MS / 1000
        return Trouble.SILENT if slept else why

    while True:
        try:
            async with asyncio.timeout_at(deadline):
                event, value = await next_monitor_event(monitor)
        except TimeoutError:
            return Trouble.SILENT
        if event == zmq.EVENT_HANDSHAKE_SUCCEEDED:
            return None
        if event == zmq.EVENT_CONNECTED:
            connected = loop.time()
        elif event == zmq.EVENT_HANDSHAKE_FAILED_AUTH:
            return Trouble.NOT_ADMITTED if value == 400 else Trouble.NOT_NOW
        elif event == zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL:
            return Trouble.WRONG_KEY if value == _CRYPTOGRAPHIC else Trouble.FOREIGN
        elif event == zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL:
            if value in _HUNG_UP:
                return hung_up(Trouble.WRONG_KEY)
            return Trouble.SILENT
        elif event in (zmq.EVENT_CLOSED, zmq.EVENT_DISCONNECTED):
            if connected is not None:
                return hung_up(Trouble.FOREIGN)
            timed_out = loop.time() - start > 0.9 * CONNECT_MS / 1000
            return Trouble.SILENT if timed_out else Trouble.REFUSED


class Hangable(Protocol):
    """Whatever is hung up on."""

    def close(self, linger: int = ...) -> None:
        """Hang up; what is queued gets ``linger`` milliseconds to leave."""


AnyLine = TypeVar("AnyLine", bound=Hangable)


async def first_line(dials: Sequence[Coroutine[Any, Any, AnyLine]]) -> AnyLine:
    """Run all ``dials`` at once, keep the first line and hang up the others.

    DialError, the most telling one, when all fail.
    """
    tasks = [asyncio.create_task(start) for start in dials]
    winner: AnyLine | None = None
    failed: list[DialError] = []
    try:
        for done in asyncio.as_completed(tasks):
            try:
                winner = await done
                break
            except DialError as error:
                failed.append(error)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    except BaseException:
        winner = None
        raise
    finally:
        for task in tasks:
            task.cancel()
            task.add_done_callback(lambda task: _hang_up(task, winner))
    if winner is None:
        raise min(failed, key=lambda error: error.rank)
    return winner


def _hang_up(task: asyncio.Task[AnyLine], winner: AnyLine | None) -> None:
    """Close the line of a dial that came too late."""
    if not task.cancelled() and task.exception() is None and task.result() is not winner:
        task.result().close(linger=0)


def knock_trouble(event: int, value: int) -> Sentence | None:
    """Sentence for a handshake that failed at one of our own doors; None for other events."""
    if event == zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL:
        if value == _CRYPTOGRAPHIC:
            return sentence("Somebody dialled with a key that is not this peer's.")
        if value == _MECHANISM_MISMATCH:
            return sentence("Somebody came without encryption.")
        return sentence("Somebody spoke another protocol at the door.")
    if event == zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL:
        return sentence("Somebody left in the middle of a handshake.")
    return None
