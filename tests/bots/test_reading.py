"""What a seat works out from its view."""

from __future__ import annotations

from dataclasses import replace

from p2p_hearts.bots.reading import Reading
from p2p_hearts.rules.cards import (
    ALL_CLASSES,
    EMPTY,
    CardClass,
    ClassSet,
    Suit,
    card_set,
    parse_card,
)
from tests.bots.positions import position


def test_reading__a_proven_void_is_certain_and_a_known_card_too() -> None:
    spades = ClassSet(1 << CardClass.SPADES | 1 << CardClass.QUEEN)
    view = position("2C 3C 4C 5C", voids={1: spades})
    queen = parse_card("QS")
    known = (EMPTY, EMPTY, card_set([queen]), EMPTY)
    reading = Reading(replace(view, known=known))
    assert reading.chance_void(1, Suit.SPADES) == 1.0
    assert reading.chance_void(2, Suit.SPADES) == 0.0
    assert reading.chance_holds(1, queen) == 0.0
    assert reading.chance_holds(2, queen) == 1.0
    assert reading.chance_holds(3, queen) == 0.0
    assert Reading(replace(view, void_classes=(ALL_CLASSES,) * 4)).chance_holds(1, queen) == 0
