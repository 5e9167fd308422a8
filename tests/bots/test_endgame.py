"""The solver takes the line that plain search over every card takes."""

from __future__ import annotations

import random

import pytest

from p2p_hearts.bots.endgame import Solver, distinct
from p2p_hearts.bots.utility import Utility
from p2p_hearts.rules.cards import CardSet, card_name, cards_in, remove
from p2p_hearts.rules.match import new_match
from p2p_hearts.rules.options import PRESETS, RuleSet
from p2p_hearts.rules.play import PlayState, playable
from tests.bots.positions import position
from tests.rules.dealer import Hand, RandomPlayer, play_hand


def plain(
    state: PlayState, hands: tuple[CardSet, ...], utility: Utility
) -> tuple[int, tuple[CardSet, ...]]:
    """The points of the seat in turn under best play of everybody, every card tried."""
    seat = state.turn
    if seat is None:
        return 0, state.taken
    ends = []
    for card in cards_in(playable(hands[seat], state)):
        left = (*hands[:seat], remove(hands[seat], card), *hands[seat + 1 :])
        ends.append(plain(state.play(card), left, utility)[1])
    best = min(ends, key=lambda end: utility.scores(end)[seat])
    return utility.scores(best)[seat], best


@pytest.mark.parametrize("preset", ["black-lady", "omnibus", "spot"])
def test_solve__is_what_trying_every_card_gives(preset: str) -> None:
    rng, rules = random.Random(preset), PRESETS[preset]
    utility = Utility(new_match(rules), 0)

    def watch(hand: Hand) -> None:
        play = hand.play
        assert play is not None
        if play.unseen.bit_count() != 8:
            return
        assert play.turn is not None
        solver = Solver(utility)
        end = solver.solve(play, hand.hands, hand.widow)
        # Where two lines cost the seat the same, others may differ: its own score may not.
        assert utility.scores(end)[play.turn] == plain(play, hand.hands, utility)[0]
        known = solver.nodes
        assert solver.solve(play, hand.hands, hand.widow) == end
        assert solver.nodes == known

    for _ in range(12):
        play_hand(new_match(rules), 0, [RandomPlayer(rng)] * rules.seats, rng, watch)


def names(view_hand: str, trick: str = "") -> list[str]:
    view = position(view_hand, trick)
    assert view.play is not None
    return [card_name(card) for card in distinct(view.play, view.legal, view.hand)]


def test_distinct__one_of_cards_that_nothing_tells_apart() -> None:
    assert names("5C 6C 7C KD") == ["5C", "KD"]
    assert names("QS KS AS") == ["QS", "KS"]  # the queen costs points
    assert names("5C 7C") == ["5C", "7C"]  # the six is out


def test_distinct__a_card_on_the_table_tells_its_neighbours_apart() -> None:
    assert names("5C 7C", "6C") == ["5C", "7C"]
    spot = RuleSet(heart_points=PRESETS["spot"].heart_points)
    view = position("5H 6H", rules=spot)
    assert view.play is not None
    assert len(distinct(view.play, view.legal, view.hand)) == 2
