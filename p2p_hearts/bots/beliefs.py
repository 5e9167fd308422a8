"""What passes and plays let a seat believe of the other hands: who is likelier to hold a card.

Every habit of a sensible player, turned round: who ducks plays the highest card that stays below,
so the cards between are elsewhere; who could have thrown Q♠ and did not has it not; who passes
gets rid of high cards, so what was kept is lower. The factors were measured on hands that the
computer players played among themselves (docs/players.md).
"""

from __future__ import annotations

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
from p2p_hearts.rules.passing import receiver, sender
from p2p_hearts.rules.play import PlayState
from p2p_hearts.rules.trick import Plays, uncancelled
from p2p_hearts.rules.view import View

DUCKED_BETWEEN: Final = 0.35
"""Holding a card between the one that ducked and the one that won."""
WON_DEARLY: Final = 0.2
"""Holding a card that stays below, for a seat that won a trick with penalty cards in it."""
WENT_OVER: Final = 0.6
"""The same for a seat that only played over the others."""
KEPT_QUEEN: Final = 0.03
"""Holding Q♠, for a seat that did not throw it when it could."""
KEPT_HIGHER: Final = 0.5
"""Holding a higher card of the suit from which a seat discarded."""
LED_SPADE: Final = 0.3
"""Holding Q♠ or what has to take it, for a seat that led a low spade while Q♠ was out."""
LED_OVER: Final = 0.6
"""Holding a lower card of the suit than the one that was led."""


def beliefs(view: View) -> list[list[float]]:
    """Return for each seat and face how much likelier than by chance the seat holds the card."""
    table = [[1.0] * 52 for _ in range(view.rules.seats)]
    if view.play is not None:
        _from_pass(view, table)
        _from_play(view.play, view.seat, table)
    return table


def _scale(row: list[float], faces: int, factor: float) -> None:
    for card in cards_in(CardSet(faces)):
        row[card] *= factor


# -- the pass ---------------------------------------------------------------------------------


def _from_pass(view: View, table: list[list[float]]) -> None:
    """Whom we passed to got nothing worse from us; who passed to us kept what it liked better."""
    if not view.offset or not view.received:
        return
    rules, seat = view.rules, view.seat
    to, source = receiver(rules, seat, view.offset), sender(rules, seat, view.offset)
    for card in rules.pack:
        burden = price(rules, CardSet(1 << card), card, 1, False)
        if burden < 4:
            continue
        factor = 0.55 if card >= QUEEN_OF_SPADES and card // 13 == Suit.SPADES else 0.75
        table[to][card] *= factor
        if to != source:
            table[source][card] *= factor


# -- the play ---------------------------------------------------------------------------------


def _from_play(play: PlayState, own: int, table: list[list[float]]) -> None:
    rules = play.rules
    queen_out = rules.queen_points > 0 and rules.packs == 1
    for number, trick in enumerate((*(trick.cards for trick in play.tricks), play.trick)):
        clean = number == 0 and not rules.first_trick_penalties
        for at, (seat, card) in enumerate(trick):
            if seat != own:
                _from_card(play, table[seat], trick[:at], card, clean, queen_out, at)
            if card == QUEEN_OF_SPADES:
                queen_out = False


def _from_card(
    play: PlayState,
    row: list[float],
    before: Plays,
    card: Card,
    clean: bool,
    queen_out: bool,
    at: int,
) -> None:
    rules, suit = play.rules, card // 13
    of_suit = int(SUIT_FACES[suit])
    above = of_suit & ~((2 << card) - 1)
    if not before:
        if suit == Suit.SPADES and queen_out and card < QUEEN_OF_SPADES:
            _scale(row, of_suit & ~((1 << QUEEN_OF_SPADES) - 1), LED_SPADE)
        _scale(row, of_suit & ((1 << card) - 1), LED_OVER)
        return
    led = before[0][1] // 13
    if suit != led:
        if queen_out and not clean and card != QUEEN_OF_SPADES:
            row[QUEEN_OF_SPADES] *= KEPT_QUEEN
        _scale(row, above, KEPT_HIGHER)
        return
    winning = uncancelled(before) if rules.packs == 2 else before
    best = max((c for _, c in winning if c // 13 == led), default=-1)
    if card < best:
        if queen_out and led == Suit.SPADES and card < QUEEN_OF_SPADES < best:
            row[QUEEN_OF_SPADES] *= KEPT_QUEEN
        _scale(row, above & ((1 << best) - 1), DUCKED_BETWEEN)
        return
    if best < 0 or clean:
        return
    costly = any(contains(rules.penalty_faces, c) for _, c in before)
    last = at == rules.seats - 1
    if costly or not last:
        _scale(row, of_suit & ((1 << best) - 1), WON_DEARLY if costly else WENT_OVER)
