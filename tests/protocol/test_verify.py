"""``protocol/verify.py``, written from SPEC.md alone, agrees with the vectors and stands alone."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from p2p_hearts.rules.options import RuleSet
from p2p_hearts.wire.envelope import seal
from p2p_hearts.wire.messages import Kind
from protocol import verify
from tests.programs import LONG
from tests.protocol.files import VECTORS, vectors
from tests.record import maker


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
