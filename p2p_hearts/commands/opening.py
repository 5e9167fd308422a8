"""What a founder opens to strangers: the card door, and the announcement on the LAN."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

import zmq.asyncio

from p2p_hearts.commands.common import preset_name
from p2p_hearts.net.door import Door
from p2p_hearts.net.errors import NetError
from p2p_hearts.node.node import Node
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.wire.messages import VERSION

if TYPE_CHECKING:
    from p2p_hearts.net.discovery import Announcer

DEFAULT_PORT = 7766


def open_door(
    context: zmq.asyncio.Context,
    card: Callable[[], bytes],
    interface: str | None,
    port: int | None,
    *,
    otherwise: int,
) -> Door:
    """Open the card door at the port asked for; ``otherwise`` may give way to any free one."""
    if port is not None:
        return Door(context, port, card, interface)
    try:
        return Door(context, otherwise, card, interface)
    except NetError:
        return Door(context, 0, card, interface)


def announce(
    node: Node,
    door: Door,
    arguments: argparse.Namespace,
    instance: bytes,
    name: str,
    rules: RuleSet,
    free: Callable[[], int],
) -> Announcer:
    """Announce a table until the announcer is closed; ``free`` counts its seats."""
    # Imported where a table is announced: who plays on this machine alone waits for none of it.
    from p2p_hearts.net.advert import Advert
    from p2p_hearts.net.discovery import Announcer

    def advert() -> Advert:
        return Advert(
            table=instance.hex(),
            name=name,
            nick=node.nick,
            version=VERSION,
            preset=preset_name(rules),
            seats=rules.seats,
            free=free(),
        )

    announcer = Announcer(
        advert(),
        door.port,
        interface=arguments.interface,
        advertise=tuple(arguments.advertise or ()),
    )
    announcer.start()
    node.listeners.append(lambda: announcer.update(advert()))
    return announcer
