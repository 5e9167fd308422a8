"""Many hands at once: a *lane* is one hand with open cards, all at the same card of the same trick.

Arrays have a lane a row, and 52 cards or four suits of thirteen. One call of ``Lanes.play`` plays a
card in every lane. The rules are those of ``rules.play``, read from the same tables; tests hold
both equal on random positions. One pack only.

This and what imports it needs numpy, which takes a while to load: only a search does (``search``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from p2p_hearts.bots.heuristic import PER_TRICK
from p2p_hearts.bots.reading import CLASSES_OF_SUIT
from p2p_hearts.rules.cards import FACES, QUEEN_OF_SPADES, CardSet, ClassSet, Suit
from p2p_hearts.rules.legality import preferences_of_trick
from p2p_hearts.rules.options import HeartPoints, Moon, RuleSet
from p2p_hearts.rules.play import PlayState

Flags: TypeAlias = NDArray[np.bool_]
Numbers: TypeAlias = NDArray[np.int64]
Reals: TypeAlias = NDArray[np.float32]
Seats: TypeAlias = NDArray[np.int8]

NOBODY: Final = -1
WIDOW: Final = -2
"""Where a card of an unopened widow is."""


def flags_of(cards: int) -> Flags:
    """Return a set of cards of one pack as 52 flags."""
    found: Flags = flags_of_each([cards])[0]
    return found


def flags_of_each(sets: Sequence[int]) -> Flags:
    """Return sets of cards of one pack as rows of 52 flags."""
    words = np.array([cards & int(FACES) for cards in sets], dtype="<u8")
    bits = np.unpackbits(words.view(np.uint8).reshape(len(sets), 8), axis=1, bitorder="little")
    found: Flags = bits[:, :52].astype(np.bool_)
    return found


def any_of(flags: Flags) -> Flags:
    """Whether any flag of a row is set."""
    found: Flags = np.any(flags, axis=1)
    return found


def void_suits(classes: Sequence[ClassSet]) -> Flags:
    """Return by seat and suit whether the classes that each seat has proven are the whole suit."""
    return np.array(
        [
            [all(void >> kind & 1 for kind in CLASSES_OF_SUIT[suit]) for suit in Suit]
            for void in classes
        ]
    )


class Rows:
    """What the arrays take from a rule set."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.values = np.array(rules.values, dtype=np.float32)
        self.penalty = flags_of(rules.penalty_faces)
        self.breaking = flags_of(rules.breaking_faces)
        self.counting = flags_of(rules.counting_cards)
        self.total = float(rules.total_penalty)
        self.heart = 8.0 if rules.heart_points is HeartPoints.FACE else 1.0
        self.queen = float(rules.queen_points)
        self.jack = float(rules.jack_points)
        self.moon = rules.moon is not Moon.OFF
        # What a card of a suit costs a trick, for ``heuristic._danger``.
        self.per_trick = np.array([PER_TRICK[suit] for suit in Suit], dtype=np.float32) * self.heart
        found = [
            [preferences_of_trick(rules, first, broken) for broken in (False, True)]
            for first in (False, True)
        ]
        most = max(len(wishes) for pair in found for table in pair for wishes in table)
        self.wishes = np.ones((2, 2, 5, most, 52), dtype=np.bool_)
        for first, pair in enumerate(found):
            for broken, table in enumerate(pair):
                for led, wishes in enumerate(table):
                    for number, wish in enumerate(wishes):
                        self.wishes[first, broken, led, number] = flags_of(wish)

    def legal(self, hand: Flags, first: bool, broken: Flags, led: Numbers) -> Flags:
        """Narrow hands to what may be played; ``led`` is 4 for who leads."""
        wishes = self.wishes[int(first)][broken.astype(np.int64), led]
        for number in range(wishes.shape[1]):
            wished = hand & wishes[:, number]
            hand = np.where(any_of(wished)[:, None], wished, hand)
        return hand

    def shooters(self, taker: Seats) -> Numbers:
        """Return who took every penalty card in each lane; -1 for nobody."""
        if not self.moon:
            return np.full(len(taker), NOBODY)
        won = taker[:, flags_of(self.rules.penalty_cards)]
        return np.where((won == won[:, :1]).all(axis=1), won[:, 0], NOBODY).astype(np.int64)

    def taken_queen(self, taker: Seats, seat: int) -> Flags:
        """Return in which lanes a seat took a Q♠ that costs points."""
        found: Flags = (taker[:, QUEEN_OF_SPADES] == seat) & (self.queen > 0)
        return found


