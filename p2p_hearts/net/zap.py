"""Who may come in: the ZAP handler (ZeroMQ RFC 27) of one context.

A door without a handler would let everybody in, so every guarded socket also sets
``ZAP_ENFORCE_DOMAIN``. One error in a decision refuses one peer and nothing more: the loop goes on.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

import zmq
import zmq.asyncio
from zmq.utils import z85

from p2p_hearts.net.addresses import plain

log = logging.getLogger(__name__)

ENDPOINT = "inproc://zeromq.zap.01"


class Verdict(Enum):
    """The answers of RFC 27: come in, not you, and not now (too much to do, or our own failure).

    Code 300, "temporary failure", is not used: it leaves both ends hanging until a timer ends it.
    """

    ADMIT = b"200"
    REFUSE = b"400"
    NOT_NOW = b"500"


@dataclass(frozen=True, slots=True)
class Knock:
    """Somebody at a door: its domain, the IP address (a hint) and the proven CURVE key (Z85)."""

    door: str
    address: str
    key: bytes


def bind_zap(context: zmq.asyncio.Context) -> zmq.asyncio.Socket:
    """Open the context's ZAP socket; must precede the first guarded socket."""
    gate = context.socket(zmq.ROUTER)
    gate.linger = 0
    gate.bind(ENDPOINT)
    return gate


async def serve_zap(gate: zmq.asyncio.Socket, decide: Callable[[Knock], Verdict]) -> None:
    """Answer every request on ``gate`` with ``decide``; ends only by cancellation."""
    while True:
        parts = await gate.recv_multipart()
        verdict, user = Verdict.NOT_NOW, b""
        try:
            knock = _read(parts)
            verdict = Verdict.REFUSE
            if knock is not None:
                verdict, user = decide(knock), knock.key
        except Exception:
            log.exception("A decision at the door failed; the peer is refused.")
            verdict = Verdict.NOT_NOW
        if len(parts) >= 4:
            admitted = user if verdict is Verdict.ADMIT else b""
            reply = [parts[0], b"", b"1.0", parts[3], verdict.value, b"", admitted, b""]
            await gate.send_multipart(reply)


def _read(parts: list[bytes]) -> Knock | None:
    """[peer, '', version, request, domain, address, routing id, mechanism, key], or None."""
    if len(parts) != 9 or parts[2] != b"1.0" or parts[7] != b"CURVE" or len(parts[8]) != 32:
        return None
    key = z85.encode(parts[8])
    return Knock(parts[4].decode("ascii"), plain(parts[5].decode("ascii", "replace")), key)
