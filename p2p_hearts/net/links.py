"""Links: opaque frames between peers that know each other by CURVE key.

Every peer listens at two doors, ROUTER sockets that only receive: the *lobby* takes anybody's
small frames at a slow pace, the *table* only frames of keys that were admitted. For every peer it
wants to speak to it dials a line (``net.dialling``).

A frame belongs to the key of its connection (the ZAP ``User-Id``), never to an address, a name or a
routing id. Delivery is at most once: frames may be lost with a line or dropped from a full queue,
and the layers above send again. Nothing here waits for a slow reader: ``send`` never blocks.

Whatever comes from outside is counted and dropped when it is wrong, and said in a
:class:`LinkEvent`; errors are raised for wrong use by this program only (ValueError) and for ports
that cannot be had (NetError). What a line may make this process hold is bounded: frames, queues and
inboxes by their sizes here, endless messages and the number of lines by ``guard``.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from types import TracebackType

import zmq
import zmq.asyncio

from p2p_hearts.net.buckets import Bucket, Buckets, Rate
from p2p_hearts.net.dialling import Dialler, Work
from p2p_hearts.net.errors import NetError, sentence
from p2p_hearts.net.guard import Guard
from p2p_hearts.net.keys import CurveKeys, check_key
from p2p_hearts.net.sockets import (
    LINGER_MS,
    MAX_SOCKETS,
    allow_files,
    bind,
    knock_trouble,
    prepare,
    receive_parts,
)
from p2p_hearts.net.terms import (
    Door,
    DoorLimits,
    Limits,
    LinkEvent,
    LinkEventKind,
    Received,
    Tally,
)
from p2p_hearts.net.zap import Knock, Verdict, bind_zap, serve_zap

log = logging.getLogger(__name__)


_SENT = 1
"""High-water mark of a door, which sends nothing."""


@dataclass(slots=True)
class _Inbox:
    """Frames that wait for ``receive``, and their size."""

    frames: deque[Received] = field(default_factory=deque)
    bytes: int = 0

    def is_full(self, limits: DoorLimits) -> bool:
        return len(self.frames) >= limits.inbox or self.bytes >= limits.inbox_bytes


class Links:
    """The mesh of one peer. Make it with ``await Links.open(...)`` and ``await close()`` it.

    Each has a ZeroMQ context of its own (``context``), which a :class:`p2p_hearts.net.door.Door`
    may share; close the door first.
    """

    def __init__(self, keys: CurveKeys, limits: Limits) -> None:
        self._keys = keys
        self._limits = limits
        self.context = zmq.asyncio.Context()
        self.context.max_sockets = MAX_SOCKETS
        allow_files(MAX_SOCKETS)
        self.tally = Tally()
        self.lobby_port = 0
        self.table_port = 0
        self._admitted: frozenset[bytes] = frozenset()
        self._tasks: set[asyncio.Task[None]] = set()
        self._sockets: list[zmq.asyncio.Socket] = []
        self._guards: dict[Door, Guard] = {}
        self._reading: dict[Door, asyncio.Task[None]] = {}
        self._inboxes = {Door.TABLE: _Inbox(), Door.LOBBY: _Inbox()}
        self._arrived = asyncio.Event()
        self._taken = asyncio.Event()
        self._events: deque[LinkEvent] = deque(maxlen=1024)
        self._event_came = asyncio.Event()
        self._closed = False
        now = time.monotonic()
        self._gossip = Bucket(Rate(2, 40), now)
        self._handshakes = Buckets(limits.handshakes, 256)
        self.dialler = Dialler(keys, limits, self.tally, self._tell, self._start)

    @classmethod
    async def open(
        cls,
        keys: CurveKeys,
        *,
        lobby_port: int = 0,
        table_port: int = 0,
        interface: str | None = None,
        limits: Limits | None = None,
    ) -> Links:
        """Listen at both doors (port 0: any free one), on all interfaces or on one.

        Nobody is admitted to the table yet. NetError when a port or the interface cannot be had.
        """
        links = cls(keys, limits or Limits())
        try:
            gate = bind_zap(links.context)
            links._sockets.append(gate)
            links._start(lambda: serve_zap(gate, links._decide))
            links.lobby_port = links._open_door(Door.LOBBY, lobby_port, interface)
            links.table_port = links._open_door(Door.TABLE, table_port, interface)
        except BaseException:
            await links.close()
            raise
        return links

    async def __aenter__(self) -> Links:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    # Who may come in and whom we dial

    @property
    def public_key(self) -> bytes:
        """The key under which this peer is dialled and under which its frames arrive."""
        return self._keys.public

    @property
    def admitted(self) -> frozenset[bytes]:
        """The keys that the table door lets in."""
        return self._admitted

    def admit(self, keys: Iterable[bytes]) -> None:
        """Let exactly these keys in at the table door from now on.

        Frames of a key that is no longer among them are dropped even on a line that still stands.
        """
        self._admitted = frozenset(check_key(key) for key in keys)

    def connect(self, key: bytes, addresses: Iterable[tuple[str, int]]) -> None:
        """Dial the holder of ``key`` at any of these (IP literal, port), now and for ever.

        Called again, it replaces the addresses; a line to one that is still listed is kept, and
        a pause before the next attempt ends. ValueError for a wrong key or address.
        """
        self._must_be_open()
        self.dialler.connect(key, addresses)

    def disconnect(self, key: bytes) -> None:
        """Hang up on ``key`` and forget what waits for it; nothing if it was not dialled."""
        self.dialler.disconnect(key)

    def is_up(self, key: bytes) -> bool:
        """Whether a line to ``key`` stands."""
        peer = self.dialler.peers.get(key)
        return peer is not None and peer.line is not None

    def waiting(self, key: bytes) -> int:
        """How many frames wait here for ``key`` to take them."""
        peer = self.dialler.peers.get(key)
        return 0 if peer is None else len(peer.outbox)

    @property
    def peers(self) -> tuple[bytes, ...]:
        """The keys that are dialled, up or not."""
        return tuple(self.dialler.peers)

    # Frames

    def send(self, key: bytes, frame: bytes) -> bool:
        """Queue ``frame`` for ``key`` and return at once.

        While no line stands, frames wait. True if nothing had to give way; False if ``key`` is not
        dialled, or if the oldest waiting frames were dropped to make room. ValueError for a frame
        that no door would take.
        """
        self._must_be_open()
        if len(frame) > self._limits.table.frame_bytes:
            raise ValueError(f"a frame has at most {self._limits.table.frame_bytes} bytes")
        return self.dialler.send(key, frame)

    async def receive(self) -> Received:
        """Return the next frame; those of the table come first. NetError once closed."""
        while True:
            for inbox in self._inboxes.values():
                if inbox.frames:
                    self._taken.set()
                    received = inbox.frames.popleft()
                    inbox.bytes -= len(received.frame)
                    return received
            self._must_be_open()
            self._arrived.clear()
            await self._arrived.wait()

    async def next_event(self) -> LinkEvent:
        """Return the next event; the oldest are forgotten when nobody asks. NetError once closed.

        Events that strangers can cause are limited in number.
        """
        while not self._events:
            self._must_be_open()
            self._event_came.clear()
            await self._event_came.wait()
        return self._events.popleft()

    async def close(self) -> None:
        """Hang up everywhere, within a second; what is queued in ZeroMQ gets a moment to leave."""
        if self._closed:
            return
        self._closed = True
        try:
            await self._last_words()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            await self.dialler.gone()
            for sock in self._sockets:
                sock.close(linger=0)
            await asyncio.gather(*(guard.ended() for guard in self._guards.values()))
        finally:
            self.context.destroy(linger=LINGER_MS)
            self._arrived.set()
            self._event_came.set()

    async def _last_words(self) -> None:
        """Give the frames that wait for a standing line a moment to reach ZeroMQ."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + LINGER_MS / 1000
        while loop.time() < deadline and self.dialler.is_busy:
            await asyncio.sleep(0.005)

    # The doors

    def _open_door(self, door: Door, port: int, interface: str | None) -> int:
        limits = self._limits.lobby if door is Door.LOBBY else self._limits.table
        sock = self.context.socket(zmq.ROUTER)
        self._sockets.append(sock)
        guard = self._guards[door] = Guard(
            sock, limits.lines, self._knocked, lambda: self._reading[door].cancel()
        )
        prepare(
            sock,
            frame_bytes=limits.frame_bytes,
            queue=_SENT,
            buffer=limits.buffer,
            listens=True,
        )
        sock.curve_server = True
        sock.curve_secretkey = self._keys.secret
        sock.setsockopt(zmq.ZAP_DOMAIN, door.value.encode("ascii"))
        sock.setsockopt(zmq.ZAP_ENFORCE_DOMAIN, 1)
        guard.port = bind(sock, port, interface)
        self._reading[door] = self._start(lambda: self._read(door, sock, limits))
        return guard.port

    def lines(self, door: Door) -> tuple[int, int]:
        """Return how many lines of others stand at a door, and how many were shut for their greed.

        Whoever they are.
        """
        guard = self._guards[door]
        return guard.lines, guard.shut

    def _decide(self, knock: Knock) -> Verdict:
        """Who may come in: the ZAP decision."""
        if knock.door == Door.TABLE:
            if knock.key in self._admitted:
                return Verdict.ADMIT
            verdict = Verdict.REFUSE
            said = sentence(
                "A key that is not of this table was refused; it came from {address}.",
                address=knock.address,
            )
        elif knock.door == Door.LOBBY:
            now = time.monotonic()
            if self._handshakes.of(knock.address, now).take(1, now):
                return Verdict.ADMIT
            verdict = Verdict.NOT_NOW
            said = sentence("{address} knocks too often.", address=knock.address)
        else:
            return Verdict.REFUSE
        self.tally.knocks_refused += 1
        self._tell_if_quiet(LinkEvent(LinkEventKind.REFUSED, knock.key, said))
        return verdict

    def _knocked(self, event: int, value: int) -> None:
        """Somebody failed at one of the doors."""
        said = knock_trouble(event, value)
        if said is not None:
            self.tally.knocks_refused += 1
            self._tell_if_quiet(LinkEvent(LinkEventKind.REFUSED, None, said))

    async def _read(self, door: Door, sock: zmq.asyncio.Socket, limits: DoorLimits) -> None:
        now = time.monotonic()
        total = Bucket(limits.total, now)
        frames = Buckets(limits.frames, limits.remembered)
        octets = Buckets(limits.bytes, limits.remembered)
        inbox, guard = self._inboxes[door], self._guards[door]
        while True:
            while inbox.is_full(limits):
                self._taken.clear()
                await self._taken.wait()
            parts = await receive_parts(sock)
            guard.heard(parts)
            now = time.monotonic()
            received = self._check(door, parts, frames, octets, now)
            if received is not None:
                self.tally.received += 1
                inbox.frames.append(received)
                inbox.bytes += len(received.frame)
                self._arrived.set()
            # A socket that always has more would never let another task run.
            total.take(1, now)
            await asyncio.sleep(total.wait(1, now))

    def _check(
        self,
        door: Door,
        parts: list[zmq.Frame],
        frames: Buckets,
        octets: Buckets,
        now: float,
    ) -> Received | None:
        """Exactly one frame behind the routing id, of a key that may speak, at a bearable rate."""
        key = _sender(parts)
        if key is None:
            self.tally.wrong_parts += 1
            return None
        if door is Door.TABLE and key not in self._admitted:
            self.tally.not_admitted += 1
            return None
        size = sum(len(part) for part in parts[1:])
        may = frames.of(key, now).take(1, now) and octets.of(key, now).take(max(1, size), now)
        if not may:
            self.tally.over_rate += 1
            said = sentence("Frames of a peer that sends too much are dropped.")
            self._tell_if_quiet(LinkEvent(LinkEventKind.DROPPED, key, said))
            return None
        if len(parts) != 2:
            self.tally.wrong_parts += 1
            said = sentence("A message of {count} frames was dropped.", count=len(parts) - 1)
            self._tell_if_quiet(LinkEvent(LinkEventKind.DROPPED, key, said))
            return None
        self.dialler.heard(key)
        return Received(key, parts[1].bytes, door)

    # Small things

    def _tell(self, event: LinkEvent) -> None:
        self._events.append(event)
        self._event_came.set()

    def _tell_if_quiet(self, event: LinkEvent) -> None:
        """Tell an event that strangers can cause, unless there were many of late."""
        if self._gossip.take(1, time.monotonic()):
            self._tell(event)

    def _must_be_open(self) -> None:
        if self._closed:
            raise NetError(sentence("The links are closed."))

    def _start(self, work: Work) -> asyncio.Task[None]:
        """Run ``work`` until the links close; an unexpected error is logged and it starts again."""

        async def persist() -> None:
            while True:
                try:
                    await work()
                except Exception:
                    log.exception("A network task failed and starts again.")
                    await asyncio.sleep(0.5)

        task = asyncio.create_task(persist())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _sender(parts: Sequence[zmq.Frame]) -> bytes | None:
    """Return the key that ZAP vouched for, from the message's last frame."""
    try:
        user = parts[-1].get("User-Id") if len(parts) > 1 else None
    except zmq.ZMQError:
        return None
    return user.encode("ascii") if isinstance(user, str) else None
