"""A person plays a whole hand against three computer peers on the full screen, in tmux."""

from __future__ import annotations

import os
import re
import secrets
import shlex
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.programs import PROGRAM, audited, clean_environment

LETTERS = {"♣": "c", "♦": "d", "♠": "s", "♥": "h"}
HAND = 150.0
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

    def until(self, shown: Callable[[str], bool], seconds: float = 30) -> str:
        """Return the first screen of a kind."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            screen = self.screen()
            if shown(screen):
                return screen
            time.sleep(0.1)
        raise AssertionError(f"it did not come within {seconds} s:\n{self.screen()}")

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
            timeout=20,
            env={**clean_environment(), "TERM": "xterm-256color"},
        )
        return done.stdout


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    terminal = Terminal()
    try:
        yield terminal
    except BaseException:
        print(terminal.screen())
        raise
    finally:
        terminal.close()


def cards_on(screen: str) -> list[str]:
    """Return the keys to type for every card of the own hand: the lowest row of cards."""
    rows = [line for line in screen.splitlines() if re.search(r"[♣♦♠♥]", line) and "│" in line]
    found = re.findall(r"(10|[2-9JQKA])([♣♦♠♥])", rows[-1]) if rows else []
    return [rank.lower() + LETTERS[suit] for rank, suit in found]


def play(home: Path) -> str:
    command = [*PROGRAM, "play", "--hands", "1", "--pace", "0.05", "--nick", "Zé"]
    return shlex.join([*command, "--home", str(home)])


def over(screen: str) -> bool:
    return "the match with" in screen or "the first place" in screen


def test_play__a_whole_hand_on_the_full_screen(terminal: Terminal, tmp_path: Path) -> None:
    before = terminal.settings()
    terminal.enter(f"{play(tmp_path)}; echo ended with $?")
    terminal.until(lambda screen: "Welcome to the table" in screen)
    terminal.keys("Escape")
    screen = terminal.until(lambda screen: "Choose 3 cards to pass" in screen, HAND)
    assert "shuffle verified by all 4" in screen
    hand = cards_on(screen)
    assert len(hand) == 13
    terminal.keys("m")
    terminal.until(lambda screen: "Enter says it" in screen)
    terminal.enter("good luck")
    terminal.until(lambda screen: "You: good luck" in screen)
    terminal.keys("Escape")
    for card, wanted in zip(hand[-3:], ("Choose 2", "Choose 1", "Press Enter"), strict=True):
        terminal.keys(*card)
        terminal.until(lambda screen, wanted=wanted: wanted in screen)  # type: ignore[misc]
    terminal.keys("Enter")
    tricks = 0
    deadline = time.monotonic() + HAND
    while not over(screen := terminal.screen()):
        assert time.monotonic() < deadline, screen
        if "It is your turn" in screen:
            tricks += play_a_card(terminal, cards_on(screen))
        time.sleep(0.05)
    assert tricks >= 1
    assert "1 hand played" in screen
    terminal.keys("s")
    screen = terminal.until(lambda screen: "s closes" in screen)
    (row,) = [line for line in screen.splitlines() if re.match(r"[│ ]*1 ", line)]
    assert sum(int(points) for points in re.findall(r"[+-]\d+", row)) in (26, 78)
    terminal.keys("q")
    terminal.keys("Enter")
    terminal.until(lambda screen: "ended with 0" in screen)
    assert terminal.settings() == before
    (log,) = (tmp_path / "games").glob("*.hearts")
    assert audited(log)["verdict"] == "clean"


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


@pytest.mark.parametrize("number_of", [signal.SIGTERM, signal.SIGHUP])
def test_play__a_signal_leaves_the_terminal_as_it_was(
    terminal: Terminal, tmp_path: Path, number_of: signal.Signals
) -> None:
    before = terminal.settings()
    number = tmp_path / "pid"
    command = f"echo $$ > {number}; exec {play(tmp_path / 'home')}"
    terminal.enter(f"sh -c {shlex.quote(command)}; echo ended with $?")
    terminal.until(lambda screen: "Waiting for players." in screen)
    os.kill(int(number.read_text()), number_of)
    screen = terminal.until(lambda screen: "ended with 4" in screen)
    assert "p2p-hearts: stopped before" in screen
    assert "Traceback" not in screen
    assert "Waiting for players." not in screen
    assert terminal.settings() == before


def test_join__a_table_is_chosen_from_the_list_and_those_there_are_shown(
    terminal: Terminal, tmp_path: Path
) -> None:
    host = [*PROGRAM, "host", "Sunday", "--interface", "lo", "--nick", "Ana", "--auto", "easy"]
    host += ["--bots", "1", "--seats", "3", "--hands", "1", "--home", str(tmp_path / "ana")]
    hosting = subprocess.Popen(host, stdout=subprocess.DEVNULL, env=clean_environment())
    try:
        join = [*PROGRAM, "join", "--interface", "lo", "--nick", "Bo", "--home", str(tmp_path)]
        terminal.enter(f"{shlex.join(join)}; echo ended with $?")
        screen = terminal.until(lambda screen: "1 of 3 seats free" in screen)
        assert "opened by Ana, here for the first time" in screen
        assert "3 players" in screen
        terminal.keys("Enter")
        terminal.until(lambda screen: "Welcome to the table" in screen)
        terminal.keys("Escape")
        screen = terminal.until(lambda screen: "Who is here" in screen, HAND)
        assert "Everybody at this table must see the same words" in screen
        terminal.keys("Enter")
        terminal.until(lambda screen: "cards to pass" in screen, HAND)
        terminal.keys("q")
        terminal.keys("Enter")
        terminal.keys("y")
        terminal.until(lambda screen: "ended with 4" in screen)
    finally:
        hosting.terminate()
        hosting.wait(20)
