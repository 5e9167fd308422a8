"""Somebody watches a table of real processes from the middle of its first hand on."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.tables import LOOPBACK, address_of, bot, host
from tests.programs import Program, audited, together


def test_watch__verifies_a_table_of_processes_and_its_log_agrees_with_theirs(
    tmp_path: Path,
) -> None:
    rules = ("--seats", "3", "--hands", "1", "--watchers", "1")
    opener = host(tmp_path, *rules, hold=(1, 2))
    with together(opener):
        where = address_of(opener)
        with together(*(bot(tmp_path, where, name) for name in ("Budi", "Caio"))):
            opener.wait_held(1, 2)
            log = tmp_path / "watched.hearts"
            watcher = Program(
                *("watch", where, "--nick", "Wira", "--log", str(log), "--delay", "2"),
                *("--line", *LOOPBACK),
                home=tmp_path / "Wira",
            )
            watcher.wait_line("The words of this table")
            refused = Program("watch", where, "--nick", "Lena", *LOOPBACK, home=tmp_path / "Lena")
            with together(watcher, refused):
                sorry = refused.end()
                opener.let_go()
                assert sorry.code == 3
                assert "as many people watch this table as it allows" in sorry.err
                ended = watcher.end()
                assert (ended.code, ended.err) == (0, "")
                assert "takes the trick" in ended.out
                assert "Totals:" in ended.out
                assert f"p2p-hearts audit {log}" in ended.out
            result = opener.wait_event("done")
    report = audited(log, Path(result["log"]))
    assert report["verdict"] == "clean"
