"""The player that searches: what it finds, that it is fair, and that it keeps to its budget."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from p2p_hearts.bots.budget import Playouts, playouts
from p2p_hearts.bots.endgame import Solver
from p2p_hearts.bots.heuristic import HeuristicPlayer
from p2p_hearts.bots.ideas import ALL_IDEAS, Ideas
from p2p_hearts.bots.search import CARDS, HOPELESS, Search, SearchPlayer
from p2p_hearts.rules.cards import CardSet, card_name, card_set, parse_card, size
from p2p_hearts.rules.match import new_match
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.play import PlayState
from p2p_hearts.rules.view import View
from tests.bots.positions import position, view_of
from tests.bots.searcher import make_searcher
from tests.rules.dealer import Hand, at_hand, deal, play_hand


def chosen(view: View, number: int = 400, ideas: Ideas = ALL_IDEAS) -> str:
    return card_name(make_searcher(number, ideas).choose_card(view))


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
    """The heart on the table ends the match, and loses it, if seat 2 gets it; so it is taken."""
    gone = "9C 10C JC QC KC AC 2D 4D 6D 7D 8D 10D JD QD AD 2S 3S 4S 5S 6S 7S 8S 9S 10S JS KS AS"
    taken = {1: f"2C 3C 7C 8C {gone}", 3: "QS 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH"}
    view = position("KD 3D", "5D 9D 2H", taken=taken)
    late = replace(view, match=replace(new_match(RuleSet()), totals=(70, 60, 99, 20)))
    assert chosen(late) == "KD"
    assert chosen(late, ideas=replace(ALL_IDEAS, match_score=False)) == "3D"


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


def decision(number: int) -> View:
    """One decision of a hand that ``normal`` plays, counted from its first card."""
    seen: list[Hand] = []
    players = [HeuristicPlayer()] * 4
    play_hand(at_hand(RuleSet(), 1), 0, players, random.Random(26), seen.append)
    hand = seen[number]
    assert hand.play is not None
    assert hand.play.turn is not None
    return hand.view(hand.play.turn)


@pytest.mark.parametrize("idea", sorted(set(Ideas.__slots__) - {"passing"}))
def test_search__finds_something_else_without_an_idea(idea: str) -> None:
    """Else a measurement of what it is worth would compare a player with itself."""
    without = replace(ALL_IDEAS, **{idea: False})
    assert any(
        make_searcher(40).search_cards(view) != make_searcher(40, without).search_cards(view)
        for view in (MOON, decision(21), decision(45))
    )


def test_search__passes_by_rule_without_the_idea_of_searching_for_it() -> None:
    class Never:
        def allows(self, spent: int) -> bool:
            raise AssertionError

    view = deal(at_hand(RuleSet(), 1), 0, random.Random(3)).view(2)
    player = SearchPlayer(lambda times: Never(), replace(ALL_IDEAS, passing=False))
    assert player.choose_pass(view) == HeuristicPlayer().choose_pass(view)


MOON = view_of(
    {0: "AC KC QC JC", 1: "2C 3C 2D 3D", 2: "4D 5D 6D 7D", 3: "2H 8D 9D 10D"},
    mine="QS 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH",
)
"""A hand that wins everything."""


def test_search__tries_the_moon_with_a_hand_that_wins_everything() -> None:
    found = make_searcher(60).search_cards(MOON)
    assert found.best.moons == len(found.best.values)
