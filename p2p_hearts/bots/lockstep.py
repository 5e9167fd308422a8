"""Many hands at once, card by card: every seat of each plays as ``normal`` does (``heuristic``).

A *lane* is one hand with open cards; arrays have a lane a row and cards as four suits of thirteen.
All lanes stand at the same card of the same trick, so one pass over the arrays plays it in all of
them. The rules are those of ``rules.play``, read from the same tables, and the values of cards are
those of ``heuristic.value``; tests hold both equal to these on random positions. What a seat knows
of the cards that it passed is left out here. One pack only; two packs are played hand by hand
(``rules.playout``).

The one module that imports numpy, and that takes a while: it is imported where a search begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from p2p_hearts.bots.heuristic import LATER, STOPPING
from p2p_hearts.bots.reading import CLASSES_OF_SUIT
from p2p_hearts.rules.cards import FACES, QUEEN_OF_SPADES, CardSet, ClassSet, Suit
from p2p_hearts.rules.options import HeartPoints, Moon, RuleSet
from p2p_hearts.rules.play import PlayState, preferences_of_trick

Flags: TypeAlias = NDArray[np.bool_]
Numbers: TypeAlias = NDArray[np.int64]
Reals: TypeAlias = NDArray[np.float32]
Seats: TypeAlias = NDArray[np.int8]

NOBODY: Final = -1
WIDOW: Final = -2
"""Where a card of an unopened widow is."""

GRAIN: Final = 1000.0
"""Parts of a point by which two cards must differ in worth; of equal ones the lowest is played."""

_QUEEN: Final = 10
"""Q♠ within its suit."""
_JACK: Final = 9
_FOUR: Final = np.arange(4)
_RANKS: Final = np.arange(13)


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


def _any(flags: Flags) -> Flags:
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
        self.per_trick = np.array([2.2, 2.2, 2.2, 3.2], dtype=np.float32) * self.heart
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
            hand = np.where(_any(wished)[:, None], wished, hand)
        return hand

    def shooters(self, taker: Seats) -> Numbers:
        """Return who took every penalty card in each lane; -1 for nobody."""
        if not self.moon:
            return np.full(len(taker), NOBODY)
        won = taker[:, flags_of(self.rules.penalty_cards)]
        return np.where((won == won[:, :1]).all(axis=1), won[:, 0], NOBODY).astype(np.int64)

    def taken_queen(self, taker: Seats, seat: int) -> Flags:
        """Return in which lanes a seat took Q♠."""
        found: Flags = taker[:, QUEEN_OF_SPADES] == seat
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


def choose(rows: Rows, scene: Scene, legal: Flags) -> Numbers:
    """Return the card that ``normal`` plays in each lane."""
    worth: Reals = np.full(legal.shape, -np.inf, dtype=np.float32)
    follows: Flags = np.zeros(len(legal), dtype=np.bool_)
    if scene.led[0] == 4:
        values = _values(rows, scene, np.broadcast_to(_FOUR, (len(legal), 4)), plays_suit=True)
        worth = values.reshape(-1, 52)
    else:
        at = np.arange(len(legal))
        follows = _any(legal.reshape(-1, 4, 13)[at, scene.led])
        if follows.any():
            part = scene.part(follows)
            values = _values(rows, part, part.led[:, None], plays_suit=True)
            inner = np.full((len(values), 4, 13), -np.inf, dtype=np.float32)
            inner[np.arange(len(values)), part.led] = values[:, 0]
            worth[follows] = inner.reshape(-1, 52)
        if not follows.all():
            part = scene.part(~follows)
            suits = np.broadcast_to(_FOUR, (len(part.seat), 4))
            worth[~follows] = _values(rows, part, suits, plays_suit=False).reshape(-1, 52)
    # Sums in another order differ by a rounding: what is worth the same is made the same.
    worth = np.rint(worth * GRAIN)
    if rows.moon:
        shoots, bad = _attacks(rows, scene)
        if shoots.any():
            part = scene.part(shoots)
            worth[shoots] = _shooting(rows, part, legal[shoots], bad[shoots], follows[shoots])
    chosen: Numbers = np.where(legal, worth, -np.inf).argmax(axis=1)
    return chosen


def _values(rows: Rows, scene: Scene, suits: Numbers, *, plays_suit: bool) -> Reals:
    """``heuristic.value`` of all cards of some suits (lanes, suits, 13)."""
    lanes = np.arange(len(scene.seat))
    at = lanes[:, None]
    hand = scene.hand.reshape(-1, 4, 13)[at, suits]
    out = scene.out.reshape(-1, 4, 13)[at, suits]
    lower = np.cumsum(out, axis=2, dtype=np.float32) - out
    number = lower[:, :, -1] + out[:, :, -1]
    higher = number[:, :, None] - lower - out
    queen_out = scene.out[:, 26 + _QUEEN]
    worth = LATER * _relief(rows, scene, suits, hand, lower, number, queen_out)
    penalty = rows.penalty.reshape(4, 13)[suits]
    danger, stake = _threat(rows, scene)
    wins: Reals | None = None
    if plays_suit:
        wins, expected = _in_this_trick(rows, scene, suits, lower, higher, number, queen_out)
        costs = scene.points[:, None, None] + rows.values.reshape(4, 13)[suits] + expected
        worth -= wins * costs
        worth += stake[:, None, None] * wins * (penalty | scene.dirty[:, None, None])
    if scene.led[0] != 4 and stake.any():
        kept = stake[:, None, None] * penalty
        if wins is not None:
            kept = kept * (1 - wins)
        stopper = (suits == Suit.HEARTS)[:, :, None] & (higher <= 1)
        on_own = (scene.owner == danger)[:, None, None]
        worth += kept * np.where(on_own, np.where(stopper, -0.3, -0.1), 0.5).astype(np.float32)
    return worth


def _relief(
    rows: Rows,
    scene: Scene,
    suits: Numbers,
    hand: Flags,
    lower: Reals,
    number: Reals,
    queen_out: Flags,
) -> Reals:
    """``heuristic.relief``: what a card may cost later, and its higher ones without it."""
    at = np.arange(len(suits))[:, None]
    open_seats = ~scene.voids
    open_seats[np.arange(len(suits)), scene.seat] = False
    followers = open_seats.sum(axis=1)[at, suits]
    rounds = number / np.maximum(1, followers) + np.float32(0.5)
    guards = np.cumsum(hand, axis=2, dtype=np.float32) - hand
    exposed = np.maximum(0, 1 - guards / rounds[:, :, None])
    without = np.maximum(0, 1 - (guards - 1) / rounds[:, :, None])
    # A danger is ``fixed + slope * exposed``.
    slope = (rows.per_trick[suits] / (number + 1))[:, :, None] * lower
    fixed = np.zeros_like(slope)
    fixed[number == 0] = 0.5
    if rows.queen:
        spades = suits == Suit.SPADES
        lane, row = np.nonzero(spades)
        fixed[lane, row, _QUEEN] = 0.3 * rows.queen
        slope[lane, row, _QUEEN] = 0.5 * rows.queen
        lane, row = np.nonzero(spades & queen_out[:, None])
        fixed[lane, row, _QUEEN + 1 :] = 0.1 * rows.queen
        slope[lane, row, _QUEEN + 1 :] = 0.5 * rows.queen
    if rows.jack:
        lane, row = np.nonzero(suits == Suit.DIAMONDS)
        fixed[lane, row, _JACK], slope[lane, row, _JACK] = -4.0, 0.0
        jack_out = scene.out[:, 13 + _JACK]
        lane, row = np.nonzero((suits == Suit.DIAMONDS) & jack_out[:, None])
        fixed[lane, row, _JACK + 1 :], slope[lane, row, _JACK + 1 :] = -1.0, 0.0
    change = hand * slope * (exposed - without)
    summed = np.cumsum(change, axis=2)
    above = summed[:, :, -1:] - summed
    relief: Reals = (fixed + slope * exposed + above).astype(np.float32)
    return relief


def _in_this_trick(
    rows: Rows,
    scene: Scene,
    suits: Numbers,
    lower: Reals,
    higher: Reals,
    number: Reals,
    queen_out: Flags,
) -> tuple[Reals, Reals]:
    """``chance_to_win`` and ``expected_points`` of ``heuristic``."""
    lanes = np.arange(len(scene.seat))
    at, seats = lanes[:, None], rows.rules.seats
    hidden = np.maximum(1, scene.out.sum(axis=1)).astype(np.float32)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(higher / (higher + lower))
    wins = np.ones_like(higher)
    expected = np.zeros_like(higher)
    hearts_left = _any(scene.out[:, 39:])
    may_hold = ~scene.voids[:, :, Suit.SPADES]
    may_hold[lanes, scene.seat] = False
    room = np.maximum(1, (scene.counts * may_hold).sum(axis=1))
    hearts, spades = suits == Suit.HEARTS, suits == Suit.SPADES
    diamonds = suits == Suit.DIAMONDS
    for step in range(1, scene.after + 1):
        seat = (scene.seat + step) % seats
        count = scene.counts[lanes, seat].astype(np.float32)
        void = (1 - np.minimum(1, count / hidden))[:, None] ** number
        void = np.where(scene.voids[at, seat[:, None], suits], 1, void).astype(np.float32)
        length = np.maximum(1, (count / hidden)[:, None] * number)
        with np.errstate(invalid="ignore"):
            over = np.exp(logs * length[:, :, None])
        wins *= 1 - (1 - void)[:, :, None] * over
        if scene.clean:
            continue
        holds = queen_out & may_hold[lanes, seat]
        queen = np.where(holds, np.minimum(1, count / room) * rows.queen, 0).astype(np.float32)
        dumped = queen + np.where(hearts_left, rows.heart * np.float32(0.8), 0)
        follows = np.zeros_like(higher)
        follows[hearts] = rows.heart
        follows[:, :, _QUEEN + 1 :] += (spades * queen[:, None])[:, :, None]
        if rows.jack:
            follows += _jack_follows(rows, scene, seat, count, diamonds)
        expected += void[:, :, None] * dumped[:, None, None] + (1 - void)[:, :, None] * follows
    wins[higher == 0] = 1.0
    if scene.led[0] != 4:
        wins *= scene.best[:, None, None] < _RANKS
    return wins.astype(np.float32), expected.astype(np.float32)


def _jack_follows(rows: Rows, scene: Scene, seat: Numbers, count: Reals, diamonds: Flags) -> Reals:
    lanes = np.arange(len(seat))
    may_hold = ~scene.voids[:, :, Suit.DIAMONDS]
    may_hold[lanes, scene.seat] = False
    room = np.maximum(1, (scene.counts * may_hold).sum(axis=1))
    holds = scene.out[:, 13 + _JACK] & may_hold[lanes, seat]
    jack = np.where(holds, np.minimum(1, count / room) * rows.jack, 0)
    found: Reals = np.zeros((*diamonds.shape, 13), dtype=np.float32)
    found[:, :, _JACK + 1 :] = (diamonds * jack[:, None])[:, :, None]
    return found


def _threat(rows: Rows, scene: Scene) -> tuple[Numbers, Reals]:
    """``moon.threat``: the seat to be stopped, and what stopping it is worth (0 for nobody)."""
    sole = scene.takers.argmax(axis=1)
    lanes = np.arange(len(sole))
    progress = scene.penalties[lanes, sole] / rows.total
    real = (scene.takers.sum(axis=1) == 1) & (sole != scene.seat) & (progress >= 0.23)
    stake = np.where(real & rows.moon, STOPPING * progress * rows.total, 0)
    return sole, stake.astype(np.float32)


def _attacks(rows: Rows, scene: Scene) -> tuple[Flags, Flags]:
    """``moon.attack``, or told to, and ``moon.losers``: cards that may lose a trick."""
    lanes = np.arange(len(scene.seat))
    hand, out = scene.hand.reshape(-1, 4, 13), scene.out.reshape(-1, 4, 13)
    number = out.sum(axis=2)
    higher_out = np.cumsum(out[:, :, ::-1], axis=2)[:, :, ::-1]
    led_before: Numbers = np.cumsum(hand[:, :, ::-1], axis=2)[:, :, ::-1] - hand
    bad = (hand & (higher_out > 0) & (led_before < number[:, :, None])).reshape(-1, 52)
    others = scene.takers.copy()
    others[lanes, scene.seat] = False
    free = ~_any(others)
    allowed = scene.penalties[lanes, scene.seat] / rows.total >= 0.5
    left = _any((scene.hand | scene.out) & rows.penalty)
    attack = (bad.sum(axis=1) <= allowed) & left
    return free & (attack | scene.shooters[lanes, scene.seat]), bad


def _shooting(rows: Rows, scene: Scene, legal: Flags, bad: Flags, follows: Flags) -> Reals:
    """Values by which ``heuristic._shoot`` chooses; the first of equal ones is the lowest card."""
    rank, face = np.tile(_RANKS, 4), np.arange(52)
    if scene.led[0] == 4:
        sure = legal & ~bad
        pool = np.where(_any(sure)[:, None], sure, legal)
        return np.where(pool, (face < 39) * 10_000 + rank * 100 + face, -1).astype(np.float32)
    over = legal & (rank > scene.best[:, None])
    top = np.where(over, 100 + (rank if scene.after else -rank), -rank)
    harmless = legal & ~rows.penalty
    pool = np.where(_any(harmless)[:, None], harmless, legal)
    thrown = np.where(pool, bad * 10_000 - rank * 100 - face, -100_000)
    return np.where(follows[:, None], top, thrown).astype(np.float32)


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
        self._all = np.arange(number)
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
            self.takers[:, seat] = _any(won & self._rows.penalty)
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
            _any(self.table & rows.penalty),
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
        seat, lanes = self.turn, self._all
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
        self.broken = self.broken | _any(self.table & self._rows.breaking)
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
        return _any(held & self._rows.counting)

    def keep(self, lanes: Flags) -> None:
        """Leave all other lanes."""
        self._all = np.arange(int(lanes.sum()))
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


def play_out(lanes: Lanes, rows: Rows) -> Seats:
    """Play all lanes until no card that counts is left; return who took each card (lanes, 52)."""
    taker, where = lanes.taker.copy(), lanes._all
    while lanes.tricks_left:
        if not lanes.trick:
            left = lanes.counts_left()
            if not left.all():
                taker[where[~left]] = lanes.taker[~left]
                where = where[left]
                if not len(where):
                    return taker
                lanes.keep(left)
        scene, legal = lanes.scene()
        lanes.play(choose(rows, scene, legal))
    taker[where] = lanes.taker
    return taker


def holders(hands: Sequence[Sequence[CardSet]], widows: Sequence[CardSet]) -> Seats:
    """Return who holds each card (lanes, 52) for hands by lane and seat."""
    found = np.full((len(hands), 52), NOBODY, dtype=np.int8)
    seats = len(hands[0])
    for seat in range(seats):
        found[flags_of_each([lane[seat] for lane in hands])] = seat
    found[flags_of_each(list(widows))] = WIDOW
    return found
