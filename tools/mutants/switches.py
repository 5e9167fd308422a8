"""The switches of the checks: a copy of this file goes into the copied package, and nothing else.

A check that is switched off lets everything through. The others note when they *decide*: only then
would anything be different without them, so a test in which a check never decides cannot miss it.
"""

from __future__ import annotations

import os

decided: set[int] = set()
"""The numbers of the checks that decided something since this was last emptied."""

off = int(os.environ.get("SWITCHED_OFF", "-1"))
"""The number of the check that is switched off; -1 for none."""


def guard(number: int, found: object) -> object:
    """What the condition of a guard becomes: it decides where it holds."""
    if found:
        if number == off:
            return False
        decided.add(number)
    return found


def part(number: int, found: object) -> object:
    """What a part of a conjunction becomes: it decides where it does not hold."""
    if not found:
        if number == off:
            return True
        decided.add(number)
    return found


def call(number: int) -> bool:
    """Whether to leave out a call that only raises; that it is made is all that is noted."""
    if number == off:
        return True
    decided.add(number)
    return False
