"""The process in which a computer player thinks: views come on stdin, choices and hints to stdout.

`main`, with LEVEL SECONDS LANGUAGE as arguments, is begun by `p2p_hearts.node.thinking`; it ends
when its stdin does, so it does not outlive the program that asks. Frames are a length and a pickle:
both ends are this program, on a pipe that nobody else has.
"""

from __future__ import annotations

import importlib
import pickle
import struct
import sys
import time
from collections.abc import Callable
from enum import Enum
from typing import BinaryIO, Final, cast

from p2p_hearts.bots.advice import advise
from p2p_hearts.bots.budget import Budget
from p2p_hearts.bots.player import Player, make_player
from p2p_hearts.bots.search import SearchPlayer
from p2p_hearts.i18n import language_of, use
from p2p_hearts.rules.view import View

LENGTH: Final = struct.Struct("!I")
"""What stands before a frame: how many bytes it has."""


class Question(Enum):
    """What is asked about a view."""

    PASS = "pass"  # noqa: S105  (a question, no password)
    CARD = "card"
    HINT = "hint"


def pack(value: object) -> bytes:
    """Return the frame of a value."""
    body = pickle.dumps(value)
    return LENGTH.pack(len(body)) + body


def unpack(body: bytes) -> object:
    """Return the value of a frame without its length; ``ValueError`` if it is none."""
    try:
        return pickle.loads(body)  # noqa: S301  (from our own process, through a private pipe)
    except (pickle.UnpicklingError, AttributeError, EOFError, ImportError, IndexError) as error:
        raise ValueError("not a frame of this program") from error


class Deadline:
    """A budget that ends at a time of the clock."""

    def __init__(self, end: float, clock: Callable[[], float]) -> None:
        self._end, self._clock = end, clock

    def allows(self, spent: int) -> bool:
        """Whether it is not that late yet."""
        return self._clock() < self._end


class Deadlines:
    """Makes budgets of ``seconds`` for a card."""

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self._seconds, self._clock = seconds, clock

    def __call__(self, times: float) -> Budget:
        """Return a budget that begins now."""
        return Deadline(self._clock() + self._seconds * times, self._clock)


def serve(
    player: Player, adviser: Callable[[View], str], questions: BinaryIO, answers: BinaryIO
) -> None:
    """Answer until there are no more questions; for hints ask ``adviser``."""
    while len(head := questions.read(LENGTH.size)) == LENGTH.size:
        asked = cast(tuple[Question, View], unpack(questions.read(LENGTH.unpack(head)[0])))
        question, view = asked
        if question is Question.HINT:
            answers.write(pack(adviser(view)))
        else:
            choose = player.choose_pass if question is Question.PASS else player.choose_card
            answers.write(pack(int(choose(view))))
        answers.flush()


def main() -> None:
    """Serve the player that the arguments name, in their language."""
    level, seconds = sys.argv[1], float(sys.argv[2])
    use(language_of(sys.argv[3]) or "en")
    # numpy takes a while to load, and the first decision is to have its whole time.
    importlib.import_module("p2p_hearts.bots.simulation")
    budgets = Deadlines(seconds, time.monotonic)
    # Whoever asks for a hint waits for it: the same time for a pass as for a card.
    thorough = SearchPlayer(lambda times: budgets(1.0))
    player = make_player(level, budgets)
    serve(player, lambda view: advise(view, thorough), sys.stdin.buffer, sys.stdout.buffer)
