"""Coming back after a start: what the own log shows, and whom to hear before speaking.

Implements protocol/SPEC.md section 6.8. What this seat has said and its log has not, after a
restored backup, is with the others. So a seat that was started again says nothing before they
returned what they hold of its own messages.

Never: reads a clock; the time arrives as an argument.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass, field

from p2p_hearts.agreement.rounds import FIRST_ATTEMPT, SECOND_ATTEMPT
from p2p_hearts.wire.codec import DecodeError, decode
from p2p_hearts.wire.messages import Content, Kind, Reveal


@dataclass(slots=True)
class OwnLog:
    """What the own log shows of the own secrets, by hand and attempt."""

    revealed: dict[tuple[int, int], bytes] = field(default_factory=dict)
    """Own secrets that were revealed."""
    keyed: set[tuple[int, int]] = field(default_factory=set)
    """Where this seat has committed to a secret."""
    abandoned: set[tuple[int, int]] = field(default_factory=set)
    """Attempts that were begun anew."""

    def read(self, author: bytes, contents: Iterable[Content]) -> None:
        """Read the verified contents in a log of the seat that signs as ``author``."""
        for content in contents:
            if content.hand and content.attempt == SECOND_ATTEMPT:
                self.abandoned.add((content.hand, FIRST_ATTEMPT))
            if content.author != author:
                continue
            if content.kind == Kind.KEY:
                self.keyed.add((content.hand, content.attempt))
            elif content.kind == Kind.REVEAL:
                with contextlib.suppress(DecodeError):
                    body = decode(content.body, Reveal)
                    self.revealed[content.hand, content.attempt] = body.secret


class Recall:
    """Who has returned this seat's messages after its start, and whose it has returned itself."""

    def __init__(self, seats: int, grace: float) -> None:
        """Wait for nobody: the first start at a table.

        ``grace``: how long a start waits for the last peer, in seconds; a rule of the table.
        """
        self._grace = grace
        self.waiting: set[int] = set()
        """Places that have not returned yet what this seat said before it was started again."""
        self.answered = [0] * seats
        """By place, the number of the start that this seat has answered completely."""
        self._number = 0
        self._since: float | None = None
        self._sequence = 0

    def begin(self, number: int, others: Iterable[int]) -> None:
        """Wait for these places; ``number`` is this start's own, from 1 to 2**31 - 1."""
        self._number, self.waiting = number, set(others)

    def note_own(self, sequence: int) -> None:
        """Note how many own messages the own log held."""
        self._sequence = sequence

    @property
    def number(self) -> int:
        """What a heartbeat asks the others to answer; 0 once all did."""
        return self._number if self.waiting else 0

    def returned(self, place: int, number: int) -> bool:
        """Note that a peer has answered the start of that number; whether it was the last one."""
        if place not in self.waiting or number != self._number:
            return False
        self.waiting.discard(place)
        return not self.waiting

    def ends(self, now: float, sequence: int) -> bool:
        """Give up the answer of one peer that stays away; whether that was done now.

        The answers of the others do if nothing in them was newer than the own log: ``sequence``
        is how many own messages are held now.
        """
        if len(self.waiting) != 1 or sequence > self._sequence:
            self._since = None
            return False
        if self._since is None:
            self._since = now
        elif now - self._since > self._grace:
            self.waiting.clear()
            return True
        return False
