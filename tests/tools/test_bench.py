"""The figures of `make bench` are of what they say."""

from __future__ import annotations

from p2p_hearts.agreement import rounds
from tools.bench import hand


def test_stages__have_every_kind_of_round() -> None:
    """What belongs nowhere would be counted as something else."""
    assert {stage.kind for stage in (*rounds.FORMATION, *rounds.STAGES)} == set(hand.STAGES)
