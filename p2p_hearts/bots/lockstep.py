"""All seats of many hands playing as ``normal`` does (``heuristic``), card by card in arrays.

The values of cards are those of ``heuristic.value``; tests hold both equal on random positions.
What a seat knows of the cards that it passed is left out here. Two packs are played hand by hand
instead (``rules.playout``).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from p2p_hearts.bots.heuristic import (
    FEEDING,
    FEEDING_STOPPER,
    LATER,
    SPLITTING,
    STOPPING,
    THROWN,
)
from p2p_hearts.bots.lanes import Flags, Lanes, Numbers, Reals, Rows, Scene, Seats, any_of
from p2p_hearts.bots.moon import FAR, NOTICED
from p2p_hearts.rules.cards import Suit

GRAIN: Final = 1000.0
"""Parts of a point by which two cards must differ in worth; of equal ones the lowest is played."""

_QUEEN: Final = 10
"""Q♠ within its suit."""
_JACK: Final = 9
_FOUR: Final = np.arange(4)
_RANKS: Final = np.arange(13)


def choose(rows: Rows, scene: Scene, legal: Flags) -> Numbers:
    """Return the card that ``normal`` plays in each lane."""
    worth: Reals = np.full(legal.shape, -np.inf, dtype=np.float32)
    follows: Flags = np.zeros(len(legal), dtype=np.bool_)
    if scene.led[0] == 4:
        values = _values(rows, scene, np.broadcast_to(_FOUR, (len(legal), 4)), plays_suit=True)
        worth = values.reshape(-1, 52)
    else:
        at = np.arange(len(legal))
        follows = any_of(legal.reshape(-1, 4, 13)[at, scene.led])
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
        fed = np.where(stopper, -FEEDING_STOPPER, -FEEDING)
        worth += kept * np.where(on_own, fed, SPLITTING).astype(np.float32)
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
    hearts_left = any_of(scene.out[:, 39:])
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
        dumped = queen + np.where(hearts_left, rows.heart * np.float32(THROWN), 0)
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
    real = (scene.takers.sum(axis=1) == 1) & (sole != scene.seat) & (progress >= NOTICED)
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
    free = ~any_of(others)
    allowed = scene.penalties[lanes, scene.seat] / rows.total >= FAR
    left = any_of((scene.hand | scene.out) & rows.penalty)
    attack = (bad.sum(axis=1) <= allowed) & left
    return free & (attack | scene.shooters[lanes, scene.seat]), bad


def _shooting(rows: Rows, scene: Scene, legal: Flags, bad: Flags, follows: Flags) -> Reals:
    """Values by which ``heuristic.shooting`` chooses: of equal ones the lowest card."""
    rank, face = np.tile(_RANKS, 4), np.arange(52)
    if scene.led[0] == 4:
        sure = legal & ~bad
        pool = np.where(any_of(sure)[:, None], sure, legal)
        return np.where(pool, (face < 39) * 10_000 + rank * 100 + face, -1).astype(np.float32)
    over = legal & (rank > scene.best[:, None])
    top = np.where(over, 100 + (rank if scene.after else -rank), -rank)
    harmless = legal & ~rows.penalty
    pool = np.where(any_of(harmless)[:, None], harmless, legal)
    thrown = np.where(pool, bad * 10_000 - rank * 100 - face, -100_000)
    return np.where(follows[:, None], top, thrown).astype(np.float32)


def play_out(lanes: Lanes, rows: Rows) -> Seats:
    """Play all lanes until no card that counts is left; return who took each card (lanes, 52)."""
    taker, where = lanes.taker.copy(), lanes.numbers
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
