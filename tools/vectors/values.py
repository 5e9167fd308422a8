"""What a vector file is made of: typed reading of its values, entries, and test secrets."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

Plain: TypeAlias = "bytes | str | int | bool | Sequence[Plain] | Mapping[str, Plain] | None"
"""A value of a vector before it is written: bytes become hex."""

Operation: TypeAlias = "Callable[[In], Plain]"
"""Makes the result of an input; raises ``Rejected`` where a check refuses it."""

SECRET_NOTE: Final = (
    "Every key and secret here is a test secret, SHA-256 of a text: use none of them for a game."
)


class Rejected(Exception):  # noqa: N818 - an answer, no error
    """A check refused the input; the text names flaw, rule or verdict."""


def secret(label: str) -> bytes:
    """Return the 32 bytes of a test secret."""
    return hashlib.sha256(f"p2p-hearts test secret: {label}".encode()).digest()


@dataclass(frozen=True, slots=True)
class In:
    """The input of one vector, read with types; ``ValueError`` where a value is another one."""

    values: Mapping[str, object]

    def data(self, name: str) -> bytes:
        """Bytes, written in hex."""
        return bytes.fromhex(self.text(name))

    def datas(self, name: str) -> list[bytes]:
        """A list of bytes."""
        return [bytes.fromhex(_text(item)) for item in self.items(name)]

    def text(self, name: str) -> str:
        """A text."""
        return _text(self.values[name])

    def number(self, name: str) -> int:
        """An integer; scalars and other large ones are written in hex, big-endian."""
        return _number(self.values[name])

    def numbers(self, name: str) -> list[int]:
        """A list of integers."""
        return [_number(item) for item in self.items(name)]

    def items(self, name: str) -> list[object]:
        """A list of anything."""
        value = self.values[name]
        if not isinstance(value, list):
            raise ValueError(f"{name} is no list")
        return value

    def parts(self, name: str) -> list[In]:
        """A list of maps."""
        return [In(_mapping(item)) for item in self.items(name)]

    def part(self, name: str) -> In:
        """A map."""
        return In(_mapping(self.values[name]))

    def mapping(self, name: str) -> Mapping[str, object]:
        """A map as it stands."""
        return _mapping(self.values[name])

    def has(self, name: str) -> bool:
        """Whether the value is there and not null."""
        return self.values.get(name) is not None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no text")
    return value


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{value!r} is no number")
    return value


def _mapping(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise ValueError(f"{value!r} is no map")
    return value


def written(value: Plain) -> object:
    """Return a value as JSON holds it."""
    if isinstance(value, bytes | bytearray):
        return bytes(value).hex()
    if isinstance(value, str) or value is None or isinstance(value, int):
        return value
    if isinstance(value, Mapping):
        return {name: written(item) for name, item in value.items()}
    return [written(item) for item in value]


@dataclass
class VectorFile:
    """One file under construction. Results come from the operations, expectations from the author.

    A rejected entry is the twin of an accepted one: the same input with ``changed`` values.
    """

    title: str
    operations: Mapping[str, Operation]
    accepted: list[dict[str, object]] = field(default_factory=list)
    rejected: list[dict[str, object]] = field(default_factory=list)

    def accept(self, name: str, operation: str, **values: Plain) -> Mapping[str, object]:
        """Add an accepted entry; return its input as written."""
        if any(entry["name"] == name for entry in self.accepted):
            raise ValueError(f"two entries are called {name}")
        given = {key: written(value) for key, value in values.items()}
        result = written(self.operations[operation](In(given)))
        self.accepted.append(
            {"name": name, "operation": operation, "input": given, "result": result}
        )
        return given

    def make(self, operation: str, **values: Plain) -> In:
        """Return the result of an operation, for an entry that follows."""
        given = {key: written(value) for key, value in values.items()}
        return In(_mapping(written(self.operations[operation](In(given)))))

    def result(self, name: str) -> In:
        """Return the result of an accepted entry that is a map."""
        return In(_mapping(self._entry(name)["result"]))

    def data_of(self, name: str) -> bytes:
        """Return the result of an accepted entry that is bytes."""
        return bytes.fromhex(self.text_of(name))

    def text_of(self, name: str) -> str:
        """Return the result of an accepted entry that is text."""
        return _text(self._entry(name)["result"])

    def given(self, name: str) -> In:
        """Return the input of an accepted entry."""
        return In(_mapping(self._entry(name)["input"]))

    def reject(self, twin: str, check: str, expect: str, why: str, **values: Plain) -> None:
        """Add a rejected twin of an accepted entry.

        ``check`` is the number in SPEC.md of the check that refuses it (of the section, where it
        has none), ``expect`` what with.
        ``ValueError`` if the code accepts it, or refuses it with something else.
        """
        entry = self._entry(twin)
        changed = {key: written(value) for key, value in values.items()}
        original = _mapping(entry["input"])
        if json.dumps({**original, **changed}) == json.dumps(original):
            raise ValueError(f"{twin}: {why}: nothing was changed")
        said = outcome(self.operations[_text(entry["operation"])], {**original, **changed})
        if said != (False, expect):
            raise ValueError(f"{twin}: {why}: expected {expect}, got {said!r}")
        self.rejected.append(
            {"twin": twin, "changed": why, "check": check, "expect": expect, "input": changed}
        )

    def text(self) -> str:
        """Return the file."""
        value = {
            "title": self.title,
            "note": SECRET_NOTE,
            "accepted": self.accepted,
            "rejected": self.rejected,
        }
        return json.dumps(value, indent=1, ensure_ascii=False) + "\n"

    def _entry(self, name: str) -> dict[str, object]:
        return next(entry for entry in self.accepted if entry["name"] == name)


def outcome(operation: Operation, values: Mapping[str, object]) -> tuple[bool, object]:
    """Return whether an operation accepts its input, and the result or what it refuses with."""
    try:
        return True, written(operation(In(values)))
    except Rejected as refusal:
        return False, str(refusal)


def flipped(data: bytes, at: int = 0, by: int = 1) -> bytes:
    """Return the bytes with one of them changed."""
    at %= len(data)
    return data[:at] + bytes([data[at] ^ by]) + data[at + 1 :]


def chunks(data: bytes, size: int) -> Iterator[bytes]:
    """Return the bytes in pieces of one size."""
    return (data[at : at + size] for at in range(0, len(data), size))
