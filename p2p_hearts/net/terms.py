"""What links are told and what they tell: doors, bounds, frames, events (``net.links``).

Values alone; what is done by them stands in ``net.links`` for the doors and in ``net.dialling`` for
the lines that are dialled.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from p2p_hearts.net.buckets import Rate
from p2p_hearts.net.errors import Sentence
from p2p_hearts.net.guard import LineLimits


class Door(StrEnum):
    """The two sockets that a peer listens at; also their ZAP domains."""

    LOBBY = "lobby"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class DoorLimits:
    """What one door takes. Rates are per sender, and ``total`` for all senders together.

    ``inbox`` and ``inbox_bytes`` bound what waits for ``receive``, ``lines`` what ZeroMQ keeps of
    each line for us. ``buffer`` is what the system keeps of a line, in bytes: a small one
    also bounds how fast a line fills, since every few kB of it cost a turn of ZeroMQ's thread.
    """

    frame_bytes: int
    buffer: int
    inbox: int
    inbox_bytes: int
    lines: LineLimits
    frames: Rate
    bytes: Rate
    total: Rate
    remembered: int


@dataclass(frozen=True, slots=True)
class Limits:
    """All bounds of :class:`Links`; the defaults fit a table of friends with room to spare.

    ``outbox_*`` bound what waits for one peer, ``handshakes`` those of one IP address in the lobby,
    ``redial_*`` the pause in seconds between two attempts. ``lines.pending`` is more
    than a player has to say while we are busy, so that an honest line is never shut.
    """

    lobby: DoorLimits = DoorLimits(
        frame_bytes=8 * 1024,
        buffer=4 * 1024,
        inbox=64,
        inbox_bytes=256 * 1024,
        lines=LineLimits(lines=64, pending=64 * 1024, look=0.003),
        frames=Rate(20, 60),
        bytes=Rate(64 * 1024, 256 * 1024),
        total=Rate(200, 400),
        remembered=256,
    )
    table: DoorLimits = DoorLimits(
        frame_bytes=160 * 1024,
        buffer=32 * 1024,
        inbox=1024,
        inbox_bytes=1024 * 1024,
        lines=LineLimits(lines=32, pending=4 * 1024 * 1024, look=0.01),
        frames=Rate(500, 4000),
        bytes=Rate(1024 * 1024, 8 * 1024 * 1024),
        total=Rate(4000, 16000),
        remembered=64,
    )
    outbox_frames: int = 1024
    outbox_bytes: int = 8 * 1024 * 1024
    handshakes: Rate = field(default_factory=lambda: Rate(10, 100))
    redial_first: float = 0.2
    redial_longest: float = 3.0


@dataclass(frozen=True, slots=True)
class Received:
    """One frame, the key it came under, and the door it came through."""

    key: bytes
    frame: bytes = field(repr=False)
    """In a lobby it may hold a join code."""
    door: Door


class LinkEventKind(StrEnum):
    """What a :class:`LinkEvent` tells."""

    UP = "up"
    DOWN = "down"
    DIAL_FAILED = "dial failed"
    REFUSED = "refused"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class LinkEvent:
    """Something a log or a person may want to know; ``key`` is None when nobody proved one.

    UP and DOWN tell of the line on which we send to ``key``; whether the peer's own line to us
    lives is seen by what arrives.
    """

    kind: LinkEventKind
    key: bytes | None
    sentence: Sentence


@dataclass(slots=True)
class Tally:
    """Counts since the links were opened, for ``doctor`` and tests."""

    received: int = 0
    sent: int = 0
    wrong_parts: int = 0
    not_admitted: int = 0
    over_rate: int = 0
    outbox_dropped: int = 0
    knocks_refused: int = 0
