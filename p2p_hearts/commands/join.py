"""``p2p-hearts join`` and ``bot``: find a table, sit down, play."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
from collections.abc import Iterator

import zmq.asyncio

from p2p_hearts.commands.choosing import choose_table
from p2p_hearts.commands.common import CommandError, check_player, chosen_links, open_home, own_nick
from p2p_hearts.commands.seat import is_person, play_seat
from p2p_hearts.home import Home, HomeError
from p2p_hearts.i18n import _, figure
from p2p_hearts.net.codes import Address, code_matches, secret_of
from p2p_hearts.node.finding import (
    ADDRESS_SECONDS,
    FindError,
    Live,
    find_on_lan,
    is_own,
    look_at,
    own_seat,
    parse_target,
)
from p2p_hearts.node.node import Node
from p2p_hearts.node.returning import open_seats
from p2p_hearts.node.terms import Where
from p2p_hearts.wire.lobby import LobbyError

SILENT_SECONDS = 1.0
"""Who has waited so long for a table is told so."""


def run(arguments: argparse.Namespace) -> int:
    """Join a table and play at it; return the exit code."""
    check_player(arguments)
    target = parse_target(arguments.table)
    return asyncio.run(_join(arguments, target, chosen_links(arguments)))


def run_bot(arguments: argparse.Namespace) -> int:
    """Join as a computer player."""
    arguments.auto = arguments.level
    return run(arguments)


async def _join(arguments: argparse.Namespace, target: Address | str | None, where: Where) -> int:
    home = open_home(arguments)
    try:
        node = await Node.create(home, own_nick(arguments, home), where)
        try:
            live = await find_table(node.links.context, home, arguments, target)
            code = secret_for(arguments, target, live)
            try:
                node.ask_for_seat(live.card, live.lobby, code)
            except LobbyError as error:
                raise CommandError(
                    _("{reason}; install the same version on both computers").format(reason=error)
                ) from None
            if is_person(arguments):
                node.ask_ready()
            return await play_seat(node, arguments, tuple)
        finally:
            await node.close()
    finally:
        home.close()


async def find_table(
    context: zmq.asyncio.Context,
    home: Home,
    arguments: argparse.Namespace,
    target: Address | str | None,
    *,
    watching: bool = False,
) -> Live:
    """Find the table that was asked for, to sit down or to watch; ask a person which, if need be.

    Raises:
        NetError, FindError: there is none; the text says why.
    """
    own = _own_tables(home)
    if isinstance(target, Address):
        with _telling(arguments, target, ADDRESS_SECONDS):
            live = await look_at(context, target)
        if is_own(live, own):
            raise FindError(own_seat(live))
        return live
    if target is None and getattr(arguments, "auto", None) is None and sys.stdin.isatty():
        return await choose_table(context, home, arguments, watching, secret_for, own)
    wait = arguments.wait
    with _telling(arguments, target, wait):
        return await find_on_lan(
            context,
            target,
            interface=arguments.interface,
            wait=wait,
            watching=watching,
            own=own,
        )


def _own_tables(home: Home) -> frozenset[bytes]:
    """Return the instances of the tables where the player has a seat to come back to."""
    try:
        return frozenset(roster.instance for _seat, roster in open_seats(home))
    except HomeError:
        return frozenset()  # a damaged one is told to who comes back, and nobody else


@contextlib.contextmanager
def _telling(
    arguments: argparse.Namespace, target: Address | str | None, most: float
) -> Iterator[None]:
    """Tell a person who waits for a table what is waited for, and how many seconds at ``most``."""

    def tell() -> None:
        if target is None:
            told = _("Looking for an open table, for {seconds} s at most; Ctrl-C ends it.")
        else:
            told = _("Looking for {table}, for {seconds} s at most; Ctrl-C ends it.")
        sys.stdout.write(told.format(table=target, seconds=figure(most, "g")) + "\n")
        sys.stdout.flush()

    timer = None
    if not arguments.events:
        timer = asyncio.get_running_loop().call_later(SILENT_SECONDS, tell)
    try:
        yield
    finally:
        if timer is not None:
            timer.cancel()


def secret_for(arguments: argparse.Namespace, target: Address | str | None, live: Live) -> str:
    """Return the secret part of the join code, after checking that the code names the host."""
    code: str | None = arguments.code
    if code is None and isinstance(target, Address):
        code = target.code
    if code is None:
        if live.card.coded:
            raise CommandError(
                _("{table} asks for a join code: add --code CODE").format(table=live.name)
            )
        return ""
    if not code_matches(code, live.card.author):
        raise CommandError(
            _("{table} belongs to another host than the join code names; check the code").format(
                table=live.name
            )
        )
    secret = secret_of(code)
    if live.card.coded and not secret:
        raise CommandError(
            _("{table} asks for the whole join code; ask its host for it").format(table=live.name)
        )
    return secret
