"""What the report of an audit says to people."""

from __future__ import annotations

from p2p_hearts.record.audit.report import SHOWN, shortened
from p2p_hearts.record.audit.words import round_words, words_of
from p2p_hearts.wire.chain import Place
from p2p_hearts.wire.messages import Kind


def test_reasons__that_are_too_many_to_show_are_counted() -> None:
    reasons = [f"reason {number}" for number in range(SHOWN + 2)]
    for few in range(SHOWN + 1):
        assert shortened(reasons[:few]) == tuple(reasons[:few])
    assert shortened(reasons) == (*reasons[:SHOWN], "and 2 more of this kind")


def test_place__is_told_in_words() -> None:
    assert words_of(Place(0, 1, 1)) == "the draw for seats, round 1"
    assert words_of(Place(2, 1, 3)) == "hand 2, round 3"
    assert round_words(Place(2, 1, 3), Kind.SHARES) == "hand 2, round 3 (Cards dealt)"
