"""What the seats of a table sign, in one order that all have acknowledged (section 6)."""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from protocol import verify
from protocol.verify import Refused, Value
from tests.protocol.second.links import (
    FRAME,
    PATIENCE,
    GaveUpError,
    Keys,
    Links,
    Roster,
    sealed,
)

Place = tuple[int, int, int]
"""Hand, attempt, round (6.4)."""
BEATS = (0.25, 0.25, 0.5, 1.0, 2.0)
"""Seconds between beats since the last progress; the last of them for ever (6.6)."""
AHEAD = 16
"""So many rounds ahead contents are kept (6.6)."""
SERVED = 40
LONGEST = 120 * 1024
"""Rounds and bytes of envelopes in the answer to one beat (6.6)."""


class Content(NamedTuple):
    """A content whose signature holds (V50 to V53)."""

    envelope: bytes
    hash: bytes
    value: Mapping[str, Any]

    @property
    def place(self) -> Place:
        return self.value["hand"], self.value["attempt"], self.value["round"]

    @property
    def is_ack(self) -> bool:
        return bool(self.value["kind"] == "ack")

    @property
    def body(self) -> Mapping[str, Any]:
        return verify.decoded(verify.KINDS[self.value["kind"]], self.value["body"])


class Round:
    """One round: what its speakers said, and who has acknowledged it."""

    def __init__(self, place: Place, prev: bytes, speakers: Sequence[int]) -> None:
        self.place = place
        self.prev = prev
        self.speakers = sorted(speakers)
        self.speeches: dict[int, Content] = {}
        self.acks: dict[int, Content] = {}

    def head(self) -> bytes | None:
        """The head, once all speakers were heard (6.4)."""
        if any(seat not in self.speeches for seat in self.speakers):
            return None
        said: list[bytes] = []
        for seat in self.speakers:
            said += [verify.u32(seat), self.speeches[seat].hash]
        numbers = map(verify.u32, [*self.place, len(self.speakers)])
        return verify.digest("head", self.prev, *numbers, *said)

    def held(self) -> list[Content]:
        return [*self.speeches.values(), *self.acks.values()]

    def report(self, seats: int) -> Value:
        def hashes(held: dict[int, Content]) -> list[bytes]:
            return [held[seat].hash if seat in held else b"" for seat in range(seats)]

        number = self.place[2]
        speeches, acks = hashes(self.speeches), hashes(self.acks)
        return {"round": number, "speeches": speeches, "acks": acks, "ballots": []}


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


