"""The group ristretto255 (RFC 9496): elements, scalars, generators.

Implements protocol/SPEC.md section 2.  The only module that imports `rbcl`.

- An `Element` is made by `decode_element` (which checks length, validity and that it is not the
  identity), by `hash_to_element`, or by arithmetic on elements; never from unchecked bytes.
  `rbcl` ignores libsodium's return codes in additions and answers 32 zero bytes, the identity,
  when an operand is invalid, so nothing but an `Element` ever meets arithmetic.
- The libsodium in `rbcl` ignores the highest bit of an encoding when it judges one, so that every
  element, the identity among them, would have a second encoding.  `decode_element` refuses it.
- The identity is a value like any other inside a computation (``0 * P``, ``P - P``); it is
  never accepted from the wire.
- Scalars are Python integers in ``[0, ORDER)``.  On the wire: 32 bytes, little-endian, and only
  canonical ones are decoded.

Constant time: multiplications of a point go through libsodium's constant-time ladders (base and
variable).  Scalars are Python integers, whose additions and products modulo `ORDER` are not
constant-time; a card table answers at human pace over a network, which blurs what little that
shows.  Nothing here branches on a secret, except that a scalar which is exactly zero takes the
short way.

Errors: `DecodeError` for bytes from outside.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NoReturn, Self

import rbcl

from p2p_hearts.crypto.framing import frame

ORDER: Final = 2**252 + 27742317777372353535851937790883648493
"""The prime order of the group, ℓ."""

ELEMENT_BYTES: Final = 32
SCALAR_BYTES: Final = 32

_IDENTITY_BYTES: Final = bytes(ELEMENT_BYTES)
_BASE_BYTES: Final = bytes.fromhex(
    "e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76"
)

_UNUSED_BIT: Final = 0x80
"""Of the last byte: an encoding is a number below 2**255 - 19, so this bit is never set."""

_add = rbcl.crypto_core_ristretto255_add
_sub = rbcl.crypto_core_ristretto255_sub
_mul = rbcl.crypto_scalarmult_ristretto255
_mul_base = rbcl.crypto_scalarmult_ristretto255_base
_is_valid = rbcl.crypto_core_ristretto255_is_valid_point
_from_hash = rbcl.crypto_core_ristretto255_from_hash


def _discard_unpacked_library() -> None:
    """Delete the temporary file that `rbcl` loaded libsodium from; the code stays mapped.

    At every import `rbcl` writes the library (2.8 MB) to a new temporary file and leaves it.
    Windows refuses to delete a library in use; there it stays.
    """
    path = getattr(sys.modules.get("rbcl._sodium"), "lib_path", None)
    if isinstance(path, str):
        with suppress(OSError):
            Path(path).unlink(missing_ok=True)


_discard_unpacked_library()


class DecodeError(ValueError):
    """Bytes from outside are not what they should be; the text says in which way."""


class Element:
    """A member of the group, immutable, known to be valid.

    ``+``, ``-``, unary ``-`` and ``int * Element``; equal when the canonical bytes are.
    Not to be called: use `decode_element`, `hash_to_element`, `base_mul` or arithmetic.
    """

    __slots__ = ("data",)

    data: bytes
    """The canonical encoding, 32 bytes (all zero for the identity)."""

    def __init__(self) -> None:
        raise TypeError("an Element is decoded, hashed to or computed, never constructed")

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("an Element is immutable")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("an Element is immutable")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[object, tuple[bytes]]:
        return _restore, (self.data,)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Element):
            return NotImplemented
        return self.data == other.data

    def __hash__(self) -> int:
        return hash(self.data)

    def __repr__(self) -> str:
        return f"Element({self.data.hex()})"

    def __add__(self, other: Element) -> Element:
        if not isinstance(other, Element):
            return NotImplemented
        return _wrap(_add(self.data, other.data))

    def __sub__(self, other: Element) -> Element:
        if not isinstance(other, Element):
            return NotImplemented
        return _wrap(_sub(self.data, other.data))

    def __neg__(self) -> Element:
        return _wrap(_sub(_IDENTITY_BYTES, self.data))

    def __rmul__(self, scalar: int) -> Element:
        if not isinstance(scalar, int):
            return NotImplemented
        data = self.data
        if data == _BASE_BYTES:
            return base_mul(scalar)
        scalar %= ORDER
        if scalar == 0 or data == _IDENTITY_BYTES:
            return IDENTITY
        return _wrap(_mul(scalar.to_bytes(SCALAR_BYTES, "little"), data))

    @property
    def is_identity(self) -> bool:
        """Whether this is the neutral element."""
        return self.data == _IDENTITY_BYTES


def _wrap(data: bytes) -> Element:
    """Make an element from bytes that the library itself computed from valid input."""
    element = object.__new__(Element)
    object.__setattr__(element, "data", data)
    return element


def _restore(data: bytes) -> Element:
    """Return an element from a pickle: checked again, and here the identity may return."""
    return IDENTITY if data == _IDENTITY_BYTES else decode_element(data)


IDENTITY: Final = _wrap(_IDENTITY_BYTES)
"""The neutral element.  Never accepted from the wire."""

BASE: Final = _wrap(_BASE_BYTES)
"""The standard generator, G."""


def decode_element(data: bytes) -> Element:
    """Return the element that these 32 bytes encode.

    Raises `DecodeError` unless they are the canonical encoding of an element other than the
    identity.  protocol/SPEC.md section 2.
    """
    if len(data) != ELEMENT_BYTES:  # V1
        raise DecodeError(f"an element has {ELEMENT_BYTES} bytes, not {len(data)}")
    data = bytes(data)
    if data == _IDENTITY_BYTES:  # V3
        raise DecodeError("the identity is not accepted as an element")
    if data[-1] & _UNUSED_BIT or not _is_valid(data):  # V2
        raise DecodeError("not the canonical encoding of a group element")
    return _wrap(data)


def decode_elements(data: bytes, count: int) -> tuple[Element, ...]:
    """Exactly `count` elements from ``32 * count`` bytes; `DecodeError` otherwise."""
    if len(data) != ELEMENT_BYTES * count:  # V6
        raise DecodeError(f"{count} elements have {ELEMENT_BYTES * count} bytes, not {len(data)}")
    return tuple(
        decode_element(data[start : start + ELEMENT_BYTES])
        for start in range(0, len(data), ELEMENT_BYTES)
    )


def encode_elements(elements: Iterable[Element]) -> bytes:
    """Return the encodings one after the other, 32 bytes each."""
    return b"".join([element.data for element in elements])


def decode_scalar(data: bytes) -> int:
    """Return the scalar in these 32 little-endian bytes; `DecodeError` unless below `ORDER`."""
    if len(data) != SCALAR_BYTES:  # V4
        raise DecodeError(f"a scalar has {SCALAR_BYTES} bytes, not {len(data)}")
    scalar = int.from_bytes(data, "little")
    if scalar >= ORDER:  # V5
        raise DecodeError("a scalar is not reduced")
    return scalar


def decode_scalars(data: bytes, count: int) -> tuple[int, ...]:
    """Exactly `count` scalars from ``32 * count`` bytes; `DecodeError` otherwise."""
    if len(data) != SCALAR_BYTES * count:  # V6
        raise DecodeError(f"{count} scalars have {SCALAR_BYTES * count} bytes, not {len(data)}")
    return tuple(
        decode_scalar(data[start : start + SCALAR_BYTES])
        for start in range(0, len(data), SCALAR_BYTES)
    )


def encode_scalar(scalar: int) -> bytes:
    """Encode a scalar in ``[0, ORDER)`` as 32 little-endian bytes."""
    if not 0 <= scalar < ORDER:
        raise ValueError("a scalar lies in [0, ORDER)")
    return scalar.to_bytes(SCALAR_BYTES, "little")


def encode_scalars(scalars: Iterable[int]) -> bytes:
    """Return the encodings one after the other, 32 bytes each."""
    return b"".join([encode_scalar(scalar) for scalar in scalars])


def scalar_from_hash(digest: bytes) -> int:
    """64 hash bytes, little-endian, reduced modulo `ORDER`: uniform but for 2**-259."""
    if len(digest) != 64:
        raise ValueError("64 hash bytes make a scalar")
    return int.from_bytes(digest, "little") % ORDER


def base_mul(scalar: int) -> Element:
    """``scalar * BASE``, by the library's table for the base."""
    scalar %= ORDER
    if scalar == 0:
        return IDENTITY
    return _wrap(_mul_base(scalar.to_bytes(SCALAR_BYTES, "little")))


