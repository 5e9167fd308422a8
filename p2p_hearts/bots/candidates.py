"""What a search compares: choices, and what came of each in the deals that were looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import fsum, sqrt
from typing import Final, NamedTuple

from p2p_hearts.rules.cards import CardSet

PRIOR: Final = 20.0
"""What the first impression of the heuristic player counts, in deals."""

CLEARLY: Final = 1.5
"""So many standard errors behind the best one a candidate is dropped."""


class End(NamedTuple):
    """How a hand ended for one candidate in one deal."""

    scores: tuple[int, ...]
    shooter: int | None
    queen: bool
    """Whether the own seat took Q♠."""


@dataclass(slots=True)
class Candidate:
    """One choice, and what came of it; ``values`` are by deal, in points."""

    cards: CardSet
    shoots: bool
    prior: float = 0.0
    """The first impression: points beside those of the choice that seems best."""
    values: list[float] = field(default_factory=list)
    points: int = 0
    """Own points of the hand, all deals together."""
    queens: int = 0
    """Deals in which the seat took Q♠."""
    moons: int = 0
    """Deals in which the seat shot the moon."""
    moons_of_others: int = 0
    stake: float = 0.0
    """Points by which a moon of a try is too hopeful."""

    def note(self, seat: int, end: End, value: float, due: int) -> None:
        """Count an end that was seen in ``due`` deals."""
        self.values += [value] * due
        self.points += end.scores[seat] * due
        self.queens += end.queen * due
        self.moons += (end.shooter == seat) * due
        self.moons_of_others += (end.shooter not in (None, seat)) * due

    def mean(self) -> float:
        """Return the mean value over all deals and the first impression.

        Comparable between candidates that saw the same deals: what the first impression counts
        must move all of them alike, or bad hands would make the worst impressions look best.
        """
        doubt = self.stake * self.moons if self.shoots else 0.0
        return (fsum(self.values) + PRIOR * self.prior - doubt) / len(self.values)


@dataclass(frozen=True, slots=True)
class Findings:
    """What a search found: all candidates, the best one first."""

    candidates: tuple[Candidate, ...]
    deals: int
    certain: bool
    """Whether only one deal was possible."""

    @property
    def best(self) -> Candidate:
        """The candidate to choose."""
        return self.candidates[0]


def still_close(live: list[Candidate]) -> list[Candidate]:
    """Return the candidates that are not clearly behind the best one, deal by deal."""
    best = max(live, key=Candidate.mean)
    return [one for one in live if one is best or not _behind(one.values, best.values)]


def _behind(values: Sequence[float], best: Sequence[float]) -> bool:
    number = len(values)
    gaps = [theirs - own for own, theirs in zip(values, best, strict=True)]
    mean = fsum(gaps) / number
    if mean <= 0:
        return False
    variance = fsum((gap - mean) ** 2 for gap in gaps) / (number - 1)
    return mean > CLEARLY * sqrt(variance / number) + 0.05
