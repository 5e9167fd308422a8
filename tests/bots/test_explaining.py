"""What a search found, in words."""

from __future__ import annotations

import pytest

from p2p_hearts.bots.candidates import Candidate, Findings, Seen, ranked
from p2p_hearts.bots.explaining import explain
from p2p_hearts.rules.cards import Card, CardSet, card_name, card_set, parse_card


def named(cards: CardSet) -> str:
    return card_name(Card(cards.bit_length() - 1))


def candidate(
    name: str,
    points: int = 0,
    *,
    value: float | None = None,
    deals: int = 10,
    queens: int = 0,
    moons: int = 0,
    moons_of_others: int = 0,
    shoots: bool = False,
) -> Candidate:
    """One that cost so many points in each of its deals, by the deals in which that happened."""
    seen = [
        Seen(points, at < queens, at < moons, at >= deals - moons_of_others) for at in range(deals)
    ]
    values = [-float(points) if value is None else value] * deals
    return Candidate(card_set([parse_card(name)]), shoots, values=values, seen=seen)


def told(*found: Candidate, certain: bool = False) -> str:
    return explain(Findings(found, 10, certain, certain), named)


def test_explain__tells_the_figures_of_both_choices() -> None:
    text = told(candidate("2C", 2), candidate("KC", 5))
    assert text == (
        "In 10 deals that fit all you have seen you ended with 2.0 points on average; "
        "the next best choice, KC, led to 5.0."
    )
    known = told(candidate("2C", 2, deals=1), candidate("KC", 5, deals=1), certain=True)
    assert known == (
        "Every card that is left is known: you end this hand with 2, and with 5 after KC."
    )
    assert told(candidate("2C", deals=1), candidate("KC", 5, deals=1)).startswith("In 1 deal that")


def test_explain__compares_in_the_deals_that_both_were_tried_in() -> None:
    """A choice that was dropped early is not measured by deals that it never saw."""
    best = candidate("2C", 2, queens=4)
    best.seen[4:] = [Seen(20, True, False, False)] * 6
    text = told(best, candidate("KC", 5, deals=4))
    assert text.startswith("In 4 deals")
    assert "with 2.0 points on average; the next best choice, KC, led to 5.0." in text


def test_ranked__the_next_best_is_the_last_that_was_dropped() -> None:
    best, early, late, worse = (
        candidate("2C", 2),
        candidate("3C", 3, deals=2),
        candidate("4C", 5, deals=6),
        candidate("5C", 6, deals=6),
    )
    assert ranked([best], [early, worse, best, late]) == (best, late, worse, early)


def test_explain__tells_of_moons_and_the_queen_where_they_made_a_difference() -> None:
    text = told(candidate("2C", 2, queens=1), candidate("KC", 5, queens=4, moons_of_others=3))
    assert "Another player shot the moon in 0% of them, and in 30% after KC." in text
    assert "You took the queen of spades in 10% of them, and in 40% after KC." in text
    alike = told(candidate("2C", 2, queens=4), candidate("KC", 5, queens=4))
    assert "queen" not in alike
    assert "moon" not in alike


@pytest.mark.parametrize(("moons", "part"), [(0, "0%"), (8, "80%")])
def test_explain__always_tells_that_it_is_a_try_to_shoot_the_moon(moons: int, part: str) -> None:
    tried = candidate("AC", queens=8, moons=moons, shoots=True)
    text = told(tried, candidate("KC", 5))
    assert f"It is a try to shoot the moon, which worked in {part} of them." in text
    alone = told(tried, candidate("AC", 5))
    assert alone.startswith("It is a try to shoot the moon, which worked in")
    assert alone.endswith("of 10 deals that fit all you have seen.")


def test_explain__the_queen_of_an_own_moon_is_no_reproach() -> None:
    moon = candidate("AC", queens=10, moons=10)
    assert "queen" not in told(candidate("2C", 0, value=1.0), moon)


def test_explain__says_so_where_the_match_counts_more_than_points() -> None:
    more = told(candidate("2C", 6, value=1.0), candidate("KC", 5, value=0.0))
    assert "It costs more points and is better for the match" in more
    same = told(candidate("2C", 5, value=1.0), candidate("KC", 5, value=0.0))
    assert "It costs as many points and is better for the match" in same
    assert "match" not in told(candidate("2C", 5), candidate("KC", 5))


def test_explain__says_so_where_it_was_chosen_against_the_figures() -> None:
    """No talk of the match where only the first impression decided, or the doubt of a moon."""
    close = told(candidate("2C", 6), candidate("KC", 5))
    assert "There KC came out better, but by so little that the first impression decides." in close
    assert "match" not in close
    doubted = told(candidate("2C", 6), candidate("KC", 5, moons=5, shoots=True))
    assert "A try to shoot the moon came out better there, but is counted for less" in doubted
    assert "first impression" not in doubted
    # What was dropped as clearly behind was not so in all its deals: nothing is said of that.
    dropped = told(candidate("2C", 6), candidate("KC", 5, deals=4))
    assert dropped.endswith("led to 5.0.")


def test_explain__says_nothing_where_there_was_no_choice() -> None:
    assert told(candidate("2C")) == ""
