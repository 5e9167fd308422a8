"""What came of a choice, weighed against the others."""

from __future__ import annotations

import pytest

from p2p_hearts.bots.candidates import PRIOR, Candidate, End, still_close
from p2p_hearts.rules.cards import CardSet


def candidate(card: int, values: list[float], prior: float = 0.0) -> Candidate:
    return Candidate(CardSet(1 << card), False, prior, values=values)


@pytest.mark.parametrize("luck", [-15.0, 0.0, 15.0])
def test_mean__a_good_or_bad_hand_does_not_change_which_choice_is_best(luck: float) -> None:
    """All choices end alike in a hopeless hand: the first impression decides, not its size."""
    values = [luck + swing for swing in (-2.0, 2.0, 1.0, -1.0)]
    best, worse, worst = (
        candidate(0, values),
        candidate(1, values, -1.0),
        candidate(2, values, -4.0),
    )
    assert best.mean() > worse.mean() > worst.mean()
    found = candidate(3, [value + PRIOR / 4 + 0.1 for value in values], -1.0)
    assert found.mean() > best.mean()


def test_mean__the_first_impression_counts_the_less_the_more_deals_were_seen() -> None:
    few, many = (candidate(0, [1.0] * number, -0.5) for number in (10, 1000))
    assert few.mean() == pytest.approx(0.0)
    assert many.mean() == pytest.approx(0.99)


def test_mean__a_moon_that_is_tried_counts_for_less() -> None:
    end = End((0, 26, 26, 26), 0, queen=True)
    tried, plain = candidate(0, []), candidate(1, [])
    tried.shoots, tried.stake = True, 8.0
    for one in (tried, plain):
        one.note(0, end, 26.0, 2)
    assert (tried.mean(), plain.mean()) == (18.0, 26.0)
    assert tried.moons == plain.moons == 2


def test_still_close__drops_what_is_clearly_behind_deal_by_deal() -> None:
    swings = [10.0, -10.0, 5.0, -5.0] * 4
    best = candidate(0, swings)
    near = candidate(1, [value - 1 + at % 2 * 2 for at, value in enumerate(swings)])
    behind = candidate(2, [value - 1 - at % 2 * 0.1 for at, value in enumerate(swings)])
    assert still_close([best, near, behind]) == [best, near]
