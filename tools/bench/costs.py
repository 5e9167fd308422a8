"""How many group operations a computation takes; the tests count those of the shuffle proof."""

from __future__ import annotations

from typing import NamedTuple


class Cost(NamedTuple):
    """Group operations, for comparing with a clock."""

    base: int
    """Multiplications of `BASE`."""
    variable: int
    """Multiplications of any other element."""
    additions: int
    """Additions and subtractions of elements."""


def prove_shuffle(n: int) -> Cost:
    """Of `shuffle.prove_shuffle`, for decks of `n` distinct ciphertexts.

    c: n base.  ĉ: n base, n variable.  t_1, t_2: 2 base.  t_3: 1 base, n variable.  t_4: 1 base,
    2n + 1 variable.  t̂: n base, n variable.
    """
    return Cost(base=3 * n + 4, variable=5 * n + 1, additions=6 * n)


def verify_shuffle(n: int) -> Cost:
    """Of `shuffle.verify_shuffle`, for an honest proof of `n` distinct ciphertexts.

    One sum over G; H, X, the five t; h, c, ĉ, t̂ and both components of e and e', n each; and
    before it the sums Σc and Σh, which fold into it.
    """
    return Cost(base=1, variable=8 * n + 7, additions=8 * n + 7)
