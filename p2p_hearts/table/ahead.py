"""The next hand's deal, made while a hand is played (protocol/SPEC.md section 4.9).

Key shares and shuffles depend on secrets and on each other, and not on how the hand before ends. So
while people think, seats show each other what they would say in these rounds of the next hand, and
check it. When the hand begins everybody says it in its place; what is the same, byte for byte, on
top of the same deck, was made and checked already (``table.hand.shuffles``).

What is shown is no content: it is not signed, not kept, not passed on, and convicts nobody. It may
be lost, wrong, or not what its seat says later; then the hand is dealt as if it had not been shown.

Invariants:

- Nothing but keys and shuffles is shown, and nothing that needs another seat's share: who knew all
  others' parts of an escrow could read a deck that is not dealt yet.
- Of each seat one key and one shuffle are taken for a hand, so what a liar costs is bounded.
- Nothing is made here that ``table.hand`` would not make in the deal: all is derived from the own
  secret of that hand, which is drawn and stored before, and from what it stands on.

Never: signs; touches the history; raises for anything a peer sent. Errors: those of ``Secrets``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct

from p2p_hearts.agreement.rounds import Stage
from p2p_hearts.rules.view import NOBODY
from p2p_hearts.table.course import Course, Terms
from p2p_hearts.table.hand import Hand
from p2p_hearts.table.post import Post
from p2p_hearts.table.tasks import Task
from p2p_hearts.wire.codec import DecodeError, decode, encode
from p2p_hearts.wire.lobby import SealedRoster
from p2p_hearts.wire.messages import BODIES, Ahead, Kind

SHOWN = frozenset({Kind.KEY, Kind.SHUFFLE})
"""The rounds of a deal that are made ahead: in no other one is anything shown before its time."""


@dataclass(slots=True)
class Sketch:
    """The next hand as it will begin if nothing happens, and how far its deal is made."""

    hand: Hand
    round: int = 0
    taken: set[int] = field(default_factory=set)
    """Seats whose part of this round was taken."""
    speech: Task[Struct] | None = None
    """What makes the own part of this round, if it is due."""
    shown: list[bytes] = field(default_factory=list)
    """The own parts, as they were sent."""
    is_spoilt: bool = False
    """Whether somebody has shown what does not hold: then it goes no further."""

    @property
    def terms(self) -> Terms:
        """What it was begun with."""
        return self.hand.number, self.hand.dealer, self.hand.keyless

    @property
    def stage(self) -> Stage | None:
        """Its round; ``None`` once all that may be shown was taken."""
        stage = self.hand.next_stage()
        return stage if stage is not None and stage.kind in SHOWN else None

    @property
    def is_over(self) -> bool:
        """Whether it goes no further: parts do not hold, or the own secret is lost."""
        return self.is_spoilt or self.hand.lost or self.hand.is_undealt

    def waited(self, stage: Stage) -> list[int]:
        """Return the seats whose part of its round was not taken."""
        return [seat for seat in self.hand.speakers(stage) if seat not in self.taken]

    def own_part(self, stage: Stage) -> Task[Struct] | None:
        """Return what makes the own part of its round, if it is due."""
        if self.hand.seat not in self.waited(stage):
            return None
        if self.speech is None:
            self.speech = Task(self.hand.prepare(stage.kind, self.round))
        return self.speech

    def take(self, stage: Stage, seat: int, data: bytes) -> None:
        """Take a seat's part of its round; one that does not hold ends it."""
        self.taken.add(seat)
        try:
            body = decode(data, BODIES[stage.kind])
        except DecodeError:
            self.is_spoilt = True
        else:
            self.is_spoilt = self.hand.take(stage.kind, seat, self.round, body) is not None

    def close(self, stage: Stage) -> None:
        """Go to the next round."""
        self.hand.close(stage.kind)
        self.round, self.taken, self.speech = self.round + 1, set(), None


