"""What checks came to, kept; and how they are put off where nothing is expected to be wrong.

A check of one content depends on the history before it and on its bytes, and on nothing else, so
several logs of one table share their results. ``Haste`` goes further (protocol/SPEC.md section
9.2): a body is taken as it stands, its check runs beside other work, and where its seat later
reveals the secret from which the same bytes are made again, it is not run at all. That is as good
as the check only if nothing turns out to be wrong; else the audit is made anew, without haste.

Never: starts a thread; where work runs is an argument. Errors: ``FlawedError``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar, cast

from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.crypto.group import DecodeError

T = TypeVar("T")

Start = Callable[[Callable[[], object]], Callable[[], object]]
"""Begins a piece of work, perhaps beside others; returns what waits for its result."""

AT_ONCE: Final = 64
"""Pieces of work that are under way at most: each holds the decks it is about."""


@dataclass(frozen=True, slots=True)
class Said:
    """Where a body was said. ``prev`` and ``hash`` together fix everything it depends on."""

    seat: int
    round: int
    prev: bytes
    """Head of the round before: it hashes the whole history."""
    hash: bytes
    """Hash of the content."""
    attempt: tuple[int, int] = (0, 0)
    """Hand and attempt."""


class Memo:
    """Results of checks, so that several logs of one table cost hardly more than one.

    A result depends on the history before it and on the content, and on nothing else.
    """

    def __init__(self, clock: Callable[[], float] | None = None) -> None:
        """Begin with no results. ``clock`` gives seconds; without one no time is taken."""
        self._results: dict[tuple[bytes, bytes], object] = {}
        self._took: dict[tuple[bytes, bytes], float] = {}
        self._clock = clock or (lambda: 0.0)
        self.spent = 0.0
        """Seconds of all checks asked for, each counted as long as it took when it was run."""

    def once(
        self,
        said: Said,
        check: Callable[[], T],
        taken: Callable[[], T] | None = None,
        *,
        remade: bool = False,
    ) -> T:
        """Return the result of ``check``, run once for each history and content.

        ``taken`` is what it returns if all is right, without checking it, or a ``DecodeError``;
        ``remade`` says that making the content again from its seat's secret proves as much. A
        ``Haste`` uses both.
        """
        key = (said.prev, said.hash)
        if key not in self._results:
            began = self._clock()
            self._results[key] = self._result(said, check, taken, remade)
            self._took[key] = self._clock() - began
        self.spent += self._took[key]
        return cast(T, self._results[key])

    def again(self, said: Said, remake: Callable[[], Flaw | None]) -> Flaw | None:
        """Return what making everything of a seat again came to, once for each reveal."""
        return self.once(said, remake)

    def _result(
        self,
        said: Said,
        check: Callable[[], object],
        taken: Callable[[], object] | None,
        remade: bool,
    ) -> object:
        return check()


class FlawedError(Exception):
    """A check that had been put off does not hold."""


class Haste(Memo):
    """Takes bodies as they stand and checks them later; ``finish`` says whether all was right."""

    def __init__(self, start: Start) -> None:
        """``start`` begins work."""
        super().__init__()
        self._start = start
        self._running: deque[Callable[[], object]] = deque()
        self._owed: dict[tuple[tuple[int, int], int], list[Callable[[], object]]] = {}
        """By attempt and seat: checks that a reveal makes needless."""

    def again(self, said: Said, remake: Callable[[], Flaw | None]) -> Flaw | None:
        """Make a seat's messages again later; what this proves is owed no more."""

        def put_off() -> None:
            self._owed.pop((said.attempt, said.seat), None)
            self._run(remake)

        return self.once(said, put_off)

    def finish(self) -> None:
        """Run what is still owed, and wait for everything.

        Raises:
            FlawedError: something was wrong.
        """
        for checks in self._owed.values():
            for check in checks:
                self._run(check)
        self._owed.clear()
        while self._running:
            self._end_first()

    def _result(
        self,
        said: Said,
        check: Callable[[], object],
        taken: Callable[[], object] | None,
        remade: bool,
    ) -> object:
        if taken is None:
            return check()
        try:
            result = taken()
        except DecodeError:
            return check()
        if remade:
            self._owed.setdefault((said.attempt, said.seat), []).append(check)
        else:
            self._run(check)
        return result

    def _run(self, check: Callable[[], object]) -> None:
        self._running.append(self._start(check))
        while len(self._running) > AT_ONCE:
            self._end_first()

    def _end_first(self) -> None:
        if isinstance(self._running.popleft()(), Flaw):
            raise FlawedError
