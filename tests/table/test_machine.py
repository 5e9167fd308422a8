"""A table signs one history: what it has said on another one, or voted against, binds it."""

from __future__ import annotations

import pytest

from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table.history import History
from p2p_hearts.wire.chain import Place
from p2p_hearts.wire.messages import Kind
from tests.table.sim import Sim

SIT, DRAW = Place(0, 1, 0), Place(0, 1, 1)


@pytest.mark.parametrize(
    ("place", "is_ack", "owed"),
    [
        (SIT, False, (0, "message")),
        (SIT, True, (0, "ack")),
        (DRAW, False, (0, "message")),
        (DRAW, True, (0, "ack")),
    ],
)
def test_table__signs_nothing_in_a_place_where_it_has_signed_on_another_history(
    place: Place, is_ack: bool, owed: tuple[int, str]
) -> None:
    """A round that was closed otherwise is opened again on another head: nobody signs twice."""
    sim = Sim(RuleSet(seats=3))
    sim.tables[0]._signed[place, is_ack] = b"another head"
    sim.wait(3.0)
    assert sim.tables[1].history.missing() == [owed]


def test_table__that_has_voted_in_an_open_round_does_not_speak_in_the_next_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(History, "has_voted", lambda history, seat: seat == 0)
    sim = Sim(RuleSet(seats=3))
    sim.wait(3.0)
    assert sim.tables[0].history.current.kind is Kind.SIT
    assert sim.tables[1].history.missing() == [(0, "message")]


def test_table__that_no_fault_stops_is_not_stopped_for_good() -> None:
    table = Sim(RuleSet(seats=3)).tables[0]
    assert not table.may_vote_out()
    assert not table.stopped_for_good


@pytest.mark.parametrize("acked", [True, False])
def test_table__acknowledges_nothing_on_top_of_a_round_without_its_certificate(
    acked: bool,
) -> None:
    """Else who goes on without its own ack could not be voted out of that round."""
    sim = Sim(RuleSet(seats=3))
    table = sim.tables[0]
    sim.tables[1]._signed[SIT, True] = b"another head"
    if not acked:
        table._signed[SIT, True] = b"another head"
    sim.wait(3.0)
    sit, draw = table.history.rounds
    assert (0 in sit.acks) is acked
    draw.head = b"a head, though nobody could speak"
    table._signed.pop((SIT, True))
    table._acknowledge()
    assert 0 in sit.acks
    assert not sit.certified
    assert 0 not in draw.acks
