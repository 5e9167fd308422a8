"""``p2p-hearts completion``: a completion script for the shell, made by shtab."""

from __future__ import annotations

import argparse
import sys

import shtab

from p2p_hearts.arguments import make_parser


def run(arguments: argparse.Namespace) -> int:
    """Print the script."""
    sys.stdout.write(shtab.complete(make_parser(), arguments.shell) + "\n")
    return 0