@dataclass(slots=True)
class Scene:
    """One seat's decision in each lane: what ``heuristic`` reads from a view."""

    seat: Numbers
    hand: Flags
    out: Flags
    """Cards that are neither played nor in the own hand."""
    counts: Numbers
    """Cards of each seat."""
    voids: Flags
    """By seat and suit."""
    takers: Flags
    """Which seats have penalty cards."""
    penalties: Reals
    """Points of the penalty cards of each seat."""
    led: Numbers
    """4 for who leads."""
    best: Numbers
    """Rank of the card that wins the trick."""
    owner: Numbers
    """Who played that."""
    points: Reals
    """Points on the table."""
    dirty: Flags
    """Whether a penalty card lies on the table."""
    after: int
    """Seats that follow."""
    clean: bool
    """Whether no penalty card may come to this trick."""
    shooters: Flags
    """Seats that shoot the moon whatever their hand looks like."""

    def part(self, rows: Flags) -> Scene:
        """Return the decisions of some lanes."""
        return Scene(
            self.seat[rows],
            self.hand[rows],
            self.out[rows],
            self.counts[rows],
            self.voids[rows],
            self.takers[rows],
            self.penalties[rows],
            self.led[rows],
            self.best[rows],
            self.owner[rows],
            self.points[rows],
            self.dirty[rows],
            self.after,
            self.clean,
            self.shooters[rows],
        )


