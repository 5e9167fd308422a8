from __future__ import annotations

import math
from collections import Counter
from itertools import combinations

import pytest

from p2p_hearts.record.stats.chance import (
    chi_square_tail,
    length_covariance,
    quadratic_form,
    suit_lengths,
)


@pytest.mark.parametrize(
    ("value", "freedom", "tail"),
    [
        (3.841459, 1, 0.05), (6.634897, 1, 0.01), (5.991465, 2, 0.05), (7.814728, 3, 0.05),
        (11.070498, 5, 0.05), (18.307038, 10, 0.05), (37.5662, 20, 0.01), (43.773, 30, 0.05),
        (9.34182, 10, 0.5), (2.55821, 10, 0.99), (124.342, 100, 0.05),
    ],
)  # fmt: skip
def test_chi_square_tail__agrees_with_the_printed_tables(
    value: float, freedom: int, tail: float
) -> None:
    assert chi_square_tail(value, freedom) == pytest.approx(tail, rel=2e-4)


@pytest.mark.parametrize("value", [1e-6, 0.3, 1, 2.9, 3.1, 10, 80, 600])
def test_chi_square_tail__has_closed_forms_for_one_two_and_four(value: float) -> None:
    assert chi_square_tail(value, 1) == pytest.approx(math.erfc(math.sqrt(value / 2)), rel=1e-9)
    assert chi_square_tail(value, 2) == pytest.approx(math.exp(-value / 2), rel=1e-9)
    four = math.exp(-value / 2) * (1 + value / 2)
    assert chi_square_tail(value, 4) == pytest.approx(four, rel=1e-9)


def test_chi_square_tail__of_nothing_is_certain_and_of_no_freedom_nonsense() -> None:
    assert chi_square_tail(0, 3) == chi_square_tail(-1, 3) == 1
    assert chi_square_tail(1e6, 3) == 0
    with pytest.raises(ValueError, match="degree"):
        chi_square_tail(1, 0)


def test_suit_lengths__are_the_known_odds_of_thirteen_cards() -> None:
    chances = suit_lengths(52, 13, 13)
    assert sum(chances) == pytest.approx(1)
    assert chances[0] == pytest.approx(0.01279, abs=1e-5)
    assert chances[3] == pytest.approx(0.28633, abs=1e-5)
    assert chances[13] == pytest.approx(1 / math.comb(52, 13))


def test_length_covariance__is_what_every_deal_of_a_small_pack_gives() -> None:
    """Six cards of two suits to two hands of two and a widow: all deals, counted one by one."""
    suits, hand, seats = (3, 3), 2, 2
    deck = [0, 0, 0, 1, 1, 1]
    found: Counter[tuple[int, ...]] = Counter()
    deals = 0
    for first in combinations(range(6), hand):
        left = [at for at in range(6) if at not in first]
        for second in combinations(left, hand):
            counts = [0] * (hand + 1)
            for held in (first, second):
                for suit in range(2):
                    counts[sum(deck[at] == suit for at in held)] += 1
            found[tuple(counts)] += 1
            deals += 1
    mean = [sum(key[k] * n for key, n in found.items()) / deals for k in range(hand + 1)]
    covariance = length_covariance(6, suits, hand, seats)
    for i in range(hand + 1):
        for j in range(hand + 1):
            both = sum(key[i] * key[j] * n for key, n in found.items()) / deals
            assert covariance[i][j] == pytest.approx(both - mean[i] * mean[j], abs=1e-12)


def test_quadratic_form__solves_with_pivots() -> None:
    assert quadratic_form([[2.0, 0.0], [0.0, 4.0]], [2.0, 4.0]) == pytest.approx(6)
    assert quadratic_form([[0.0, 1.0], [1.0, 0.0]], [2.0, 3.0]) == pytest.approx(12)
