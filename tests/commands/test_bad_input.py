"""Wrong input to every command: one clear sentence on stderr, the right exit code, nothing else."""

from __future__ import annotations

import errno
import io
import os
import resource
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NoReturn

import pytest
import zmq

from p2p_hearts.arguments import LEVELS
from p2p_hearts.bots.player import LEVELS as PLAYERS
from p2p_hearts.cli import main
from p2p_hearts.commands import join, progress, tables
from p2p_hearts.record.log import read_log
from p2p_hearts.record.records import Record
from tests.record.games import honest_game

USAGE = 2
NOTHING_FOUND = 3


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str]:
    """Run a command in this process; return its exit code and its only line on stderr."""
    try:
        code = main([str(argument) for argument in arguments])
    except SystemExit as end:
        code = int(end.code or 0)
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("p2p-hearts: ")
    assert said.err.count("\n") == 1, said.err
    return code, said.err.removeprefix("p2p-hearts: ").rstrip("\n")


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["nonsense"], "'nonsense'"),
        (["jion"], "there is no 'jion'; did you mean 'join'? See p2p-hearts --help."),
        (["--nick", "Ana", "join"], "stand after it: p2p-hearts COMMAND --nick"),
        (["--lnag", "pt", "join"], "--lnag is unknown; did you mean --lang?"),
        (["--lang", "en", "--nick=Ana", "join"], "p2p-hearts COMMAND --nick"),
        (["--lang"], "expected one argument"),
        (["join", "--wat", "3"], "did you mean --wait? See p2p-hearts join --help."),
        (["join", "--xyz"], "unrecognized arguments: --xyz; see p2p-hearts join --help"),
        (["host", "Sunday", "table"], "'table' is a word too many; a name of several words"),
        (["resume", "--nick", "Ana"], "unrecognized arguments: --nick; see p2p-hearts resume"),
        (["rules", "black", "lady"], "unrecognized arguments: lady"),
        (["play", "--level", "hrad"], "did you mean 'hard'?"),
        (["play", "--grace", "soon"], "grace: must be a whole number"),
        (["host", "--bots", "two"], "'two' is no number of players"),
        (["host", "A" * 25], "the name of the table holds characters"),
        (["host", " "], "the name of the table is empty"),
        (["join", ""], "The name is empty"),
        (["join", "192.0.2.7"], "'192.0.2.7' has no port: write HOST:PORT"),
        (["rules", "cancelation"], "no preset 'cancelation'; did you mean 'cancellation'?"),
        (["demo", "--preset", "nope"], "no preset 'nope'; the presets are black-lady"),
        (["demo", "--rule", "foo=1"], "foo: is no option"),
        (["demo", "--rule", "foo"], "not of the form KEY=VALUE"),
        (["demo", "--rule", "seats=x"], "must be a whole number"),
        (["demo", "--rule", "moon=1"], "moon"),
        (["demo", "--level", "grandmaster"], "'grandmaster'"),
        (["demo", "--target", "0"], "target: must be 1 to"),
        (["demo", "--target", "x"], "'x'"),
        (["demo", "--hands", "0"], "at least 1 hand"),
        (["demo", "--hands", "-1"], "hands: must be"),
        (["demo", "--hands", "two"], "hands: must be a whole number"),
        (["demo", "--seats", "9"], "seats 3 to 6 players, not 9"),
        (["demo", "--seats", "2"], "not 2"),
        (["demo", "--seats", "9" * 5000], "seats"),
        (["rules", "nope"], "no preset 'nope'"),
        (["host", "--bots", "4"], "--bots must be 0 to 3"),
        (["host", "--bots", "-1"], "--bots must be 0 to 3"),
        (["host", "--port", "65536"], "from 0 (any) to 65500"),
        (["host", "--port", "-1"], "from 0 (any) to 65500"),
        (["host", "--advertise", "localhost"], "no IP address"),
        (["host", "--advertise", "0.0.0.0"], "no IP address"),
        (["host", "--pace", "-1"], "is no time"),
        (["host", "--pace", "nan"], "is no time"),
        (["host", "--auto", "grandmaster"], "'grandmaster'"),
        (["host", "--nick", "Ana\x1b[2J"], "characters that cannot be shown"),
        (["host", "--nick", "Ana\u202e"], "characters that cannot be shown"),
        (["host", "--nick", "A" * 25], "longer than 24"),
        (["host", "--nick", " "], "--nick is empty"),
        (["host", "--home", ""], "the name of the folder is empty"),
        (["host", "--interface", "nope0"], "no network interface nope0"),
        (["host", "--events"], "add --auto"),
        (["join", "--interface", "nope0", "--auto", "normal"], "no network interface nope0"),
        (["join", "127.0.0.1:", "--auto", "normal"], "'' is no port"),
        (["join", "127.0.0.1:99999"], "99999 is no port"),
        (["join", "127.0.0.1:0"], "0 is no port"),
        (["join", "::1:7766"], "in brackets: [::1]:7766"),
        (["join", "Ana#TABLE"], "has no port"),
        (["join", "127.0.0.1:7766#AAAA"], "12 or 16 letters and digits, not 4"),
        (["join", "tcp://127.0.0.1:7766"], "'tcp://127.0.0.1' is no name or address"),
        (["join", "a b:7766"], "no name or address"),
        (["join", "no-such-host.invalid:7766"], "Nobody knows a computer called"),
        (["join", "--wait", "-1"], "is no time"),
        (["join", "--wait", "soon"], "is no time"),
        (["tables", "--interface", "nope0"], "no network interface nope0"),
        (["tables", "--wait", "inf"], "is no time"),
        (["audit"], "LOG"),
        (["completion", "basic"], "'basic'"),
    ],
)
def test_commands__wrong_usage_is_one_sentence_and_code_2(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: list[str], what: str
) -> None:
    is_read = (not arguments[0].startswith("-") and len(arguments) > 1) or arguments == ["audit"]
    home = ["--home", str(tmp_path)] if is_read else []
    code, sentence = complaint(capsys, *arguments, *home)
    assert code == USAGE
    assert what in sentence


