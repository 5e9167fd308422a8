"""Token buckets: how much one sender may send, and how many senders are remembered.

Time is passed in (seconds of any monotonic clock), so a test needs no sleep.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rate:
    """At most ``burst`` units at once, refilled with ``per_second`` units a second."""

    per_second: float
    burst: float

    def __post_init__(self) -> None:
        if self.per_second <= 0 or self.burst <= 0:
            raise ValueError("a rate and its burst are positive")


class Bucket:
    """One token bucket; full at first."""

    __slots__ = ("_level", "_rate", "_then")

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._level = rate.burst
        self._then = now

    def has(self, amount: float, now: float) -> bool:
        """Whether ``amount`` could be taken at ``now``."""
        self._refill(now)
        return amount <= self._level

    def take(self, amount: float, now: float) -> bool:
        """Take ``amount`` if it is there; False, and nothing taken, if not."""
        if not self.has(amount, now):
            return False
        self._level -= amount
        return True

    def wait(self, amount: float, now: float) -> float:
        """Seconds until ``amount`` (at most the burst) could be taken."""
        self._refill(now)
        return max(0.0, (min(amount, self._rate.burst) - self._level) / self._rate.per_second)

    def _refill(self, now: float) -> None:
        passed = max(0.0, now - self._then)
        self._then = max(now, self._then)
        self._level = min(self._rate.burst, self._level + passed * self._rate.per_second)


class Buckets:
    """A bucket for each sender, of the ``remembered`` senders heard last.

    A sender forgotten and heard again starts with a full bucket, so the memory is bounded and the
    bound on all senders together must be set by another bucket.
    """

    __slots__ = ("_buckets", "_rate", "_remembered")

    def __init__(self, rate: Rate, remembered: int) -> None:
        self._rate = rate
        self._remembered = remembered
        self._buckets: OrderedDict[Hashable, Bucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def of(self, sender: Hashable, now: float) -> Bucket:
        """Return the bucket of ``sender``, forgetting the sender heard longest ago if need be."""
        bucket = self._buckets.get(sender)
        if bucket is None:
            bucket = self._buckets[sender] = Bucket(self._rate, now)
            if len(self._buckets) > self._remembered:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(sender)
        return bucket
