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
    """Whether the own seat took a Q♠ that costs points."""


class Seen(NamedTuple):
    """What a hint tells of an end."""

    points: int
    """Own points of the hand."""
    queen: bool
    moon: bool
    """Whether the own seat shot the moon."""
    moon_of_other: bool


@dataclass(slots=True)
class Candidate:
    """One choice, and what came of it; ``values`` are by deal, in points."""

    cards: CardSet
    shoots: bool
    prior: float = 0.0
    """The first impression: points beside those of the choice that seems best."""
    values: list[float] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    """What the ends were like, by deal as ``values``."""
    stake: float = 0.0
    """Points by which a moon of a try is too hopeful."""

    def note(self, seat: int, end: End, value: float, due: int) -> None:
        """Count an end that was seen in ``due`` deals."""
        self.values += [value] * due
        own, other = end.shooter == seat, end.shooter not in (None, seat)
        self.seen += [Seen(end.scores[seat], end.queen, own, other)] * due

    @property
    def moons(self) -> int:
        """Deals in which the seat shot the moon."""
        return sum(one.moon for one in self.seen)

    def mean(self) -> float:
        """Return the mean value over all deals and the first impression.

        Comparable between candidates that saw the same deals: what the first impression counts
        must move all of them alike, or bad hands would make the worst impressions look best.
        """
        doubt = self.stake * self.moons if self.shoots else 0.0
        return (fsum(self.values) + PRIOR * self.prior - doubt) / len(self.values)


@dataclass(frozen=True, slots=True)
class Findings:
    """What a search found: all candidates, the best one first, those dropped early last."""

    candidates: tuple[Candidate, ...]
    deals: int
    solved: bool = False
    """Whether the ends were solved: first impressions did not count."""
    certain: bool = False
    """Whether only one deal was possible, and was solved."""

    @property
    def best(self) -> Candidate:
        """The candidate to choose."""
        return self.candidates[0]


def ranked(live: list[Candidate], candidates: list[Candidate]) -> tuple[Candidate, ...]:
    """Return all candidates, the best of the live ones first, then the others: last dropped first.

    Of equal ones the lowest card is first, and plain play before a try.
    """

    def key(one: Candidate) -> tuple[float, CardSet, bool]:
        return (-one.mean(), one.cards, one.shoots)

    left = {id(one) for one in live}
    dropped = [one for one in candidates if id(one) not in left]
    dropped.sort(key=lambda one: (-len(one.values), *key(one)))
    return (*sorted(live, key=key), *dropped)


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
