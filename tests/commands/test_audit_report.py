"""``audit --report`` as a player runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from p2p_hearts.cli import main
from tests.record.games import honest_game
from tests.record.maker import write


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log that ends before the cards are dealt: quick to audit."""
    game = honest_game()
    path = tmp_path / "game.hearts"
    path.write_bytes(write(game.records()[:20]))
    return path


def test_audit__writes_a_report_and_says_where(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "game.html"
    assert main(["audit", str(log), "--report", str(page)]) == 3
    assert f"The report is in {page}: open it with a browser." in capsys.readouterr().out
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert sorted(item.name for item in tmp_path.iterdir()) == ["game.hearts", "game.html"]


def test_audit__writes_a_report_beside_json(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "game.html"
    assert main(["audit", str(log), "--json", "--report", str(page)]) == 3
    assert json.loads(capsys.readouterr().out)["verdict"] == "incomplete"
    assert page.exists()


def test_audit__says_where_a_report_cannot_be_written(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "nowhere" / "game.html"
    assert main(["audit", str(log), "--report", str(page)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"p2p-hearts: {page} cannot be written: No such file or directory.")


@pytest.mark.parametrize("name", ["", ".", ".."])
def test_audit__takes_no_folder_for_a_report(
    log: Path, name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(log.parent)
    assert main(["audit", str(log), "--report", name]) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert [item.name for item in log.parent.iterdir()] == ["game.hearts"]
