"""Random bytes, half handshakes, garbage frames at ports, in its own process (``Stranger``).

What an attacker may know is used: every port of every peer, the card, and (as if a log had leaked)
every link key of the roster. Everything but the private keys.
"""

from __future__ import annotations

import contextlib
import random
import socket
import threading
import time
from collections.abc import Sequence

import zmq

from p2p_hearts.net.door import REQUEST
from tests.e2e.noise import CURVE, HOST, NULL
from tests.e2e.strangers import tell, told

TAGS = (b"\x01", b"\x02", b"\x03", b"\x04", b"")


class Attack:
    """Everything that can be thrown without a private key."""

    def __init__(self, chance: random.Random, keys: Sequence[bytes]) -> None:
        self.thrown = {"rounds": 0, "bytes": 0, "lines": 0}
        self._chance = chance
        self._keys = keys
        self._context = zmq.Context()
        self._held: list[socket.socket] = []

    def strike(self, ports: Sequence[int]) -> None:
        """Throw one of each at every port."""
        for port in ports:
            self._raw(port, self._chance.randbytes(self._chance.randrange(1, 4000)))
            self._raw(port, NULL + self._chance.randbytes(200))
            self._raw(port, CURVE + self._chance.randbytes(200))
            self._raw(port, CURVE[: self._chance.randrange(len(CURVE))], hold=True)
            self._raw(port, b"GET / HTTP/1.1\r\nHost: table\r\n\r\n")
            self._plain(port)
            for key in self._keys:
                self._sealed(port, key)
        self.thrown["rounds"] += 1

    def _raw(self, port: int, data: bytes, hold: bool = False) -> None:
        """Send bytes over plain TCP; ``hold`` leaves the line open in the middle."""
        line = socket.socket()
        line.settimeout(1)
        with contextlib.suppress(OSError):
            line.connect((HOST, port))
            line.sendall(data)
        self.thrown["lines"] += 1
        self.thrown["bytes"] += len(data)
        if hold and len(self._held) < 60:
            self._held.append(line)
        else:
            line.close()

    def _plain(self, port: int) -> None:
        """Speak ZeroMQ without encryption, as to the card door, and say nonsense there."""
        with self._socket(zmq.DEALER) as sock:
            sock.connect(f"tcp://{HOST}:{port}")
            for parts in ([REQUEST], [b"", REQUEST * 20], [b"", b""], [b""] * 50):
                self._send(sock, parts)
            time.sleep(0.01)

    def _sealed(self, port: int, server: bytes) -> None:
        """Shake hands with a key of our own, and send frames as peers do, filled with garbage."""
        with self._socket(zmq.DEALER) as sock:
            public, secret = zmq.curve_keypair()
            sock.curve_publickey, sock.curve_secretkey = public, secret
            sock.curve_serverkey = server
            sock.connect(f"tcp://{HOST}:{port}")
            for tag in TAGS:
                self._send(sock, [tag + self._chance.randbytes(self._chance.randrange(2000))])
            self._send(sock, [self._chance.randbytes(8)] * 300)
            time.sleep(0.02)

    def _socket(self, kind: int) -> zmq.Socket[bytes]:
        sock = self._context.socket(kind)
        sock.linger = 50
        self.thrown["lines"] += 1
        return sock

    def _send(self, sock: zmq.Socket[bytes], parts: list[bytes]) -> None:
        with contextlib.suppress(zmq.ZMQError):
            sock.send_multipart(parts, zmq.NOBLOCK)
            self.thrown["bytes"] += sum(map(len, parts))


def strike_without_end(attack: Attack, ports: Sequence[int]) -> None:
    """Throw everything again and again."""
    while True:
        attack.strike(ports)


def main() -> None:
    """Attack in a thread, and tell of it."""
    known = told()
    attack = Attack(random.Random(20), [bytes.fromhex(key) for key in known["keys"]])
    threading.Thread(target=strike_without_end, args=(attack, known["ports"]), daemon=True).start()
    tell(lambda: attack.thrown)


if __name__ == "__main__":
    main()
