"""Who goes home after a match, and when."""

from __future__ import annotations

from p2p_hearts.node.farewell import Farewell


def test_farewell__of_nobody_who_is_behind_and_heard_lasts_its_silence() -> None:
    farewell = Farewell(100.0, silence=30.0, most=300.0)
    assert not farewell.may_go(130.0)
    assert farewell.may_go(130.1)


def test_farewell__waits_for_somebody_who_is_behind_as_long_as_it_is_heard() -> None:
    farewell = Farewell(100.0, silence=30.0, most=300.0)
    for now in (125.0, 150.0, 175.0):
        farewell.hear(now)
        assert not farewell.may_go(now + 30.0)
    assert farewell.may_go(205.1)


def test_farewell__waits_for_nobody_without_end() -> None:
    farewell = Farewell(100.0, silence=30.0, most=300.0)
    for now in range(100, 400, 10):
        farewell.hear(float(now))
    assert not farewell.may_go(400.0)
    farewell.hear(400.0)
    assert farewell.may_go(400.1)
