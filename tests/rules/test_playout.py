from __future__ import annotations

import random

import pytest
from hypothesis import given, settings

from p2p_hearts.rules.cards import Card, CardSet, cards_in, parse_card, remove
from p2p_hearts.rules.match import new_match
from p2p_hearts.rules.options import PRESETS, RuleSet
from p2p_hearts.rules.play import PlayState, playable, start_play
from p2p_hearts.rules.playout import play_out
from tests.rules.dealer import Hand, RandomPlayer, begin, deal, play_hand
from tests.rules.strategies import generators, rule_sets


def step_by_step(
    state: PlayState, hands: list[CardSet], widow: CardSet, rng: random.Random
) -> tuple[CardSet, ...]:
    while state.turn is not None:
        seat = state.turn
        card = rng.choice(cards_in(playable(hands[seat], state)))
        hands[seat] = remove(hands[seat], card)
        state = state.play(card)
        if state.widow_due:
            state = state.with_widow(cards_in(widow))
    assert state.over
    return state.taken


def check(rules: RuleSet, rng: random.Random) -> None:
    """From every beginning of a trick of a random hand, with the same choices."""

    def watch(hand: Hand) -> None:
        play = hand.play
        assert play is not None
        if play.trick or play.tricks_left % 3 != 1:
            return
        seed = rng.random()
        chance = random.Random(seed)
        fast = play_out(play, hand.hands, lambda legal: chance.choice(cards_in(legal)), hand.widow)
        slow = step_by_step(play, list(hand.hands), hand.widow, random.Random(seed))
        assert fast == slow

    play_hand(new_match(rules), 0, [RandomPlayer(rng)] * rules.seats, rng, watch)


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_play_out__takes_what_play_takes_in_every_preset(preset: str) -> None:
    rng = random.Random(preset)
    for _ in range(5):
        check(PRESETS[preset], rng)


@settings(max_examples=30, deadline=None)
@given(rule_sets(), generators())
def test_play_out__takes_what_play_takes_in_random_rules(
    rules: RuleSet, rng: random.Random
) -> None:
    check(rules, rng)


def lowest(legal: CardSet) -> Card:
    return cards_in(legal)[0]


def test_play_out__begins_with_a_trick_and_equal_hands() -> None:
    hand = begin(deal(new_match(RuleSet()), 0, random.Random(1)))
    play = hand.play
    assert play is not None
    assert len(play_out(play, hand.hands, lowest, hand.widow)) == 4
    with pytest.raises(ValueError, match="equal hands"):
        play_out(play.play(parse_card("2C")), hand.hands, lowest, hand.widow)
    with pytest.raises(ValueError, match="equal hands"):
        play_out(start_play(RuleSet(), 0), hand.hands, lowest, hand.widow)
    with pytest.raises(ValueError, match="equal hands"):
        play_out(play, [*hand.hands[:3], CardSet(0)], lowest, hand.widow)


def test_play_out__gives_what_nobody_won_to_the_last_leader() -> None:
    rules = PRESETS["cancellation"].with_option("seats", "8")
    state = start_play(rules, 7)
    suits = [CardSet(0x1FFF << 13 * (seat // 2)) for seat in range(8)]
    taken = play_out(state, suits, lowest, CardSet(0))  # neighbours play equal cards
    assert taken == (rules.pack_set, *[CardSet(0)] * 7)
