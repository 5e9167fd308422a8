"""The value of a hand's end: the match first, then points."""

from __future__ import annotations

from dataclasses import replace

from p2p_hearts.bots.utility import Utility
from p2p_hearts.rules.cards import EMPTY, CardSet
from p2p_hearts.rules.match import Match, new_match
from p2p_hearts.rules.options import Moon, RuleSet, Tie
from tests.bots.positions import cards

RULES = RuleSet()


def at(totals: tuple[int, ...], rules: RuleSet = RULES) -> Match:
    return replace(new_match(rules), totals=totals, hands=(totals,))


def test_utility__fewer_points_are_better_and_a_point_is_about_one() -> None:
    utility = Utility(new_match(RULES), 0)
    values = [utility.of((own, 13, 13 - own, 0)) for own in range(14)]
    assert values == sorted(values, reverse=True)
    assert 0.5 < values[5] - values[6] < 2.5


def test_utility__an_end_that_wins_the_match_beats_fewer_points() -> None:
    """Seat 0 leads narrowly; seat 3 is about to end the match."""
    utility = Utility(at((60, 66, 70, 95)), 0)
    ends_it, goes_on = (5, 3, 3, 15), (2, 0, 20, 4)
    assert utility.of(ends_it) > utility.of(goes_on)
    points = Utility(at((60, 66, 70, 95)), 0, match_score=False)
    assert points.of(ends_it) < points.of(goes_on)


def test_utility__an_end_that_loses_the_match_is_worse_than_points() -> None:
    """Seat 0 is close behind: better to take points than to end the match there."""
    utility = Utility(at((70, 66, 70, 96)), 0)
    assert utility.of((8, 9, 9, 0)) > utility.of((0, 1, 5, 20))


def test_utility__follows_the_rule_for_ties() -> None:
    level = (70, 78, 90, 95)
    latest = Utility(at(level, RuleSet(tie=Tie.LATEST_HAND)), 0)
    another = Utility(at(level), 0)
    # Both end at 78: with the latest hand counting, seat 1 (0 points) wins at once.
    assert latest.of((8, 0, 5, 13)) < another.of((8, 0, 5, 13))


def test_utility__the_last_hand_decides() -> None:
    rules = RuleSet(hands=2)
    utility = Utility(at((10, 12, 40, 40), rules), 0)
    assert utility.of((1, 0, 12, 13)) > 2 * utility.of((3, 0, 10, 13))


def test_utility__moons_are_scored_by_the_rules() -> None:
    pile = (CardSet(RULES.penalty_cards), EMPTY, EMPTY, EMPTY)
    assert Utility(new_match(RULES), 0).scores(pile) == (0, 26, 26, 26)
    minus = RuleSet(moon=Moon.SHOOTER_SUBTRACTS)
    assert Utility(new_match(minus), 0).scores(pile) == (-26, 0, 0, 0)
    chosen = RuleSet(moon=Moon.CHOICE)
    assert Utility(new_match(chosen), 0).scores(pile) == (0, 26, 26, 26)
    behind = at((90, 10, 20, 80), chosen)
    assert Utility(behind, 0).scores(pile) == (-26, 0, 0, 0)
    off = RuleSet(moon=Moon.OFF)
    assert Utility(new_match(off), 0).scores(pile) == (26, 0, 0, 0)
    split = (cards("QS"), CardSet(RULES.penalty_cards & ~cards("QS")), EMPTY, EMPTY)
    assert Utility(new_match(RULES), 0).scores(split) == (13, 13, 0, 0)
