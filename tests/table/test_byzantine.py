"""Whatever one seat does: no honest one is convicted, history is one, and nobody is stuck unnamed.

A seat that lies by dice (``dice``), at tables of three and four, with honest peers that die and
come back meanwhile. This is the search for what nobody has thought of; what it finds gets a test of
its own.
"""

from __future__ import annotations

import pytest

from p2p_hearts.record.audit import Verdict
from tests.record.test_audit_table import audit_sim
from tests.table.dice import Game

PATIENCE = 900.0
"""Seconds, simulated: long beside a grace of 15 and a hand of seconds."""


def check(game: Game) -> None:
    """Play, and look at what the honest peers hold, and at what an audit says of their logs."""
    told = game.dice.told
    sim = game.sim
    try:
        sim.run(lambda: all(table.over for table in game.tables), limit=PATIENCE)
    except TimeoutError:
        # A second seat is missing: nobody can say its cards (protocol/SPEC.md section 7.4).
        assert all(table.hand and table.hand.dummy is not None for table in game.tables), told
    tables = game.tables
    for table in tables:
        fault = table.fault
        if fault is not None:
            at = table.player_at(fault.seat) if fault.hand else fault.seat
            assert at == game.liar, told
    common = min(table.history.certified for table in tables)
    heads = {tuple(item.head for item in table.history.rounds[:common]) for table in tables}
    assert len(heads) == 1, told
    found = audit_sim(sim, game.honest)
    convicted = {fault.player.seat for fault in found.faults}
    assert convicted <= {sim.tables[game.liar].seat}, told
    if all(table.over for table in tables):
        assert found.verdict in (Verdict.CLEAN, Verdict.FAULT), told


@pytest.mark.parametrize(
    ("seed", "seats", "restarts"), [(13, 3, 0), (24, 4, 0), (10, 3, 1), (31, 3, 1)]
)
def test_byzantine__seat_convicts_no_honest_one_and_stops_nobody_unnamed(
    seed: int, seats: int, restarts: int
) -> None:
    game = Game(seed, seats, restarts)
    check(game)
    assert game.dice.told


@pytest.mark.deep
@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("restarts", [0, 2])
@pytest.mark.parametrize("seed", range(100, 125))
def test_byzantine__seats_of_a_hundred_kinds_convict_no_honest_one(
    seed: int, restarts: int, seats: int
) -> None:
    check(Game(seed, seats, restarts))
