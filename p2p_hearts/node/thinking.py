"""Computer players that take their time, each in a process of its own: the table never waits.

A search in this process would hold the interpreter's lock against the pump, which has heartbeats,
acks and proofs to send. So a player that thinks gets a process (``p2p_hearts.node.worker``), begun
at its first decision, and views and answers go through its pipes. If that process fails, a player
that needs no time decides instead, a new process is tried at the next decision, and what it wrote
of its failure is logged. Hints for a person come the same way.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from typing import Final, Protocol

from p2p_hearts.bots.advice import advise
from p2p_hearts.bots.budget import playouts
from p2p_hearts.bots.player import THINKING, Player, make_player
from p2p_hearts.bots.search import SearchPlayer
from p2p_hearts.i18n import language
from p2p_hearts.node.processes import send
from p2p_hearts.node.worker import LENGTH, Question, pack, unpack
from p2p_hearts.rules.cards import Card, CardSet, of_faces, size
from p2p_hearts.rules.view import View

log = logging.getLogger(__name__)

PATIENCE_SECONDS: Final = 20.0
"""A process that has not answered so long after its time was up is ended."""

_FEW_PLAYOUTS: Final = 12
"""As many as nobody waits for: a hint where the process fails."""


class Thinker(Protocol):
    """Decides without holding up the event loop."""

    async def choose_pass(self, view: View) -> CardSet:
        """Return the cards to pass."""
        ...

    async def choose_card(self, view: View) -> Card:
        """Return the card to play."""
        ...

    async def close(self) -> None:
        """End what was begun."""
        ...


class Quick:
    """A player that needs no time, in this process."""

    def __init__(self, player: Player) -> None:
        self._player = player

    async def choose_pass(self, view: View) -> CardSet:
        """Ask the player."""
        return self._player.choose_pass(view)

    async def choose_card(self, view: View) -> Card:
        """Ask the player."""
        return self._player.choose_card(view)

    async def close(self) -> None:
        """Nothing was begun."""


class _WorkerError(Exception):
    """The process of a player failed; the text is what it wrote of that."""


class _Process:
    """The process that searches, begun at the first question and again after a failure."""

    def __init__(self, level: str, seconds: float) -> None:
        self._level, self._seconds = level, seconds
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()

    async def ask(self, question: Question, view: View) -> object:
        """Return the answer; ``None`` if the process fails. One question after the other."""
        patience = PATIENCE_SECONDS + 4 * self._seconds
        async with self._turn:
            try:
                return await asyncio.wait_for(self._exchange(pack((question, view))), patience)
            except (TimeoutError, OSError, EOFError, ValueError) as error:
                said = await self._end()
                if said:
                    told = _WorkerError(said)
                    log.error("the process of the %s player failed", self._level, exc_info=told)
                else:
                    log.warning("the process of the %s player failed: %r", self._level, error)
                return None
            except asyncio.CancelledError:
                await self.close()  # its answer would be taken for that of the next question
                raise

    async def close(self) -> None:
        """End the process: its questions have ended."""
        await self._end()

    async def _end(self) -> str:
        """End the process, if there is one; return what it wrote of its failure."""
        process, self._process = self._process, None
        if process is None:
            return ""
        if process.stdin is not None:
            process.stdin.close()
        send(process, signal.SIGKILL)
        # No more than a pipe and a buffer hold: nobody reads it before. It is read to its end
        # first, for a process is waited for until its pipes are at theirs.
        said = b"" if process.stderr is None else await process.stderr.read()
        await process.wait()
        return said.decode("utf-8", "replace").strip()

    async def _exchange(self, frame: bytes) -> object:
        if self._process is None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-c",  # not -m: what is pickled here must be the same classes there
                "from p2p_hearts.node.worker import main; main()",
                self._level,
                str(self._seconds),
                language(),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for the table, which ends this one
            )
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise RuntimeError("a process was begun without pipes")
        stdin.write(frame)
        await stdin.drain()
        length = LENGTH.unpack(await stdout.readexactly(LENGTH.size))[0]
        return unpack(await stdout.readexactly(length))


class OwnProcess:
    """A player in a process of its own."""

    def __init__(self, level: str, seconds: float) -> None:
        """``seconds`` is what a card may take."""
        self._process = _Process(level, seconds)

    async def choose_pass(self, view: View) -> CardSet:
        """Return the cards to pass: those of the process if they can be passed."""
        cards = await self._process.ask(Question.PASS, view)
        if isinstance(cards, int) and size(CardSet(cards)) == view.rules.pass_count:
            chosen = CardSet(cards)
            if of_faces(view.hand, chosen) == chosen:
                return chosen
        return make_player("normal").choose_pass(view)

    async def choose_card(self, view: View) -> Card:
        """Return the card to play: that of the process if it may be played."""
        if view.forced is not None:
            return view.forced
        card = await self._process.ask(Question.CARD, view)
        if isinstance(card, int) and view.may_play(Card(card)):
            return Card(card)
        return make_player("normal").choose_card(view)

    async def close(self) -> None:
        """End the process."""
        await self._process.close()


class Adviser:
    """Gives hints to a person, from a process of its own."""

    def __init__(self, seconds: float) -> None:
        """``seconds`` is what looking ahead may take."""
        self._process = _Process("hard", seconds)

    async def advise(self, view: View) -> str:
        """Return what the strongest player would do, and why; less thought out if that fails."""
        advice = await self._process.ask(Question.HINT, view)
        if isinstance(advice, str):
            return advice
        return advise(view, SearchPlayer(playouts(_FEW_PLAYOUTS)))

    async def close(self) -> None:
        """End the process."""
        await self._process.close()


def make_thinker(level: str, seconds: float) -> Thinker:
    """Return the computer player of a level that takes ``seconds`` for a card, if it takes any."""
    if level in THINKING:
        return OwnProcess(level, seconds)
    return Quick(make_player(level))
