"""The table without a person: one sentence a trick, a hand and a score, and no input at all.

For a seat that the computer plays while nobody looks (`--auto` without a terminal).
"""

from __future__ import annotations

import asyncio
from typing import TextIO

from p2p_hearts.rules.view import View
from p2p_hearts.ui.reminding import AGAIN_SECONDS, FIRST_SECONDS
from p2p_hearts.ui.sentences import waiting_sentence
from p2p_hearts.ui.status import LobbyStatus, Status
from p2p_hearts.ui.telling import Chronicle, Kind
from p2p_hearts.ui.writing import write_line

_TOLD = (
    Kind.TABLE,
    Kind.FAULT,
    Kind.CHAT,
    Kind.HAND,
    Kind.TRICK,
    Kind.WIDOW,
    Kind.CLAIM,
    Kind.SCORE,
    Kind.MATCH,
)
_TOLD_QUIETLY = (Kind.FAULT, Kind.MATCH)


class Silent:
    """A `FrontEnd` that asks nothing and returns when the game is finished.

    Args:
        stream: where sentences go; a closed one is no reason to stop playing.
        quiet: tell faults and the end of the match only.

    """

    def __init__(self, stream: TextIO, *, quiet: bool = False) -> None:
        self._stream = stream
        self._kinds = _TOLD_QUIETLY if quiet else _TOLD
        self._quiet = quiet
        self._chronicle = Chronicle()
        self._done = asyncio.Event()
        self._reminder = FIRST_SECONDS

    async def run(self) -> None:
        """Wait for the end of the game or for `close`."""
        await self._done.wait()

    def show(self, view: View | None, status: Status | LobbyStatus) -> None:
        """Tell what is new."""
        for news in self._chronicle.news(view, status):
            if news.kind in self._kinds:
                write_line(self._stream, news.sentence)
        if isinstance(status, Status) and view is not None:
            self._tell_waiting(view, status)
        if status.finished:
            self._done.set()

    def _tell_waiting(self, view: View, status: Status) -> None:
        """Tell a long wait: shows come at least once a second, so no timer is needed."""
        if status.waiting_seconds < self._reminder - AGAIN_SECONDS:
            self._reminder = FIRST_SECONDS
        if status.waiting_seconds < self._reminder:
            return
        self._reminder += AGAIN_SECONDS
        sentence = waiting_sentence(status, view.seat)
        if sentence:
            self.say(sentence)

    def say(self, sentence: str) -> None:
        """Tell a sentence."""
        if not self._quiet:
            write_line(self._stream, sentence)

    def close(self) -> None:
        """End `run`."""
        self._done.set()
