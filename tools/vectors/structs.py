"""Vectors of 6.1 and 6.3 for every struct: a value, and what lies outside each of its bounds.

They are made from the schema of the messages, so that a new struct or field has its own at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgpack

from tools import spec_parts
from tools.vectors.operations import OPERATIONS
from tools.vectors.values import Plain, VectorFile, secret

OPTIONS: Final = {"hearts_break": True, "moon": "choice", "seats": 4}
"""Options of a rule set, in the order of their names."""

SHORT: Final = 1024
"""Longer bytes are given as runs."""

LONG: Final = 65536
"""Still longer ones do not fit into one struct beside others."""

Type = Mapping[str, Any]


def structs_file() -> VectorFile:
    """Every struct with a value of each field, and with one that it may not have."""
    file = VectorFile("Section 6.1 and 6.3: every struct, and each bound of its fields", OPERATIONS)
    structs = _structs()
    for name in structs:
        _Vectors(structs, name).add(file)
    return file


def sample(name: str) -> bytes:
    """Return a struct with a value of each field."""
    return _Vectors(_structs(), name).sample()


def _structs() -> Mapping[str, Any]:
    return {struct["name"]: struct for struct in json.loads(spec_parts.schema())["structs"]}


class _Vectors:
    """The vectors of one struct."""

    def __init__(self, structs: Mapping[str, Any], name: str) -> None:
        self._structs = structs
        self._name = name
        self._is_array = structs[name]["form"] == "array"
        self._fields = structs[name]["fields"]

    def sample(self) -> bytes:
        """Return the struct with a value of each field."""
        return _packed(self._form(self._value()))

    def _value(self) -> dict[str, Any]:
        return {field["name"]: self._some(field, field["name"]) for field in self._fields}

    def _form(self, value: Mapping[str, Any]) -> Any:
        return list(value.values()) if self._is_array else value

    def add(self, file: VectorFile) -> None:
        """Add the struct, and twins of its form and of each field."""
        is_array, fields, name = self._is_array, self._fields, self._name
        value, form = self._value(), self._form
        file.accept(name, "decode", struct=name, bytes=_packed(form(value)))
        twins = [("nil", None), ("a field too many", form({**value, "more": 0}))]
        if fields:
            other = dict(value) if is_array else list(value.values())
            twins.append(("a map" if is_array else "an array", other))
            less = {key: value[key] for key in list(value)[:-1]}
            twins.append(("a field missing", form(less)))
        for field in fields:
            for why, wrong in self._wrong(field):
                twins.append((f"{field['name']}: {why}", form({**value, field["name"]: wrong})))
        for why, changed in twins:
            file.reject(name, "V48", "drop", why, bytes=_packed(changed))
        if not is_array and len(fields) > 1:
            turned = _packed(dict(reversed(value.items())))
            file.reject(name, "V49", "drop", "fields in another order", bytes=turned)
        for field in fields:
            if field["type"] == "bytes" and SHORT < field["max_length"] <= LONG:
                self._add_longest(file, value, field)

    def _add_longest(self, file: VectorFile, value: Mapping[str, Any], field: Type) -> None:
        """Add the longest bytes that a field may have, and one more."""

        def runs(length: int) -> list[Plain]:
            data = _packed(self._form({**value, field["name"]: bytes(length)}))
            before, _, after = data.partition(bytes(length))
            return [
                {"bytes": before, "times": 1},
                {"bytes": b"\0", "times": length},
                {"bytes": after, "times": 1},
            ]

        twin, length = f"{self._name}, the longest {field['name']}", field["max_length"]
        file.accept(twin, "decode long", struct=self._name, runs=runs(length))
        file.reject(twin, "V48", "drop", "a byte more", runs=runs(length + 1))

    def _some(self, of: Type, label: str) -> Any:
        """Return a value of a type."""
        match of["type"]:
            case "integer":
                return of["min"] if of["min"] == of["max"] else (of["min"] or 0) + 3
            case "bytes":
                data = secret(f"{self._name} {label}") * 2
                return data[: min(max(32, of["min_length"]), of["max_length"])]
            case "text":
                return "Žofie"
            case "boolean":
                return True
            case "list":
                return [self._some(of["items"], f"{label} {number}") for number in range(2)]
            case "tuple":
                return [self._some(item, label) for item in of["items"]]
            case "map":
                return OPTIONS
            case "one of":
                return self._some(of["of"][0], label)
            case "struct":
                fields = self._structs[of["struct"]]["fields"]
                return {field["name"]: self._some(field, label) for field in fields}
        raise ValueError(f"no value of {of}")

    def _least(self, of: Type) -> Any:
        """Return the shortest value of a type."""
        if of["type"] == "list":
            return [self._least(of["items"])] * of["min_length"]
        if of["type"] == "struct":
            fields = self._structs[of["struct"]]["fields"]
            return {field["name"]: self._least(field) for field in fields}
        if of["type"] == "bytes":
            return bytes(of["min_length"])
        return self._some(of, "")

    def _wrong(self, of: Type) -> Iterator[tuple[str, Any]]:
        """Yield what is no value of a type, each with its reason."""
        match of["type"]:
            case "integer":
                yield "too small", of["min"] - 1
                yield "too large", of["max"] + 1
                yield "a boolean", True
            case "bytes":
                yield "text", "Žofie"
                if of["min_length"]:
                    yield "too short", bytes(of["min_length"] - 1)
                if of["max_length"] <= SHORT:
                    yield "too long", bytes(of["max_length"] + 1)
            case "text":
                yield "bytes", "Žofie".encode()
                if of["min_length"]:
                    yield "empty", ""
                yield "too long", "x" * (of["max_length"] + 1)
            case "boolean":
                yield "a number", 1
            case "list":
                yield "nil", None
                if of["min_length"]:
                    yield "too short", [self._least(of["items"])] * (of["min_length"] - 1)
                yield "too long", [self._least(of["items"])] * (of["max_length"] + 1)
                for why, wrong in self._wrong(of["items"]):
                    yield f"in its last, {why}", [self._some(of["items"], ""), wrong]
            case "tuple":
                right = [self._some(item, "") for item in of["items"]]
                yield "one of them missing", right[:-1]
                yield "one too many", [*right, 0]
                for at, item in enumerate(of["items"]):
                    for why, wrong in self._wrong(item):
                        yield f"item {at} {why}", [*right[:at], wrong, *right[at + 1 :]]
            case "map":
                yield "an array", list(OPTIONS)
                yield "with nil", {**OPTIONS, "seats": None}
            case "one of":
                yield from self._wrong(of["of"][0])
            case "struct":
                yield "an array", []
                yield "without its fields", {}
            case _:
                raise ValueError(f"nothing is wrong with {of}")


def _packed(value: Any) -> bytes:
    data: bytes = msgpack.packb(value)
    return data
