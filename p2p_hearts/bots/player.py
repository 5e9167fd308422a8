"""What a computer player is: four decisions, each taken from a `View` alone.

A player keeps no state, and where it samples it is seeded by the view: equal views give equal
decisions. So it cannot know more than its seat may know. Time is given to it (``Budgets``); with a
budget of playouts it decides the same at any speed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Protocol

from p2p_hearts.bots.budget import Budgets, playouts
from p2p_hearts.bots.easy import EasyPlayer
from p2p_hearts.bots.heuristic import HeuristicPlayer
from p2p_hearts.bots.search import SearchPlayer
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


LEVELS: Final[Mapping[str, Callable[[Budgets], Player]]] = {
    "easy": lambda budgets: EasyPlayer(),
    "normal": lambda budgets: HeuristicPlayer(),
    "hard": SearchPlayer,
}
"""The computer players on offer, the weakest first."""

THINKING: Final = frozenset({"hard"})
"""Those that use all the time they are given."""

PLAYOUTS: Final = 400
"""Playouts for a card where nobody gives a budget."""


def make_player(level: str, budgets: Budgets | None = None) -> Player:
    """Return the computer player of a level; ``ValueError`` for a level that is not on offer.

    ``budgets`` are asked at every decision of a player that thinks.
    """
    maker = LEVELS.get(level)
    if maker is None:
        raise ValueError(f"{level!r} is no level; choose one of {', '.join(LEVELS)}")
    return maker(playouts(PLAYOUTS) if budgets is None else budgets)
