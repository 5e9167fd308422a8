"""The ladder counts what it says it counts."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from p2p_hearts.bots.duck import DuckPlayer
from p2p_hearts.bots.player import make_player
from p2p_hearts.bots.search import VERSION
from p2p_hearts.rules.options import PRESETS, RuleSet
from tests.bots.test_players import at_hand
from tests.rules.dealer import Hand, RandomPlayer, play_hand
from tools.ladder.__main__ import Kept, kept_name
from tools.ladder.contest import Result, Timed, duplicate, interval, matches
from tools.ladder.openspiel import IsmctsPlayer
from tools.ladder.players import make

MOONS = (7, 77)
"""Deals in which a moon was shot, one of them by the one player."""


def test_interval__is_the_mean_and_two_standard_errors() -> None:
    found = interval([1.0, 3.0] * 50)
    assert found.mean == 2.0
    assert found.half == pytest.approx(0.197, abs=0.002)


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


def test_kept__a_contest_goes_on_where_it_ended(tmp_path: Path) -> None:
    Kept(tmp_path, "duel").add({"seed": 3, "share": 0.5})
    assert Kept(tmp_path, "duel").found == {3: {"seed": 3, "share": 0.5}}
    assert Kept(None, "duel").found == {}


def test_kept_name__tells_versions_of_the_player_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    now = kept_name("black-lady", "hard", "normal", 100)
    monkeypatch.setattr("tools.ladder.__main__.VERSION", VERSION + 1)
    assert kept_name("black-lady", "hard", "normal", 100) != now


def test_make__knows_levels_rivals_and_ideas() -> None:
    assert isinstance(make("duck", RuleSet(), 10), DuckPlayer)
    assert make("hard-voids@5", RuleSet(), 10) is not None
    with pytest.raises(ValueError, match="is no idea"):
        make("hard-luck", RuleSet(), 10)
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
