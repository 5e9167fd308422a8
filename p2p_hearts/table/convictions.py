"""Who is proven to have broken a rule, and which fault stands (protocol/SPEC.md sections 6.5, 7.7).

Whoever finds a fault adds it here, wherever it was found: by two contents that contradict each
other (``table.history``) or by what a speech means (``table.course``). Of all of them the first one
in the order of ``Fault.rank`` stands, so peers that learn of several in different orders name the
same one in the end.

A fault of the draw names its author's place in the roster; it is held against the seat that this
place has drawn, once the draw is certified.

Never: finds a fault itself; knows a round.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from p2p_hearts.wire.chain import Place
from p2p_hearts.wire.evidence import SELF_EVIDENT
from p2p_hearts.wire.faults import Fault, Rule

SHOWN_BY_HISTORY = frozenset({Rule.BALLOT, Rule.PREVIOUS})
"""Faults that a content shows beside what the history holds, and that no reveal can carry."""


class Convictions:
    """The faults that are known at one table."""

    def __init__(self, is_drawn: Callable[[], bool]) -> None:
        """Begin with none; ``is_drawn`` says whether the draw of seats is certified."""
        self.fault: Fault | None = None
        """The one that stands."""
        self._is_drawn = is_drawn
        self._proven: dict[tuple[bool, int], Fault] = {}
        """By hand or draw, and seat, a fault that contents prove without the game."""
        self._shown: set[int] = set()
        """Seats with a fault of ``SHOWN_BY_HISTORY`` in a hand."""
        self._places: tuple[int, ...] = ()
        """By seat the place in the roster, once seats are drawn."""

    def add(self, fault: Fault) -> None:
        """Note a fault; it stands if none of a lower rank does."""
        if self.fault is None or fault.rank < self.fault.rank:
            self.fault = fault
        if fault.rule in SELF_EVIDENT:
            key = fault.hand > 0, fault.seat
            held = self._proven.get(key)
            if held is None or fault.rank < held.rank:
                self._proven[key] = fault
        if fault.rule in SHOWN_BY_HISTORY and fault.hand:
            self._shown.add(fault.seat)

    def seat_players(self, places: Sequence[int]) -> None:
        """Note which place of the roster each seat was drawn for."""
        self._places = tuple(places)

    def held_against(self, fault: Fault) -> int | None:
        """Return the seat that a fault is held against: of one in the draw, what its author drew.

        ``None`` before the draw is certified: it may yet come to nothing.
        """
        if fault.hand:
            return fault.seat
        return self._places.index(fault.seat) if self._places and self._is_drawn() else None

    @property
    def proven(self) -> dict[int, Fault]:
        """By seat the first fault that its own contents prove, without the game, once drawn."""
        found = dict[int, Fault]()
        for fault in sorted(self._proven.values(), key=lambda item: item.rank):
            seat = self.held_against(fault)
            if seat is not None:
                found.setdefault(seat, fault)
        return found

    def is_convicted(self, place: Place, seat: int) -> bool:
        """Whether contents prove a fault of a seat, as the round at ``place`` numbers the seats."""
        return seat in self.proven if place.hand else (False, seat) in self._proven

    @property
    def liars(self) -> frozenset[int]:
        """Seats that nobody waits for: proven liars, by what they signed or beside the history.

        A body that is false of the game makes its author a dummy by itself; these faults are of no
        body, so it takes votes to go on without their author.
        """
        return frozenset(self.proven) | self._shown
