"""The compiled simulation of the ladder: what it plays is what ``lockstep`` plays."""

from __future__ import annotations

import random
import shutil
from typing import Any

import numpy as np
import pytest

from p2p_hearts.bots.beliefs import beliefs
from p2p_hearts.bots.candidates import End
from p2p_hearts.bots.lanes import Rows
from p2p_hearts.bots.pool import Pool, hands_of
from p2p_hearts.bots.simulation import Simulation
from p2p_hearts.bots.utility import Utility
from p2p_hearts.bots.worlds import Hidden
from p2p_hearts.rules.cards import CardSet, cards_in
from p2p_hearts.rules.view import View
from tests.bots.test_lockstep import ONE_PACK, positions
from tools.ladder.quick import QuickSimulation, library

pytestmark = pytest.mark.skipif(
    shutil.which("cc") is None and shutil.which("gcc") is None, reason="needs a C compiler"
)


def decisions(name: str, number: int) -> list[View]:
    rules, rng = ONE_PACK[name], random.Random(name)
    found = []
    for hand in positions(rules, rng, 2):
        assert hand.play is not None
        assert hand.play.turn is not None
        if hand.play.tricks:
            found.append(hand.view(hand.play.turn))
    return rng.sample(found, number)


@pytest.mark.parametrize("name", ["black-lady", "omnibus", "no-break", "3 seats", "5 seats"])
def test_quick__ends_and_misfits_are_those_of_lockstep(name: str) -> None:
    ends: list[tuple[End, End]] = []
    misfits: list[tuple[int, int]] = []
    for view in decisions(name, 4):
        assert view.play is not None
        hidden = Hidden(view, beliefs(view))
        utility = Utility(view.match, view.seat)
        slow = Simulation(view, hidden, utility, 1)
        fast = QuickSimulation(view, hidden, utility, 1)
        pool = Pool(Rows(view.rules), view, hidden, 1)
        holder = pool.deal(12)
        hands, widows = hands_of(holder, view.rules.seats)
        rows: Any = np.array([(*h, w) for h, w in zip(hands, widows, strict=True)], np.uint64)
        misfits += zip(pool.misfits(holder).tolist(), fast.misfits(rows).tolist(), strict=True)
        choices = [(CardSet(1 << card), card % 3 == 0) for card in cards_in(view.legal)]
        for one, other in zip(
            slow.cards(view.play, holder, choices),
            fast.cards(view.play, rows, choices),
            strict=True,
        ):
            ends += zip(one, other, strict=True)
    assert len(ends) > 30
    assert all(one == other for one, other in ends)
    assert all(one == other for one, other in misfits)


def test_quick__deals_what_the_view_allows() -> None:
    for view in decisions("black-lady", 8):
        hidden = Hidden(view, beliefs(view))
        fast = QuickSimulation(view, hidden, Utility(view.match, view.seat), 1)
        rows, due = fast.deals(50, 3)
        assert sum(due) == 50
        assert view.play is not None
        for hands in fast.hands(rows)[0]:
            assert hands[view.seat] == view.hand
            assert [hand.bit_count() for hand in hands] == list(view.counts)
            assert sum(hands) == view.play.unseen
            for hand, known, voids in zip(hands, view.known, view.void_classes, strict=True):
                assert not known & ~hand
                assert not any(voids >> view.rules.card_class(c) & 1 for c in cards_in(hand))


def test_quick__says_what_to_do_without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(RuntimeError, match=r"needs a C compiler .* --arrays does without"):
        library.__wrapped__()