def hash_to_element(label: bytes) -> Element:
    """Return the generator of this label; nobody knows its logarithm to any other.

    SHA-512 over the framed label, then the one-way map of RFC 9496 section 4.3.4.
    protocol/SPEC.md section 2.
    """
    digest = hashlib.sha512(frame(b"p2p-hearts generator", label)).digest()
    return element_from_uniform(digest)


def element_from_uniform(uniform: bytes) -> Element:
    """Apply the one-way map of RFC 9496 section 4.3.4, from 64 uniform bytes."""
    if len(uniform) != 64:
        raise ValueError("the map to the group takes 64 bytes")
    return _wrap(_from_hash(uniform))


def sum_elements(elements: Iterable[Element]) -> Element:
    """Return the sum of all elements; the identity for none.

    Takes one addition less than there are elements.
    """
    total: bytes | None = None
    for element in elements:
        total = element.data if total is None else _add(total, element.data)
    return IDENTITY if total is None else _wrap(total)


def dot(scalars: Sequence[int], elements: Sequence[Element]) -> Element:
    """Return the sum of ``scalars[i] * elements[i]``; equal elements are multiplied once.

    Raises `ValueError` when the lengths differ: nothing is cut to fit.
    """
    coefficients: dict[bytes, int] = {}
    for scalar, element in zip(scalars, elements, strict=True):
        data = element.data
        coefficients[data] = coefficients.get(data, 0) + scalar
    total: bytes | None = None
    for data, coefficient in coefficients.items():
        scalar = coefficient % ORDER
        if scalar == 0 or data == _IDENTITY_BYTES:
            continue
        encoded = scalar.to_bytes(SCALAR_BYTES, "little")
        term = _mul_base(encoded) if data == _BASE_BYTES else _mul(encoded, data)
        total = term if total is None else _add(total, term)
    return IDENTITY if total is None else _wrap(total)
