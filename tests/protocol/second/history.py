"""What the seats of a table sign, in one order that all have acknowledged (section 6)."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from protocol import verify
from protocol.verify import Refused, Value
from tests.protocol.second.contents import Content, Log, Place, Round
from tests.protocol.second.links import (
    FRAME,
    PATIENCE,
    GaveUpError,
    Guest,
    Keys,
    Links,
    Roster,
    sealed,
)

BEATS = (0.25, 0.25, 0.5, 1.0, 2.0)
"""Seconds between beats since the last progress; the last of them for ever (6.6)."""
AHEAD = 16
"""So many rounds ahead contents are kept (6.6)."""
FAREWELL = 120.0
"""Seconds after which nobody waits for one that has not finished (6.6)."""
SERVED = 40
LONGEST = 120 * 1024
"""Rounds and bytes of envelopes in the answer to one beat (6.6)."""


class MovedOnError(Exception):
    """The founder has formed the table anew, and this seat goes there."""

    def __init__(self, roster: Roster) -> None:
        super().__init__(f"formation {roster.opened.formation}")
        self.roster = roster


class History:
    """One seat's part in the history: it says, hears, acknowledges, and serves the others."""

    def __init__(self, links: Links, guest: Guest, roster: Roster, log: Path) -> None:
        self.links, self.guest, self.roster, self.keys = links, guest, roster, links.keys
        self.is_drawn = False
        self.seats = len(roster.curves)
        self.places = list(range(self.seats))
        """By seat the place in the roster; before the draw a seat is its place."""
        self.me = self.place_of(self.keys)
        self.table = roster.opened.hash
        self.head = verify.digest("first-head", roster.opened.hash)
        self.rounds: list[Round] = []
        self.early: dict[tuple[Place, bytes, str], Content] = {}
        """What waits for its round, or for what it stands on: one of each sort of each author."""
        self.numbered: dict[tuple[bytes, int], bytes] = {}
        """Hashes of contents by author and number (V62)."""
        self.count = 0
        """The own number that comes next."""
        self.heard: dict[bytes, float] = {}
        """When something came by the link of a CURVE key last."""
        self.finished: set[bytes] = set()
        """Whose beats say that the match is over there, by CURVE key."""
        self.recalled = [0] * self.seats
        self.is_over = False
        self.began = time.monotonic()
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

    @property
    def authors(self) -> list[bytes]:
        """Identities by place."""
        return [entry.author for entry in self.roster.opened.entries]

    def place_of(self, keys: Keys) -> int:
        return self.authors.index(keys.author)

    def drawn(self, table: bytes, places: list[int]) -> None:
        """From here on seats are those that were drawn, and contents those of the table (8.3)."""
        self.table, self.places, self.is_drawn = table, places, True
        self.me = places.index(self.place_of(self.keys))

    def author(self, seat: int) -> bytes:
        return self.authors[self.places[seat]]

    # Saying and hearing one round.

    def round(
        self,
        place: Place,
        seats: Sequence[int],
        speakers: Sequence[int],
        own: Callable[[], tuple[str, Value]],
        kinds: Sequence[str],
    ) -> tuple[dict[int, tuple[str, Mapping[str, Any]]], int | None]:
        """Say the own part, hear the others', acknowledge, or vote.

        Kind and body of each speaker, and the speaker that the round was closed without.
        """
        now = Round(place, self.head, seats, speakers, self.me)
        self.rounds.append(now)
        self.take_early()
        if self.me in speakers and self.me not in now.speeches:
            self.say(now, *own())
        self.wait(lambda: self.certificate(now) is not None)
        head, absent = self.certificate(now), now.absent()
        assert head is not None
        self.head = head
        return {
            seat: self.read(content, kinds)
            for seat, content in now.speeches.items()
            if seat != absent
        }, absent

    def certificate(self, now: Round) -> bytes | None:
        """Do what a round asks of a seat that has spoken; its certified head, if there is one."""
        head = now.head()
        for seat, ack in now.acks.items():
            if head is not None and ack.body["head"] != head:
                raise GaveUpError(f"seat {seat} acknowledged another history")
        if now.certified() is not None:
            return now.certified()
        has_voted = any(vote.voter == self.me for vote in now.ballots.votes.values())
        if head is not None and self.me not in now.acks and not has_voted:
            self.say(now, "ack", {"head": head})
        due = now.ballots.due(now.said(), self.is_late)
        if due is not None:
            self.say(now, *due)
        return now.certified()

    def is_late(self, seat: int) -> bool:
        """Whether nothing came from a seat for longer than the table's grace."""
        curve = self.roster.curves[self.places[seat]]
        since = time.monotonic() - self.heard.get(curve, self.began)
        return bool(since > self.roster.opened.rules["grace"])

    def read(self, content: Content, kinds: Sequence[str]) -> tuple[str, Mapping[str, Any]]:
        """Kind and body of a speech (V64, V65)."""
        kind = content.value["kind"]
        if kind not in kinds:
            raise GaveUpError(f"seat {content.value['seat']} said {kind}: kind")
        try:
            return kind, content.body
        except Refused as flaw:
            raise GaveUpError(f"seat {content.value['seat']}: body") from flaw

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
            "sequence": self.count,
            "last": self.numbered.get((author, self.count - 1), verify.NONE),
            "prev": target.prev,
            "kind": kind,
            "body": verify.encode(verify.KINDS[kind], body),
        }
        envelope = sealed(self.keys.private, "Content", "content", content).envelope
        self.hear_envelope(envelope)
        self.count += 1
        self.log.sync()
        for curve in self.links.out:
            self.send(curve, [envelope])

    def wait(self, done: Callable[[], bool]) -> None:
        """Serve the others until a condition holds."""
        began = time.monotonic()
        while not done():
            self.serve(0.05)
            if time.monotonic() > began + PATIENCE:
                raise GaveUpError(f"waited in vain in round {self.rounds[-1].place}")

    def serve(self, seconds: float) -> None:
        """Take what arrives for so long, and send a beat when one is due."""
        if not self.is_drawn:
            self.guest.ask()
        for sender, kind, data in self.links.hear(seconds):
            if kind != FRAME:
                roster = None if self.is_drawn else self.guest.take(sender, kind, data)
                if roster is not None and self.may_move_on(roster):
                    raise MovedOnError(roster)
                continue
            self.heard[sender] = time.monotonic()
            try:
                self.hear_frame(sender, verify.decoded("Frame", data))
            except Refused:
                continue
        if time.monotonic() >= self.beat_due:
            self.beats += 1
            self.beat()

    def may_move_on(self, roster: Roster) -> bool:
        """Whether to leave a formation that is not drawn for a higher one (8.2).

        Once this seat has shown its nonce, only if somebody who has not is left out.
        """
        shown = self.rounds[1].speeches if len(self.rounds) > 1 else {}
        stay = {entry.author for entry in roster.opened.entries}
        silent = [each for place, each in enumerate(self.authors) if place not in shown]
        return self.me not in shown or any(author not in stay for author in silent)

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
        key = content.place, content.value["author"], content.sort
        self.early.setdefault(key, content)

    def take_early(self) -> None:
        """Take what waited for what is here now."""
        before = -1
        while len(self.early) != before:
            before = len(self.early)
            for key in [key for key in self.early if key[0] <= self.rounds[-1].place]:
                content = self.early.pop(key, None)
                if content is not None:
                    self.take(content)

    def take(self, content: Content) -> None:
        """V54 to V62, for a round that is open or past."""
        value, seat = content.value, content.value["seat"]
        target = next((each for each in self.rounds if each.place == content.place), None)
        if target is None or value["version"] != 1 or seat not in target.seats:
            return
        table = self.table if value["hand"] else self.roster.opened.hash
        author = self.author(seat) if value["hand"] else self.authors[seat]
        if value["table"] != table or value["author"] != author:
            return
        if any(content.hash == other.hash for other in target.held()):
            return
        held = {"speech": target.speeches, "ack": target.acks}.get(content.sort, {})
        if seat in held:
            raise GaveUpError(f"seat {seat} signed two contents: two-contents")
        if value["prev"] != target.prev:
            raise GaveUpError(f"seat {seat} follows another history: previous")
        if content.sort == "speech" and seat not in target.speakers:
            raise GaveUpError(f"seat {seat} spoke out of turn: turn")
        if not self.follows(content, ahead=content.sort in ("vote", "confirm")):
            self.keep(content)
            return
        if content.sort in ("vote", "confirm"):
            if not value["hand"]:
                return
            sound = target.ballots.take(
                content.sort, content.hash, seat, content.body, target.said()
            )
            if sound is None:
                self.keep(content)
                return
            if not sound:
                raise GaveUpError(f"seat {seat} may not sign this {content.sort}: ballot")
            target.voted.append(content)
        held[seat] = content
        self.numbered[author, value["sequence"]] = content.hash
        self.log.write(3, content.envelope)
        self.progress()
        self.take_early()

    def follows(self, content: Content, ahead: bool) -> bool:
        """Whether what the author said before it is held (V62).

        A vote may stand on what its author had said `ahead`, in shuffles that are not open here.
        """
        author, number, last = (content.value[name] for name in ("author", "sequence", "last"))
        if self.numbered.get((author, number), content.hash) != content.hash:
            raise GaveUpError(f"seat {content.value['seat']} counts wrongly: chain")
        before = self.numbered.get((author, number - 1)) if number else verify.NONE
        if before is None and ahead:
            for each in list(self.early.values()):
                if (
                    each.hash == last
                    and each.value["author"] == author
                    and self.follows(each, ahead)
                ):
                    before = self.numbered[author, number - 1] = last
        if before is not None and before != last:
            raise GaveUpError(f"seat {content.value['seat']} contradicts itself: chain")
        return before is not None

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
            "open": [each.report(self.seats) for each in self.told()],
            "fault": b"",
            "finished": self.is_over,
            "recall": 0,
            "recalled": self.recalled,
        }

    def told(self) -> list[Round]:
        """The round that is open, and the one before if it had votes."""
        before = [each for each in self.rounds[-2:] if each.voted or each is self.rounds[-1]]
        return [each for each in before if each.voted or not self.is_over]

    def answer(self, to: bytes, beat: Mapping[str, Any]) -> None:
        """Send what a peer misses, going by its beat (6.6), and its own words to one that asks
        for them after a start (6.8).
        """
        start = beat["hand"], beat["attempt"], beat["round"]
        parts = ("speeches", "acks", "ballots")
        named = {name for each in beat["open"] for part in parts for name in each[part]}
        later = [each for each in self.rounds if each.place >= start]
        before = [each for each in self.rounds if each.place < start][-1:]
        served = [*(each for each in before if each.voted), *later[:SERVED]]
        held = [content for each in served for content in each.held()]
        place = self.roster.curves.index(to)
        if beat["recall"]:
            author = self.roster.opened.entries[place].author
            held += [each for each in self.early.values() if each.value["author"] == author]
        missing = [content for content in held if content.hash not in named]
        sizes = accumulate(len(content.envelope) for content in missing)
        fitting = sum(size <= LONGEST for size in sizes)
        told = None
        if beat["recall"] and fitting == len(missing) and len(later) <= AHEAD:
            self.recalled[place] = beat["recall"]
            told = self.where()
        if missing or told:
            self.log.sync()
            self.send(to, [content.envelope for content in missing[:fitting]], told)

    def send(self, to: bytes, envelopes: Sequence[bytes], beat: Value | None = None) -> None:
        frame = {"table": self.roster.opened.hash, "envelopes": list(envelopes), "beat": beat}
        self.links.send(to, FRAME, verify.encode("Frame", frame))

    def end(self) -> None:
        """The last certificate is held: say so, and stay until everybody holds it (6.6)."""
        self.is_over = True
        self.log.sync()
        self.beat()
        self.wait(self.may_leave)
        self.beat()

    def may_leave(self) -> bool:
        """Whether everybody has finished, or was not heard for two minutes (6.6)."""
        since = time.monotonic() - FAREWELL
        return all(self.heard.get(each, 0) < since for each in set(self.links.out) - self.finished)
