"""The engine against OpenSpiel's, on whole random hands with passes."""

from __future__ import annotations

import random

import pytest

from p2p_hearts.rules.options import RuleSet
from tests.rules.judge import compare, load

DEFAULT = "qs_breaks_hearts=false"


def test_judge__agrees_on_2000_hands_of_the_default_rules() -> None:
    game, rng = load(DEFAULT), random.Random(2000)
    for _ in range(2_000):
        compare(game, RuleSet(), rng)


@pytest.mark.parametrize(
    ("options", "rules"),
    [
        ("qs_breaks_hearts=true", RuleSet(queen_breaks=True)),
        (DEFAULT + ",jd_bonus=true", RuleSet(jack_points=-10)),
        (DEFAULT + ",must_break_hearts=false", RuleSet(hearts_break=False)),
        (DEFAULT + ",no_pts_on_first_trick=false", RuleSet(first_trick_penalties=True)),
        (DEFAULT + ",pass_cards=false", RuleSet(pass_count=0)),
    ],
    ids=["queen-breaks", "omnibus", "no-break", "first-trick-penalties", "cutthroat"],
)
def test_judge__agrees_on_1000_hands_of_each_option_it_knows(options: str, rules: RuleSet) -> None:
    game, rng = load(options), random.Random(1000)
    for _ in range(1_000):
        compare(game, rules, rng)


@pytest.mark.deep
@pytest.mark.parametrize("part", range(10))
def test_judge__agrees_on_100000_hands_of_the_default_rules(part: int) -> None:
    game, rng = load(DEFAULT), random.Random(100_000 + part)
    for _ in range(10_000):
        compare(game, RuleSet(), rng)
