"""What this seat has signed at a table, so that it never says two things in one place.

Implements the promise of protocol/SPEC.md section 6.8: for no place does a seat ever sign anything
but what it has signed there before, whatever its history holds by now. A place is divided into
*slots*: a speech, an ack, and in each ballot on one history a vote and a confirm. A slot is filled
once; it is free again only if what filled it was never given to anybody.

Invariant: the slots of a round are finitely many, and signing fills one. So whoever signs only into
free slots comes to an end (``table.voice``).

Never: signs anything; asks the history.
Errors: none; a body that does not decode is as good as any other for having been signed.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p_hearts.table.round import Round
from p2p_hearts.wire.chain import NO_HASH, Place, place_of
from p2p_hearts.wire.codec import DecodeError, decode
from p2p_hearts.wire.envelope import Sealed
from p2p_hearts.wire.messages import BALLOTS, BODIES, Confirm, Content, Kind, Vote

SPEECH = "speech"
"""The sort of slot of every kind but ``ack``, ``vote`` and ``confirm``, each a sort of its own."""


@dataclass(frozen=True, slots=True)
class Slot:
    """What one seat signs once."""

    table: bytes
    place: Place
    sort: str
    prev: bytes = b""
    """Of a vote or confirm the head that it stands on; the others bind on any history."""
    ballot: int = 0
    """Likewise its ballot, from 1; 0 where its body does not say."""


def slot_in(item: Round, kind: Kind) -> Slot:
    """Return the slot of a speech or an ack in a round."""
    return Slot(item.table, item.place, Kind.ACK if kind is Kind.ACK else SPEECH)


def slot_of(content: Content) -> Slot:
    """Return the slot that a content fills."""
    table, place = content.table, place_of(content)
    if content.kind == Kind.ACK:
        return Slot(table, place, Kind.ACK)
    if content.kind not in BALLOTS:
        return Slot(table, place, SPEECH)
    try:
        body = decode(content.body, BODIES[Kind(content.kind)])
    except DecodeError:
        return Slot(table, place, content.kind, content.prev)
    ballot = body.ballot if isinstance(body, Vote | Confirm) else 0
    return Slot(table, place, content.kind, content.prev, ballot)


class Spoken:
    """All that one seat has signed, as far as its program knows, and how it counts."""

    def __init__(self) -> None:
        """Begin with nothing said."""
        self.count = 0
        """How many contents this seat has signed: the number of the next one."""
        self.last = NO_HASH
        """Hash of the one with the highest number."""
        self._said: dict[tuple[bytes, Place], dict[Slot, Sealed]] = {}
        """By table and place what fills each slot."""

    def adopt(self, sealed: Sealed) -> None:
        """Count on after a content, unless one with a higher number is known."""
        if sealed.content.sequence >= self.count:
            self.count, self.last = sealed.content.sequence + 1, sealed.hash

    def note(self, sealed: Sealed) -> None:
        """Note what fills its slot now; what filled it first stays."""
        slot = slot_of(sealed.content)
        self._said.setdefault((slot.table, slot.place), {}).setdefault(slot, sealed)

    def forget(self, sealed: Sealed) -> None:
        """Free the slot of a content that nobody was given."""
        slot = slot_of(sealed.content)
        said = self._in(slot.table, slot.place)
        if said.get(slot) is sealed:
            del said[slot]

    def is_free(self, slot: Slot) -> bool:
        """Whether this seat has signed nothing yet that fills a slot."""
        return slot not in self._in(slot.table, slot.place)

    def ballots(self, item: Round) -> list[Sealed]:
        """Return the own votes and confirms in a round, on its history."""
        return [sealed for sealed in self.on(item) if sealed.content.kind in BALLOTS]

    def on(self, item: Round) -> list[Sealed]:
        """Return what was said in a round, on its history, in the order of signing."""
        said = self._in(item.table, item.place).values()
        return [sealed for sealed in said if sealed.content.prev == item.prev]

    def _in(self, table: bytes, place: Place) -> dict[Slot, Sealed]:
        return self._said.get((table, place), {})
