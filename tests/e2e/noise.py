"""Everything that strangers can throw at the ports of a running table, and what it costs them.

They know what can be known: every port of every peer, and (as if a log had leaked) every link key
of the roster. Everything but the private keys.
"""

from __future__ import annotations

import contextlib
import os
import random
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import zmq

from p2p_hearts.cards.tablekey import make_table_key
from p2p_hearts.net.door import REQUEST
from p2p_hearts.wire.codec import encode
from p2p_hearts.wire.envelope import Identity
from p2p_hearts.wire.lobby import Hello, Join, sign_lobby
from p2p_hearts.wire.messages import VERSION
from tests.e2e.strangers import tell, told
from tests.programs import Program
from tests.table.sim import make_identities

HOST = "127.0.0.1"
GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x01"
NULL = GREETING + b"NULL".ljust(20, b"\0") + bytes(32)
CURVE = GREETING + b"CURVE".ljust(20, b"\0") + bytes(32)
READY = b"\x04\x1a\x05READY\x0bSocket-Type\0\0\0\x03REQ"
HELD = 40
MEGABYTE = 1 << 20


def resident(process: int) -> int:
    """Bytes of memory that a process holds."""
    text = Path(f"/proc/{process}/statm").read_text()
    return int(text.split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Level:
    """Watches the memory of processes from now on, in a thread."""

    def __init__(self, programs: Sequence[Program]) -> None:
        self._processes = [program.process.pid for program in programs]
        self.before = [resident(process) for process in self._processes]
        self.highest = list(self.before)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._stop.wait(0.1):
            for number, process in enumerate(self._processes):
                with contextlib.suppress(OSError, IndexError):
                    self.highest[number] = max(self.highest[number], resident(process))

    def stop(self) -> list[float]:
        """Return by how much each process grew at its highest, as a share of its level."""
        self._stop.set()
        self._thread.join(60)
        return [high / low - 1 for high, low in zip(self.highest, self.before, strict=True)]


class Noise:
    """Strangers at the doors: each throws one thing after the other until the context ends."""

    def __init__(
        self,
        ports: Sequence[int],
        keys: Sequence[bytes],
        door: int,
        lobby: int,
        instance: bytes,
        seed: int = 20,
    ) -> None:
        """``keys`` are the link keys of the roster, the founder's first; ``door`` its card door."""
        self.thrown: Counter[str] = Counter()
        self._ports, self._keys, self._door, self._lobby = ports, keys, door, lobby
        self._instance = instance
        self._identities = make_identities(40, "strangers")
        self._chance = random.Random(seed)
        self._stop = threading.Event()
        self._context = zmq.Context()
        self._held: list[socket.socket] = []
        throws: list[tuple[Callable[[], None], float]] = [
            (self._connect, 0.003),
            (self._bytes, 0.02),
            (self._half, 0.02),
            (self._frames, 0.1),
            (self._endless_in_the_lobby, 1.0),
            (self._endless_at_the_door, 1.0),
            (self._never_read, 0.3),
            (self._ask_for_seats, 0.05),
        ]
        self._threads = [
            threading.Thread(target=self._repeat, args=throw, daemon=True) for throw in throws
        ]

    def __enter__(self) -> Noise:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(60)
        for line in self._held:
            line.close()
        self._context.destroy(linger=0)

    def _repeat(self, throw: Callable[[], None], pause: float) -> None:
        while not self._stop.wait(pause):
            # What a door refuses, or a process that has ended, is what strangers meet.
            with contextlib.suppress(OSError, zmq.ZMQError):
                throw()
                self.thrown[throw.__name__.strip("_")] += 1

    # Over plain TCP.

    def _open(self, port: int) -> socket.socket:
        line = socket.socket()
        line.settimeout(1)
        try:
            line.connect((HOST, port))
        except OSError:
            line.close()
            raise
        return line

    def _connect(self) -> None:
        """Come and go: ten lines, hung up hard, so that no port of this side is used up."""
        for _ in range(10):
            with self._open(self._chance.choice(self._ports)) as line:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.thrown["lines"] += 1

    def _bytes(self) -> None:
        data = self._chance.randbytes(self._chance.randrange(1, 4000))
        with self._open(self._chance.choice(self._ports)) as line:
            line.sendall(
                self._chance.choice((data, NULL + data, CURVE + data, NULL + READY + data))
            )

    def _half(self) -> None:
        """Stay in the middle of a handshake, or of a frame that is said to be large."""
        line = self._open(self._chance.choice(self._ports))
        self._held.append(line)
        claimed = b"\x02" + (150_000).to_bytes(8, "big") + bytes(1000)
        line.sendall(
            self._chance.choice(
                (CURVE[: self._chance.randrange(1, 64)], CURVE + claimed, NULL + claimed)
            )
        )
        if len(self._held) > HELD:
            self._held.pop(0).close()

    def _never_read(self) -> None:
        """Ask for the card again and again, and never take an answer."""
        line = self._open(self._door)
        self._held.append(line)
        request = b"\x01\0\0" + bytes([len(REQUEST)]) + REQUEST
        line.sendall(NULL + READY + request * 400)

    def _endless_at_the_door(self) -> None:
        """Send a message of ever more parts, for a second at most."""
        part = b"\x01\xff" + bytes(255)
        with self._open(self._door) as line:
            line.sendall(NULL + READY)
            end = time.monotonic() + 1
            while time.monotonic() < end:
                line.sendall(part * 256)
                self.thrown["endless bytes"] += len(part) * 256

    # As ZeroMQ does.

    def _dealer(self, port: int, server: bytes, secret: bytes | None = None) -> zmq.Socket[bytes]:
        sock = self._context.socket(zmq.DEALER)
        sock.linger, sock.reconnect_ivl = 50, -1
        secret = secret or zmq.curve_keypair()[1]
        sock.curve_publickey, sock.curve_secretkey = zmq.curve_public(secret), secret
        sock.curve_serverkey = server
        sock.connect(f"tcp://{HOST}:{port}")
        return sock

    def _frames(self) -> None:
        """Shake hands with a key of our own, with the right server key or not, and say garbage."""
        port, server = self._chance.choice(self._ports), self._chance.choice(self._keys)
        with self._dealer(port, server) as sock:
            for tag in (b"\x01", b"\x02", b"\x03", b"\x04", b""):
                sock.send(tag + self._chance.randbytes(self._chance.randrange(2000)), zmq.NOBLOCK)
            sock.send_multipart([self._chance.randbytes(8)] * 300, zmq.NOBLOCK)
            sock.send(bytes(MEGABYTE), zmq.NOBLOCK)
            time.sleep(0.02)

    def _endless_in_the_lobby(self) -> None:
        """Send one message of 16 MB in small parts: its end is there, but far away."""
        with self._dealer(self._lobby, self._keys[0]) as sock:
            sock.linger = 1000
            sock.send_multipart([bytes(4096)] * 4096, zmq.NOBLOCK)
            self.thrown["endless bytes"] += 4096 * 4096
            time.sleep(0.2)

    def _ask_for_seats(self) -> None:
        """Well signed, from ever new people who say they listen at sixteen places each."""
        identity = self._chance.choice(self._identities)
        public, secret = zmq.curve_keypair()
        with self._dealer(self._lobby, self._keys[0], secret) as sock:
            join = Join(self._hello(identity, public), "", False, True)
            sock.send(b"\x01" + encode(join), zmq.NOBLOCK)

    def _hello(self, identity: Identity, curve: bytes) -> bytes:
        key, proof = make_table_key(bytes(32), self._instance, identity.public, curve)
        places = [(f"127.0.{self._chance.randrange(9)}.{n + 1}", 9) for n in range(16)]
        hello = Hello(
            VERSION, self._instance, identity.public, curve, "Stranger", places, key, proof
        )
        return sign_lobby(identity, hello)


def main() -> None:
    """Make noise in a process of its own (``Stranger``), and tell of it."""
    known = told()
    keys = [bytes.fromhex(key) for key in known["keys"]]
    instance = bytes.fromhex(known["instance"])
    with Noise(known["ports"], keys, known["door"], known["lobby"], instance) as noise:
        tell(lambda: noise.thrown)


if __name__ == "__main__":
    main()
