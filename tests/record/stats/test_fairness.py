from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec.structs import replace as with_fields

from p2p_hearts.record.stats.fairness import Test, fairness
from p2p_hearts.rules.cards import QUEEN_OF_SPADES, Card
from p2p_hearts.rules.options import PRESETS, RuleSet
from tests.record.stats.deals import game_facts

FOUR = RuleSet()
RULES = [FOUR, RuleSet(seats=3), RuleSet(seats=6), PRESETS["cancellation"], PRESETS["omnibus"]]


def chances(test: Test | None) -> float:
    assert test is not None
    assert test.chance is not None
    return test.chance


@pytest.mark.parametrize("rules", RULES)
def test_fairness__of_fair_deals_is_unusual_as_often_as_it_says(rules: RuleSet) -> None:
    """The chances are spread evenly: their mean is a half, a tenth of them below 0.1."""
    series = 80
    found = [fairness([game_facts(rules, 32, seed)])[0] for seed in range(series)]
    for tests in ([item.lengths for item in found], [item.queens for item in found],
                  [item.points for item in found]):  # fmt: skip
        values = [chances(test) for test in tests]
        assert sum(values) / series == pytest.approx(0.5, abs=0.13)
        assert sum(value < 0.1 for value in values) / series == pytest.approx(0.1, abs=0.12)


def test_fairness__sees_a_queen_that_goes_to_one_seat() -> None:
    def steer(pack: list[Card]) -> None:
        at = pack.index(QUEEN_OF_SPADES)
        pack[0], pack[at] = pack[at], pack[0]

    (found,) = fairness([game_facts(FOUR, 40, steer=steer)])
    assert found.queens is not None
    assert list(found.queens.observed) == [40, 0, 0, 0]
    assert chances(found.queens) < 1e-9
    assert chances(found.points) < 0.001


def test_fairness__sees_hands_that_are_dealt_too_evenly() -> None:
    """Thirteen cards by suit in turn: nobody is short of anything, as after no shuffle at all."""

    def steer(pack: list[Card]) -> None:
        pack.sort()
        pack[:] = [pack[at * 4 + seat] for seat in range(4) for at in range(13)]

    (found,) = fairness([game_facts(FOUR, 30, steer=steer)])
    assert chances(found.lengths) < 1e-9


def test_fairness__counts_every_card_and_every_suit() -> None:
    (found,) = fairness([game_facts(FOUR, 25)])
    assert (found.seats, found.cards, found.deals) == (4, 52, 25)
    assert sum(found.lengths.observed) == 25 * 16
    assert sum(found.lengths.expected) == pytest.approx(25 * 16)
    assert min(found.lengths.expected) >= 5
    assert sum(found.points.observed) == sum(found.points.expected) == 25 * 26
    assert found.queens is not None
    assert found.queens.expected == (6.25,) * 4


def test_fairness__says_nothing_of_few_deals() -> None:
    (found,) = fairness([game_facts(FOUR, 1)])
    assert found.points.chi_square is found.points.chance is None
    assert found.queens is not None
    assert found.queens.chance is None
    assert found.to_dict()["deals"] == 1


def test_fairness__leaves_out_deals_that_are_not_known_whole() -> None:
    game = game_facts(FOUR, 5)
    hidden = with_fields(game.hands[0], suits=[], dealt_queens=[], dealt_points=[])
    (found,) = fairness([with_fields(game, hands=[hidden, *game.hands[1:]])])
    assert found.deals == 4
    assert fairness([with_fields(game, hands=[hidden])]) == ()
    assert fairness([]) == ()


def test_fairness__keeps_kinds_of_deals_apart() -> None:
    games = [
        game_facts(FOUR, 3), game_facts(replace(FOUR, target=50), 4), game_facts(RULES[1], 2),
        with_fields(game_facts(FOUR, 9), rules={"seats": 4}),
    ]  # fmt: skip
    assert [(item.seats, item.deals) for item in fairness(games)] == [(4, 7), (3, 2)]


def test_fairness__asks_nothing_of_a_queen_that_costs_nothing() -> None:
    (found,) = fairness([game_facts(PRESETS["british"], 30)])
    assert found.queens is None
    assert found.to_dict()["queen_of_spades"] is None
