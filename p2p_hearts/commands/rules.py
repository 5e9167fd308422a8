"""``p2p-hearts rules``: exactly what applies at a table."""

from __future__ import annotations

import argparse
import sys

from p2p_hearts.commands.common import chosen_rules
from p2p_hearts.rules.texts import describe


def run(arguments: argparse.Namespace) -> int:
    """Print the rules of a preset, changed by the options given."""
    rules = chosen_rules(arguments)
    sys.stdout.write("".join(f"{sentence}\n" for sentence in describe(rules)))
    return 0
