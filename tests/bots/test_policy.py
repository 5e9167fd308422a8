"""The habits of seats in a simulation, one position each, and that they are always legal."""

from __future__ import annotations

import random
from collections.abc import Sequence

from hypothesis import given, settings

from p2p_hearts.bots.policy import Habits, losers
from p2p_hearts.rules.cards import EMPTY, Card, CardSet, card_name, parse_card, size
from p2p_hearts.rules.match import new_match
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.playout import play_out
from p2p_hearts.rules.score import score_hand
from tests.bots.positions import SHOOTER_HAS, cards
from tests.rules.dealer import begin, deal
from tests.rules.strategies import generators, rule_sets

RULES = RuleSet()
ALL = RULES.pack_set
NONE_TAKEN = (EMPTY,) * 4


class Checked(Habits):
    """Every choice is one of those that may be played."""

    def lead(self, seat: int, legal: int, left: int, taken: Sequence[int]) -> int:
        card = super().lead(seat, legal, left, taken)
        assert legal >> card & 1
        return card

    def follow(
        self, seat: int, legal: int, left: int, table: int, best: int, owner: int, after: int
    ) -> int:
        card = super().follow(seat, legal, left, table, best, owner, after)
        assert legal >> card & 1
        return card

    def discard(self, seat: int, legal: int, left: int, table: int, owner: int) -> int:
        card = super().discard(seat, legal, left, table, owner)
        assert legal >> card & 1
        return card


@settings(max_examples=30, deadline=None)
@given(rule_sets(), generators())
def test_habits__choose_what_may_be_played_in_random_rules(
    rules: RuleSet, rng: random.Random
) -> None:
    hand = begin(deal(new_match(rules), 0, rng))
    assert hand.play is not None
    for shooters in (0, rng.randrange(1 << rules.seats)):
        habits = Checked(rules)
        habits.begin(shooters, hand.play.taken)
        taken = play_out(hand.play, hand.hands, habits, hand.widow)
        assert sum(map(size, taken)) == len(rules.pack)
        short = play_out(hand.play, hand.hands, habits, hand.widow, whole=False)
        assert sum(map(size, short)) <= len(rules.pack)


@settings(max_examples=20, deadline=None)
@given(generators())
def test_play_out__stopped_where_nothing_counts_scores_the_same(rng: random.Random) -> None:
    match = new_match(RULES)
    hand = begin(deal(match, 0, rng))
    assert hand.play is not None
    ends = []
    for whole in (True, False):
        habits = Habits(RULES)
        habits.begin(0, hand.play.taken)
        ends.append(play_out(hand.play, hand.hands, habits, hand.widow, whole=whole))
    assert score_hand(match, ends[0]) == score_hand(match, ends[1])


def habits(taken: Sequence[CardSet] = NONE_TAKEN, shooters: int = 0) -> Habits:
    made = Habits(RULES)
    made.begin(shooters, taken)
    return made


LATE = CardSet(ALL & ~cards("2C 3C 4C 5C 6C 7C 8C 9C 2D 3D 4D 5D 6D 7D 8D 9D"))
"""Cards that are left some tricks into a hand."""


def follow(hand: str, table: str, after: int, made: Habits, left: CardSet = LATE) -> str:
    played = [parse_card(name) for name in table.split()]
    best = max(played)
    card = made.follow(3, cards(hand), left, cards(table), best, played.index(best), after)
    return card_name(Card(card))


def discard(hand: str, made: Habits, owner: int = 0) -> str:
    return card_name(Card(made.discard(3, cards(hand), LATE, cards("KC"), owner)))


def test_habits__duck_with_the_highest_card_below() -> None:
    assert follow("2H 8H KH", "10H", 2, habits()) == "8H"


def test_habits__give_the_queen_to_a_higher_spade() -> None:
    assert follow("2S QS", "KS", 2, habits()) == "QS"


def test_habits__win_high_where_it_is_free() -> None:
    assert follow("2C KC", "10C JC", 0, habits(), ALL) == "KC"


def test_habits__throw_the_queen_then_what_would_take_it() -> None:
    assert discard("QS AH", habits()) == "QS"
    assert discard("KS 10D", habits()) == "KS"


def test_habits__keep_penalty_cards_from_a_shooter_and_win_one_to_stop_it() -> None:
    shooter = (cards(SHOOTER_HAS), EMPTY, EMPTY, EMPTY)
    assert discard("QS KD", habits(shooter)) == "KD"
    assert discard("QS KD", habits(shooter), owner=1) == "QS"
    assert follow("2H KH", "QH 5H", 0, habits(shooter)) == "KH"
    assert follow("2H KH", "QH 5H", 0, habits()) == "2H"


def test_habits__a_shooter_wins_until_somebody_else_has_a_penalty_card() -> None:
    mine = (EMPTY, EMPTY, EMPTY, cards("2H"))
    assert follow("3H KH", "QH 5H", 0, habits(mine, shooters=8)) == "KH"
    broken = (cards("3H"), EMPTY, EMPTY, cards("2H"))
    assert follow("3D KD", "QD 5D", 1, habits(broken, shooters=8), LATE) == "3D"
    lead = habits(mine, shooters=8).lead(3, cards("3D AS KS"), LATE, mine)
    assert card_name(Card(lead)) == "AS"


def test_habits__lead_low_spades_while_the_queen_is_out_and_not_from_above_it() -> None:
    made = habits()
    assert card_name(Card(made.lead(3, cards("4S JD"), LATE, NONE_TAKEN))) == "4S"
    assert card_name(Card(made.lead(3, cards("KS 10D"), LATE, NONE_TAKEN))) == "10D"


def test_losers__count_cards_that_may_lose_when_suits_are_led_from_the_top() -> None:
    assert losers(cards("AC KC"), ALL) == 0
    assert losers(cards("AC QC"), ALL) == 1
    assert losers(cards("2C"), cards("2C 2D")) == 0
