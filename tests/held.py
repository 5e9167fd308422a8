"""Computer players that take a decision only once the test lets them: nothing is over before.

A test that does something "in the middle of a hand" of real processes must not hope that the hand
lasts long enough. It holds a player, early, since a claim may end the hand later on:
``python -m tests.held FILE ...`` is ``p2p-hearts ...`` whose computer player takes no decision from
the one on that stands in the file. The others wait for it as for a person who thinks, for as long
as it takes.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from p2p_hearts.cli import main
from p2p_hearts.commands import seat
from p2p_hearts.commands.events import emit
from p2p_hearts.node.autoplay import AutoPlayer
from p2p_hearts.rules.view import View
from p2p_hearts.wire.messages import Kind

LOOK_SECONDS = 0.05

Decision = tuple[int, int]
"""The hand, and in it 0 for the pass and 1 for the first card."""

NEVER: Decision = (10**6, 0)


def decision_of(kind: Kind, view: View) -> Decision:
    """Return which decision is asked for."""
    tricks = 0 if view.play is None else len(view.play.tricks)
    return view.hand_number, 0 if kind is Kind.PASS_SELECT else tricks + 1


class HeldPlayer(AutoPlayer):
    """A computer player that first waits until it may decide."""

    def __init__(
        self, *arguments: Any, wait: Callable[[Decision], Awaitable[None]], **more: Any
    ) -> None:
        super().__init__(*arguments, **more)
        self._wait = wait

    async def _think(self, kind: Kind, view: View) -> Callable[[], object]:
        await self._wait(decision_of(kind, view))
        return await super()._think(kind, view)


def write_hold(file: Path, decision: Decision) -> None:
    """Let the player of a file take the decisions before this one."""
    part = file.with_suffix(".part")
    part.write_text(" ".join(map(str, decision)))
    part.replace(file)


def read_hold(file: Path) -> Decision:
    """Return the first decision that may not be taken yet."""
    hand, number = map(int, file.read_text().split())
    return hand, number


def _run(file: Path, arguments: list[str]) -> int:
    told: set[Decision] = set()

    async def wait(decision: Decision) -> None:
        while decision >= read_hold(file):
            if decision not in told:
                told.add(decision)
                emit("held", hand=decision[0], number=decision[1])
            await asyncio.sleep(LOOK_SECONDS)

    def make(*positional: Any, **named: Any) -> HeldPlayer:
        return HeldPlayer(*positional, wait=wait, **named)

    vars(seat)["AutoPlayer"] = make
    return main(arguments)


if __name__ == "__main__":
    sys.exit(_run(Path(sys.argv[1]), sys.argv[2:]))
