"""Work that may be done anywhere: proofs of values that are bound when the task is made.

A table makes tasks and goes on with what they have come to. Alone it does each when it needs it;
where its surroundings take tasks from it (``Table.take_tasks``) it goes on with other things until
they are done, in another thread or in several.

Whoever makes a task gives it all that it reads and writes: nothing of a hand, which goes on.

Never: starts a thread. Errors: those of the work, to whoever does it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class Task(Generic[T]):
    """One piece of work, and what it has come to."""

    run: Callable[[], T]
    result: tuple[T] | None = field(default=None, init=False)
    """``None`` until it is done."""
    is_taken: bool = field(default=False, init=False)
    """Whether somebody does it or has done it."""

    def do(self) -> None:
        """Do it."""
        self.result = (self.run(),)

    def outcome(self, *, here: bool) -> tuple[T] | None:
        """Return what it has come to; if it is not done, do it ``here`` or return ``None``."""
        if self.result is None and here:
            self.do()
        return self.result
