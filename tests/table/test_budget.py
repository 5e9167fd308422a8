"""What a peer may cost is bounded in a second, for each by itself."""

from __future__ import annotations

from p2p_hearts.table.budget import BUDGET_SECONDS, Budget


def test_budget__is_spent_by_each_peer_for_itself_and_begins_anew_in_time() -> None:
    budget = Budget(2)
    budget.tick(100.0)
    budget.spend(0)
    assert not budget.is_spent(0)
    budget.spend(0)
    assert (budget.is_spent(0), budget.is_spent(1)) == (True, False)
    budget.tick(100.0 + BUDGET_SECONDS / 2)
    assert budget.is_spent(0)
    budget.tick(100.0 + BUDGET_SECONDS)
    assert not budget.is_spent(0)
