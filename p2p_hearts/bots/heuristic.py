"""``normal``: every legal card gets a value in points, and the best one is played.

The value of a card is a little of what it is worth to be rid of it (``relief``), less what it is
expected to cost in this trick (``chance_to_win`` times the points of the trick). A moon, the own
one or somebody else's, changes the signs (``p2p_hearts.bots.moon``).
"""

from __future__ import annotations

from typing import Final

from p2p_hearts.bots import moon, passing
from p2p_hearts.bots.careful import Careful
from p2p_hearts.bots.reading import Reading, suit_is
from p2p_hearts.rules.cards import (
    JACK_OF_DIAMONDS,
    QUEEN_OF_SPADES,
    SUIT_FACES,
    Card,
    CardSet,
    Suit,
    cards_in,
    contains,
    of_faces,
    rank_of,
    remove,
    suit_of,
)
from p2p_hearts.rules.options import HeartPoints
from p2p_hearts.rules.view import View

LATER: Final = 0.3
"""What a point that may be lost later counts beside one lost in this trick; found by self-play."""

STOPPING: Final = 0.9
"""What stopping a moon is worth, in parts of the points it would cost."""

FEEDING: Final = 0.1
"""Of that: what a penalty card costs on the shooter's own trick, where it stops nothing."""

FEEDING_STOPPER: Final = 0.3
"""The same for a heart that could win a trick of hearts."""

SPLITTING: Final = 0.5
"""Of that: what a penalty card is worth on a trick that a third seat wins."""

THROWN: Final = 0.8
"""Hearts that a seat throws on a trick that it cannot follow, while hearts are out."""

PER_TRICK: Final = {Suit.CLUBS: 2.2, Suit.DIAMONDS: 2.2, Suit.SPADES: 2.2, Suit.HEARTS: 3.2}
"""What a trick costs that is won later in a suit, in hearts."""


class HeuristicPlayer(Careful):
    """Counts cards, voids and chances; looks one trick ahead."""

    name: Final = "normal"

    def choose_pass(self, view: View) -> CardSet:
        """Return the cards that are dearest to keep."""
        return passing.choose_pass(view)

    def choose_card(self, view: View) -> Card:
        """Return the legal card of the highest value; ``ValueError`` if there is none."""
        legal = cards_in(view.legal)
        if not legal:
            raise ValueError("there is no card to play")
        if len(legal) == 1:
            return legal[0]
        reading = Reading(view)
        if moon.attack(reading):
            return shooting(reading, legal)
        danger = moon.threat(reading)
        return max(legal, key=lambda card: (value(reading, card, danger), -card))


def value(reading: Reading, card: Card, danger: moon.Threat | None) -> float:
    """Return what playing ``card`` is worth, in points; ``danger`` is a moon to be stopped."""
    points = reading.rules.points(card)
    wins = chance_to_win(reading, card)
    trick = reading.points_on_table() + points + expected_points(reading, card)
    worth = LATER * relief(reading, card) - wins * trick
    if danger is None:
        return worth
    # A moon is stopped by winning a trick with a penalty card in it, or by a penalty card on a
    # trick that a third seat wins. A penalty card on the shooter's own trick stops nothing.
    at_stake = STOPPING * danger.progress * reading.rules.total_penalty
    if _has_penalty(reading, card):
        worth += at_stake * wins
    winning = reading.winning
    if _is_penalty(reading, card) and winning is not None:
        if winning[0] == danger.seat:
            worth -= (
                (1 - wins) * at_stake * (FEEDING_STOPPER if _stopper(reading, card) else FEEDING)
            )
        else:
            worth += (1 - wins) * at_stake * SPLITTING
    return worth


# -- what a card costs in this trick ---------------------------------------------------------


def chance_to_win(reading: Reading, card: Card) -> float:
    """Return the chance that ``card`` wins the trick."""
    led = reading.play.led
    if led is not None and not suit_is(card, led):
        return 0.0
    winning = reading.winning
    if winning is not None and winning[1] >= card:
        return 0.0
    suit = suit_of(card)
    higher, lower = reading.higher_out(card), reading.lower_out(card)
    if not higher:
        return 1.0
    chance = 1.0
    for seat in reading.later_seats:
        length = max(1.0, reading.expected_length(seat, suit))
        only_higher = (higher / (higher + lower)) ** length
        chance *= 1 - (1 - reading.chance_void(seat, suit)) * only_higher
    return chance


