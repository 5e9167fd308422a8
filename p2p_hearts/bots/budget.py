"""How long a player may think: the player asks, whoever made the budget counts or looks at a clock.

Nothing here reads a clock, so a player with a budget of playouts decides the same at any speed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol


class Budget(Protocol):
    """Time for one decision."""

    def allows(self, spent: int) -> bool:
        """Whether to go on after ``spent`` playouts of a hand."""
        ...


@dataclass(frozen=True, slots=True)
class Playouts:
    """So many playouts for a decision, more or less a last round of all candidates."""

    number: int

    def allows(self, spent: int) -> bool:
        """Whether fewer than that were played."""
        return spent < self.number


Budgets = Callable[[float], Budget]
"""Makes the budget of one decision, at its beginning: so many times that of a card."""


def playouts(number: int) -> Budgets:
    """Return budgets of ``number`` playouts for a card."""
    return lambda times: Playouts(round(number * times))
