"""Means and shares with their 95 % intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

Z = 1.96
"""Standard errors to either side of a 95 % interval."""


@dataclass(frozen=True)
class Interval:
    """A mean and the half width of its 95 % interval."""

    mean: float
    half: float
    number: int

    def __str__(self) -> str:
        return f"{self.mean:+.2f} ± {self.half:.2f} (n = {self.number})"


def interval(values: Sequence[float]) -> Interval:
    """Return the mean of independent values with its 95 % interval; at least one value."""
    half = Z * stdev(values) / sqrt(len(values)) if len(values) > 1 else float("inf")
    return Interval(fmean(values), half, len(values))


def paired(one: Mapping[int, float], other: Mapping[int, float]) -> Interval:
    """Return by how much ``one`` is more than ``other``, over the seeds that both have.

    What luck brings to both alike drops out, so the interval is narrower than those of the two.
    ``ValueError`` without a common seed.
    """
    seeds = sorted(one.keys() & other.keys())
    if not seeds:
        raise ValueError("nothing to compare: no deal was played by both")
    return interval([one[seed] - other[seed] for seed in seeds])


@dataclass(frozen=True)
class Share:
    """In how many of independent cases something was so, with Wilson's 95 % interval."""

    count: int
    number: int

    @property
    def bounds(self) -> tuple[float, float]:
        """The ends of the interval, parts of 1; all that is possible where there was no case."""
        if not self.number:
            return 0.0, 1.0
        part, square = self.count / self.number, Z * Z / self.number
        middle = part + square / 2
        half = Z * sqrt(part * (1 - part) / self.number + square / self.number / 4)
        return (middle - half) / (1 + square), (middle + half) / (1 + square)

    def __str__(self) -> str:
        if not self.number:
            return "none of 0"
        low, high = self.bounds
        return (
            f"{self.count / self.number:.1%} ({low * 100:.1f} to {high:.1%}), "
            f"{self.count:,} of {self.number:,}"
        )
