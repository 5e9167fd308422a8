"""Deals of the hidden cards that agree with all that a seat knows, drawn at random.

Certain facts bind: how many cards each seat holds, which classes it has proven not to hold, which
cards the own seat passed it, which cards of a hand that plays itself lie open. Beliefs
(``p2p_hearts.bots.beliefs``) make some holders of a card likelier than others.

Errors: ``NoDealError`` where the facts of a view contradict each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from p2p_hearts.rules.cards import (
    EMPTY,
    FACE_COUNT,
    CardSet,
    card_set,
    cards_in,
    difference,
    size,
    union,
)
from p2p_hearts.rules.view import View

Beliefs = Sequence[Sequence[float]]
"""By seat and face: how much likelier than by chance the seat holds the card."""

_TRIES: Final = 4
"""So often a deal is drawn before one is mended instead."""


class NoDealError(ValueError):
    """No deal of the hidden cards agrees with what is said to be known."""


class Hidden:
    """What one view leaves open, ready to be dealt many times."""

    def __init__(self, view: View, beliefs: Beliefs | None = None, *, voids: bool = True) -> None:
        rules, seat = view.rules, view.seat
        play = view.play
        unseen = rules.pack_set if play is None else play.unseen
        out = difference(unseen, view.hand)
        self.held = [EMPTY if s == seat else view.known[s] for s in range(rules.seats)]
        counts = [
            0 if s == seat else rules.hand_size if play is None else view.counts[s]
            for s in range(rules.seats)
        ]
        for known in self.held:
            out = difference(out, known)
        self._hand, self._seat = view.hand, seat
        widow = 0 if play is not None and size(play.widow) else rules.widow_size
        self.room = [*(counts[s] - size(self.held[s]) for s in range(rules.seats)), widow]
        cards = cards_in(out)
        if len(cards) != sum(self.room) or min(self.room) < 0:
            raise NoDealError("the cards that are out do not fit the seats that hold them")
        barred = view.void_classes if voids else (0,) * rules.seats
        choices = []
        for card in cards:
            weights = [
                0.0
                if not self.room[s] or barred[s] >> rules.card_class(card) & 1
                else 1.0
                if beliefs is None
                else beliefs[s][card]
                for s in range(rules.seats)
            ]
            weights.append(1.0 if widow else 0.0)
            holders = tuple((s, weight) for s, weight in enumerate(weights) if weight > 0)
            if not holders:
                raise NoDealError("a card that is out can be nowhere")
            choices.append((card, holders))
        choices.sort(key=lambda choice: (len(choice[1]), _evenness(choice[1]), choice[0]))
        self.choices = choices

    @property
    def certain(self) -> bool:
        """Whether only one deal is possible."""
        return all(len(holders) == 1 for _, holders in self.choices)

    def draw(self, rng: Random) -> tuple[tuple[CardSet, ...], CardSet]:
        """Return the hands of all seats and the widow, as they may be."""
        for _ in range(_TRIES):
            dealt = self._deal(rng)
            if dealt is not None:
                break
        else:
            dealt = self._mended(rng)
        hands = [union(cards, known) for cards, known in zip(dealt, self.held, strict=False)]
        hands[self._seat] = self._hand
        return tuple(hands), dealt[-1]

    def _deal(self, rng: Random) -> list[CardSet] | None:
        """Give card after card to a holder with room; ``None`` if one finds none."""
        room, piles, chance = self.room.copy(), [0] * len(self.room), rng.random
        for card, holders in self.choices:
            total = 0.0
            for seat, weight in holders:
                total += weight * room[seat]
            if not total:
                return None
            at = chance() * total
            for seat, weight in holders:
                at -= weight * room[seat]
                if at < 0:
                    break
            if not room[seat]:
                seat = next(s for s, _ in holders if room[s])
            room[seat] -= 1
            bit = 1 << card
            piles[seat] |= bit << FACE_COUNT if piles[seat] & bit else bit
        return piles  # type: ignore[return-value]

    def _mended(self, rng: Random) -> list[CardSet]:
        """Deal, and where a card finds no room let others move on until it does."""
        holders = [[s for s, _ in allowed] for _, allowed in self.choices]
        for allowed in holders:
            rng.shuffle(allowed)
        room, where = self.room.copy(), [-1] * len(holders)
        for index in range(len(holders)):
            path = self._path(index, holders, room, where)
            for moved, seat in path:
                where[moved] = seat
            room[path[0][1]] -= 1
        return [
            card_set([card for (card, _), at in zip(self.choices, where, strict=True) if at == s])
            for s in range(len(room))
        ]

    @staticmethod
    def _path(
        index: int, holders: Sequence[Sequence[int]], room: Sequence[int], where: Sequence[int]
    ) -> list[tuple[int, int]]:
        """Moves (card, to seat) that end in a seat with room, that move first."""
        reached: dict[int, tuple[int, int]] = {}  # seat: the card that comes, the seat it leaves
        todo = [(index, -1)]
        while todo:
            card, left = todo.pop(0)
            for seat in holders[card]:
                if seat in reached:
                    continue
                reached[seat] = (card, left)
                if room[seat]:
                    path = []
                    while seat != -1:
                        moved, source = reached[seat]
                        path.append((moved, seat))
                        seat = source
                    return path
                todo += [(other, seat) for other, at in enumerate(where) if at == seat]
        raise NoDealError("no deal agrees with what was proven")


def _evenness(holders: tuple[tuple[int, float], ...]) -> float:
    """Cards that say most about their holder are dealt first."""
    weights = [weight for _, weight in holders]
    return min(weights) / max(weights)
