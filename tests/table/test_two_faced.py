"""One liar that tells its stories to different peers, nobody else silent: the others go on."""

from __future__ import annotations

import pytest

from p2p_hearts.record.audit import Verdict
from p2p_hearts.wire.messages import Kind
from tests.record.test_audit_table import audit_sim
from tests.table.sim import Sim
from tests.table.two_faced import (
    LIAR,
    Hasty,
    Whisperer,
    seed_of_dealer,
    table_with_liar,
    table_with_whisperer,
)

MORE_STORIES = ((1, 0, 0), (0, 1, 0), (2, 1, 0))


def others_finish(sim: Sim) -> None:
    """The others play to the end in one history, and no log convicts anybody but the liar."""
    places = [place for place in range(len(sim.tables)) if place != LIAR]
    tables = [sim.tables[place] for place in places]
    sim.run(lambda: all(table.over for table in tables), limit=sim.now + 300)
    assert len({table.history.head for table in tables}) == 1
    for table in tables:
        assert table.fault is not None
        assert table.player_at(table.fault.seat) == LIAR
    found = audit_sim(sim, places)
    assert found.verdict is Verdict.FAULT
    assert {item.player.seat for item in found.faults} == {sim.tables[LIAR].seat}, found.summary


@pytest.mark.parametrize("stories", [(1, 0, 0), pytest.param((0, 0, 1), marks=pytest.mark.deep)])
def test_two_faced__who_first_heard_what_did_not_stand_has_a_log_that_convicts_the_liar_alone(
    stories: tuple[int, ...],
) -> None:
    """A hand begins anew where the certificate says so, not where a first story was wrong."""
    others_finish(table_with_liar(Kind.KEY, stories, seed="key"))


@pytest.mark.parametrize(
    "stories",
    [(1, 1, 0), *(pytest.param(row, marks=pytest.mark.deep) for row in MORE_STORIES)],
)
def test_two_faced__shuffler_whom_others_followed_ahead_is_left_out(
    stories: tuple[int, ...],
) -> None:
    """What they said ahead, on a shuffle that did not stand, still counts in their numbers."""
    others_finish(table_with_liar(Kind.SHUFFLE, stories, seed_of_dealer(Kind.SHUFFLE, stories)))


@pytest.mark.parametrize("kind", [Kind.PLAY, pytest.param(Kind.SHARES, marks=pytest.mark.deep)])
def test_two_faced__with_another_story_for_everybody_is_left_out(kind: Kind) -> None:
    """Everybody keeps every story that a vote names."""
    others_finish(table_with_liar(kind, (0, 1, 2), seed="stories"))


@pytest.mark.deep
@pytest.mark.parametrize("kind", [Kind.KEY, Kind.SHUFFLE, Kind.SHARES, Kind.REMASK, Kind.PLAY])
@pytest.mark.parametrize("stories", [(3, 2, 1, 0), (0, 1, 0, 1), (1, 1, 0, 0), (0, 0, 0, 1)])
def test_two_faced__at_a_table_of_five_is_left_out(kind: Kind, stories: tuple[int, ...]) -> None:
    others_finish(table_with_liar(kind, stories, seed_of_dealer(kind, stories)))


def test_ballot__for_a_round_long_past_is_taken_by_nobody() -> None:
    """Whoever took it could go on where the others cannot: what follows stands on top of it."""
    sim = table_with_whisperer(Kind.PLAY)
    sim.run()
    liar = sim.tables[LIAR]
    assert isinstance(liar, Whisperer)
    whispered = liar.voice.whispered
    assert whispered is not None
    assert all(whispered.data not in log for log in sim.logs)


def test_ballot__whispered_to_one_peer_reaches_everybody_with_what_follows_it() -> None:
    """Nobody can go on alone by knowing what a liar has said before its ack."""
    sim = table_with_whisperer(Kind.SHUFFLE)
    sim.run()
    liar = sim.tables[LIAR]
    assert isinstance(liar, Whisperer)
    whispered = liar.voice.whispered
    assert whispered is not None
    assert all(whispered.data in log for log in sim.logs)


def test_ballot__in_haste_on_a_shuffle_is_not_joined() -> None:
    """Its target has shuffled on the other story, and could say nothing on top of this one."""
    stories = (1, 0, 0)
    sim = table_with_liar(Kind.SHUFFLE, stories, seed_of_dealer(Kind.SHUFFLE, stories), Hasty)
    others_finish(sim)
    liar = sim.tables[LIAR]
    assert isinstance(liar, Hasty)
    assert liar.voted is not None
    assert all(liar.voted.data in log for log in sim.logs)
