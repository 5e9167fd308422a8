"""The loop of a peer, with nobody on its links."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from typing import Any

import pytest

from p2p_hearts.net.terms import LinkEvent, Received
from p2p_hearts.node.pump import Pump
from p2p_hearts.table.tasks import Task
from tests.node.peers import until


class NoLinks:
    def receive(self) -> asyncio.Future[Received]:
        return asyncio.get_running_loop().create_future()

    def next_event(self) -> asyncio.Future[LinkEvent]:
        return asyncio.get_running_loop().create_future()


class Worker(Pump):
    """Has some tasks, and nothing else to do."""

    def __init__(self, tasks: Sequence[Task[Any]]) -> None:
        super().__init__(NoLinks())  # type: ignore[arg-type]
        self.tasks = tasks

    def _take(self, received: Received) -> None:
        raise NotImplementedError

    def _link_up(self, key: bytes) -> None:
        raise NotImplementedError

    def _tick(self, now: float) -> None:
        pass

    def _step(self) -> bool:
        return False

    def _take_tasks(self) -> Sequence[Task[Any]]:
        tasks, self.tasks = self.tasks, ()
        return tasks

    def _flush(self) -> None:
        pass

    def _seen(self, now: float) -> object:
        return None


def test_pump__raises_what_went_wrong_in_another_thread() -> None:
    async def story() -> None:
        async with asyncio.timeout(60):
            await Worker([Task(lambda: None), Task(lambda: 1 // 0)]).run()

    with pytest.raises(ZeroDivisionError):
        asyncio.run(story())


def test_pump__ends_once_what_is_done_in_other_threads_has_come_to_an_end() -> None:
    begun, go, ended = threading.Event(), threading.Event(), list[bool]()

    def work() -> None:
        begun.set()
        ended.append(go.wait(60))

    async def story() -> None:
        pump = Worker([Task(work)])
        running = asyncio.create_task(pump.run())
        await until(begun.is_set)
        pump.stop()
        asyncio.get_running_loop().call_later(0.05, go.set)
        await running
        assert ended == [True]

    asyncio.run(story())
