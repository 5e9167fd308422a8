"""Why a card may not be played, in words, from what the seat itself may know.

Cards are written with glyphs on a screen and as words where none are given.

One sentence a rule. The reasons explain
`View.legal`; they never decide anything.
"""

from __future__ import annotations

from p2p_hearts.i18n import N_, _
from p2p_hearts.rules.cards import (
    EMPTY,
    QUEEN_OF_SPADES,
    SUIT_FACES,
    Card,
    CardSet,
    Suit,
    cards_in,
    contains,
    of_faces,
    suit_of,
)
from p2p_hearts.rules.rest import REFUSAL
from p2p_hearts.rules.view import Phase, View
from p2p_hearts.ui.status import Status
from p2p_hearts.ui.words import Glyphs, named, named_all, seat_name

YOUR_TURN_SOON = N_("It is your turn in a moment.")
"""Told while the table still works on what was played before."""

MOVE_SENT = N_("Your move is on its way to the table.")
"""Told to whom decides again what is decided."""

_SUIT_WAS_LED = {
    Suit.CLUBS: N_("Clubs were led, and you hold {cards}."),
    Suit.DIAMONDS: N_("Diamonds were led, and you hold {cards}."),
    Suit.SPADES: N_("Spades were led, and you hold {cards}."),
    Suit.HEARTS: N_("Hearts were led, and you hold {cards}."),
}


def why_not_now(view: View, status: Status) -> str | None:
    """Why no card at all may be played now; None when it is this seat's turn."""
    if view.your_turn:
        return None
    if view.phase is Phase.PASS:
        return _("First choose the cards to pass.")
    if view.phase is Phase.WAIT_PASS:
        return _("The others are still choosing the cards to pass.")
    turn = view.play.turn if view.play is not None else None
    if view.phase is Phase.PLAY and turn == view.seat:
        return _(YOUR_TURN_SOON)
    if view.phase is Phase.PLAY and turn is not None:
        return turn_sentence(status, turn)
    return _("No card can be played now.")


def not_held(card: str) -> str:
    """Return that a card, in words or symbols, is not in the hand."""
    return _("You do not hold {card}.").format(card=card)


def turn_sentence(status: Status, turn: int) -> str:
    """Return whose turn it is, of another seat."""
    return _("It is {player}'s turn.").format(player=seat_name(status.names, turn))


def why_not(view: View, card: Card, glyphs: Glyphs | None) -> str | None:
    """Why `card` may not be played although it is this seat's turn; None when it may."""
    if not contains(view.hand, card):
        return not_held(named(card, glyphs))
    if contains(view.legal, card):
        return None
    play, rules = view.play, view.rules
    opening = rules.opening_card
    if opening is not None and (play is None or not (play.trick or play.tricks)):
        return _("The first trick must be opened with {card}.").format(card=named(opening, glyphs))
    if play is None:
        return _not_allowed(card, glyphs)
    led = play.led
    if led is not None:
        follow = _of_suit(view.hand, led)
        if follow:
            return _(_SUIT_WAS_LED[led]).format(cards=named_all(_faces(follow), glyphs))
    if not play.tricks and contains(rules.penalty_faces, card):
        return _("No penalty card may be played on the first trick while you hold another card.")
    if suit_of(card) is Suit.HEARTS:
        return _("Hearts cannot be led before they are broken.")
    if card == QUEEN_OF_SPADES:
        return _("You cannot lead {card} before hearts are broken.").format(
            card=named(card, glyphs)
        )
    return _not_allowed(card, glyphs)


def why_no_claim(view: View) -> str | None:
    """Why the rest of the hand may not be claimed although it is this seat's turn."""
    if view.may_claim:
        return None
    return _(REFUSAL) if view.phase is Phase.PLAY else _("There is nothing to claim now.")


def why_dimmed(view: View, glyphs: Glyphs | None) -> str | None:
    """Why some cards of the hand are dimmed: the reason of the first that may not be played.

    None when every card may be played, or when it is not this seat's turn.
    """
    if view.phase is not Phase.PLAY or not view.your_turn:
        return None
    for card in cards_in(view.hand):
        if not contains(view.legal, card):
            return why_not(view, card, glyphs)
    return None


def _not_allowed(card: Card, glyphs: Glyphs | None) -> str:
    return _("The rules do not allow {card} here.").format(card=named(card, glyphs))


def _of_suit(hand: CardSet, suit: Suit) -> CardSet:
    return of_faces(hand, SUIT_FACES[suit]) if hand else EMPTY


def _faces(cards: CardSet) -> list[Card]:
    return sorted(set(cards_in(cards)))
