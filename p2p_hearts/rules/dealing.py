"""Which position of the shuffled deck goes to which seat (docs/rules.md, "The deal").

Seats are numbered clockwise: seat ``s + 1`` sits at the left of seat ``s``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from p2p_hearts.rules.options import RuleSet


class Deal(NamedTuple):
    """Deck positions, ascending: those of each seat's hand, and those of the widow."""

    hands: tuple[tuple[int, ...], ...]
    widow: tuple[int, ...]


@lru_cache(maxsize=256)
def dealt(rules: RuleSet, dealer: int) -> Deal:
    """Deal the cards one at a time, clockwise from the dealer's left.

    What does not divide is the widow.
    """
    seats, given = rules.seats, rules.seats * rules.hand_size
    first = dealer + 1
    return Deal(
        hands=tuple(tuple(range((seat - first) % seats, given, seats)) for seat in range(seats)),
        widow=tuple(range(given, len(rules.pack))),
    )


def next_dealer(rules: RuleSet, dealer: int) -> int:
    """Pass the deal to the left."""
    return (dealer + 1) % rules.seats
