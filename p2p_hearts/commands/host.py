"""``p2p-hearts host``: open a table, wait for players, play."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import secrets

from p2p_hearts.commands.common import (
    CommandError,
    check_player,
    checked_name,
    chosen_links,
    chosen_rules,
    open_home,
    own_nick,
)
from p2p_hearts.commands.companions import LOOPBACK, Companions, new_folder, own_host
from p2p_hearts.commands.events import emit
from p2p_hearts.commands.opening import DEFAULT_PORT, announce, open_door
from p2p_hearts.commands.seat import is_person, play_seat
from p2p_hearts.i18n import _
from p2p_hearts.net.addresses import local_addresses, tellable
from p2p_hearts.net.codes import Address, join_code, new_secret
from p2p_hearts.net.names import clean_name
from p2p_hearts.node.node import Node
from p2p_hearts.node.terms import Where
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table.lobby import FounderLobby


def run(arguments: argparse.Namespace) -> int:
    """Open a table and play at it; return the exit code."""
    check_player(arguments)
    rules = chosen_rules(arguments)
    if arguments.name is not None:
        arguments.name = checked_name(arguments.name, _("the name of the table"))
    if not 0 <= arguments.bots < rules.seats:
        raise CommandError(_("--bots must be 0 to {n} at this table").format(n=rules.seats - 1))
    return asyncio.run(_host(arguments, rules, chosen_links(arguments)))


async def _host(arguments: argparse.Namespace, rules: RuleSet, where: Where) -> int:
    home = open_home(arguments)
    try:
        node = await Node.create(home, own_nick(arguments, home), where)
        try:
            return await _host_with(node, arguments, rules)
        finally:
            await node.close()
    finally:
        home.close()


async def _host_with(node: Node, arguments: argparse.Namespace, rules: RuleSet) -> int:
    name = arguments.name or _own_table(node.nick)
    instance = secrets.token_bytes(32)
    code = new_secret() if arguments.code else ""
    lobby = node.open_table(instance, rules, name, code)
    if is_person(arguments) and arguments.bots < rules.seats - 1:
        node.ask_ready()
    async with contextlib.AsyncExitStack() as stack:
        door = open_door(
            node.links.context,
            lobby.card,
            arguments.interface,
            arguments.port,
            otherwise=DEFAULT_PORT,
        )
        stack.push_async_callback(door.close)
        node.door_port = door.port
        if arguments.interface != LOOPBACK:
            announcer = announce(
                *(node, door, arguments, instance, lobby.name, rules), lambda: _free(lobby)
            )
            stack.push_async_callback(announcer.close)
        full_code = join_code(node.home.identity.public) + (f"-{code}" if code else "")
        lines = tuple(
            f"p2p-hearts join {Address(host, door.port, full_code)}"
            for host in _shown_hosts(arguments)
        )
        if arguments.events:
            emit("open", port=door.port, code=full_code, join=list(lines))
        address = Address(own_host(arguments.interface), door.port, full_code)
        folder = new_folder(node.home, instance, arguments.level, arguments.interface)
        companions = await stack.enter_async_context(
            Companions(node, lobby, folder, address, arguments)
        )
        companions.begin(arguments.bots)
        # Where computer players take every seat, nobody else can join.
        shown = lines if arguments.bots < rules.seats - 1 else ()
        return await play_seat(node, arguments, lambda: shown, companions)


def _own_table(nick: str) -> str:
    """Return what the table of a player is called that gives it no name."""
    name = _("{player}'s table").format(player=nick)
    return name if clean_name(name) == name else nick


def _free(lobby: FounderLobby) -> int:
    return 0 if lobby.roster is not None else max(lobby.free, 0)


def _shown_hosts(arguments: argparse.Namespace) -> list[str]:
    """Return the addresses to show in invitations, the likeliest first."""
    if arguments.advertise:
        return list(arguments.advertise)
    own = tellable(local_addresses(arguments.interface))
    outside = [item.address for item in own if not item.is_loopback]
    plain = [host for host in outside if ":" not in host]
    return (plain or outside)[:3] or [LOOPBACK]
