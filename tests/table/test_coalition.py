"""Two liars that help each other: what no number of them can do, at any table.

They can keep honest seats from one history (protocol/SPEC.md sections 1 and 7.4). They cannot have
one of them convicted, end its program, or undo what it has gone on from.
"""

from __future__ import annotations

import pytest

from p2p_hearts.record.audit import Verdict
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table.machine import Table
from p2p_hearts.wire.messages import Kind
from tests.record.test_audit_table import audit_sim
from tests.table.coalition import FIRST, SECOND, Coalition, Plot, first_deals

LIARS = {FIRST, SECOND}


def check_convicted(coalition: Coalition) -> None:
    """Every honest seat and every honest log convicts liars, and nobody else."""
    tables = coalition.sim.tables
    for table in coalition.honest:
        assert table.fault is not None
        assert {table.player_at(seat) for seat in table.history.convictions.liars} <= LIARS
    for place in coalition.places:
        found = audit_sim(coalition.sim, [place])
        assert found.verdict is Verdict.FAULT
        assert {item.player.seat for item in found.faults} <= {tables[liar].seat for liar in LIARS}


@pytest.mark.parametrize(
    ("kind", "seats"),
    [
        (Kind.SHARES, 4),
        pytest.param(Kind.KEY, 4, marks=pytest.mark.deep),
        pytest.param(Kind.PLAY, 5, marks=pytest.mark.deep),
        pytest.param(Kind.REMASK, 6, marks=pytest.mark.deep),
    ],
)
def test_coalition__that_gives_one_round_two_certificates_convicts_no_honest_seat(
    kind: Kind, seats: int
) -> None:
    """One honest seat goes on from the acks, the others from the confirms."""
    coalition = Coalition(RuleSet(seats=seats, hands=1, grace=15), Plot(kind), seed="two")
    coalition.vote()
    first, *others = coalition.places
    coalition.tell(coalition.plot.ack, [first])
    coalition.tell(coalition.plot.confirm, others)
    coalition.sim.wait(40)
    certified = coalition.plot.place
    assert certified is not None
    heads = [table.history.find(certified) for table in coalition.honest]
    assert len({item.head for item in heads if item is not None and item.certified}) == 2
    check_convicted(coalition)


def test_coalition__that_shows_a_second_certificate_in_the_next_hand_undoes_nothing() -> None:
    coalition = Coalition(RuleSet(hands=2, grace=15), Plot(Kind.SHARES), seed="late")
    coalition.vote()
    coalition.tell(coalition.plot.ack, [SECOND, *coalition.places])
    tables = coalition.honest
    coalition.sim.run(lambda: all(len(table.match.hands) == 1 for table in tables), limit=300)
    scores = [table.match.hands for table in tables]
    # The second has used that number again: once it is convicted of that, its confirm counts.
    for _ in range(2):
        coalition.tell(coalition.plot.confirm, coalition.places)
        coalition.sim.wait(10)
    assert [table.match.hands[:1] for table in tables] == scores
    check_convicted(coalition)


def last_shuffle_is_certified(table: Table) -> bool:
    """Whether so many shuffles as there are seats were made, and the last one is acknowledged."""
    made = [item for item in table.history.rounds if item.kind is Kind.SHUFFLE]
    return len(made) == table.history.seats and made[-1].certified


def test_coalition__whose_first_shuffle_is_not_certified_begins_no_attempt_that_it_can_undo() -> (
    None
):
    """Its shuffle is wrong, all the others are certified, and the round of the first is closed."""
    rules = RuleSet(hands=1, grace=15)
    plot = Plot(Kind.SHUFFLE, is_spoilt=True)
    coalition = Coalition(rules, plot, first_deals(rules))
    coalition.sim.run(lambda: all(map(last_shuffle_is_certified, coalition.honest)), limit=20)
    coalition.vote()
    coalition.tell(plot.confirm, [SECOND, *coalition.places])
    tables = coalition.honest
    coalition.sim.run(lambda: all(table.over for table in tables), limit=400)
    assert len({table.history.head for table in tables}) == 1
    check_convicted(coalition)
