"""What signals end a seat."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Iterator

import pytest

from p2p_hearts.commands.seat import stopped_by_signals

HangUp = Callable[[signal.Handlers], bool]


@pytest.fixture
def hang_up() -> Iterator[HangUp]:
    """Send SIGHUP to a seat that was started with a disposition of it; return if that ended it."""
    before = signal.getsignal(signal.SIGHUP)

    async def scene() -> bool:
        stopped = asyncio.Event()
        with stopped_by_signals(stopped.set):
            os.kill(os.getpid(), signal.SIGHUP)
            # Sent after it, so that it is handled after it.
            ended = asyncio.Event()
            loop = asyncio.get_running_loop()
            loop.add_signal_handler(signal.SIGUSR1, ended.set)
            os.kill(os.getpid(), signal.SIGUSR1)
            await ended.wait()
            loop.remove_signal_handler(signal.SIGUSR1)
            return stopped.is_set()

    def check(disposition: signal.Handlers) -> bool:
        signal.signal(signal.SIGHUP, disposition)
        return asyncio.run(scene())

    yield check
    signal.signal(signal.SIGHUP, before)


def test_seat__ends_with_its_terminal_but_not_under_nohup(hang_up: HangUp) -> None:
    assert hang_up(signal.SIG_DFL)
    assert not hang_up(signal.SIG_IGN)
