"""Choosing a table on the LAN, for ``join`` and ``watch`` without a name: looks, shows, asks."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import TYPE_CHECKING

import zmq.asyncio

from p2p_hearts.commands.common import CommandError, has_screen, preset_name
from p2p_hearts.commands.seat import stopped_by_signals
from p2p_hearts.commands.settings import SettingsFile
from p2p_hearts.home import Home
from p2p_hearts.i18n import _
from p2p_hearts.net.addresses import local_addresses
from p2p_hearts.net.advert import Found
from p2p_hearts.net.discovery import Browser
from p2p_hearts.net.names import clean_name
from p2p_hearts.node.finding import FindError, Live, live_tables, nothing_found, why_not
from p2p_hearts.node.people import acquaintance
from p2p_hearts.rules.options import RuleError, RuleSet
from p2p_hearts.rules.texts import describe

if TYPE_CHECKING:
    from p2p_hearts.ui.chooser import Check, Chooser
    from p2p_hearts.ui.tables import Sit, TableRow

LOOK_SECONDS = 2.0
"""Between two looks at the tables heard of: each is asked at its door whether it lives."""

REST = 4
"""The pause after a look is at least so many times as long as the look: of many, fewer a second."""

FIRST_LOOK_SECONDS = 0.3
"""The same while nothing was heard yet: the first table shall be shown at once."""


async def choose_table(
    context: zmq.asyncio.Context,
    home: Home,
    arguments: argparse.Namespace,
    watching: bool,
    secret_for: Callable[[argparse.Namespace, None, Live], str],
    own: Collection[bytes] = (),
) -> Live:
    """Let a person choose one of the tables on the LAN; a code typed there is in ``arguments``.

    ``secret_for`` raises ``CommandError`` where the code does not fit; ``own``: instances of tables
    where the player has a seat to come back to.

    Raises:
        FindError: no table was chosen.
        NetError: there is no such interface.
        HomeError: what is remembered of players is damaged.
    """
    from p2p_hearts.ui.tables import GiveUp, Search

    lives: dict[str, Live] = {}

    def check(sit: Sit) -> str | None:
        live = lives.get(sit.key)
        if live is None:
            return _("This table is gone.")
        arguments.code = sit.code or arguments.code
        try:
            secret_for(arguments, None, live)
        except CommandError as error:
            arguments.code = None
            return f"{error}."
        return None

    chooser = _chooser(home, arguments, check)

    async def look() -> None:
        browser = Browser(interface=arguments.interface)
        browser.start()
        loop = asyncio.get_running_loop()
        begun = loop.time()
        try:
            while True:
                asked = loop.time()
                tables = await live_tables(context, browser)
                took = loop.time() - asked
                # By the announcement: the id of a table may be claimed by anybody.
                lives.update({found.instance: live for found, live in tables if live is not None})
                rows = tuple(_row(home, found, live, watching, own) for found, live in tables)
                seconds = loop.time() - begun
                advice = nothing_found(None, round(seconds), problem=browser.problem)
                chooser.show(Search(rows, seconds, advice, watching))
                pause = max(LOOK_SECONDS, REST * took) if rows else FIRST_LOOK_SECONDS
                await asyncio.sleep(pause)
        finally:
            await browser.close()

    local_addresses(arguments.interface)
    looking = asyncio.create_task(look())
    choosing = asyncio.create_task(chooser.choose())
    try:
        with stopped_by_signals(choosing.cancel):
            await asyncio.wait([looking, choosing], return_when=asyncio.FIRST_COMPLETED)
            if not choosing.done():
                looking.result()
            decision = GiveUp() if choosing.cancelled() else choosing.result()
    finally:
        looking.cancel()
        choosing.cancel()
        await asyncio.gather(looking, choosing, return_exceptions=True)
    if isinstance(decision, GiveUp):
        raise FindError(_("No table was chosen."))
    return lives[decision.key]


def _chooser(home: Home, arguments: argparse.Namespace, check: Check) -> Chooser:
    if has_screen(arguments):
        from p2p_hearts.ui.choosing import ScreenChooser
        from p2p_hearts.ui.words import glyphs_for

        settings, _complaints = SettingsFile(home.path).load()
        glyphs = glyphs_for(ascii_only=arguments.ascii, encoding=sys.stdout.encoding)
        return ScreenChooser(check, glyphs=glyphs, colours=settings.colours)
    from p2p_hearts.ui.chooser import LineChooser

    return LineChooser(sys.stdin, sys.stdout, check)


def _row(
    home: Home, found: Found, live: Live | None, watching: bool, own: Collection[bytes]
) -> TableRow:
    """Return what a player is shown of one table."""
    from p2p_hearts.ui.tables import TableRow

    advert = found.advert
    plain = TableRow(
        key=found.instance,
        name=advert.name,
        host=advert.nick,
        seats=advert.seats,
        free=advert.free,
        preset=advert.preset,
        problem=why_not(found, live, watching, own),
    )
    if live is None:
        return plain
    host = clean_name(live.card.host)
    try:
        rules = RuleSet.from_dict(live.card.rules)
    except RuleError as error:
        unknown = _("That table's rules are not known to this program: {reason}.")
        return replace(plain, problem=unknown.format(reason=error))
    return replace(
        plain,
        name=live.name,
        host=host,
        seats=rules.seats,
        free=max(0, live.card.free),
        preset=preset_name(rules),
        rules=tuple(describe(rules)),
        known=acquaintance(home, host, live.card.author),
        coded=live.card.coded,
        seated=live.seated,
    )