class Lanes:
    """Hands in play, all at the same card of the same trick."""

    def __init__(
        self,
        rows: Rows,
        state: PlayState,
        holder: Seats,
        shooters: Flags,
        void_suits: Flags,
    ) -> None:
        """``holder`` tells who holds each card (lanes, 52), ``shooters`` who shoots (lanes, seats).

        All lanes begin at ``state``; ``void_suits`` (seats, 4) is what is proven so far.
        """
        rules, past = rows.rules, state.past
        self._rows, number = rows, len(holder)
        self.numbers = np.arange(number)
        self.holder = holder.copy()
        self.shooters = shooters
        self.voids = np.repeat(void_suits[None], number, axis=0)
        self.broken = np.full(number, past.broken)
        self.leader = np.full(number, NOBODY if past.leader is None else past.leader)
        self.tricks_left = state.tricks_left
        self.first = state.is_first_trick
        self.taker: Seats = np.full((number, 52), NOBODY, dtype=np.int8)
        for seat, pile in enumerate(past.taken):
            self.taker[:, flags_of(pile)] = seat
        self.counts = np.stack([(holder == seat).sum(axis=1) for seat in range(rules.seats)], 1)
        self.trick = 0
        self.led = np.full(number, 4)
        self.best = np.full(number, -1)
        self.owner = np.full(number, NOBODY)
        self.table = np.zeros((number, 52), dtype=np.bool_)
        self.penalties = np.zeros((number, rules.seats), dtype=np.float32)
        self.takers = np.zeros((number, rules.seats), dtype=np.bool_)
        for _, card in state.trick:
            self._lay(np.full(number, card), holds=False)
        if past.widow_due:
            self._open_widow(np.full(number, past.widow_owner))
        self._count_penalties()

    def _count_penalties(self) -> None:
        values = self._rows.values * self._rows.penalty
        for seat in range(self._rows.rules.seats):
            won = self.taker == seat
            self.takers[:, seat] = any_of(won & self._rows.penalty)
            self.penalties[:, seat] = won @ values

    @property
    def turn(self) -> Numbers:
        """The seat that plays next in each lane."""
        return (self.leader + self.trick) % self._rows.rules.seats

    def scene(self) -> tuple[Scene, Flags]:
        """Return the decisions of the seats in turn, and what they may play."""
        rows, seat = self._rows, self.turn
        hand = self.holder == seat.astype(np.int8)[:, None]
        out = (self.holder != NOBODY) & ~hand
        legal = rows.legal(hand, self.first, self.broken, self.led)
        scene = Scene(
            seat,
            hand,
            out,
            self.counts,
            self.voids,
            self.takers,
            self.penalties,
            self.led,
            self.best,
            self.owner,
            self.table @ rows.values,
            any_of(self.table & rows.penalty),
            rows.rules.seats - 1 - self.trick,
            self.first and not rows.rules.first_trick_penalties,
            self.shooters,
        )
        return scene, legal

    def play(self, cards: Numbers) -> None:
        """Play a card of the seat in turn in each lane, and finish the trick if it is the last."""
        self._lay(cards, holds=True)
        if self.trick == self._rows.rules.seats:
            self._finish()

    def _lay(self, cards: Numbers, *, holds: bool) -> None:
        seat, lanes = self.turn, self.numbers
        suit, rank = cards // 13, cards % 13
        if not self.trick:
            self.led = suit
        follows = suit == self.led
        if holds:
            self.holder[lanes, cards] = NOBODY
            self.counts = self.counts.copy()
            self.counts[lanes, seat] -= 1
            self.voids[lanes[~follows], seat[~follows], self.led[~follows]] = True
        over = follows & (rank > self.best)
        self.best = np.where(over, rank, self.best)
        self.owner = np.where(over, seat, self.owner)
        self.table[lanes, cards] = True
        self.trick += 1

    def _finish(self) -> None:
        self._give(self.table, self.owner)
        self.broken = self.broken | any_of(self.table & self._rows.breaking)
        self._open_widow(self.owner)
        self.leader = self.owner
        self.first, self.trick, self.tricks_left = False, 0, self.tricks_left - 1
        lanes = len(self.leader)
        self.led, self.best = np.full(lanes, 4), np.full(lanes, -1)
        self.owner = np.full(lanes, NOBODY)
        self.table = np.zeros((lanes, 52), dtype=np.bool_)
        self._count_penalties()

    def _open_widow(self, owner: Numbers) -> None:
        widow = self.holder == WIDOW
        if widow.any():
            self._give(widow, owner)
            self.holder[widow] = NOBODY

    def _give(self, cards: Flags, owner: Numbers) -> None:
        self.taker = np.where(cards, owner.astype(np.int8)[:, None], self.taker)

    def counts_left(self) -> Flags:
        """Return the lanes in which a card that counts is still to be won."""
        held = (self.holder != NOBODY) | self.table
        return any_of(held & self._rows.counting)

    def keep(self, lanes: Flags) -> None:
        """Leave all other lanes."""
        self.numbers = np.arange(int(lanes.sum()))
        for name in (
            "holder",
            "shooters",
            "voids",
            "broken",
            "leader",
            "taker",
            "counts",
            "led",
            "best",
            "owner",
            "table",
            "penalties",
            "takers",
        ):
            setattr(self, name, getattr(self, name)[lanes])


def holders(hands: Sequence[Sequence[CardSet]], widows: Sequence[CardSet]) -> Seats:
    """Return who holds each card (lanes, 52) for hands by lane and seat."""
    found = np.full((len(hands), 52), NOBODY, dtype=np.int8)
    seats = len(hands[0])
    for seat in range(seats):
        found[flags_of_each([lane[seat] for lane in hands])] = seat
    found[flags_of_each(list(widows))] = WIDOW
    return found
