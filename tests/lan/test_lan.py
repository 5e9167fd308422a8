"""Four hosts on one cable find each other by multicast DNS alone and play, whatever breaks."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.held import Decision
from tests.lan.network import Lan
from tests.programs import Ended, Program, audited

pytestmark = pytest.mark.lan

PLAYERS = ("Ana", "Budi", "Caio", "Dewi")
PULLED_SECONDS = 8.0
"""Longer than the six seconds after which a silent line is hung up."""

WHOLE_MATCH = 300.0


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

    def start(
        self,
        number: int,
        *options: str,
        hands: int = 2,
        where: str = "",
        hold: Decision | None = None,
    ) -> Program:
        """Open the table on host 0, or look for it on another: by its name, or at an address."""
        command = ["host", "Sunday", "--hands", str(hands)]
        if number:
            command = ["join", where or "Sunday", "--wait", "300"]
        program = self._lan.start(
            number,
            *command,
            *("--auto", "normal", "--pace", "0", "--nick", PLAYERS[number], "--events"),
            *options,
            home=self._folder / PLAYERS[number],
            hold=hold,
        )
        self.programs[number] = self._stack.enter_context(program)
        return program

    def resume(self, number: int, *options: str) -> Program:
        """Come back to the table, with the log and the secrets that this player has."""
        program = self._lan.start(
            number,
            *("resume", "Sunday", "--auto", "normal", "--pace", "0", "--events"),
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
        report = audited_alike(*logs)
        assert report["hands"] == 2
        assert {player["nick"] for player in report["players"]} == set(PLAYERS)
        assert sum(report["totals"]) in (26 * 2, 26 + 78, 78 * 2)
        for program in self.programs.values():
            *_, told = [event for event in program.events if event["event"] == "hand"]
            assert told["totals"] == report["totals"]


def audited_alike(*logs: Path) -> dict[str, Any]:
    """Audit logs that must be whole, clean and of one history; return the JSON."""
    report = audited(*logs)
    assert report["verdict"] == "clean"
    assert len(report["logs"]) == len(logs)
    for alone in report["logs"]:
        assert (alone["verdict"], alone["scores"]) == ("clean", report["scores"])
    return report


def test_lan__four_hosts_find_each_other_and_play_two_hands(lan: Lan, tmp_path: Path) -> None:
    """Two look for the table before there is one, one afterwards."""
    with Game(lan, tmp_path) as game:
        for number in (1, 2):
            game.start(number)
        time.sleep(1)
        game.start(0).wait_event("open", WHOLE_MATCH)
        began = time.monotonic()
        game.start(3)
        for program in game.programs.values():
            program.wait_event("formed", WHOLE_MATCH)
        print(f"formed {time.monotonic() - began:.1f} s after the last one was started")
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
            audited_alike(opener.log, guest.log)


def test_lan__the_list_tells_living_tables_from_dead_ones(lan: Lan, tmp_path: Path) -> None:
    quick = ("--auto", "normal", "--events")
    with (
        lan.start(0, "host", "Sunday", *quick, "--seats", "3", home=tmp_path / "a") as sunday,
        lan.start(1, "host", "Monday", *quick, "--code", home=tmp_path / "b") as monday,
    ):
        for opener in (sunday, monday):
            opener.wait_event("open")
        both = {"Sunday": (True, 2), "Monday": (True, 3)}
        rows = dict[str, dict[str, object]]()
        deadline = time.monotonic() + WHOLE_MATCH
        while (told := {n: (row["live"], row["free"]) for n, row in rows.items()}) != both:
            assert time.monotonic() < deadline, told
            rows = listed(lan, tmp_path)
        assert (rows["Sunday"]["coded"], rows["Monday"]["coded"]) == (False, True)
        assert str(rows["Sunday"]["join"]).startswith(f"{lan.address(0)}:")
        lines = ("Monday", "2 of 3 seats free", f"p2p-hearts join {rows['Sunday']['join']}")
        shown = told_to_a_person(lan, tmp_path)
        while not (shown.code == 0 and all(line in shown.out for line in lines)):
            assert time.monotonic() < deadline, shown
            shown = told_to_a_person(lan, tmp_path)
        monday.process.kill()
        monday.process.wait(60)
        sunday.stop()
        sunday.end()
        left = {name: row["live"] for name, row in listed(lan, tmp_path).items()}
        assert left in ({}, {"Monday": False})


def told_to_a_person(lan: Lan, folder: Path) -> Ended:
    """List the tables that a third host hears of."""
    with lan.start(2, "tables", "--wait", "4", home=folder / "d") as listing:
        return listing.end()


def listed(lan: Lan, folder: Path) -> dict[str, dict[str, object]]:
    """Return the tables that a third host hears of in time, by name."""
    with lan.start(2, "tables", "--json", "--wait", "2", home=folder / "c") as listing:
        ended = listing.end()
    assert ended.err == ""
    return {row["name"]: row for row in json.loads(ended.out)}


@pytest.mark.parametrize("unlucky", [0, 2], ids=["founder", "guest"])
def test_lan__a_cable_pulled_in_the_middle_of_a_hand_loses_and_doubles_nothing(
    lan: Lan, tmp_path: Path, unlucky: int
) -> None:
    with Game(lan, tmp_path) as game:
        for number in range(len(PLAYERS)):
            game.start(number, hold=(1, 4) if number == 1 else None)
        game.programs[1].wait_held(1, 4, WHOLE_MATCH)
        lan.pull(unlucky)
        game.programs[1].let_go()
        pulled = time.monotonic()
        for number, program in game.programs.items():
            if number != unlucky:
                waits_for(program, [PLAYERS[unlucky]])
        before = {number: tricks(program) for number, program in game.programs.items()}
        time.sleep(PULLED_SECONDS)
        for number, program in game.programs.items():
            # What was on its way when the cable was pulled may have ended one trick.
            assert sum(tricks(program)) <= sum(before[number]) + 1
        lan.plug(unlucky)
        plugged = time.monotonic()
        away = game.programs[unlucky]
        away.wait(lambda: tricks(away) > before[unlucky] or is_done(away) or None, WHOLE_MATCH)
        print(f"away {plugged - pulled:.1f} s, playing {time.monotonic() - plugged:.1f} s after")
        game.finish()


GRACE = 15


def test_lan__without_two_the_table_waits_for_them_and_is_resumed_at_other_addresses(
    lan: Lan, tmp_path: Path
) -> None:
    """The founder among them; days later everybody has another address and another port."""
    gone, left = (0, 2), (1, 3)
    with Game(lan, tmp_path) as game:
        game.start(0, "--grace", str(GRACE))
        for number in (1, 2, 3):
            game.start(number, hold=(1, 4) if number == 1 else None)
        game.programs[1].wait_held(1, 4, WHOLE_MATCH)
        for number in gone:
            game.programs[number].process.kill()
        game.programs[1].let_go()
        for number in left:
            waits_for(game.programs[number], [PLAYERS[number] for number in gone])
        before = {number: tricks(game.programs[number]) for number in left}
        time.sleep(GRACE + 5)
        for number in left:
            waits_for(game.programs[number], [PLAYERS[number] for number in gone])
            assert sum(tricks(game.programs[number])) <= sum(before[number]) + 1
            game.programs[number].stop()
            game.programs[number].end(WHOLE_MATCH)
        for number in range(len(PLAYERS)):
            lan.move(number)
            (seat,) = (tmp_path / PLAYERS[number] / "seats").iterdir()
            values = json.loads(seat.read_text())
            values["port"] = 0
            seat.write_text(json.dumps(values))
        port = game.resume(3).wait_event("listening", WHOLE_MATCH)["table_port"]
        for number in (0, 1, 2):
            game.resume(number, "--at", f"{lan.address(3)}:{port}")
        game.finish()


def waits_for(program: Program, names: list[str]) -> None:
    """Wait until a program has told last that it waits, and for nobody but these."""

    def found() -> bool | None:
        told = [event["names"] for event in program.events if event["event"] == "waiting"]
        return True if told and told[-1] and set(told[-1]) <= set(names) else None

    program.wait(found, WHOLE_MATCH)


def is_done(program: Program) -> bool:
    """Whether a program has told that its match is over."""
    return any(event["event"] == "done" for event in program.events)


def tricks(program: Program) -> tuple[int, int]:
    """Return the hand and the number of tricks that a program has told of last."""
    told = [event for event in program.events if event["event"] == "progress"]
    return told[-1]["hand"], told[-1]["tricks"]
