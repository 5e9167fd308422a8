"""Finds English in the source that no catalogue holds: strings neither marked nor argued.

A string is taken for English if two words stand side by side in it, or if it is one word with a
capital letter in the code of a front end. What may stay as it is has a reason below.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "p2p_hearts"

ENUMS = {"Enum", "StrEnum", "IntEnum"}
"""The values of an enumeration are names."""

MARKS = {"_", "N_", "gettext", "ngettext", "pgettext", "sentence"}

OWN_MISTAKES = {
    "ValueError", "RuntimeError", "TypeError", "AttributeError", "LookupError", "KeyError",
    "AssertionError", "OSError", "DecodeError", "BadSignatureError", "GroupDecodeError",
    "OwnLogError", "NoDealError", "BoxError",
}  # fmt: skip
"""Exceptions that mean a mistake of a program, or are told in a log file or caught: English."""

SPEAKS_BY_VALUE_ERROR = {
    "parsing.py", "net/codes.py", "table/hand/__init__.py", "ui/settings.py",
}  # fmt: skip
"""Modules whose ``ValueError`` is shown to a person."""

LOGGING = {"debug", "info", "warning", "error", "exception", "log", "getLogger", "basicConfig"}

NAMES = ("Nara", "Lena", "Wira", "Tomé", "Ayu", "Caio", "Dewi", "Rui", "Sari", "Inês", "Bayu")
"""Names of computer players."""

FRONT_ENDS = ("ui/", "commands/", "node/status.py", "arguments.py", "parsing.py",
              "record/report/")  # fmt: skip

NO_ENGLISH = {
    "agreement/words.py": "the words of table phrases are the same in every language",
    "agreement/rounds.py": "the list of rounds for the specification",
    "wire/messages.py": "the meanings of fields, for the specification",
    "ui/styles.py": "names of colours",
    "record/report/style.py": "a style sheet",
    "record/report/script.py": "a program for the browser",
}

ALLOWED = {
    "p2p-hearts log 1": "the beginning of a log file",
    "p2p-hearts sealed identity 1": "the beginning of an identity file",
    "p2p-hearts card 1": "a message of the card door",
    "p2p-hearts code": "a label of the protocol",
    "seat file": "a label, hashed to a file's name",
    "secret file {}": "a label, hashed to a file's name",
    "p2p-hearts guard": "the name of a thread",
    "line input": "the name of a thread",
    "p2p-hearts join {}": "a command to type",
    "p2p-hearts audit {}": "a command to type",
    "an identity key has 32 bytes": "a mistake of this program",
    "at least one try is needed": "a mistake of this program",
    "go on": "the name of a command",
    "trick back": "the name of a move",
    "hand back": "the name of a move",
    "Demo": "the name of a table",
    "# fish completion of {}": "a comment in a program for the shell",
    "from p2p_hearts.node.worker import main; main()": "a program for Python",
    "English": "a language calls itself the same in every language",
    "Bahasa Indonesia": "a language calls itself the same in every language",
    "[left out]": "in a crash report, which is for whoever mends the program",
    "Noted last:": "in a crash report",
    "own messages": "an item that a table waits for, not shown",
    "identity of a computer player": "a label of the protocol",
    "messages made again": "a key of what was counted",
    "class proofs": "a key of what was counted",
    "<!DOCTYPE html>": "markup",
    "light dark": "markup",
    "table compass": "markup",
    "laid place{} {}": "markup",
    "seat place{} s{}": "markup",
    "play winner": "markup",
    "ArrowLeft ArrowRight ArrowUp ArrowDown Home End": "markup",
}

HIDDEN = "in an f-string:"

_PROSE = re.compile(r"[A-Za-z]{2,}[,:;.]? [A-Za-z]{2,}")
_WORD = re.compile(r"[A-Z][a-z]{2,}[.!?:]?\Z")


@dataclass(frozen=True, slots=True)
class Unmarked:
    """A string that should be marked."""

    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"p2p_hearts/{self.file}:{self.line}: {self.text!r}"


def unmarked() -> list[Unmarked]:
    """Return every unmarked string of the package."""
    found: list[Unmarked] = []
    for path in sorted(PACKAGE.rglob("*.py")):
        file = path.relative_to(PACKAGE).as_posix()
        if file not in NO_ENGLISH:
            found += unmarked_in(path.read_text(encoding="utf-8"), file)
    return found


def unmarked_in(source: str, file: str) -> list[Unmarked]:
    """Return every unmarked string of one module."""
    return [
        Unmarked(file, line, text)
        for line, text in _strings(ast.parse(source), file)
        if text.strip() not in (*ALLOWED, *NAMES) and _is_english(text, file)
    ]


def _is_english(text: str, file: str) -> bool:
    if _PROSE.search(text):
        return True
    return file.startswith(FRONT_ENDS) and _WORD.match(text.strip()) is not None


def _strings(node: ast.AST, file: str) -> Iterator[tuple[int, str]]:
    """Yield strings outside of marks, docstrings, logging and the program's own mistakes."""
    match node:
        case ast.Expr(value=ast.Constant()):
            return
        case ast.Call(func=function) if _name(function) in MARKS:
            return
        case ast.Call(func=ast.Attribute(attr=name)) if name in LOGGING:
            return
        case ast.Raise(exc=ast.Call(func=function)) if _is_own_mistake(_name(function), file):
            return
        case ast.Assign(targets=[ast.Name(id="__all__")]):
            return
        case ast.Compare() | ast.Subscript() | ast.Match():
            # A name to look up or to compare with is no text.
            calls = (inner for inner in ast.walk(node) if isinstance(inner, ast.Call))
            for call in calls:
                yield from _strings(call, file)
                break
            return
        case ast.ClassDef(bases=[*bases]) if any(_name(base) in ENUMS for base in bases):
            return
        case ast.Dict(values=values):
            # What it is looked up by is no text.
            for value in values:
                yield from _strings(value, file)
            return
        case ast.AnnAssign(annotation=annotation, value=value):
            del annotation
            if value is not None:
                yield from _strings(value, file)
            return
        case ast.JoinedStr(values=values):
            literal = "".join(
                str(part.value) if isinstance(part, ast.Constant) else "{}" for part in values
            )
            yield node.lineno, literal
            for part in values:
                if isinstance(part, ast.FormattedValue):
                    yield from _strings(part.value, file)
                    yield from _hidden_marks(part.value)
            return
        case ast.Constant(value=str(text)):
            yield node.lineno, text
            return
    for child in ast.iter_child_nodes(node):
        yield from _strings(child, file)


def _hidden_marks(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield marked strings within an f-string: the tool that collects them does not see them."""
    for inner in ast.walk(node):
        match inner:
            case ast.Call(func=function, args=[ast.Constant(value=str(text)), *_]) if (
                _name(function) in MARKS
            ):
                yield inner.lineno, f"{HIDDEN} {text}"


def _is_own_mistake(name: str, file: str) -> bool:
    return name in OWN_MISTAKES and not (name == "ValueError" and file in SPEAKS_BY_VALUE_ERROR)


def _name(function: ast.expr) -> str:
    match function:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""
