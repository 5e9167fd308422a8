"""Processes that die in the middle of a match and come back with ``resume``."""

from __future__ import annotations

import contextlib
import json
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.e2e.tables import LOOPBACK, address_of, bot, host
from tests.held import Decision
from tests.programs import Program, audited, run

NAMES = ("Ana", "Rui", "Dewi", "Sari")
PACE = ("--pace", "0.03")


class Evening:
    """Four processes at one table, each of which may be killed and brought back."""

    def __init__(
        self,
        folder: Path,
        stack: contextlib.ExitStack,
        *arguments: str,
        hold: Decision | None = None,
    ) -> None:
        """``hold``: the decision at which Rui, whom nobody kills, is held."""
        self.folder = folder
        self._stack = stack
        founder = stack.enter_context(host(folder, *arguments, *PACE))
        self.where = where = address_of(founder)
        holds = (hold, None, None)
        others = [
            stack.enter_context(bot(folder, where, name, *PACE, hold=at))
            for name, at in zip(NAMES[1:], holds, strict=True)
        ]
        self.programs = dict(zip(NAMES, [founder, *others], strict=True))

    def kill(self, name: str) -> None:
        program = self.programs[name]
        program.process.send_signal(signal.SIGKILL)
        program.process.wait(60)

    def resume(self, name: str, *arguments: str) -> None:
        program = Program(
            *("resume", "Sunday", "--events", "--auto", "normal", *PACE, *LOOPBACK, *arguments),
            home=self.folder / name,
        )
        self.programs[name] = self._stack.enter_context(program)

    def log(self, name: str) -> Path:
        (found,) = (self.folder / name / "games").glob("*.hearts")
        return found

    def check_ends_clean(self, names: Sequence[str] = NAMES) -> None:
        """These end the match, and their logs tell one clean history."""
        for name in names:
            assert self.programs[name].wait_event("done", 400)["ended"], name
            assert self.programs[name].end().code == 0, name
        ended = run("audit", "--json", *(str(self.log(name)) for name in names))
        report = json.loads(ended.out)
        assert (ended.code, report["verdict"]) == (0, "clean"), report["summary"]
        for name in names:
            home = self.folder / name
            assert not list((home / "secrets").iterdir()), "secrets are left after the match"
            assert not list((home / "seats").iterdir()), "a seat is left after the match"


def held_evening(folder: Path, stack: contextlib.ExitStack, card: int, *arguments: str) -> Evening:
    """Bring a match of one hand, if nothing else is said, to where Rui would play this card."""
    arguments = arguments or ("--hands", "1")
    evening = Evening(folder, stack, *arguments, hold=(1, card))
    evening.programs["Rui"].wait_held(1, card)
    return evening


@pytest.fixture
def stack() -> Iterator[contextlib.ExitStack]:
    with contextlib.ExitStack() as stack:
        yield stack


def test_resume__after_kills_one_by_one_loses_and_doubles_nothing(
    tmp_path: Path, stack: contextlib.ExitStack
) -> None:
    """The founder among them, in the deal and in the play, twice the same."""
    evening = Evening(tmp_path, stack, "--hands", "2", hold=(1, 2))
    rui = evening.programs["Rui"]
    rui.wait_event("formed")
    evening.kill("Ana")
    evening.resume("Ana")
    for name, number, following in (("Dewi", 2, 3), ("Dewi", 3, 4), ("Ana", 4, 5)):
        rui.wait_held(1, number)
        evening.kill(name)
        rui.let_go((1, following))
        evening.resume(name)
    # The founder's door is open again: somebody new may watch.
    evening.programs["Ana"].wait_event("listening")
    watching = ("watch", evening.where, "--nick", "Wira", "--line", *LOOPBACK)
    watcher = stack.enter_context(Program(*watching, home=tmp_path / "Wira"))
    watcher.wait_line("You watch this table")
    rui.let_go()
    evening.check_ends_clean()
    ended = watcher.end()
    assert (ended.code, ended.err) == (0, "")
    assert "Totals:" in ended.out


def test_resume__of_a_host_brings_its_computer_players_back(
    tmp_path: Path, stack: contextlib.ExitStack
) -> None:
    """They stop with their host, which is killed here, and would be waited for for good."""
    home = tmp_path / "Ana"
    killed = stack.enter_context(
        host(tmp_path, "--bots", "2", "--seats", "3", "--hands", "1", *PACE, hold=(1, 3))
    )
    killed.wait_held(1, 3)
    killed.process.send_signal(signal.SIGKILL)
    killed.process.wait(60)
    (folder,) = (home / "computers").iterdir()
    assert sorted(path.name for path in folder.glob("bot-?")) == ["bot-0", "bot-1"]
    back = stack.enter_context(
        Program("resume", "--events", "--auto", "normal", *PACE, *LOOPBACK, home=home)
    )
    assert back.wait_event("done", 400)["ended"]
    assert back.end().code == 0
    assert audited(back.log)["verdict"] == "clean"
    assert list((home / "computers").iterdir()) == [], "nothing is left to come back to"
    assert not (home / "players.json").exists(), "its own computer players are no acquaintances"


