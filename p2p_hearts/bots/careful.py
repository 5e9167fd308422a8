"""What all computer players decide alike: claims of the rest and how their own moon counts."""

from __future__ import annotations

from p2p_hearts.bots import claiming, moon
from p2p_hearts.rules.score import MoonChoice
from p2p_hearts.rules.view import View


class Careful:
    """Never gives anything away by a claim or by a choice."""

    def wants_claim(self, view: View) -> bool:
        """Return whether a claim that would stand costs nothing."""
        return claiming.wants_claim(view)

    def choose_moon(self, view: View) -> MoonChoice:
        """Return the choice that never costs the match."""
        return moon.choose_moon(view)
