"""Whether this seat goes on without another one: what its player has decided, and what follows.

Implements what protocol/SPEC.md sections 7.1 and 7.4 leave to each player: nobody is left out
before all the others have decided so. ``table.patience`` says who has owed something for too long,
``table.ballots`` what is signed then; the decision is a person's, or with ``auto`` the program's.

Never: signs anything; reads a clock.
Errors: ``ValueError`` for a decision about a seat that may not be left out.
"""

from __future__ import annotations

from p2p_hearts.i18n import _
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.view import NOBODY
from p2p_hearts.table.ballots import next_ballot
from p2p_hearts.table.course import Course
from p2p_hearts.table.hand import Hand
from p2p_hearts.table.history import History
from p2p_hearts.table.patience import Patience
from p2p_hearts.table.round import Round
from p2p_hearts.wire.messages import Confirm, Kind, Vote


class Consent:
    """What one seat's player has decided about the others, at one table."""

    def __init__(self, history: History, course: Course, rules: RuleSet) -> None:
        """Begin with nothing decided."""
        self.auto = False
        """Whether the program decides by itself to go on without a seat."""
        self.is_reading = False
        """Whether the own log is read: what was gone on from then is decided."""
        self.patience = Patience(float(rules.grace), float(rules.clock))
        self._history = history
        self._course = course
        self._agreed: set[int] = set()
        """Seats that the player has decided to go on without."""

    def come_back(self) -> None:
        """Take as decided what the own log shows to have been gone on from."""
        hand = self._course.hand
        self._agreed |= self._course.excluded
        if hand is not None and hand.dummy is not None:
            self._agreed.add(hand.dummy)

    def begin_hand(self) -> None:
        """Forget what held for one hand only; about whom a rule was broken, it holds for good."""
        self._agreed &= self._course.excluded

    def agree(self, seat: int) -> None:
        """Decide to go on without a seat that is silent, or that has broken a rule.

        Raises:
            ValueError: it is neither.
        """
        if seat not in self.may_agree():
            raise ValueError(_("This seat is not waited for, or not yet long enough."))
        self._agreed.add(seat)

    def may_agree(self) -> tuple[int, ...]:
        """Return the seats that the player may decide to go on without now."""
        hand, accused = self._course.hand, self._accused
        if hand is None or hand.dummy is not None or self._course.ended:
            return ()
        if self._history.fault is not None and self._others_out(hand):
            return ()  # It would stay stopped, whatever is decided about the accused.
        broken = set[int]() if accused is None else {accused}
        item = self.open_round()
        if item is not None:
            broken |= self.patience.late(item) | self.patience.slow(item)
        return tuple(sorted(broken - {self._course.seat}))

    def undecided(self) -> tuple[int, ...]:
        """Return those of them about whom the player has not decided yet."""
        return tuple(seat for seat in self.may_agree() if seat not in self._agreed)

    @property
    def is_stopped(self) -> bool:
        """Whether a proven fault stops this seat: its player has not decided to go on."""
        hand, accused = self._course.hand, self._accused
        if self.is_reading or self._history.fault is None:
            return False
        if hand is None or accused in (None, self._course.seat):
            return True
        agreed = self.auto or accused in self._agreed
        return not agreed or self._others_out(hand)

    def _others_out(self, hand: Hand) -> bool:
        """Whether a hand is without another seat than the accused: a second dummy there is none."""
        course = self._course
        return bool({hand.dummy, *course.faulty, *course.excluded} - {None, self._accused})

    @property
    def _accused(self) -> int | None:
        """The seat that has broken a rule, if one has; of the draw, the seat that it got there."""
        fault = self._history.fault
        return None if fault is None else self._history.convictions.held_against(fault)

    def open_round(self) -> Round | None:
        """Return the first round without a certificate, if it may be closed without a seat."""
        rounds, certified = self._history.rounds, self._history.certified
        item = rounds[certified] if certified < len(rounds) else None
        if item is None or not item.votable or self._course.seat not in item.seats:
            return None
        return item

    def note_late(self, *, is_ready: bool) -> None:
        """Measure which seats have owed the open round something for too long.

        ``is_ready``: this seat may speak itself; before that nobody is late for it.
        """
        item, draw = self.open_round(), self._course.draw
        if item is None or draw is None or not is_ready:
            self.patience.forget()
            return
        places = dict(enumerate(draw.seats))
        self.patience.measure(item, self._me, places, self._history.convictions.liars)

    def next_ballot(self, item: Round) -> tuple[Kind, Vote | Confirm] | None:
        """Return the vote or the confirm that this seat signs now in a round, if any."""
        late = self.patience.late(item) | (self.patience.slow(item) & self._agreed)
        return next_ballot(item, self._me, late, lambda seat: self.auto or seat in self._agreed)

    @property
    def _me(self) -> int:
        """The own seat; nobody, before seats are drawn."""
        seat = self._course.seat
        return NOBODY if seat is None else seat
