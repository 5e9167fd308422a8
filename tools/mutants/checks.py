"""Find the checks of a module, and write the module so that each can be switched off."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

GUARDED = (ast.Return, ast.Raise, ast.Continue, ast.Break)
RAISERS = ("check", "require", "verify", "ensure")

FIRST_IMPORT = "from __future__ import annotations\n"
"""What every module begins with; the switches are imported in the same line."""


class Form(StrEnum):
    """How a check stands in the code; the functions of ``switches.py`` are called the same."""

    GUARD = "guard"
    """The condition, or a part of it, of an ``if`` that only returns, raises or goes on."""
    PART = "part"
    """A part of a conjunction that is returned."""
    CALL = "call"
    """A call that only raises."""


@dataclass(frozen=True, slots=True)
class Check:
    """A check: its module, its line, the text of what is checked, and where that stands.

    ``start`` and ``end`` are offsets into the module's text, in characters; ``nth`` counts the
    checks of one text in the module, from 1.
    """

    module: str
    line: int
    text: str
    nth: int
    form: Form
    start: int
    end: int

    @property
    def name(self) -> str:
        """What the check is called in files of results: it does not move when lines do."""
        return f"{self.module}: {self.text}" + (f" #{self.nth}" if self.nth > 1 else "")

    def __str__(self) -> str:
        return f"{self.module}:{self.line}: {self.text}"


def checks_of(root: Path, module: Path) -> list[Check]:
    """Return the checks of a module, in the order of its lines."""
    source = module.read_text()
    starts = _line_starts(source)
    seen: Counter[str] = Counter()
    found = []
    for node, form in sorted(_places(ast.parse(source)), key=_position):
        start = starts[node.lineno - 1] + _characters(source, starts, node.lineno, node.col_offset)
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        end = starts[node.end_lineno - 1] + _characters(
            source, starts, node.end_lineno, node.end_col_offset
        )
        text = " ".join(source[start:end].split())
        seen[text] += 1
        path = str(module.relative_to(root))
        found.append(Check(path, node.lineno, text, seen[text], form, start, end))
    return found


def with_switches(source: str, checks: list[Check], numbers: dict[str, int], switches: str) -> str:
    """Return a module's text in which each check asks the switch of its number first.

    ``switches`` is the module that has the three functions; no line changes its number.
    """
    for check in sorted(checks, key=lambda item: item.start, reverse=True):
        text, number = source[check.start : check.end], numbers[check.name]
        if check.form is Form.CALL:
            armed = f"_switches.call({number}) or {text}"
        else:
            armed = f"_switches.{check.form}({number}, ({text}))"
        source = source[: check.start] + armed + source[check.end :]
    package, _, name = switches.rpartition(".")
    line = f"{FIRST_IMPORT.rstrip()}; from {package} import {name} as _switches\n"
    if FIRST_IMPORT not in source:
        raise ValueError("a module with checks begins with the import of annotations")
    return source.replace(FIRST_IMPORT, line, 1)


def without_check(source: str, check: Check) -> str:
    """Return a module's text in which the type checker learns nothing from a check.

    What the check asks is still asked, since it may give something a name; the answer is dropped.
    """
    text = source[check.start : check.end]
    asked = {Form.GUARD: f"(not [{text}])", Form.PART: f"bool([{text}])", Form.CALL: "..."}
    return source[: check.start] + asked[check.form] + source[check.end :]


def _places(tree: ast.Module) -> Iterator[tuple[ast.expr | ast.stmt, Form]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and len(node.body) == 1 and isinstance(node.body[0], GUARDED):
            if isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.Or):
                yield from ((part, Form.GUARD) for part in node.test.values)
            else:
                yield node.test, Form.GUARD
        elif isinstance(node, ast.Return) and isinstance(node.value, ast.BoolOp):
            if isinstance(node.value.op, ast.And):
                yield from ((part, Form.PART) for part in node.value.values)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            name = node.value.func
            called = name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")
            if called.lstrip("_").split("_")[0] in RAISERS:
                yield node, Form.CALL


def _position(place: tuple[ast.expr | ast.stmt, Form]) -> tuple[int, int]:
    return place[0].lineno, place[0].col_offset


def _line_starts(source: str) -> list[int]:
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def _characters(source: str, starts: list[int], line: int, octets: int) -> int:
    """Turn the byte offset of a column, as ``ast`` gives it, into one of characters."""
    text = source[starts[line - 1] : starts[line]]
    return len(text.encode()[:octets].decode())
