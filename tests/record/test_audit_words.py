"""How an audit says where in a game something stands."""

from __future__ import annotations

from p2p_hearts.record.audit.words import STEP_NAMES, round_words, words_of
from p2p_hearts.wire.chain import Place
from p2p_hearts.wire.messages import BALLOTS, BODIES, Kind


def test_place__is_told_in_words() -> None:
    assert words_of(Place(0, 1, 1)) == "the draw for seats, round 1"
    assert words_of(Place(2, 1, 3)) == "hand 2, round 3"
    assert round_words(Place(2, 1, 3), Kind.SHARES) == "hand 2, round 3 (Cards dealt)"


def test_step_names__name_every_kind_of_speech() -> None:
    assert set(STEP_NAMES) == set(BODIES) - {Kind.ACK} - BALLOTS
