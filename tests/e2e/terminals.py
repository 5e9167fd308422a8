"""A shell in a tmux of its own, and what a person sees and presses there."""

from __future__ import annotations

import os
import re
import secrets
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from tests.programs import LONG, clean_environment

LETTERS = {"♣": "c", "♦": "d", "♠": "s", "♥": "h"}
HAND = 300.0
"""Seconds for a hand on a busy machine."""


class Terminal:
    """A shell in a tmux server of its own, 80 columns by 24 rows."""

    def __init__(self) -> None:
        self._server = f"p2p-hearts-{secrets.token_hex(4)}"
        self._tmux("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "sh")
        self._tmux("set-option", "-g", "history-limit", "1000")

    def close(self) -> None:
        self._tmux("kill-server")

    def keys(self, *keys: str) -> None:
        """Press keys, by tmux's names for them."""
        self._tmux("send-keys", *keys)

    def enter(self, line: str) -> None:
        """Type a line into the shell."""
        self._tmux("send-keys", "-l", line)
        self.keys("Enter")

    def screen(self) -> str:
        """Return what stands on the screen."""
        return self._tmux("capture-pane", "-p")

    def until(self, shown: Callable[[str], bool], seconds: float = LONG) -> str:
        """Return the first screen of a kind that stays.

        A screen is drawn in pieces: one that is caught in between is another one a moment later.
        """
        deadline = time.monotonic() + seconds
        before = None
        while time.monotonic() < deadline:
            screen = self.screen()
            if screen == before:
                return screen
            before = screen if shown(screen) else None
            time.sleep(0.1)
        raise AssertionError(f"it did not come within {seconds} s:\n{self.screen()}")

    def resize(self, columns: int, rows: int) -> None:
        """Give the window another size; what runs in it has it when this returns.

        tmux tells it a moment later.
        """
        self._tmux("resize-window", "-x", str(columns), "-y", str(rows))
        tty = self._tmux("display-message", "-p", "#{pane_tty}").strip()
        wanted = os.terminal_size((columns, rows))
        with Path(tty).open(encoding="ascii") as file:
            self.until(lambda _screen: os.get_terminal_size(file.fileno()) == wanted)

    def settings(self) -> str:
        """Return how the terminal is set, as ``stty -a`` prints it; needs the shell's prompt."""
        mark = secrets.token_hex(4)
        self.enter(f"clear; stty -a; echo end-''{mark}")
        screen = self.until(lambda screen: f"end-{mark}" in screen)
        return screen[screen.index("speed") :].partition(f"end-{mark}")[0]

    def _tmux(self, *arguments: str) -> str:
        command = ["tmux", "-L", self._server, *arguments]
        done = subprocess.run(
            command,
            check=True,
            capture_output=True,
            encoding="utf-8",
            timeout=LONG,
            env={**clean_environment(), "TERM": "xterm-256color"},
        )
        return done.stdout


def cards_on(screen: str) -> list[str]:
    """Return the keys to type for every card of the own hand: the lowest row of cards."""
    rows = [line for line in screen.splitlines() if re.search(r"[♣♦♠♥]", line) and "│" in line]
    found = re.findall(r"(10|[2-9JQKA])([♣♦♠♥])", rows[-1]) if rows else []
    return [rank.lower() + LETTERS[suit] for rank, suit in found]


def over(screen: str) -> bool:
    return "the match with" in screen or "the first place" in screen


def play_a_card(terminal: Terminal, hand: list[str]) -> int:
    """Type one card after the other until one is accepted; return whether one was."""
    for card in hand:
        terminal.keys(*card)
        for _ in range(5):
            time.sleep(0.1)
            screen = terminal.screen()
            if "It is your turn" not in screen or len(cards_on(screen)) < len(hand):
                return 1
    return 0
