"""The players of the ladder by name: the levels, those to compare with, and hard without an idea.

``hard-voids`` is hard without what voids tell, and so on for every field of ``search.Ideas``;
``hard@100`` has 100 playouts a card; ``ismcts1000`` is OpenSpiel's ``ISMCTSBot`` with 1,000
simulations.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import fields, replace

from p2p_hearts.bots.budget import Budgets, playouts
from p2p_hearts.bots.ideas import ALL_IDEAS, Ideas
from p2p_hearts.bots.player import LEVELS, make_player
from p2p_hearts.bots.search import SearchPlayer
from p2p_hearts.rules.options import RuleSet
from tests.rules.dealer import Chooser, RandomPlayer
from tools.ladder.duck import DuckPlayer
from tools.ladder.openspiel import IsmctsPlayer

DEFAULT_PLAYOUTS = 100
IDEAS = tuple(idea.name for idea in fields(Ideas))
NAMES = ", ".join((*LEVELS, "duck", "random", "ismctsN", "hard@N", "hard-IDEA")) + (
    f" (ideas: {', '.join(IDEAS)})"
)


def make(
    name: str,
    rules: RuleSet,
    number: int,
    searcher: Callable[[Budgets, Ideas], Chooser] = SearchPlayer,
) -> Chooser:
    """Return the player of a name; ``number`` playouts for those that search.

    ``searcher`` makes those of them that are ``hard``. ``ValueError`` for a name that is none.
    """
    if name == "duck":
        return DuckPlayer()
    if name == "random":
        return RandomPlayer(random.Random(0))
    if name.startswith("ismcts"):
        return IsmctsPlayer(rules, int(name.removeprefix("ismcts")))
    level, _, count = name.partition("@")
    level, _, idea = level.partition("-")
    budgets = playouts(int(count) if count else number)
    if level != SearchPlayer.name:
        if idea:
            raise ValueError(f"{name!r}: only {SearchPlayer.name} can do without an idea")
        return make_player(level, budgets)
    if idea and idea not in IDEAS:
        raise ValueError(f"{idea!r} is no idea; they are {', '.join(IDEAS)}")
    return searcher(budgets, replace(ALL_IDEAS, **{idea: False}) if idea else ALL_IDEAS)
