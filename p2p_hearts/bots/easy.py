"""A beginner: ducks, as everybody is told to, and makes the mistakes that beginners make.

It passes its highest cards whatever the suit, so it keeps Q♠ that nothing guards; it leads its
longest suit from somewhere in the middle; it throws high cards and forgets that hearts cost more;
it looks at this trick alone, and never thinks of the moon. And it is kind: Q♠ goes to nobody as
long as another card can be thrown, unless it lies on a trick of a seat that is in front.
"""

from __future__ import annotations

from typing import Final

from p2p_hearts.bots.careful import Careful
from p2p_hearts.bots.reading import Reading
from p2p_hearts.rules.cards import (
    QUEEN_OF_SPADES,
    SUIT_FACES,
    Card,
    CardSet,
    card_set,
    cards_in,
    of_faces,
    rank_of,
    size,
    suit_of,
)
from p2p_hearts.rules.view import View


class EasyPlayer(Careful):
    """Plays by eye, one trick at a time, and does nobody harm on purpose."""

    name: Final = "easy"

    def choose_pass(self, view: View) -> CardSet:
        """Return the highest cards."""
        high = sorted(cards_in(view.hand), key=lambda card: (rank_of(card), card))
        return card_set(high[len(high) - view.rules.pass_count :])

    def choose_card(self, view: View) -> Card:
        """Return the card a beginner would play; ``ValueError`` if there is none."""
        legal = cards_in(view.legal)
        if not legal or view.play is None:
            raise ValueError("there is no card to play")
        led = view.play.led
        if led is None:
            longest = max(legal, key=lambda card: (size(_suit(view, card)), -(card // 13)))
            suit = [card for card in legal if card // 13 == longest // 13]
            return suit[len(suit) // 2]
        reading = Reading(view)
        if suit_of(legal[0]) is not led:
            return self._throw(reading, legal)
        winning = reading.winning
        below = [card for card in legal if winning is not None and card < winning[1]]
        if not below:
            return legal[-1] if legal[-1] != QUEEN_OF_SPADES else legal[0]
        kind = [card for card in below if card != QUEEN_OF_SPADES]
        return (kind or below)[-1]

    def _throw(self, reading: Reading, legal: tuple[Card, ...]) -> Card:
        """Throw the highest card; Q♠ only on whoever is in front, or if it must be."""
        winning, totals = reading.winning, reading.view.match.totals
        in_front = winning is not None and totals[winning[0]] == min(totals)
        if QUEEN_OF_SPADES in legal and in_front and any(totals):
            return QUEEN_OF_SPADES
        kind = [card for card in legal if card != QUEEN_OF_SPADES]
        return max(kind or legal, key=lambda card: (rank_of(card), card))


def _suit(view: View, card: Card) -> CardSet:
    return of_faces(view.hand, SUIT_FACES[suit_of(card)])
