"""What the demo leaves behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2p_hearts.commands.audit import audit_files
from p2p_hearts.commands.common import CommandError
from p2p_hearts.commands.demo import keep_logs
from tests.record.games import honest_game
from tests.record.maker import write


def test_demo__says_where_a_log_cannot_be_kept(tmp_path: Path) -> None:
    log, out = tmp_path / "game.hearts", tmp_path / "out"
    log.write_bytes(write(honest_game().records()[:20]))
    found = audit_files([log]).tables[0]
    out.mkdir()
    keep_logs(found, [log], out)
    (kept,) = out.iterdir()
    assert kept.read_bytes() == log.read_bytes()
    kept.unlink()
    kept.mkdir()
    with pytest.raises(CommandError, match=f"{kept.name} cannot be written: Is a directory"):
        keep_logs(found, [log], out)
