"""The lines that a peer dials: one for each other that it wants to speak to (``net.links``).

Each only sends (``net.curve``), and is dialled at all addresses of its peer at once; the first
whose handshake proves the announced key is kept, and one that breaks is dialled again for ever.
What waits for a line is bounded: the oldest frames give way. A frame that was given to a line may
be lost with it; the layers above send again.

Never: waits for a slow reader; takes anything from a line that it dialled.
Errors: ValueError for a wrong key or address.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass, field

from p2p_hearts.net.addresses import checked_addresses, show
from p2p_hearts.net.curve import CurveLine, dial_curve
from p2p_hearts.net.errors import sentence
from p2p_hearts.net.keys import CurveKeys, check_key
from p2p_hearts.net.sockets import DialError, Trouble, first_line
from p2p_hearts.net.terms import Limits, LinkEvent, LinkEventKind, Tally

COMPLAINT_SECONDS = 30.0
"""A dial that fails for the same reason is told so often."""

Work = Callable[[], Coroutine[None, None, None]]


@dataclass(slots=True, eq=False)
class Peer:
    """One peer that we dial: where, what waits for it, and the task that keeps its line."""

    key: bytes
    addresses: tuple[tuple[str, int], ...]
    outbox: deque[bytes] = field(default_factory=deque, repr=False)
    """In a lobby a frame may hold a join code."""
    waiting_bytes: int = 0
    queued: asyncio.Event = field(default_factory=asyncio.Event)
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    line: CurveLine | None = None
    task: asyncio.Task[None] | None = None
    complaints: dict[str, tuple[Trouble, float]] = field(default_factory=dict)
    """What was told last of each of its addresses, and when."""

    def rouse(self) -> None:
        """End the pauses of everybody who dials this peer."""
        self.wake.set()
        self.wake.clear()


class Dialler:
    """All lines that one peer dials."""

    def __init__(
        self,
        keys: CurveKeys,
        limits: Limits,
        tally: Tally,
        tell: Callable[[LinkEvent], None],
        start: Callable[[Work], asyncio.Task[None]],
    ) -> None:
        """Dial nobody yet; ``start`` runs a piece of work until the links close."""
        self.peers: dict[bytes, Peer] = {}
        """Whom it dials, by key, up or not."""
        self._keys = keys
        self._limits = limits
        self._tally = tally
        self._tell = tell
        self._start = start
        self._leaving: set[asyncio.Task[None]] = set()
        """Lines that were hung up on, until what was sent by them has left."""

    def connect(self, key: bytes, addresses: Iterable[tuple[str, int]]) -> None:
        """Dial a peer, or give it other addresses, as ``Links.connect`` says."""
        where = checked_addresses(addresses)
        if check_key(key) == self._keys.public:
            raise ValueError("a peer does not dial itself")
        peer = self.peers.get(key)
        if peer is None:
            peer = self.peers[key] = Peer(key, where)
            peer.task = self._start(lambda: self._keep(peer))
            return
        kept = peer.line is not None and (peer.line.host, peer.line.port) in where
        changed = set(where) != set(peer.addresses)
        peer.addresses = where
        # A peer may move for ever: what was told of where it was is forgotten.
        shown = {show(host, port) for host, port in where}
        peer.complaints = {at: told for at, told in peer.complaints.items() if at in shown}
        peer.rouse()
        if changed and not kept:
            if peer.task is not None:
                peer.task.cancel()
            peer.task = self._start(lambda: self._keep(peer))

    def disconnect(self, key: bytes) -> None:
        """Hang up on a peer and forget what waits for it, if it was dialled."""
        peer = self.peers.pop(key, None)
        if peer is not None and peer.task is not None:
            peer.task.cancel()

    def send(self, key: bytes, frame: bytes) -> bool:
        """Queue a frame for a peer, and return what ``Links.send`` says."""
        peer = self.peers.get(key)
        if peer is None:
            return False
        room = True
        while peer.outbox and (
            len(peer.outbox) >= self._limits.outbox_frames
            or peer.waiting_bytes + len(frame) > self._limits.outbox_bytes
        ):
            peer.waiting_bytes -= len(peer.outbox.popleft())
            self._tally.outbox_dropped += 1
            room = False
        peer.outbox.append(frame)
        peer.waiting_bytes += len(frame)
        peer.queued.set()
        return room

    def heard(self, key: bytes) -> None:
        """Note that a peer lives: the pause before the next attempt to dial it ends."""
        peer = self.peers.get(key)
        if peer is not None and peer.line is None:
            peer.rouse()

    @property
    def is_busy(self) -> bool:
        """Whether frames wait for a line that stands, or for the system to take them."""
        return any(
            peer.line is not None and (peer.outbox or peer.line.is_busy)
            for peer in self.peers.values()
        )

    async def gone(self) -> None:
        """Return once nothing is left of lines that were hung up on, within LINGER_MS."""
        await asyncio.gather(*self._leaving)

    # One line.

    async def _keep(self, peer: Peer) -> None:
        """Keep a line to ``peer``: dial every address at once, pump, and again when it is lost."""
        while True:
            line = await first_line([self._dial(peer, *where) for where in peer.addresses])
            peer.line = line
            peer.complaints.clear()
            where = show(line.host, line.port)
            said = sentence("The line to {where} stands.", where=where)
            self._tell(LinkEvent(LinkEventKind.UP, peer.key, said))
            try:
                await self._pump(peer, line)
            finally:
                if peer.line is line:
                    peer.line = None
                self._hang_up(line)
                said = sentence("The line to {where} is lost.", where=where)
                self._tell(LinkEvent(LinkEventKind.DOWN, peer.key, said))
            await asyncio.sleep(self._limits.redial_first / 2)

    def _hang_up(self, line: CurveLine) -> None:
        line.close()
        leaving = asyncio.create_task(line.gone())
        self._leaving.add(leaving)
        leaving.add_done_callback(self._leaving.discard)

    async def _dial(self, peer: Peer, host: str, port: int) -> CurveLine:
        """Dial one address of ``peer`` until its handshake proves the key."""
        first, longest = self._limits.redial_first, self._limits.redial_longest
        pause = first
        while True:
            try:
                return await dial_curve(host, port, peer.key, self._keys)
            except DialError as error:
                self._complain(peer, error)
            # Woken or not, half the first pause is always kept: a peer that wakes us all the time
            # must not make us dial all the time.
            await asyncio.sleep(first / 2)
            woken = await _either(peer.wake, pause * random.uniform(0.5, 1.0))  # noqa: S311
            pause = first if woken else min(2 * pause, longest)

    async def _pump(self, peer: Peer, line: CurveLine) -> None:
        """Send what waits for ``peer`` until the line is lost."""
        tasks = (asyncio.create_task(line.lost()), asyncio.create_task(self._send_all(peer, line)))
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _send_all(self, peer: Peer, line: CurveLine) -> None:
        while True:
            while peer.outbox:
                frame = peer.outbox.popleft()
                peer.waiting_bytes -= len(frame)
                try:
                    await line.send(frame)
                except BaseException:
                    peer.outbox.appendleft(frame)  # the next line may have it; twice does no harm
                    peer.waiting_bytes += len(frame)
                    raise
                self._tally.sent += 1
            peer.queued.clear()
            await peer.queued.wait()

    def _complain(self, peer: Peer, error: DialError) -> None:
        """Say why dialling failed: at once when the reason is new, else now and then."""
        said, then = peer.complaints.get(error.where, (None, 0.0))
        now = time.monotonic()
        if error.trouble is not said or now - then > COMPLAINT_SECONDS:
            peer.complaints[error.where] = (error.trouble, now)
            self._tell(LinkEvent(LinkEventKind.DIAL_FAILED, peer.key, error.sentence))


async def _either(event: asyncio.Event, seconds: float) -> bool:
    """Wait for ``event``, at most so long; whether it came."""
    try:
        async with asyncio.timeout(seconds):
            return await event.wait()
    except TimeoutError:
        return False
