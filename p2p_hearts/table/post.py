"""What leaves a seat: records, frames, heartbeats (protocol/SPEC.md sections 3 and 6.6).

The order in which a ``Post`` hands out effects is the one in which they were asked for, so what is
sent was stored before. A heartbeat says where this table is and what it holds, at a pace that grows
slower while nothing happens; whoever's heartbeat shows that it lacks something is sent it.

Invariant: in a second a peer has so many heartbeats answered with anything, however many it sends.

Never: signs anything; passes on an envelope that was not verified here; changes the history.
Errors: none.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2p_hearts.table.budget import Budget
from p2p_hearts.table.course import Course
from p2p_hearts.table.effects import Effect, Send, Show, Store
from p2p_hearts.table.history import History
from p2p_hearts.table.recall import Recall
from p2p_hearts.table.serving import (
    WATCHER_BYTES,
    fill_frame,
    missing_for,
    next_place,
    report,
    serves_all,
)
from p2p_hearts.wire.codec import encode
from p2p_hearts.wire.faults import Fault
from p2p_hearts.wire.lobby import SealedRoster
from p2p_hearts.wire.messages import Beat, Frame

BEAT_SECONDS = (0.25, 0.5, 1.0, 2.0)
"""Time between heartbeats: short after progress, so that a lost message is soon repeated."""

ANSWERS = 6
"""Heartbeats of a peer that are answered with anything in ``BUDGET_SECONDS``: each may bring 120
KiB for 170 bytes. An honest peer sends four at most, and few more as links come up."""


class Post:
    """The way out of one seat's table."""

    def __init__(
        self, roster: SealedRoster, place: int, history: History, course: Course, recall: Recall
    ) -> None:
        """Begin with nothing to send; ``place`` is the own one in the roster, or ``NOBODY``."""
        self.told_over = False
        """Whether a heartbeat has told everybody that the match is over here."""
        self.now = 0.0
        """Seconds on any monotonic clock, as the surroundings said last."""
        self._roster = roster
        self._place = place
        self._history = history
        self._course = course
        self._recall = recall
        self._effects: list[Effect] = []
        self._finished = frozenset[int]()
        self._next_beat = 0.0
        self._beats = 0
        self._sent: dict[int, tuple[tuple[int, int, int, int], frozenset[bytes]]] = {}
        """By place: where its heartbeat was, and what it was sent there of what it misses."""
        self._answers = Budget(ANSWERS)
        """Heartbeats that are answered."""

    def tick(self, now: float) -> None:
        """Note the time, seconds on any monotonic clock."""
        self.now = now
        self._answers.tick(now)

    # Effects.

    def drain(self) -> list[Effect]:
        """Return what is to be stored and sent since the last call, in binding order."""
        effects, self._effects = self._effects, []
        return effects

    def store(self, envelope: bytes) -> None:
        """Have an envelope appended to the log before anything that is sent later."""
        self._effects.append(Store(envelope))

    def send(self, to: int | None, envelopes: Sequence[bytes], beat: Beat | None = None) -> None:
        """Send one frame to a place of the roster, or to all others."""
        self._effects.append(Send(to, encode(Frame(self._roster.hash, list(envelopes), beat))))

    def show(self, to: int | None, ahead: bytes) -> None:
        """Show a part of the next deal to a place of the roster, or to all others."""
        self._effects.append(Show(to, ahead))

    def send_all(self, to: int | None, envelopes: Sequence[bytes]) -> None:
        """Send envelopes in as many frames as they need."""
        while envelopes:
            batch, envelopes = fill_frame(envelopes)
            self.send(to, batch)

    def tell_fault(self, fault: Fault) -> None:
        """Give everybody the evidence of the fault that stands now."""
        self.send_all(None, fault.evidence)
        self.send(None, [], self.beat())

    # Heartbeats.

    def beat(self) -> Beat:
        """Return the heartbeat: where this table is and what it holds."""
        place, fault = next_place(self._history), self._history.fault
        return Beat(
            table=self._roster.hash,
            hand=place.hand,
            attempt=place.attempt,
            round=place.round,
            open=report(self._history),
            fault=b"" if fault is None else fault.id,
            finished=self._course.over,
            recall=self._recall.number,
            recalled=self._recall.answered,
        )

    def greet(self, place: int) -> None:
        """Send the heartbeat to a peer whose link just came up."""
        self.send(place, [], self.beat())

    def beat_in_time(self) -> float:
        """Send the heartbeat to all if it is time; return when it is time again."""
        if self.now >= self._next_beat or (self._course.over and not self.told_over):
            self.send(None, [], self.beat())
            self.told_over = self._course.over
            pause = BEAT_SECONDS[min(self._beats, len(BEAT_SECONDS) - 1)]
            self._beats += 1
            self._next_beat = self.now + pause
        return self._next_beat

    def note_progress(self) -> None:
        """Begin again with the shortest pause, from now on."""
        self._beats, self._next_beat = 0, self.now + BEAT_SECONDS[0]

    def hurry(self) -> None:
        """Send the next heartbeat at once."""
        self._next_beat = self.now

    # What the heartbeats of others say.

    @property
    def unfinished(self) -> frozenset[int]:
        """Places of the peers that have not said that they hold the last certificate."""
        return frozenset(range(self._history.seats)) - {self._place} - self._finished

    def note_finished(self, place: int, beat: Beat) -> None:
        """Note whether a peer says that it holds the last certificate."""
        if beat.finished:
            self._finished |= {place}

    def reply(self, place: int, beat: Beat) -> None:
        """Send a peer what its heartbeat shows that it lacks, if its budget allows.

        What it does not get now its next heartbeat asks for again.
        """
        if self._answers.is_spent(place):
            return
        before = len(self._effects)
        self.correct(place, beat)
        self.answer(place, beat)
        if len(self._effects) > before:
            self._answers.spend(place)

    def correct(self, place: int, beat: Beat) -> None:
        """Send a peer the evidence of the fault that stands here, if it names another or none."""
        fault = self._history.fault
        if fault is not None and beat.fault != fault.id:
            self.send_all(place, fault.evidence)

    def answer(self, place: int, beat: Beat) -> None:
        """Send a peer what its heartbeat shows that it misses, one frame at most.

        What does not fit follows when it is heard from the same place again, and then all from
        the beginning: a liar can have said more than fits that the others hold and it drops.
        """
        missing, answered = missing_for(self._history, beat), self._recall.answered
        if beat.recall:
            missing += self._history.early_of(self._roster.entries[place].identity)
        here = beat.hand, beat.attempt, beat.round, beat.recall
        since, sent = self._sent.get(place, (here, frozenset[bytes]()))
        sent = sent if since == here else frozenset()
        due = [data for data in missing if data not in sent]
        again = [data for data in missing if data in sent]
        batch, _ = fill_frame([*due, *again])
        is_all = len(batch) >= len(due)
        # Of what is missed no more nothing is noted: a liar may sign for ever.
        self._sent[place] = here, frozenset() if is_all else frozenset({*again, *batch})
        is_all = is_all and serves_all(self._history, beat)
        if beat.recall and is_all and answered[place] != beat.recall:
            # Said at once the first time; later beats repeat it. Two seats that both come back
            # would else answer each other's answers without end.
            answered[place] = beat.recall
            self.send(place, batch, self.beat())
        elif batch:
            self.send(place, batch)

    def frame_for_watcher(self, beat: Beat) -> bytes:
        """Return a frame for somebody who watches: what it lacks by its heartbeat, and ours.

        Nothing is noted of it: whoever watches has no part in what this table does.
        """
        fault = self._history.fault
        known = fault is None or beat.fault == fault.id
        evidence = () if fault is None or known else fault.evidence
        if beat.fault:
            # It holds another one, which may say the same and stand there.
            missing = missing_for(self._history, beat, evidence)
        else:
            missing = [*evidence, *missing_for(self._history, beat)]
        batch, _ = fill_frame(missing, WATCHER_BYTES)
        return encode(Frame(self._roster.hash, batch, self.beat()))
