"""The Fiat–Shamir transcript: what a challenge depends on.

Implements protocol/SPEC.md section 2.  Every challenge binds the protocol version, the table,
the hash of its rules, hand, attempt, round and seat (the `Context`), then every entry absorbed
so far, each labelled and framed.  A transcript holds public data only.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final

from p2p_hearts.crypto.framing import frame
from p2p_hearts.crypto.group import scalar_from_hash

PROTOCOL_VERSION: Final = 1
"""Version of the protocol of this program; peers of different versions share no table."""

_UINT32 = 2**32


@dataclass(frozen=True, slots=True)
class Context:
    """Where a proof belongs.  A proof is worth nothing in any other place.

    Raises `ValueError` for a field out of range.
    """

    table: bytes
    """Table id, 32 bytes."""
    rules: bytes
    """Hash of the `RuleSet`, 32 bytes."""
    hand: int
    attempt: int
    round: int
    seat: int

    def __post_init__(self) -> None:
        if len(self.table) != 32 or len(self.rules) != 32:
            raise ValueError("table id and rules hash have 32 bytes each")
        for number in (self.hand, self.attempt, self.round, self.seat):
            if not 0 <= number < _UINT32:
                raise ValueError("hand, attempt, round and seat lie in [0, 2**32)")

    def encode(self) -> bytes:
        """All fields and the protocol version, framed: what every transcript starts with."""
        numbers = (PROTOCOL_VERSION, self.hand, self.attempt, self.round, self.seat)
        return frame(
            b"p2p-hearts context",
            self.table,
            self.rules,
            *(number.to_bytes(4, "big") for number in numbers),
        )


class Transcript:
    """A growing list of labelled public entries, and the challenges drawn from it."""

    __slots__ = ("_hash",)

    def __init__(self, context: Context, label: bytes) -> None:
        """Start the transcript of one proof; `label` names the kind of proof."""
        self._hash = hashlib.sha512(frame(b"transcript", label, context.encode()))

    def copy(self) -> Transcript:
        """Return a transcript that goes on from here on its own."""
        twin = object.__new__(Transcript)
        twin._hash = self._hash.copy()
        return twin

    def absorb(self, label: bytes, *data: bytes) -> None:
        """Append one labelled entry of any number of byte strings."""
        self._hash.update(frame(b"absorb", label, *data))

    def challenge(self, label: bytes) -> int:
        """Draw a scalar that depends on everything so far; drawing it is itself an entry."""
        self._hash.update(frame(b"challenge", label))
        return scalar_from_hash(self._hash.digest())

    def challenges(self, label: bytes, count: int) -> tuple[int, ...]:
        """`count` independent scalars; drawing them (and how many) is itself an entry."""
        self._hash.update(frame(b"challenges", label, count.to_bytes(4, "big")))
        return expand(self._hash.digest(), count)

    def digest(self) -> bytes:
        """64 bytes that depend on everything so far; for nonces.  Not an entry."""
        end = self._hash.copy()
        end.update(frame(b"digest"))
        return end.digest()


def expand(seed: bytes, count: int) -> tuple[int, ...]:
    """`count` scalars from one 64-byte seed: SHA-512 over seed and index, reduced."""
    # One hash object for what all share: frame(label, seed, index) up to the index.
    first = b"\0" * 4
    shared = hashlib.sha512(frame(b"p2p-hearts expand", seed, first)[: -len(first)])
    scalars = []
    for index in range(count):
        each = shared.copy()
        each.update(index.to_bytes(4, "big"))
        scalars.append(scalar_from_hash(each.digest()))
    return tuple(scalars)
