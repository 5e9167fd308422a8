"""A peer written from SPEC.md plays with the program: the text is enough for that."""

from __future__ import annotations

import ast
import json
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from p2p_hearts.record.audit import Verdict, audit_tables
from p2p_hearts.record.log import read_log
from tests.e2e.tables import address_of, bot, host
from tests.programs import LONG, Program
from tests.protocol import second
from tests.protocol.files import SPEC
from tests.protocol.opinion import assert_agrees

ROOT = SPEC.parent.parent
FOLDER = Path(second.__file__).parent
OUTSIDE = ("protocol", "tests.protocol.second", "zmq")
"""What it may import beside the standard library."""


def imported(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = list(ast.walk(tree))
    whole = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return whole | {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}


def test_second__imports_not_a_line_of_the_program() -> None:
    paths = sorted(FOLDER.glob("*.py"))
    assert len(paths) > 3
    for path in paths:
        for name in imported(path):
            is_own = any(name == own or name.startswith(f"{own}.") for own in OUTSIDE)
            assert is_own or name.split(".")[0] in sys.stdlib_module_names, (path.name, name)


def second_peer(where: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Let the second peer play to the end."""
    folder.mkdir()
    asked = [sys.executable, "-m", second.__name__, where, str(folder)]
    return subprocess.run(
        asked, cwd=ROOT, capture_output=True, text=True, timeout=2 * LONG, check=False
    )


def open_table(folder: Path, *arguments: str) -> Program:
    # A slow machine is no reason to go on without anybody.
    return host(folder, "--seats", "3", "--bots", "1", "--grace", "600", *arguments)


@pytest.mark.parametrize("hands", [1, pytest.param(3, marks=pytest.mark.deep)])
def test_second__plays_with_the_program_and_both_readers_find_the_game_clean(
    tmp_path: Path, hands: int
) -> None:
    with open_table(tmp_path, "--code", "--hands", str(hands)) as ana:
        peer = second_peer(address_of(ana), tmp_path / "second")
        assert peer.returncode == 0, (peer.stderr, ana.story())
        ended = ana.end()
    assert ended.code == 0
    told = json.loads(peer.stdout)
    assert told["phrase"] == ana.wait_event("formed")["phrase"]
    logs = [Path(told["log"]).read_bytes(), ana.log.read_bytes()]
    (found,) = audit_tables([read_log(log) for log in logs]).tables
    assert found.verdict is Verdict.CLEAN
    assert [tuple(scores) for scores in told["scores"]] == list(found.reports[0].scores)
    assert_agrees(found, logs)


@pytest.mark.deep
@pytest.mark.parametrize("number", [0, 5])
def test_second__goes_on_without_a_player_as_the_program_does(tmp_path: Path, number: int) -> None:
    with (
        open_table(tmp_path, "--seats", "4", "--hands", "1", "--grace", "15") as ana,
        # Held at its pass, or at a card: whatever the machine does, the hand is not over.
        bot(tmp_path, address_of(ana), "Rui", hold=(1, number)) as rui,
        ThreadPoolExecutor() as pool,
    ):
        playing = pool.submit(second_peer, address_of(ana), tmp_path / "second")
        rui.wait_held(1, number)
        rui.stop(signal.SIGKILL)
        peer = playing.result()
        assert peer.returncode == 0, (peer.stderr, ana.story())
        names = ana.wait_event("formed")["names"]
    told = json.loads(peer.stdout)
    assert names[told["missed"]] == "Rui"
    logs = [Path(told["log"]).read_bytes(), ana.log.read_bytes()]
    (found,) = audit_tables([read_log(log) for log in logs]).tables
    assert found.verdict is Verdict.CLEAN
    assert_agrees(found, logs)


def test_second__does_not_sit_down_where_the_code_names_another_founder(tmp_path: Path) -> None:
    with open_table(tmp_path) as ana:
        where, _, code = address_of(ana).partition("#")
        other = code.replace(code[0], "0" if code[0] != "0" else "1", 1)
        peer = second_peer(f"{where}#{other}", tmp_path / "second")
    assert peer.returncode == 1
    assert "another founder's" in peer.stderr
