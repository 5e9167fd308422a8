"""A moon from both sides: whether somebody shoots, and whether to."""

from __future__ import annotations

from dataclasses import replace

from p2p_hearts.bots.heuristic import HeuristicPlayer
from p2p_hearts.bots.moon import attack, choose_moon, losers, threat
from p2p_hearts.bots.reading import Reading
from p2p_hearts.rules.cards import (
    EMPTY,
    card_name,
    parse_card,
)
from p2p_hearts.rules.match import new_match
from p2p_hearts.rules.options import Moon, RuleSet
from p2p_hearts.rules.score import MoonChoice
from p2p_hearts.rules.view import Phase
from tests.bots.positions import SHOOTER_HAS, position


def test_threat__is_the_only_taker_of_many_penalties() -> None:
    danger = threat(Reading(position("KH 9H 2C 3C", "AC", taken={3: SHOOTER_HAS})))
    assert danger is not None
    assert danger.seat == 3
    two = {3: SHOOTER_HAS.removesuffix(" 7H"), 2: "7H"}
    assert threat(Reading(position("KH 9H 2C 3C", "AC", taken=two))) is None
    assert threat(Reading(position("KH 9H 2C 3C", "AC", taken={3: "2H 3H"}))) is None
    off = RuleSet(moon=Moon.OFF)
    assert threat(Reading(position("KH 9H", "AC", taken={3: SHOOTER_HAS}, rules=off))) is None


def test_attack__with_nothing_but_winners() -> None:
    view = position("AC KC AD AS AH KH", taken={0: "QS 2H 3H 4H"})
    assert losers(Reading(view)) == []
    assert attack(Reading(view))
    assert card_name(HeuristicPlayer().choose_card(view)) in {"AC", "KC", "AD", "AS"}
    split = position("AC KC AD AS AH KH", taken={0: "QS 2H 3H", 2: "4H"})
    assert not attack(Reading(split))


def test_losers__a_queen_is_none_once_the_king_alone_must_fall() -> None:
    gone = "2H 3H 4H 5H 6H 7H 8H 9H 10H JH"
    assert losers(Reading(position("AH QH", gone=gone))) == []
    guarded = losers(Reading(position("AH QH", gone=gone.removesuffix(" JH"))))
    assert guarded == [parse_card("QH")]


def test_choose_moon__never_loses_the_match() -> None:
    rules = RuleSet(moon=Moon.CHOICE)
    view = position("2C", rules=rules)
    assert view.play is not None
    past = view.play.past._replace(taken=(rules.pack_set, EMPTY, EMPTY, EMPTY))
    view = replace(view, play=view.play._replace(past=past), phase=Phase.CHOOSE_MOON)
    assert choose_moon(view) is MoonChoice.OTHERS_ADD
    behind = replace(new_match(rules), totals=(90, 10, 20, 80))
    assert choose_moon(replace(view, match=behind)) is MoonChoice.SHOOTER_SUBTRACTS
