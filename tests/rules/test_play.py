"""Legality: one test a rule, then the properties that hold for all rules."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest
from hypothesis import given, settings

from p2p_hearts.rules.cards import (
    ALL_CLASSES,
    EMPTY,
    FACES,
    CardClass,
    CardSet,
    ClassSet,
    card_name,
    card_set,
    cards_in,
    contains,
    parse_card,
    remove,
    size,
)
from p2p_hearts.rules.match import new_match
from p2p_hearts.rules.options import PRESETS, RuleSet
from p2p_hearts.rules.play import PlayState, claim, playable, proven_voids, start_play
from p2p_hearts.rules.score import points_of
from tests.rules import naive
from tests.rules.dealer import Hand, RandomPlayer, deal, play_hand
from tests.rules.strategies import generators, rule_sets

CANCELLATION = PRESETS["cancellation"]


def cards(text: str) -> CardSet:
    return card_set(parse_card(name) for name in text.split())


def played(rules: RuleSet, leader: int, text: str) -> PlayState:
    """The state after the named cards, in turn."""
    state = start_play(rules, (leader - 1) % rules.seats, leader)
    for name in text.split():
        state = state.play(parse_card(name))
    return state


def names(held: CardSet) -> str:
    return " ".join(card_name(card) for card in cards_in(held))


def legal(hand: str, state: PlayState) -> str:
    return names(playable(cards(hand), state))


CLEAN = "2C 3C 4C 5C"  # a first trick of clubs: seat 3 wins it and leads


# -- each rule -----------------------------------------------------------------------------------


def test_playable__the_opening_card_opens() -> None:
    assert legal("2C 3C AH", played(RuleSet(), 0, "")) == "2C"


def test_playable__before_the_opening_is_seen_only_its_card_may_be_played() -> None:
    state = start_play(RuleSet(), 0)
    assert state.turn is None
    assert legal("2C 3C AH", state) == "2C"
    assert legal("3C AH", state) == ""


def test_playable__suit_is_followed() -> None:
    assert legal("7C AD 3H", played(RuleSet(), 0, "2C")) == "7C"


def test_playable__anything_goes_on_a_suit_one_does_not_hold() -> None:
    assert legal("QS AD 3H", played(RuleSet(), 0, CLEAN + " 6C")) == "AD QS 3H"


def test_playable__trick_one_is_clean() -> None:
    assert legal("QS AD 3H", played(RuleSet(), 0, "2C")) == "AD"


def test_playable__trick_one_takes_penalties_from_a_hand_of_nothing_else() -> None:
    assert legal("QS 3H", played(RuleSet(), 0, "2C")) == "QS 3H"


def test_playable__trick_one_takes_penalties_where_the_table_allows_it() -> None:
    rules = RuleSet(first_trick_penalties=True)
    assert legal("QS AD 3H", played(rules, 0, "2C")) == "AD QS 3H"


def test_playable__a_queen_that_costs_nothing_is_no_penalty_on_trick_one() -> None:
    rules = RuleSet(queen_points=0)
    assert legal("QS AD 3H", played(rules, 0, "2C")) == "AD QS"


def test_playable__trick_one_is_over_when_the_trick_is() -> None:
    assert legal("QS AD 3H", played(RuleSet(), 0, "2C 3C 4C")) == "AD"
    assert legal("QS AD 3H", played(RuleSet(), 0, CLEAN + " 7C")) == "AD QS 3H"


def test_playable__hearts_wait_to_be_broken() -> None:
    assert legal("KC QS 3H", played(RuleSet(), 0, CLEAN)) == "KC QS"


def test_playable__hearts_are_led_once_a_heart_was_discarded() -> None:
    state = played(RuleSet(), 0, CLEAN + " 6C 7C 2H 8C")
    assert state.broken
    assert legal("KC QS 3H", state) == "KC QS 3H"


def test_playable__hearts_are_led_at_once_where_they_need_no_breaking() -> None:
    assert legal("KC QS 3H", played(RuleSet(hearts_break=False), 0, CLEAN)) == "KC QS 3H"


def test_playable__a_hand_of_hearts_and_the_queen_leads_the_queen() -> None:
    assert legal("QS 3H", played(RuleSet(), 0, CLEAN)) == "QS"


def test_playable__a_queen_that_waits_is_not_led_before_hearts_are_broken() -> None:
    rules = RuleSet(queen_waits=True)
    assert legal("KC QS 3H", played(rules, 0, CLEAN)) == "KC"
    assert legal("QS 3H", played(rules, 0, CLEAN)) == "QS 3H"
    assert legal("KC QS 3H", played(rules, 0, CLEAN + " 6C 7C 2H 8C")) == "KC QS 3H"


def test_playable__a_queen_may_wait_while_hearts_need_no_breaking() -> None:
    rules = RuleSet(queen_waits=True, hearts_break=False)
    assert legal("KC QS 3H", played(rules, 0, CLEAN)) == "KC 3H"


def test_playable__the_queen_breaks_hearts_where_the_table_says_so() -> None:
    plays = CLEAN + " 6C 7C QS 8C"
    assert legal("KC 3H", played(RuleSet(queen_breaks=True), 0, plays)) == "KC 3H"
    assert legal("KC 3H", played(RuleSet(), 0, plays)) == "KC"


def test_playable__without_an_opening_card_the_dealers_left_leads_anything_allowed() -> None:
    state = start_play(CANCELLATION, 2)
    assert state.turn == 3
    assert legal("2C KD QS 3H", state) == "2C KD"
    assert legal("QS 3H", state) == "QS"
    assert legal("3H", state) == "3H"


def test_playable__following_suit_comes_before_a_clean_trick_one() -> None:
    state = start_play(CANCELLATION, 0).play(parse_card("5S"))
    assert legal("QS 2C", state) == "QS"
    assert legal("QS 3S 2C", state) == "3S"
    assert legal("2C 3H", state) == "2C"


def test_playable__lists_a_card_held_twice_once() -> None:
    assert legal("KC KC", start_play(CANCELLATION, 0)) == "KC"


# -- tricks --------------------------------------------------------------------------------------


def test_play__the_highest_of_the_led_suit_takes_the_trick_and_leads() -> None:
    state = played(RuleSet(), 0, CLEAN + " 6C AD 9C 7C")
    assert state.turn == state.leader == 1
    assert names(state.taken[1]) == "6C 7C 9C AD"
    assert names(state.taken[3]) == "2C 3C 4C 5C"
    assert [trick.winner for trick in state.tricks] == [3, 1]


def test_play__equal_cards_cancel() -> None:
    state = played(CANCELLATION, 0, "AC KC AC 3C KC 4C")
    assert state.tricks[0].winner == 5
    assert names(state.taken[5]) == "3C 4C KC KC AC AC"


def test_play__a_trick_without_a_winner_stays_and_its_leader_leads_again() -> None:
    state = played(CANCELLATION, 0, "AC AC KC KC 2D 3D")
    assert state.tricks[0].winner is None
    assert state.turn == 0
    assert names(state.stalled) == "KC KC AC AC 2D 3D"
    assert state.taken == (EMPTY,) * 6
    assert state.widow_owner is None
    state = played(CANCELLATION, 0, "AC AC KC KC 2D 3D 4D 5D 6D 7D 8D 9D")
    assert state.stalled == EMPTY
    assert names(state.taken[5]) == "KC KC AC AC 2D 3D 4D 5D 6D 7D 8D 9D"
    assert state.widow_owner == 5


def test_play__after_the_last_trick_its_leader_takes_what_nobody_won() -> None:
    rules = RuleSet().with_options(
        {"seats": "8", "packs": "2", "opening": "none", "pass_count": "0"}
    )
    hands = _stalemate(rules)
    state = start_play(rules, 7)
    while state.turn is not None:
        card = cards_in(playable(hands[state.turn], state))[0]
        hands[state.turn] = remove(hands[state.turn], card)
        state = state.play(card)
    assert state.over
    assert {trick.winner for trick in state.tricks} == {None}
    assert state.taken[0] == rules.pack_set
    assert state.taken[1:] == (EMPTY,) * 7


def _stalemate(rules: RuleSet) -> list[CardSet]:
    """Neighbours hold the same cards, so every card cancels if all play their lowest."""
    suits = [f"{suit}" for suit in "CDSH"]
    ranks = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    held = [cards(" ".join(rank + suit for rank in ranks)) for suit in suits]
    return [held[seat // 2] for seat in range(rules.seats)]


def test_with_widow__goes_to_the_winner_of_the_first_won_trick() -> None:
    state = played(CANCELLATION, 0, "2C 3C 4C 5C 6C 7C")
    assert state.widow_due
    assert state.turn is None
    assert state.widow_owner == 5
    with pytest.raises(ValueError, match="nobody's turn"):
        state.play(parse_card("9C"))
    opened = state.with_widow([parse_card("QS"), parse_card("2C")])
    assert opened.turn == 5
    assert names(opened.taken[5]) == "2C 2C 3C 4C 5C 6C 7C QS"
    assert names(opened.widow) == "2C QS"
    with pytest.raises(ValueError, match="no widow is due"):
        opened.with_widow([parse_card("QS"), parse_card("2C")])
    later = opened
    for name in ("8D", "9D", "10D", "JD", "QD", "KD"):
        later = later.play(parse_card(name))
    assert later.turn == 4
    assert later.widow_owner == 5


def test_with_widow__refuses_cards_that_cannot_be_it() -> None:
    state = played(CANCELLATION, 0, "2C 2C 4C 5C 6C 7C")
    with pytest.raises(ValueError, match="2 cards"):
        state.with_widow([parse_card("QS")])
    with pytest.raises(ValueError, match="does not hold 2C"):
        state.with_widow([parse_card("QS"), parse_card("2C")])


@pytest.mark.parametrize(
    ("plays", "card", "reason"),
    [
        ("", "3C", "2C opens"),
        ("2C", "2C", "not left"),
        (CLEAN, "4C", "not left"),
    ],
)
def test_play__refuses_what_cannot_be(plays: str, card: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        played(RuleSet(), 0, plays).play(parse_card(card))


def test_play__refuses_a_card_the_pack_does_not_have() -> None:
    with pytest.raises(ValueError, match="2D is not left"):
        played(RuleSet(seats=5), 0, "3C").play(parse_card("2D"))


def test_play__refuses_a_card_when_it_is_nobodys_turn() -> None:
    with pytest.raises(ValueError, match="nobody's turn"):
        start_play(RuleSet(), 0).play(parse_card("2C"))


# -- claims --------------------------------------------------------------------------------------


def classes(*held: CardClass) -> ClassSet:
    return ClassSet(sum(1 << card_class for card_class in held))


C = CardClass


def test_claim__following_suit_and_the_opening_say_nothing() -> None:
    assert claim(parse_card("2C"), start_play(RuleSet(), 0)) is None
    assert claim(parse_card("2C"), played(RuleSet(), 0, "")) is None
    assert claim(parse_card("7C"), played(RuleSet(), 0, "2C")) is None
    assert claim(parse_card("KS"), played(RuleSet(), 0, CLEAN)) is None


def test_claim__a_discard_says_that_the_suit_is_not_held() -> None:
    assert claim(parse_card("AD"), played(RuleSet(), 0, CLEAN + " 6S")) == classes(
        C.OPENING, C.CLUBS, C.DIAMONDS, C.HEARTS
    )
    assert claim(parse_card("AD"), played(RuleSet(), 0, "2C")) == classes(
        C.DIAMONDS, C.SPADES, C.QUEEN, C.HEARTS
    )


def test_claim__a_penalty_on_trick_one_says_that_all_the_rest_is_penalties() -> None:
    assert claim(parse_card("3H"), played(RuleSet(), 0, "2C")) == classes(C.QUEEN, C.HEARTS)


def test_claim__a_heart_led_early_says_that_all_the_rest_is_hearts() -> None:
    assert claim(parse_card("3H"), played(RuleSet(), 0, CLEAN)) == classes(C.HEARTS)
    waits = RuleSet(queen_waits=True)
    assert claim(parse_card("QS"), played(waits, 0, CLEAN)) == classes(C.QUEEN, C.HEARTS)


def test_claim__a_discard_on_trick_one_of_two_packs_is_no_licence_for_the_led_suit() -> None:
    """A heart on trick one, spades led: neither a spade nor a harmless card may be left."""
    state = start_play(CANCELLATION, 0).play(parse_card("5S"))
    assert claim(parse_card("3H"), state) == classes(C.OPENING, C.HEARTS)
    assert claim(parse_card("QS"), state) == ALL_CLASSES & ~classes(C.SPADES)


def test_claim__refuses_another_card_than_the_opening_one_first() -> None:
    with pytest.raises(ValueError, match="cannot open"):
        claim(parse_card("3C"), start_play(RuleSet(), 0))


# -- properties ----------------------------------------------------------------------------------


def claim_matches(hand: Hand) -> None:
    """At this position, for every card of the hand: playable exactly if its claim is true."""
    play = hand.play
    assert play is not None
    assert play.turn is not None
    held = hand.hands[play.turn]
    may = playable(held, play)
    assert may
    assert may & ~held & FACES == 0
    for card in cards_in(CardSet(held & FACES)):
        said = claim(card, play)
        rest = cards_in(remove(held, card))
        true = said is None or all(said >> hand.rules.card_class(c) & 1 for c in rest)
        assert contains(may, card) == true, (card_name(card), names(held), play)
        assert said != ALL_CLASSES


def check_hand(rules: RuleSet, rng: random.Random) -> None:
    players = [RandomPlayer(rng)] * rules.seats
    match = new_match(rules)
    hand, _ = play_hand(match, rng.randrange(rules.seats), players, rng, claim_matches)
    assert hand.play is not None
    assert len(hand.play.tricks) == rules.hand_size
    assert sum(map(size, hand.play.taken)) == len(rules.pack)
    jacks = rules.packs * rules.jack_points
    points = sum(points_of(rules, taken) for taken in hand.play.taken)
    assert points == rules.total_penalty + jacks
    assert hand.voids == proven_voids(hand.play)


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_playable__is_never_empty_and_agrees_with_claim_for_every_preset(preset: str) -> None:
    rng = random.Random(preset)
    for _ in range(15):
        check_hand(PRESETS[preset], rng)


@settings(max_examples=40, deadline=None)
@given(rule_sets(), generators())
def test_playable__is_never_empty_and_agrees_with_claim_for_random_rules(
    rules: RuleSet, rng: random.Random
) -> None:
    check_hand(rules, rng)


@pytest.mark.deep
@settings(max_examples=5_000, deadline=None)
@given(rule_sets(), generators())
def test_playable__agrees_with_claim_for_thousands_of_random_rules(
    rules: RuleSet, rng: random.Random
) -> None:
    check_hand(rules, rng)


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_proven_voids__never_name_a_class_that_is_held(preset: str) -> None:
    rng = random.Random(preset)

    def watch(hand: Hand) -> None:
        for held, voids in zip(hand.hands, hand.voids, strict=True):
            assert not any(voids >> hand.rules.card_class(card) & 1 for card in cards_in(held))

    rules = PRESETS[preset]
    for _ in range(10):
        play_hand(new_match(rules), 0, [RandomPlayer(rng)] * rules.seats, rng, watch)


# -- the second engine ---------------------------------------------------------------------------


def symbols(held: Iterable[int]) -> list[str]:
    return [naive.RANKS[card % 13] + "♣♦♠♥"[card // 13] for card in held]


def compare_with_naive(rules: RuleSet, rng: random.Random) -> None:
    dealer = rng.randrange(rules.seats)
    dealt = deal(new_match(rules), dealer, rng)
    hands = list(dealt.hands)
    judge = naive.Table(
        rules, dealer, [symbols(cards_in(hand)) for hand in hands], symbols(cards_in(dealt.widow))
    )
    opening = rules.opening_card
    leader = None
    if opening is not None:
        leader = next(seat for seat, hand in enumerate(hands) if contains(hand, opening))
    state = start_play(rules, dealer, leader)
    while state.turn is not None:
        seat = state.turn
        assert seat == judge.player
        assert state.broken == judge.broken
        may = cards_in(playable(hands[seat], state))
        assert set(symbols(may)) == set(judge.legal())
        assert len(set(may)) == len(may)
        card = rng.choice(may)
        hands[seat] = remove(hands[seat], card)
        state = state.play(card)
        judge.play(symbols([card])[0])
        if state.widow_due:
            state = state.with_widow(cards_in(dealt.widow))
    assert state.over
    assert [sorted(symbols(cards_in(taken))) for taken in state.taken] == [
        sorted(pile) for pile in judge.piles
    ]


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_play__agrees_with_the_naive_engine_for_every_preset(preset: str) -> None:
    rng = random.Random(preset)
    for _ in range(150):
        compare_with_naive(PRESETS[preset], rng)


@pytest.mark.parametrize("seats", [7, 8, 9, 10, 11])
def test_play__agrees_with_the_naive_engine_for_every_large_table(seats: int) -> None:
    rng = random.Random(seats)
    for _ in range(80):
        compare_with_naive(CANCELLATION.with_options({"seats": str(seats)}), rng)


@settings(max_examples=300, deadline=None)
@given(rule_sets(), generators())
def test_play__agrees_with_the_naive_engine_for_random_rules(
    rules: RuleSet, rng: random.Random
) -> None:
    compare_with_naive(rules, rng)


@pytest.mark.deep
@settings(max_examples=10_000, deadline=None)
@given(rule_sets(), generators())
def test_play__agrees_with_the_naive_engine_for_thousands_of_random_rules(
    rules: RuleSet, rng: random.Random
) -> None:
    compare_with_naive(rules, rng)
