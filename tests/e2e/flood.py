"""A seat that says much under its own link key, and never to the point (``Stranger``)."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Sequence

import zmq

from p2p_hearts.node.terms import TAG_TABLE
from tests.e2e.noise import HOST
from tests.e2e.strangers import tell, told

SENT = Counter[str]()


def flood(ports: Sequence[int], server: bytes, secret: bytes) -> None:
    """Begin one line after the other, without end."""
    garbage = TAG_TABLE + bytes(150_000)
    with zmq.Context() as context:
        while True:
            for port in ports:
                with context.socket(zmq.DEALER) as sock:
                    sock.linger, sock.sndhwm, sock.sndtimeo = 300, 20, 300
                    sock.curve_serverkey = server
                    sock.curve_secretkey = secret
                    sock.curve_publickey = zmq.curve_public(secret)
                    sock.connect(f"tcp://{HOST}:{port}")
                    _say(sock, garbage)


def _say(sock: zmq.Socket[bytes], garbage: bytes) -> None:
    try:
        for _ in range(40):
            sock.send(garbage)
            SENT["bytes"] += len(garbage)
        sock.send_multipart([bytes(100_000)] * 300)
        SENT["bytes"] += 300 * 100_000
    except zmq.ZMQError:
        time.sleep(0.02)


def main() -> None:
    """Flood in a thread, and tell of it."""
    known = told()
    keys = bytes.fromhex(known["server"]), bytes.fromhex(known["secret"])
    threading.Thread(target=flood, args=(known["ports"], *keys), daemon=True).start()
    tell(lambda: SENT)


if __name__ == "__main__":
    main()
