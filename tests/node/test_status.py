"""What a front end is told beside the view."""

from __future__ import annotations

from p2p_hearts.node.status import losses, seat_names
from p2p_hearts.wire.messages import Kind
from tests.table.sim import Sim
from tests.table.test_absence import is_due, rules_of
from tests.table.test_lost import LOSER, lose, said_lost, with_two_lost


def test_status__tells_everybody_that_two_lost_secrets_leave_the_hand_without_an_end() -> None:
    sim = with_two_lost()
    for place in (0, LOSER, 3):
        table = sim.tables[place]
        names = seat_names(table)
        (sentence,) = losses(table)
        for _hand, _kind, seat in said_lost(table):
            assert seat is not None
            assert names[seat] in sentence
        assert "goes no further" in sentence


def test_status__tells_who_lost_a_secret_alone_that_the_hand_goes_on() -> None:
    sim = Sim(rules_of(hands=1), seed="lost alone", auto_vote=True)
    sim.run(is_due(sim, LOSER, Kind.PLAY))
    lose(sim, LOSER)
    table = sim.tables[LOSER]
    sim.run(lambda: bool(said_lost(table)))
    assert "goes on without you" in losses(table)[0]
    assert losses(sim.tables[0]) == ()
