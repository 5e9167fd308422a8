"""Find the checks of a module, and take one out."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

GUARDED = (ast.Return, ast.Raise, ast.Continue, ast.Break)
RAISERS = ("check", "require", "verify", "ensure")


@dataclass(frozen=True, slots=True)
class Check:
    """A check: its module, its line, the text of what is checked, and where that stands.

    ``start`` and ``end`` are offsets into the module's text, in characters; ``without`` is what
    stands there once the check is gone.
    """

    module: str
    line: int
    text: str
    start: int
    end: int
    without: str

    def removed_from(self, source: str) -> str:
        """Return the module's text without this check."""
        return source[: self.start] + self.without + source[self.end :]

    def __str__(self) -> str:
        return f"{self.module}:{self.line}: {self.text}"


def checks_of(root: Path, module: Path) -> list[Check]:
    """Return the checks of a module, in the order of its lines."""
    source = module.read_text()
    starts = _line_starts(source)

    def check(node: ast.expr | ast.stmt, without: str) -> Check:
        start = starts[node.lineno - 1] + _characters(source, starts, node.lineno, node.col_offset)
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        end = starts[node.end_lineno - 1] + _characters(
            source, starts, node.end_lineno, node.end_col_offset
        )
        text = " ".join(source[start:end].split())
        return Check(str(module.relative_to(root)), node.lineno, text, start, end, without)

    found = [check(node, without) for node, without in _places(ast.parse(source))]
    return sorted(found, key=lambda item: (item.line, item.start))


def _places(tree: ast.Module) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and len(node.body) == 1 and isinstance(node.body[0], GUARDED):
            if isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.Or):
                yield from ((part, "False") for part in node.test.values)
            else:
                yield node.test, "False"
        elif isinstance(node, ast.Return) and isinstance(node.value, ast.BoolOp):
            if isinstance(node.value.op, ast.And):
                yield from ((part, "True") for part in node.value.values)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            name = node.value.func
            called = name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")
            if called.lstrip("_").split("_")[0] in RAISERS:
                yield node, "pass"


def _line_starts(source: str) -> list[int]:
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def _characters(source: str, starts: list[int], line: int, octets: int) -> int:
    """Turn the byte offset of a column, as ``ast`` gives it, into one of characters."""
    text = source[starts[line - 1] : starts[line]]
    return len(text.encode()[:octets].decode())
