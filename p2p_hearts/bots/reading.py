"""What a seat can work out from its `View`: which cards are out, and who may hold them.

Chances are rough on purpose: every hidden card is equally likely to be any hidden card of a
seat that has not proven it cannot hold it.
"""

from __future__ import annotations

from p2p_hearts.rules.cards import (
    QUEEN_OF_SPADES,
    SUIT_FACES,
    Card,
    CardClass,
    CardSet,
    Suit,
    contains,
    copies,
    difference,
    of_faces,
)
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.play import PlayState
from p2p_hearts.rules.score import points_of
from p2p_hearts.rules.trick import uncancelled
from p2p_hearts.rules.view import View

CLASSES_OF_SUIT = {
    Suit.CLUBS: (CardClass.OPENING, CardClass.CLUBS),
    Suit.DIAMONDS: (CardClass.DIAMONDS,),
    Suit.SPADES: (CardClass.SPADES, CardClass.QUEEN),
    Suit.HEARTS: (CardClass.HEARTS,),
}


class Reading:
    """Facts and chances, seen from the seat of ``view``; the play must have begun."""

    __slots__ = ("_hidden", "hand", "out", "play", "rules", "seat", "view")

    def __init__(self, view: View) -> None:
        if view.play is None:
            raise ValueError("the play has not begun")
        self.view = view
        self.play: PlayState = view.play
        self.rules: RuleSet = view.rules
        self.seat = view.seat
        self.hand = view.hand
        self.out: CardSet = difference(view.play.unseen, view.hand)
        """The cards that are neither played nor in the own hand."""
        self._hidden = max(1, self.out.bit_count())

    # -- cards that are out ------------------------------------------------------------------

    def out_in(self, suit: Suit) -> CardSet:
        """Return the cards of a suit that are out."""
        return of_faces(self.out, SUIT_FACES[suit])

    def lower_out(self, card: Card) -> int:
        """Return how many lower cards of its suit are out."""
        below = SUIT_FACES[Suit(card // 13)] & ((1 << card) - 1)
        return of_faces(self.out, CardSet(below)).bit_count()

    def higher_out(self, card: Card) -> int:
        """Return how many higher cards of its suit are out."""
        above = SUIT_FACES[Suit(card // 13)] & ~((2 << card) - 1)
        return of_faces(self.out, CardSet(above)).bit_count()

    @property
    def queen_out(self) -> bool:
        """Whether a Q♠ that costs points is in another hand."""
        return self.rules.queen_points > 0 and contains(self.out, QUEEN_OF_SPADES)

    # -- who may hold them -------------------------------------------------------------------

    def void(self, seat: int, suit: Suit) -> bool:
        """Return whether a seat has proven that it holds no card of a suit."""
        voids = self.view.void_classes[seat]
        return all(voids >> card_class & 1 for card_class in CLASSES_OF_SUIT[suit])

    def chance_void(self, seat: int, suit: Suit) -> float:
        """Return the chance that a seat holds no card of a suit."""
        if of_faces(self.view.known[seat], SUIT_FACES[suit]):
            return 0.0
        if self.void(seat, suit):
            return 1.0
        hidden: float = (1 - min(1.0, self.view.counts[seat] / self._hidden)) ** self.out_in(
            suit
        ).bit_count()
        return hidden

    def expected_length(self, seat: int, suit: Suit) -> float:
        """Return how many cards of a suit a seat that is not void may be expected to hold."""
        return self.view.counts[seat] * self.out_in(suit).bit_count() / self._hidden

    def chance_holds(self, seat: int, card: Card) -> float:
        """Return the chance that a seat holds a card that is out."""
        if not contains(self.out, card):
            return 0.0
        if contains(self.view.known[seat], card):
            return 1.0
        others = [s for s in range(self.rules.seats) if s != self.seat]
        known = sum(copies(self.view.known[s], card) for s in others)
        if known >= copies(self.out, card) or not self._may_hold(seat, card):
            return 0.0
        room = sum(self.view.counts[s] for s in others if self._may_hold(s, card))
        return min(1.0, copies(self.out, card) * self.view.counts[seat] / max(1, room))

    def _may_hold(self, seat: int, card: Card) -> bool:
        return not self.view.void_classes[seat] >> self.rules.card_class(card) & 1

    # -- the trick ---------------------------------------------------------------------------

    @property
    def later_seats(self) -> tuple[int, ...]:
        """The seats that play to this trick after the own one, in order."""
        count = self.rules.seats - len(self.play.trick) - 1
        return tuple((self.seat + 1 + step) % self.rules.seats for step in range(count))

    @property
    def winning(self) -> tuple[int, Card] | None:
        """The seat and card that win the trick so far."""
        trick = self.play.trick
        if self.rules.packs == 2:
            trick = uncancelled(trick)
        in_suit = [(card, seat) for seat, card in trick if suit_is(card, self.play.led)]
        if not in_suit:
            return None
        card, seat = max(in_suit)
        return seat, card

    @property
    def clean(self) -> bool:
        """Whether no penalty card may come to this trick."""
        return self.play.is_first_trick and not self.rules.first_trick_penalties

    def points_on_table(self) -> int:
        """Return the points that the winner of this trick would take now."""
        played = sum(self.rules.points(card) for _, card in self.play.trick)
        return played + points_in(self.rules, self.play.stalled)


def suit_is(card: Card, suit: Suit | None) -> bool:
    """Return whether a card is of a suit; never for no suit."""
    return suit is not None and card // 13 == suit


def points_in(rules: RuleSet, cards: CardSet) -> int:
    """Return the points of a set of cards; nothing to add up for the empty set."""
    return points_of(rules, cards) if cards else 0
