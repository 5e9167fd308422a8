"""Whatever one seat does: no honest one is convicted, history is one, and nobody is stuck unnamed.

A seat that lies by dice (``dice``), at tables of three and four, with honest peers that die and
come back meanwhile. Two of them that help each other can part the others and make them wait; that
nobody honest is convicted, and no program fails, holds against any number of liars. This is the
search for what nobody has thought of; what it finds gets a test of its own.
"""

from __future__ import annotations

import contextlib

import pytest

from p2p_hearts.record.audit import Verdict
from tests.record.test_audit_table import audit_sim
from tests.table.dice import Game

PATIENCE = 900.0
"""Seconds, simulated: long beside a grace of 15 and a hand of seconds."""


SHORT = 60.0
"""Likewise where waiting for ever is no news."""


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


def check_coalition(game: Game) -> None:
    """Play for a while, and look whom the honest peers and an audit of their logs convict."""
    told, sim = game.dice.told, game.sim
    with contextlib.suppress(TimeoutError):
        sim.run(lambda: all(table.over for table in game.tables), limit=SHORT)
    for table in game.tables:
        fault = table.fault
        if fault is not None:
            at = table.player_at(fault.seat) if fault.hand else fault.seat
            assert at in game.liars, told
        liars = table.history.convictions.liars
        assert {table.player_at(seat) for seat in liars} <= {*game.liars}, told
    seats = {sim.tables[place].seat for place in game.liars}
    for places in (game.honest, *([place] for place in game.honest)):
        found = audit_sim(sim, places)
        assert {fault.player.seat for fault in found.faults} <= seats, told
    for place in game.honest:
        table, again = sim.tables[place], game.resumed(place)
        assert again.history.certified == table.history.certified, told
        assert again.match.hands == table.match.hands, told


@pytest.mark.parametrize(("seed", "seats", "restarts"), [(13, 4, 0), (24, 4, 1)])
def test_byzantine__seats_that_help_each_other_convict_no_honest_one_and_end_no_program(
    seed: int, seats: int, restarts: int
) -> None:
    game = Game(seed, seats, restarts, liars=2)
    check_coalition(game)
    assert game.dice.told


@pytest.mark.deep
@pytest.mark.parametrize("seats", [4, 5, 6])
@pytest.mark.parametrize("restarts", [0, 2])
@pytest.mark.parametrize("seed", range(200, 220))
def test_byzantine__seats_of_a_hundred_kinds_that_help_each_other_convict_no_honest_one(
    seed: int, restarts: int, seats: int
) -> None:
    check_coalition(Game(seed, seats, restarts, liars=2))
