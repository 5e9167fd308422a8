"""Hosts at a switch made of software: it can be split, lose frames and take its time.

Each host is a network namespace whose ``eth0`` is a TAP device; this process reads the frames of
one and writes them to the others, as late and as seldom as it is told. Needs root, no ``netem``.
"""

from __future__ import annotations

import contextlib
import fcntl
import heapq
import os
import random
import select
import struct
import threading
import time
from collections.abc import Iterable

from tests.lan.network import Lan, ip

_TUNSETIFF = 0x400454CA
_IFF_TAP = 0x0002
_IFF_NO_PI = 0x1000
_FRAME_BYTES = 2048


class SoftLan(Lan):
    """``count`` hosts at one switch; ``delay`` in seconds one way, ``loss`` from 0 to 1."""

    def __init__(self, count: int, delay: float = 0.0, loss: float = 0.0, seed: int = 0) -> None:
        super().__init__(count)
        self.delay, self.loss = delay, loss
        self.carried = self.lost = 0
        self._group = [0] * count
        self._chance = random.Random(seed)
        self._taps: list[int] = []
        self._port_of: dict[bytes, int] = {}
        self._stop, self._wake = os.pipe()
        self._thread = threading.Thread(target=self._forward, daemon=True)

    def split(self, *groups: Iterable[int]) -> None:
        """Let only hosts of one group hear each other; those of no group hear nobody."""
        self._group = [-1 - number for number in range(len(self._group))]
        for number, group in enumerate(groups):
            for host in group:
                self._group[host] = number

    def heal(self) -> None:
        """Let everybody hear everybody again."""
        self._group = [0] * len(self._group)

    def pull(self, number: int) -> None:
        """Pull the cable of a host."""
        self._group[number] = -1 - number

    def plug(self, number: int) -> None:
        """Plug it in again."""
        self._group[number] = 0

    def _build(self) -> None:
        for number, space in enumerate(self.spaces):
            ip("netns", "add", space)
            name = self._cable(number)
            tap = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
            self._taps.append(tap)
            request = struct.pack("16sH22x", name.encode(), _IFF_TAP | _IFF_NO_PI)
            fcntl.ioctl(tap, _TUNSETIFF, request)
            ip("link", "set", name, "netns", space)
            ip("-n", space, "link", "set", name, "name", "eth0")
            ip("-n", space, "link", "set", "lo", "up")
            ip("-n", space, "link", "set", "eth0", "up")
            ip("-n", space, "addr", "add", f"{self.address(number)}/24", "dev", "eth0")
        self._thread.start()

    def _remove(self) -> None:
        os.close(self._wake)
        if self._thread.is_alive():
            self._thread.join(60)
        os.close(self._stop)
        for tap in self._taps:
            os.close(tap)
        self._taps.clear()
        for space in self.spaces:
            ip("netns", "del", space, check=False)

    def _forward(self) -> None:
        """Carry frames until the other end of ``_stop`` is closed."""
        late: list[tuple[float, int, int, bytes]] = []
        count = 0
        while True:
            wait = max(0.0, late[0][0] - time.monotonic()) if late else None
            ready, _, _ = select.select([*self._taps, self._stop], [], [], wait)
            if self._stop in ready:
                return
            now = time.monotonic()
            for port, tap in enumerate(self._taps):
                if tap in ready:
                    with contextlib.suppress(OSError):
                        frame = os.read(tap, _FRAME_BYTES)
                        for to in self._receivers(port, frame):
                            count += 1
                            heapq.heappush(late, (now + self.delay, count, to, frame))
            now = time.monotonic()
            while late and late[0][0] <= now:
                _, _, to, frame = heapq.heappop(late)
                with contextlib.suppress(OSError):
                    os.write(self._taps[to], frame)

    def _receivers(self, port: int, frame: bytes) -> list[int]:
        """Return where a frame goes: where its receiver was heard last, else to everybody."""
        to, by = frame[:6], frame[6:12]
        self._port_of[by] = port
        known = self._port_of.get(to)
        ports = range(len(self._taps)) if known is None else [known]
        reached = []
        for other in ports:
            if other == port or self._group[other] != self._group[port]:
                continue
            if self._chance.random() < self.loss:
                self.lost += 1
            else:
                self.carried += 1
                reached.append(other)
        return reached


__all__ = ["SoftLan"]
