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
from p2p_hearts.commands.events import emit
from p2p_hearts.commands.opening import DEFAULT_PORT, announce, open_door
from p2p_hearts.commands.peers import BOT_NAMES, Peers
from p2p_hearts.commands.seat import is_person, play_seat
from p2p_hearts.home import HomeError
from p2p_hearts.i18n import _
from p2p_hearts.net.addresses import local_addresses, tellable
from p2p_hearts.net.codes import Address, join_code, new_secret
from p2p_hearts.net.names import clean_name
from p2p_hearts.node.node import Node
from p2p_hearts.node.terms import NodeError, Where
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table.lobby import FounderLobby

FIRST_PICTURE_SECONDS = 0.05
"""The table is drawn before computer players start: they want the processor for themselves."""


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
        node = await Node.create(home, own_nick(arguments), where)
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
        if arguments.interface != "127.0.0.1":
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
        if arguments.bots:
            peers = await stack.enter_async_context(Peers())
            names = [name for name in BOT_NAMES if name != node.nick]
            own = node.home.identity
            node.people.computers = frozenset(own.companion(name).public for name in names)
            address = Address(_own_host(arguments), door.port, full_code)
            seating = asyncio.create_task(_seat_bots(peers, node, address, names, arguments))
            stack.push_async_callback(_ended, seating)
        # Where computer players take every seat, nobody else can join.
        shown = lines if arguments.bots < rules.seats - 1 else ()
        return await play_seat(node, arguments, lambda: shown)


def _own_table(nick: str) -> str:
    """Return what the table of a player is called that gives it no name."""
    name = _("{player}'s table").format(player=nick)
    return name if clean_name(name) == name else nick


def _own_host(arguments: argparse.Namespace) -> str:
    """Return an address where a process of this machine reaches the table."""
    if arguments.interface is None:
        return "127.0.0.1"
    return local_addresses(arguments.interface)[0].address


def _link_options(arguments: argparse.Namespace) -> list[str]:
    """Return the options that let others reach the computer players where they reach the host."""
    options = [] if arguments.interface is None else [f"--interface={arguments.interface}"]
    return options + [f"--advertise={address}" for address in arguments.advertise or ()]


async def _seat_bots(
    peers: Peers, node: Node, address: Address, names: list[str], arguments: argparse.Namespace
) -> None:
    """Start the computer players; give up when one cannot sit down.

    Later ones are waited for by name.
    """
    await asyncio.sleep(FIRST_PICTURE_SECONDS)
    try:
        await peers.start_bots(
            arguments.bots,
            address,
            arguments.level,
            arguments.pace,
            arguments.think,
            options=_link_options(arguments),
            port=arguments.port or 0,
            names=names,
            of=node.home.identity,
            heard=False,
        )
        reason = await peers.failure()
    except (OSError, HomeError) as error:
        reason = str(error)
    if not node.formed:
        node.fail(
            NodeError(_("a computer player could not sit down: {reason}").format(reason=reason))
        )


async def _ended(task: asyncio.Task[None]) -> None:
    """Cancel a task and wait until it is gone."""
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def _free(lobby: FounderLobby) -> int:
    return 0 if lobby.roster is not None else max(lobby.free, 0)


def _shown_hosts(arguments: argparse.Namespace) -> list[str]:
    """Return the addresses to show in invitations, the likeliest first."""
    if arguments.advertise:
        return list(arguments.advertise)
    own = tellable(local_addresses(arguments.interface))
    outside = [item.address for item in own if not item.is_loopback]
    plain = [host for host in outside if ":" not in host]
    return (plain or outside)[:3] or ["127.0.0.1"]
