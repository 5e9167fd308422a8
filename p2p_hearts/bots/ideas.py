"""What a search uses: each idea can be left out, to measure what it is worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Ideas:
    """Which ideas a search uses (docs/players.md)."""

    voids: bool = True
    """No deal gives a seat what it has shown or proven not to have."""
    beliefs: bool = True
    """Plays and passes make some holders of a card likelier (``beliefs``)."""
    fit: bool = True
    """Deals are weighed by what ``normal`` would have played from them (``pool``)."""
    policy: bool = True
    """Seats play sensibly in a deal, not at random."""
    endgame: bool = True
    """The last tricks are solved (``endgame``)."""
    match_score: bool = True
    """The end of a hand is worth what it is to the match (``utility``), not its points."""
    moon: bool = True
    """Tries to shoot the moon are candidates."""
    prior: bool = True
    """First impressions count, and what looks hopeless is not compared."""
    passing: bool = True
    """Passes are searched for, too."""


ALL_IDEAS: Final = Ideas()
