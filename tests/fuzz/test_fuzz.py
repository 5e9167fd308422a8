"""Wrong input to everything that reads what somebody else wrote: taken, or refused as said.

``FUZZ_SECONDS`` sets how long ``make deep`` spends on each target, ``FUZZ_SEED`` where it begins.
A crash tells the seed of its try; its input becomes a case of ``test_found.py``.
"""

from __future__ import annotations

import os
import random
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.mutation import mutate
from tests.fuzz.targets import TARGETS, Target

targets = pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)


@targets
def test_fuzz__takes_what_is_right_and_refuses_the_rest(target: Target) -> None:
    for seed in target.seeds():
        target.take(seed)
    attempts(target, first=0, seconds=1.0, at_most=400)


@targets
def test_fuzz__takes_any_bytes(target: Target) -> None:
    @settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.binary(max_size=400))
    def check(data: bytes) -> None:
        target.take(data)

    check()


@pytest.mark.deep
@targets
def test_fuzz__for_minutes(target: Target) -> None:
    first = int(os.environ.get("FUZZ_SEED", time.time_ns() % 2**40))
    count = attempts(target, first, float(os.environ.get("FUZZ_SECONDS", "60")), 10**9)
    print(f"{target.name}: {count} inputs from seed {first}")


def attempts(target: Target, first: int, seconds: float, at_most: int) -> int:
    """Try one input for each seed from the first on, until the time is over."""
    seeds = list(target.seeds())
    end = time.monotonic() + seconds
    for number in range(first, first + at_most):
        data = mutate(random.Random(number), seeds)
        if data in seeds:
            continue
        try:
            target.take(data)
        except BaseException as error:
            error.add_note(f"target {target.name}, seed {number}, input {data.hex()}")
            raise
        if time.monotonic() > end:
            return number - first + 1
    return at_most
