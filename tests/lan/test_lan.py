"""Four hosts on one cable find each other by multicast DNS alone and play, whatever breaks."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lan.network import Lan
from tests.programs import Program, audited

pytestmark = pytest.mark.lan

PLAYERS = ("Ana", "Budi", "Caio", "Dewi")
PULLED_SECONDS = 10.0
WHOLE_MATCH = 180.0


@pytest.fixture
def lan() -> Iterator[Lan]:
    with Lan(len(PLAYERS)) as lan:
        yield lan


class Game:
    """One ``p2p-hearts`` on every host; the first one opens the table."""

    def __init__(self, lan: Lan, folder: Path) -> None:
        self.programs: dict[int, Program] = {}
        self._lan = lan
        self._folder = folder
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Game:
        return self

    def __exit__(self, *error: object) -> None:
        if error[0] is not None:
            for program in self.programs.values():
                print(program.story())
        self._stack.close()

    def start(self, number: int, *options: str, hands: int = 2) -> Program:
        """Open the table on host 0, or look for it by its name on another."""
        command = ["join", "Sunday"] if number else ["host", "Sunday", "--hands", str(hands)]
        program = self._lan.start(
            number,
            *command,
            *("--auto", "normal", "--pace", "0", "--nick", PLAYERS[number], "--events"),
            *options,
            home=self._folder / PLAYERS[number],
        )
        self.programs[number] = self._stack.enter_context(program)
        return program

    def finish(self) -> None:
        """Every process ends by itself, without a complaint; the logs are clean and equal."""
        for program in self.programs.values():
            ended = program.end(WHOLE_MATCH)
            assert (ended.code, ended.err) == (0, "")
        logs = [program.log for program in self.programs.values()]
        report = audited(*logs)
        assert report["verdict"] == "clean"
        assert report["hands"] == 2
        assert {player["nick"] for player in report["players"]} == set(PLAYERS)
        assert sum(report["totals"]) in (26 * 2, 26 + 78, 78 * 2)
        for program in self.programs.values():
            *_, told = [event for event in program.events if event["event"] == "hand"]
            assert told["totals"] == report["totals"]
        for log in logs:
            alone = audited(log)
            assert (alone["verdict"], alone["scores"]) == ("clean", report["scores"])


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (1, 2, 0, 3), (3, 2, 1, 0)])
def test_lan__four_hosts_find_each_other_and_play_two_hands(
    lan: Lan, tmp_path: Path, order: tuple[int, ...]
) -> None:
    with Game(lan, tmp_path) as game:
        for number in order:
            game.start(number)
            time.sleep(0.7)
        began = time.monotonic()
        for program in game.programs.values():
            program.wait_event("formed")
        print(f"formed {time.monotonic() - began:.1f} s after the last of {order} was started")
        game.finish()


def test_lan__a_guest_plays_with_the_computer_players_of_another_host(
    lan: Lan, tmp_path: Path
) -> None:
    common = ("--auto", "normal", "--pace", "0", "--events")
    with lan.start(
        0, "host", "Sunday", "--hands", "1", "--bots", "2", *common, home=tmp_path / "Ana"
    ) as opener:
        (line,) = opener.wait_event("open")["join"]
        assert f" {lan.address(0)}:" in line
        with lan.start(1, "join", line.split()[-1], *common, home=tmp_path / "Budi") as guest:
            ends = [program.end(WHOLE_MATCH) for program in (opener, guest)]
            assert [(ended.code, ended.err) for ended in ends] == [(0, "")] * 2
            assert audited(opener.log, guest.log)["verdict"] == "clean"


def test_lan__the_list_tells_living_tables_from_dead_ones(lan: Lan, tmp_path: Path) -> None:
    quick = ("--auto", "normal", "--events")
    with (
        lan.start(0, "host", "Sunday", *quick, "--seats", "3", home=tmp_path / "a") as sunday,
        lan.start(1, "host", "Monday", *quick, "--code", home=tmp_path / "b") as monday,
    ):
        for opener in (sunday, monday):
            opener.wait_event("open")
        rows = listed(lan, tmp_path)
        assert {name: (row["live"], row["free"]) for name, row in rows.items()} == {
            "Sunday": (True, 2),
            "Monday": (True, 3),
        }
        assert (rows["Sunday"]["coded"], rows["Monday"]["coded"]) == (False, True)
        assert str(rows["Sunday"]["join"]).startswith(f"{lan.address(0)}:")
        with lan.start(2, "tables", "--wait", "2", home=tmp_path / "d") as listing:
            told = listing.end(30)
        assert told.code == 0
        assert "Monday" in told.out
        assert "2 of 3 seats free" in told.out
        assert f"p2p-hearts join {rows['Sunday']['join']}" in told.out
        monday.process.kill()
        monday.process.wait(10)
        sunday.stop()
        sunday.end(30)
        left = {name: row["live"] for name, row in listed(lan, tmp_path, code=None).items()}
        assert left in ({}, {"Monday": False})


def listed(lan: Lan, folder: Path, code: int | None = 0) -> dict[str, dict[str, object]]:
    """Return the tables that a third host hears of, by name."""
    with lan.start(2, "tables", "--json", "--wait", "2", home=folder / "c") as listing:
        ended = listing.end(30)
    assert ended.err == ""
    assert code is None or ended.code == code
    return {row["name"]: row for row in json.loads(ended.out)}


@pytest.mark.parametrize("unlucky", [0, 2], ids=["founder", "guest"])
def test_lan__a_cable_pulled_in_the_middle_of_a_hand_loses_and_doubles_nothing(
    lan: Lan, tmp_path: Path, unlucky: int
) -> None:
    with Game(lan, tmp_path) as game:
        for number in range(len(PLAYERS)):
            game.start(number)
        game.programs[1].wait_event("progress", hand=1, tricks=4)
        lan.pull(unlucky)
        pulled = time.monotonic()
        time.sleep(1)
        before = {number: tricks(program) for number, program in game.programs.items()}
        time.sleep(PULLED_SECONDS - 1)
        assert before == {number: tricks(program) for number, program in game.programs.items()}
        assert all(hand == 1 and played < 13 for hand, played in before.values())
        lan.plug(unlucky)
        plugged = time.monotonic()
        away = game.programs[unlucky]
        away.wait(lambda: tricks(away) > before[unlucky] or None)
        print(f"away {plugged - pulled:.1f} s, playing {time.monotonic() - plugged:.1f} s after")
        game.finish()


def tricks(program: Program) -> tuple[int, int]:
    """Return the hand and the number of tricks that a program has told of last."""
    told = [event for event in program.events if event["event"] == "progress"]
    return told[-1]["hand"], told[-1]["tricks"]
