"""``stats`` as a player runs it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from msgspec.structs import replace

from p2p_hearts.cli import main
from p2p_hearts.commands import stats
from p2p_hearts.record.audit import Report, audit
from p2p_hearts.record.records import Record
from p2p_hearts.record.stats.facts import PlayerFacts
from p2p_hearts.record.stats.results import results
from p2p_hearts.rules.options import RuleSet
from tests.record.games import MEMO, honest_game
from tests.record.stats.deals import game_facts


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with one game in it."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "a.hearts").write_bytes(honest_game().log())
    return tmp_path


@pytest.fixture
def audits(monkeypatch: pytest.MonkeyPatch) -> list[Report]:
    """Every audit that is made; what is proven already is not proven again."""
    made: list[Report] = []

    def counted(records: Iterable[Record], *, tells: bool) -> Report:
        made.append(audit(records, memo=MEMO, tells=tells))
        return made[-1]

    monkeypatch.setattr(stats, "audit", counted)
    return made


def test_stats__tell_results_and_deals(
    home: Path, audits: list[Report], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stats", "--home", str(home)]) == 0
    said = capsys.readouterr()
    assert said.err == "Auditing a.hearts …\n"
    lines = said.out.splitlines()
    assert lines[0] == "1 log audited: 1 table, 1 hand; 1 log is clean."
    assert "Results of Ana" in lines
    assert "Are the deals fair? 1 deal of 52 cards to 4 players" in lines
    (report,) = audits
    for player in report.players:
        assert len([line for line in lines if line.split()[:1] == [player.nick]]) >= 1
    assert max(len(line) for line in lines) <= 100


def test_stats__audit_a_log_once_until_it_changes(
    home: Path, audits: list[Report], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stats", "--home", str(home)]) == 0
    first = capsys.readouterr().out
    assert main(["stats", "--home", str(home)]) == 0
    assert capsys.readouterr().out == first
    assert len(audits) == 1
    log = home / "games" / "a.hearts"
    log.write_bytes(log.read_bytes()[:-10])
    assert main(["stats", "--home", str(home)]) == 0
    assert len(audits) == 2
    assert "0 logs are clean" in capsys.readouterr().out


def test_stats__do_not_believe_what_is_kept_in_another_form(
    home: Path, audits: list[Report], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stats", "--home", str(home)]) == 0
    first = capsys.readouterr().out
    (kept,) = (home / "audits").iterdir()
    for text in (
        b"",
        b"{}",
        kept.read_bytes()[:-2],
        kept.read_bytes().replace(b'"hands":', b'"h":'),
    ):
        kept.write_bytes(text)
        assert main(["stats", "--home", str(home)]) == 0
        assert capsys.readouterr().out == first
    assert len(audits) == 5


def test_stats__work_where_nothing_can_be_kept(
    home: Path, audits: list[Report], capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "audits").write_text("a file in the way")
    assert main(["stats", "--home", str(home)]) == 0
    assert "Results of Ana" in capsys.readouterr().out


def test_stats__are_json_for_programs(
    home: Path, audits: list[Report], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stats", str(home / "games"), "--home", str(home), "--json"]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    value = json.loads(said.out)
    assert (value["logs"], value["tables"], value["verdicts"]) == (1, 1, {"clean": 1})
    (report,) = audits
    assert value["mine"] == report.owner.hex()
    assert {player["key"] for player in value["players"]} == {p.key.hex() for p in report.players}
    assert value["deals"][0]["suit_lengths"]["observed"]
    assert sum(player["all"]["points"] for player in value["players"]) == sum(report.totals)


def test_stats__write_a_page_with_plots(
    home: Path, audits: list[Report], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "stats.html"
    assert main(["stats", "--home", str(home), "--report", str(page)]) == 0
    assert f"The report is in {page}" in capsys.readouterr().out
    text = page.read_text(encoding="utf-8")
    assert text.count("<svg") == 3
    assert "Cards of a suit in a hand" in text


def test_stats__go_on_past_a_log_that_cannot_be_read(
    home: Path, audits: list[Report], capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "games" / "0.hearts").mkdir()
    assert main(["stats", "--home", str(home)]) == 0
    said = capsys.readouterr()
    assert "0.hearts cannot be read: Is a directory." in said.err
    assert said.out.startswith("1 log audited")


def test_lines__name_those_with_most_hands_and_count_the_others() -> None:
    games = [
        replace(
            game_facts(RuleSet(), 2, table=f"{number}"),
            players=[PlayerFacts("me", "Me"), *(PlayerFacts(f"{number} {seat}", f"P{number}{seat}")
                                               for seat in range(3))],
        )
        for number in range(10)
    ]  # fmt: skip
    players = results(games)
    found = stats.lines(players, players[0], (), "")
    assert players[0].nick == "Me"
    assert found.count("18 more players") == 1  # of 30 opponents
    assert found.count("19 more players") == 1  # of 31 players
    assert len([line for line in found if line.startswith("  P")]) == 1 + 12 + 11


def test_stats__say_where_no_logs_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "--home", str(tmp_path)]) == 3
    said = capsys.readouterr()
    assert said.out == ""
    assert "There are no logs (*.hearts) in" in said.err


@pytest.mark.parametrize(
    ("name", "reason"),
    [("nothing", "No such file or directory"), ("games/a.hearts", "Not a directory")],
)
def test_stats__of_what_is_no_folder_say_so(
    name: str, reason: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stats", str(home / name), "--home", str(home)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == f"p2p-hearts: {home / name} cannot be read: {reason}.\n"


def test_stats__of_a_pipe_wait_for_nobody_and_go_on(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe.hearts")
    assert list(stats.read_games([tmp_path / "pipe.hearts"], tmp_path, quiet=True)) == []
    assert "is a pipe or a device" in capsys.readouterr().err


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir], ids=["pipe", "folder"])
def test_stats__paint_over_no_screen_by_the_name_of_a_file(
    make: Callable[[Path], None], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "a\x1b[31m\u202e.hearts"
    make(path)
    assert list(stats.read_games([path], tmp_path, quiet=True)) == []
    said = capsys.readouterr().err.rstrip("\n")
    assert said.isprintable()
    assert "a?[31m?.hearts" in said
