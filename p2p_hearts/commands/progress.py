"""How far an audit is, on a terminal: hands and percent in one line that is drawn over itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from p2p_hearts.commands.common import unreadable
from p2p_hearts.i18n import _, ngettext
from p2p_hearts.record.log import read_log
from p2p_hearts.record.records import Record
from p2p_hearts.ui.words import width

BETWEEN_SECONDS = 0.1
"""The line is drawn so often at most."""


class Screen(Protocol):
    """A stream for people."""

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        ...

    def write(self, text: str, /) -> int:
        """Write text."""
        ...

    def flush(self) -> None:
        """Show it."""
        ...


class Progress:
    """One line about the reading of some logs; nothing at all where there is no terminal."""

    def __init__(
        self, screen: Screen, sizes: dict[Path, int], clock: Callable[[], float] = time.monotonic
    ) -> None:
        """``sizes`` are those of the logs, bytes; ``clock`` gives seconds."""
        self._screen = screen if screen.isatty() else None
        self._clock = clock
        self._all = sum(sizes.values())
        self._read = dict.fromkeys(sizes, 0)
        self._hands: tuple[int, int | None] = (0, None)
        self._width = 0
        self._drawn = clock()

    def read(self, path: Path, end: int) -> None:
        """Note that a log was read up to a byte."""
        self._read[path] = end
        if self._screen is not None and self._clock() - self._drawn >= BETWEEN_SECONDS:
            self._draw()

    def told(self, hands: int, of: int | None) -> None:
        """Note how many hands are over, and how many there are, if that is known."""
        self._hands = (hands, of)

    def end(self) -> None:
        """Wipe the line away."""
        if self._screen is not None and self._width:
            self._screen.write("\r" + " " * self._width + "\r")
            self._screen.flush()
            self._width = 0

    def _draw(self) -> None:
        if self._screen is None:
            return
        line = self._line()
        spaces = " " * max(0, self._width - width(line))
        self._screen.write(f"\r{line}{spaces}")
        self._screen.flush()
        self._width, self._drawn = width(line), self._clock()

    def _line(self) -> str:
        (hands, of), percent = self._hands, 100 * sum(self._read.values()) // max(self._all, 1)
        if of is None:
            text = ngettext(
                "Auditing: {n} hand done, {percent}%",
                "Auditing: {n} hands done, {percent}%",
                hands,
            )
        else:
            text = _("Auditing: {n} of {all} hands done, {percent}%")
        return text.format(n=hands, all=of, percent=min(percent, 100))


@dataclass(frozen=True, slots=True)
class FollowedLog:
    """A log that can be read more than once, one record in memory at a time.

    Raises ``CommandError`` where the file can be read no further.
    """

    path: Path
    progress: Progress

    def __iter__(self) -> Iterator[Record]:
        try:
            for record in read_log(self.path):
                self.progress.read(self.path, record.end)
                yield record
        except OSError as error:
            raise unreadable(self.path, error) from None
