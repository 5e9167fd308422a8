"""Whom a watcher asks next for what it lacks (protocol/SPEC.md section 8.4).

One player after the other, also while they answer: who answered every ask and told nothing would
else show a game that stands still, and let others seem to be waited for.

Never: reads a clock; the time arrives as an argument.
"""

from __future__ import annotations

from collections.abc import Sequence

BEHIND_SECONDS = 0.3
"""Between two asks while there is something to catch up with: the players answer four a second."""

ASK_SECONDS = 0.7
"""Between two asks otherwise."""

ANSWER_SECONDS = 3.0
"""Who has not answered for so long has not answered."""

SILENT_SECONDS = 30.0
"""Who has not answered is passed over for so long, if there is somebody else to ask, and then not
waited for as long again: the others may be about to leave."""


class Asking:
    """One ask at a time, each to another player than the one before."""

    def __init__(self, first: int) -> None:
        """``first``: where among the players to begin, so that one does not serve everybody."""
        self._first = first
        self.begin()

    def begin(self) -> None:
        """Ask from the start: nobody was asked yet."""
        self._asked = b""
        """Whom it asked last, by link key, and when."""
        self._asked_at = 0.0
        self._is_open = False
        """Whether that one still owes an answer."""
        self._is_behind = False
        self._silent: dict[bytes, float] = {}
        """When somebody was asked who did not answer."""

    def next(self, sources: Sequence[bytes], now: float) -> bytes | None:
        """Return whom to ask now, of those whose line is up; None if it is not time."""
        patience = ASK_SECONDS if self._asked in self._silent else ANSWER_SECONDS
        if self._is_open and self._asked in sources and now - self._asked_at < patience:
            return None
        if now - self._asked_at < (BEHIND_SECONDS if self._is_behind else ASK_SECONDS):
            return None
        if self._is_open:
            self._silent[self._asked] = now
        if not sources:
            return None
        at = sources.index(self._asked) + 1 if self._asked in sources else self._first
        turns = [sources[(at + step) % len(sources)] for step in range(len(sources))]
        talking = (key for key in turns if not self._is_silent(key, now))
        self._asked, self._asked_at, self._is_open = next(talking, turns[0]), now, True
        return self._asked

    def answered(self, key: bytes, *, has_news: bool) -> None:
        """Note that a player has sent something; ``has_news``: this table went on by it."""
        self._silent.pop(key, None)
        if key == self._asked:
            self._is_open, self._is_behind = False, has_news

    def _is_silent(self, key: bytes, now: float) -> bool:
        return key in self._silent and now - self._silent[key] < SILENT_SECONDS
