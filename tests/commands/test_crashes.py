"""A failure of the program: one sentence, a report without secrets, never a traceback."""

from __future__ import annotations

import base64
import logging
import secrets
import shlex
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p_hearts import cli
from p2p_hearts.arguments import make_parser
from p2p_hearts.cli import CRASHED, run_command
from p2p_hearts.commands import crashes, rules
from p2p_hearts.commands.crashes import KEPT_REPORTS, MOST_REPORTS, Reporter, crash_sentence, scrub
from tests.e2e.test_secrets import forms


@pytest.fixture(autouse=True)
def _handlers() -> Iterator[None]:
    """Leave logging and the hooks as they were."""
    root, own = logging.getLogger(), logging.getLogger("p2p_hearts")
    before = list(root.handlers), root.level, own.level, threading.excepthook
    yield
    root.handlers[:], threading.excepthook = before[0], before[3]
    root.setLevel(before[1])
    own.setLevel(before[2])


def crash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception) -> Path:
    """Let the command ``rules`` fail; return its report."""

    def broken(arguments: object) -> int:
        key = error.args
        raise error from ValueError(f"because of {key}")

    monkeypatch.setattr(rules, "run", broken)
    home = tmp_path / "home"
    arguments = make_parser().parse_args(["rules", "--home", str(home)])
    logging.getLogger("p2p_hearts.test").info("the line to 10.0.0.4 stands")
    assert run_command(arguments) == CRASHED
    (report,) = (home / "crashes").iterdir()
    return report


def test_crash__is_a_sentence_and_a_report_and_no_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    report = crash(tmp_path, monkeypatch, KeyError("a cup of tea"))
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert told.err.startswith("p2p-hearts: This program has failed")
    assert str(report) in told.err
    text = report.read_text()
    assert "command rules" in text
    assert "in broken" in text
    assert "KeyError: 'a cup of tea'" in text
    assert "ValueError: because of" in text
    assert stat.S_IMODE(report.stat().st_mode) == 0o600
    assert stat.S_IMODE(report.parent.stat().st_mode) == 0o700


def test_crash__report_holds_no_secret_in_any_form(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = secrets.token_bytes(32)
    number = int.from_bytes(secret, "little")
    told = f"{secret!r} {secret.hex()} {number} {base64.b64encode(secret).decode()} {number:x}"
    report = crash(tmp_path, monkeypatch, ValueError(told, secret, number))
    data = report.read_bytes()
    assert b"ValueError" in data
    assert not [form for form in forms(secret) if form in data]
    assert repr(secret)[2:20].encode() not in data
    assert str(number)[:14].encode() not in data


def test_crash__without_a_place_to_write_is_told_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "crashes").write_text("a file")
    assert Reporter(tmp_path, "host").report(ValueError()) is None
    assert "could not be written" in crash_sentence(None, "rules", None)
    told = crash_sentence(None, "host", Path("/my home"))
    assert told.endswith("this brings you back to it: p2p-hearts resume --home '/my home'")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a number 12345 and a word", True),
        ("key b'\\x01\\x02'", False),
        ("0123456789abcdef", False),
        ("1234567890123", False),
        ("y" * 28, False),
        ("said b\\'Q\\x8f u\\x02\\'", False),
        ("ValueError: it is not there", True),
    ],
)
def test_scrub__leaves_words_and_takes_what_could_be_a_key(text: str, left: bool) -> None:
    assert (scrub(text, message=True) == text) is left


def test_scrub__leaves_places_in_the_source() -> None:
    place = (
        '  File "/usr/lib/python3.11/site-packages/p2p_hearts/node/watching.py", line 12, in run'
    )
    assert scrub(place, message=False) == place


