from __future__ import annotations

import pytest

from p2p_hearts.rules.match import Match, new_match
from p2p_hearts.rules.options import RuleSet, Tie


def after(rules: RuleSet, *hands: tuple[int, ...]) -> Match:
    match = new_match(rules)
    for scores in hands:
        match = match.add(scores)
    return match


def test_match__adds_hands_up() -> None:
    match = after(RuleSet(), (0, 13, 5, 8), (26, 0, 0, 0))
    assert match.totals == (26, 13, 5, 8)
    assert match.hands == ((0, 13, 5, 8), (26, 0, 0, 0))
    assert match.hand_number == 3
    assert not match.over
    assert match.winners == ()


@pytest.mark.parametrize("target", [1, 50, 100, 150, 200, 500])
def test_match__ends_when_somebody_reaches_the_target(target: int) -> None:
    rules = RuleSet(target=target)
    short = after(rules, (target - 1, 0, 0, 0))
    assert not short.over
    exact = after(rules, (target, 0, 1, 2))
    assert exact.over
    assert exact.winners == (1,)


def test_match__tie_for_the_lowest_total_is_played_on_until_one_leads() -> None:
    match = after(RuleSet(), (100, 20, 20, 30))
    assert not match.over
    assert match.leaders == (1, 2)
    assert match.add((26, 0, 0, 0)).over is False
    assert match.add((0, 13, 5, 8)).winners == (2,)


def test_match__tie_may_be_decided_by_the_latest_hand() -> None:
    rules = RuleSet(tie=Tie.LATEST_HAND)
    match = after(rules, (60, 8, 2, 10), (45, 2, 8, 0))
    assert match.totals == (105, 10, 10, 10)
    assert match.over
    assert match.winners == (3,)


def test_match__tie_in_the_latest_hand_goes_to_the_hand_before_it() -> None:
    rules = RuleSet(tie=Tie.LATEST_HAND)
    match = after(rules, (45, 3, 5, 9), (45, 5, 3, 9), (13, 4, 4, 5))
    assert match.totals == (103, 12, 12, 23)
    assert match.winners == (2,)


def test_match__tie_in_every_hand_is_played_on() -> None:
    rules = RuleSet(tie=Tie.LATEST_HAND)
    match = after(rules, (60, 5, 5, 9), (60, 5, 5, 9))
    assert not match.over
    assert match.add((10, 7, 8, 1)).winners == (1,)


def test_match__ends_after_the_tables_last_hand() -> None:
    rules = RuleSet(hands=2)
    match = after(rules, (5, 10, 11, 0))
    assert not match.over
    assert match.on_last_hand
    assert match.add((0, 10, 11, 4)).winners == (3,)


def test_match__may_have_several_winners_after_its_last_hand() -> None:
    match = after(RuleSet(hands=1), (0, 26, 0, 0))
    assert match.over
    assert match.winners == (0, 2, 3)


def test_match__may_end_before_its_last_hand() -> None:
    assert after(RuleSet(hands=5, target=20), (26, 0, 1, 0)).over is False
    assert after(RuleSet(hands=5, target=20), (24, 0, 1, 1)).over


def test_match__refuses_a_hand_after_its_end_and_scores_of_another_table() -> None:
    match = after(RuleSet(), (100, 0, 1, 2))
    with pytest.raises(ValueError, match="is over"):
        match.add((26, 0, 0, 0))
    with pytest.raises(ValueError, match="4 scores"):
        new_match(RuleSet()).add((26, 0, 0))
