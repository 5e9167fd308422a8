"""A person plays a whole hand against three computer peers in line mode, on a pipe."""

from __future__ import annotations

import re
import time
from pathlib import Path

from tests.e2e.tables import LOOPBACK
from tests.programs import Program, audited, run

HAND = 300.0
"""Seconds for a hand on a busy machine."""


def test_play__a_whole_hand_on_a_pipe(tmp_path: Path) -> None:
    command = ("play", "--hands", "1", "--pace", "0", "--nick", "Ana")
    with Program(*command, home=tmp_path) as person:
        passing = person.wait_line("Choose 3 cards to pass to ", HAND)
        assert 'such as "qs 10h"' in passing
        (hand,) = [line for line in person.lines if line.startswith("Your hand: ")]
        person.type("help")
        person.wait_line('"undo" takes the last one back')
        person.type("hint")
        person.wait_line("Pass the ")
        cards = cards_in_words(hand)
        assert len(cards) == 13
        person.type(" ".join(cards[:3]))
        person.wait_line("Press Enter to pass ")
        person.type("xx")
        person.type("")
        person.wait_line("You passed ")
        answered = 0
        while not any(" the match with " in line or "first place" in line for line in person.lines):
            turns = [line for line in person.lines if line.startswith("It is your turn")]
            if len(turns) > answered:
                answered = len(turns)
                person.type(legal_in_words(turns[-1])[-1])
            person.wait(lambda: len(person.lines) or None)
            time.sleep(0.02)
            assert person.process.poll() is None or answered
        ended = person.end(HAND)
    assert (ended.code, ended.err) == (0, "")
    assert "Points of hand 1: " in ended.out
    assert f"p2p-hearts audit {person.log}" in ended.out
    assert audited(person.log)["verdict"] == "clean"


def test_play__the_end_of_the_input_is_leaving(tmp_path: Path) -> None:
    ended = run("play", "--hands", "1", home=tmp_path)
    assert (ended.code, ended.err) == (4, "p2p-hearts: stopped before the game began\n")


def cards_in_words(sentence: str) -> list[str]:
    """Read "Your hand: clubs 3 4; spades Q." into what to type."""
    told = sentence.partition("Your hand: ")[2].partition(".")[0]
    suits = [part.split() for part in told.split(";")]
    return [rank.lower() + suit[0] for suit, *ranks in suits for rank in ranks]


def legal_in_words(turn: str) -> list[str]:
    """Read what may be played out of a sentence that asks for a card."""
    told = turn.partition("You may play ")[2]
    if not told:
        return cards_in_words(turn)
    ranks = {"jack": "j", "queen": "q", "king": "k", "ace": "a"}
    found = re.findall(r"(\w+) of (clubs|diamonds|spades|hearts)", told)
    return [ranks.get(rank, rank) + suit[0] for rank, suit in found]


def test_host__gives_seats_that_stay_free_to_computer_players_and_comes_back_to_them(
    tmp_path: Path,
) -> None:
    arguments = ("--seats", "3", "--hands", "1", "--pace", "0", "--line", *LOOPBACK)
    with Program("host", "Sunday", "--port", "0", *arguments, home=tmp_path) as person:
        person.wait_line('"bot" seats a computer player')
        person.type("bot")
        person.type("bot")
        person.wait_line("Lena, ready.")
        person.type("bot")
        person.wait_line("There is no free seat for a computer player.")
        person.type("ready")
        person.wait_line("Your hand: ")
        person.type("quit")
        person.type("yes")
        left = person.end()
    assert (left.code, "this brings you back" in left.err) == (4, True)
    back = ("resume", "--auto", "easy", "--pace", "0", "--events")
    with Program(*back, home=tmp_path) as person:
        assert person.wait_event("done", 400)["ended"]
        assert person.end().code == 0
