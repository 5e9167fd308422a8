"""What was said for rounds that are not open here yet, or not as they are followed here.

Implements what protocol/SPEC.md sections 6.4 and 6.6 keep of such contents: of each author a
bounded number of bytes, for a bounded number of rounds, one content of each sort for each, until it
is due. What was said ahead on a shuffle that is not the one followed here is *set aside*: it counts
in its author's numbers and in nothing else, unless that shuffle comes to stand after all.

Never: judges a content; lets anybody fill the place of somebody else.
"""

from __future__ import annotations

from p2p_hearts.table.counts import Counts
from p2p_hearts.wire.chain import Place, place_of
from p2p_hearts.wire.envelope import Sealed
from p2p_hearts.wire.messages import BALLOTS, Kind

ROUNDS_AHEAD = 16
"""Contents of at most this many rounds beyond the last open one are kept until they are due."""

EARLY_BYTES = 256 * 1024
"""Early contents of one author are kept up to this size; an honest seat has a few shuffles there.
What is dropped is sent again once it is due."""

Key = tuple[Place, bytes, str]
"""Place, author and sort: nobody can fill the place of another."""


class Early:
    """Contents that wait for their round."""

    def __init__(self) -> None:
        """Begin with none."""
        self._waiting: dict[Key, Sealed] = {}
        self._aside: dict[Key, Sealed] = {}

    def keep(self, sealed: Sealed, here: Place) -> bool:
        """Keep a content for a later round than ``here``, if there is room; say whether it is kept.

        Or another one that came for the same place first.
        """
        place, key = place_of(sealed.content), _key(sealed)
        near = place.hand == here.hand and place.round <= here.round + ROUNDS_AHEAD
        next_hand = place.hand == here.hand + 1 and place.round < ROUNDS_AHEAD
        if not (near or next_hand):
            return False
        if key in self._waiting:
            return True
        kept = sum(len(data) for data in self.said_by(sealed.content.author))
        if kept + len(sealed.data) > EARLY_BYTES:
            return False
        self._waiting[key] = sealed
        return True

    def take_due(self, place: Place, prev: bytes) -> list[Sealed]:
        """Return what waits for a round that opens on the head ``prev``; forget what is late."""
        due = sorted(key for key in self._waiting if key[0] <= place)
        waiting = [self._waiting.pop(key) for key in due]
        fits = sorted(
            key
            for key, item in self._aside.items()
            if key[0] == place and item.content.prev == prev
        )
        waiting += [self._aside.pop(key) for key in fits]
        return [sealed for sealed in waiting if place_of(sealed.content) == place]

    def set_aside(self, sealed: Sealed) -> None:
        """Keep a content that stands on another shuffle than the one followed here."""
        self._aside[_key(sealed)] = sealed

    def aside(self, sealed: Sealed) -> Sealed | None:
        """Return what was set aside in the place of a content, itself or another one."""
        return self._aside.get(_key(sealed))

    def admit(self, ballot: Sealed, counts: Counts) -> list[Sealed]:
        """Set aside what the author of a ballot had said before it in shuffles that ran ahead.

        Returns it in the author's order: nothing, unless it reaches back to what ``counts`` holds.
        Where it ran ahead of another shuffle than is followed here, it waits in vain.
        """
        author = ballot.content.author
        early = {
            (item.content.sequence, item.hash): item
            for item in self._waiting.values()
            if item.content.author == author and item.content.kind in (Kind.SHUFFLE, Kind.ACK)
        }
        first, before, chain = ballot, counts.before(ballot), list[Sealed]()
        while before is None:
            found = early.get((first.content.sequence - 1, first.content.last))
            if found is None:
                return []
            chain.append(found)
            first, before = found, counts.before(found)
        if before.hash != first.content.last:
            return []
        chain.reverse()
        for item in chain:
            self._aside[_key(item)] = self._waiting.pop(_key(item))
        return chain

    def holds(self, sealed: Sealed) -> bool:
        """Whether a content waits here."""
        held = (self._waiting.get(_key(sealed)), self._aside.get(_key(sealed)))
        return any(item is not None and item.hash == sealed.hash for item in held)

    def said_by(self, author: bytes) -> list[bytes]:
        """Return the envelopes of one author that wait for a later round."""
        return [item.data for item in self._waiting.values() if item.content.author == author]


def _key(sealed: Sealed) -> Key:
    kind = sealed.content.kind
    sort = kind if kind == Kind.ACK or kind in BALLOTS else "speech"
    return place_of(sealed.content), sealed.content.author, sort
