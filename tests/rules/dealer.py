"""Whole hands and matches for tests, played with open cards by players that see views."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from p2p_hearts.rules.cards import (
    ALL_CLASSES,
    EMPTY,
    Card,
    CardSet,
    ClassSet,
    card_set,
    cards_in,
    contains,
    difference,
    of_faces,
    remove,
    size,
    union,
)
from p2p_hearts.rules.dealing import dealt, next_dealer
from p2p_hearts.rules.match import Match, new_match
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.passing import pass_offset, receiver
from p2p_hearts.rules.play import PlayState, claim, playable, start_play
from p2p_hearts.rules.score import MoonChoice, choosing_shooter, score_hand
from p2p_hearts.rules.view import Phase, View


class Chooser(Protocol):
    def choose_pass(self, view: View) -> CardSet: ...

    def choose_card(self, view: View) -> Card: ...

    def choose_moon(self, view: View) -> MoonChoice: ...


class RandomPlayer:
    """Any legal decision, drawn from a seeded generator."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def choose_pass(self, view: View) -> CardSet:
        return card_set(self.rng.sample(cards_in(view.hand), view.rules.pass_count))

    def choose_card(self, view: View) -> Card:
        return self.rng.choice(cards_in(view.legal))

    def choose_moon(self, view: View) -> MoonChoice:
        return self.rng.choice(list(MoonChoice))


@dataclass(frozen=True)
class Hand:
    """A hand with open cards: what no single seat may see."""

    rules: RuleSet
    number: int
    dealer: int
    match: Match
    hands: tuple[CardSet, ...]
    widow: CardSet
    offset: int
    passed: tuple[CardSet, ...]
    play: PlayState | None
    voids: tuple[ClassSet, ...]

    def view(self, seat: int) -> View:
        rules, play = self.rules, self.play
        received, known = EMPTY, [EMPTY] * rules.seats
        if self.offset and play is not None:
            received = self.passed[(seat - self.offset) % rules.seats]
            to = receiver(rules, seat, self.offset)
            known[to] = CardSet(self.passed[seat] & self.hands[to])
        legal = EMPTY
        if play is not None and play.turn == seat:
            legal = playable(self.hands[seat], play)
        phase = Phase.PASS
        if play is not None:
            phase = Phase.CHOOSE_MOON if play.over else Phase.PLAY
        return View(
            rules=rules,
            seat=seat,
            phase=phase,
            hand_number=self.number,
            dealer=self.dealer,
            offset=self.offset,
            match=self.match,
            hand=self.hands[seat],
            passed=self.passed[seat] if play is not None else EMPTY,
            received=received,
            play=play,
            legal=legal,
            counts=tuple(size(hand) for hand in self.hands),
            void_classes=self.voids,
            known=tuple(known),
        )


def at_hand(rules: RuleSet, number: int) -> Match:
    """A match without an end in which hand ``number`` comes next, with all totals at zero."""
    match = new_match(replace(rules, hands=0))
    return replace(match, hands=(match.totals,) * (number - 1))


def deal(match: Match, dealer: int, rng: random.Random) -> Hand:
    rules = match.rules
    pack = list(rules.pack)
    rng.shuffle(pack)
    where = dealt(rules, dealer)
    return Hand(
        rules=rules,
        number=match.hand_number,
        dealer=dealer,
        match=match,
        hands=tuple(card_set(pack[at] for at in hand) for hand in where.hands),
        widow=card_set(pack[at] for at in where.widow),
        offset=pass_offset(rules, match.hand_number),
        passed=(EMPTY,) * rules.seats,
        play=None,
        voids=(ClassSet(0),) * rules.seats,
    )


def exchange(hand: Hand, passed: Sequence[CardSet]) -> Hand:
    rules, offset = hand.rules, hand.offset
    kept = [difference(cards, gone) for cards, gone in zip(hand.hands, passed, strict=True)]
    hands = tuple(
        union(kept[seat], passed[(seat - offset) % rules.seats]) for seat in range(rules.seats)
    )
    return replace(hand, hands=hands, passed=tuple(passed))


def begin(hand: Hand) -> Hand:
    opening, leader = hand.rules.opening_card, None
    if opening is not None:
        leader = next(s for s, cards in enumerate(hand.hands) if contains(cards, opening))
    return replace(hand, play=start_play(hand.rules, hand.dealer, leader))


def step(hand: Hand, play: PlayState, card: Card) -> tuple[Hand, PlayState]:
    """The hand after the seat in turn has played ``card``; a widow that is due is opened."""
    seat = play.turn
    assert seat is not None
    said = claim(card, play)
    voids = list(hand.voids)
    if said is not None:
        voids[seat] = ClassSet(voids[seat] | (ALL_CLASSES & ~said))
    hands = (*hand.hands[:seat], remove(hand.hands[seat], card), *hand.hands[seat + 1 :])
    play = play.play(card)
    if play.widow_due:
        play = play.with_widow(cards_in(hand.widow))
    return replace(hand, hands=hands, play=play, voids=tuple(voids)), play


def play_hand(
    match: Match,
    dealer: int,
    players: Sequence[Chooser],
    rng: random.Random,
    watch: Callable[[Hand], None] | None = None,
) -> tuple[Hand, Match]:
    """One whole hand; ``watch`` sees the open hand before every decision."""
    hand = deal(match, dealer, rng)
    rules = hand.rules
    if hand.offset:
        passed = [player.choose_pass(hand.view(seat)) for seat, player in enumerate(players)]
        for seat, cards in enumerate(passed):
            assert size(cards) == rules.pass_count
            assert of_faces(hand.hands[seat], cards) == cards
        hand = exchange(hand, passed)
    hand = begin(hand)
    play = hand.play
    assert play is not None
    while play.turn is not None:
        if watch is not None:
            watch(hand)
        view = hand.view(play.turn)
        card = players[view.seat].choose_card(view)
        assert view.may_play(card)
        hand, play = step(hand, play, card)
    assert play.over
    chooser = choosing_shooter(rules, play.taken)
    choice = None if chooser is None else players[chooser].choose_moon(hand.view(chooser))
    return hand, match.add(score_hand(match, play.taken, choice))


def play_match(
    rules: RuleSet, players: Sequence[Chooser], rng: random.Random, most: int = 1000
) -> Match:
    """Hands until the match is over, or ``most`` of them."""
    match, dealer = new_match(rules), rng.randrange(rules.seats)
    while not match.over and len(match.hands) < most:
        _, match = play_hand(match, dealer, players, rng)
        dealer = next_dealer(rules, dealer)
    return match
