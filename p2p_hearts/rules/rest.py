"""Claiming the rest of a hand (docs/rules.md, "Claims").

A seat in turn may open its cards and claim all that is left instead of playing. Its claim
stands only if it is true for every distribution of the other cards that public facts allow: the
cards played, what each seat has proven not to hold, and how many cards each holds. So says
``rest_is_mine`` of the seat that is to lead. It also stands, for whoever is in turn, if no card
that counts is left. Nothing that the claimer remembers passing is used.

A claim that stands ends the play: everything left goes to the claimer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from p2p_hearts.i18n import N_
from p2p_hearts.rules.cards import (
    EMPTY,
    QUEEN_OF_SPADES,
    SUIT_FACES,
    Card,
    CardClass,
    CardSet,
    ClassSet,
    Suit,
    card_set,
    cards_in,
    contains,
    difference,
    of_faces,
    size,
    union,
)
from p2p_hearts.rules.play import ClaimedRest, PlayState, proven_voids

REFUSAL: Final = N_(
    "You cannot claim the rest: from what everybody has seen it is not certain that you take "
    "every trick, and cards that count are left."
)
"""For the player whose claim would not stand."""

_SUIT_CLASSES: Final[Mapping[Suit, int]] = {
    Suit.CLUBS: 1 << CardClass.OPENING | 1 << CardClass.CLUBS,
    Suit.DIAMONDS: 1 << CardClass.DIAMONDS,
    Suit.SPADES: 1 << CardClass.SPADES | 1 << CardClass.QUEEN,
    Suit.HEARTS: 1 << CardClass.HEARTS,
}


def claim_rest(state: PlayState, seat: int, hand: CardSet) -> PlayState:
    """Return the state after ``seat`` has claimed the rest with its open ``hand``: all is over.

    ``ValueError`` if these cannot be its cards, or the claim does not stand.
    """
    difference(state.unseen, hand)
    if not claim_stands(state, seat, hand):
        raise ValueError("what everybody has seen does not make it certain")
    past = state.past._replace(
        taken=taken_after_claim(state, seat), stalled=EMPTY, claimed=ClaimedRest(seat, hand)
    )
    return PlayState(past, state.trick, EMPTY, None)


def may_claim(state: PlayState, seat: int, hand: CardSet) -> bool:
    """Return whether ``seat``, which knows its ``hand``, may claim the rest now."""
    return state.turn == seat and claim_stands(state, seat, hand)


def claim_stands(state: PlayState, seat: int, hand: CardSet) -> bool:
    """Return whether the claim of ``seat`` in turn, with its open ``hand``, is true.

    ``ValueError`` if the hand has another number of cards than the seat holds.
    """
    if size(hand) != state.cards_left(seat):
        raise ValueError(f"the seat holds {state.cards_left(seat)} cards, not {size(hand)}")
    return rest_is_worthless(state) or rest_is_mine(state, seat, hand)


def rest_is_worthless(state: PlayState) -> bool:
    """Return whether no card that counts is still to be won."""
    on_table = card_set(card for _, card in state.trick)
    return not (state.unseen | state.stalled | on_table) & state.rules.counting_cards


def rest_is_mine(state: PlayState, seat: int, hand: CardSet) -> bool:
    """Return whether ``seat`` wins every trick left, whoever holds the other cards.

    Only the seat that is to lead can say so, once trick one is over and no widow lies hidden. It
    leads each suit from the top: the card led as number ``j`` of its suit, from 0, loses only
    to a higher one (or, with two packs, an equal one) whose holder has ``j`` more of the suit.
    """
    widow_hidden = size(state.widow) < state.rules.widow_size
    if state.turn != seat or state.trick or not state.tricks or widow_hidden:
        return False
    others = difference(state.unseen, hand)
    outside = _Outside(state, seat, others)
    for suit in Suit:
        out = of_faces(others, SUIT_FACES[suit])
        for led_before, card in enumerate(_leading_order(state, hand, suit)):
            beaten_from = card if state.rules.packs == 2 else card + 1
            higher = of_faces(out, CardSet(SUIT_FACES[suit] & ~((1 << beaten_from) - 1)))
            if higher and outside.may_hold(suit, led_before + 1):
                return False
    return True


def taken_after_claim(state: PlayState, seat: int) -> tuple[CardSet, ...]:
    """Return what each seat has taken once the claimer was given all that is left."""
    rest = union(state.unseen, state.stalled)
    rest = union(rest, card_set(card for _, card in state.trick))
    taken = state.taken
    return (*taken[:seat], union(taken[seat], rest), *taken[seat + 1 :])


def _leading_order(state: PlayState, hand: CardSet, suit: Suit) -> Sequence[Card]:
    """The claimer's cards of a suit, the highest first; a Q♠ that must wait comes last."""
    cards = list(reversed(cards_in(of_faces(hand, SUIT_FACES[suit]))))
    waits = state.rules.lead_waits & SUIT_FACES[Suit.SPADES]
    if waits and not state.broken and suit is Suit.SPADES and contains(hand, QUEEN_OF_SPADES):
        cards.sort(key=lambda card: card == QUEEN_OF_SPADES)
    return cards


class _Outside:
    """Which distributions of the cards outside the claimer's hand public facts allow."""

    def __init__(self, state: PlayState, claimer: int, others: CardSet) -> None:
        voids = proven_voids(state)
        self.counts = [of_faces(others, SUIT_FACES[suit]).bit_count() for suit in Suit]
        self.seats = [seat for seat in range(state.rules.seats) if seat != claimer]
        self.room = {seat: state.cards_left(seat) for seat in self.seats}
        self.suits = {seat: _possible_suits(voids[seat]) for seat in self.seats}

    def may_hold(self, suit: Suit, number: int) -> bool:
        """Whether some seat may hold ``number`` cards of a suit."""
        return number <= self.counts[suit] and any(
            self.suits[seat] >> suit & 1
            and self.room[seat] >= number
            and self._fits(seat, suit, number)
            for seat in self.seats
        )

    def _fits(self, holder: int, suit: Suit, number: int) -> bool:
        """Whether the other cards find room once ``holder`` has ``number`` cards of ``suit``.

        Hall's condition: no set of suits has more cards than room in the seats that may hold
        one of them.
        """
        for suits in range(1, 1 << len(Suit)):
            cards = sum(self.counts[s] for s in Suit if suits >> s & 1)
            room = sum(self.room[seat] for seat in self.seats if self.suits[seat] & suits)
            if suits >> suit & 1:
                cards -= number
            if self.suits[holder] & suits:
                room -= number
            if cards > room:
                return False
        return True


def _possible_suits(voids: ClassSet) -> int:
    """The suits a seat may hold, bit by bit."""
    return sum(1 << suit for suit, classes in _SUIT_CLASSES.items() if classes & ~voids)
