"""Token buckets and how many senders are remembered."""

from __future__ import annotations

import pytest

from p2p_hearts.net.buckets import Bucket, Buckets, Rate


def test_bucket__gives_the_burst_and_then_the_rate() -> None:
    bucket = Bucket(Rate(per_second=2, burst=3), now=10.0)
    assert [bucket.take(1, 10.0) for _ in range(4)] == [True, True, True, False]
    assert bucket.wait(1, 10.0) == 0.5
    assert bucket.take(1, 10.5)
    assert not bucket.take(1, 10.5)
    assert bucket.take(3, 100.0)
    assert not bucket.has(1, 100.0)
    assert not bucket.has(1, 50.0), "a clock that runs backwards gives nothing"
    assert bucket.wait(99, 100.0) == 1.5
    with pytest.raises(ValueError, match="positive"):
        Rate(0, 1)


def test_buckets__remember_only_so_many_senders() -> None:
    buckets = Buckets(Rate(1, 1), remembered=3)
    for sender in range(1000):
        assert buckets.of(sender, 0.0).take(1, 0.0)
        assert len(buckets) <= 3
    assert not buckets.of(999, 0.0).take(1, 0.0)
    assert buckets.of(0, 0.0).take(1, 0.0)
