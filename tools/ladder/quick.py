"""Simulations of a search by ``quick.c``: the same as in arrays, some thirty times as quick.

For measuring: a figure over thousands of deals takes hours in arrays. What is searched, compared
and chosen stays the program's own code; only deals and playouts are the compiled ones, which are
tested equal (tests/ladder/test_quick.py). Other random numbers draw the deals. Needs a C compiler.
"""

from __future__ import annotations

import ctypes
import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from p2p_hearts.bots import passing, pool, simulation
from p2p_hearts.bots.candidates import End
from p2p_hearts.bots.lanes import Seats, void_suits
from p2p_hearts.bots.utility import Utility
from p2p_hearts.bots.worlds import Hidden
from p2p_hearts.rules.cards import FACES, QUEEN_OF_SPADES, CardSet, contains
from p2p_hearts.rules.legality import preferences_of_trick
from p2p_hearts.rules.options import HeartPoints, Moon, RuleSet
from p2p_hearts.rules.play import PlayState, start_play
from p2p_hearts.rules.score import moon_shooter
from p2p_hearts.rules.view import View

SOURCE: Final = Path(__file__).with_name("quick.c")
SEATS: Final = 12
_INT, _SET, _REAL = ctypes.c_int32, ctypes.c_uint64, ctypes.c_double


class _Rules(ctypes.Structure):
    _fields_ = (
        *((name, _INT) for name in ("seats", "moon", "first_penalties")),
        *((name, _INT) for name in ("queen_points", "jack_points", "total")),
        ("heart", _REAL),
        *((name, _SET) for name in ("penalty", "counting", "breaking")),
        ("wishes", _SET * 4 * 5 * 2 * 2),
        ("values", _INT * 52),
    )


class _State(ctypes.Structure):
    _fields_ = (
        *((name, _INT) for name in ("leader", "first", "broken", "tricks_left", "played")),
        ("widow_owner", _INT),
        ("trick", _INT * SEATS),
        ("voids", _INT * SEATS),
        ("taken", _SET * SEATS),
    )


class _Hidden(ctypes.Structure):
    _fields_ = (
        ("cards", _INT),
        ("places", _INT),
        ("room", _INT * (SEATS + 1)),
        ("card", _INT * 52),
        ("weight", _REAL * (SEATS + 1) * 52),
        ("held", _SET * (SEATS + 1)),
    )


@cache
def library() -> Any:
    """Compile ``quick.c`` and return it; ``RuntimeError`` without a C compiler."""
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise RuntimeError("measuring needs a C compiler (cc); --arrays does without")
    with tempfile.TemporaryDirectory() as folder:
        built = Path(folder) / "quick.so"
        native = ["-march=native"] if platform.machine() == "x86_64" else []  # for popcnt
        subprocess.run(
            [
                compiler,
                "-O3",
                *native,
                "-shared",
                "-fPIC",
                "-o",
                str(built),
                str(SOURCE),
                "-lm",
            ],
            check=True,
        )
        found = ctypes.CDLL(str(built))
    sizes = [found.size_of(which) for which in range(3)]
    if sizes != [ctypes.sizeof(kind) for kind in (_Rules, _State, _Hidden)]:
        raise RuntimeError("quick.c and quick.py disagree on their structures")
    return found


@lru_cache(maxsize=16)
def _rules(rules: RuleSet) -> _Rules:
    found = _Rules(
        seats=rules.seats,
        moon=rules.moon is not Moon.OFF,
        first_penalties=rules.first_trick_penalties,
        queen_points=rules.queen_points,
        jack_points=rules.jack_points,
        total=rules.total_penalty,
        heart=8.0 if rules.heart_points is HeartPoints.FACE else 1.0,
        penalty=rules.penalty_faces,
        counting=rules.counting_cards & FACES,
        breaking=rules.breaking_faces,
        values=(_INT * 52)(*rules.values),
    )
    for first in (False, True):
        for broken in (False, True):
            for led, wishes in enumerate(preferences_of_trick(rules, first, broken)):
                for number in range(4):
                    wish = wishes[number] if number < len(wishes) else FACES
                    found.wishes[first][broken][led][number] = wish
    return found


def _state(play: PlayState, voids: Sequence[int]) -> _State:
    past = play.past
    return _State(
        leader=-1 if past.leader is None else past.leader,
        first=play.is_first_trick,
        broken=past.broken,
        tricks_left=play.tricks_left,
        played=len(play.trick),
        widow_owner=past.widow_owner if past.widow_due and past.widow_owner is not None else -1,
        trick=(_INT * SEATS)(*(card for _, card in play.trick)),
        voids=(_INT * SEATS)(*voids),
        taken=(_SET * SEATS)(*past.taken),
    )


def _at(array: Any) -> Any:
    return array.ctypes.data_as(ctypes.c_void_p)


def _ints(values: Any) -> Any:
    return np.ascontiguousarray(values, dtype=np.int32)


