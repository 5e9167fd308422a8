"""``p2p-hearts resume``: back to the seat you had, after a crash or days later, or never again."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
import time

from p2p_hearts.commands.common import CLEAN, CommandError, chosen_links, open_home
from p2p_hearts.commands.companions import LOOPBACK, bring_back, was_alone
from p2p_hearts.commands.events import emit
from p2p_hearts.commands.opening import announce, open_door
from p2p_hearts.commands.seat import play_seat
from p2p_hearts.i18n import _, listed
from p2p_hearts.net.addresses import resolve
from p2p_hearts.net.codes import parse_address
from p2p_hearts.net.names import clean_name
from p2p_hearts.node.node import Node
from p2p_hearts.node.returning import choose_seat, come_back, give_up, open_seats
from p2p_hearts.wire.lobby import SealedRoster


def run(arguments: argparse.Namespace) -> int:
    """Take the seat again and play on, or give it up; return the exit code."""
    return _forget(arguments) if arguments.forget else asyncio.run(_resume(arguments))


def _forget(arguments: argparse.Namespace) -> int:
    """Give up the seat at the table that is named: what cannot be undone is not guessed."""
    home = open_home(arguments)
    try:
        seat, roster = choose_seat(home, arguments.table)
        if arguments.table is None:
            names = listed([clean_name(kept.name) for _seat, kept in open_seats(home)])
            told = _("--forget wants the name of the table; a seat is kept at: {names}")
            raise CommandError(told.format(names=names))
        give_up(home, seat, roster)
        told = _("The seat at {table} is given up. Its log stays: {path}")
        path = home.games / seat.log
        sys.stdout.write(told.format(table=clean_name(roster.name), path=path) + "\n")
        return CLEAN
    finally:
        home.close()


async def _resume(arguments: argparse.Namespace) -> int:
    home = open_home(arguments)
    try:
        seat, roster = choose_seat(home, arguments.table)
        if arguments.interface is None and was_alone(home, roster.instance):
            arguments.interface = LOOPBACK
        where = chosen_links(arguments)
        node = await come_back(home, seat, roster, where, int(time.time()))
        try:
            for text in arguments.at or ():
                for address in await _addresses(text):
                    node.dial_all(address)
            async with contextlib.AsyncExitStack() as stack:
                if roster.entries[0].identity == home.identity.public and roster.rules.watchers:
                    await _open_again(stack, node, arguments, roster, seat.door)
                await bring_back(stack, node, roster.instance, arguments)
                if arguments.events:
                    emit("listening", table_port=node.links.table_port)
                return await play_seat(node, arguments, tuple)
        finally:
            await node.close()
    finally:
        home.close()


async def _open_again(
    stack: contextlib.AsyncExitStack,
    node: Node,
    arguments: argparse.Namespace,
    roster: SealedRoster,
    port: int,
) -> None:
    """Open the founder's door again for those who want to watch, where it was if it can be."""
    door = open_door(
        node.links.context, node.card, arguments.interface, arguments.port, otherwise=port
    )
    stack.push_async_callback(door.close)
    if arguments.interface != LOOPBACK:
        name = clean_name(roster.name)
        announcer = announce(
            *(node, door, arguments, roster.instance, name, roster.rules), lambda: 0
        )
        stack.push_async_callback(announcer.close)


async def _addresses(text: str) -> tuple[tuple[str, int], ...]:
    try:
        address = parse_address(text)
    except ValueError as error:
        raise CommandError(f"--at: {error}") from None
    return await resolve(address.host, address.port)
