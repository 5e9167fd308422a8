"""What a search found, in words."""

from __future__ import annotations

from p2p_hearts.bots.candidates import Candidate, Findings
from p2p_hearts.bots.findings import explain
from p2p_hearts.rules.cards import (
    Card,
    CardSet,
    card_name,
    card_set,
    parse_card,
)


def named(cards: CardSet) -> str:
    return card_name(Card(cards.bit_length() - 1))


def candidate(name: str, **counts: int) -> Candidate:
    one = Candidate(card_set([parse_card(name)]), False, values=[0.0] * 10)
    for key, value in counts.items():
        setattr(one, key, value)
    return one


def told(best: Candidate, other: Candidate, *, certain: bool = False) -> str:
    return explain(Findings((best, other), 10, certain), named)


def test_explain__tells_the_figures_of_both_choices() -> None:
    text = told(candidate("2C", points=20), candidate("KC", points=50))
    assert text.startswith("In 10 deals that fit all you have seen you ended with 2.0 points")
    assert "KC, led to 5.0" in text
    assert "moon" not in text
    assert "queen" not in text
    known = told(candidate("2C", points=20), candidate("KC", points=50), certain=True)
    assert known == (
        "Every card that is left is known: it brings you to 2 points in this hand, KC to 5."
    )


def test_explain__tells_of_moons_and_the_queen_where_they_made_a_difference() -> None:
    text = told(
        candidate("2C", points=20, queens=1, moons_of_others=0),
        candidate("KC", points=50, queens=4, moons_of_others=3),
    )
    assert "Another player shot the moon in 0% of them, and in 30% after KC." in text
    assert "You took the queen of spades in 10% of them, and in 40% after KC." in text
    tries = candidate("AC", points=0, moons=8)
    tries.shoots = True
    assert "a try to shoot the moon, which worked in 80% of them." in told(
        tries, candidate("KC", points=50)
    )


def test_explain__says_so_where_the_match_counts_more_than_points() -> None:
    assert "better for the match" in told(candidate("2C", points=60), candidate("KC", points=50))


def test_explain__says_nothing_where_there_was_no_choice() -> None:
    assert explain(Findings((candidate("2C"),), 10, False), named) == ""
