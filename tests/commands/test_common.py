"""What commands share: names as they were meant, commands to paste, and who has a full screen."""

from __future__ import annotations

import argparse
import asyncio
import io
import os
import signal
from pathlib import Path
from shlex import quote

import pytest

from p2p_hearts.arguments import make_parser
from p2p_hearts.commands.common import (
    CommandError,
    ask_passphrase,
    can_draw,
    checked_name,
    has_screen,
    own_nick,
    typed_command,
)
from p2p_hearts.commands.host import _own_table
from p2p_hearts.home import Home


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


def test_ask_passphrase__ctrl_c_ends_it_at_once_in_a_running_loop_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answered = []

    def interrupted(prompt: str) -> str:
        os.kill(os.getpid(), signal.SIGINT)
        answered.append(prompt)
        return "secret"

    monkeypatch.delenv("P2P_HEARTS_PASSPHRASE", raising=False)
    monkeypatch.setattr("sys.stdin", Terminal())
    monkeypatch.setattr("getpass.getpass", interrupted)

    async def asks() -> None:
        ask_passphrase(new=True)

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(asks())
    assert answered == []
    assert signal.getsignal(signal.SIGINT) is before
    assert capsys.readouterr().err == "\n", "what the shell says stands on a line of its own"


@pytest.mark.parametrize(
    ("new", "prompts"),
    [
        (True, ["New passphrase of your identity: ", "The same once more: "]),
        (False, ["Passphrase of your identity: "]),
    ],
)
def test_ask_passphrase__says_whether_it_asks_for_a_new_one(
    monkeypatch: pytest.MonkeyPatch, new: bool, prompts: list[str]
) -> None:
    asked: list[str] = []

    def answer(prompt: str) -> str:
        asked.append(prompt)
        return "secret"

    monkeypatch.delenv("P2P_HEARTS_PASSPHRASE", raising=False)
    monkeypatch.setattr("sys.stdin", Terminal())
    monkeypatch.setattr("getpass.getpass", answer)
    assert ask_passphrase(new) == "secret"
    assert asked == prompts


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


def test_typed_command__names_the_program_where_the_shell_does_not_find_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As after ``make setup``, where it lies in ``.venv/bin``."""
    program = tmp_path / "bin" / "p2p-hearts"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["bin/p2p-hearts"])
    monkeypatch.setenv("PATH", "/nowhere")
    assert typed_command(None, "resume") == f"{quote(str(program))} resume"
    monkeypatch.setenv("PATH", str(program.parent))
    assert typed_command(None, "resume") == "p2p-hearts resume"


def test_home__is_the_same_folder_wherever_the_command_is_pasted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    named = make_parser().parse_args(["resume", "--home", "mine"])
    mine = quote(f"{tmp_path}/mine")
    assert typed_command(named.home, "resume") == f"p2p-hearts resume --home {mine}"
    monkeypatch.setenv("P2P_HEARTS_HOME", "mine")
    usual = make_parser().parse_args(["resume"])
    assert usual.home == tmp_path / "mine"
    assert typed_command(usual.home, "resume") == "p2p-hearts resume"


def test_own_nick__is_remembered_until_another_one_is_given(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")

    def nick(given: str | None) -> str:
        return own_nick(argparse.Namespace(nick=given), home)

    before = nick(None)
    assert before
    assert nick(" Zé  Maria ") == "Zé Maria"
    assert nick(None) == "Zé Maria"
    assert nick("Ana") == nick(None) == "Ana"
    for damaged in (b"\xff", b"", b"\x1b\n", b"\xe2\x80\xae"):
        (home.path / "nick").write_bytes(damaged)
        assert nick(None) == before, damaged
    home.close()
