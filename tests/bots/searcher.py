"""Players that search, quick enough for tests."""

from __future__ import annotations

from p2p_hearts.bots.budget import playouts
from p2p_hearts.bots.player import Player, make_player
from p2p_hearts.bots.search import ALL_IDEAS, Ideas, SearchPlayer

FEW = 12
"""Playouts for a card: enough to go every way of the code, too few to play well."""


def make_searcher(number: int = FEW, ideas: Ideas = ALL_IDEAS) -> SearchPlayer:
    return SearchPlayer(playouts(number), ideas)


def make_quick(level: str) -> Player:
    return make_player(level, playouts(FEW))
