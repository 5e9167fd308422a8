"""The computer player's habits, one position each."""

from __future__ import annotations

from dataclasses import replace

from p2p_hearts.bots.heuristic import HeuristicPlayer
from p2p_hearts.rules.cards import (
    EMPTY,
    card_name,
    parse_card,
)
from p2p_hearts.rules.match import new_match
from p2p_hearts.rules.options import PRESETS, Moon, RuleSet
from p2p_hearts.rules.play import playable, start_play
from p2p_hearts.rules.score import MoonChoice
from p2p_hearts.rules.view import Phase, View
from tests.bots.positions import SHOOTER_HAS, cards, position

PLAYER = HeuristicPlayer()


def plays(view: View) -> str:
    return card_name(PLAYER.choose_card(view))


# -- following and discarding --------------------------------------------------------------------


def test_play__ducks_with_the_highest_card_below() -> None:
    assert plays(position("2D 8D KD 3H", "3D 10D 4H")) == "8D"


def test_play__takes_a_clean_trick_with_its_highest_card_when_last() -> None:
    assert plays(position("JD KD 2S 3H", "3D 10D 4D")) == "KD"


def test_play__gives_the_queen_as_soon_as_it_can() -> None:
    assert plays(position("QS AC KH 2H", "3D 10D")) == "QS"
    assert plays(position("QS 2S KC 2H", "3S KS")) == "QS"


def test_play__does_not_take_the_queen_with_a_high_spade_it_can_keep() -> None:
    assert plays(position("3S KS 2H 3H", "4S QS")) == "3S"


def test_play__stays_below_the_queen_while_it_is_out() -> None:
    assert plays(position("9S KS 2H 3H", "4S")) == "9S"


def test_play__does_not_lead_what_only_the_own_hand_holds() -> None:
    gone = "2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC"
    assert plays(position("AC 2D 3H", gone=gone)) != "AC"


def test_play__wins_the_jack_in_omnibus() -> None:
    rules = PRESETS["omnibus"]
    assert plays(position("2D KD 3H 4H", "3D JD 4D", rules=rules)) == "KD"


def test_play__keeps_to_the_rule_of_trick_one() -> None:
    rules = RuleSet()
    state = start_play(rules, 0, 1)
    for name in ("2C", "3C", "4C"):
        state = state.play(parse_card(name))
    hand = cards("QS 2D 3D 4D 5D 6D 7D 2H 3H 4H KH AH 2S")
    view = replace(position("2D"), hand=hand, play=state, legal=playable(hand, state))
    assert not cards(plays(view)) & rules.penalty_faces


# -- the moon ------------------------------------------------------------------------------------


def test_play__does_not_feed_a_stopper_to_the_shooter() -> None:
    """Seat 3 has led a club that nobody can beat; the king of hearts is kept to win a trick."""
    view = position("KH AD 2D", "AC", taken={3: SHOOTER_HAS})
    assert plays(view) != "KH"


def test_play__stops_the_moon_by_winning_a_heart() -> None:
    """Seat 3, shooting, leads the queen of hearts; taking two points is cheaper than 26."""
    view = position("8H KH 2D", "QH 9H 10H", taken={1: SHOOTER_HAS})
    assert plays(view) == "KH"


def test_play__ducks_the_same_heart_when_nobody_is_shooting() -> None:
    view = position("8H KH 2D", "QH 9H 10H", taken={1: "2H 3H 4H", 2: "QS 5H 6H 7H"})
    assert plays(view) == "8H"


def test_choose_moon__never_loses_the_match() -> None:
    rules = RuleSet(moon=Moon.CHOICE)
    view = position("2C", rules=rules)
    assert view.play is not None
    past = view.play.past._replace(taken=(rules.pack_set, EMPTY, EMPTY, EMPTY))
    view = replace(view, play=view.play._replace(past=past), phase=Phase.CHOOSE_MOON)
    assert PLAYER.choose_moon(view) is MoonChoice.OTHERS_ADD
    behind = replace(new_match(rules), totals=(90, 10, 20, 80))
    assert PLAYER.choose_moon(replace(view, match=behind)) is MoonChoice.SHOOTER_SUBTRACTS
