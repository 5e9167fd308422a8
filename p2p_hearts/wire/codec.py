"""Typed values to msgpack bytes and back, with limits (protocol/SPEC.md section 6.1).

One value has exactly one encoding: structs are maps (or arrays) in the order of their fields, free
maps have their keys sorted, integers and lengths take their shortest form, and bytes that decode
but would be written differently are refused. So extension types, NaN, duplicate keys, trailing
bytes and unknown fields never get in, and nobody ever needs to encode again what was signed.

Never: trusts a length, keeps a partly decoded value. Errors: ``DecodeError`` and nothing else.
"""

from __future__ import annotations

from typing import Any, TypeVar

import msgpack
import msgspec

MAX_BYTES = 192 * 1024
"""Longest encoding accepted, bytes: a deck of 104 cards with its proof takes 21 kB, a catch-up
batch at most 128 KiB; the links refuse frames above 160 KiB before this is asked."""

MAX_ITEMS = 1024
"""Longest list or map accepted."""

T = TypeVar("T")


class DecodeError(ValueError):
    """The bytes are not the one valid encoding of the expected type."""


def encode(value: msgspec.Struct) -> bytes:
    """Encode a struct as canonical msgpack."""
    return _pack(value)


def decode(data: bytes, kind: type[T]) -> T:
    """Decode ``data`` as one value of the struct type ``kind``.

    Raises:
        DecodeError: too long, not msgpack, not of that type, or not canonical.
    """
    if len(data) > MAX_BYTES:  # V46
        raise DecodeError(f"{len(data)} bytes are more than the {MAX_BYTES} allowed")
    try:
        raw: Any = msgpack.unpackb(  # V47
            data,
            raw=False,
            strict_map_key=True,
            use_list=True,
            max_str_len=4096,
            max_bin_len=MAX_BYTES,
            max_array_len=MAX_ITEMS,
            max_map_len=MAX_ITEMS,
            max_ext_len=0,
        )
        value = msgspec.convert(raw, kind, strict=True, builtin_types=(bytes,))  # V48
        again = _pack(value)
    except (ValueError, TypeError, OverflowError, RecursionError, MemoryError) as error:
        # msgpack and msgspec raise subclasses of ValueError; a hostile nesting may also exhaust
        # the recursion limit.
        raise DecodeError(f"not a valid {kind.__name__}: {type(error).__name__}") from None
    if again != data:  # V49
        raise DecodeError(f"{kind.__name__} is not in its one canonical encoding")
    return value


def _pack(value: object) -> bytes:
    plain = msgspec.to_builtins(value, builtin_types=(bytes,), order="deterministic")
    packed: bytes = msgpack.packb(plain, use_bin_type=True)
    return packed
