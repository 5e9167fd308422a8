"""A seat at a table, from the command line to the end of the match (host, join and bot)."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from p2p_hearts.arguments import PACE_SECONDS
from p2p_hearts.bots.player import THINKING, make_player
from p2p_hearts.commands.common import (
    CLEAN,
    FAULT,
    STOPPED,
    CommandError,
    has_screen,
    typed_command,
)
from p2p_hearts.commands.events import EventFront, emit
from p2p_hearts.commands.settings import SettingsFile
from p2p_hearts.commands.talk import talk
from p2p_hearts.i18n import _
from p2p_hearts.node.autoplay import AutoPlayer
from p2p_hearts.node.node import Node
from p2p_hearts.node.status import fault_sentence, seat_names, status_of
from p2p_hearts.node.thinking import Adviser, make_thinker
from p2p_hearts.node.turns import TurnClock
from p2p_hearts.ui.status import LobbyStatus, Status

if TYPE_CHECKING:
    from p2p_hearts.commands.companions import Companions
    from p2p_hearts.node.watching import WatchingNode
    from p2p_hearts.ui.frontend import Callbacks, FrontEnd
    from p2p_hearts.ui.settings import Settings


async def play_seat(
    node: Node,
    arguments: argparse.Namespace,
    invitations: Callable[[], tuple[str, ...]],
    companions: Companions | None = None,
) -> int:
    """Run ``node`` with the front end and player the arguments ask for; return the exit code.

    ``companions``: computer players that the person may still add, of a host.

    Raises:
        NodeError: the player cannot sit or go on.
    """
    level: str | None = arguments.auto
    auto: AutoPlayer | None = None
    if level is not None:
        tell = (lambda: emit("decided")) if arguments.events else (lambda: None)
        thinks = level in THINKING
        pace = max(arguments.pace, arguments.think) if thinks else arguments.pace
        thinker = make_thinker(level, arguments.think)
        auto = AutoPlayer(node, make_player(level), pace, tell, thinker)
    adviser = Adviser(arguments.think)
    front = make_front(node, arguments, adviser, companions)
    turns: TurnClock | None = None
    if auto is None:
        told = _("Your time was up: the computer decided for you.")
        turns = TurnClock(node, make_player("normal"), lambda: front.say(told))

    def refresh() -> None:
        table = node.table
        status = status_of(node, invitations())
        if isinstance(status, Status) and turns is not None:
            status = replace(status, seconds_left=turns.left)
        if isinstance(status, LobbyStatus) and companions is not None:
            status = replace(status, may_add=companions.may_add)
        front.show(None if table is None else table.view(), status)

    try:
        await run_front(node, front, refresh, arguments, stays=is_person(arguments))
    finally:
        await adviser.close()
        if auto is not None:
            await auto.close()
    return report_end(node, arguments)


async def run_front(
    node: Node | WatchingNode,
    front: FrontEnd,
    refresh: Callable[[], None],
    arguments: argparse.Namespace,
    *,
    stays: bool,
) -> None:
    """Run a node with a front end, which ``refresh`` shows the state; ``stays``: for a person.

    Raises:
        NodeError: the player cannot sit or go on.
    """

    def leave() -> None:
        node.stop()
        front.close()

    node.listeners.append(refresh)
    refresh()
    with stopped_by_signals(leave):
        running = asyncio.create_task(node.run())
        watching = asyncio.create_task(front.run())
        tied = asyncio.create_task(_end_of_input(leave)) if arguments.tied else None
        try:
            await asyncio.wait([running, watching], return_when=asyncio.FIRST_COMPLETED)
            if running.done():
                refresh()
                if running.exception() is not None or not stays:
                    front.close()
                # A person reads the result as long as they like.
                await watching
            else:
                watching.result()
                if node.table is None or not node.table.over:
                    node.stop()
            # After the match the node stays a moment, for those who miss the last messages.
            await running
        finally:
            front.close()
            for task in (running, watching, *([tied] if tied else [])):
                task.cancel()
            await asyncio.gather(running, watching, return_exceptions=True)


def report_end(node: Node, arguments: argparse.Namespace) -> int:
    """Say how the game ended and where its log lies; return the exit code.

    Raises:
        CommandError: it did not end as a match does.
    """
    table = node.table
    ended = table is not None and table.over
    fault = None if table is None else table.fault
    if arguments.events:
        emit(
            "done",
            ended=ended,
            fault=None if fault is None else fault.rule.value,
            log=None if node.log_path is None else str(node.log_path),
        )
        return FAULT if fault is not None else CLEAN if ended else STOPPED
    if node.log_path is not None:
        told = _("Anybody can check this game: {command}")
        command = typed_command(None, "audit", str(node.log_path))
        sys.stdout.write(told.format(command=command) + "\n")
    if table is not None and fault is not None:
        raise CommandError(fault_sentence(table, seat_names(table)), FAULT)
    if not ended:
        raise CommandError(_stopped(node, arguments), STOPPED)
    return CLEAN


def _stopped(node: Node, arguments: argparse.Namespace) -> str:
    """Return what it means that the game was stopped now."""
    if not node.formed:
        return _("stopped before the game began")
    return _(
        "stopped before the match was over; the others wait, and this brings you back: {command}"
    ).format(command=typed_command(arguments.home, "resume"))


def make_front(
    node: Node,
    arguments: argparse.Namespace,
    adviser: Adviser,
    companions: Companions | None = None,
) -> FrontEnd:
    """Return the front end: events, full screen, lines, or a quiet one without a person."""
    if arguments.events:
        return EventFront()
    from p2p_hearts.ui.frontend import Callbacks

    file = SettingsFile(node.home.path)
    settings, complaints = file.load()
    callbacks = Callbacks(
        on_pass=node.choose_pass,
        on_card=node.choose_card,
        on_quit=node.stop,
        hint=adviser.advise,
        on_moon=node.choose_moon,
        on_claim=node.choose_claim,
        on_go_on=node.vote_out,
        on_say=lambda text: talk(node, text),
        on_settings=file.keep,
        on_ready=node.be_ready,
        on_add=None if companions is None else companions.add,
    )
    alone = arguments.auto is not None
    front = person_front(arguments, callbacks, settings, asks_nothing=alone)
    if companions is not None:
        companions.say = front.say
    for complaint in complaints:
        front.say(complaint)
    return front


def person_front(
    arguments: argparse.Namespace,
    callbacks: Callbacks,
    settings: Settings,
    *,
    asks_nothing: bool,
) -> FrontEnd:
    """Return the front end for whoever sits at this terminal.

    Where nobody does, and nobody is needed (``asks_nothing``), one that only tells.
    """
    if asks_nothing and not (sys.stdin.isatty() and sys.stdout.isatty()):
        from p2p_hearts.ui.auto import Silent

        return Silent(sys.stdout)
    if has_screen(arguments):
        from p2p_hearts.ui.app import FullScreen
        from p2p_hearts.ui.words import glyphs_for

        glyphs = glyphs_for(ascii_only=arguments.ascii, encoding=sys.stdout.encoding)
        pace = arguments.pace / PACE_SECONDS
        if asks_nothing:  # nobody plays who could need it
            settings = replace(settings, tour="off")
        return FullScreen(
            callbacks, glyphs=glyphs, pace=pace, settings=settings, handle_signals=False
        )
    from p2p_hearts.ui.line import LineMode

    return LineMode(callbacks, sys.stdin, sys.stdout, settings=settings, handle_signals=False)


def is_person(arguments: argparse.Namespace) -> bool:
    """Whether somebody sits at this terminal and decides."""
    return not arguments.events and arguments.auto is None


@contextlib.contextmanager
def stopped_by_signals(stop: Callable[[], object]) -> Iterator[None]:
    """Turn SIGTERM, SIGHUP and the first SIGINT into a call of ``stop`` while the context lasts.

    Not SIGHUP where it is ignored: who uses ``nohup`` wants this to outlive the terminal.
    """
    loop = asyncio.get_running_loop()
    numbers = [signal.SIGTERM, signal.SIGINT]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        numbers.append(signal.SIGHUP)

    def interrupted() -> None:
        loop.remove_signal_handler(signal.SIGINT)
        stop()

    for number in numbers:
        loop.add_signal_handler(number, interrupted if number is signal.SIGINT else stop)
    try:
        yield
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)


async def _end_of_input(stop: Callable[[], None]) -> None:
    """Stop once stdin is closed: the process that started this one has ended."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while await reader.read(1024):
        pass
    stop()
