"""What each author has said under which number of its count (protocol/SPEC.md section 6.4, V62).

Each author counts what it signs at a table, and names the hash of its content before. Which number
a content must have follows from its round (``table.round``) and from votes; here is only what was
said under it, and whether two contents contradict each other.

Never: convicts anybody; knows a round.
"""

from __future__ import annotations

from p2p_hearts.wire.chain import NO_HASH
from p2p_hearts.wire.envelope import Sealed


class Counts:
    """All that was said at a table, by author and number."""

    def __init__(self) -> None:
        """Begin with nothing said."""
        self._said: dict[tuple[bytes, int], Sealed] = {}
        self._next: dict[bytes, int] = {}
        """By author the number after the highest one held."""

    def numbered(self, author: bytes, sequence: int) -> Sealed | None:
        """Return what an author signed under a number, if it is held."""
        return self._said.get((author, sequence))

    def before(self, sealed: Sealed) -> Sealed | None:
        """Return what the author of a content signed one number before, if it is held."""
        return self.numbered(sealed.content.author, sealed.content.sequence - 1)

    def next_of(self, author: bytes) -> int:
        """Return the number after the highest one held of an author."""
        return self._next.get(author, 0)

    def note(self, sealed: Sealed) -> None:
        """Note a content under its number."""
        author, sequence = sealed.content.author, sealed.content.sequence
        self._said[author, sequence] = sealed
        self._next[author] = max(self.next_of(author), sequence + 1)

    def twin_of(self, sealed: Sealed) -> Sealed | None:
        """Return another content of the same author and number, if one is held."""
        held = self.numbered(sealed.content.author, sealed.content.sequence)
        return None if held is None or held.hash == sealed.hash else held

    def break_with(self, sealed: Sealed) -> tuple[Sealed, ...]:
        """Return what shows that a content breaks its author's chain of hashes: nothing, mostly."""
        content, before = sealed.content, self.before(sealed)
        after = self.numbered(content.author, content.sequence + 1)
        if before is not None and content.last != before.hash:
            return before, sealed
        if content.sequence == 0 and content.last != NO_HASH:
            return (sealed,)
        if after is not None and after.content.last != sealed.hash:
            return sealed, after
        return ()
