from __future__ import annotations

import random
from dataclasses import replace

import pytest

from p2p_hearts.rules.cards import EMPTY, card_set, parse_card
from p2p_hearts.rules.match import new_match
from p2p_hearts.rules.options import PRESETS, Moon, RuleSet
from p2p_hearts.rules.view import Phase, View
from tests.rules.dealer import RandomPlayer, begin, deal, play_hand

DEFAULT = RuleSet()


def dealt(rules: RuleSet = DEFAULT) -> View:
    return begin(deal(new_match(rules), 0, random.Random(1))).view(0)


def test_view__is_your_turn_to_pass_and_when_a_card_may_be_played() -> None:
    view = replace(dealt(), legal=EMPTY)
    assert replace(view, phase=Phase.PASS).your_turn
    assert not view.your_turn
    assert replace(view, legal=card_set([parse_card("2C")])).your_turn
    for phase in (Phase.DEAL, Phase.WAIT_PASS, Phase.HAND_OVER, Phase.MATCH_OVER):
        assert not replace(view, phase=phase, legal=EMPTY).your_turn


def test_view__is_the_shooters_turn_to_choose() -> None:
    rules = RuleSet(moon=Moon.CHOICE)
    view = replace(dealt(rules), phase=Phase.CHOOSE_MOON)
    assert view.play is not None
    past = view.play.past._replace(taken=(EMPTY, rules.pack_set, EMPTY, EMPTY))
    view = replace(view, play=view.play._replace(past=past))
    assert replace(view, seat=1).your_turn
    assert not replace(view, seat=0).your_turn


def test_view__knows_a_forced_card() -> None:
    view = dealt()
    assert replace(view, legal=card_set([parse_card("QS")])).forced == parse_card("QS")
    both = card_set([parse_card("QS"), parse_card("KS")])
    assert replace(view, legal=both).forced is None
    assert replace(view, legal=EMPTY).forced is None


def test_view__may_play_what_is_legal_only() -> None:
    view = replace(dealt(), legal=card_set([parse_card("QS")]))
    assert view.may_play(parse_card("QS"))
    assert not view.may_play(parse_card("KS"))
    assert not replace(view, phase=Phase.HAND_OVER).may_play(parse_card("QS"))


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_view__is_hashable_and_equal_for_equal_knowledge(preset: str) -> None:
    rng = random.Random(preset)
    rules = PRESETS[preset]
    hand, _ = play_hand(new_match(rules), 0, [RandomPlayer(rng)] * rules.seats, rng)
    assert hand.view(1) == hand.view(1)
    assert hash(hand.view(1)) == hash(hand.view(1))
    assert hand.view(1) != hand.view(2)
