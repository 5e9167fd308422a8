"""What is signed, the rounds it belongs to, and where it is kept (6.2, 6.4, 7.4, 9.1)."""

from __future__ import annotations

import os
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from protocol import verify
from protocol.verify import Value
from tests.protocol.second.ballots import Ballots

Place = tuple[int, int, int]
"""Hand, attempt, round (6.4)."""


class Content(NamedTuple):
    """A content whose signature holds (V50 to V53)."""

    envelope: bytes
    hash: bytes
    value: Mapping[str, Any]

    @property
    def place(self) -> Place:
        return self.value["hand"], self.value["attempt"], self.value["round"]

    @property
    def sort(self) -> str:
        """Speech, ack, vote or confirm."""
        kind: str = self.value["kind"]
        return kind if kind in ("ack", "vote", "confirm") else "speech"

    @property
    def body(self) -> Mapping[str, Any]:
        return verify.decoded(verify.KINDS[self.value["kind"]], self.value["body"])


class Round:
    """One round: what its speakers said, and who has acknowledged it or voted in it."""

    def __init__(
        self, place: Place, prev: bytes, seats: Sequence[int], speakers: Sequence[int], me: int
    ) -> None:
        self.place = place
        self.prev = prev
        self.seats = list(seats)
        self.speakers = sorted(speakers)
        self.speeches: dict[int, Content] = {}
        self.acks: dict[int, Content] = {}
        self.ballots = Ballots(self.seats, self.speakers, me)
        self.voted: list[Content] = []
        """Votes and confirms."""

    def said(self) -> dict[int, bytes]:
        return {seat: content.hash for seat, content in self.speeches.items()}

    def head(self) -> bytes | None:
        """The head, once all speakers were heard (6.4)."""
        if any(seat not in self.speeches for seat in self.speakers):
            return None
        return self.head_of(self.said())

    def head_of(self, value: Mapping[int, bytes]) -> bytes:
        parts: list[bytes] = []
        for seat in self.speakers:
            parts += [verify.u32(seat), value[seat] or verify.NONE]
        numbers = map(verify.u32, [*self.place, len(self.speakers)])
        return verify.digest("head", self.prev, *numbers, *parts)

    def certified(self) -> bytes | None:
        """The head that a certificate names, of acks or of confirms (6.4, 7.4)."""
        value, head = self.ballots.closed(), self.head()
        if head is not None and set(self.acks) == set(self.seats):
            return head
        return None if value is None else self.head_of(dict(zip(self.speakers, value, strict=True)))

    def absent(self) -> int | None:
        """The speaker that confirms have closed the round without."""
        value = self.ballots.closed()
        if value is None or b"" not in value:
            return None
        return self.speakers[value.index(b"")]

    def held(self) -> list[Content]:
        return [*self.speeches.values(), *self.acks.values(), *self.voted]

    def report(self, seats: int) -> Value:
        def hashes(held: dict[int, Content]) -> list[bytes]:
            return [held[seat].hash if seat in held else b"" for seat in range(seats)]

        number, ballots = self.place[2], [content.hash for content in self.voted]
        speeches, acks = hashes(self.speeches), hashes(self.acks)
        return {"round": number, "speeches": speeches, "acks": acks, "ballots": ballots}


def store(path: Path, secret: bytes) -> None:
    """Have a secret on stable storage, readable by this user alone (section 3)."""
    path.touch(0o600, exist_ok=False)
    with path.open("wb") as file:
        file.write(secret)
        file.flush()
        os.fsync(file.fileno())


class Log:
    """The log of a table (9.1); what is written is on stable storage."""

    def __init__(self, path: Path) -> None:
        self.file = path.open("xb")
        self.file.write(verify.LINE)
        self.chain = verify.digest("log", verify.LINE)

    def write(self, kind: int, data: bytes) -> None:
        payload = bytes([kind]) + data
        self.chain = verify.digest("log", self.chain, payload)
        length, rest = verify.u32(len(payload)), self.chain + payload
        check, crc = verify.u32(zlib.crc32(length)), verify.u32(zlib.crc32(rest))
        self.file.write(length + check + crc + rest)

    def sync(self) -> None:
        self.file.flush()
        os.fsync(self.file.fileno())
