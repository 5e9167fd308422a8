"""What one seat may know: all that a person is shown and that a computer player decides by.

A ``View`` holds the seat's own cards and what is public, nothing else. The table fills it; two
tables that differ only in what is hidden from the seat give equal views.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from p2p_hearts.rules.cards import EMPTY, Card, CardSet, ClassSet, contains
from p2p_hearts.rules.match import Match
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.play import PlayState
from p2p_hearts.rules.score import choosing_shooter

NOBODY: Final = -1
"""The seat of somebody who watches: no hand, no key, nothing to say."""


class Phase(Enum):
    """What the table is doing, seen from one seat."""

    DEAL = "deal"
    PASS = "pass"  # noqa: S105  (a phase, no password)
    WAIT_PASS = "wait-pass"  # noqa: S105
    PLAY = "play"
    CHOOSE_MOON = "choose-moon"
    HAND_OVER = "hand-over"
    MATCH_OVER = "match-over"


@dataclass(frozen=True, slots=True)
class View:
    """One seat's knowledge at one moment. Tuples are by seat, clockwise from seat 0."""

    rules: RuleSet
    seat: int
    phase: Phase
    hand_number: int
    """From 1."""
    dealer: int
    offset: int
    """To whom this hand passes: seats clockwise, 0 for a hand without a pass."""
    match: Match
    """The hands finished so far."""
    hand: CardSet
    """The seat's own cards."""
    passed: CardSet
    """What the seat passes this hand, from its decision on; empty before."""
    received: CardSet
    """What the seat was passed this hand, played or not; empty before."""
    play: PlayState | None
    """The play, from the first card on."""
    legal: CardSet
    """The faces the seat may play now; empty when it is not its turn."""
    counts: tuple[int, ...]
    """How many cards each seat holds."""
    void_classes: tuple[ClassSet, ...]
    """The classes that each seat has proven not to hold."""
    known: tuple[CardSet, ...]
    """Cards the seat knows each seat to hold: those it passed there and that are not played."""
    may_claim: bool = False
    """Whether the seat may claim the rest now, instead of playing a card (``rules.rest``)."""
    dummy: int | None = None
    """The seat whose cards lie open and are played by rule, if there is one; ``known`` has them."""

    @property
    def watching(self) -> bool:
        """Whether this is what somebody sees who watches: every hand lies face down."""
        return self.seat == NOBODY

    @property
    def south(self) -> int:
        """The seat that is shown nearest: the own one, or any for somebody who watches."""
        return 0 if self.watching else self.seat

    @property
    def your_turn(self) -> bool:
        """Whether the table waits for a decision of this seat."""
        if self.phase is Phase.CHOOSE_MOON:
            return self.play is not None and self.seat == choosing_shooter(
                self.rules, self.play.taken
            )
        return self.phase is Phase.PASS or (self.phase is Phase.PLAY and self.legal != EMPTY)

    @property
    def forced(self) -> Card | None:
        """The only card the seat may play, if there is just one."""
        if self.phase is Phase.PLAY and self.legal and not self.legal & (self.legal - 1):
            return Card(self.legal.bit_length() - 1)
        return None

    def may_play(self, card: Card) -> bool:
        """Whether the seat may play ``card`` now."""
        return self.phase is Phase.PLAY and contains(self.legal, card)
