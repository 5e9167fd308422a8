"""What the report of an audit says to people."""

from __future__ import annotations

from p2p_hearts.record.audit.report import SHOWN, shortened


def test_reasons__that_are_too_many_to_show_are_counted() -> None:
    reasons = [f"reason {number}" for number in range(SHOWN + 2)]
    for few in range(SHOWN + 1):
        assert shortened(reasons[:few]) == tuple(reasons[:few])
    assert shortened(reasons) == (*reasons[:SHOWN], "and 2 more of this kind")
