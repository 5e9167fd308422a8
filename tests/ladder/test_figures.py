"""Means and shares with their intervals."""

from __future__ import annotations

import pytest

from tools.ladder.figures import Share, interval, paired


def test_interval__is_the_mean_and_two_standard_errors() -> None:
    found = interval([1.0, 3.0] * 50)
    assert found.mean == 2.0
    assert found.half == pytest.approx(0.197, abs=0.002)


def test_paired__compares_what_both_played() -> None:
    """What luck does to both alike is no part of the interval."""
    luck = {seed: 26.0 * (seed % 3) for seed in range(30)}
    one = {seed: value + 1 + 0.1 * (seed % 2) for seed, value in luck.items()}
    found = paired(one | {99: 1000.0}, luck | {100: -1000.0})
    assert found.mean == pytest.approx(1.05)
    assert found.half < 0.02
    assert found.number == 30
    assert paired(luck, one).mean == pytest.approx(-1.05)


def test_paired__says_so_if_nothing_was_played_by_both() -> None:
    with pytest.raises(ValueError, match="no deal was played by both"):
        paired({1: 0.0}, {2: 0.0})


def test_share__never_claims_that_what_was_not_seen_cannot_be() -> None:
    """The figures are those of tables of Wilson's interval."""
    assert Share(1, 10).bounds == pytest.approx((0.0179, 0.4042), abs=1e-4)
    assert Share(0, 10).bounds == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert Share(0, 0).bounds == (0.0, 1.0)
    assert str(Share(1, 10)) == "10.0% (1.8 to 40.4%), 1 of 10"
    assert str(Share(0, 0)) == "none of 0"
