"""Contents that nobody has said, to be changed where a test cares."""

from __future__ import annotations

from msgspec.structs import replace

from p2p_hearts.wire.chain import NO_HASH
from p2p_hearts.wire.codec import encode
from p2p_hearts.wire.envelope import Identity
from p2p_hearts.wire.messages import VERSION, Ack, Content, Kind

_FIRST = Content(
    version=VERSION,
    table=NO_HASH,
    hand=1,
    attempt=1,
    round=0,
    seat=0,
    author=NO_HASH,
    sequence=0,
    last=NO_HASH,
    prev=NO_HASH,
    kind=Kind.ACK,
    body=encode(Ack(NO_HASH)),
)


def content_of(author: Identity, **fields: object) -> Content:
    """The first content of seat 0 in hand 1, an ack of nothing, but for these fields."""
    return replace(_FIRST, author=author.public, **fields)
