"""``p2p-hearts watch``: see a table, verify all of it, hold no hand."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from p2p_hearts.commands.common import (
    CLEAN,
    FAULT,
    CommandError,
    chosen_links,
    open_home,
    own_nick,
    typed_command,
    unwritable,
)
from p2p_hearts.commands.events import EventFront, emit
from p2p_hearts.commands.join import find_table, secret_for
from p2p_hearts.commands.seat import person_front, run_front
from p2p_hearts.commands.settings import SettingsFile
from p2p_hearts.commands.talk import talk
from p2p_hearts.i18n import _
from p2p_hearts.net.codes import Address
from p2p_hearts.node.delaying import Delay
from p2p_hearts.node.finding import parse_target
from p2p_hearts.node.status import fault_sentence, seat_names, watched_status
from p2p_hearts.node.terms import Where
from p2p_hearts.node.watching import WatchingNode
from p2p_hearts.wire.lobby import LobbyError

if TYPE_CHECKING:
    from p2p_hearts.ui.frontend import FrontEnd

SILENT_SECONDS = 10.0
"""After this long without a word from anybody at the table, it is said."""


def run(arguments: argparse.Namespace) -> int:
    """Watch a table until its match is over; return the exit code."""
    log: Path | None = arguments.log
    if log is not None:
        _must_be_free(log)
    target = parse_target(arguments.table)
    return asyncio.run(_watch(arguments, target, chosen_links(arguments)))


def _must_be_free(log: Path) -> None:
    """Refuse a file for the log that is there already, or can never be."""
    try:
        log.lstat()
    except FileNotFoundError:
        return
    except OSError as error:
        raise unwritable(log, error) from None
    raise CommandError(_("{path} is there already; name another file.").format(path=log))


async def _watch(arguments: argparse.Namespace, target: Address | str | None, where: Where) -> int:
    home = open_home(arguments)
    try:
        node = await WatchingNode.create(home, own_nick(arguments, home), where, log=arguments.log)
        try:
            live = await find_table(node.links.context, home, arguments, target, watching=True)
            code = secret_for(arguments, target, live)
            try:
                node.ask_to_watch(live.card, live.lobby, code)
            except LobbyError as error:
                raise CommandError(
                    _("{error}; install the same version on both computers").format(error=error)
                ) from None
            await _look_on(node, arguments)
        finally:
            await node.close()
    finally:
        home.close()
    return _report(node, arguments)


async def _look_on(node: WatchingNode, arguments: argparse.Namespace) -> None:
    front = _make_front(node, arguments)
    delay, silence = Delay(arguments.delay), False

    def refresh() -> None:
        nonlocal silence
        table = node.table
        view = None if table is None else table.view()
        at_once = table is not None and (table.over or table.fault is not None)
        front.show(delay.pass_on(view, at_once=at_once), watched_status(node))
        if node.silent_seconds > SILENT_SECONDS and not silence and not at_once:
            front.say(_("Nobody at the table answers now; it is looked for again and again."))
        silence = node.silent_seconds > SILENT_SECONDS

    await run_front(node, front, refresh, arguments, stays=not arguments.events)


def _make_front(node: WatchingNode, arguments: argparse.Namespace) -> FrontEnd:
    if arguments.events:
        return EventFront()
    from p2p_hearts.ui.frontend import Callbacks

    refusal = _("You watch this table and play no hand.")
    file = SettingsFile(node.home.path)
    settings, complaints = file.load()
    callbacks = Callbacks(
        on_pass=lambda cards: refusal,
        on_card=lambda card: refusal,
        on_quit=node.stop,
        on_say=lambda text: talk(node, text),
        on_settings=file.keep,
    )
    front = person_front(arguments, callbacks, settings, asks_nothing=not arguments.line)
    for complaint in complaints:
        front.say(complaint)
    return front


def _report(node: WatchingNode, arguments: argparse.Namespace) -> int:
    """Say where the log lies and what was proven; return the exit code.

    Raises:
        CommandError: a rule was broken.
    """
    table = node.table
    fault = None if table is None else table.fault
    if arguments.events:
        emit(
            "done",
            ended=table is not None and table.over,
            fault=None if fault is None else fault.rule.value,
            log=None if node.log_path is None else str(node.log_path),
        )
        return CLEAN if fault is None else FAULT
    if node.log_path is not None and table is not None:
        told = _("Anybody can check this game: {command}")
        command = typed_command(None, "audit", str(node.log_path))
        sys.stdout.write(told.format(command=command) + "\n")
    if table is not None and fault is not None:
        raise CommandError(fault_sentence(table, seat_names(table)), FAULT)
    return CLEAN
