"""Everything secret that a seat does in one hand, derived from one 32-byte secret z.

Implements protocol/SPEC.md section 3. A derived value is

    BLAKE2b-512 under the key z of
    (version, table, hand, attempt, seat, round, label, index, depends)

where `depends` is a hash of everything the value depends on. Only x depends on nothing else.
Were it otherwise, a secret used on two inputs would show what it hides: the permutation, the
difference of two passed cards, and from two proofs with one nonce x itself.

The secret is drawn, stored and erased by the caller. Errors: `ValueError` for a z that is not
32 bytes and for a context of another hand or seat, which are bugs of ours.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from p2p_hearts.crypto.framing import frame
from p2p_hearts.crypto.group import scalar_from_hash
from p2p_hearts.crypto.sigma import NonceSource
from p2p_hearts.crypto.transcript import PROTOCOL_VERSION, Context

SECRET_BYTES: Final = 32
COMMITMENT_BYTES: Final = 32

_DERIVE: Final = b"p2p-hearts kdf"
_COMMIT: Final = b"p2p-hearts hand"
_WORD: Final = 4


def hash_inputs(*parts: bytes) -> bytes:
    """Return 32 bytes that stand for all of `parts`: the `depends` of a derived value."""
    return hashlib.blake2b(frame(b"inputs", *parts), digest_size=32).digest()


@dataclass(frozen=True, slots=True)
class HandSecret:
    """The secret of one seat for one attempt at one hand."""

    z: bytes = field(repr=False)
    table: bytes
    hand: int
    attempt: int
    seat: int

    def __post_init__(self) -> None:
        if len(self.z) != SECRET_BYTES:
            raise ValueError(f"a hand secret has {SECRET_BYTES} bytes")

    def commitment(self) -> bytes:
        """K, 32 bytes: what a seat publishes before it does anything with z."""
        parts = frame(*self._place(), self.z)
        return hashlib.blake2b(parts, digest_size=COMMITMENT_BYTES, person=_COMMIT).digest()

    def x(self) -> int:
        """Return the secret key of the seat in this attempt."""
        return scalar_from_hash(self._derive(0, b"x", 0, b""))

    def scalars(self, count: int, round_: int, label: bytes, depends: bytes) -> tuple[int, ...]:
        """`count` secret scalars; `depends` from `hash_inputs`."""
        return tuple(
            scalar_from_hash(self._derive(round_, label, index, depends)) for index in range(count)
        )

    def permutation(self, count: int, round_: int, label: bytes, depends: bytes) -> tuple[int, ...]:
        """Return a uniform permutation of ``range(count)``; `depends` from `hash_inputs`.

        Fisher–Yates, each index by rejection from 32-bit words, so that none is favoured.
        """
        words = self._words(round_, label, depends)
        order = list(range(count))
        for last in range(count - 1, 0, -1):
            other = _below(last + 1, words)
            order[last], order[other] = order[other], order[last]
        return tuple(order)

    def nonce_source(self, round_: int, label: bytes) -> NonceSource:
        """Return the nonces of one kind of proof: each binds the transcript it is used in."""

        def nonce(digest: bytes, index: int) -> int:
            return scalar_from_hash(self._derive(round_, b"nonce " + label, index, digest))

        return nonce

    def require(self, context: Context) -> None:
        """Raise `ValueError` unless the context is of this secret's hand, attempt and seat."""
        own = (self.table, self.hand, self.attempt, self.seat)
        if own != (context.table, context.hand, context.attempt, context.seat):
            raise ValueError("a hand secret serves one seat in one attempt at one hand")

    def _place(self) -> tuple[bytes, ...]:
        numbers = (PROTOCOL_VERSION, self.hand, self.attempt, self.seat)
        return (self.table, *(number.to_bytes(4, "big") for number in numbers))

    def _derive(self, round_: int, label: bytes, index: int, depends: bytes) -> bytes:
        parts = frame(
            *self._place(), round_.to_bytes(4, "big"), label, index.to_bytes(8, "big"), depends
        )
        return hashlib.blake2b(parts, key=self.z, digest_size=64, person=_DERIVE).digest()

    def _words(self, round_: int, label: bytes, depends: bytes) -> Iterator[int]:
        block = 0
        while True:
            data = self._derive(round_, label, block, depends)
            for start in range(0, len(data), _WORD):
                yield int.from_bytes(data[start : start + _WORD], "big")
            block += 1


def _below(bound: int, words: Iterator[int]) -> int:
    """Return a uniform number below `bound`; words past the last whole multiple are dropped."""
    limit = (1 << 8 * _WORD) // bound * bound
    return next(word for word in words if word < limit) % bound