def test_rules__tell_which_others_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "omnibus"]) == 0
    told = capsys.readouterr().out
    assert "J♦ takes 10 points off whoever wins it." in told
    assert told.splitlines()[-1].startswith("Rules by name: black-lady, omnibus, spot, ")


def test_help__is_a_command_as_in_many_programs(capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for words in (["help", "play"], ["play", "--help"], ["help"], ["help", "help"], ["--help"]):
        with pytest.raises(SystemExit) as end:
            main(words)
        assert end.value.code == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1] != told[2] == told[3]
    with pytest.raises(SystemExit) as end:
        main(["help", "--lang", "en", "play"])
    assert (end.value.code, capsys.readouterr().out) == (0, told[0])


def test_complaints__that_nobody_reads_leave_the_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    class Closed(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    monkeypatch.setattr("sys.stderr", Closed())
    assert main(["rules", "nope"]) == USAGE


def test_join__nothing_listens_at_the_address(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "seats").mkdir()
    (tmp_path / "seats" / "damaged.json").write_text("")  # in nobody's way
    code, sentence = complaint(capsys, "join", "127.0.0.1:1", "--home", tmp_path)
    assert code == USAGE
    assert sentence.startswith("No table is open at 127.0.0.1:1. Check the address")


@pytest.mark.usefixtures("multicast")
def test_join__no_table_of_that_name(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    arguments = ["--wait", "0.5", "--interface", "127.0.0.1", "--home", str(tmp_path)]
    code, sentence = complaint(capsys, "bot", "Sunday", *arguments)
    assert code == NOTHING_FOUND
    assert "No open table called 'Sunday' was heard of in 0.5 s" in sentence
    assert "p2p-hearts join HOST:PORT#CODE" in sentence


def test_windows__is_told_what_to_do(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", "win32")
    code, sentence = complaint(capsys, "play")
    assert code == USAGE
    assert sentence.endswith("On Windows install it in WSL.")


def test_resume__nothing_to_come_back_to(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, sentence = complaint(capsys, "resume", "--home", tmp_path)
    assert code == NOTHING_FOUND
    assert sentence.startswith("There is no table to come back to")


@pytest.mark.usefixtures("multicast")
def test_join__who_waits_is_told_for_what_and_how_long(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(join, "SILENT_SECONDS", 0.0)
    arguments = ["--wait", "0.5", "--interface", "127.0.0.1", "--home", str(tmp_path)]
    assert main(["bot", "Sunday", *arguments]) == NOTHING_FOUND
    assert capsys.readouterr().out == "Looking for Sunday, for 0.5 s at most; Ctrl-C ends it.\n"
    assert main(["bot", "Sunday", "--events", *arguments]) == NOTHING_FOUND
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("command", ["host", "join", "bot", "play"])
def test_commands__a_home_that_is_no_folder(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str
) -> None:
    (tmp_path / "file").write_text("not a folder")
    code, sentence = complaint(capsys, command, "--home", tmp_path / "file" / "home")
    assert code == USAGE
    assert "cannot be used: Not a directory; choose another one with --home" in sentence


def test_commands__a_home_from_the_environment(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("P2P_HEARTS_HOME", str(tmp_path / "file"))
    code, sentence = complaint(capsys, "join", "127.0.0.1:1")
    assert code == USAGE
    assert str(tmp_path / "file") in sentence


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (None, "cannot be read: No such file or directory"),
        (b"", "the file is empty"),
        (b"root:x:0:0:root:/root:/bin/bash\n", "is no p2p-hearts log"),
        (bytes(100_000), "is no p2p-hearts log"),
        (b"p2p-hearts log 2\n", "written by another version"),
    ],
)
def test_audit__what_is_no_log_is_one_sentence_and_code_2(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes | None, what: str
) -> None:
    path = tmp_path / "game.hearts"
    if content is not None:
        path.write_bytes(content)
    code, sentence = complaint(capsys, "audit", path)
    assert code == USAGE
    assert sentence.startswith(str(path))
    assert what in sentence


def test_audit__a_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, sentence = complaint(capsys, "audit", tmp_path)
    assert (code, sentence) == (USAGE, f"{tmp_path} cannot be read: Is a directory.")


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="Linux has a file of errors")
@pytest.mark.parametrize("command", ["audit", "replay"])
def test_audit__of_a_file_that_can_be_opened_and_not_read(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    code, sentence = complaint(capsys, command, "/proc/self/mem")
    assert (code, sentence) == (USAGE, "/proc/self/mem cannot be read: Input/output error.")


def test_audit__of_a_disk_that_fails_on_the_way(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(path: Path) -> Iterator[Record]:
        yield from islice(read_log(path), 20)
        raise OSError(errno.EIO, "Input/output error")

    path = tmp_path / "game.hearts"
    path.write_bytes(honest_game().log())
    monkeypatch.setattr(progress, "read_log", failing)
    code, sentence = complaint(capsys, "audit", path)
    assert (code, sentence) == (USAGE, f"{path} cannot be read: Input/output error.")


@pytest.mark.parametrize("command", ["audit", "replay"])
def test_audit__of_a_pipe_waits_for_nobody_and_says_what_to_do(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str
) -> None:
    os.mkfifo(tmp_path / "pipe")
    code, sentence = complaint(capsys, command, tmp_path / "pipe")
    assert code == USAGE
    assert "is a pipe or a device" in sentence
    assert "write it into a file first" in sentence


def test_complaint__paints_over_no_screen_by_the_name_of_a_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "a\x1b[31m\u202e.hearts"
    path.write_bytes(b"no log")
    code, sentence = complaint(capsys, "audit", path)
    assert code == USAGE
    assert sentence.isprintable()
    assert "a?[31m?.hearts" in sentence


LONG_NAME = "g" * 300


@pytest.mark.parametrize(
    ("log", "what"),
    [
        ("file", "is there already; name another file."),
        ("file/game.hearts", "cannot be written: Not a directory"),
        (LONG_NAME, "cannot be written: File name too long"),
    ],
)
def test_watch__a_log_that_cannot_be_begun_is_told_before_a_table_is_looked_for(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, log: str, what: str
) -> None:
    (tmp_path / "file").write_text("not a log")
    code, sentence = complaint(
        capsys, "watch", "127.0.0.1:1", "--log", tmp_path / log, "--home", tmp_path / "home"
    )
    assert (code, sentence) == (USAGE, f"{tmp_path / log} {what}")
    assert not (tmp_path / "home").exists()


def test_stats__a_folder_that_cannot_be_read(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = tmp_path / LONG_NAME
    code, sentence = complaint(capsys, "stats", folder)
    assert code in (USAGE, NOTHING_FOUND)
    assert str(folder) in sentence


def test_demo__a_folder_that_cannot_be_made(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("not a folder")
    code, sentence = complaint(capsys, "demo", "--out", tmp_path / "file")
    assert (code, sentence) == (USAGE, f"{tmp_path / 'file'} cannot be made: File exists")


def test_few_files__are_told_before_a_table_is_opened(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _which: (25, 25))
    code, sentence = complaint(capsys, "play", "--line", "--home", tmp_path)
    assert code == USAGE
    assert "more files and connections than the 25 that it may open at once" in sentence
    assert "ulimit -n 1024" in sentence
    assert not (tmp_path / "crashes").exists()


@pytest.mark.parametrize(("allowed", "code", "told"), [(40, USAGE, "than the 40"), (4096, 5, "")])
def test_few_files__are_told_wherever_one_more_was_needed(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    allowed: int,
    code: int,
    told: str,
) -> None:
    """With as many as the program may ever need it is a failure of its own."""

    async def no_more(*_arguments: object, **_options: object) -> NoReturn:
        raise zmq.ZMQError(errno.EMFILE)

    monkeypatch.setattr(tables, "list_on_lan", no_more)
    monkeypatch.setattr(resource, "getrlimit", lambda _which: (allowed, allowed))
    found, sentence = complaint(capsys, "tables", "--home", tmp_path)
    assert found == code
    assert told in sentence
    assert (tmp_path / "crashes").exists() is (code != USAGE)


def test_arguments__levels_are_those_of_the_computer_players() -> None:
    assert set(LEVELS) == set(PLAYERS)


def test_commands__without_one_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert "demo" in capsys.readouterr().out
