"""To whom a hand's cards are passed (docs/rules.md, "The pass").

An offset counts seats clockwise: 1 is the left neighbour, ``seats - 1`` the right one, 0 is a
hand without a pass.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from p2p_hearts.rules.options import RuleSet

PASS_CYCLES: Final[Mapping[int, tuple[int, ...]]] = {
    3: (1, 2, 0),
    4: (1, 3, 2, 0),
    5: (1, 4, 2, 3, 0),
    6: (1, 5, 2, 4, 3, 0),
}
"""Offsets of successive hands, by number of seats: every offset once, then a hold."""


def pass_offset(rules: RuleSet, hand_number: int) -> int:
    """Return the offset of a hand (numbered from 1); 0 where nothing is passed."""
    if hand_number < 1:
        raise ValueError(f"hands are numbered from 1, not {hand_number}")
    if not rules.pass_count:
        return 0
    cycle = PASS_CYCLES[rules.seats]
    return cycle[(hand_number - 1) % len(cycle)]


def receiver(rules: RuleSet, seat: int, offset: int) -> int:
    """Return the seat that gets what ``seat`` passes."""
    return (seat + offset) % rules.seats


def sender(rules: RuleSet, seat: int, offset: int) -> int:
    """Return the seat whose cards ``seat`` gets."""
    return (seat - offset) % rules.seats
