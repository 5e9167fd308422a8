"""Where a person chooses a table in sentences; `choosing` is the full screen for the same.

Both are shown the list as it changes and give back the `Decision`. They open no socket: whoever
runs them looks for tables and tells what is found.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol, TextIO

from p2p_hearts.i18n import _
from p2p_hearts.ui.tables import (
    PATIENCE,
    Decision,
    GiveUp,
    Search,
    Sit,
    row_sentence,
    search_sentence,
)
from p2p_hearts.ui.writing import LineReader, write_line

Check = Callable[[Sit], str | None]
"""Says why somebody cannot sit down like this (a wrong code), None where it can be tried."""


class Chooser(Protocol):
    """Something a person chooses a table at."""

    async def choose(self) -> Decision:
        """Return what the person decided."""

    def show(self, search: Search) -> None:
        """Show this list; cheap, so call it whenever something changed."""


class LineChooser:
    """Tells every table once, in sentences, and takes its number."""

    def __init__(self, source: TextIO, stream: TextIO, check: Check) -> None:
        self._stream = stream
        self._check = check
        self._reader = LineReader(source, self._line, self._ended)
        self._decision: asyncio.Future[Decision] | None = None
        self._search = Search()
        self._numbers: dict[str, int] = {}
        self._told: dict[str, str] = {}
        self._advised = False
        self._coded: str | None = None

    async def choose(self) -> Decision:
        """Read lines until one of them decides."""
        self._decision = asyncio.get_running_loop().create_future()
        self._write(_("Looking for tables on this network."))
        self._write(
            _(
                'Type the number of a table to choose it, "r 1" for its rules, "l" for the list, '
                'or "q" to leave.'
            )
        )
        self._reader.start()
        try:
            return await self._decision
        finally:
            self._reader.stop()

    def show(self, search: Search) -> None:
        """Tell what is new: a table, or that one has changed or gone."""
        self._search = search
        for row in search.rows:
            number = self._numbers.setdefault(row.key, len(self._numbers) + 1)
            sentence = row_sentence(row)
            if self._told.get(row.key) != sentence:
                self._told[row.key] = sentence
                self._write(f"{number}. {sentence}")
        for key in self._told.keys() - {row.key for row in search.rows}:
            del self._told[key]
            gone = _("Table {number} is gone.")
            self._write(gone.format(number=self._numbers[key]))
        if not search.rows and search.seconds >= PATIENCE and not self._advised:
            self._advised = True
            self._write(search.advice)

    def _line(self, text: str) -> None:
        words = text.strip().lower().split()
        if self._coded is not None:
            key, self._coded = self._coded, None
            if words and words[0] not in ("q", "quit"):
                self._sit(Sit(key, text.strip()))
            return
        if words and words[0] in ("q", "quit"):
            self._decide(GiveUp())
        elif words in ([], ["list"], ["l"]):
            self._write(search_sentence(self._search))
            for row in self._search.rows:
                self._write(f"{self._numbers[row.key]}. {row_sentence(row)}")
        elif words[0] in ("r", "rules") or words[-1].isdecimal():
            self._about(words)
        else:
            self._write(_('Type the number of a table, "r 1", "l" or "q".'))

    def _about(self, words: list[str]) -> None:
        """Tell the rules of a table, or sit down there."""
        number = words[-1]
        row = next(
            (row for row in self._search.rows if str(self._numbers[row.key]) == number), None
        )
        if row is None:
            self._write(_("There is no table of that number now."))
        elif words[0] in ("r", "rules"):
            for sentence in row.rules:
                self._write(sentence)
        elif row.problem:
            self._write(row.problem)
        elif row.coded:
            self._ask_for_code(row.key)
        else:
            self._sit(Sit(row.key))

    def _ask_for_code(self, key: str) -> None:
        self._coded = key
        self._write(_("Type the join code of this table, or nothing to choose again."))

    def _sit(self, sit: Sit) -> None:
        refusal = self._check(sit)
        if refusal is None:
            self._decide(sit)
            return
        self._write(refusal)
        if sit.code:
            self._ask_for_code(sit.key)

    def _ended(self) -> None:
        self._decide(GiveUp())

    def _decide(self, decision: Decision) -> None:
        if self._decision is not None and not self._decision.done():
            self._decision.set_result(decision)

    def _write(self, sentence: str) -> None:
        if sentence and not write_line(self._stream, sentence):
            self._decide(GiveUp())