class QuickSimulation(simulation.Simulation):
    """The simulation of ``p2p_hearts.bots``; deals are rows of hands here, the widow last."""

    def __init__(self, view: View, hidden: Hidden, utility: Utility, seed: int) -> None:
        super().__init__(view, hidden, utility, seed)
        self._rng = np.random.default_rng(seed)
        self._c_rules = _rules(view.rules)
        places = view.rules.seats + 1
        self._hidden = _Hidden(
            cards=len(hidden.choices),
            places=places,
            room=(_INT * (SEATS + 1))(*hidden.room),
            card=(_INT * 52)(*(card for card, _ in hidden.choices)),
            held=(_SET * (SEATS + 1))(*hidden.held),
        )
        self._hidden.held[view.seat] = view.hand
        for number, (_, holders) in enumerate(hidden.choices):
            for seat, weight in holders:
                self._hidden.weight[number][seat] = weight

    def _dealt(self, number: int) -> Any:
        hands = np.zeros((number, self._view.rules.seats + 1), dtype=np.uint64)
        seed = _SET(int(self._rng.integers(1 << 62)))
        count = library().deal(ctypes.byref(self._hidden), seed, number, _at(hands))
        return hands[:count]

    def deals(self, number: int, drawn: int) -> tuple[Seats, list[int]]:
        """Return deals, and how often each is due, as the base class does."""
        if drawn == 1:
            hands = self._dealt(number)
            return hands, [1] * len(hands)
        hands = self._dealt(number * drawn)
        if not len(hands):
            return hands, []
        chosen, due = pool.due(self.misfits(hands), number, self._rng)
        return np.ascontiguousarray(hands[chosen]), due.tolist()

    def misfits(self, hands: Any) -> Any:
        """Return ``Pool.misfits`` of deals."""
        view, play = self._view, self._view.play
        found = np.zeros(len(hands), dtype=np.int32)
        if play is None:
            return found
        plays = [*(each for trick in play.tricks for each in trick.cards), *play.trick]
        before = np.ascontiguousarray(hands)
        if play.widow:
            before[:, -1] = play.widow
        start = _state(start_play(view.rules, play.dealer, plays[0][0]), ())
        library().misfits(
            ctypes.byref(self._c_rules),
            ctypes.byref(start),
            len(plays),
            _at(_ints([seat for seat, _ in plays])),
            _at(_ints([card for _, card in plays])),
            _at(before),
            len(hands),
            view.seat,
            _at(found),
        )
        if play.widow:
            before[:, -1] = 0
        return found

    def hands(self, holder: Any) -> tuple[list[tuple[CardSet, ...]], list[CardSet]]:
        """Return the hands of deals by seat, and the widows."""
        rows = holder.tolist()
        return [tuple(map(CardSet, row[:-1])) for row in rows], [CardSet(row[-1]) for row in rows]

    def cards(
        self, play: PlayState, holder: Any, choices: Sequence[tuple[CardSet, bool]]
    ) -> list[list[End]]:
        """Return the ends by deal and choice."""
        suits = void_suits(self._view.void_classes)
        state = _state(play, [int(row @ [1, 2, 4, 8]) for row in suits])
        deals, number = len(holder), len(choices)
        return self._played(
            (_State * 1)(state),
            np.zeros(deals * number),
            np.repeat(holder, number, axis=0),
            np.tile([card.bit_length() - 1 for card, _ in choices], deals),
            np.tile([shoots << self._view.seat for _, shoots in choices], deals),
            number,
        )

    def passes(
        self, dealt: Sequence[tuple[tuple[CardSet, ...], CardSet, bool]], choices: int
    ) -> list[list[End]]:
        """Return the ends by deal and choice of hands after the pass."""
        rules, dealer = self._view.rules, self._view.dealer
        leaders = range(rules.seats) if rules.opening_card is not None else (None,)
        states = [_state(start_play(rules, dealer, leader), ()) for leader in leaders]
        return self._played(
            (_State * len(states))(*states),
            [passing.opener(rules, hands) or 0 for hands, _, _ in dealt],
            np.array([(*hands, widow) for hands, widow, _ in dealt], dtype=np.uint64),
            np.full(len(dealt), -1),
            [shoots << self._view.seat for _, _, shoots in dealt],
            choices,
        )

    def _played(
        self, states: Any, state: Any, hands: Any, cards: Any, shooters: Any, choices: int
    ) -> list[list[End]]:
        rules, seat = self._view.rules, self._view.seat
        taken = np.zeros((len(hands), rules.seats), dtype=np.uint64)
        library().play_out(
            ctypes.byref(self._c_rules),
            states,
            _at(_ints(state)),
            _at(np.ascontiguousarray(hands)),
            _at(_ints(cards)),
            _at(_ints(shooters)),
            len(hands),
            _at(taken),
        )
        scores, ends = self._utility.scores, []
        for row in taken.tolist():
            piles = tuple(map(CardSet, row))
            shooter = moon_shooter(rules, piles)
            queen = rules.queen_points > 0 and contains(piles[seat], QUEEN_OF_SPADES)
            ends.append(End(scores(piles), shooter, queen))
        return [ends[at : at + choices] for at in range(0, len(ends), choices)]


def quick() -> AbstractContextManager[None]:
    """Searches simulate by ``quick.c`` while this lasts; ``RuntimeError`` as ``library``."""
    library()
    return _quick()


@contextmanager
def _quick() -> Iterator[None]:
    usual = simulation.Simulation
    simulation.Simulation = QuickSimulation  # type: ignore[misc]
    try:
        yield
    finally:
        simulation.Simulation = usual  # type: ignore[misc]