def expected_points(reading: Reading, card: Card) -> float:
    """Return the points that later seats are expected to add if ``card`` wins the trick."""
    if reading.clean:
        return 0.0
    led = reading.play.led
    suit = suit_of(card) if led is None else led
    heart = _heart_points(reading)
    hearts_out = reading.out_in(Suit.HEARTS).bit_count()
    expected = 0.0
    for seat in reading.later_seats:
        void = reading.chance_void(seat, suit)
        queen = _queen_points(reading) * reading.chance_holds(seat, QUEEN_OF_SPADES)
        dumped = queen + (heart * THROWN if hearts_out else 0.0)
        follows = 0.0
        if suit is Suit.HEARTS:
            follows = heart
        elif suit is Suit.SPADES and card > QUEEN_OF_SPADES:
            follows = queen
        elif suit is Suit.DIAMONDS and reading.rules.jack_points:
            beaten = card > JACK_OF_DIAMONDS
            follows = (
                beaten * reading.rules.jack_points * reading.chance_holds(seat, JACK_OF_DIAMONDS)
            )
        expected += void * dumped + (1 - void) * follows
    return expected


# -- what it is worth to be rid of a card -----------------------------------------------------


def relief(reading: Reading, card: Card) -> float:
    """Return by how much the burden of the hand is lighter without ``card``, in points.

    It may be negative: a low card guards the higher ones of its suit.
    """
    suit = suit_of(card)
    before = of_faces(reading.hand, SUIT_FACES[suit])
    return _burden(reading, suit, before) - _burden(reading, suit, remove(before, card))


def _burden(reading: Reading, suit: Suit, held: CardSet) -> float:
    """What the held cards of a suit are expected to cost later, in points."""
    seats = range(reading.rules.seats)
    followers = sum(not reading.void(seat, suit) for seat in seats if seat != reading.seat)
    rounds = reading.out_in(suit).bit_count() / max(1, followers)
    return sum(
        _danger(reading, card, max(0.0, 1 - guards / (rounds + 0.5)))
        for guards, card in enumerate(cards_in(held))
    )


def _danger(reading: Reading, card: Card, exposed: float) -> float:
    """What a card may cost; ``exposed``: how likely its lower guards run out, 0 to 1."""
    suit = suit_of(card)
    if reading.rules.queen_points and suit is Suit.SPADES and card >= QUEEN_OF_SPADES:
        if card == QUEEN_OF_SPADES:
            return _queen_points(reading) * (0.3 + 0.5 * exposed)
        if reading.queen_out:
            return _queen_points(reading) * (0.1 + 0.5 * exposed)
    if reading.rules.jack_points and suit is Suit.DIAMONDS and card >= JACK_OF_DIAMONDS:
        if card == JACK_OF_DIAMONDS:
            return -4.0
        if contains(reading.out, JACK_OF_DIAMONDS):
            return -1.0
    out = reading.out_in(suit).bit_count()
    if not out:
        return 0.5
    return exposed * PER_TRICK[suit] * _heart_points(reading) * reading.lower_out(card) / (out + 1)


# -- shooting the moon ------------------------------------------------------------------------


def shooting(reading: Reading, legal: tuple[Card, ...]) -> Card:
    """Return the legal card that keeps a moon going."""
    bad = set(moon.losers(reading))
    winning = reading.winning
    if reading.play.led is None:
        sure = [card for card in legal if card not in bad] or list(legal)
        return max(sure, key=lambda card: (suit_of(card) is not Suit.HEARTS, rank_of(card), card))
    if winning is not None and suit_is(legal[0], reading.play.led):
        winners = [card for card in legal if card > winning[1]]
        if winners:
            return winners[-1] if reading.later_seats else winners[0]
        return legal[0]
    harmless = [card for card in legal if not _is_penalty(reading, card)]
    return min(
        harmless or legal,
        key=lambda card: (card not in bad, rank_of(card), card),
    )


# -- helpers ----------------------------------------------------------------------------------


def _heart_points(reading: Reading) -> float:
    """The points of an average heart."""
    return 8.0 if reading.rules.heart_points is HeartPoints.FACE else 1.0


def _queen_points(reading: Reading) -> float:
    return float(reading.rules.queen_points)


def _is_penalty(reading: Reading, card: Card) -> bool:
    return contains(reading.rules.penalty_faces, card)


def _has_penalty(reading: Reading, card: Card) -> bool:
    faces = reading.rules.penalty_faces
    return _is_penalty(reading, card) or any(
        contains(faces, played) for _, played in reading.play.trick
    )


def _stopper(reading: Reading, card: Card) -> bool:
    """Whether a heart is high enough to win a trick of hearts."""
    return suit_is(card, Suit.HEARTS) and reading.higher_out(card) <= 1
