"""What holds for every computer player."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_hearts.bots.budget import playouts
from p2p_hearts.bots.player import LEVELS, make_player
from p2p_hearts.rules.cards import (
    EMPTY,
    CardSet,
    card_set,
    cards_in,
    difference,
    size,
    union,
)
from p2p_hearts.rules.options import PRESETS, RuleSet
from p2p_hearts.rules.passing import pass_offset
from tests.bots.searcher import FEW, make_quick
from tests.rules.dealer import Chooser, Hand, RandomPlayer, at_hand, deal, play_hand, play_match
from tests.rules.strategies import generators, rule_sets
from tools.ladder.duck import DuckPlayer
from tools.ladder.quick import quick


def test_make_player__offers_three_levels() -> None:
    assert list(LEVELS) == ["easy", "normal", "hard"]
    for level in LEVELS:
        assert make_player(level).name == level


@pytest.mark.parametrize("level", ["harder", "", "Normal"])
def test_make_player__refuses_a_level_that_is_not_on_offer(level: str) -> None:
    with pytest.raises(ValueError, match="choose one of easy, normal, hard"):
        make_player(level)


@pytest.mark.parametrize("preset", sorted(PRESETS))
@pytest.mark.parametrize("level", LEVELS)
def test_players__are_never_illegal_in_any_preset(level: str, preset: str) -> None:
    """``play_hand`` checks every pass and card; every hand of the pass cycle is played."""
    rng, rules = random.Random(preset), PRESETS[preset]
    players: list[Chooser] = [make_quick(level)] * rules.seats
    for number in range(1, 7 if level != "hard" else 2):
        play_hand(at_hand(rules, number), number % rules.seats, players, rng)


@settings(max_examples=25, deadline=None)
@given(rule_sets(), generators(), st.integers(1, 6), st.sampled_from(sorted(LEVELS)))
def test_players__are_never_illegal_in_random_rules(
    rules: RuleSet, rng: random.Random, number: int, level: str
) -> None:
    players: list[Chooser] = [make_quick(level), RandomPlayer(rng)]
    seats = [players[seat % 2] for seat in range(rules.seats)]
    play_hand(at_hand(rules, number), 0, seats, rng)


def swapped(hand: Hand, seat: int, rng: random.Random) -> Hand:
    """The same for ``seat``, with all cards that are hidden from it dealt anew."""
    known = hand.view(seat).known
    hidden = [
        card
        for other in range(hand.rules.seats)
        if other != seat
        for card in cards_in(difference(hand.hands[other], known[other]))
    ] + list(cards_in(hand.widow if hand.play is None or not hand.play.widow else EMPTY))
    rng.shuffle(hidden)
    hands: list[CardSet] = []
    for other, held in enumerate(hand.hands):
        if other == seat:
            hands.append(held)
            continue
        count = size(held) - size(known[other])
        hands.append(union(known[other], card_set(hidden[:count])))
        hidden = hidden[count:]
    return replace(hand, hands=tuple(hands), widow=card_set(hidden) or hand.widow)


@pytest.mark.parametrize("preset", ["black-lady", "omnibus", "british", "cancellation"])
@pytest.mark.parametrize("level", LEVELS)
def test_players__choose_the_same_whatever_is_hidden_from_them(level: str, preset: str) -> None:
    rng, rules, player = random.Random(preset), PRESETS[preset], make_quick(level)

    def watch(hand: Hand) -> None:
        assert hand.play is not None
        assert hand.play.turn is not None
        seat = hand.play.turn
        other = swapped(hand, seat, rng)
        assert other.view(seat) == hand.view(seat)
        assert player.choose_card(other.view(seat)) == player.choose_card(hand.view(seat))

    for number in (1, 2) if rules.pass_count else (1,):
        match = at_hand(rules, number)
        dealt = deal(match, 0, rng)
        if pass_offset(rules, number):
            other = swapped(dealt, 0, rng)
            assert player.choose_pass(other.view(0)) == player.choose_pass(dealt.view(0))
        play_hand(match, 0, [player] * rules.seats, rng, watch)


@pytest.mark.parametrize("level", LEVELS)
def test_players__finish_a_match(level: str) -> None:
    players: list[Chooser] = [make_quick(level)] * 4
    match = play_match(PRESETS["short"], players, random.Random(3))
    assert match.over
    assert max(match.totals) >= 50


def mean_scores(first: Chooser, second: Chooser, hands: int, seed: int) -> tuple[float, float]:
    """Points a hand of two players, each at two of four seats in turn."""
    rng, sums = random.Random(seed), [0, 0]
    for number in range(hands):
        sides = [(seat + number // 4) % 2 for seat in range(4)]
        players = [(first, second)[side] for side in sides]
        _, match = play_hand(at_hand(RuleSet(), number % 4 + 1), number % 4, players, rng)
        for seat, side in enumerate(sides):
            sums[side] += match.hands[-1][seat]
    return sums[0] / hands / 2, sums[1] / hands / 2


def test_players__are_stronger_by_level() -> None:
    easy, normal = make_player("easy"), make_player("normal")
    low, high = mean_scores(normal, easy, 80, seed=1)
    assert low + 1 < high
    low, high = mean_scores(normal, DuckPlayer(), 80, seed=3)
    assert low + 1 < high
    low, high = mean_scores(easy, RandomPlayer(random.Random(2)), 120, seed=2)
    assert low + 2 < high


@pytest.mark.deep
def test_players__are_stronger_by_level_over_hundreds_of_hands() -> None:
    normal = make_player("normal")
    low, high = mean_scores(normal, DuckPlayer(), 4_000, seed=3)
    assert low + 2 < high
    with quick():
        low, high = mean_scores(make_player("hard", playouts(100)), normal, 800, seed=4)
    assert low + 0.5 < high


@pytest.mark.deep
def test_players__are_never_illegal_in_100_000_decisions() -> None:
    """Of every level, over all presets and other seat counts, whole matches from their totals."""
    rng, decisions = random.Random(100_000), dict.fromkeys(LEVELS, 0)
    tables = [
        *PRESETS.values(),
        *(RuleSet(seats=seats) for seats in (3, 5, 6)),
        *(replace(PRESETS["cancellation"], seats=seats) for seats in (7, 9, 11)),
    ]

    def watch(hand: Hand) -> None:
        decisions[level] += 1

    with quick():
        while min(decisions.values()) < 100_000:
            level = min(decisions, key=decisions.__getitem__)
            for rules in tables:
                players: list[Chooser] = [make_player(level, playouts(FEW))] * rules.seats
                totals = tuple(rng.randrange(rules.target) for _ in range(rules.seats))
                before = at_hand(rules, rng.randrange(1, 8))
                match = replace(before, rules=rules, totals=totals)
                play_hand(match, rng.randrange(rules.seats), players, rng, watch)
