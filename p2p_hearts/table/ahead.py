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

from collections.abc import Callable
from dataclasses import dataclass, field

from msgspec import Struct

from p2p_hearts.rules.view import NOBODY
from p2p_hearts.table.course import Course, Terms
from p2p_hearts.table.hand import Hand
from p2p_hearts.table.post import Post
from p2p_hearts.table.rounds import Stage
from p2p_hearts.wire.codec import DecodeError, decode, encode
from p2p_hearts.wire.faults import Rule
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
    speech: tuple[Struct] | None = None
    """The own part of this round, once it is made."""
    verdict: tuple[Rule | None] | None = None
    """What the first of the checks that could wait has come to."""
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
    def waited(self) -> list[int]:
        """Seats whose part of this round was not taken."""
        stage = self.stage
        speakers = () if stage is None else self.hand.speakers(stage)
        return [seat for seat in speakers if seat not in self.taken]

    @property
    def must_speak(self) -> bool:
        """Whether the own part of this round is due."""
        return self.hand.seat in self.waited

    @property
    def is_whole(self) -> bool:
        """Whether all parts of this round were taken, and it can be closed."""
        return self.stage is not None and not self.waited

    @property
    def is_over(self) -> bool:
        """Whether it goes no further: somebody's part does not hold, or the own secret is lost."""
        return self.is_spoilt or self.hand.lost

    def make(self) -> None:
        """Make the own part of this round."""
        stage = self.stage
        if stage is not None:
            self.speech = (self.hand.speak(stage.kind, self.round),)

    def check(self) -> None:
        """Do the first of the checks that could wait."""
        self.verdict = (self.hand.jobs[0].run(),)

    def note_verdict(self) -> None:
        """Go on by what that check has come to."""
        self.hand.jobs.popleft()
        self.is_spoilt, self.verdict = self.verdict != (None,), None

    def take_shown(self, seat: int, data: bytes) -> None:
        """Take what another seat has shown in this round."""
        stage = self.stage
        if stage is None:
            return
        try:
            body = decode(data, BODIES[stage.kind])
        except DecodeError:
            self.is_spoilt = True
        else:
            self.take(seat, body)

    def take(self, seat: int, body: Struct) -> None:
        """Take a seat's part of this round."""
        stage = self.stage
        if stage is not None:
            self.taken.add(seat)
            self.speech = None
            self.is_spoilt = self.hand.take(stage.kind, seat, self.round, body) is not None

    def close(self) -> None:
        """Go to the next round."""
        stage = self.stage
        if stage is not None:
            self.hand.close(stage.kind)
            self.round, self.taken = self.round + 1, set()


class NextDeal:
    """What one seat makes, shows and checks of the next hand."""

    def __init__(self, roster: SealedRoster, course: Course, post: Post) -> None:
        """Begin with nothing; nothing is made before somebody calls ``work``."""
        self.leaves_heavy = False
        """Whether ``work`` leaves the heavy steps to whoever calls ``heavy``."""
        self._roster = roster
        self._course = course
        self._post = post
        self._sketch: Sketch | None = None
        self._for = 0
        """Number of the hand that ``_heard`` is of."""
        self._heard: dict[tuple[Kind, int], tuple[int, bytes]] = {}
        """By kind and seat: the round in which it was shown, and its body."""

    # What others show.

    def receive(self, place: int, data: bytes) -> None:
        """Take what the peer at ``place`` of the roster shows, over its own link."""
        draw = self._course.draw
        try:
            ahead = decode(data, Ahead)
        except DecodeError:
            return
        is_due = ahead.table == self._roster.hash and ahead.hand == self._course.hand_number + 1
        if draw is None or not is_due or self._course.seat == NOBODY:
            return
        self._renew(ahead.hand)
        kind = Kind.SHUFFLE if ahead.round else Kind.KEY
        self._heard.setdefault((kind, draw.seats.index(place)), (ahead.round, ahead.body))

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
        heavy = self.heavy()
        if heavy is not None:
            if self.leaves_heavy:
                return False
            heavy()
        return self._step(self._sketch)

    def heavy(self) -> Callable[[], None] | None:
        """Return the proof that the next step makes or checks, if it is still to be done.

        It may be done in any thread: it depends on nothing that changes. The step itself, ``work``,
        is a light one after it, and none comes before it.
        """
        sketch = self._sketch
        if sketch is None or sketch.terms != self._terms() or sketch.is_over:
            return None
        if sketch.must_speak:
            return None if sketch.speech else sketch.make
        if sketch.is_whole or self._shown_to(sketch) is not None or sketch.verdict:
            return None
        return sketch.check if sketch.hand.jobs else None

    def _terms(self) -> Terms | None:
        """Return what the next hand is to begin with, while it is time to make its deal."""
        hand = self._course.hand
        if hand is None or hand.seat == NOBODY or hand.play is None:
            return None
        is_time = hand.play.tricks and not hand.facts.play_over
        return self._course.next_terms() if is_time else None

    def _shown_to(self, sketch: Sketch) -> tuple[int, bytes] | None:
        """Return a seat whose part of the sketch's round was shown and not taken, and its body."""
        stage = sketch.stage
        if stage is None:
            return None
        for seat in sketch.waited:
            number, body = self._heard.get((stage.kind, seat), (-1, b""))
            if number == sketch.round:
                return seat, body
        return None

    def _step(self, sketch: Sketch) -> bool:
        """Do a step whose proof, if it has one, is there."""
        shown = self._shown_to(sketch)
        if sketch.is_over:
            return False
        if sketch.speech:
            (body,) = sketch.speech
            data = encode(Ahead(self._roster.hash, sketch.hand.number, sketch.round, encode(body)))
            sketch.take(sketch.hand.seat, body)
            sketch.shown.append(data)
            self._post.show(None, data)
        elif shown is not None:
            sketch.take_shown(*shown)
        elif sketch.is_whole:
            sketch.close()
        elif sketch.verdict:
            sketch.note_verdict()
        else:
            return False
        return True
