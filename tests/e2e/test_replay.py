"""A game is stepped through on the full screen, in tmux."""

from __future__ import annotations

import shlex
from pathlib import Path

from tests.e2e.terminals import Terminal
from tests.programs import PROGRAM
from tests.record.games import honest_game


def test_replay__goes_by_keys_survives_resizing_and_leaves_the_terminal_as_it_was(
    terminal: Terminal, tmp_path: Path
) -> None:
    log = tmp_path / "game.hearts"
    log.write_bytes(honest_game().log())
    before = terminal.settings()
    command = shlex.join([*PROGRAM, "replay", str(log), "--home", str(tmp_path), "--lang=en"])
    terminal.enter(f"{command}; echo ended with $?")
    terminal.until(lambda screen: "1/55" in screen)
    terminal.keys("Right", "Right")
    terminal.until(lambda screen: "leads 2♣" in screen and "3/55" in screen)
    terminal.keys("Down")
    terminal.until(lambda screen: "7/55" in screen)
    terminal.resize(40, 10)
    terminal.until(lambda screen: "7/55" in screen and max(map(len, screen.splitlines())) <= 40)
    terminal.resize(120, 40)
    terminal.keys("End")
    terminal.until(
        lambda screen: (
            "✓ Clean: the whole match, 1 hand, was verified" in screen
            and "55/55" in screen
            and "The hand counts" in screen
        )
    )
    terminal.keys("q")
    terminal.until(lambda screen: "ended with 0" in screen)
    terminal.resize(80, 24)
    assert terminal.settings() == before
