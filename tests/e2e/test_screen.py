"""A person plays a whole hand against three computer peers on the full screen, in tmux."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.e2e.terminals import HAND, Terminal, cards_on, over, play_a_card
from tests.programs import LONG, PROGRAM, audited, clean_environment


def play(home: Path) -> str:
    command = [*PROGRAM, "play", "--hands", "1", "--pace", "0.05", "--nick", "Zé"]
    return shlex.join([*command, "--home", str(home)])


def look_around(terminal: Terminal) -> None:
    """Ask, write and play in windows of several sizes; the first trick is finished then."""

    def my_turn(screen: str) -> bool:
        return "It is your turn" in screen

    # Whoever holds the opening card has played it before the first decision.
    held = len(cards_on(terminal.until(my_turn, HAND)))
    terminal.resize(40, 10)
    terminal.until(lambda screen: "enlarge to 60x18" in screen and my_turn(screen))
    terminal.keys("h")
    terminal.until(lambda screen: "Hint" in screen)
    terminal.keys("Escape")
    terminal.resize(200, 60)
    terminal.until(lambda screen: "No hand is finished yet." in screen and my_turn(screen))
    terminal.keys("m")
    terminal.keys(*"Hello!")
    terminal.keys("Enter")
    terminal.until(lambda screen: "You: Hello!" in screen)
    terminal.keys("Escape")
    terminal.resize(80, 24)
    terminal.keys("Enter")  # the cursor stands on a card that may be played
    terminal.until(lambda screen: my_turn(screen) and len(cards_on(screen)) == held - 1, HAND)
    terminal.keys("l")
    terminal.until(lambda screen: "took the trick" in screen)
    terminal.keys("l")
    terminal.until(lambda screen: "took the trick" not in screen)


def test_play__a_whole_hand_on_the_full_screen(terminal: Terminal, tmp_path: Path) -> None:
    before = terminal.settings()
    # A card that plays itself would be gone while the test looks around.
    (tmp_path / "settings.toml").write_text('autoplay = "off"\n')
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
    look_around(terminal)
    tricks = 0
    deadline = time.monotonic() + HAND
    while not over(screen := terminal.screen()):
        assert time.monotonic() < deadline, screen
        if "It is your turn" in screen:
            tricks += play_a_card(terminal, cards_on(screen))
        time.sleep(0.05)
    assert tricks >= 1
    assert "1 hand played" in terminal.until(over)
    terminal.keys("s")
    screen = terminal.until(lambda screen: "s closes" in screen)
    (row,) = [line for line in screen.splitlines() if re.match(r"[│ ]*1 +[+-]", line)]
    assert sum(int(points) for points in re.findall(r"[+-]\d+", row)) in (26, 78)
    terminal.keys("q")
    terminal.keys("Enter")
    terminal.until(lambda screen: "ended with 0" in screen)
    assert terminal.settings() == before
    (log,) = (tmp_path / "games").glob("*.hearts")
    assert audited(log)["verdict"] == "clean"


@pytest.mark.parametrize("number_of", [signal.SIGTERM, signal.SIGHUP])
def test_play__a_signal_leaves_the_terminal_as_it_was(
    terminal: Terminal, tmp_path: Path, number_of: signal.Signals
) -> None:
    before = terminal.settings()
    number = tmp_path / "pid"
    command = f"echo $$ > {shlex.quote(str(number))}; exec {play(tmp_path / 'home')}"
    terminal.enter(f"sh -c {shlex.quote(command)}; echo ended with $?")
    # The tour, which stays until a key is pressed.
    terminal.until(lambda screen: "Welcome to the table" in screen)
    os.kill(int(number.read_text()), number_of)
    screen = terminal.until(lambda screen: "ended with 4" in screen)
    assert "p2p-hearts: stopped before" in screen
    assert "Traceback" not in screen
    assert "Welcome to the table" not in screen
    assert terminal.settings() == before


@pytest.mark.usefixtures("multicast")
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
        assert "At the table, as Ana says: Ana and " in screen
        assert "3 players" in screen
        terminal.keys("Enter")
        terminal.until(lambda screen: "Welcome to the table" in screen)
        terminal.keys("Escape")
        terminal.until(lambda screen: "Bo, not ready yet" in screen)
        terminal.keys("Enter")
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
        hosting.wait(LONG)
