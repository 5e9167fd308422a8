"""One round as the audit sees it: speeches, head, acks, certificate (SPEC.md section 6.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from p2p_hearts.table.rounds import Stage
from p2p_hearts.wire.chain import Place, next_head


@dataclass(slots=True)
class AuditRound:
    """A round whose place, speakers and head before it are known."""

    place: Place
    stage: Stage
    speakers: tuple[int, ...]
    seats: int
    """How many seats acknowledge it."""
    prev: bytes
    """Head of the round before."""
    number: int = 0
    """How many rounds there were before, each with an ack of every seat."""
    spoken: Mapping[bytes, int] = field(default_factory=dict)
    """By author, how many speeches those rounds had."""
    speeches: dict[int, bytes] = field(default_factory=dict)
    """Content hash by seat, of speakers only."""
    acks: dict[int, bytes] = field(default_factory=dict)
    """The head that each seat acknowledged on top of ``prev``."""

    def sequence(self, author: bytes, seat: int, *, is_ack: bool) -> int:
        """Return the number that a content of this round has in its author's own count."""
        return self.number + self.spoken.get(author, 0) + (is_ack and seat in self.speakers)

    @property
    def silent(self) -> tuple[int, ...]:
        """Speakers that were not heard."""
        return tuple(seat for seat in self.speakers if seat not in self.speeches)

    @property
    def head(self) -> bytes | None:
        """Head of this round; ``None`` until every speaker was heard."""
        if self.silent:
            return None
        return next_head(self.prev, self.place, tuple(self.speeches.items()))

    @property
    def unacknowledged(self) -> tuple[int, ...]:
        """Seats whose ack is missing or names another head."""
        head = self.head
        return tuple(
            seat for seat in range(self.seats) if head is None or self.acks.get(seat) != head
        )

    @property
    def is_certified(self) -> bool:
        """Whether equal acks of all seats are there."""
        return not self.unacknowledged
