"""A plain player to measure others by: stay below the others, and get rid of what is high."""

from __future__ import annotations

from typing import Final

from p2p_hearts.bots.careful import Careful
from p2p_hearts.rules.cards import (
    QUEEN_OF_SPADES,
    Card,
    CardSet,
    Suit,
    card_set,
    cards_in,
    rank_of,
    suit_of,
)
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.trick import uncancelled
from p2p_hearts.rules.view import View


class DuckPlayer(Careful):
    """Plays the highest card that does not win, else the lowest; never counts cards."""

    name: Final = "duck"

    def choose_pass(self, view: View) -> CardSet:
        """Return the most unwelcome cards: Q♠ and what takes it, hearts, then high ones."""
        unwelcome = sorted(cards_in(view.hand), key=lambda card: _burden(view.rules, card))
        return card_set(unwelcome[len(unwelcome) - view.rules.pass_count :])

    def choose_card(self, view: View) -> Card:
        """Return a card that loses the trick if there is one."""
        legal = cards_in(view.legal)
        if not legal or view.play is None:
            raise ValueError("there is no card to play")
        led = view.play.led
        if led is None:
            return min(legal, key=lambda card: (rank_of(card), card))
        if suit_of(legal[0]) is not led or suit_of(legal[-1]) is not led:
            return max(legal, key=lambda card: _burden(view.rules, card))
        cards = uncancelled(view.play.trick) if view.rules.packs == 2 else view.play.trick
        best = max((card for _, card in cards if suit_of(card) is led), default=-1)
        below = [card for card in legal if card < best]
        return below[-1] if below else legal[0]


def _burden(rules: RuleSet, card: Card) -> tuple[bool, bool, int, Card]:
    """How much one wants to be rid of a card, before anything is known of the hand."""
    black = card >= QUEEN_OF_SPADES and suit_of(card) is Suit.SPADES and rules.queen_points > 0
    return (black, suit_of(card) is Suit.HEARTS, rank_of(card), card)
