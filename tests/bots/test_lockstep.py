"""Hands played in lockstep: the same rules and the same choices as card by card."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from p2p_hearts.bots import lockstep
from p2p_hearts.bots.heuristic import HeuristicPlayer, value
from p2p_hearts.bots.lanes import Lanes, Rows, holders, void_suits
from p2p_hearts.bots.moon import attack, threat
from p2p_hearts.bots.reading import Reading
from p2p_hearts.rules.cards import EMPTY, Card, cards_in
from p2p_hearts.rules.options import PRESETS, RuleSet
from p2p_hearts.rules.score import points_of
from p2p_hearts.rules.view import View
from tests.rules.dealer import Hand, RandomPlayer, at_hand, play_hand

ONE_PACK = {
    **{name: rules for name, rules in PRESETS.items() if rules.packs == 1},
    **{f"{seats} seats": RuleSet(seats=seats) for seats in (3, 5, 6)},
}


def positions(rules: RuleSet, rng: random.Random, hands: int) -> list[Hand]:
    """Open hands at decisions of normal and random players, with nothing known from a pass."""
    seen: list[Hand] = []
    players = (HeuristicPlayer(), RandomPlayer(rng))
    for number in range(hands):
        seats = [players[(seat + number) % 2] for seat in range(rules.seats)]
        play_hand(at_hand(rules, number + 1), number % rules.seats, seats, rng, seen.append)
    return seen


def lanes_of(hand: Hand) -> Lanes:
    play = hand.play
    assert play is not None
    rules = hand.rules
    widow = EMPTY if play.widow else hand.widow
    return Lanes(
        Rows(rules),
        play,
        holders([hand.hands], [widow]),
        np.zeros((1, rules.seats), dtype=np.bool_),
        void_suits(hand.voids),
    )


def worth(view: View, card: Card) -> float:
    reading = Reading(view)
    return value(reading, card, threat(reading))


@pytest.mark.parametrize("name", ONE_PACK)
def test_lockstep__chooses_as_normal_does(name: str) -> None:
    """Where two cards are worth the same to a rounding, either will do."""
    rules, rng = ONE_PACK[name], random.Random(name)
    rows = Rows(rules)
    for hand in positions(rules, rng, 4):
        assert hand.play is not None
        seat = hand.play.turn
        assert seat is not None
        view = replace(hand.view(seat), known=(EMPTY,) * rules.seats)
        scene, legal = lanes_of(hand).scene()
        assert [Card(int(c)) for c in np.flatnonzero(legal[0])] == list(cards_in(view.legal))
        chosen = Card(int(lockstep.choose(rows, scene, legal)[0]))
        expected = HeuristicPlayer().choose_card(view)
        if chosen != expected:
            assert not attack(Reading(view))
            assert worth(view, chosen) == pytest.approx(
                worth(view, expected), abs=1.5 / lockstep.GRAIN
            )


@pytest.mark.parametrize("name", ONE_PACK)
def test_lockstep__plays_by_the_rules_to_the_end(name: str) -> None:
    """Points after a hand in lockstep are those of the same cards played one by one."""
    rules, rng = ONE_PACK[name], random.Random(name)
    for hand in rng.sample(positions(rules, rng, 2), 12):
        lanes, play = lanes_of(hand), hand.play
        assert play is not None
        while lanes.tricks_left:
            scene, legal = lanes.scene()
            assert play.turn == scene.seat[0]
            card = Card(int(rng.choice(np.flatnonzero(legal[0]))))
            lanes.play(np.array([card]))
            play = play.play(card)
            if play.widow_due:
                play = play.with_widow(cards_in(hand.widow))
        taken = [(lanes.taker[0] == seat) @ np.array(rules.values) for seat in range(rules.seats)]
        assert taken == [points_of(rules, pile) for pile in play.taken]


def test_lockstep__is_loaded_by_nobody_who_does_not_search() -> None:
    told = "import sys, p2p_hearts.bots.player, p2p_hearts.cli; print('numpy' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", told], capture_output=True, check=True, text=True)
    assert run.stdout.strip() == "False"
