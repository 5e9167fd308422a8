"""``protocol/verify.py``, written from SPEC.md alone, agrees with the vectors and stands alone."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from p2p_hearts.record.audit import audit_tables
from p2p_hearts.record.log import read_log
from p2p_hearts.record.records import RecordKind
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.wire.codec import encode
from p2p_hearts.wire.envelope import open_envelope, seal
from p2p_hearts.wire.messages import Kind, Lost
from protocol import verify
from tests.programs import LONG
from tests.protocol.files import VECTORS, vectors
from tests.protocol.opinion import assert_agrees
from tests.record import maker
from tests.record.games import audit_bytes, long_game
from tests.record.maker import Records, write


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_verify__every_vector_holds(path: Path) -> None:
    assert list(verify.failures(vectors(path.name))) == []


def test_verify__imports_the_standard_library_alone() -> None:
    tree = ast.parse(Path(verify.__file__).read_text(encoding="utf-8"))
    names = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    } | {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names


def test_verify__has_all_words() -> None:
    words = verify.phrase_words()
    assert len(words) == len(set(words)) == 256
    assert all(re.fullmatch("[a-z]+", word) for word in words)


def test_verify__says_what_does_not_hold() -> None:
    file = vectors("deal.json")
    wrong = {**file, "rejected": [{**file["rejected"][0], "expect": "nothing"}]}
    assert len(list(verify.failures(wrong))) == 1
    altered = {**file["accepted"][0], "result": "another"}
    assert len(list(verify.failures({"accepted": [altered], "rejected": []}))) == 1


def run(*arguments: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-I", verify.__file__, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=LONG,
    )
    return done.returncode, done.stdout + done.stderr


def test_verify__needs_nothing_but_python_and_says_how_it_is_called() -> None:
    code, told = run()
    assert code == 2
    assert "verify.py LOG..." in told
    code, told = run("no such log")
    assert (code, told) == (2, "no such log cannot be read: No such file or directory\n")


def test_verify__of_a_pipe_waits_for_nobody_and_says_what_to_do(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    code, told = run(str(tmp_path / "pipe"))
    assert code == 2
    assert "cannot be read: it is no file; write the log into one first" in told


def test_verify__of_an_enormous_file_takes_no_memory(tmp_path: Path) -> None:
    """The exit code of a program that ends for want of memory would say that somebody cheated."""
    path = tmp_path / "enormous"
    with path.open("wb") as file:
        file.write(verify.LINE)
        file.truncate(1 << 30)
    limited = ["bash", "-c", 'ulimit -d 300000; exec "$@"', "limited"]
    asked = [*limited, sys.executable, "-I", verify.__file__, str(path)]
    done = subprocess.run(asked, capture_output=True, text=True, check=False, timeout=LONG)
    assert done.returncode == 3, done.stderr
    assert "verdict: incomplete" in done.stdout


def test_verify__names_the_player_of_a_fault_beside_a_log_of_strangers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def formed(seed: str) -> maker.Game:
        return maker.Game(RuleSet(), seed, stop_at=lambda _game, kind: kind is Kind.KEY).run()

    game = formed("own")
    liar = game.players[2]
    sat = game.contents[2].content
    game.contents.append(seal(liar.identity, replace(sat, body=b"")))
    make = maker.make_players
    monkeypatch.setattr(maker, "make_players", lambda count: make(count, "strangers"))
    names = []
    for name, log in (("strangers", formed("other").log()), ("own", game.log())):
        (tmp_path / name).write_bytes(log)
        names.append(str(tmp_path / name))
    for order in (names, names[::-1]):
        assert verify.check_logs(order) == 1
        assert f"fault: two-contents by '{liar.nick}', seat 2" in capsys.readouterr().out


@pytest.mark.parametrize(("hands", "told"), [(0, "0 hands: "), (1, "1 hand: "), (2, "2 hands: ")])
def test_verify__counts_hands_as_one_says_it(
    hands: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    log = maker.Game(RuleSet(), "h", stop_at=lambda _game, kind: kind is Kind.KEY).run().log()
    judgement = verify.judge_tables([verify.audit(log)])[0]
    judgement.fullest.hands.extend([[0, 0, 0, 0]] * hands)
    verify.show_table(judgement)
    assert told in capsys.readouterr().out


def test_verify__judges_the_logs_of_every_table_by_themselves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def formed(seed: str) -> bytes:
        stop = maker.Game(RuleSet(), seed, stop_at=lambda _game, kind: kind is Kind.KEY)
        return stop.run().log()

    logs = {"one": formed("one"), "other": formed("other"), "damaged": b"no log, but long enough"}
    names = []
    for name, log in logs.items():
        (tmp_path / name).write_bytes(log)
        names.append(str(tmp_path / name))
    assert verify.check_logs([*names[:2], names[0]]) == 3
    told = capsys.readouterr().out
    assert "table 2 of 2" in told
    assert told.count("verdict: incomplete") == 2
    assert "verdict on all tables: incomplete" in told
    assert verify.check_logs([names[0], names[2]]) == 2
    assert "table" not in capsys.readouterr().out, "what tells no table is of the only one"
    assert verify.check_logs(names) == 2
    assert "table 3 of 3" in capsys.readouterr().out
    for chosen in ([0, 1], [0, 2], [0, 1, 2], [1, 0, 1]):
        some = [list(logs.values())[number] for number in chosen]
        found = audit_tables([read_log(log) for log in some])
        again = verify.judge_tables([verify.audit(log) for log in some])
        assert [(table.verdict, len(table.reports)) for table in again] == [
            (str(table.verdict), len(table.reports)) for table in found.tables
        ]
        assert verify.judge_logs(some).verdict == str(found.verdict)


def test_verify__reads_a_log_once_however_often_another_content_was_heard_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A log of two hands in which every card was said twice: each time the hand is gone through
    again, and nothing before it."""
    game = long_game()
    signers = {player.identity.public: player.identity for player in game.players}
    records: Records = []
    for kind, data in game.records():
        said = open_envelope(data).content if kind is RecordKind.CONTENT else None
        if said is not None and said.kind == Kind.PLAY:
            lost = replace(said, kind=Kind.LOST, body=encode(Lost()))
            records.append((kind, seal(signers[said.author], lost).data))
        records.append((kind, data))
    lies = len(records) - len(game.records())
    begun, fed = [], []
    begin, feed = verify.Auditor.begin_attempt, verify.Auditor.feed

    def counted_begin(auditor: verify.Auditor, number: int, *given: Any) -> None:
        begun.append(number)
        begin(auditor, number, *given)

    def counted_feed(auditor: verify.Auditor, *given: Any) -> bool:
        fed.append(given)
        return feed(auditor, *given)

    monkeypatch.setattr(verify.Auditor, "begin_attempt", counted_begin)
    monkeypatch.setattr(verify.Auditor, "feed", counted_feed)
    log = write(records)
    assert_agrees(audit_bytes(log), [log])
    assert len(fed) == len(records)
    assert len(begun) == 2 + lies
    assert begun == sorted(begun)
