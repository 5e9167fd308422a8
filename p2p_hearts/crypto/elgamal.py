"""ElGamal ciphertexts and decks of them.

Implements protocol/SPEC.md sections 2 and 4.  A ciphertext of M under the key X is
``(s·G, M + s·X)``; a deck is a tuple of them.  `decode_deck` is the only way in from the wire:
exact length, no component invalid or the identity (`DecodeError`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple, TypeAlias

from p2p_hearts.crypto.group import (
    DecodeError,
    Element,
    base_mul,
    decode_element,
    sum_elements,
)

CIPHERTEXT_BYTES: Final = 64


class Ciphertext(NamedTuple):
    """An ElGamal pair: ``a = s·G`` and ``b = M + s·X``."""

    a: Element
    b: Element


Deck: TypeAlias = tuple[Ciphertext, ...]


def encrypt(message: Element, key: Element, factor: int) -> Ciphertext:
    """``(factor·G, message + factor·key)``."""
    return Ciphertext(base_mul(factor), message + factor * key)


def reencrypt(ciphertext: Ciphertext, key: Element, factor: int) -> Ciphertext:
    """Return the same plaintext under the same key, with `factor` added to its randomness."""
    return Ciphertext(ciphertext.a + base_mul(factor), ciphertext.b + factor * key)


def decrypt(ciphertext: Ciphertext, secret: int) -> Element:
    """``b - secret·a``."""
    return ciphertext.b - secret * ciphertext.a


def sum_ciphertexts(ciphertexts: Iterable[Ciphertext]) -> Ciphertext:
    """Return the ciphertext of the sum of the plaintexts (same key); of the identity for none."""
    pairs = tuple(ciphertexts)
    return Ciphertext(sum_elements(p.a for p in pairs), sum_elements(p.b for p in pairs))


def encode_deck(deck: Iterable[Ciphertext]) -> bytes:
    """Return the ciphertexts one after the other: a, b, a, b …, 64 bytes each."""
    return b"".join([part.data for ciphertext in deck for part in ciphertext])


def decode_deck(data: bytes, count: int) -> Deck:
    """Exactly `count` ciphertexts from ``64 * count`` bytes; `DecodeError` otherwise."""
    if len(data) != CIPHERTEXT_BYTES * count:  # V6
        raise DecodeError(
            f"{count} ciphertexts have {CIPHERTEXT_BYTES * count} bytes, not {len(data)}"
        )
    return tuple(
        Ciphertext(
            decode_element(data[start : start + 32]), decode_element(data[start + 32 : start + 64])
        )
        for start in range(0, len(data), CIPHERTEXT_BYTES)
    )