class NextDeal:
    """What one seat makes, shows and checks of the next hand."""

    def __init__(self, roster: SealedRoster, course: Course, post: Post) -> None:
        """Begin with nothing; nothing is made before somebody calls ``work``."""
        self._roster = roster
        self._course = course
        self._post = post
        self._sketch: Sketch | None = None
        self._for = 0
        """Number of the hand that ``_heard`` is of."""
        self._heard: dict[tuple[Kind, int], bytes] = {}
        """The body that was shown first, by kind and seat."""

    # What others show.

    def receive(self, place: int, data: bytes) -> None:
        """Take what the peer at ``place`` of the roster shows, over its own link."""
        draw = self._course.draw
        try:
            ahead = decode(data, Ahead)
        except DecodeError:
            return
        is_due = ahead.table == self._roster.hash and ahead.hand == self._course.hand_number + 1
        if draw is None or not is_due:
            return
        self._renew(ahead.hand)
        kind = Kind.SHUFFLE if ahead.round else Kind.KEY
        self._heard.setdefault((kind, draw.seats.index(place)), ahead.body)

    def greet(self, place: int) -> None:
        """Show a peer whose link just came up what was shown to the others."""
        sketch = self._sketch
        if sketch is not None and sketch.hand.number == self._course.hand_number + 1:
            for data in sketch.shown:
                self._post.show(place, data)

    def _renew(self, number: int) -> None:
        """Forget what was heard of an earlier hand."""
        if self._for != number:
            self._for, self._heard = number, {}

    # Step by step.

    def work(self) -> bool:
        """Do the next step, if there is one; return whether there was."""
        terms = self._terms()
        if terms is None:
            return False
        if self._sketch is None or self._sketch.terms != terms:
            self._sketch = Sketch(self._course.make_next_hand(*terms))
            self._renew(terms[0])
        sketch = self._sketch
        stage = sketch.stage
        if sketch.is_over:
            return False
        if stage is not None and (
            self._show(sketch, stage) or self._take(sketch, stage) or self._close(sketch, stage)
        ):
            return True
        return self._check(sketch)

    def tasks(self) -> list[Task[Any]]:
        """Return the proofs that are to be made and checked now, taken or not."""
        sketch = self._sketch
        if sketch is None or sketch.is_over or sketch.terms != self._terms():
            return []
        stage = sketch.stage
        own = None if stage is None else sketch.own_part(stage)
        return [*([] if own is None else [own]), *(job.task for job in sketch.hand.jobs)]

    def _terms(self) -> Terms | None:
        """Return what the next hand is to begin with, while it is time to make its deal."""
        hand = self._course.hand
        if hand is None or hand.seat == NOBODY or hand.play is None:
            return None
        is_time = hand.play.tricks and not hand.facts.play_over
        return self._course.next_terms() if is_time else None

    def _show(self, sketch: Sketch, stage: Stage) -> bool:
        """Show the own part, if it is due and made; say whether it was."""
        own = sketch.own_part(stage)
        made = None if own is None else own.outcome(here=not self._course.leaves_tasks)
        if made is None:
            return False
        body = encode(made[0])
        data = encode(Ahead(self._roster.hash, sketch.hand.number, sketch.round, body))
        sketch.take(stage, sketch.hand.seat, body)
        sketch.shown.append(data)
        self._post.show(None, data)
        return True

    def _take(self, sketch: Sketch, stage: Stage) -> bool:
        """Take a part of this round that was shown; say whether there was one."""
        for seat in sketch.waited(stage):
            body = self._heard.get((stage.kind, seat))
            if body is not None:
                sketch.take(stage, seat, body)
                return True
        return False

    def _close(self, sketch: Sketch, stage: Stage) -> bool:
        """Go to the next round, if all parts of this one were taken; say whether they were."""
        if sketch.waited(stage):
            return False
        sketch.close(stage)
        return True

    def _check(self, sketch: Sketch) -> bool:
        """Go on by a check that could wait, done here or elsewhere; say whether there was one."""
        jobs = sketch.hand.jobs
        verdict = jobs[0].task.outcome(here=not self._course.leaves_tasks) if jobs else None
        if verdict is None:
            return False
        jobs.popleft()
        sketch.is_spoilt = verdict != (None,)
        return True
