"""Work in threads and processes, and the line that says how far it is."""

from __future__ import annotations

import os
from functools import partial
from io import StringIO
from pathlib import Path

import pytest

from p2p_hearts.commands import audit, working
from p2p_hearts.commands.audit import audit_files
from p2p_hearts.commands.progress import FollowedLog, Progress
from p2p_hearts.commands.working import Workers
from p2p_hearts.record.audit import Verdict
from tests.record.games import honest_game
from tests.record.maker import write


def test_workers__run_processes_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(working, "cores", lambda: 2)
    with Workers(processes=True) as workers:
        assert workers.start(os.getpid)() != os.getpid()
    with Workers(processes=False) as workers:
        assert workers.start(os.getpid)() == os.getpid()


def test_workers__leave_work_to_this_process_if_theirs_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(working, "cores", lambda: 2)
    with Workers(processes=True) as workers:
        waiting = workers.start(partial(end_other_process, os.getpid()))
        assert waiting() == os.getpid()
        assert workers.start(os.getpid)() == os.getpid()


def end_other_process(own: int) -> int:
    if os.getpid() != own:
        os._exit(3)
    return own


def test_audit__says_the_same_in_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.hearts"
    path.write_bytes(honest_game().log())
    monkeypatch.setattr(working, "cores", lambda: 2)
    monkeypatch.setattr(audit, "LONG_BYTES", 1)
    in_processes = audit_files([path])
    monkeypatch.setattr(audit, "LONG_BYTES", 1 << 40)
    assert in_processes.verdict is Verdict.CLEAN
    assert in_processes.to_dict() == audit_files([path]).to_dict()


# Progress.


class Terminal(StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


class Clock:
    """Two tenths of a second pass between two looks."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.2
        return self.now


LOG = Path("game.hearts")


def test_progress__shows_hands_and_percent_on_a_terminal() -> None:
    terminal = Terminal()
    progress = Progress(terminal, {LOG: 1000}, Clock())
    progress.told(2, 10)
    progress.read(LOG, 250)
    assert terminal.getvalue() == "\rAuditing: 2 of 10 hands done, 25%"
    progress.told(1, None)
    progress.read(LOG, 300)
    shown = terminal.getvalue().split("\r")[-1]
    assert shown.rstrip() == "Auditing: 1 hand done, 30%"
    assert len(shown) == len("Auditing: 2 of 10 hands done, 25%"), "all is drawn over"


def test_progress__wipes_its_line() -> None:
    terminal = Terminal()
    progress = Progress(terminal, {LOG: 1000}, Clock())
    progress.end()
    assert terminal.getvalue() == ""
    progress.read(LOG, 500)
    progress.end()
    line, wiped, rest = terminal.getvalue().split("\r")[1:]
    assert wiped == " " * len(line)
    assert rest == ""


def test_progress__is_silent_in_a_pipe() -> None:
    pipe = StringIO()
    progress = Progress(pipe, {LOG: 1000}, Clock())
    progress.told(2, 10)
    progress.read(LOG, 500)
    progress.end()
    assert pipe.getvalue() == ""


def test_progress__draws_seldom() -> None:
    terminal = Terminal()
    progress = Progress(terminal, {LOG: 1000}, lambda: 0.0)
    progress.read(LOG, 500)
    assert terminal.getvalue() == ""


def test_progress__follows_the_reading_of_a_log(tmp_path: Path) -> None:
    path = tmp_path / "game.hearts"
    path.write_bytes(write(honest_game().records()[:9]))
    terminal = Terminal()
    log = FollowedLog(path, Progress(terminal, {path: path.stat().st_size}, Clock()))
    assert len(list(log)) == len(list(log)) == 9
    assert terminal.getvalue().endswith("100%")
