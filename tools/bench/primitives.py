"""What one group operation costs here: the floor that everything else is measured against."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from p2p_hearts.crypto.group import base_mul, decode_element, hash_to_element
from tools.bench.costs import Cost

ROUNDS = 7
CALLS = 300


@dataclass(frozen=True, slots=True)
class Floor:
    """Seconds of one operation, the fastest of several rounds."""

    variable: float
    base: float
    addition: float
    decode: float

    def multiplications(self, cost: Cost) -> float:
        """Seconds that the multiplications of ``cost`` take."""
        return cost.variable * self.variable + cost.base * self.base

    def all(self, cost: Cost) -> float:
        """Seconds that multiplications and additions of ``cost`` take."""
        return self.multiplications(cost) + cost.additions * self.addition


def best(
    action: Callable[[], object],
    calls: int = 1,
    rounds: int = ROUNDS,
    clock: Callable[[], float] = time.process_time,
) -> float:
    """Seconds of one call of ``action``: the fastest of ``rounds``, each of ``calls`` calls.

    By CPU time unless another ``clock`` is given, so that a busy machine disturbs little.
    """
    times = []
    for _ in range(rounds):
        start = clock()
        for _ in range(calls):
            action()
        times.append((clock() - start) / calls)
    return min(times)


def measure() -> Floor:
    """Measure each operation."""
    point, other = hash_to_element(b"bench 1"), hash_to_element(b"bench 2")
    scalar = int.from_bytes(point.data, "little") >> 4
    return Floor(
        variable=best(lambda: scalar * point, CALLS),
        base=best(lambda: base_mul(scalar), CALLS),
        addition=best(lambda: point + other, CALLS),
        decode=best(lambda: decode_element(point.data), CALLS),
    )


def show(floor: Floor) -> None:
    """Print the primitives."""
    print(
        f"one multiplication {floor.variable * 1e6:.0f} us, of the base {floor.base * 1e6:.0f} us, "
        f"addition {floor.addition * 1e6:.0f} us, decoding {floor.decode * 1e6:.1f} us"
    )
