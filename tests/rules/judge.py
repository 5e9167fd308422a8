"""OpenSpiel's Hearts as a judge: the same deal, passes and plays, compared at every decision."""

from __future__ import annotations

import random
from typing import Any

import pyspiel

from p2p_hearts.rules.cards import (
    Card,
    CardSet,
    card_set,
    cards_in,
    contains,
    difference,
    remove,
    union,
)
from p2p_hearts.rules.dealing import dealt
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.passing import receiver
from p2p_hearts.rules.play import playable, start_play
from p2p_hearts.rules.score import hand_scores


def judge_card(card: Card) -> int:
    """The judge numbers cards rank by rank, within a rank C, D, H, S; ours go suit by suit."""
    suit, rank = divmod(card, 13)
    return rank * 4 + (0, 1, 3, 2)[suit]


def load(options: str) -> Any:
    return pyspiel.load_game(f"hearts({options})")


def compare(game: Any, rules: RuleSet, rng: random.Random) -> None:
    """Play one random hand in both engines; any difference is an ``AssertionError``."""
    judge = game.new_initial_state()
    offset = rng.randrange(4) if rules.pass_count else 0
    judge.apply_action(offset)  # none, left, across, right; drawn even if nothing is passed
    pack = list(rules.pack)
    rng.shuffle(pack)
    for card in pack:  # the judge deals to its player 0 first, as we do after dealer 3
        judge.apply_action(judge_card(card))
    hands = [card_set(pack[at] for at in hand) for hand in dealt(rules, 3).hands]
    if offset:
        hands = _pass(judge, rules, hands, offset, rng)
    leader = next(seat for seat, hand in enumerate(hands) if contains(hand, Card(0)))
    state = start_play(rules, 3, leader)
    while state.turn is not None:
        seat = state.turn
        assert judge.current_player() == seat
        legal = cards_in(playable(hands[seat], state))
        assert sorted(map(judge_card, legal)) == judge.legal_actions(), (hands, state)
        card = rng.choice(legal)
        hands[seat] = remove(hands[seat], card)
        state = state.play(card)
        judge.apply_action(judge_card(card))
    assert state.over
    assert judge.is_terminal()
    scores = hand_scores(rules, state.taken, (0,) * 4)
    assert [26 - score for score in scores] == judge.returns()


def _pass(
    judge: Any, rules: RuleSet, hands: list[CardSet], offset: int, rng: random.Random
) -> list[CardSet]:
    passed = []
    for seat, hand in enumerate(hands):
        gone = rng.sample(cards_in(hand), rules.pass_count)
        passed.append(card_set(gone))
        for card in gone:
            assert judge.current_player() == seat
            judge.apply_action(judge_card(card))
    kept = [difference(hand, gone) for hand, gone in zip(hands, passed, strict=True)]
    for seat, cards in enumerate(passed):
        to = receiver(rules, seat, offset)
        kept[to] = union(kept[to], cards)
    return kept
