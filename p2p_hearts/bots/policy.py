"""Quick habits of a sensible player, on masks: how seats play where deals are tried one by one.

It sees what a seat could see: its cards, the trick, and what is not played yet. It ducks with the
highest card that stays below, leads where it is likely to lose the lead, throws Q♠, what would
have to take it and what is most exposed, and wins a trick to stop a moon. A seat that is told to
shoot wins what it can for as long as nobody else has a penalty card.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from p2p_hearts.rules.cards import (
    JACK_OF_DIAMONDS,
    QUEEN_OF_SPADES,
    SUIT_FACES,
    CardSet,
    Suit,
    cards_in,
)
from p2p_hearts.rules.options import HeartPoints, Moon, RuleSet

NOBODY: Final = -1

_QUEEN: Final = 1 << QUEEN_OF_SPADES
_JACK: Final = 1 << JACK_OF_DIAMONDS
_SPADES: Final = int(SUIT_FACES[Suit.SPADES])
_ABOVE_QUEEN: Final = _SPADES & ~((_QUEEN << 1) - 1)
_ABOVE_JACK: Final = int(SUIT_FACES[Suit.DIAMONDS]) & ~((_JACK << 1) - 1)
_HEARTS: Final = int(SUIT_FACES[Suit.HEARTS])
_SUITS: Final = tuple(int(faces) for faces in SUIT_FACES)

HIGH: Final = 4
"""Six: from this rank on a card is played to win a trick that costs nothing."""

MANY: Final = 7
"""With so many cards of a suit out everybody is likely to follow: a high card goes cheaply."""

LAST_OF_SUIT: Final = 0.5
"""Points that it is worth to be rid of a suit."""

ALARM: Final = 0.2
"""A seat that alone has taken this part of the penalty points is stopped if possible."""


class Habits:
    """One table's policy for all seats; ``begin`` says who shoots in the next playout."""

    __slots__ = (
        "_alarm",
        "_danger",
        "_first",
        "_heart",
        "_jack",
        "_lead_costs",
        "_moon",
        "_penalty",
        "_queen",
        "_seats",
        "_shooters",
        "sole",
    )

    def __init__(self, rules: RuleSet) -> None:
        self._seats = range(rules.seats)
        self._penalty = int(rules.penalty_faces | rules.penalty_faces << 52)
        self._queen = _QUEEN if rules.queen_points else 0
        self._jack = _JACK if rules.jack_points else 0
        self._heart = 8.0 if rules.heart_points is HeartPoints.FACE else 1.0
        self._lead_costs, self._danger = _tables(rules.seats - 1)
        self._moon = rules.moon is not Moon.OFF
        self._alarm = ALARM * rules.total_penalty
        # More cards left than that: trick one, and nothing can be thrown on it.
        self._first = len(rules.pack) - (0 if rules.first_trick_penalties else rules.seats)
        self._shooters = 0
        self.sole = NOBODY

    def begin(self, shooters: int, taken: Sequence[int]) -> None:
        """Before a playout: which seats shoot, bit by bit, and what was taken so far."""
        self._shooters = shooters
        self._look_for_a_moon(taken)

    def _look_for_a_moon(self, taken: Sequence[int]) -> None:
        """Find the seat that must be stopped, and let go of moons that are broken."""
        self.sole = NOBODY
        if not self._moon:
            return
        penalty, takers = self._penalty, 0
        for seat in self._seats:
            if taken[seat] & penalty:
                takers |= 1 << seat
        if not takers:
            return
        if takers & (takers - 1):
            self._shooters = 0
            return
        self._shooters &= takers
        seat = takers.bit_length() - 1
        pile = CardSet(taken[seat] & penalty)
        if pile.bit_count() * self._heart + 12 * bool(pile & self._queen) >= self._alarm:
            self.sole = seat

    def lead(self, seat: int, legal: int, left: int, taken: Sequence[int]) -> int:
        """Lead where the lead is likely to be lost; a shooter leads what nobody beats."""
        if self._moon:
            self._look_for_a_moon(taken)
        if not legal & (legal - 1):
            return legal.bit_length() - 1
        if self._shooters >> seat & 1:
            return self._lead_to_win(legal, left)
        out_all = left & ~legal
        costs, queen = self._lead_costs, self._queen
        chosen, least = -1, 1e9
        for suit in _SUITS:
            mine = legal & suit
            if not mine:
                continue
            bit = mine & -mine
            out = out_all & suit
            lower = (out & (bit - 1)).bit_count()
            if suit == _HEARTS:
                cost = costs[1][lower][out.bit_count() - lower]
            else:
                cost = costs[0][lower][out.bit_count() - lower]
                if suit == _SPADES and queen:
                    if out & queen:
                        if bit > queen:
                            cost += 5.0
                        elif not mine & _ABOVE_QUEEN:
                            cost -= 1.0
                    elif mine & queen:
                        cost += 13.0 if bit == queen else 1.5
            if bit == mine:
                cost -= LAST_OF_SUIT
            if cost < least:
                least, chosen = cost, bit
        return chosen.bit_length() - 1

    def _lead_to_win(self, legal: int, left: int) -> int:
        """The top of the longest suit that is high; else the highest of the longest suit."""
        chosen, most = -1, -1
        for suit in _SUITS:
            mine = legal & suit
            if mine:
                top = mine.bit_length() - 1
                worth = mine.bit_count()
                if not (left & ~legal & suit) >> top:
                    worth += 20 if suit != _HEARTS else 15
                if worth > most:
                    most, chosen = worth, top
        return chosen

    def follow(
        self, seat: int, legal: int, left: int, table: int, best: int, owner: int, after: int
    ) -> int:
        """Stay below with the highest card that does; win where it is free, or must be."""
        if not legal & (legal - 1):
            return legal.bit_length() - 1
        if self._shooters >> seat & 1:
            above = legal >> (best + 1) << (best + 1)
            if not above:
                return (legal & -legal).bit_length() - 1
            return (above if after else above & -above).bit_length() - 1
        if left.bit_count() > self._first:
            return legal.bit_length() - 1
        queen, costly = self._queen, table & self._penalty
        below = legal & ((1 << best) - 1) if best >= 0 else 0
        if owner >= 0 and owner == self.sole:
            above = legal & ~below
            if above and (costly or after):  # a penalty card that somebody else wins stops a moon
                return (above if after else above & -above).bit_length() - 1
            return ((below & ~queen or below) if below else legal).bit_length() - 1
        if best > QUEEN_OF_SPADES and legal & queen and best // 13 == 2:
            return QUEEN_OF_SPADES
        if below:
            if after:
                suit = _SUITS[best // 13]
                safe = suit != _HEARTS and not ((suit == _SPADES and left & queen) or costly)
                if safe and (left & suit & ~legal).bit_count() >= MANY:
                    return legal.bit_length() - 1
                if not (left & self._penalty) and self._jack & left:
                    return legal.bit_length() - 1
                return below.bit_length() - 1
            top = (legal & ~queen).bit_length() - 1
            if top > best and not costly and (table & self._jack or top % 13 >= HIGH):
                return top
            return below.bit_length() - 1
        cheap = legal & ~queen or legal
        if self._jack and best // 13 == 1 and cheap & _ABOVE_JACK and table & self._jack:
            return cheap.bit_length() - 1
        if not after:
            return cheap.bit_length() - 1
        low = cheap & -cheap
        suit = _SUITS[(low.bit_length() - 1) // 13]
        if (left & suit & ~legal) >> low.bit_length():
            return low.bit_length() - 1
        return cheap.bit_length() - 1

    def discard(self, seat: int, legal: int, left: int, table: int, owner: int) -> int:
        """Throw Q♠, what may have to take it, else what is most exposed."""
        if not legal & (legal - 1):
            return legal.bit_length() - 1
        if self._shooters >> seat & 1:
            cards = legal & ~self._penalty or legal
            return self._lowest_rank(cards)
        if self.sole == owner and owner >= 0:
            legal = legal & ~self._penalty or legal
        queen = self._queen
        if legal & queen:
            return QUEEN_OF_SPADES
        out_all = left & ~legal
        danger, chosen, most = self._danger, -1, -1.0
        for suit in _SUITS:
            mine = legal & suit
            if not mine:
                continue
            top = mine.bit_length() - 1
            lower_out = (out_all & suit & ((1 << top) - 1)).bit_count()
            worth = danger[lower_out][mine.bit_count() - 1]
            if suit == _HEARTS:
                worth = worth * 1.3 + 0.7
            elif suit == _SPADES and mine & _ABOVE_QUEEN and out_all & queen:
                worth += 6.0
            elif self._jack and 1 << top >= self._jack and suit == _SUITS[1]:
                worth = 0.0
            if worth > most:
                most, chosen = worth, top
        return chosen

    @staticmethod
    def _lowest_rank(cards: int) -> int:
        return min(cards_in(CardSet(cards)), key=lambda card: card % 13)


def losers(hand: int, left: int) -> int:
    """Return how many cards of a hand may lose a trick if each suit is led from the top.

    ``left`` are all cards that nobody has played, those of the hand included.
    """
    lost = 0
    for suit in _SUITS:
        mine = hand & suit
        if mine:
            out = left & ~hand & suit
            over, led = out.bit_count(), 0
            while mine and led < over:
                top = mine.bit_length() - 1
                if out >> top:
                    lost += 1
                mine ^= 1 << top
                led += 1
    return lost


@lru_cache(maxsize=16)
def _tables(
    followers: int,
) -> tuple[tuple[tuple[tuple[float, ...], ...], ...], tuple[tuple[float, ...], ...]]:
    """What a lead costs and how exposed a card is, by how many cards are out.

    Leads: by kind of suit (plain, hearts), lower cards out, higher cards out. Exposure: by lower
    cards out and guards below in the own hand.
    """
    plain, hearts = [], []
    for lower in range(14):
        row, heart_row = [], []
        for higher in range(14):
            out = lower + higher
            wins = (lower / out) ** min(followers, out) if out else 1.0
            thrown = 1.0 + 0.5 * max(0, 8 - out)
            row.append(wins * thrown)
            heart_row.append(wins * 3.0 + 0.1)
        plain.append(tuple(row))
        hearts.append(tuple(heart_row))
    danger = tuple(
        tuple(lower / (1.0 + 0.8 * guards) for guards in range(27)) for lower in range(27)
    )
    return (tuple(plain), tuple(hearts)), danger
