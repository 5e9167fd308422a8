from __future__ import annotations

import random

import pytest
from hypothesis import given, settings

from p2p_hearts.rules.cards import CardSet, cards_in, parse_card, remove, size
from p2p_hearts.rules.match import new_match
from p2p_hearts.rules.options import PRESETS, RuleSet
from p2p_hearts.rules.play import PlayState, playable, start_play
from p2p_hearts.rules.playout import Chosen, play_out
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
    """From positions of a random hand, most of them within a trick, with the same choices."""

    def watch(hand: Hand) -> None:
        play = hand.play
        assert play is not None
        if sum(map(size, hand.hands)) % 5 != 1:
            return
        seed = rng.random()
        chance = random.Random(seed)
        pick = Chosen(lambda legal: chance.choice(cards_in(legal)))
        fast = play_out(play, hand.hands, pick, hand.widow)
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


LOWEST = Chosen(lambda legal: cards_in(legal)[0])


def test_play_out__needs_a_leader_and_hands_that_fit() -> None:
    hand = begin(deal(new_match(RuleSet()), 0, random.Random(1)))
    play = hand.play
    assert play is not None
    assert len(play_out(play, hand.hands, LOWEST, hand.widow)) == 4
    with pytest.raises(ValueError, match="hands that fit"):
        play_out(play.play(parse_card("2C")), hand.hands, LOWEST, hand.widow)
    with pytest.raises(ValueError, match="by a leader"):
        play_out(start_play(RuleSet(), 0), hand.hands, LOWEST, hand.widow)
    with pytest.raises(ValueError, match="hands that fit"):
        play_out(play, [*hand.hands[:3], CardSet(0)], LOWEST, hand.widow)


def test_play_out__gives_a_widow_that_is_due_to_its_owner() -> None:
    rules, rng = PRESETS["cancellation"], random.Random(4)
    hand = begin(deal(new_match(rules), 0, rng))
    hands, play = list(hand.hands), hand.play
    assert play is not None
    while not play.widow_due:
        seat = play.turn
        assert seat is not None
        card = cards_in(playable(hands[seat], play))[-1]
        hands[seat], play = remove(hands[seat], card), play.play(card)
    opened = play.with_widow(cards_in(hand.widow))
    expected = play_out(opened, hands, LOWEST, CardSet(0))
    assert play_out(play, hands, LOWEST, hand.widow) == expected


class Watching(Chosen):
    """Notes what the playout tells: who wins so far and how many follow."""

    def __init__(self) -> None:
        super().__init__(lambda legal: cards_in(legal)[0])
        self.told: list[tuple[int, int, int, int]] = []

    def follow(
        self, seat: int, legal: int, left: int, table: int, best: int, owner: int, after: int
    ) -> int:
        self.told.append((seat, best, owner, after))
        return super().follow(seat, legal, left, table, best, owner, after)


def test_play_out__tells_who_wins_the_trick_so_far() -> None:
    hands = [CardSet(0x1FFF << 13 * suit) for suit in (0, 3, 1, 2)]
    hands[0], hands[2] = (
        CardSet(hands[0] ^ 1 << 4 ^ 1 << 13),
        CardSet(hands[2] ^ 1 << 4 ^ 1 << 13),
    )
    play = start_play(RuleSet(), 3, 0)
    watching = Watching()
    play_out(play, hands, watching, CardSet(0))
    assert watching.told[0] == (2, 0, 0, 1)  # seat 2 follows the two of clubs; seat 3 is to come


def test_play_out__gives_what_nobody_won_to_the_last_leader() -> None:
    rules = PRESETS["cancellation"].with_options({"seats": "8"})
    state = start_play(rules, 7)
    suits = [CardSet(0x1FFF << 13 * (seat // 2)) for seat in range(8)]
    taken = play_out(state, suits, LOWEST, CardSet(0))  # neighbours play equal cards
    assert taken == (rules.pack_set, *[CardSet(0)] * 7)
