"""A stranger's line that fills its queue and breaks off: libzmq must not end the whole process.

With heartbeats of ours, or with PINGs of the stranger behind what fills the queue, libzmq runs into
an assertion of its own (zeromq/libzmq issue 4841), so each try has a process to itself.
"""

from __future__ import annotations

import asyncio
import socket
import struct
import subprocess
import sys
import time

import pytest
import zmq

from p2p_hearts.net import sockets
from p2p_hearts.net.door import REQUEST, Door
from tests.net.helpers import close, new_context, open_links, run
from tests.programs import LONG

MESSAGES = 1000
BREAKS = struct.pack("ii", 1, 0)
GREETING = b"\xff" + bytes(8) + b"\x7f\x03\0" + b"NULL".ljust(20, b"\0") + bytes(32)


def command(name: bytes, data: bytes) -> bytes:
    """Return a short command (ZeroMQ RFC 23)."""
    body = bytes([len(name)]) + name + data
    return b"\x04" + bytes([len(body)]) + body


READY = command(b"READY", b"\x0bSocket-Type" + struct.pack(">I", 6) + b"DEALER")
PING = command(b"PING", struct.pack(">H", 100))
ASK = b"\x01\0" + b"\0" + bytes([len(REQUEST)]) + REQUEST


def take(line: socket.socket, count: int) -> bytes:
    taken = b""
    while len(taken) < count:
        part = line.recv(count - len(taken))
        assert part, "the door hung up"
        taken += part
    return taken


def shake_hands(port: int) -> socket.socket:
    line = socket.create_connection(("127.0.0.1", port), timeout=60)
    line.sendall(GREETING + READY)
    take(line, 64)
    take(line, take(line, 2)[1])
    return line


def ask_and_break_off(port: int, *, pings: bool) -> None:
    """Ask more often than the door answers, and reset the line while the rest of it waits."""
    line = shake_hands(port)
    line.sendall((ASK + PING * pings) * MESSAGES)
    time.sleep(0 if pings else 0.3)  # Until the door answers only so many a second.
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, BREAKS)
    line.close()


async def stand(*, pings: bool) -> None:
    """Keep a card door while strangers break off; it answers whoever asks after them."""
    sockets.HEARTBEAT_MS = 50
    context = new_context()
    door = Door(context, 0, lambda: b"card", "127.0.0.1")
    for _ in range(5):
        await asyncio.to_thread(ask_and_break_off, door.port, pings=pings)
        await asyncio.sleep(0.2)
    line = await asyncio.to_thread(shake_hands, door.port)
    await asyncio.to_thread(line.sendall, ASK)
    print("answered", await asyncio.to_thread(take, line, 2))
    line.close()
    await door.close()
    context.destroy(linger=0)


@pytest.mark.parametrize("pings", [False, True], ids=["heartbeats", "pings"])
def test_door__survives_lines_that_fill_its_queue_and_break_off(pings: bool) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", __name__, *["pings"] * pings],
        capture_output=True,
        text=True,
        timeout=LONG,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("answered")


def test_links__their_doors_have_no_queue_that_fills_and_send_no_heartbeats() -> None:
    async def scene() -> None:
        links = await open_links()
        doors = [sock for sock in links._sockets if sock.getsockopt(zmq.CURVE_SERVER)]
        assert len(doors) == 2
        assert {(sock.rcvhwm, sock.heartbeat_ivl) for sock in doors} == {(0, 0)}
        await close(links)

    run(scene())


if __name__ == "__main__":
    asyncio.run(stand(pings=sys.argv[1:] == ["pings"]))
