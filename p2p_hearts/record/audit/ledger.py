"""Everything signed at one table, by author, and where the signatures contradict each other.

protocol/SPEC.md sections 6.5 and 6.6. An author numbers what it signs and chains it by hashes, and
signs one speech and one ack for each place of the history. So two contents of one author can
convict it without any knowledge of the game:

    TWO_CONTENTS   two different speeches, two acks, or two votes or confirms of one ballot, for
                   one place, on whatever head
    CHAIN          one number used twice; or a content that names another content before it than
                   the one its author signed

Hands that are over can be folded: what was signed in them is kept as one hash. What would have to
be compared with it later is a ``NotKeptError``.

Never: convicts by the absence of anything. A missing number is a gap in the log, no fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from p2p_hearts.wire.chain import NO_HASH, Place, place_of
from p2p_hearts.wire.codec import DecodeError, decode
from p2p_hearts.wire.envelope import Sealed, digest
from p2p_hearts.wire.faults import Fault, Rule, fault_of
from p2p_hearts.wire.messages import BALLOTS, BODIES, Content, Kind


class Slot(NamedTuple):
    """Where one author signs at most one content."""

    place: Place
    author: bytes
    is_ack: bool
    ballot: tuple[object, ...] = ()
    """Of a vote or a confirm kind, ballot and the head that it stands on (V78)."""


def slot_of(sealed: Sealed) -> Slot:
    """Return the slot that a content claims."""
    content = sealed.content
    return Slot(place_of(content), content.author, content.kind == Kind.ACK, _ballot_of(content))


def _ballot_of(content: Content) -> tuple[object, ...]:
    if content.kind not in BALLOTS:
        return ()
    try:
        ballot: int = getattr(decode(content.body, BODIES[Kind(content.kind)]), "ballot", 0)
    except DecodeError:
        # It says of no ballot: whoever signed it has broken another rule (V77).
        return content.kind, "undecodable", content.sequence
    return content.kind, ballot, content.prev


def _decodes(content: Content) -> bool:
    try:
        decode(content.body, BODIES[Kind(content.kind)])
    except DecodeError:
        return False
    return True


class NotKeptError(Exception):
    """Something has to be compared with a hand that was folded: the log must be read in full."""


class Note(Enum):
    """What the ledger says of a content."""

    NEW = "new"
    REPEATED = "repeated"
    SECOND = "second"
    """It convicts its author together with an earlier one; it is evidence and nothing else."""
    ASKEW = "askew"
    """It convicts its author, too, but others may have gone on with it."""


@dataclass(slots=True)
class Ledger:
    """All contents of one table, in the order of the log."""

    slots: dict[Slot, dict[bytes, Sealed]] = field(default_factory=dict)
    """What is in each slot, by hash, the first first: a liar may sign thousands for one."""
    faults: list[Fault] = field(default_factory=list)
    """Faults by two contents, in the order in which they were found."""
    _numbered: dict[bytes, dict[int, list[Sealed]]] = field(default_factory=dict)
    """By author and its own number."""
    folded: bytes = b""
    """A hash of all contents that were folded; empty while there are none."""
    _begins: dict[bytes, int] = field(default_factory=dict)
    """By author, the number of the last content that was folded; it is still in ``_numbered``."""
    _missing: dict[bytes, list[int]] = field(default_factory=dict)
    """Gaps among the numbers that were folded."""

    def note(self, sealed: Sealed) -> Note:
        """Enter one content whose signature and author were verified.

        Raises:
            NotKeptError: its number is one of a hand that was folded.
        """
        if sealed.content.sequence < self._begins.get(sealed.content.author, 0):
            raise NotKeptError
        slot = slot_of(sealed)
        held = self.slots.setdefault(slot, {})
        if sealed.hash in held:  # V58
            return Note.REPEATED
        twin = next(iter(held.values()), None)
        held[sealed.hash] = sealed
        numbers = self._numbered.setdefault(slot.author, {})
        same_number = numbers.setdefault(sealed.content.sequence, [])
        before = same_number[0] if same_number else None
        same_number.append(sealed)
        if twin is not None:
            self.faults.append(fault_of(Rule.TWO_CONTENTS, twin, sealed))  # V59, V78
            is_counted = (slot.is_ack or slot.ballot) and _decodes(sealed.content)
            return Note.ASKEW if is_counted else Note.SECOND
        if before is not None:
            self.faults.append(fault_of(Rule.CHAIN, before, sealed))  # V62
            return Note.ASKEW
        return Note.NEW

    def find(self, place: Place, author: bytes, *, is_ack: bool) -> list[Sealed]:
        """Return what an author signed for a place."""
        return list(self.slots.get(Slot(place, author, is_ack), {}).values())

    def speech(self, place: Place, author: bytes, name: bytes) -> Sealed | None:
        """Return the speech of an author for a place that has this hash, if it is here."""
        return self.slots.get(Slot(place, author, is_ack=False), {}).get(name)

    def is_second(self, sealed: Sealed) -> bool:
        """Whether a content is a speech, and its author has said another one there before it."""
        slot = slot_of(sealed)
        is_speech = not (slot.is_ack or slot.ballot)
        return is_speech and next(iter(self.slots[slot])) != sealed.hash

    def contents(self) -> Iterator[Sealed]:
        """Return every different content, slot by slot."""
        for held in self.slots.values():
            yield from held.values()

    def broken_chains(self) -> list[Fault]:
        """Return the faults of authors whose contents do not follow each other by hash (V108).

        Where a number was used twice, that has convicted the author already.
        """
        found: list[Fault] = []
        for numbers in self._numbered.values():
            for number, items in sorted(numbers.items()):
                before = numbers.get(number - 1, [])
                fault = _chain_fault(number, items[0], before) if len(items) == 1 else None
                if fault is not None:
                    found.append(fault)
        return found

    def gaps(self) -> dict[bytes, list[int]]:
        """Return, by author, the numbers below its highest one that the log does not hold."""
        found: dict[bytes, list[int]] = {}
        for author, numbers in self._numbered.items():
            missing = self._missing.get(author, []) + _gaps(numbers, self._begins.get(author, 0))
            if missing:
                found[author] = missing
        return found

    def fold(self, before: int) -> bool:
        """Keep what was signed in the hands before one as a hash only; ``False`` if it must stay.

        It stays where something is not as honest players sign it.
        """
        old = {
            author: [at for at in numbers if numbers[at][0].content.hand < before]
            for author, numbers in self._numbered.items()
        }
        if self.faults or self.broken_chains() or not all(map(self._is_first, old, old.values())):
            return False
        slots = [slot for slot in self.slots if slot.place.hand < before]
        hashes = sorted(name for slot in slots for name in self.slots.pop(slot))
        self.folded = digest("folded", self.folded, *hashes)
        for author, places in old.items():
            if not places:
                continue
            numbers, last = self._numbered[author], max(places)
            gaps = _gaps(places, self._begins.get(author, 0))
            self._missing.setdefault(author, []).extend(gaps)
            self._begins[author] = last
            for at in places:
                if at != last:
                    del numbers[at]
        return True

    def _is_first(self, author: bytes, old: list[int]) -> bool:
        """Whether an author's old numbers all stand before its other ones."""
        others = self._numbered[author].keys() - set(old)
        return not old or not others or max(old) < min(others)


def _gaps(numbers: Iterable[int], begin: int) -> list[int]:
    """Return the first number of each gap from ``begin`` on; a liar's number may be huge."""
    missing, expected = [], begin
    for number in sorted(numbers):
        if number > expected:
            missing.append(expected)
        expected = number + 1
    return missing


def _chain_fault(number: int, item: Sealed, before: list[Sealed]) -> Fault | None:
    last = item.content.last
    if number == 0:
        return None if last == NO_HASH else fault_of(Rule.CHAIN, item)
    if not before or any(other.hash == last for other in before):
        return None
    return fault_of(Rule.CHAIN, before[0], item)
