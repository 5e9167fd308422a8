"""An evening on the full screen among peers that are killed and come back."""

from __future__ import annotations

import re
import shlex
import time
from pathlib import Path

import pytest

from tests.e2e.tables import LOOPBACK, address_of, bot, host
from tests.e2e.terminals import HAND, Terminal, cards_on, over, play_a_card
from tests.programs import PROGRAM, Program, audited, run


@pytest.mark.deep
def test_evening__a_peer_that_leaves_and_returns_in_windows_of_every_size(
    terminal: Terminal, tmp_path: Path
) -> None:
    with host(tmp_path, "--seats", "3", "--hands", "1", "--grace", "600") as ana:
        where = address_of(ana)
        bo = bot(tmp_path, where, "Bo", "--level", "easy")
        with bo:
            home = tmp_path / "me"
            home.mkdir()
            (home / "settings.toml").write_text('tour = "off"\nautoplay = "off"\n')
            join = [*PROGRAM, "join", where, "--nick", "Zé", "--home", str(home), *LOOPBACK]
            terminal.enter(f"{shlex.join([*join, '--pace', '0.05'])}; echo ended with $?")
            terminal.until(lambda screen: "Zé, not ready yet" in screen)
            terminal.keys("Enter")
            terminal.until(lambda screen: "Who is here" in screen, HAND)
            terminal.keys("Enter")
            terminal.until(lambda screen: "cards to pass" in screen, HAND)
            for key in ("Space", "Right", "Space", "Right", "Space", "Right", "Enter"):
                terminal.keys(key)
                time.sleep(0.1)
            terminal.until(lambda screen: "It is your turn" in screen, HAND)
            bo.process.kill()
            bo.process.wait()
            terminal.keys("Enter")
            screen = terminal.until(lambda screen: "Waiting for Bo" in screen, HAND)
            assert re.search(r"Waiting for Bo, \d:\d\d", screen)
        for columns, rows in ((40, 10), (60, 18), (200, 60), (120, 40)):
            terminal.resize(columns, rows)
            terminal.until(lambda screen: "Waiting for Bo" in screen)
        back = Program(
            *("resume", "--auto", "easy", "--pace", "0", "--events", *LOOPBACK),
            home=tmp_path / "Bo",
        )
        with back:
            terminal.until(lambda screen: "It is your turn" in screen, HAND)
            deadline = time.monotonic() + 2 * HAND
            while not over(screen := terminal.screen()):
                assert time.monotonic() < deadline, screen
                if "It is your turn" in screen:
                    terminal.keys("Enter")
                time.sleep(0.2)
            terminal.keys("Enter")
            terminal.until(lambda screen: "ended with 0" in screen)
    (log,) = (home / "games").glob("*.hearts")
    assert audited(log)["verdict"] == "clean"


@pytest.mark.deep
def test_evening__the_rest_of_a_hand_is_claimed(terminal: Terminal, tmp_path: Path) -> None:
    """Whoever takes what he can often leads when nothing that counts is left: hands until then."""
    (tmp_path / "settings.toml").write_text('tour = "off"\n')
    command = [*PROGRAM, "play", "--target", "5000", "--pace", "0.02", "--home", str(tmp_path)]
    terminal.enter(f"{shlex.join(command)}; echo ended with $?")
    deadline = time.monotonic() + 12 * HAND
    while "to claim the rest" not in (screen := terminal.screen()):
        assert time.monotonic() < deadline, screen
        if "Choose 3 cards to pass" in screen:
            for card in cards_on(screen)[:3]:
                terminal.keys(*card)
            terminal.until(lambda screen: "Press Enter to pass" in screen)
            terminal.keys("Enter")
            terminal.until(lambda screen: "Press Enter to pass" not in screen)
        elif "It is your turn" in screen:
            high = sorted(cards_on(screen), key=lambda card: "234567891jqka".index(card[0]))
            play_a_card(terminal, high[::-1])
        time.sleep(0.05)
    # A card that has just been drawn and a claim that is offered no more are one screen apart.
    terminal.keys("c")
    screen = terminal.until(lambda screen: "Claim the rest?" in screen)
    assert "Your cards are laid open" in screen
    terminal.keys("n")
    terminal.until(lambda screen: "Claim the rest?" not in screen)
    terminal.keys("c", "y")
    terminal.until(lambda screen: "You claim the rest" in screen or "is over" in screen, HAND)
    terminal.keys("q", "Enter")
    terminal.until(lambda screen: "Leave the table?" in screen)
    terminal.keys("y")
    terminal.until(lambda screen: "ended with 4" in screen)
    (log,) = (tmp_path / "games").glob("*.hearts")
    claims = [event for event in run("replay", str(log)).out.splitlines() if "claim" in event]
    assert any("rest" in claim for claim in claims), claims
