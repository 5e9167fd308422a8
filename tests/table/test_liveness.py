"""Work always ends: whatever a seat's own history makes of what it says, no program hangs.

``Table.work`` is called again as long as it says that it did something. What it does is bounded: a
seat signs into a slot once, and says again once what it has said before. These tests let the
history behave in ways that it never should.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table.history import Outcome
from p2p_hearts.table.machine import Table
from p2p_hearts.wire.envelope import Sealed
from p2p_hearts.wire.messages import Kind
from tests.table.sharing import shared_proofs
from tests.table.sim import Sim

VICTIM, SILENT = 1, 2

STEPS = 200
"""Far more than a table of four has to do between two frames."""


class Impatient(Sim):
    """A table that fails where the work of a seat would not end."""

    def settle(self, place: int) -> None:
        for _ in range(STEPS):
            self._decide(place)
            self._flush(place)
            if not self.tables[place].work():
                break
        else:
            pytest.fail("the work has no end")
        self._flush(place)


Accept = Callable[[Sealed], Outcome]


@pytest.fixture(scope="module")
def waiting() -> Iterator[Sim]:
    """A table in the middle of the play, of which one seat has been silent for a while."""
    with shared_proofs():
        sim = Impatient(RuleSet(hands=1, grace=15), seed="liveness", auto_vote=True)
        sim.run(lambda: all(table.history.current.place.round >= 20 for table in sim.tables))
        sim.isolate(SILENT)
        sim.wait(10.0)
        yield sim


def refuses(accept: Accept, table: Table) -> Accept:
    """Drop what this seat says."""
    return lambda sealed: Outcome.DROPPED


def pretends(accept: Accept, table: Table) -> Accept:
    """Say that it was taken, and keep nothing."""
    return lambda sealed: Outcome.ACCEPTED


def loses(accept: Accept, table: Table) -> Accept:
    """Take it, and have nothing of it when asked the next time."""

    def take(sealed: Sealed) -> Outcome:
        outcome = accept(sealed)
        lose(table, sealed)
        return outcome

    return take


def trades(accept: Accept, table: Table) -> Accept:
    """Take it for all that this seat had said before."""
    before: list[Sealed] = []

    def take(sealed: Sealed) -> Outcome:
        for other in before:
            lose(table, other)
        before.append(sealed)
        return accept(sealed)

    return take


def lose(table: Table, sealed: Sealed) -> None:
    """Let a content be missing from the history."""
    for item in table.history.rounds:
        for part in (item.ballots, item.votes, item.confirms):
            part.pop(sealed.hash, None)
        for said in (item.speeches, item.acks):
            if said.get(sealed.content.seat) is sealed:
                del said[sealed.content.seat]


@pytest.mark.parametrize("history", [refuses, pretends, loses, trades])
def test_liveness__work_ends_whatever_the_own_history_does_with_what_it_is_given(
    history: Callable[[Accept, Table], Accept], waiting: Sim
) -> None:
    sim = waiting.copy()
    table, own = sim.tables[VICTIM], sim.identities[VICTIM].public
    accept = table.history.accept
    spoils = history(accept, table)
    spoilt = list[Sealed]()

    def take(sealed: Sealed) -> Outcome:
        if sealed.content.author != own:
            return accept(sealed)
        spoilt.append(sealed)
        return spoils(sealed)

    table.history.accept = take  # type: ignore[method-assign]
    sim.wait(30.0)
    assert {sealed.content.kind for sealed in spoilt} >= {Kind.VOTE}, "it had no occasion to vote"
