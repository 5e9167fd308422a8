"""Views that wait for their time, under a clock of the test."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable
from typing import cast

from p2p_hearts.rules.view import View
from p2p_hearts.ui.pace import frames
from p2p_hearts.ui.showing import Showing
from tests.ui.scenes import playing_game


class Clock:
    """As much of an event loop as is asked for the time."""

    def __init__(self) -> None:
        self.now = 100.0
        self._due: list[tuple[float, int, Timer]] = []

    def time(self) -> float:
        return self.now

    def call_later(self, seconds: float, call: Callable[[], None]) -> Timer:
        timer = Timer(call)
        heapq.heappush(self._due, (self.now + seconds, len(self._due), timer))
        return timer

    def pass_time(self, seconds: float) -> None:
        end = self.now + seconds
        while self._due and self._due[0][0] <= end:
            self.now, _, timer = heapq.heappop(self._due)
            if timer.call is not None:
                timer.call()
        self.now = end


class Timer:
    """A call that may be taken back."""

    def __init__(self, call: Callable[[], None]) -> None:
        self.call: Callable[[], None] | None = call

    def cancel(self) -> None:
        self.call = None


BEFORE, AFTER = playing_game(0).view(), playing_game(3).view()
BETWEEN = frames(BEFORE, AFTER)


def begun() -> tuple[Showing, Clock, list[View], list[None]]:
    drawn: list[View] = []
    redrawn: list[None] = []
    clock = Clock()
    showing = Showing(drawn.append, lambda view: 1.0, lambda: redrawn.append(None))
    showing.begin(cast("asyncio.AbstractEventLoop", clock))
    showing.take(BEFORE)
    return showing, clock, drawn, redrawn


def test_showing__shows_one_view_after_the_other_in_their_time() -> None:
    showing, clock, drawn, redrawn = begun()
    showing.take(AFTER)
    assert len(BETWEEN) > 1
    assert drawn == [BEFORE]
    for number, _view in enumerate(BETWEEN, 1):
        clock.pass_time(1.0)
        assert drawn == [BEFORE, *BETWEEN[:number]]
        assert len(redrawn) == number
    assert not showing.behind


def test_showing__catches_up_at_once_and_then_waits_for_nothing() -> None:
    showing, clock, drawn, redrawn = begun()
    showing.take(AFTER)
    assert showing.behind
    showing.catch_up()
    assert drawn == [BEFORE, *BETWEEN]
    clock.pass_time(60.0)
    assert drawn == [BEFORE, *BETWEEN]
    assert redrawn == []


def test_showing__knows_a_view_that_it_was_told_and_drops_all_without_a_hand() -> None:
    showing, clock, drawn, _redrawn = begun()
    showing.take(BEFORE)
    assert not showing.behind
    showing.take(AFTER)
    showing.take(None)
    clock.pass_time(60.0)
    assert drawn == [BEFORE]
    showing.take(BEFORE)
    assert drawn == [BEFORE, BEFORE]


def test_showing__stopped_shows_nothing_more_by_itself() -> None:
    showing, clock, drawn, _redrawn = begun()
    showing.take(AFTER)
    showing.stop()
    clock.pass_time(60.0)
    assert drawn == [BEFORE]
    showing.advance()
    assert drawn == [BEFORE, BETWEEN[0]]


def test_showing__without_a_loop_nothing_waits() -> None:
    drawn: list[View] = []
    showing = Showing(drawn.append, lambda view: 1.0, lambda: None)
    showing.take(BEFORE)
    showing.take(AFTER)
    assert drawn == [BEFORE, *BETWEEN]
