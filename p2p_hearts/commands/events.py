"""A front end for programs: what happens at a table, one JSON object a line on stdout.

``demo``, ``play`` and ``host --bots`` read these lines from the peers they start; anybody may.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time

from p2p_hearts.rules.view import View
from p2p_hearts.ui.sentences import PATIENCE
from p2p_hearts.ui.status import LobbyStatus, Remark, Status


class EventFront:
    """Writes a line for every change worth one; decides nothing."""

    def __init__(self) -> None:
        """Begin silent."""
        self._closed = asyncio.Event()
        self._hands = 0
        self._phrase = ""
        self._seen: tuple[int, int] | None = None
        self._cards = (0, 0)
        self._stage = ""
        self._waiting: list[str] = []
        self._warned: set[str] = set()
        self._chat: tuple[Remark, ...] = ()

    async def run(self) -> None:
        """Run until closed."""
        await self._closed.wait()

    def show(self, view: View | None, status: Status | LobbyStatus) -> None:
        """Write what is new."""
        if isinstance(status, Status) and status.phrase != self._phrase:
            self._phrase = status.phrase
            emit("formed", phrase=status.phrase, names=list(status.names))
        for warning in status.warnings:
            if warning not in self._warned:
                self._warned.add(warning)
                emit("warning", text=warning)
        if status.stage != self._stage:
            self._stage = status.stage
            emit("stage", text=status.stage)
        if isinstance(status, Status):
            self._tell_waiting(view, status)
            for remark in status.chat:
                if remark not in self._chat:
                    emit("chat", name=remark.name, text=remark.text)
            self._chat = status.chat
        if view is None:
            return
        cards = sum(view.rules.hand_size - count for count in view.counts)
        if view.play is not None and (view.hand_number, cards) != self._cards:
            self._cards = (view.hand_number, cards)
            emit("card", hand=view.hand_number, cards=cards)
        played = 0 if view.play is None else len(view.play.tricks)
        if (view.hand_number, played) != self._seen:
            self._seen = (view.hand_number, played)
            emit("progress", hand=view.hand_number, tricks=played, of=view.rules.hand_size)
        if len(view.match.hands) > self._hands:
            self._hands = len(view.match.hands)
            emit(
                "hand",
                hand=self._hands,
                scores=list(view.match.hands[-1]),
                totals=list(view.match.totals),
            )

    def _tell_waiting(self, view: View | None, status: Status) -> None:
        """Tell whom the table waits for, once that lasts, and when nobody is waited for any more.

        The time a player takes for a decision counts, too.
        """
        own = None if view is None else view.seat
        late = status.waiting_seconds >= PATIENCE and not status.finished
        names = [status.names[seat] for seat in status.waiting_for if seat != own] if late else []
        if names != self._waiting:
            self._waiting = names
            emit("waiting", names=names)

    def say(self, sentence: str) -> None:
        """Write a sentence."""
        emit("say", text=sentence)

    def close(self) -> None:
        """End ``run``."""
        self._closed.set()


def emit(event: str, **fields: object) -> None:
    """Write one event line and flush it; ``at`` is in seconds on this machine's monotonic clock."""
    line = {"event": event, "at": round(time.monotonic(), 6), **fields}
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()