def test_resume__of_two_at_once_goes_on(tmp_path: Path, stack: contextlib.ExitStack) -> None:
    evening = held_evening(tmp_path, stack, 3)
    evening.kill("Ana")
    evening.kill("Sari")
    evening.programs["Rui"].let_go()
    evening.resume("Sari")
    evening.resume("Ana")
    evening.check_ends_clean()


def test_resume__of_all_four_from_their_logs_at_other_ports_goes_on(
    tmp_path: Path, stack: contextlib.ExitStack
) -> None:
    """Days later: everybody gone, every port taken by somebody else or told by nobody but one."""
    evening = held_evening(tmp_path, stack, 4)
    for name in NAMES:
        evening.kill(name)
    for name in NAMES:
        (seat,) = (tmp_path / name / "seats").iterdir()
        values = json.loads(seat.read_text())
        values["port"] = 0
        seat.write_text(json.dumps(values))
    evening.resume("Rui")
    port = evening.programs["Rui"].wait_event("listening")["table_port"]
    for name in ("Ana", "Dewi", "Sari"):
        evening.resume(name, "--at", f"127.0.0.1:{port}")
    evening.check_ends_clean()


def test_resume__with_a_torn_last_record_cuts_it_and_keeps_a_copy(
    tmp_path: Path, stack: contextlib.ExitStack
) -> None:
    evening = held_evening(tmp_path, stack, 2)
    evening.kill("Dewi")
    evening.programs["Rui"].let_go()
    log = evening.log("Dewi")
    log.write_bytes(log.read_bytes()[:-7])
    evening.resume("Dewi")
    evening.check_ends_clean()
    assert [path for path in log.parent.iterdir() if path != log], "no copy of the torn record"


def test_resume__with_a_log_damaged_in_the_middle_fetches_the_rest_from_the_others(
    tmp_path: Path, stack: contextlib.ExitStack
) -> None:
    evening = held_evening(tmp_path, stack, 4)
    evening.kill("Sari")
    evening.programs["Rui"].let_go()
    log = evening.log("Sari")
    data = bytearray(log.read_bytes())
    data[len(data) // 2] ^= 1
    log.write_bytes(data)
    evening.resume("Sari")
    evening.check_ends_clean()
    assert [path.name for path in log.parent.iterdir() if "damaged" in path.name]


@pytest.mark.deep  # two minutes, most of them spent waiting
def test_absence__a_player_that_never_returns_spoils_no_match(
    tmp_path: Path, stack: contextlib.ExitStack
) -> None:
    """Its hand plays itself to the end, and the next one is dealt without a pass to or from it."""
    evening = held_evening(tmp_path, stack, 3, "--hands", "2", "--grace", "15")
    evening.kill("Dewi")
    evening.programs["Rui"].let_go()
    evening.check_ends_clean(["Ana", "Rui", "Sari"])


def test_absence__who_comes_back_after_the_grace_plays_the_next_hand(
    tmp_path: Path, stack: contextlib.ExitStack
) -> None:
    evening = held_evening(tmp_path, stack, 3, "--hands", "2", "--grace", "15")
    evening.kill("Ana")
    rui = evening.programs["Rui"]
    rui.let_go((2, 1))
    rui.wait_event("hand", 400, hand=1)
    evening.resume("Ana")
    # Whether it comes in time to be dealt to is open; the match does not end without it.
    evening.programs["Ana"].wait_event("progress", hand=2)
    rui.let_go()
    evening.check_ends_clean()


def test_resume__without_a_table_to_come_back_to_says_so(tmp_path: Path) -> None:
    ended = run("resume", home=tmp_path)
    assert ended.code == 3
    assert "There is no table to come back to" in ended.err
    assert len(ended.sentences) == 1


def test_resume__while_the_seat_is_played_by_another_process_is_refused(
    tmp_path: Path, stack: contextlib.ExitStack
) -> None:
    evening = held_evening(tmp_path, stack, 1)
    ended = run("resume", home=tmp_path / "Dewi")
    evening.programs["Rui"].let_go()
    assert ended.code == 2
    assert "another p2p-hearts is using" in ended.err
    evening.check_ends_clean()
