"""Which cards to pass: the tips of the source pages as a price on every card.

Pass Q♠ unless enough low spades guard it (and rather not across the table, from where it comes
back); pass what takes it; keep low spades; pass high hearts; empty a short suit.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from p2p_hearts.rules.cards import (
    EMPTY,
    JACK_OF_DIAMONDS,
    QUEEN_OF_SPADES,
    SUIT_FACES,
    Card,
    CardSet,
    Suit,
    add,
    card_set,
    cards_in,
    contains,
    of_faces,
    rank_of,
    remove,
    suit_of,
)
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.view import View

GUARDS_OF_QUEEN = 4
"""So many spades below Q♠ make it safe to keep it."""


def choose_pass(view: View) -> CardSet:
    """Return the ``pass_count`` cards that are dearest to keep."""
    return choose(view.rules, view.hand, view.offset)


def choose(rules: RuleSet, hand: CardSet, offset: int) -> CardSet:
    """``choose_pass`` for any hand that passes by ``offset``."""
    left, kept = list(cards_in(hand)), hand
    across = offset * 2 == rules.seats
    chosen = EMPTY
    for room in range(rules.pass_count, 0, -1):
        dearest = max(left, key=lambda card: (price(rules, kept, card, room, across), card))
        left.remove(dearest)
        kept, chosen = remove(kept, dearest), add(chosen, dearest)
    return chosen


def opener(rules: RuleSet, hands: Sequence[CardSet]) -> int | None:
    """Return the seat that holds the opening card; ``None`` where there is none."""
    opening = rules.opening_card
    if opening is None:
        return None
    return next((seat for seat, hand in enumerate(hands) if contains(hand, opening)), None)


def short_list(
    rules: RuleSet, hand: CardSet, offset: int, most: int
) -> list[tuple[CardSet, float]]:
    """Return passes worth a closer look, ``choose`` first, and how much worse each seems.

    They are made of the dearest cards of the hand; the last one keeps what wins tricks instead,
    for a hand that may shoot the moon.
    """
    first, count = choose(rules, hand, offset), rules.pass_count
    across = offset * 2 == rules.seats
    prices = {card: price(rules, hand, card, count, across) for card in cards_in(hand)}
    dearest = sorted(prices, key=lambda card: (-prices[card], card))[: count + 4]
    worth = sum(prices[card] for card in cards_in(first))
    found = {first: 0.0}
    groups = sorted(
        combinations(dearest, count), key=lambda group: -sum(prices[card] for card in group)
    )
    for group in groups[: most - 2]:
        found.setdefault(card_set(group), max(0.0, worth - sum(prices[card] for card in group)))
    lowest = sorted(cards_in(hand), key=rank_of)
    found.setdefault(card_set(lowest[:count]), worth)
    return list(found.items())


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
