"""The beginner's mistakes and kindnesses, one position each."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from p2p_hearts.bots.easy import EasyPlayer
from p2p_hearts.rules.cards import EMPTY, card_name, cards_in
from p2p_hearts.rules.match import new_match
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.view import View
from tests.bots.positions import cards, position
from tests.rules.dealer import deal

PLAYER = EasyPlayer()


def plays(view: View) -> str:
    return card_name(PLAYER.choose_card(view))


def test_easy__passes_its_highest_cards_and_keeps_a_queen_that_nothing_guards() -> None:
    view = replace(
        deal(new_match(RuleSet()), 0, random.Random(1)).view(0),
        hand=cards("AC KD AD 2D 3D 4D 5D 6D 7D QS 2H 3H 4H"),
    )
    assert {card_name(card) for card in cards_in(PLAYER.choose_pass(view))} == {"AC", "KD", "AD"}


def test_easy__leads_the_middle_of_its_longest_suit() -> None:
    assert plays(position("2C 5D 9D KD 3S")) == "9D"


def test_easy__ducks_with_the_highest_card_and_else_wins_with_the_highest() -> None:
    assert plays(position("2D 5D KD", "9D")) == "5D"
    assert plays(position("JD KD", "9D")) == "KD"
    assert plays(position("QS AS", "9S")) == "AS"


def test_easy__is_kind_with_the_queen_unless_it_hits_whoever_is_in_front() -> None:
    view = position("QS 4D", "9C")
    assert plays(view) == "4D"
    assert view.play is not None
    leader = view.play.trick[0][0]
    for in_front, card in ((True, "QS"), (False, "4D")):
        totals = tuple(10 if (seat == leader) == in_front else 30 for seat in range(4))
        assert plays(replace(view, match=replace(view.match, totals=totals))) == card
    assert plays(position("QS", "9C")) == "QS"


def test_easy__throws_high_cards_and_forgets_that_hearts_cost_more() -> None:
    assert plays(position("AD QH", "9C")) == "AD"


def test_easy__needs_a_card_to_play() -> None:
    with pytest.raises(ValueError, match="no card"):
        PLAYER.choose_card(replace(position("2C"), legal=EMPTY))
