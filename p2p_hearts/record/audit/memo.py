"""What checks came to, kept; and how they are put off where nothing is expected to be wrong.

A check of one content depends on the history before it and on its bytes, and on nothing else, so
several logs of one table share their results. ``Haste`` goes further (protocol/SPEC.md section
9.2): signatures are checked beside other work, and a body is taken as it stands; where its seat
later reveals the secret from which the same bytes are made again, its check is not run at all.
That is as good as the check only if nothing turns out to be wrong; else the audit is made anew,
without haste.

Never: starts a thread or a process; where work runs is an argument. Errors: ``FlawedError``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol, TypeVar, cast

from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.crypto.group import DecodeError
from p2p_hearts.wire.envelope import BadSignatureError, Envelope, Sealed, verify_bytes
from p2p_hearts.wire.evidence import open_content

T = TypeVar("T")

Check = Callable[[], object]
"""A piece of work: it returns a ``Flaw``, or raises ``BadSignatureError``, if something is wrong.
Those that are put off are functions and values that can be pickled."""

Start = Callable[[Callable[[], bool]], Callable[[], bool]]
"""Begins a piece of work, perhaps beside others; returns what waits for its result."""


class Remake(Protocol):
    """Makes everything of a seat again from its revealed secret, and compares."""

    def __call__(self, *, proves: bool) -> Flaw | None:
        """Return what differs; ``proves``: see besides that what was said of cards is so."""


AT_ONCE: Final = 16
"""Batches that are under way at most: each check holds the decks it is about."""

OPENED: Final = 2048
"""Contents that are kept opened at most, for the other logs; a hand of eleven seats has 1,500."""

SIGNATURES: Final = 64
"""Signatures that are handed out together, so that handing out costs little beside them."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Several checks as one piece of work."""

    checks: Sequence[Check]

    def __call__(self) -> bool:
        """Whether all is right."""
        try:
            return not any(isinstance(check(), Flaw) for check in self.checks)
        except BadSignatureError:
            return False


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
        self._results: dict[int, dict[tuple[bytes, bytes], tuple[object, float]]] = {}
        """By hand, and by history and content: the result, and the seconds it took."""
        self._opened: dict[bytes, Sealed] = {}
        """Contents by their envelopes, the oldest first: the logs of one table hold the same."""
        self._clock = clock or (lambda: 0.0)
        self.spent = 0.0
        """Seconds of all checks asked for, each counted as long as it took when it was run."""

    def open(self, data: bytes) -> Sealed:
        """Open a content; its signature holds. The same bytes are opened once.

        Raises:
            DecodeError, BadSignatureError: as ``open_content``.
        """
        found = self._opened.get(data)
        if found is None:
            found = self._opened[data] = self._open(data)
            if len(self._opened) > OPENED:
                del self._opened[next(iter(self._opened))]
        return found

    def _open(self, data: bytes) -> Sealed:
        return open_content(data)

    def once(
        self,
        said: Said,
        check: Callable[[], T],
        taken: Callable[[], T] | None = None,
    ) -> T:
        """Return the result of ``check``, run once for each history and content.

        ``taken`` is what it returns if all is right, without checking it, or a ``DecodeError``: for
        contents of which ``again`` proves as much once their seat's secret is revealed.
        """
        key, results = (said.prev, said.hash), self._results.setdefault(said.attempt[0], {})
        if key not in results:
            began = self._clock()
            result = self._result(said, check, taken)
            results[key] = (result, self._clock() - began)
        found, took = results[key]
        self.spent += took
        return cast(T, found)

    def forget(self, before: int) -> None:
        """Forget all hands before one: no log will ask for them again."""
        for hand in [hand for hand in self._results if hand < before]:
            del self._results[hand]
        kept = {data: item for data, item in self._opened.items() if item.content.hand >= before}
        self._opened = kept

    def again(self, said: Said, remake: Remake) -> Flaw | None:
        """Return what making everything of a seat again came to, once for each reveal."""
        return self.once(said, partial(remake, proves=False))

    def _result(
        self,
        said: Said,
        check: Callable[[], object],
        taken: Callable[[], object] | None,
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
        self._running: deque[Callable[[], bool]] = deque()
        self._signatures: list[Check] = []
        """Those that wait for their batch to be full."""
        self._owed: dict[tuple[tuple[int, int], int], list[Check]] = {}
        """By attempt and seat: checks that a reveal makes needless."""

    def _open(self, data: bytes) -> Sealed:
        return open_content(data, self._put_off)

    def _put_off(self, author: bytes, domain: str, envelope: Envelope) -> None:
        self._signatures.append(partial(verify_bytes, author, domain, envelope))
        if len(self._signatures) == SIGNATURES:
            full, self._signatures = self._signatures, []
            self._run(Batch(full))

    def again(self, said: Said, remake: Remake) -> Flaw | None:
        """Make a seat's messages again later; what this proves is owed no more."""

        def put_off() -> None:
            self._owed.pop((said.attempt, said.seat), None)
            self._run(Batch([partial(remake, proves=True)]))

        return self.once(said, put_off)

    def forget(self, before: int) -> None:
        """Run what is owed of the hands before one, and forget them."""
        super().forget(before)
        for place in [place for place in self._owed if place[0][0] < before]:
            self._run(Batch(self._owed.pop(place)))

    def finish(self) -> None:
        """Run what is still owed, and wait for everything.

        Raises:
            FlawedError: something was wrong.
        """
        for checks in self._owed.values():
            self._run(Batch(checks))
        self._owed.clear()
        self._run(Batch(self._signatures))
        self._signatures = []
        while self._running:
            self._end_first()

    def _result(
        self,
        said: Said,
        check: Check,
        taken: Callable[[], object] | None,
    ) -> object:
        if taken is None:
            return check()
        try:
            result = taken()
        except DecodeError:
            return check()
        self._owed.setdefault((said.attempt, said.seat), []).append(check)
        return result

    def _run(self, batch: Batch) -> None:
        self._running.append(self._start(batch))
        while len(self._running) > AT_ONCE:
            self._end_first()

    def _end_first(self) -> None:
        if not self._running.popleft()():
            raise FlawedError
