"""One liar that tells its stories to different peers, nobody else silent: the others go on."""

from __future__ import annotations

import pytest

from p2p_hearts.record.audit import Verdict
from p2p_hearts.wire.messages import Kind
from tests.record.test_audit_table import audit_sim
from tests.table.sim import Sim
from tests.table.two_faced import LIAR, table_with_liar


def others_finish(sim: Sim) -> None:
    """The others play to the end in one history, and no log convicts anybody but the liar."""
    places = [place for place in range(len(sim.tables)) if place != LIAR]
    tables = [sim.tables[place] for place in places]
    sim.run(lambda: all(table.over for table in tables), limit=sim.now + 300)
    assert len({table.history.head for table in tables}) == 1
    for table in tables:
        assert table.fault is not None
        assert table.player_at(table.fault.seat) == LIAR
    for logs in [*([place] for place in places), places]:
        found = audit_sim(sim, logs)
        assert found.verdict is Verdict.FAULT
        seat = sim.tables[LIAR].seat
        assert {item.player.seat for item in found.faults} == {seat}, found.summary


@pytest.mark.parametrize("stories", [(1, 0, 0), (0, 0, 1)])
def test_two_faced__who_first_heard_what_did_not_stand_has_a_log_that_convicts_the_liar_alone(
    stories: tuple[int, ...],
) -> None:
    """A hand begins anew where the certificate says so, not where a first story was wrong."""
    others_finish(table_with_liar(Kind.KEY, stories, seed="key"))
