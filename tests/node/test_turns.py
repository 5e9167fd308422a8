"""The turn clock decides for a person who does not, in time and not before."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from p2p_hearts.bots.player import make_player
from p2p_hearts.node.turns import TurnClock
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.view import View
from p2p_hearts.wire.messages import Kind
from tests.node.test_autoplay import StillNode
from tests.ui.scenes import claim_view, moon_view, my_turn, passing_game


class Person:
    """Somebody at a table with a clock who decides nothing, and the time the test tells."""

    def __init__(self, kind: Kind | None, view: View, clock: int = 30) -> None:
        self.now = 100.0
        self.told = 0
        self.node = cast(Any, StillNode(kind, view))
        self.node.roster = SimpleNamespace(rules=RuleSet(clock=clock))
        self.node.history = SimpleNamespace(current=SimpleNamespace(place=(1, 1, 9)))
        self.turns = TurnClock(self.node, make_player("normal"), self._tell, lambda: self.now)

    def _tell(self) -> None:
        self.told += 1

    def wait(self, seconds: float) -> list[object]:
        self.now += seconds
        for listener in self.node.listeners:
            listener()
        return list(self.node.done)


@pytest.mark.parametrize(
    ("kind", "view", "kept"),
    [
        (Kind.PASS_SELECT, passing_game().view(), ("pass", 3)),
        (Kind.PLAY, my_turn(), ("card", True)),
        (Kind.PLAY, claim_view(), ("card", True)),
        (Kind.CHOICE, moon_view(), None),
    ],
)
def test_turn_clock__decides_once_the_time_is_up_and_claims_nothing(
    kind: Kind, view: View, kept: object
) -> None:
    person = Person(kind, view)
    person.wait(0.0)
    assert person.turns.left == 30.0
    assert person.wait(29.0) == []
    assert person.turns.left == 1.0
    done = person.wait(1.0)
    assert len(done) == person.told == 1
    assert done[0] == kept or kept is None


def test_turn_clock__begins_anew_with_each_decision() -> None:
    person = Person(Kind.PLAY, my_turn())
    person.wait(0.0)
    person.wait(20.0)
    person.node.decision = None
    person.wait(1.0)
    assert person.turns.left is None
    person.node.decision = Kind.PLAY
    person.wait(0.0)
    assert person.wait(29.0) == []
    person.node.history.current.place = (1, 1, 13)
    assert person.wait(2.0) == []
    assert person.turns.left == 30.0


def test_turn_clock__hurries_nobody_where_the_table_has_none() -> None:
    person = Person(Kind.PLAY, my_turn(), clock=0)
    person.wait(0.0)
    assert person.wait(10_000.0) == []
    assert person.turns.left is None
