"""``audit --report`` as a player runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from p2p_hearts.cli import main
from tests.record.games import honest_game, long_game
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
    for name, reason in (
        ("nowhere/game.html", "No such file or directory"),
        ("game.hearts/game.html", "Not a directory"),
        ("g" * 300, "File name too long"),
    ):
        page = tmp_path / name
        assert main(["audit", str(log), "--report", str(page)]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.startswith(f"p2p-hearts: {page} cannot be written: {reason}.")


def test_audit__paints_over_no_screen_by_the_name_of_a_file(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [f"a\x1b[31m{number}\udcff\nClean.hearts" for number in (1, 2)]
    paths = [tmp_path / name for name in names]
    for path in paths:
        path.write_bytes(log.read_bytes())
    page = tmp_path / "\x1b[2J.html"
    assert main(["audit", *map(str, paths), "--report", str(page)]) == 3
    said = capsys.readouterr().out
    assert "a?[31m1??Clean.hearts: " in said
    assert "?[2J.html: open it with a browser." in said
    assert all(line.isprintable() for line in said.splitlines())
    assert "a?[31m1??Clean.hearts" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["", ".", ".."])
def test_audit__takes_no_folder_for_a_report(
    log: Path, name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(log.parent)
    assert main(["audit", str(log), "--report", name]) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert [item.name for item in log.parent.iterdir()] == ["game.hearts"]


def test_audit__of_logs_of_two_tables_says_a_verdict_for_each_and_writes_no_report(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [log, tmp_path / "other.hearts", tmp_path / "again.hearts"]
    paths[1].write_bytes(write(long_game().records()[:20]))
    paths[2].write_bytes(log.read_bytes())
    named = list(map(str, paths))
    assert main(["audit", *named]) == 3
    said = capsys.readouterr().out
    first, second, last = said.split("\n\n")
    assert first.startswith("Table 1 of 2: ")
    assert "(game.hearts and again.hearts)\n" in first
    assert "Incomplete: what is there agrees, but not every log is whole." in first
    assert second.startswith("Table 2 of 2: ")
    assert "(other.hearts)\n" in second
    assert "Incomplete" in second
    assert last == "The logs are of 2 tables, and each is judged by itself; 0 of 2 clean.\n"
    assert "disagree" not in said

    assert main(["audit", "--json", *named]) == 3
    tables = json.loads(capsys.readouterr().out)["tables"]
    assert [len(table["logs"]) for table in tables] == [2, 1]

    page = tmp_path / "game.html"
    assert main(["audit", *named, "--report", str(page)]) == 2
    told = capsys.readouterr()
    assert told.out == said
    assert "No report was written: a report is of one table, and these logs are of 2." in told.err
    assert not page.exists()
