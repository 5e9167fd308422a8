"""``p2p-hearts doctor``: what this computer can reach, and what to do where it cannot."""

from __future__ import annotations

import argparse
import asyncio
import sys

from p2p_hearts import __version__
from p2p_hearts.commands.opening import DEFAULT_PORT
from p2p_hearts.net.doctor import Level, diagnose
from p2p_hearts.node.terms import PORTS

MARKS = {Level.OK: "ok  ", Level.NOTE: "note", Level.PROBLEM: "!!  "}


def run(arguments: argparse.Namespace) -> int:
    """Print the findings; return 0 unless something stands in the way."""
    first: int | None = arguments.port
    ports = range(first, first + PORTS) if first else (DEFAULT_PORT,)
    findings = asyncio.run(diagnose(interface=arguments.interface, ports=ports))
    sys.stdout.write(f"p2p-hearts {__version__}\n")
    for finding in findings:
        advice = str(finding.advice)
        sys.stdout.write(f"{MARKS[finding.level]} {finding.sentence}\n")
        if advice:
            sys.stdout.write(f"     {advice}\n")
    return int(any(finding.level is Level.PROBLEM for finding in findings))
