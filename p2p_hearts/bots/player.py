"""What a computer player is: four decisions, each taken from a `View` alone.

A player keeps no state and draws no chance: equal views give equal decisions. So it cannot
know more than its seat may know, and a game can be played again from its log.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Protocol

from p2p_hearts.bots.duck import DuckPlayer
from p2p_hearts.bots.heuristic import HeuristicPlayer
from p2p_hearts.rules.cards import Card, CardSet
from p2p_hearts.rules.score import MoonChoice
from p2p_hearts.rules.view import View


class Player(Protocol):
    """Who decides for a seat."""

    @property
    def name(self) -> str:
        """The level, as a person chooses it."""
        ...

    def choose_pass(self, view: View) -> CardSet:
        """Return the cards to pass, exactly ``view.rules.pass_count`` of the hand."""
        ...

    def choose_card(self, view: View) -> Card:
        """Return the card to play, one of ``view.legal``; ``ValueError`` if there is none."""
        ...

    def wants_claim(self, view: View) -> bool:
        """Return whether to claim the rest instead of playing a card."""
        ...

    def choose_moon(self, view: View) -> MoonChoice:
        """Return how the seat's own moon is to count."""
        ...


LEVELS: Final[Mapping[str, Callable[[], Player]]] = {
    "easy": DuckPlayer,
    "normal": HeuristicPlayer,
}
"""The computer players on offer, the weakest first."""


def make_player(level: str) -> Player:
    """Return the computer player of a level; ``ValueError`` for a level that is not on offer."""
    maker = LEVELS.get(level)
    if maker is None:
        raise ValueError(f"{level!r} is no level; choose one of {', '.join(LEVELS)}")
    return maker()
