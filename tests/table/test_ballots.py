"""When a seat votes against another one: once its player has agreed to all that are late."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from p2p_hearts.table import absence, voting
from p2p_hearts.table.ballots import next_ballot


@pytest.mark.parametrize(
    ("late", "agreed", "voted", "votes"),
    [
        ({2}, {2}, False, True),
        ({2, 3}, {2}, False, False),
        ({2, 3}, {2}, True, True),
        ({2, 3}, {2, 3}, False, True),
        ({0, 2}, {2}, False, True),
    ],
)
def test_ballot__is_opened_only_by_who_agreed_to_all_that_are_late(
    late: set[int], agreed: set[int], voted: bool, votes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where two are silent, whom to go on without is for the players to say."""
    own = SimpleNamespace(lock=None)
    sight = SimpleNamespace(votes=("one",) if voted else (), confirms=(), own=own, first=())
    item: Any = SimpleNamespace(ballots={}, twins={}, shape=None, sight=lambda me: sight)
    monkeypatch.setattr(voting, "complete_ballot", lambda sight: None)
    monkeypatch.setattr(absence, "two_faced", lambda *_: frozenset())
    monkeypatch.setattr(voting, "next_vote", lambda sight, silent: (1, 2, 0))
    monkeypatch.setattr(absence, "view_of", lambda *_: ())
    said = next_ballot(item, 0, frozenset(late), agreed.__contains__)
    assert (said is not None) is votes