def run_with(shell: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the program with its streams as a shell redirects them."""
    command = shlex.join([sys.executable, "-m", "p2p_hearts", *arguments])
    return subprocess.run(
        ["sh", "-c", f"{command} {shell}"], capture_output=True, text=True, check=False
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has a device that is full")
@pytest.mark.parametrize("command", ["rules", "settings"])
def test_output__that_cannot_be_written_is_told_and_no_crash(tmp_path: Path, command: str) -> None:
    ended = run_with(">/dev/full", command, "--home", str(tmp_path))
    assert ended.returncode == cli.UNWRITTEN
    assert ended.stderr == (
        "p2p-hearts: The answer cannot be written: No space left on device. "
        "Make room, or send it elsewhere.\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_home__a_current_folder_that_is_gone_is_no_crash(tmp_path: Path) -> None:
    program = shlex.join([sys.executable, "-m", "p2p_hearts"])
    gone = tmp_path / "gone"
    gone.mkdir()
    for command, code in (("rules --home mine", 0), ("resume --home mine", 2)):
        ended = subprocess.run(
            ["sh", "-c", f"cd {shlex.quote(str(gone))} && rmdir ../gone; {program} {command}"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (ended.returncode, gone.exists()) == (code, False)
        gone.mkdir()
    assert "the folder mine cannot be used: No such file or directory" in ended.stderr


@pytest.mark.parametrize("closed", [">&- 2>&-", "<&- >&- 2>&-"])
def test_output__to_streams_that_were_closed_is_thrown_away(tmp_path: Path, closed: str) -> None:
    assert run_with(closed, "rules", "--home", str(tmp_path)).returncode == 0
    assert run_with(closed, "settings", "nonsense", "--home", str(tmp_path)).returncode == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("multicast")
@pytest.mark.parametrize("command", ["join", "play", "host"])
def test_input__that_was_closed_is_as_one_that_has_ended(tmp_path: Path, command: str) -> None:
    more = ["--wait", "0.1"] if command == "join" else ["--line"]
    arguments = [command, *more, "--home", str(tmp_path)]
    if command != "play":
        arguments += ["--interface", "127.0.0.1"]
    closed, ended = run_with("<&-", *arguments), run_with("</dev/null", *arguments)
    assert closed.stderr == ended.stderr
    assert closed.returncode == ended.returncode == (3 if command == "join" else 4)
    assert not (tmp_path / "crashes").exists()


@pytest.mark.parametrize("arguments", [["rules"], ["rules", "--help"], ["rules", "ninguém"]])
def test_output__letters_that_a_terminal_lacks_end_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    monkeypatch.setenv("P2P_HEARTS_HOME", str(tmp_path))
    ended = run_with("", *arguments, "--lang", "pt")
    assert ended.returncode == (2 if "ninguém" in arguments else 0)
    assert "?" in ended.stdout + ended.stderr
    assert "Traceback" not in ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_background__failures_are_reported_and_not_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reporter = Reporter(tmp_path, "host")
    reporter.install()
    log = logging.getLogger("p2p_hearts.test")
    log.info("before it")
    for _ in range(MOST_REPORTS + 3):
        try:
            raise ZeroDivisionError
        except ZeroDivisionError:
            log.exception("A task failed and starts again.")
    reports = sorted((tmp_path / "crashes").iterdir())
    assert len(reports) == MOST_REPORTS
    assert "ZeroDivisionError" in reports[0].read_text()
    assert "before it" in reports[0].read_text()
    assert "Traceback" not in capsys.readouterr().err


def test_thread__that_fails_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Reporter(tmp_path, "host").install()
    thread = threading.Thread(target=lambda: [].pop())
    thread.start()
    thread.join()
    (report,) = (tmp_path / "crashes").iterdir()
    assert "IndexError" in report.read_text()
    assert capsys.readouterr().err == ""


def test_reports__so_many_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / crashes.FOLDER
    folder.mkdir()
    for number in range(KEPT_REPORTS + 5):
        (folder / f"2020-01-01-{number:06}-1-1.txt").write_text("old")
    path = Reporter(tmp_path, "rules").report(ValueError())
    assert path is not None
    assert len(list(folder.iterdir())) == KEPT_REPORTS
    assert path.exists()


def test_crash__before_any_command_is_a_sentence_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(argv: object) -> str | None:
        raise ZeroDivisionError

    monkeypatch.setattr(cli, "remembered_language", broken)
    assert cli.main(["rules", "--home", str(tmp_path)]) == CRASHED
    told = capsys.readouterr().err
    assert told.startswith("p2p-hearts: This program has failed")
    assert told.count("\n") == 1
    assert len(list((tmp_path / "crashes").iterdir())) == 1
