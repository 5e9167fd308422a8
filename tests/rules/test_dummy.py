"""How an open hand plays: one test a rule of docs/rules.md, "Players who leave"."""

from __future__ import annotations

import pytest

from p2p_hearts.rules.cards import Card, CardSet, card_set, contains, parse_card
from p2p_hearts.rules.dummy import dummy_card, dummy_pass
from p2p_hearts.rules.options import Opening, RuleSet
from p2p_hearts.rules.play import PlayState, playable, start_play

RULES = RuleSet(opening=Opening.NONE, hearts_break=False, first_trick_penalties=True)


def cards(text: str) -> CardSet:
    return card_set(parse_card(name) for name in text.split())


def after(text: str) -> PlayState:
    """The first trick, led by the seat left of the dealer."""
    state = start_play(RULES, dealer=3)
    for name in text.split():
        state = state.play(parse_card(name))
    return state


@pytest.mark.parametrize(
    ("trick", "hand", "plays"),
    [
        ("", "9H 3D 3C QS", "3C"),
        ("9D", "2D 7D KD", "7D"),
        ("9D", "TD KD AC", "TD"),
        ("9D KD", "TD QD AD", "QD"),
        ("9D KC", "TD QD", "TD"),
        ("9D", "2C QS AH", "QS"),
        ("9D", "2C 5H 9H AS", "9H"),
        ("9D", "2C AC AS", "AS"),
    ],
)
def test_dummy__leads_low_ducks_and_gets_rid_of_what_costs_most(
    trick: str, hand: str, plays: str
) -> None:
    assert dummy_card(cards(hand), after(trick)) == parse_card(plays)


def test_dummy__plays_what_the_rules_allow() -> None:
    state = start_play(RuleSet(opening=Opening.NONE), dealer=3)
    hand = cards("2H 3S")
    assert contains(playable(hand, state), dummy_card(hand, state))
    assert dummy_card(hand, state) == parse_card("3S")


def test_dummy__without_a_card_is_a_bug_of_ours() -> None:
    with pytest.raises(ValueError, match="no card to play"):
        dummy_card(CardSet(0), after(""))


def test_dummy__passes_its_highest_cards() -> None:
    passed: tuple[Card, ...] = dummy_pass(RuleSet(), cards("AC AH KD KS 2C QH"))
    assert set(passed) == {parse_card(name) for name in ("AC", "AH", "KS")}
