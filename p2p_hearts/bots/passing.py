"""Which cards to pass: the tips of the source pages as a price on every card.

Pass Q♠ unless enough low spades guard it (and rather not across the table, from where it comes
back); pass what takes it; keep low spades; pass high hearts; empty a short suit.
"""

from __future__ import annotations

from p2p_hearts.rules.cards import (
    JACK_OF_DIAMONDS,
    QUEEN_OF_SPADES,
    SUIT_FACES,
    Card,
    CardSet,
    Suit,
    card_set,
    cards_in,
    contains,
    of_faces,
    rank_of,
    suit_of,
)
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.view import View

GUARDS_OF_QUEEN = 4
"""So many spades below Q♠ make it safe to keep it."""


def choose_pass(view: View) -> CardSet:
    """Return the ``pass_count`` cards that are dearest to keep."""
    left = list(cards_in(view.hand))
    across = view.offset * 2 == view.rules.seats
    chosen: list[Card] = []
    while len(chosen) < view.rules.pass_count:
        hand = card_set(left)
        room = view.rules.pass_count - len(chosen)
        dearest = max(left, key=lambda card: (price(view.rules, hand, card, room, across), card))
        left.remove(dearest)
        chosen.append(dearest)
    return card_set(chosen)


def price(rules: RuleSet, hand: CardSet, card: Card, room: int, across: bool) -> float:
    """Return how much one wants to pass a card; ``room`` more cards can go with the pass."""
    suit, rank = suit_of(card), rank_of(card)
    length = of_faces(hand, SUIT_FACES[suit]).bit_count()
    below = of_faces(hand, CardSet(SUIT_FACES[suit] & ((1 << card) - 1))).bit_count()
    if suit is Suit.SPADES and rules.queen_points:
        return _price_of_spade(hand, card, across)
    if suit is Suit.HEARTS:
        return rank * 0.9 - 2.2 * min(below, 3)
    if rules.jack_points and suit is Suit.DIAMONDS and card >= JACK_OF_DIAMONDS:
        return -2.0  # J♦ and what wins it are worth keeping
    emptying = 6.0 - 1.5 * length if length <= room else 0.0
    return rank * 0.75 - 1.6 * min(below, 4) + emptying


def guards_of_queen(hand: CardSet) -> int:
    """Return how many spades below Q♠ a hand holds."""
    low = CardSet(SUIT_FACES[Suit.SPADES] & ((1 << QUEEN_OF_SPADES) - 1))
    return of_faces(hand, low).bit_count()


def _price_of_spade(hand: CardSet, card: Card, across: bool) -> float:
    guards = guards_of_queen(hand)
    if card == QUEEN_OF_SPADES:
        return 30.0 if guards < GUARDS_OF_QUEEN - across else -5.0
    if card > QUEEN_OF_SPADES:
        if contains(hand, QUEEN_OF_SPADES):
            return 16.0 - 5.0 * guards
        return 24.0 + rank_of(card) - 5.0 * guards
    return -6.0 - 0.1 * (14 - rank_of(card))
