"""A long wait is told after ten seconds, and every half minute after that."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from p2p_hearts.ui.reminding import Reminder


@pytest.mark.parametrize(
    ("waited", "due"), [(0.0, 10.0), (9.0, 1.0), (10.0, 30.0), (41.0, 29.0), (None, None)]
)
def test_reminder__is_due_at_certain_ages_of_a_wait(
    monkeypatch: pytest.MonkeyPatch, waited: float | None, due: float | None
) -> None:
    told: list[float] = []

    async def scene() -> None:
        loop = asyncio.get_running_loop()
        really = loop.call_later

        def noted(seconds: float, call: Callable[[], None]) -> asyncio.TimerHandle:
            told.append(seconds)
            return really(3600, call)

        monkeypatch.setattr(loop, "call_later", noted)
        reminder = Reminder(lambda: waited, lambda: None)
        reminder.look()
        reminder.stop()

    asyncio.run(scene())
    assert told == ([] if due is None else [due])
