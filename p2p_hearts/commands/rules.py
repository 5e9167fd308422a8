"""``p2p-hearts rules``: exactly what applies at a table."""

from __future__ import annotations

import argparse
import sys

from p2p_hearts.commands.common import chosen_rules
from p2p_hearts.i18n import _
from p2p_hearts.rules.options import PRESETS
from p2p_hearts.rules.texts import describe


def run(arguments: argparse.Namespace) -> int:
    """Print the rules of a preset, changed by the options given, and which presets there are."""
    rules = chosen_rules(arguments)
    sys.stdout.write("".join(f"{sentence}\n" for sentence in describe(rules)))
    told = _("Rules by name: {names}; p2p-hearts rules NAME tells what one means.")
    sys.stdout.write(f"\n{told.format(names=', '.join(PRESETS))}\n")
    return 0
