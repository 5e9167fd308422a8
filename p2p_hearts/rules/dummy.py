"""How a hand is played whose player is away: from open cards, the same by everybody's rules.

docs/rules.md, "Players who leave". A dummy has no wish to win: it passes its highest cards, ducks
where it can, and gets rid of what costs most. What it does follows from public facts alone, so
every program makes the same move and nobody has to say it.

Errors: ``ValueError`` for a hand without a card that may be played.
"""

from __future__ import annotations

from p2p_hearts.rules.cards import (
    QUEEN_OF_SPADES,
    Card,
    CardSet,
    Suit,
    cards_in,
    rank_of,
    suit_of,
)
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.play import PlayState, playable
from p2p_hearts.rules.score import MoonChoice

CHOICE = MoonChoice.OTHERS_ADD
"""How a dummy's moon counts, where the shooter may choose."""


def dummy_pass(rules: RuleSet, hand: CardSet) -> tuple[Card, ...]:
    """Return the cards a dummy passes: those that rank highest, of equal ranks the higher suits."""
    ordered = sorted(cards_in(hand), key=lambda card: (rank_of(card), suit_of(card)))
    return tuple(sorted(ordered[len(ordered) - rules.pass_count :]))


def dummy_card(hand: CardSet, state: PlayState) -> Card:
    """Return the card a dummy plays when it is its turn.

    It leads its lowest card. It follows suit with its highest card below the highest of that suit
    on the table, else with its lowest. It discards Q♠, else its highest heart, else its highest
    card. Of equal ranks the lower suit is led, the higher one discarded.
    """
    choices = sorted(set(cards_in(playable(hand, state))), key=_height)
    if not choices:
        raise ValueError("there is no card to play")
    if not state.trick:
        return choices[0]
    led = suit_of(state.trick[0][1])
    if suit_of(choices[0]) is not led:
        return max(choices, key=_dislike)
    top = max(rank_of(card) for _, card in state.trick if suit_of(card) is led)
    below = [card for card in choices if rank_of(card) < top]
    return below[-1] if below else choices[0]


def _height(card: Card) -> tuple[int, int]:
    return rank_of(card), suit_of(card)


def _dislike(card: Card) -> tuple[bool, bool, int, int]:
    return card == QUEEN_OF_SPADES, suit_of(card) is Suit.HEARTS, rank_of(card), suit_of(card)
