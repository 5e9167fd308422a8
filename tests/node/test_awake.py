"""Nobody is given up because this program slept."""

from __future__ import annotations

from p2p_hearts.node.awake import ASLEEP_SECONDS, AwakeClock


def test_awake_clock__runs_while_it_is_looked_at_and_stands_still_in_between() -> None:
    now = 100.0
    clock = AwakeClock(lambda: now)
    for _ in range(10):
        now += ASLEEP_SECONDS
        clock()
    assert clock() == 100.0 + 10 * ASLEEP_SECONDS
    before = clock()
    now += 3600.0
    assert before < clock() < before + ASLEEP_SECONDS
    now += 1.0
    assert clock() > before + 1.0
