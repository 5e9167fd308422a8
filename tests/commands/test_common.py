"""What commands share: names as they were meant, commands to paste, and who has a full screen."""

from __future__ import annotations

import argparse
import io
from pathlib import Path

import pytest

from p2p_hearts.commands.common import (
    CommandError,
    can_draw,
    checked_name,
    has_screen,
    typed_command,
)
from p2p_hearts.commands.host import _own_table


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("term", "stdin", "stdout", "line", "expected"),
    [
        ("xterm", Terminal, Terminal, False, True),
        ("xterm", Terminal, Terminal, True, False),
        ("dumb", Terminal, Terminal, False, False),
        ("xterm", io.StringIO, Terminal, False, False),
        ("xterm", Terminal, io.StringIO, False, False),
    ],
)
def test_has_screen__only_at_a_terminal_that_can_draw(
    monkeypatch: pytest.MonkeyPatch,
    term: str,
    stdin: type[io.StringIO],
    stdout: type[io.StringIO],
    line: bool,
    expected: bool,
) -> None:
    monkeypatch.setenv("TERM", term)
    monkeypatch.setattr("sys.stdin", stdin())
    monkeypatch.setattr("sys.stdout", stdout())
    assert has_screen(argparse.Namespace(line=line)) is expected
    assert can_draw() is (term != "dumb" and stdout is Terminal)


@pytest.mark.parametrize(
    ("given", "name"),
    [("Ana", "Ana"), ("  Ana   Maria ", "Ana Maria"), ("Jose\u0301", "José"), ("Ana 🌻", "Ana 🌻")],
)
def test_checked_name__spaces_and_accents_are_no_reason_to_refuse(given: str, name: str) -> None:
    assert checked_name(given, "--nick") == name


@pytest.mark.parametrize("given", ["", " ", "A" * 25, "Ana\u202e", "Ana\x1b[2J", "👩\u200d🌾"])
def test_checked_name__is_as_it_was_meant_or_refused(given: str) -> None:
    with pytest.raises(CommandError, match="--nick"):
        checked_name(given, "--nick")


def test_own_table__has_a_whole_name() -> None:
    assert _own_table("Ana") == "Ana's table"
    assert _own_table("A" * 24) == "A" * 24


def test_typed_command__can_be_pasted_and_names_the_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("P2P_HEARTS_HOME", raising=False)
    here = None
    assert typed_command(here, "audit", "my games/a.hearts") == (
        "p2p-hearts audit 'my games/a.hearts'"
    )
    there = Path("/tmp/my home")
    assert typed_command(there, "resume") == "p2p-hearts resume --home '/tmp/my home'"
    monkeypatch.setenv("P2P_HEARTS_HOME", "/tmp/my home")
    assert typed_command(there, "resume") == "p2p-hearts resume"
