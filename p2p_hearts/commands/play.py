"""``p2p-hearts play``: you against computer players, each a peer process of its own."""

from __future__ import annotations

import argparse

from p2p_hearts.commands import host
from p2p_hearts.commands.common import chosen_rules
from p2p_hearts.commands.companions import LOOPBACK


def run(arguments: argparse.Namespace) -> int:
    """Host a table on this machine alone and fill it with computer players."""
    arguments.name = None
    arguments.bots = chosen_rules(arguments).seats - 1
    arguments.code = False
    arguments.port = 0
    arguments.interface = LOOPBACK
    arguments.advertise = None
    return host.run(arguments)
