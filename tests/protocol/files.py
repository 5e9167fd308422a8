"""The files of protocol/ as the tests read them."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from tools.generate import PROTOCOL

SPEC = PROTOCOL / "SPEC.md"
VECTORS = sorted((PROTOCOL / "vectors").glob("*.json"))

Entry = dict[str, Any]


@cache
def vectors(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((PROTOCOL / "vectors" / name).read_text(encoding="utf-8"))
    return found


def accepted(name: str, *operations: str) -> list[Entry]:
    """The accepted entries of a file, of some operations or of all."""
    return [
        entry
        for entry in vectors(name)["accepted"]
        if not operations or entry["operation"] in operations
    ]


def twin_of(name: str, entry: Entry) -> Entry:
    (twin,) = [item for item in vectors(name)["accepted"] if item["name"] == entry["twin"]]
    return dict(twin)


@cache
def checks() -> dict[str, str]:
    """The numbered checks of SPEC.md: the whole row of each."""
    rows = re.findall(r"^\| \*\*(V\d+)\*\* \|.*$", SPEC.read_text(encoding="utf-8"), re.MULTILINE)
    lines = {
        match[1]: match[0]
        for match in re.finditer(
            r"^\| \*\*(V\d+)\*\* \|.*$", SPEC.read_text(encoding="utf-8"), re.MULTILINE
        )
    }
    assert len(lines) == len(rows), "a number stands twice"
    return lines


@cache
def sections() -> set[str]:
    """The numbers of all sections of SPEC.md."""
    text = SPEC.read_text(encoding="utf-8")
    return set(re.findall(r"^#+ (\d+(?:\.\d+)*)\.? ", text, re.MULTILINE))


def section(number: str) -> str:
    """The text of a section of SPEC.md."""
    text = SPEC.read_text(encoding="utf-8")
    return re.split(r"^#+ ", text.split(f"\n### {number} ", 1)[1], maxsplit=1, flags=re.MULTILINE)[
        0
    ]


def expanded(text: str) -> set[str]:
    """The numbers in "V41 to V44, V58"."""
    numbers: set[str] = set()
    for low, high in re.findall(r"\bV(\d+)\b(?: to V(\d+)\b)?", text):
        numbers |= {f"V{number}" for number in range(int(low), int(high or low) + 1)}
    return numbers
