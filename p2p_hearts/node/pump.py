"""The loop of every peer: frames in, time, work and news, until it is over.

A ``Pump`` owns the tasks and no idea of the game; a subclass says what to do with each. Heavy work
is done a step at a time, and frames that came meanwhile go first; proofs that may wait are checked
in another thread, since the group library works outside Python's lock.

Errors: ``NodeError``, given to ``fail``, is what ``run`` raises in the end.
"""

from __future__ import annotations

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from p2p_hearts.net.keys import CurveKeys
from p2p_hearts.net.links import Links
from p2p_hearts.net.terms import LinkEventKind, Received
from p2p_hearts.node.terms import NodeError, Where
from p2p_hearts.table.tasks import Task

log = logging.getLogger(__name__)

CLOCK_SECONDS = 0.1


async def listen(keys: CurveKeys, where: Where, table_port: int = 0) -> Links:
    """Open the links of a peer where it is told to listen; ``table_port`` instead of that one.

    Raises:
        NetError: a port or the interface cannot be had.
    """
    return await Links.open(
        keys,
        lobby_port=where.lobby_port,
        table_port=table_port or where.table_port,
        interface=where.interface,
    )


class Pump(ABC):
    """Runs the four tasks of a peer over its links."""

    def __init__(self, links: Links) -> None:
        """Nothing runs before ``run``."""
        self.links = links
        self.listeners: list[Callable[[], None]] = []
        """Called when something changed that a person sees, and once a second."""
        self._stir = asyncio.Event()
        self._done = asyncio.Event()
        self._thread = ThreadPoolExecutor(1)
        """One: two at once take as long as one after the other (docs/decisions/0032)."""
        self._under_way: set[asyncio.Future[None]] = set()
        """Tasks of the table that are done there, or wait for it."""
        self._broken: asyncio.Future[None] | None = None
        """What failed there."""
        self._problem: NodeError | None = None
        self._told: object = None
        self._told_at = 0.0

    async def run(self) -> None:
        """Run until it is over, ``stop`` is called, or it cannot go on.

        Raises:
            NodeError: refused, not answered, or the log cannot be written.
        """
        tasks = [
            asyncio.create_task(step())
            for step in (self._receive, self._watch_links, self._keep_time, self._work)
        ]
        done = asyncio.create_task(self._until_done())
        try:
            await asyncio.wait([done, *tasks], return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                if task.done():
                    task.result()
        finally:
            for task in (done, *tasks):
                task.cancel()
            self._thread.shutdown(wait=False, cancel_futures=True)
            await asyncio.gather(done, *tasks, *self._under_way, return_exceptions=True)
        if self._problem is not None:
            raise self._problem

    def stop(self) -> None:
        """End ``run`` soon."""
        self._done.set()

    def fail(self, problem: NodeError) -> None:
        """End ``run`` soon, with this problem; nothing is taken, done or said any more."""
        self._problem = problem
        self._done.set()

    # What a subclass does.

    @abstractmethod
    def _take(self, received: Received) -> None:
        """Take a frame."""

    @abstractmethod
    def _link_up(self, key: bytes) -> None:
        """Greet a peer whose line just came up."""

    @abstractmethod
    def _tick(self, now: float) -> None:
        """Note the time, seconds of a monotonic clock."""

    @abstractmethod
    def _step(self) -> bool:
        """Do the next heavy step; return whether there was one."""

    @abstractmethod
    def _take_tasks(self) -> Sequence[Task[Any]]:
        """Return work that may be done in another thread, each once; then there is a step to do."""

    @abstractmethod
    def _flush(self) -> None:
        """Store and send what is due."""

    @abstractmethod
    def _seen(self, now: float) -> object:
        """Return what a person sees, as a value that differs when it changed."""

    # Tasks.

    async def _until_done(self) -> None:
        await self._done.wait()

    async def _receive(self) -> None:
        while True:
            received = await self.links.receive()
            if self._problem is None:
                self._take(received)
            self._stir.set()
            # However much one peer sends, the work goes on between its frames.
            await asyncio.sleep(0)

    async def _watch_links(self) -> None:
        while True:
            event = await self.links.next_event()
            log.info("%s", event.sentence)
            if event.kind is LinkEventKind.UP and event.key is not None:
                self._link_up(event.key)

    async def _keep_time(self) -> None:
        while True:
            if self._problem is None:
                self._tick(time.monotonic())
            self._stir.set()
            await asyncio.sleep(CLOCK_SECONDS)

    async def _work(self) -> None:
        while True:
            await self._stir.wait()
            self._stir.clear()
            while True:
                self._settle()
                if self._problem is not None:
                    break
                if self._broken is not None:
                    self._broken.result()  # A fault of this program: it is raised here.
                is_working = self._step()
                self._begin_tasks()
                if not is_working:
                    break
                # Frames that came meanwhile go first: somebody may wait for an answer.
                await asyncio.sleep(0)
            self._settle()

    def _begin_tasks(self) -> None:
        """Have work done in another thread, one piece after the other."""
        loop = asyncio.get_running_loop()
        for task in self._take_tasks():
            future = loop.run_in_executor(self._thread, task.do)
            self._under_way.add(future)
            future.add_done_callback(self._end_task)

    def _end_task(self, future: asyncio.Future[None]) -> None:
        self._under_way.discard(future)
        if not future.cancelled() and future.exception() is not None:
            self._broken = future
        self._stir.set()

    def _settle(self) -> None:
        """Do what is due; nothing more is said once there is a problem."""
        if self._problem is None:
            self._flush()
        self._tell()

    def _tell(self) -> None:
        """Tell the listeners when something changed that a player sees, and once a second."""
        now = time.monotonic()
        state = self._seen(now)
        if state != self._told or now - self._told_at >= 1.0:
            self._told, self._told_at = state, now
            for listener in self.listeners:
                listener()