class History:
    """One seat's part in the history: it says, hears, acknowledges, and serves the others."""

    def __init__(self, links: Links, roster: Roster, log: Path) -> None:
        self.links, self.roster, self.keys = links, roster, links.keys
        self.seats = len(roster.curves)
        self.places = list(range(self.seats))
        """By seat the place in the roster; before the draw a seat is its place."""
        self.me = self.place_of(self.keys)
        self.table = roster.opened.hash
        self.head = verify.digest("first-head", roster.opened.hash)
        self.rounds: list[Round] = []
        self.early: dict[Place, dict[tuple[bytes, bool], Content]] = {}
        """What waits for its round: one speech and one ack of each author."""
        self.numbers: dict[bytes, int] = {}
        self.last: dict[bytes, bytes] = {}
        self.finished: set[bytes] = set()
        """Whose beats say that the match is over there, by CURVE key."""
        self.recalled = [0] * self.seats
        self.is_over = False
        self.log = Log(log)
        start = {
            "program": "second",
            "protocol": 1,
            "owner": self.keys.author,
            "created": int(time.time()),
        }
        self.log.write(1, sealed(self.keys.private, "Start", "log", start).envelope)
        self.log.write(2, roster.envelope)
        self.progress()

    def place_of(self, keys: Keys) -> int:
        return [entry.author for entry in self.roster.opened.entries].index(keys.author)

    def drawn(self, table: bytes, places: list[int]) -> None:
        """From here on seats are those that were drawn, and contents those of the table (8.3)."""
        self.table, self.places = table, places
        self.me = places.index(self.place_of(self.keys))

    def author(self, seat: int) -> bytes:
        return self.roster.opened.entries[self.places[seat]].author

    # Saying and hearing one round.

    def round(
        self,
        hand: int,
        number: int,
        speakers: Sequence[int],
        own: Callable[[], tuple[str, Value]],
        kinds: Sequence[str],
    ) -> dict[int, tuple[str, Mapping[str, Any]]]:
        """Say the own part, hear the others', acknowledge: kind and body of each speaker."""
        attempt = 1 if hand else self.roster.opened.formation
        now = Round((hand, attempt, number), self.head, speakers)
        self.rounds.append(now)
        self.take_early(now)
        if self.me in speakers:
            self.say(now, *own())
        self.wait(lambda: now.head() is not None)
        head = now.head()
        assert head is not None
        self.say(now, "ack", {"head": head})
        self.wait(lambda: len(now.acks) == self.seats)
        for seat, ack in now.acks.items():
            if ack.body["head"] != head:
                raise GaveUpError(f"seat {seat} acknowledged another history")
        for seat in range(self.seats):
            self.numbers[self.author(seat)] = self.number(now, seat, True) + 1
        self.head = head
        return {seat: self.read(content, kinds) for seat, content in now.speeches.items()}

    def read(self, content: Content, kinds: Sequence[str]) -> tuple[str, Mapping[str, Any]]:
        """Kind and body of a speech (V64, V65)."""
        kind = content.value["kind"]
        if kind not in kinds:
            raise GaveUpError(f"seat {content.value['seat']} said {kind}: kind")
        try:
            return kind, content.body
        except Refused as flaw:
            raise GaveUpError(f"seat {content.value['seat']}: body") from flaw

    def number(self, target: Round, seat: int, is_ack: bool) -> int:
        """The number of a content's place: a speech comes before the ack (6.4)."""
        spoke = is_ack and seat in target.speakers
        return self.numbers.get(self.author(seat), 0) + spoke

    def say(self, target: Round, kind: str, body: Value) -> None:
        """Sign, store, take and send a content of one's own."""
        hand, attempt, number = target.place
        author = self.keys.author
        content = {
            "version": 1,
            "table": self.table,
            "hand": hand,
            "attempt": attempt,
            "round": number,
            "seat": self.me,
            "author": author,
            "sequence": self.number(target, self.me, kind == "ack"),
            "last": self.last.get(author, verify.NONE),
            "prev": target.prev,
            "kind": kind,
            "body": verify.encode(verify.KINDS[kind], body),
        }
        self.hear_envelope(sealed(self.keys.private, "Content", "content", content).envelope)
        self.log.sync()
        for curve in self.links.out:
            self.send(curve, [target.speeches[self.me] if kind != "ack" else target.acks[self.me]])

    def wait(self, done: Callable[[], bool]) -> None:
        """Serve the others until a condition holds."""
        began = time.monotonic()
        while not done():
            self.serve(0.05)
            if time.monotonic() > began + PATIENCE:
                raise GaveUpError(f"waited in vain in round {self.rounds[-1].place}")

    def serve(self, seconds: float) -> None:
        """Take what arrives for so long, and send a beat when one is due."""
        for sender, kind, data in self.links.hear(seconds):
            if kind != FRAME:
                continue
            try:
                self.hear_frame(sender, verify.decoded("Frame", data))
            except Refused:
                continue
        if time.monotonic() >= self.beat_due:
            self.beats += 1
            self.beat()

    # What arrives.

    def hear_frame(self, sender: bytes, frame: Mapping[str, Any]) -> None:
        if frame["table"] != self.roster.opened.hash:
            return
        beat = frame["beat"]
        if beat is not None:
            if beat["finished"]:
                self.finished.add(sender)
            self.answer(sender, beat)
        for envelope in frame["envelopes"]:
            self.hear_envelope(envelope)

    def hear_envelope(self, envelope: bytes) -> None:
        value, data = verify.opened_envelope(envelope, "Content", "content", "author")
        content = Content(envelope, verify.digest("content", data), value)
        hand, _, number = content.place
        latest = self.rounds[-1].place if self.rounds else (0, 0, -1)
        if content.place <= latest:
            self.take(content)
        elif number <= AHEAD + (latest[2] if hand == latest[0] else 0):
            self.keep(content)

    def keep(self, content: Content) -> None:
        key = content.value["author"], content.is_ack
        self.early.setdefault(content.place, {}).setdefault(key, content)

    def take_early(self, target: Round) -> None:
        for content in self.early.pop(target.place, {}).values():
            self.take(content)

    def take(self, content: Content) -> None:
        """V54 to V62, for a round that is open or past."""
        value, seat = content.value, content.value["seat"]
        target = next((each for each in self.rounds if each.place == content.place), None)
        if target is None or value["version"] != 1 or seat >= self.seats:
            return
        table = self.table if value["hand"] else self.roster.opened.hash
        author = self.author(seat) if value["hand"] else self.roster.opened.entries[seat].author
        if value["table"] != table or value["author"] != author:
            return
        if value["kind"] in ("vote", "confirm"):
            raise GaveUpError(f"seat {seat} votes, and this peer knows no votes")
        held = target.acks if content.is_ack else target.speeches
        if seat in held:
            if held[seat].hash == content.hash:
                return
            raise GaveUpError(f"seat {seat} signed two contents: two-contents")
        if value["prev"] != target.prev:
            raise GaveUpError(f"seat {seat} follows another history: previous")
        if not content.is_ack and seat not in target.speakers:
            raise GaveUpError(f"seat {seat} spoke out of turn: turn")
        if value["sequence"] != self.number(target, seat, content.is_ack):
            raise GaveUpError(f"seat {seat} counts wrongly: chain")
        if content.is_ack and seat in target.speakers and seat not in target.speeches:
            self.keep(content)
            return
        if value["last"] != self.last.get(author, verify.NONE):
            raise GaveUpError(f"seat {seat} forgets what it said: chain")
        held[seat] = content
        self.last[author] = content.hash
        self.log.write(3, content.envelope)
        self.progress()
        if not content.is_ack:
            self.take_early(target)

    # Beats.

    def progress(self) -> None:
        self.beats = 0
        self.beat_due = time.monotonic() + BEATS[0]

    def beat(self) -> None:
        """Tell the others where this peer is (6.6)."""
        self.beat_due = time.monotonic() + BEATS[min(self.beats, len(BEATS) - 1)]
        for curve in self.links.out:
            self.send(curve, [], self.where())

    def where(self) -> Value:
        hand, attempt, number = self.rounds[-1].place
        return {
            "table": self.roster.opened.hash,
            "hand": hand,
            "attempt": attempt,
            "round": number + self.is_over,
            "open": [] if self.is_over else [self.rounds[-1].report(self.seats)],
            "fault": b"",
            "finished": self.is_over,
            "recall": 0,
            "recalled": self.recalled,
        }

    def answer(self, to: bytes, beat: Mapping[str, Any]) -> None:
        """Send what a peer misses, going by its beat (6.6), and its own words to one that asks
        for them after a start (6.8).
        """
        start = beat["hand"], beat["attempt"], beat["round"]
        named = {name for each in beat["open"] for name in (*each["speeches"], *each["acks"])}
        later = [each for each in self.rounds if each.place >= start]
        held = [content for each in later[:SERVED] for content in each.held()]
        place = self.roster.curves.index(to)
        if beat["recall"]:
            author = self.roster.opened.entries[place].author
            waiting = [content for each in self.early.values() for content in each.values()]
            held += [content for content in waiting if content.value["author"] == author]
        missing = [content for content in held if content.hash not in named]
        sizes = accumulate(len(content.envelope) for content in missing)
        fitting = sum(size <= LONGEST for size in sizes)
        told = None
        if beat["recall"] and fitting == len(missing) and len(later) <= AHEAD:
            self.recalled[place] = beat["recall"]
            told = self.where()
        if missing or told:
            self.log.sync()
            self.send(to, missing[:fitting], told)

    def send(self, to: bytes, contents: Sequence[Content], beat: Value | None = None) -> None:
        envelopes = [content.envelope for content in contents]
        frame = {"table": self.roster.opened.hash, "envelopes": envelopes, "beat": beat}
        self.links.send(to, FRAME, verify.encode("Frame", frame))

    def end(self) -> None:
        """The last certificate is held: say so, and stay until everybody holds it (6.6)."""
        self.is_over = True
        self.log.sync()
        self.beat()
        self.wait(lambda: self.finished >= set(self.links.out))
        self.beat()
