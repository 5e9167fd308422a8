"""Tables whose proofs are made and checked elsewhere, as at real peers, at odd times."""

from __future__ import annotations

import heapq
from typing import Any

from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table.tasks import Task
from tests.table.sim import Sim

LONGEST = 0.3
"""Seconds; a hand in good weather takes about as long as some of these."""


class Aside(Sim):
    """Every proof is done some time after it was taken, while everything else goes on."""

    def __init__(self, rules: RuleSet, **options: object) -> None:
        super().__init__(rules, **options)  # type: ignore[arg-type]
        self.hangs = False
        """Whether nothing that is taken is ever done."""
        self.done = 0
        self._tasks: list[tuple[float, int, int, Task[Any]]] = []

    def settle(self, place: int) -> None:
        table = self.tables[place]
        table.leaves_tasks = True
        super().settle(place)
        for task in table.take_tasks():
            self._count += 1
            when = self.now + self._dice.random() * LONGEST
            heapq.heappush(self._tasks, (when, self._count, place, task))

    def step(self) -> None:
        super().step()
        while self._tasks and self._tasks[0][0] <= self.now and not self.hangs:
            _, _, place, task = heapq.heappop(self._tasks)
            task.do()
            self.done += 1
            if place not in self.stopped:
                self.settle(place)

    def _next_times(self) -> list[float]:
        waiting = [] if self.hangs else [item[0] for item in self._tasks[:1]]
        return [*super()._next_times(), *waiting]
