"""A program that fails in the middle of a hand gives the terminal back and keeps its secrets."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from tests.e2e.terminals import HAND, Terminal
from tests.e2e.test_secrets import forms
from tests.programs import Program

BROKEN = """
import base64, pathlib, sys
from p2p_hearts.cli import main
from p2p_hearts.node.node import Node

seen = Node._seen

def broken(self, now):
    if self.table is not None and self.table.hand is not None and self.table.hand.facts.shared:
        secret = self.table.hand.secret.z
        pathlib.Path(sys.argv.pop()).write_bytes(secret)
        told = f"{secret!r} {secret.hex()} {int.from_bytes(secret)} {base64.b64encode(secret)!r}"
        raise RuntimeError(f"broken {told}", secret)
    return seen(self, now)

Node._seen = broken
sys.exit(main(sys.argv[1:-1]))
"""


FAILS_AT_ONCE = """
import sys

if "bot" in sys.orig_argv:
    from p2p_hearts.commands import join

    def broken(arguments):
        raise RuntimeError("a broken computer player")

    join.run_bot = broken
"""


def test_crash__of_a_computer_player_leaves_its_report_with_the_host(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(FAILS_AT_ONCE)
    home = tmp_path / "home"
    arguments = ("play", "--line", "--seats", "3")
    with Program(*arguments, home=home, env={"PYTHONPATH": str(tmp_path)}) as program:
        ended = program.end()
    assert ended.code == 4
    assert "a computer player could not sit down: This program has failed" in ended.err
    (told,) = [path for path in (home / "crashes").iterdir() if str(path) in ended.err]
    assert "a broken computer player" in told.read_text()
    assert not list((home / "computers").iterdir())


def test_crash__in_a_hand_restores_the_terminal_and_reports_without_the_secret(
    terminal: Terminal,
    tmp_path: Path,
) -> None:
    before = terminal.settings()
    script, stolen, home = tmp_path / "broken.py", tmp_path / "stolen", tmp_path / "home"
    script.write_text(BROKEN)
    command = [sys.executable, str(script), "play", "--seats", "3", "--home", str(home)]
    terminal.enter(f"{shlex.join([*command, str(stolen)])}; echo ended with $?")
    screen = terminal.until(lambda screen: "ended with 5" in screen, HAND)
    assert "This program has failed" in screen
    assert "Traceback" not in screen
    assert "RuntimeError" not in screen
    assert terminal.settings() == before
    (report,) = (home / "crashes").iterdir()
    data = report.read_bytes()
    assert b"RuntimeError: " in data
    assert b"in broken" in data
    secret = stolen.read_bytes()
    assert len(secret) == 32
    assert not [form for form in forms(secret) if form in data]
    assert str(int.from_bytes(secret, "big"))[:16].encode() not in data
