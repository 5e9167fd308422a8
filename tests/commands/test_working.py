"""Work in threads and processes, and the line that says how far it is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from functools import partial
from io import StringIO
from pathlib import Path

import pytest

from p2p_hearts.commands import audit, working
from p2p_hearts.commands.audit import audit_files
from p2p_hearts.commands.progress import FollowedLog, Progress
from p2p_hearts.commands.working import Workers, forks_whole
from p2p_hearts.record.audit import Verdict
from tests.programs import LONG
from tests.record.games import honest_game
from tests.record.maker import write


@pytest.fixture(autouse=True)
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(working, "cores", lambda: 2)


@pytest.mark.parametrize(
    ("forks", "much", "elsewhere"),
    [(False, True, True), (True, False, True), (False, False, False)],
)
def test_workers__run_processes_of_their_own_where_these_cost_little(
    monkeypatch: pytest.MonkeyPatch, forks: bool, much: bool, elsewhere: bool
) -> None:
    monkeypatch.setattr(working, "forks_whole", lambda: forks)
    with Workers(much=much) as workers:
        assert (workers.start(os.getpid)() != os.getpid()) == elsewhere


def test_workers__are_threads_on_one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(working, "cores", lambda: 1)
    with Workers(much=True) as workers:
        assert workers.start(os.getpid)() == os.getpid()


def test_workers__are_not_forked_beside_a_thread() -> None:
    end = threading.Event()
    thread = threading.Thread(target=end.wait)
    thread.start()
    try:
        assert not forks_whole()
    finally:
        end.set()
        thread.join()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is forked")
def test_workers__are_forked_in_a_process_of_one_thread() -> None:
    print_it = "from p2p_hearts.commands.working import forks_whole; print(forks_whole())"
    assert run([sys.executable, "-c", print_it]).stdout == "True\n"


def test_workers__are_not_forked_where_threads_cannot_be_counted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(working, "TASKS", tmp_path / "nothing")
    assert not forks_whole()


KILLED = """
import os, signal
from p2p_hearts.commands import working
working.cores = lambda: 2
working.forks_whole = lambda: {forks}
if __name__ == "__main__":
    workers = working.Workers(much=True)
    print(len({{workers.start(os.getpid)(), os.getpid()}}), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("forks", [True, False])
def test_workers__end_with_a_process_that_is_killed(tmp_path: Path, forks: bool) -> None:
    script = tmp_path / "killed.py"
    script.write_text(KILLED.format(forks=forks))
    # The pipe is at its end once nobody holds it any more: the workers, too, have it open.
    killed = run([sys.executable, str(script)])
    assert killed.returncode == -signal.SIGKILL
    assert killed.stdout == "2\n"


def run(command: list[str]) -> subprocess.CompletedProcess[str]:
    root = str(Path(working.__file__).parents[2])
    return subprocess.run(
        command,
        stdout=subprocess.PIPE,
        text=True,
        timeout=LONG,
        env={**os.environ, "PYTHONPATH": root},
        check=False,
    )


def test_workers__leave_work_to_this_process_if_theirs_end() -> None:
    with Workers(much=True) as workers:
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
    monkeypatch.setattr(audit, "LONG_BYTES", 1)
    in_processes = audit_files([path])
    monkeypatch.setattr(audit, "LONG_BYTES", 1 << 40)
    monkeypatch.setattr(working, "forks_whole", lambda: False)
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
