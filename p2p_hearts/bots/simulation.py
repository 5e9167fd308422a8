"""Deals and playouts of a search in arrays (``pool``, ``lockstep``), told as ends of hands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from p2p_hearts.bots import lockstep, passing, pool
from p2p_hearts.bots.candidates import End
from p2p_hearts.bots.lanes import Lanes, Rows, Seats, holders, void_suits
from p2p_hearts.bots.pool import Pool
from p2p_hearts.bots.utility import Utility
from p2p_hearts.bots.worlds import Hidden
from p2p_hearts.rules.cards import CardSet
from p2p_hearts.rules.play import PlayState, start_play
from p2p_hearts.rules.view import View


class Simulation:
    """What happens in deals that agree with a view."""

    def __init__(self, view: View, hidden: Hidden, utility: Utility, seed: int) -> None:
        self._view, self._utility = view, utility
        self._rows = Rows(view.rules)
        self._pool = Pool(self._rows, view, hidden, seed)

    def cost(self, number: int, drawn: int) -> int:
        """Return the playouts in whose time so many deals are drawn and weighed."""
        play = self._view.play
        if drawn == 1 or play is None:
            return 0
        played = sum(len(trick.cards) for trick in play.tricks) + len(play.trick)
        return number * drawn * played // len(self._view.rules.pack)

    def deals(self, number: int, drawn: int) -> tuple[Seats, list[int]]:
        """Return deals, and how often each is due; none if hardly any draw fits the view."""
        if drawn == 1:
            holder = self._pool.deal(number)
            return holder, [1] * len(holder)
        holder, due = self._pool.likely(number, number * drawn)
        return holder, due.tolist()

    def hands(self, holder: Seats) -> tuple[list[tuple[CardSet, ...]], list[CardSet]]:
        """Return the hands of deals by seat, and the widows."""
        return pool.hands_of(holder, self._view.rules.seats)

    def cards(
        self, play: PlayState, holder: Seats, choices: Sequence[tuple[CardSet, bool]]
    ) -> list[list[End]]:
        """Return the ends by deal and choice: a card, and whether it begins a moon."""
        view, deals = self._view, len(holder)
        shooters = np.zeros((deals, len(choices), view.rules.seats), dtype=np.bool_)
        shooters[:, :, view.seat] = [shoots for _, shoots in choices]
        lanes = Lanes(
            self._rows,
            play,
            np.repeat(holder, len(choices), axis=0),
            shooters.reshape(-1, view.rules.seats),
            void_suits(view.void_classes),
        )
        cards = [card.bit_length() - 1 for card, _ in choices]
        lanes.play(np.tile(np.array(cards), deals))
        return self._ends(lanes, len(choices))

    def passes(
        self, dealt: Sequence[tuple[tuple[CardSet, ...], CardSet, bool]], choices: int
    ) -> list[list[End]]:
        """Return the ends by deal and choice of hands after the pass, widow and moon or not."""
        rules, seat = self._view.rules, self._view.seat
        hands = [hand for hand, _, _ in dealt]
        shooters = np.zeros((len(dealt), rules.seats), dtype=np.bool_)
        shooters[:, seat] = [shoots for _, _, shoots in dealt]
        first = start_play(rules, self._view.dealer, passing.opener(rules, hands[0]))
        holder = holders(hands, [widow for _, widow, _ in dealt])
        voids = np.zeros((rules.seats, 4), dtype=np.bool_)
        lanes = Lanes(self._rows, first, holder, shooters, voids)
        if rules.opening_card is not None:
            lanes.leader = holder[:, rules.opening_card].astype(np.int64)
        return self._ends(lanes, choices)

    def _ends(self, lanes: Lanes, choices: int) -> list[list[End]]:
        rows, seats = self._rows, self._view.rules.seats
        taker = lockstep.play_out(lanes, rows)
        points = np.stack([(taker == seat) @ rows.values for seat in range(seats)], axis=1)
        queens = rows.taken_queen(taker, self._view.seat)
        ends = []
        shooters = rows.shooters(taker)
        for lane, (scores, shooter) in enumerate(
            zip(points.astype(np.int64).tolist(), shooters.tolist(), strict=True)
        ):
            if shooter < 0:
                ends.append(End(tuple(scores), None, bool(queens[lane])))
                continue
            taken = pool.hands_of(taker[lane : lane + 1], seats)[0][0]
            ends.append(End(self._utility.scores(taken), shooter, bool(queens[lane])))
        return [ends[at : at + choices] for at in range(0, len(ends), choices)]
