"""The command line: starts one command and turns what stands in the way into a sentence.

Exit codes: 0 as asked, 1 a proven fault, 2 wrong usage or unreadable, 3 incomplete, nothing found
or no seat to be had, 4 the game was stopped before its end, 130 interrupted.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

from p2p_hearts.arguments import make_parser

INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; return the exit code."""
    parser = make_parser()
    arguments = parser.parse_args(argv)
    if arguments.command is None:
        parser.print_help()
        return 0
    return run_command(arguments)


def run_command(arguments: argparse.Namespace) -> int:
    """Run the chosen command; turn what stands in the way into one sentence on stderr."""
    from p2p_hearts.commands.common import (
        INCOMPLETE,
        STOPPED,
        USAGE,
        CommandError,
        set_up_logging,
    )
    from p2p_hearts.home import HomeError
    from p2p_hearts.net.errors import NetError
    from p2p_hearts.node.finding import FindError, TargetError
    from p2p_hearts.node.node import NodeError, NoSeatError

    set_up_logging(arguments)
    module_name, function = arguments.run.split(":")
    module = importlib.import_module(f"p2p_hearts.commands.{module_name}")
    try:
        code: int = getattr(module, function)(arguments)
    except CommandError as error:
        return _complain(str(error), error.code)
    except (HomeError, NetError, TargetError) as error:
        return _complain(str(error), USAGE)
    except (FindError, NoSeatError) as error:
        return _complain(str(error), INCOMPLETE)
    except NodeError as error:
        return _complain(str(error), STOPPED)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has enough of it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code


def _complain(text: str, code: int) -> int:
    sys.stderr.write(f"p2p-hearts: {text}\n")
    return code
