"""Chance: the χ² distribution, and how cards fall when nothing steers the deal.

Sources: the incomplete gamma function by its series and by Lentz's continued fraction (Press et
al., "Numerical Recipes", section 6.2); the hypergeometric distributions by counting.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Final

_STEPS: Final = 10_000
_SMALL: Final = 1e-15


def chi_square_tail(value: float, freedom: int) -> float:
    """Return the chance that χ² with ``freedom`` degrees of freedom is ``value`` or larger."""
    if freedom < 1:
        raise ValueError("χ² has at least one degree of freedom")
    if value <= 0:
        return 1.0
    half, a = value / 2, freedom / 2
    scale = math.exp(a * math.log(half) - half - math.lgamma(a))
    if half < a + 1:
        return max(0.0, 1.0 - scale * _series(a, half))
    return min(1.0, scale * _fraction(a, half))


def _series(a: float, x: float) -> float:
    term = total = 1 / a
    for step in range(1, _STEPS):
        term *= x / (a + step)
        total += term
        if term < total * _SMALL:
            break
    return total


def _fraction(a: float, x: float) -> float:
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    total = d
    for step in range(1, _STEPS):
        an = -step * (step - a)
        b += 2
        d = 1 / (an * d + b or tiny)
        c = b + an / c or tiny
        total *= d * c
        if abs(d * c - 1) < _SMALL:
            break
    return total


# How cards fall.


@cache
def suit_lengths(pack: int, suit: int, hand: int) -> tuple[float, ...]:
    """Return the chances of 0 to ``hand`` cards of a suit of ``suit`` cards in one hand."""
    ways = math.comb(pack, hand)
    return tuple(
        math.comb(suit, length) * math.comb(pack - suit, hand - length) / ways
        for length in range(hand + 1)
    )


@cache
def length_covariance(
    pack: int, suits: tuple[int, ...], hand: int, seats: int
) -> list[list[float]]:
    """Return the covariances of how many of a deal's suits have each length, hands counted apart.

    Of one deal, let c_k be the number of (seat, suit) with k cards. The hands share one pack, so
    the c_k of a deal hang together; entry (i, j) is the covariance of c_i and c_j.
    """
    lengths = range(hand + 1)
    single = [suit_lengths(pack, suit, hand) for suit in suits]
    joint = [[0.0] * (hand + 1) for _ in lengths]
    for first, here in enumerate(suits):
        for second, there in enumerate(suits):
            for i in lengths:
                for j in lengths:
                    apart = seats * (seats - 1)
                    if first == second:
                        one = single[first][i] if i == j else 0.0
                        two = _two_hands_one_suit(pack, here, hand, i, j)
                    else:
                        one = _one_hand_two_suits(pack, here, there, hand, i, j)
                        two = _two_hands_two_suits(pack, here, there, hand, i, j)
                    joint[i][j] += seats * one + apart * two
    mean = [seats * sum(chances[length] for chances in single) for length in lengths]
    return [[joint[i][j] - mean[i] * mean[j] for j in lengths] for i in lengths]


def _one_hand_two_suits(pack: int, here: int, there: int, hand: int, i: int, j: int) -> float:
    if i + j > hand:
        return 0.0
    rest = math.comb(pack - here - there, hand - i - j)
    return math.comb(here, i) * math.comb(there, j) * rest / math.comb(pack, hand)


def _two_hands_one_suit(pack: int, suit: int, hand: int, i: int, j: int) -> float:
    if i + j > suit:
        return 0.0
    left = suit_lengths(pack - hand, suit - i, hand)
    return suit_lengths(pack, suit, hand)[i] * left[j]


def _two_hands_two_suits(pack: int, here: int, there: int, hand: int, i: int, j: int) -> float:
    return sum(
        _one_hand_two_suits(pack, here, there, hand, i, other)
        * suit_lengths(pack - hand, there - other, hand)[j]
        for other in range(min(there, hand - i) + 1)
    )


def quadratic_form(matrix: Sequence[Sequence[float]], vector: Sequence[float]) -> float:
    """Return vᵀ M⁻¹ v for a matrix that can be inverted (Gaussian elimination with pivots)."""
    size = len(vector)
    rows = [[*matrix[row], vector[row]] for row in range(size)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for row in range(column + 1, size):
            factor = rows[row][column] / rows[column][column]
            for at in range(column, size + 1):
                rows[row][at] -= factor * rows[column][at]
    solved = [0.0] * size
    for row in reversed(range(size)):
        known = sum(rows[row][at] * solved[at] for at in range(row + 1, size))
        solved[row] = (rows[row][size] - known) / rows[row][row]
    return sum(a * b for a, b in zip(vector, solved, strict=True))
