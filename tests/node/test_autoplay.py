"""A computer player in a seat carries out every kind of decision that a table asks for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from p2p_hearts.node.autoplay import AutoPlayer
from p2p_hearts.rules.cards import Card, CardSet, contains, size
from p2p_hearts.rules.score import MoonChoice
from p2p_hearts.rules.view import View
from p2p_hearts.wire.messages import Kind
from tests.bots.positions import view_of
from tests.bots.searcher import make_quick
from tests.ui.scenes import moon_view, my_turn, passing_game


class StillNode:
    """A node that waits for one decision and notes what is decided."""

    def __init__(self, kind: Kind | None, view: View) -> None:
        self.decision = kind
        self.shown = view
        self.listeners: list[Callable[[], None]] = []
        self.done: list[object] = []

    @property
    def table(self) -> StillNode:
        return self

    def view(self) -> View:
        return self.shown

    def choose_pass(self, cards: CardSet) -> None:
        self.done.append(("pass", size(cards)))

    def choose_card(self, card: Card) -> None:
        self.done.append(("card", contains(self.shown.legal, card)))

    def choose_claim(self) -> None:
        self.done.append("claim")

    def choose_moon(self, choice: MoonChoice) -> None:
        self.done.append(choice)


def decided(kind: Kind | None, view: View, level: str) -> list[object]:
    async def script() -> list[object]:
        node: Any = StillNode(kind, view)
        AutoPlayer(node, make_quick(level))
        for listener in node.listeners:
            listener()
        await asyncio.gather(*(asyncio.all_tasks() - {asyncio.current_task()}))
        return list(node.done)

    return asyncio.run(script())


WORTHLESS = view_of({0: "2C 3C", 1: "AC KC", 2: "2D 3D", 3: "2S 3S"})


@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
def test_autoplay__decides_whatever_is_asked(level: str) -> None:
    assert decided(Kind.PASS_SELECT, passing_game().view(), level) == [("pass", 3)]
    assert decided(Kind.PLAY, my_turn(), level) == [("card", True)]
    assert decided(Kind.PLAY, WORTHLESS, level) == ["claim"]
    assert decided(Kind.PLAY, replace(WORTHLESS, may_claim=False), level) == [("card", True)]
    assert decided(Kind.CHOICE, moon_view(), level) == [MoonChoice.OTHERS_ADD]
    assert decided(None, my_turn(), level) == []
