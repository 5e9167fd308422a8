"""Random bytes, half handshakes and garbage frames at every port of a running table change nothing.

What an attacker may know is used: every port of every peer, the card, and (as if a log had leaked)
every link key of the roster. Everything but the private keys.
"""

from __future__ import annotations

import contextlib
import random
import socket
import time
from pathlib import Path

import zmq

from p2p_hearts.net.door import REQUEST
from p2p_hearts.record.log import read_log
from p2p_hearts.record.records import RecordKind
from p2p_hearts.wire.lobby import SealedRoster, open_roster
from tests.e2e.tables import address_of, bot, host, listening_ports
from tests.programs import Program, audited, together

GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x01"
NULL = GREETING + b"NULL".ljust(20, b"\0") + bytes(32)
CURVE = GREETING + b"CURVE".ljust(20, b"\0") + bytes(32)
STRUCK = 4
"""So often everything is thrown before the hand may end."""
TAGS = (b"\x01", b"\x02", b"\x03", b"\x04", b"")


def test_table__hostile_bytes_at_every_port_change_nothing(tmp_path: Path) -> None:
    chance = random.Random(20)
    opener = host(tmp_path, "--seats", "3", "--hands", "1", hold=(1, 5))
    with together(opener):
        where = address_of(opener)
        bots = [bot(tmp_path, where, name) for name in ("Budi", "Caio")]
        with together(*bots):
            programs = [opener, *bots]
            for program in programs:
                program.wait_event("formed")
            roster = roster_of(opener)
            keys = [entry.curve for entry in roster.entries]
            rounds = 0
            with Attack(chance, keys) as attack:
                while opener.process.poll() is None and not finished(opener):
                    for program in programs:
                        attack.strike(listening_ports(program.process.pid))
                    rounds += 1
                    if rounds == STRUCK:
                        opener.let_go()
            ends = [program.end() for program in programs]
    print(f"{rounds} rounds, {attack.bytes} bytes, {attack.lines} connections")
    assert rounds >= STRUCK
    assert [(ended.code, ended.err) for ended in ends] == [(0, "")] * 3
    report = audited(*(program.log for program in programs))
    assert (report["verdict"], report["hands"]) == ("clean", 1)


def roster_of(program: Program) -> SealedRoster:
    """Read the roster from a running peer's log."""
    for record in read_log(program.log):
        if record.kind is RecordKind.ROSTER:
            return open_roster(record.data)
    raise AssertionError("no roster")


def finished(program: Program) -> bool:
    return any(event["event"] == "hand" for event in program.events)


class Attack:
    """Everything that can be thrown without a private key."""

    def __init__(self, chance: random.Random, keys: list[bytes]) -> None:
        self.bytes = 0
        self.lines = 0
        self._chance = chance
        self._keys = keys
        self._context = zmq.Context()
        self._held: list[socket.socket] = []

    def __enter__(self) -> Attack:
        return self

    def __exit__(self, *error: object) -> None:
        for line in self._held:
            line.close()
        self._context.destroy(linger=0)

    def strike(self, ports: list[int]) -> None:
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

    def _raw(self, port: int, data: bytes, hold: bool = False) -> None:
        """Send bytes over plain TCP; ``hold`` leaves the line open in the middle."""
        line = socket.socket()
        line.settimeout(1)
        with contextlib.suppress(OSError):
            line.connect(("127.0.0.1", port))
            line.sendall(data)
        self.lines += 1
        self.bytes += len(data)
        if hold and len(self._held) < 60:
            self._held.append(line)
        else:
            line.close()

    def _plain(self, port: int) -> None:
        """Speak ZeroMQ without encryption, as to the card door, and say nonsense there."""
        with self._socket(zmq.DEALER) as sock:
            sock.connect(f"tcp://127.0.0.1:{port}")
            for parts in ([REQUEST], [b"", REQUEST * 20], [b"", b""], [b""] * 50):
                self._send(sock, parts)
            time.sleep(0.01)

    def _sealed(self, port: int, server: bytes) -> None:
        """Shake hands with a key of our own, and send frames as peers do, filled with garbage."""
        with self._socket(zmq.DEALER) as sock:
            public, secret = zmq.curve_keypair()
            sock.curve_publickey, sock.curve_secretkey = public, secret
            sock.curve_serverkey = server
            sock.connect(f"tcp://127.0.0.1:{port}")
            for tag in TAGS:
                self._send(sock, [tag + self._chance.randbytes(self._chance.randrange(2000))])
            self._send(sock, [self._chance.randbytes(8)] * 300)
            time.sleep(0.02)

    def _socket(self, kind: int) -> zmq.Socket[bytes]:
        sock = self._context.socket(kind)
        sock.linger = 50
        self.lines += 1
        return sock

    def _send(self, sock: zmq.Socket[bytes], parts: list[bytes]) -> None:
        with contextlib.suppress(zmq.ZMQError):
            sock.send_multipart(parts, zmq.NOBLOCK)
            self.bytes += sum(map(len, parts))
