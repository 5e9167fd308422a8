"""Deals in arrays: what the view allows, and how well each explains what was played."""

from __future__ import annotations

import random

import numpy as np
import pytest

from p2p_hearts.bots.heuristic import HeuristicPlayer
from p2p_hearts.bots.lanes import Rows, holders
from p2p_hearts.bots.pool import MISFIT, Pool, due, hands_of
from p2p_hearts.bots.worlds import Hidden
from p2p_hearts.rules.cards import cards_in
from p2p_hearts.rules.options import PRESETS, RuleSet
from tests.rules.dealer import Hand, at_hand, play_hand

HELD = 4
"""A hand without a pass, in which nobody knows another's card."""


def decisions(rules: RuleSet, number: int, seed: int) -> list[Hand]:
    seen: list[Hand] = []
    players = [HeuristicPlayer()] * rules.seats
    play_hand(at_hand(rules, number), 0, players, random.Random(seed), seen.append)
    return seen


@pytest.mark.parametrize("preset", ["black-lady", "omnibus", "british"])
def test_deal__agrees_with_counts_voids_and_passes(preset: str) -> None:
    rules = PRESETS[preset]
    for hand in decisions(rules, 1, 7)[5::9]:
        assert hand.play is not None
        assert hand.play.turn is not None
        view = hand.view(hand.play.turn)
        pool = Pool(Rows(rules), view, Hidden(view), 1)
        dealt, widows = hands_of(pool.deal(20), rules.seats)
        assert len(dealt) > 10
        for hands, widow in zip(dealt, widows, strict=True):
            assert hands[view.seat] == view.hand
            assert [held.bit_count() for held in hands] == list(view.counts)
            assert sum(hands) + widow == hand.play.unseen
            for held, known, voids in zip(hands, view.known, view.void_classes, strict=True):
                assert not known & ~held
                assert not any(voids >> rules.card_class(card) & 1 for card in cards_in(held))


def test_misfits__are_fewest_in_the_deal_as_it_lies() -> None:
    """All play as ``normal``: where the cards lie so, hardly a play is a surprise.

    Hardly: of two cards that are worth the same to a rounding either may be chosen.
    """
    rules = RuleSet()
    rows, real, drawn = Rows(rules), [], []
    for seed in range(3):
        for hand in decisions(rules, HELD, seed)[20:40:6]:
            assert hand.play is not None
            assert hand.play.turn is not None
            view = hand.view(hand.play.turn)
            pool = Pool(rows, view, Hidden(view), 1)
            real += pool.misfits(holders([hand.hands], [hand.widow])).tolist()
            drawn += pool.misfits(pool.deal(30)).tolist()
    assert np.mean(real) < 0.5
    assert np.mean(drawn) > 2


def test_due__gives_deals_out_by_how_few_their_misfits_are() -> None:
    misfits = np.array([3, 1, 2, 40])
    chosen, often = due(misfits, 1000, np.random.default_rng(1))
    times = dict(zip(chosen.tolist(), often.tolist(), strict=True))
    assert sum(times.values()) == 1000
    assert set(times) == {0, 1, 2}
    assert times[1] / times[2] == pytest.approx(np.exp(MISFIT), rel=0.02)
    assert times[2] / times[0] == pytest.approx(np.exp(MISFIT), rel=0.02)


def test_likely__looks_at_as_many_deals_as_asked() -> None:
    hand = decisions(RuleSet(), HELD, 1)[30]
    assert hand.play is not None
    assert hand.play.turn is not None
    view = hand.view(hand.play.turn)
    holder, often = Pool(Rows(view.rules), view, Hidden(view), 1).likely(16, 128)
    assert often.sum() == 16
    assert len(holder) == len(often) <= 16
