"""Chat: short signed lines beside the game (protocol/SPEC.md section 6.9).

A line is no part of the history and of no log: nothing is decided by it, and what friends say to
each other is not for whoever checks a game. Each author counts its own lines; of each author only
a newer one is taken, and only so many a minute. Texts are cleaned here, where they arrive.

Never: keeps more than the last lines; raises for what was sent.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from p2p_hearts.i18n import _
from p2p_hearts.net.buckets import Buckets, Rate
from p2p_hearts.net.names import clean_name
from p2p_hearts.wire.codec import DecodeError, decode
from p2p_hearts.wire.envelope import BadSignatureError, Envelope, Signer
from p2p_hearts.wire.lobby import MAX_REMARK, LobbyError, Remark, open_lobby, sign_lobby
from p2p_hearts.wire.messages import NO_HASH, VERSION

MAX_LINE = 120
"""Graphemes of a line that are sent and shown."""

KEPT_LINES = 20
"""The last lines; who comes back gets them again."""

LINES = Rate(1 / 6, 5)
"""Lines of one author: five at once, ten a minute."""

CARRIED = Rate(1, 2 * KEPT_LINES)
"""Lines that one peer may bring, anybody's, before their signatures are looked at."""

NEW_AUTHOR_SECONDS = 600.0
"""So often one seat may bring lines of a further author, beyond those that may watch at a time."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line as it may be shown: the author's identity, and a harmless text."""

    author: bytes
    number: int
    text: str
    envelope: bytes


class Unlisted:
    """Authors that are no seats, as somebody takes them who has no list of those who watch.

    A seat can invent identities, and each would be heard until it is muted. So one seat makes few
    of them known; it uses up nobody's share but its own.
    """

    def __init__(self, most: int) -> None:
        """``most``: how many the table lets watch at a time, at least 1."""
        self._known = set[bytes]()
        self._brought = Buckets(Rate(1 / NEW_AUTHOR_SECONDS, most), 64)

    def may_speak(self, source: bytes, author: bytes, now: float) -> bool:
        """Whether a line of an author is taken from the peer with link key ``source``."""
        return author in self._known or self._brought.of(source, now).has(1, now)

    def note(self, source: bytes, author: bytes, now: float) -> None:
        """Note that a line of an author was taken."""
        if author not in self._known:
            self._known.add(author)
            self._brought.of(source, now).take(1, now)


class Chat:
    """The chat of one table, as one peer holds it."""

    def __init__(self, signer: Signer) -> None:
        """Nothing was said yet."""
        self.table = NO_HASH
        """Hash of the roster, once there is one: nobody speaks before."""
        self.lines: deque[Line] = deque(maxlen=KEPT_LINES)
        self.dropped = 0
        """Lines that came and were not taken."""
        self._signer = signer
        self._last: dict[bytes, int] = {}
        """By author the number of its newest line."""
        self._spoken = Buckets(LINES, 64)
        self._carried = Buckets(CARRIED, 64)

    def say(self, text: str, now: float) -> Line:
        """Make an own line.

        Raises:
            ValueError: nothing is left of it, it is too long, or there were too many.
        """
        cleaned = clean_name(text, limit=MAX_LINE)
        if not cleaned:
            raise ValueError(_("There is nothing to say in that."))
        if len(cleaned) > MAX_REMARK or cleaned != clean_name(text, limit=2 * MAX_LINE):
            raise ValueError(
                _("A line has at most {n} characters; nothing was sent.").format(n=MAX_LINE)
            )
        me = self._signer.public
        if not self._spoken.of(me, now).take(1, now):
            raise ValueError(_("That was a lot at once; say it again in a few seconds."))
        number = max(self._last.get(me, 0) + 1, int(time.time()))
        remark = Remark(VERSION, self.table, me, number, cleaned)
        line = Line(me, number, cleaned, sign_lobby(self._signer, remark))
        self._keep(line)
        return line

    def receive(
        self, source: bytes, data: bytes, now: float, may: Callable[[bytes], bool]
    ) -> Line | None:
        """Take a line that the peer with link key ``source`` brought; None if it is not taken.

        ``may`` says whose identity may speak here.
        """
        line = self._open(source, data, now, may)
        if line is None:
            self.dropped += 1
        else:
            self._keep(line)
        return line

    def _open(
        self, source: bytes, data: bytes, now: float, may: Callable[[bytes], bool]
    ) -> Line | None:
        if not self._carried.of(source, now).take(1, now):
            return None
        try:
            said = decode(decode(data, Envelope).content, Remark)
            is_new = said.number > self._last.get(said.author, 0)
            if not (is_new and said.table == self.table and may(said.author)):
                return None
            # An own line, of before this program was started again, counts and is no news.
            budget = self._spoken.of(said.author, now)
            if not budget.has(1, now):
                return None
            open_lobby(data, Remark)
        except (DecodeError, BadSignatureError, LobbyError):
            return None
        budget.take(1, now)
        text = clean_name(said.text, limit=MAX_LINE)
        return Line(said.author, said.number, text, data) if text else None

    def _keep(self, line: Line) -> None:
        self._last[line.author] = line.number
        self.lines.append(line)
