"""The ladder counts what it says it counts."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from p2p_hearts.bots.budget import Budgets, Playouts
from p2p_hearts.bots.ideas import ALL_IDEAS, Ideas
from p2p_hearts.bots.player import make_player
from p2p_hearts.bots.search import SearchPlayer
from p2p_hearts.rules.options import PRESETS, RuleSet
from tests.rules.dealer import Hand, RandomPlayer, at_hand, play_hand
from tools.ladder.contest import Result, Timed, duplicate, matches
from tools.ladder.duck import DuckPlayer
from tools.ladder.figures import interval
from tools.ladder.openspiel import IsmctsPlayer
from tools.ladder.players import make

MOONS = (7, 77)
"""Deals in which a moon was shot, one of them by the one player."""


def test_duplicate__a_player_against_itself_is_neither_better_nor_worse() -> None:
    """Every seat of the same deal in turn: what is dealt to a seat evens out exactly."""
    normal = make_player("normal")
    deals = list(duplicate(RuleSet(), normal, normal, range(3)))
    assert [deal.better for deal in deals] == pytest.approx([0.0, 0.0, 0.0])
    assert "3 deals; moons" in str(Result(4, deals))
    assert "in 12 hands" in str(Result(4, deals))


def test_duplicate__splits_the_difference_into_moons_and_other_hands() -> None:
    """A moon of the other three costs the one 26 points, and two of them as well."""
    deals = list(duplicate(RuleSet(), make_player("normal"), DuckPlayer(), MOONS))
    for deal in deals:
        assert deal.by_moons + deal.by_moons_of_others + deal.quiet == pytest.approx(deal.better)
        assert deal.by_moons == pytest.approx(26 * deal.moons / 4)
        assert deal.by_moons_of_others == pytest.approx(-26 / 3 * deal.moons_of_others / 4)
        assert deal.quiet != 0
    assert all(deal.moons or deal.moons_of_others for deal in deals)
    assert sum(deal.moons for deal in deals)
    assert sum(deal.heavy for deal in deals)
    assert sum(deal.heavy_of_others for deal in deals)
    assert "by hands without one" in Result(4, deals).parts


def test_duplicate__tells_a_rule_player_from_a_random_one() -> None:
    timed = Timed(DuckPlayer())
    deals = duplicate(RuleSet(), timed, RandomPlayer(random.Random(1)), range(8))
    assert interval([deal.better for deal in deals]).mean > 2
    assert timed.cards == 8 * 4 * 13
    assert timed.passes == 24  # every fourth hand is held


def test_matches__shares_of_the_seats_add_up_to_fair_ones() -> None:
    duck = DuckPlayer()
    assert list(matches(PRESETS["short"], duck, duck, range(1))) == [(0, 0.25)]


def test_make__knows_levels_rivals_and_ideas() -> None:
    made: list[tuple[Budgets, Ideas]] = []

    def searcher(budgets: Budgets, ideas: Ideas) -> SearchPlayer:
        made.append((budgets, ideas))
        return SearchPlayer(budgets, ideas)

    for name in ("hard", "hard-voids@5", "duck", "normal"):
        make(name, RuleSet(), 10, searcher)
    (usual, all_ideas), (few, others) = made
    assert all_ideas == ALL_IDEAS
    assert others == replace(ALL_IDEAS, voids=False)
    assert (usual(1.0), few(1.0)) == (Playouts(10), Playouts(5))
    assert isinstance(make("duck", RuleSet(), 10), DuckPlayer)
    with pytest.raises(ValueError, match="is no idea"):
        make("hard-luck", RuleSet(), 10)
    with pytest.raises(ValueError, match="only hard can do without"):
        make("normal-voids", RuleSet(), 10)
    with pytest.raises(ValueError, match="is no level"):
        make("grandmaster", RuleSet(), 10)


def test_ismcts_player__plays_a_whole_hand_by_our_rules() -> None:
    player, decisions = IsmctsPlayer(RuleSet(), 5), 0

    def watch(hand: Hand) -> None:
        nonlocal decisions
        decisions += 1

    for number in (1, 4):  # with a pass and without
        play_hand(at_hand(RuleSet(), number), 0, [player] * 4, random.Random(1), watch)
    assert decisions == 104
    with pytest.raises(ValueError, match="default rules"):
        IsmctsPlayer(PRESETS["spot"], 5)
