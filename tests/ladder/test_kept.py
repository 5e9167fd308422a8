"""Files of what was played before."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2p_hearts.bots.search import VERSION
from tools.ladder.kept import Kept, kept_name


def test_kept__a_contest_goes_on_where_it_ended(tmp_path: Path) -> None:
    Kept(tmp_path, "duel").add({"seed": 3, "share": 0.5})
    kept = Kept(tmp_path, "duel")
    assert kept.found == {3: {"seed": 3, "share": 0.5}}
    assert kept.missing(range(2, 5)) == [2, 4]
    assert [*kept.of(range(2, 5))] == [{"seed": 3, "share": 0.5}]
    assert [*kept.of([1])] == []
    assert Kept(None, "duel").found == {}


def test_kept_name__tells_versions_of_the_player_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    now = kept_name("black-lady", "hard", "normal", 100)
    monkeypatch.setattr("tools.ladder.kept.VERSION", VERSION + 1)
    assert kept_name("black-lady", "hard", "normal", 100) != now
