"""Wrong bytes near right ones: what a blind or a clever attacker would try, from one seed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import msgpack

NUMBERS: tuple[Any, ...] = (
    0,
    1,
    -1,
    3,
    11,
    51,
    52,
    104,
    127,
    128,
    255,
    256,
    2**31,
    2**32,
    2**64 - 1,
)
ODD: tuple[Any, ...] = (
    *NUMBERS,
    None,
    True,
    1.5,
    float("nan"),
    "",
    "key",
    "\ud7ff",
    b"",
    bytes(32),
    bytes(64),
    b"\xff" * 32,
    [],
    [[]],
    {},
    {"a": 1},
)


def mutate(chance: random.Random, seeds: Sequence[bytes]) -> bytes:
    """Return one of the seeds with a few blind changes, or sensible ones if it is msgpack."""
    data = chance.choice(seeds)
    if chance.random() < 0.6:
        data = mutate_value(chance, data)
        if chance.random() < 0.7:
            return data
    for _ in range(chance.choice((0, 1, 1, 2, 4, 16))):
        data = _change(chance, data, seeds)
    return data


def _change(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    at = chance.randrange(len(data) + 1)
    to = min(len(data), at + chance.choice((1, 1, 2, 4, 8, 64)))
    match chance.randrange(7):
        case 0:
            return data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
        case 1:
            return data[:at] + bytes([1 << chance.randrange(8) ^ (data[at : at + 1] or b"\0")[0]])
        case 2:
            return data[:at] + data[to:]
        case 3:
            return data[:at] + data[at:to] * chance.choice((2, 3, 50)) + data[to:]
        case 4:
            other = chance.choice(seeds)
            start = chance.randrange(len(other) + 1)
            return data[:at] + other[start : start + 64] + data[at:]
        case 5:
            return data[:at]
        case _:
            return data[:at] + chance.randbytes(to - at) + data[to:]


def mutate_value(chance: random.Random, data: bytes) -> bytes:
    """Return the same msgpack with one value in it exchanged, or the bytes if they are none."""
    try:
        value = msgpack.unpackb(data, raw=False, strict_map_key=False)
        return bytes(msgpack.packb(_exchange(chance, value), use_bin_type=True))
    except (ValueError, TypeError, OverflowError, msgpack.exceptions.ExtraData):
        return data


def _exchange(chance: random.Random, value: Any) -> Any:
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key = chance.choice(list(value))
        match chance.randrange(8):
            case 0:
                return {name: item for name, item in value.items() if name != key}
            case 1:
                return {**value, "more": 1}
            case _:
                return {**value, key: _exchange(chance, value[key])}
    if isinstance(value, list) and value and chance.random() < 0.9:
        at = chance.randrange(len(value))
        match chance.randrange(8):
            case 0:
                return value[:at] + value[at + 1 :]
            case 1:
                return value[:at] + value[at : at + 1] * chance.choice((2, 30)) + value[at + 1 :]
            case _:
                return [*value[:at], _exchange(chance, value[at]), *value[at + 1 :]]
    if isinstance(value, bytes) and len(value) > 8 and chance.random() < 0.8:
        inner = mutate_value(chance, value)
        return inner if inner != value else _change(chance, value, [value])
    if isinstance(value, int) and chance.random() < 0.5:
        return value + chance.choice((-1, 1, 2, 100))
    if isinstance(value, str) and value and chance.random() < 0.5:
        return value[: chance.randrange(len(value))] + chance.choice(
            ("\u202e", "\0", "é", "x" * 70)
        )
    return chance.choice(ODD)
