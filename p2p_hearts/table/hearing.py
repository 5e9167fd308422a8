"""What a seat hears, believes and records (protocol/SPEC.md sections 6.2, 6.5 and 6.6).

An envelope that arrives is opened and its signature verified, its author is bound to the seat that
it names, and the history says what becomes of it. What finds a place is stored, and so is the
evidence of a fault. The own words come the same way, whether they come back from others or were
signed a moment ago: nothing is in the history that was not heard here.

Invariants: every envelope of the history, and of the evidence of its fault, is stored once; nothing
is verified twice once it has a place; a peer costs a bounded number of signatures a second.

Never: signs anything; believes a relay; raises for anything a peer sent.
Errors: none; ``dropped`` counts what was of no use, and why.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from p2p_hearts.agreement.rounds import FIRST_ATTEMPT, SECOND_ATTEMPT
from p2p_hearts.table.budget import Budget
from p2p_hearts.table.course import Course
from p2p_hearts.table.history import History, Outcome
from p2p_hearts.table.post import Post
from p2p_hearts.table.spoken import Spoken
from p2p_hearts.wire.codec import DecodeError, decode
from p2p_hearts.wire.envelope import BadSignatureError, Sealed
from p2p_hearts.wire.evidence import open_content
from p2p_hearts.wire.lobby import SealedRoster
from p2p_hearts.wire.messages import VERSION, Content, Frame

WASTED_SIGNATURES = 200
"""What a peer may send in ``BUDGET_SECONDS`` that is sound and not of use, or not yet: 30 ms of our
time. A peer that is behind gets at most 16 rounds early, and what is dropped comes again."""


class Hearing:
    """What one seat has heard, the own words among it."""

    def __init__(
        self, own: bytes, roster: SealedRoster, history: History, course: Course, post: Post
    ) -> None:
        """Begin with nothing heard; ``own`` is this player's identity."""
        self.dropped: Counter[str] = Counter()
        """What was dropped and why, for the curious."""
        self.spoken = Spoken()
        """The own words among what was heard."""
        self._own = own
        self._roster = roster
        self._identities = frozenset(entry.identity for entry in roster.entries)
        self._history = history
        self._course = course
        self._post = post
        self._placed: set[bytes] = set()
        """Envelopes that fill a place of the history: they are not verified a second time."""
        self._evidence: set[bytes] = set()
        """Envelopes that are in the log for what they prove, or that filled no place when it was
        read: they are not stored a second time."""
        self._waste = Budget(WASTED_SIGNATURES)
        """Signatures that are verified for nothing."""

    # From bytes to contents.

    def tick(self, now: float) -> None:
        """Note the time, seconds on any monotonic clock."""
        self._waste.tick(now)

    def open_frame(self, data: bytes) -> Frame | None:
        """Read a frame; ``None``, and counted, if it is none or of another table."""
        try:
            frame = decode(data, Frame)
        except DecodeError:
            self.dropped["malformed frame"] += 1
            return None
        if frame.table != self._roster.hash:
            self.dropped["frame of another table"] += 1
            return None
        return frame

    def open(self, data: bytes) -> Sealed | None:
        """Open an envelope; ``None``, and counted, if it is none that its author signed."""
        try:
            return open_content(data)
        except (DecodeError, BadSignatureError) as error:
            self.dropped[type(error).__name__] += 1
            return None

    def receive(self, place: int, envelopes: Sequence[bytes]) -> None:
        """Take in what the peer at ``place`` of the roster sent in one frame."""
        for envelope in envelopes:
            if envelope in self._placed:
                continue
            if self._waste.is_spent(place):
                self.dropped["over the budget of a peer"] += 1
                break
            sealed = self.open(envelope)
            if sealed is not None:
                self.take(sealed)
            if envelope not in self._placed:
                self._waste.spend(place)
            if sealed is None:
                # An honest peer verified all that it passes on: the rest is not worth the time.
                break

    # From contents to the history.

    def take(self, sealed: Sealed) -> None:
        """Bind the author to the seat it names, and hand the content to the history."""
        content = sealed.content
        if not self.binds(content):
            self.dropped["stranger or other table"] += 1
            return
        if content.author == self._own:
            if self._is_of_this_table(content):
                self.spoken.adopt(sealed)
            self.spoken.note(sealed)
        with self.noting_faults():
            self._record(sealed)

    def take_early(self) -> None:
        """Take what had arrived before its round was open, now that the course has opened it."""
        for sealed in self._history.take_due():
            self.take(sealed)

    def note_log(self, opened: Sequence[Sealed]) -> None:
        """Note that these contents are in the own log already, whether they fill a place or not."""
        self._evidence |= {sealed.data for sealed in opened} - self._placed

    def binds(self, content: Content) -> bool:
        """Whether a content may be of this table, and of who sits in the seat that it names.

        Before the draw nobody knows which seat is whose: what a member says of a later hand is kept
        until its round opens, and judged by ``Course.binds`` then.
        """
        if self._course.draw is not None or content.hand == 0:
            return self._course.binds(content)
        is_here = content.version == VERSION and content.seat < self._history.seats
        is_attempt = FIRST_ATTEMPT <= content.attempt <= SECOND_ATTEMPT
        return is_here and is_attempt and content.author in self._identities

    def _is_of_this_table(self, content: Content) -> bool:
        """Whether a content that belongs here is surely of this table, and of no earlier one.

        Before the draw a later hand's may be of any table: the own count does not follow it.
        """
        return content.hand == 0 or self._course.draw is not None

    def _record(self, sealed: Sealed) -> None:
        """Give a content to the history, and store what found a place."""
        outcome = self._history.accept(sealed)
        for item in self._history.take_admitted():
            if item.data not in self._evidence and item.data not in self._placed:
                self._post.store(item.data)
            self._placed.add(item.data)
        if outcome is Outcome.ACCEPTED:
            if sealed.data not in self._evidence and sealed.data not in self._placed:
                self._post.store(sealed.data)
            self._placed.add(sealed.data)
            self._post.note_progress()
        elif outcome is Outcome.DROPPED:
            self.dropped["out of place"] += 1
        rewound = self._history.take_rewound()
        if rewound is not None:
            self._course.rewind(rewound)

    # Faults.

    def is_evidence(self, sealed: Sealed) -> bool:
        """Whether a content is in the log for what it proves: then it was said, for good."""
        return sealed.data in self._evidence

    @contextmanager
    def noting_faults(self) -> Iterator[None]:
        """If another fault stands after this block, keep its evidence and tell everybody."""
        before = self._history.fault
        yield
        fault = self._history.fault
        if fault is None or fault is before:
            return
        for data in fault.evidence:
            is_stored = data in self._evidence or data in self._placed
            if not is_stored and not self._history.holds(data):
                self._post.store(data)
                self._evidence.add(data)
        self._post.tell_fault(fault)
