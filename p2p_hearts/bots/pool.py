"""Many deals of the hidden cards at once, weighed by how well they explain what was played.

Deals are drawn as by ``worlds.Hidden.draw``, in arrays. In each of them the hand is then played
again card by card: wherever another seat played what ``normal`` would not have played from that
hand, the deal is the less likely. Deals are given out by these weights, the same one as often as
it is due.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from p2p_hearts.bots import lockstep
from p2p_hearts.bots.lanes import NOBODY, WIDOW, Flags, Lanes, Numbers, Rows, Seats, flags_of
from p2p_hearts.bots.worlds import Hidden
from p2p_hearts.rules.cards import CardSet
from p2p_hearts.rules.play import start_play
from p2p_hearts.rules.view import View

MISFIT: Final = 1.0
"""A card that ``normal`` would not have played makes a deal likelier by ``exp`` of minus that."""

_BITS: Final = 1 << np.arange(52, dtype=np.uint64)


class Pool:
    """Deals that agree with a view; the random generator decides which ones."""

    def __init__(self, rows: Rows, view: View, hidden: Hidden, seed: int) -> None:
        self._rows, self._view, self._hidden = rows, view, hidden
        self._rng = np.random.default_rng(seed)

    def deal(self, number: int) -> Seats:
        """Return about ``number`` deals (deals, 52): who holds each card, ``WIDOW`` or nobody.

        Fewer, down to none, where many draws end with a card that finds no room.
        """
        hidden, rng, seats = self._hidden, self._rng, self._rows.rules.seats
        holder: Seats = np.full((number, 52), NOBODY, dtype=np.int8)
        holder[:, flags_of(self._view.hand)] = self._view.seat
        for seat, known in enumerate(hidden.held):
            holder[:, flags_of(known)] = seat
        room = np.tile(np.array(hidden.room, dtype=np.float64), (number, 1))
        stuck, lanes = np.zeros(number, dtype=np.bool_), np.arange(number)
        for card, holders in hidden.choices:
            at = np.array([seat for seat, _ in holders])
            chances = np.cumsum(room[:, at] * [weight for _, weight in holders], axis=1)
            total = chances[:, -1]
            stuck |= total <= 0
            drawn = (rng.random(number) * total)[:, None] >= chances
            seat = at[np.minimum(drawn.sum(axis=1), len(at) - 1)]
            holder[:, card] = np.where(seat == seats, WIDOW, seat)
            room[lanes, seat] -= 1
        return holder[~stuck]

    def likely(self, number: int, drawn: int) -> tuple[Seats, Numbers]:
        """Draw ``drawn`` deals and return those to look at, and how often each is due.

        The numbers add up to ``number``.
        """
        holder = self.deal(drawn)
        if not len(holder):
            return holder, np.zeros(0, dtype=np.int64)
        chosen, often = due(self.misfits(holder), number, self._rng)
        return holder[chosen], often

    def misfits(self, holder: Seats) -> Numbers:
        """Return in how many plays of other seats ``normal`` would have played another card."""
        view, rows = self._view, self._rows
        play = view.play
        found: Numbers = np.zeros(len(holder), dtype=np.int64)
        if play is None:
            return found
        plays = [*(each for trick in play.tricks for each in trick.cards), *play.trick]
        if not plays:
            return found
        before = holder.copy()
        for seat, card in plays:
            before[:, card] = seat
        before[:, flags_of(play.widow)] = WIDOW
        rules = rows.rules
        lanes = Lanes(
            rows,
            start_play(rules, play.dealer, plays[0][0]),
            before,
            np.zeros((len(holder), rules.seats), dtype=np.bool_),
            np.zeros((rules.seats, 4), dtype=np.bool_),
        )
        for seat, card in plays:
            if seat != view.seat:
                scene, legal = lanes.scene()
                chosen = lockstep.choose(rows, scene, legal)
                others = scene.out | lanes.table
                found += ~_alike(rows, chosen, card, others)
            lanes.play(np.full(len(holder), card))
        return found


def due(
    misfits: NDArray[np.integer], number: int, rng: np.random.Generator
) -> tuple[Numbers, Numbers]:
    """Return which deals to look at, and how often each is due: ``number`` times together."""
    chances = np.cumsum(np.exp(MISFIT * (misfits.min() - misfits)))
    at = (np.arange(number) + rng.random()) / number * chances[-1]
    chosen, often = np.unique(
        np.minimum(np.searchsorted(chances, at), len(misfits) - 1), return_counts=True
    )
    order = rng.permutation(len(chosen))
    return chosen[order], often[order]


def _alike(rows: Rows, chosen: Numbers, card: int, others: Flags) -> Flags:
    """Whether nothing tells two cards of a hand apart: no card of ``others`` is between them."""
    low, high = np.minimum(chosen, card), np.maximum(chosen, card)
    before = np.cumsum(others, axis=1)
    lanes = np.arange(len(chosen))
    between: Numbers = before[lanes, high] - before[lanes, low]
    alike: Flags = (chosen // 13 == card // 13) & (between == 0)
    found: Flags = alike & (rows.values[chosen] == rows.values[card])
    return found


def hands_of(holder: Seats, seats: int) -> tuple[list[tuple[CardSet, ...]], list[CardSet]]:
    """Return the hands by deal and seat, and the widows, as sets of cards."""
    words = [((holder == seat) @ _BITS).tolist() for seat in (*range(seats), WIDOW)]
    hands = [tuple(CardSet(pile) for pile in lane) for lane in zip(*words[:-1], strict=True)]
    return hands, [CardSet(pile) for pile in words[-1]]
