"""Logs with one thing changed: a byte, a field that its author signs anew, or a record.

What an accident or a cheater makes of a log, drawn from a seeded ``Random``. Half of the changed
fields end the log, so that what was said later hides nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from msgspec import Struct, structs

from p2p_hearts.record.records import RecordKind
from p2p_hearts.wire.codec import decode, encode
from p2p_hearts.wire.envelope import Identity, Sealed, open_envelope, seal
from p2p_hearts.wire.messages import BODIES, Content, Kind
from tests.record.maker import Records, write

START = 2
"""Records before the first content."""


@dataclass(frozen=True)
class Source:
    """A log to change, and who can sign."""

    records: Records
    signers: Mapping[bytes, Identity]
    """By public key."""

    @cached_property
    def contents(self) -> list[Sealed]:
        return [open_envelope(data) for _, data in self.records[START:]]


def mutate(source: Source, random: Random) -> tuple[str, bytes]:
    """Return what was changed, and the log."""
    way = random.choice([of_file, of_record, of_header, of_header, of_body, of_body, of_order])
    return way(source, random)


def of_file(source: Source, random: Random) -> tuple[str, bytes]:
    log = write(source.records)
    at, bit = random.randrange(len(log)), 1 << random.randrange(8)
    return f"bit {bit} of byte {at} of the file", flipped(log, at, bit)


def of_record(source: Source, random: Random) -> tuple[str, bytes]:
    records = list(source.records)
    number = random.randrange(len(records))
    kind, data = records[number]
    at, bit = random.randrange(len(data)), 1 << random.randrange(8)
    records[number] = kind, flipped(data, at, bit)
    return f"bit {bit} of byte {at} of record {number}, chained anew", write(records)


def of_order(source: Source, random: Random) -> tuple[str, bytes]:
    records = list(source.records)
    number, other = random.randrange(len(records)), random.randrange(len(records))
    what = random.choice(
        ["dropped", "repeated", "moved", "last", "of another kind", "several gone"]
    )
    if what == "repeated":
        records.insert(other, records[number])
    elif what == "last":
        del records[number:]
    elif what == "of another kind":
        records[number] = RecordKind(random.randint(1, 3)), records[number][1]
    elif what == "several gone":
        del records[number : number + random.randint(2, 12)]
    else:
        record = records.pop(number)
        if what == "moved":
            records.insert(other, record)
    return f"record {number} {what} ({other})", write(records)


def of_pair(source: Source, random: Random) -> tuple[str, bytes]:
    records = list(source.records)
    one, other = random.sample(range(len(records)), 2)
    records[one], records[other] = records[other], records[one]
    return f"records {one} and {other} swapped", write(records)


def of_end(source: Source, random: Random) -> tuple[str, bytes]:
    log = write(source.records)
    if random.random() < 0.5:
        tail = random.randbytes(random.randint(1, 100))
        return f"{len(tail)} bytes of garbage after the last record", log + tail
    at = random.randrange(len(log))
    return f"cut at byte {at}", log[:at]


def of_header(source: Source, random: Random) -> tuple[str, bytes]:
    contents = source.contents
    number = random.randrange(len(contents))
    content = contents[number].content
    name = random.choice([item for item in Content.__struct_fields__ if item != "body"])
    value = changed(getattr(content, name), name, contents, random)
    return signed_anew(source, number, structs.replace(content, **{name: value}), name, random)


def of_body(source: Source, random: Random) -> tuple[str, bytes]:
    contents = source.contents
    kinds = sorted({item.content.kind for item in contents})
    kind = random.choice(kinds)
    same = [at for at, item in enumerate(contents) if item.content.kind == kind]
    number = random.choice(same)
    content = contents[number].content
    body: Struct = decode(content.body, BODIES[Kind(kind)])
    name = random.choice(body.__struct_fields__)
    others = [decode(contents[at].content.body, BODIES[Kind(kind)]) for at in same]
    if random.random() < 0.3:
        value = getattr(random.choice(others), name)
    else:
        value = changed(getattr(body, name), name, contents, random)
    data = encode(structs.replace(body, **{name: value}))
    if random.random() < 0.05:
        data = flipped(data, random.randrange(len(data)), 1 << random.randrange(8))
    what = f"{kind}.{name}"
    return signed_anew(source, number, structs.replace(content, body=data), what, random)


def signed_anew(
    source: Source, number: int, content: Content, what: str, random: Random
) -> tuple[str, bytes]:
    """Put a content in the place of another one; the author it names signs, if that sits here."""
    signers = list(source.signers.values())
    signer = source.signers.get(content.author, signers[0])
    records = list(source.records)
    records[START + number] = RecordKind.CONTENT, seal(signer, content).data
    is_last = random.random() < 0.5
    if is_last:
        del records[START + number + 1 :]
    return f"{what} of content {number}, last: {is_last}", write(records)


def changed(value: Any, name: str, contents: Sequence[Sealed], random: Random) -> Any:
    """Return another value of the same type, near enough to get past some of the checks."""
    if isinstance(value, bool) or value is None:
        return random.randrange(13) if value is None else not value
    if isinstance(value, int):
        return max(0, random.choice([value + 1, value - 1, 0, 1, 2, 12, value + 4, 2**31 - 1]))
    if isinstance(value, str):
        return random.choice([*Kind, "nothing"])
    if isinstance(value, list):
        return changed_list(value, name, contents, random)
    if len(value) == 32 and random.random() < 0.5:
        other = random.choice(contents)
        return random.choice([bytes(32), other.hash, other.content.prev, other.content.author])
    if not value:
        return random.choice([b"", bytes(32), bytes(64)])
    at = random.randrange(len(value))
    block = at - at % 32
    return random.choice(
        [
            flipped(value, at, 1 << random.randrange(8)),
            value[:block] + value[block + 32 :],
            value + value[block : block + 32],
            value[block:] + value[:block],
            value[:-1],
        ]
    )


def changed_list(value: list[Any], name: str, contents: Sequence[Sealed], random: Random) -> Any:
    way = random.choice(["shorter", "longer", "turned", "item"])
    if not value or way == "longer":
        return [*value, *value[:1]]
    if way == "shorter":
        return value[1:]
    if way == "turned":
        return value[1:] + value[:1]
    at = random.randrange(len(value))
    return [*value[:at], changed(value[at], name, contents, random), *value[at + 1 :]]


def flipped(data: bytes, at: int, bit: int) -> bytes:
    return data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :]
