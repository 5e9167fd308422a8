"""Players that search, quick enough for tests."""

from __future__ import annotations

from typing import Final

from p2p_hearts.bots.budget import playouts
from p2p_hearts.bots.heuristic import HeuristicPlayer
from p2p_hearts.bots.ideas import ALL_IDEAS, Ideas
from p2p_hearts.bots.player import Player, make_player
from p2p_hearts.bots.search import SearchPlayer, seed_of
from p2p_hearts.rules.cards import Card, CardSet
from p2p_hearts.rules.view import View

FEW = 12
"""Playouts for a card: enough to go every way of the code, too few to play well."""

SELDOM: Final = 16
"""One decision of so many is searched for."""


class Seldom(SearchPlayer):
    """Searches at some decisions, the same ones for equal views, and plays as ``normal`` else."""

    def choose_pass(self, view: View) -> CardSet:
        if seed_of(view) % 4:
            return HeuristicPlayer().choose_pass(view)
        return super().choose_pass(view)

    def choose_card(self, view: View) -> Card:
        if seed_of(view) % SELDOM:
            return HeuristicPlayer().choose_card(view)
        return super().choose_card(view)


def make_searcher(number: int = FEW, ideas: Ideas = ALL_IDEAS) -> SearchPlayer:
    return SearchPlayer(playouts(number), ideas)


def make_quick(level: str) -> Player:
    return Seldom(playouts(FEW)) if level == "hard" else make_player(level)
