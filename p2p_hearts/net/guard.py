"""What a line may make us hold: a watch over the TCP lines that one listening socket accepted.

ZeroMQ bounds a frame, and may bound the whole messages that wait to be read; it bounds neither the
parts of a message that never ends, which it keeps until the last one came, nor the number of lines.
So the kernel is asked how many bytes each line has received, and a line that took more than
``pending`` beside the messages that were taken from it is shut, and the parts it left go with it. A
thread does that: proofs keep the event loop busy for longer than a fast line needs to fill the
memory.

A line is known by its descriptor, which the socket's monitor tells at the accept and every message
carries (``SRCFD``). The descriptor belongs to ZeroMQ's own thread and may be closed, and taken for
something else, at any moment: it is touched only through a duplicate that is still a line of this
very port.

Where the system does not tell a line's bytes (``TCP_INFO`` of Linux), only their number and their
silence are bounded.

Invariant: while there is no watch there is no door: the socket has no bound of its own. An error of
the watch is logged and it goes on; if it fails again and again it shuts all lines and closes the
socket. Errors: none; a line that is gone is no trouble.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import logging
import os
import socket
import struct
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import zmq
import zmq.asyncio
from zmq.utils.monitor import parse_monitor_message

log = logging.getLogger(__name__)

EVENTS = (
    zmq.EVENT_ACCEPTED
    | zmq.EVENT_DISCONNECTED
    | zmq.EVENT_CLOSED
    | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
    | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL
    | zmq.EVENT_MONITOR_STOPPED
)
EVENTS_AT_ONCE = 50

FAILURES = 10
"""So many looks that fail one after the other, some milliseconds in all, close the door."""

_KNOCKS = zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL
_GONE = zmq.EVENT_DISCONNECTED | zmq.EVENT_CLOSED

_CLOSE_SECONDS = 0.5
_AFTER_FAILURE_SECONDS = 0.001
_TRIM_SECONDS = 0.5
"""After a line was shut, ZeroMQ needs a moment to let go of what it left."""
_WRAPPING = 42
"""Bytes of a frame on the line beside its own, at most: 33 of encryption, 9 of framing."""
_BYTES_RECEIVED = 128
"""Offset of ``tcpi_bytes_received``, a 64-bit number, in ``struct tcp_info`` (Linux 4.1)."""


@dataclass(frozen=True, slots=True)
class LineLimits:
    """What the lines of one listening socket may take.

    ``lines`` at once; ``pending`` bytes on one of them that were not taken as whole messages,
    beside ``idle`` bytes a second for heartbeats; ``silent`` seconds without a whole message.
    ``look`` is the pause between two looks, in seconds, while there are lines: at 1 Gbit/s one
    takes 125 kB in a millisecond. A line that is filling is looked at every millisecond.
    """

    lines: int
    pending: int
    silent: float = 60.0
    idle: float = 512.0
    look: float = 0.05


@dataclass(slots=True)
class _Line:
    since: float
    """When it was accepted, or last gave a whole message."""
    proven: bool = False
    """Whether it had given a whole message by the last look."""
    heard: int = 0
    """Bytes of the messages that were taken since the last look, as they came on the line."""
    taken: int = 0
    """Bytes of its messages that were taken, and of what is no message."""


class Guard:
    """Watches one listening socket; make it before the ``bind``, in a running loop.

    ``trouble`` is called in that loop with the event and value of every handshake that failed, as
    long as the loop keeps up; ``closed`` once the guard has closed the socket, for it cannot watch.
    """

    def __init__(
        self,
        sock: zmq.asyncio.Socket,
        limits: LineLimits,
        trouble: Callable[[int, int], None] = lambda event, value: None,
        closed: Callable[[], object] = lambda: None,
    ) -> None:
        self.port = 0
        """To be set once the socket is bound."""
        self.shut = 0
        """Lines that were shut because they took too much."""
        self._sock = sock
        self._limits = limits
        self._trouble = trouble
        self._closed = closed
        self._lines: dict[int, _Line] = {}
        self._early: dict[int, int] = {}
        """Bytes taken from lines whose accept was not told yet, by their descriptors."""
        self._lock = threading.Lock()
        self._is_close = False
        """Whether a line is filling: then it is looked at every millisecond."""
        self._look_seconds = 0.0
        self._trim_at: float | None = None
        """When to give the memory of shut lines back to the system."""
        self._loop = asyncio.get_running_loop()
        self._knocks: deque[tuple[int, int]] = deque(maxlen=256)
        self._stopped = asyncio.Event()
        where = f"inproc://p2p-hearts-guard-{id(self)}-{time.monotonic_ns()}"
        sock.monitor(where, EVENTS)
        self._monitor = zmq.Context(sock.context).socket(zmq.PAIR)
        self._monitor.linger = 0
        self._monitor.connect(where)
        self._thread = threading.Thread(target=self._run, name="p2p-hearts guard", daemon=True)
        self._thread.start()

    def heard(self, parts: Sequence[zmq.Frame]) -> None:
        """Note that a whole message was taken, the routing id first: its line gave so much."""
        with contextlib.suppress(zmq.ZMQError):
            key = int(parts[-1].get(zmq.SRCFD))
            size = sum(len(part) + _WRAPPING for part in parts[1:])
            with self._lock:
                line = self._lines.get(key)
                if line is None:
                    self._early[key] = self._early.get(key, 0) + size
                else:
                    line.heard += size

    @property
    def lines(self) -> int:
        """Lines that stand now."""
        return len(self._lines)

    async def ended(self) -> None:
        """Return once the watched socket is closed for good, within half a second."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_CLOSE_SECONDS):
                await self._stopped.wait()

    # The thread.

    def _run(self) -> None:
        try:
            self._watch()
        except Exception:
            self._refuse()
        finally:
            self._monitor.close(linger=0)
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._stopped.set)

    def _watch(self) -> None:
        """Watch until the socket or its context is closed; raises what fails again and again."""
        failures = 0
        while True:
            try:
                if not self._take_events():
                    return
                self._look(time.monotonic())
                failures = 0
            except zmq.ContextTerminated:
                return
            except Exception:
                failures += 1
                if failures == FAILURES:
                    raise
                log.exception(
                    "A look at the lines of port %s failed; the watch goes on.", self.port
                )
                self._is_close = True

    def _refuse(self) -> None:
        """Have the socket closed, and shut all lines that there are until that is done.

        Its events are read to the last one: ZeroMQ's own thread waits for room for them.
        """
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._close_door)
        self._limits = replace(self._limits, lines=0)
        while True:
            try:
                with self._lock:
                    for key in [*self._lines]:
                        self._shut(key)
                if not self._take_events():
                    return
            except zmq.ContextTerminated:
                return
            except Exception:
                time.sleep(_AFTER_FAILURE_SECONDS)

    def _close_door(self) -> None:
        log.error("Nobody can watch over the lines of port %s: this door is closed.", self.port)
        self._sock.close(linger=0)
        self._closed()

    def _take_events(self) -> bool:
        """Wait a moment for events and take many of them; False once the socket is closed.

        Not all: while strangers come and go all the time, the lines are to be looked at, too.
        """
        self._monitor.poll(self._pause_ms())
        for _ in range(EVENTS_AT_ONCE):
            try:
                parts = self._monitor.recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                break
            told = parse_monitor_message(parts)
            event, value = int(told["event"]), int(told["value"])
            if event == zmq.EVENT_MONITOR_STOPPED:
                return False
            if event == zmq.EVENT_ACCEPTED:
                self._let_in(value)
            elif event & _GONE:
                with self._lock:
                    self._lines.pop(value, None)
                    self._early.pop(value, None)
            elif event & _KNOCKS:
                self._knock(event, value)
        return True

    def _pause_ms(self) -> int:
        """Return how long to wait for events before the next look."""
        if not self._lines:
            return 1000 if self._trim_at is None else int(1000 * _TRIM_SECONDS)
        pause = 0.001 if self._is_close else self._limits.look
        # A crowd that only stays must not keep this process busy with looking at it.
        return max(1, int(1000 * max(pause, 10 * self._look_seconds)))

    def _knock(self, event: int, value: int) -> None:
        is_first = not self._knocks
        self._knocks.append((event, value))
        if is_first:
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._tell)

    def _tell(self) -> None:
        while self._knocks:
            self._trouble(*self._knocks.popleft())

    def _let_in(self, line: int) -> None:
        """Take a new line, or shut it: nobody would ever look at one that is not known."""
        try:
            self._accepted(line, time.monotonic())
        except Exception:
            with self._lock:
                self._shut(line)
            raise

    def _accepted(self, line: int, now: float) -> None:
        """Take a new line; above the limit the oldest that never said anything has to go."""
        with self._lock:
            self._lines.pop(line, None)
            heard = self._early.pop(line, 0)
            if len(self._lines) >= self._limits.lines:
                mute = [
                    key for key, known in self._lines.items() if not (known.proven or known.heard)
                ]
                self._shut(mute[0] if mute else line)
                if not mute:
                    return
            self._lines[line] = _Line(now, heard=heard)

    def _look(self, now: float) -> None:
        """Shut the lines that took too much, or said nothing for too long."""
        limits = self._limits
        self._is_close = False
        if self._trim_at is not None and now >= self._trim_at:
            self._trim_at = None
            _give_back()
        began = time.thread_time()
        with self._lock:
            for key, line in list(self._lines.items()):
                received = _received(key, self.port)
                quiet = now - line.since
                if line.heard:
                    line.proven = True
                    line.taken += line.heard + int(quiet * limits.idle)
                    line.since, line.heard, quiet = now, 0, 0.0
                line.taken = min(line.taken, received or 0)
                pending = (received or 0) - line.taken
                if quiet > limits.silent or pending > limits.pending + quiet * limits.idle:
                    self._shut(key)
                elif pending > limits.pending // 4:
                    self._is_close = True
        self._look_seconds = time.thread_time() - began

    def _shut(self, key: int) -> None:
        self._lines.pop(key, None)
        self.shut += 1
        self._trim_at = self._trim_at or time.monotonic() + _TRIM_SECONDS
        with contextlib.suppress(OSError), _line(key) as line:
            if _is_of(line, self.port):
                line.shutdown(socket.SHUT_RDWR)


def _give_back() -> None:
    """Give freed memory back to the system, where the C library offers it (glibc).

    Else what one greedy line left in pieces would count as ours until the end.
    """
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)


def _line(key: int) -> socket.socket:
    """Return a duplicate of a line; OSError if the descriptor is closed or no socket."""
    copy = os.dup(key)
    try:
        return socket.socket(fileno=copy)
    except OSError:
        os.close(copy)
        raise


def _is_of(line: socket.socket, port: int) -> bool:
    return (
        line.family in (socket.AF_INET, socket.AF_INET6)
        and line.type == socket.SOCK_STREAM
        and line.getsockname()[1] == port
    )


def _received(key: int, port: int) -> int | None:
    """Return the bytes a line has received in all; None if it is gone or the system cannot say."""
    if sys.platform != "linux":
        return None
    try:
        with _line(key) as line:
            if not _is_of(line, port):
                return None
            told = line.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _BYTES_RECEIVED + 8)
    except OSError:
        return None
    if len(told) < _BYTES_RECEIVED + 8:
        return None
    received: int = struct.unpack_from("=Q", told, _BYTES_RECEIVED)[0]
    return received
