"""What several logs are called, by which the differences between them are told."""

from __future__ import annotations

from pathlib import Path

from p2p_hearts.commands.audit import log_names


def test_log_names__are_told_apart_where_all_players_have_a_log_of_one_name() -> None:
    ana, bo, other = Path("ana/sunday.hearts"), Path("bo/sunday.hearts"), Path("bo/monday.hearts")
    assert log_names([ana, other]) == ["sunday.hearts", "monday.hearts"]
    assert log_names([ana, bo]) == ["ana/sunday.hearts", "bo/sunday.hearts"]
    assert log_names([Path("a\x1b[2J.hearts")]) == ["a?[2J.hearts"]
