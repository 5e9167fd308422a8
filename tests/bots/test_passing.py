"""Which cards ``normal`` passes, one hand each."""

from __future__ import annotations

import random
from dataclasses import replace

from p2p_hearts.bots.passing import choose_pass
from p2p_hearts.rules.cards import (
    card_name,
    cards_in,
)
from p2p_hearts.rules.match import new_match
from p2p_hearts.rules.options import PRESETS, RuleSet
from tests.bots.positions import cards
from tests.rules.dealer import deal

DEFAULT = RuleSet()
LEFT, RIGHT, ACROSS = 1, 3, 2


def passes(hand: str, offset: int = LEFT, rules: RuleSet = DEFAULT) -> set[str]:
    view = replace(
        deal(new_match(rules), 0, random.Random(1)).view(0), hand=cards(hand), offset=offset
    )
    return {card_name(card) for card in cards_in(choose_pass(view))}


def test_pass__gives_away_an_unguarded_queen_and_what_takes_it() -> None:
    assert passes("2C 3C 4C 5C 2D 3D 4D QS KS AS 2H 3H 4H") == {"QS", "KS", "AS"}


def test_pass__keeps_a_queen_with_four_low_spades() -> None:
    assert "QS" not in passes("2C 9C KC AC 9D KD 2S 4S 6S 8S QS 2H KH")


def test_pass__rather_keeps_the_queen_from_going_across() -> None:
    hand = "2C 9C KC AC 9D KD AD 2S 4S 6S QS 2H KH"
    assert "QS" in passes(hand, LEFT)
    assert "QS" in passes(hand, RIGHT)
    assert "QS" not in passes(hand, ACROSS)


def test_pass__keeps_low_spades() -> None:
    assert not passes("2C 3C 4C 5C 2D 3D 4D 2S 3S 4S AH KH QH") & {"2S", "3S", "4S"}


def test_pass__gives_high_hearts() -> None:
    assert {"AH", "KH"} <= passes("2C 3C 4C 5C 2D 3D 4D 2S 3S 4S 5S KH AH")


def test_pass__empties_a_short_suit() -> None:
    assert {"9D", "QD"} <= passes("2C 3C 4C 5C 6C 9D QD 2S 3S 4S 2H 3H 4H")


def test_pass__keeps_the_jack_and_what_wins_it_in_omnibus() -> None:
    hand = "9C QC KC AC 2D JD QD AD 2S 3S 2H KH AH"
    assert not passes(hand, rules=PRESETS["omnibus"]) & {"JD", "QD", "AD"}
