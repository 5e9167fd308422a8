"""The player that searches: what it finds, that it is fair, and that it keeps to its budget."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from p2p_hearts.bots.budget import Playouts, playouts
from p2p_hearts.bots.candidates import Candidate, Findings
from p2p_hearts.bots.endgame import Solver
from p2p_hearts.bots.findings import explain
from p2p_hearts.bots.ideas import ALL_IDEAS, Ideas
from p2p_hearts.bots.search import CARDS, HOPELESS, Search, SearchPlayer
from p2p_hearts.rules.cards import Card, CardSet, card_name, card_set, parse_card, size
from p2p_hearts.rules.match import new_match
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.play import PlayState
from p2p_hearts.rules.view import View
from tests.bots.searcher import make_searcher
from tests.bots.test_claiming import view_of
from tests.bots.test_heuristic import position
from tests.bots.test_players import at_hand
from tests.rules.dealer import deal


def chosen(view: View, number: int = 400, ideas: Ideas = ALL_IDEAS) -> str:
    return card_name(make_searcher(number, ideas).choose_card(view))


def named(cards: CardSet) -> str:
    return card_name(Card(cards.bit_length() - 1))


def test_search__equal_views_and_budgets_give_equal_findings() -> None:
    view = deal(at_hand(RuleSet(), 1), 0, random.Random(3)).view(2)
    first, second = (make_searcher(20).search_pass(view) for _ in range(2))
    assert first == second
    assert first.best.values


def test_search__keeps_to_its_budget() -> None:
    view = deal(at_hand(RuleSet(), 1), 0, random.Random(3)).view(2)
    for number in (1, 20, 60):
        search = Search(view, Playouts(number), ALL_IDEAS)
        found = search.passes()
        assert search.spent <= number + 2 * len(found.candidates)


def test_search__a_single_card_needs_no_search() -> None:
    class Never:
        def allows(self, spent: int) -> bool:
            raise AssertionError

    player = SearchPlayer(lambda times: Never())
    assert card_name(player.choose_card(position("2C", "KC"))) == "2C"
    with pytest.raises(ValueError, match="no card"):
        Search(replace(position("2C"), legal=CardSet(0)), Playouts(1), ALL_IDEAS).cards()


def test_search__solves_the_last_tricks() -> None:
    """The two loses the lead, and the heart with it; after the ace the two would win that."""
    view = view_of({0: "AC 2C", 1: "3C 2D", 2: "3D 4D", 3: "2H 5D"}, others="QS")
    assert chosen(view) == "2C"
    certain = replace(
        view, known=(CardSet(0), *(card_set(map(parse_card, text.split())) for text in LEFT))
    )
    found = make_searcher(50).search_cards(certain)
    assert found.certain
    assert found.deals == 1


LEFT = ("3C 2D", "3D 4D", "2H 5D")


def test_search__solves_three_cards_each_only_where_it_knows_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else all seats would be taken to see through the backs of cards."""
    solved: list[int] = []

    class Watched(Solver):
        def solve(
            self, state: PlayState, hands: tuple[CardSet, ...], widow: CardSet
        ) -> tuple[CardSet, ...]:
            solved.append(state.unseen.bit_count())
            return super().solve(state, hands, widow)

    monkeypatch.setattr("p2p_hearts.bots.trials.Solver", Watched)
    view = view_of({0: "AC 2C 6C", 1: "3C 2D 7D", 2: "3D 4D 8C", 3: "2H 5D 9C"}, others="QS")
    known = tuple(
        card_set(map(parse_card, text.split())) for text in ("3C 2D 7D", "3D 4D 8C", "2H 5D 9C")
    )
    make_searcher(50).search_cards(view)
    assert not solved
    make_searcher(50).search_cards(replace(view, known=(CardSet(0), *known)))
    assert max(solved) == 11


def test_search__compares_few_cards_and_one_way_to_shoot() -> None:
    """What looks hopeless is not played out, so that the time goes to the others."""
    view = view_of(
        {
            0: "AC KC 10C AD KD 9D AH KH AS 8S",
            1: "QC JC 3C 4C 6C QD JD 3D 2H 9H",
            2: "5C 7C 8C 9C 5D 6D 7D 8D 10D 3H",
            3: "2D 4H 5H 6H 7H 8H KS QS 2S 3S",
        }
    )
    found = make_searcher(60).search_cards(view).candidates
    plain = [one for one in found if not one.shoots]
    assert 1 < len(plain) <= CARDS
    assert min(one.prior for one in plain) >= -HOPELESS * 26
    assert len(found) - len(plain) == 1
    every = Search(view, Playouts(60), replace(ALL_IDEAS, prior=False)).cards().candidates
    assert len([one for one in every if not one.shoots]) == 7


def test_search__the_match_decides_over_points() -> None:
    """It leads; seat 3 is at 99. The jack gives the last heart away, and ends the match won."""
    rules = RuleSet()
    view = view_of({0: "JC 2C", 1: "3C 2D", 2: "QC 4D", 3: "2H 5D"}, others="QS")
    ahead = replace(view, match=replace(new_match(rules), totals=(60, 70, 80, 99)))
    assert make_searcher(100).choose_card(ahead) in {parse_card("JC"), parse_card("2C")}
    values = [
        Search(ahead, Playouts(200), replace(ALL_IDEAS, match_score=flag)).cards().best.mean()
        for flag in (True, False)
    ]
    assert values[0] != values[1]


@pytest.mark.parametrize("idea", list(Ideas.__slots__))
def test_search__goes_on_without_any_one_of_its_ideas(idea: str) -> None:
    ideas = replace(ALL_IDEAS, **{idea: False})
    dealt = deal(at_hand(RuleSet(), 1), 0, random.Random(3)).view(2)
    assert size(SearchPlayer(playouts(20), ideas).choose_pass(dealt)) == 3
    view = position("8H KH 2D", "QH 9H 10H")
    assert SearchPlayer(playouts(20), ideas).choose_card(view) in (
        parse_card("8H"),
        parse_card("KH"),
    )


def test_search__tries_the_moon_with_a_hand_that_wins_everything() -> None:
    view = view_of(
        {0: "AC KC QC JC", 1: "2C 3C 2D 3D", 2: "4D 5D 6D 7D", 3: "2H 8D 9D 10D"},
        mine="QS 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH",
    )
    found = make_searcher(60).search_cards(view)
    assert found.best.moons == len(found.best.values)


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
