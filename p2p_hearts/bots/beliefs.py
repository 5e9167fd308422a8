"""What passes and plays let a seat believe of the other hands: who is likelier to hold a card.

Every habit of a sensible player, turned round: who could have thrown Q♠ and did not has it not; who
wins a trick dearly had nothing lower. A factor is how much oftener than by chance a seat that gave
the sign held the card, in hands that `normal` players and the habits of ``policy`` played; where
the two disagree on a sign (whether who ducks plays the highest card that does, or the lowest of
equals), there is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Final

from p2p_hearts.bots.passing import price
from p2p_hearts.rules.cards import (
    QUEEN_OF_SPADES,
    SUIT_FACES,
    Card,
    CardSet,
    Suit,
    cards_in,
    contains,
)
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.passing import receiver
from p2p_hearts.rules.play import PlayState
from p2p_hearts.rules.trick import Plays, uncancelled
from p2p_hearts.rules.view import View

DEAR: Final = 4.0
"""From this price on (``passing.price``, for a card alone) a card is dear to keep."""


class Sign(Enum):
    """What a pass or play may say; the value is by how much it makes a holder likelier."""

    WON_DEARLY = 0.4
    """A card that stays below, for a seat that won a trick with penalty cards in it."""
    WENT_OVER = 0.65
    """The same for a seat that only played over the others."""
    KEPT_QUEEN = 0.03
    """Q♠, for a seat that did not throw it when it could."""
    LED_SPADE = 0.55
    """Q♠ or what has to take it, for a seat that led a low spade while Q♠ was out."""
    LED_OVER = 0.5
    """A lower card of the suit than the one that was led."""
    GOT_FROM_US = 0.93
    """A card that is dear to keep, for the seat that we passed to: it got none of them from us."""


def beliefs(view: View) -> list[list[float]]:
    """Return for each seat and face how much likelier than by chance the seat holds the card."""
    table = [[1.0] * 52 for _ in range(view.rules.seats)]
    if view.play is None:
        return table
    for sign, seat, faces in (*_of_pass(view), *signs(view.play)):
        if seat != view.seat:
            row, factor = table[seat], sign.value
            for card in cards_in(CardSet(faces)):
                row[card] *= factor
    return table


Said = tuple[Sign, int, int]
"""A sign, the seat that gave it, and the faces that it is about."""


def _of_pass(view: View) -> Iterator[Said]:
    if not view.offset or not view.received:
        return
    rules, seat = view.rules, view.seat
    dear = sum(
        1 << card
        for card in set(rules.pack)
        if price(rules, CardSet(1 << card), card, 1, False) >= DEAR
    )
    yield Sign.GOT_FROM_US, receiver(rules, seat, view.offset), dear


def signs(play: PlayState) -> Iterator[Said]:
    """Yield what every card played so far says of the hand that it came from."""
    rules = play.rules
    queen_out = rules.queen_points > 0 and rules.packs == 1
    for number, trick in enumerate((*(trick.cards for trick in play.tricks), play.trick)):
        clean = number == 0 and not rules.first_trick_penalties
        for at, (seat, card) in enumerate(trick):
            for sign, faces in _of_card(rules, trick[:at], card, clean, queen_out):
                yield sign, seat, faces
            if card == QUEEN_OF_SPADES:
                queen_out = False


def _of_card(
    rules: RuleSet, before: Plays, card: Card, clean: bool, queen_out: bool
) -> Iterator[tuple[Sign, int]]:
    suit, queen = card // 13, 1 << QUEEN_OF_SPADES
    of_suit = int(SUIT_FACES[suit])
    if not before:
        if suit == Suit.SPADES and queen_out and card < QUEEN_OF_SPADES:
            yield Sign.LED_SPADE, of_suit & ~(queen - 1)
        yield Sign.LED_OVER, of_suit & ((1 << card) - 1)
        return
    led = before[0][1] // 13
    if suit != led:
        if queen_out and not clean and card != QUEEN_OF_SPADES:
            yield Sign.KEPT_QUEEN, queen
        return
    able = uncancelled(before) if rules.packs == 2 else before
    best = max((c for _, c in able if c // 13 == led), default=-1)
    if card < best:
        if queen_out and led == Suit.SPADES and card < QUEEN_OF_SPADES < best:
            yield Sign.KEPT_QUEEN, queen
    elif best >= 0 and not clean:
        lower = of_suit & ((1 << best) - 1)
        if any(contains(rules.penalty_faces, c) for _, c in before):
            yield Sign.WON_DEARLY, lower
        elif len(before) < rules.seats - 1:
            yield Sign.WENT_OVER, lower
