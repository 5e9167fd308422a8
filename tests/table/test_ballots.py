"""When a seat votes against another one: once its player has agreed to all that are late."""

from __future__ import annotations

import pytest

from p2p_hearts.agreement import absence
from p2p_hearts.table.ballots import next_ballot
from p2p_hearts.table.round import Round
from p2p_hearts.wire.chain import Place
from p2p_hearts.wire.messages import Kind, Vote

SPEAKER = 2


@pytest.mark.parametrize(
    ("late", "agreed", "voted", "votes"),
    [
        (set(), {2}, False, False),
        ({2}, {2}, False, True),
        ({2}, set(), False, False),
        ({2}, set(), True, False),
        ({2, 3}, {2}, False, False),
        ({2, 3}, {2}, True, True),
        ({2, 3}, {2, 3}, False, False),
        ({0, 2}, {2}, False, True),
    ],
)
def test_ballot__is_opened_only_by_who_agreed_to_all_that_are_late(
    late: set[int], agreed: set[int], voted: bool, votes: bool
) -> None:
    """Where two are silent, whom to go on without is for the players to say."""
    item = Round(
        Place(1, 1, 5), bytes(32), Kind.PLAY, (SPEAKER,), bytes(32), False, (0, 1, 2, 3), True
    )
    if voted:
        item.votes[b"one"] = absence.Vote(b"one", 1, 1, SPEAKER, 1, (None,), None)
    said = next_ballot(item, 0, frozenset(late), agreed.__contains__)
    opener = 1 if voted else 0
    assert said == ((Kind.VOTE, Vote(1, SPEAKER, opener, [b""], b"")) if votes else None)
