"""The command line: starts one command and turns what stands in the way into a sentence.

Exit codes: 0 as asked, 1 a proven fault, 2 wrong usage or unreadable, 3 incomplete, nothing found
or no seat to be had, 4 the game was stopped before its end, 5 a failure of this program itself, 130
interrupted.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from p2p_hearts.arguments import make_parser, speak, wanted
from p2p_hearts.i18n import N_, _, harmless, os_reason

if TYPE_CHECKING:
    from p2p_hearts.commands.crashes import Reporter

USAGE = UNWRITTEN = 2
CRASHED = 5
INTERRUPTED = 130

NO_WINDOWS = N_(
    "This program needs Linux, macOS or another POSIX system: its files are locked as there. On "
    "Windows install it in WSL."
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; return the exit code."""
    _open_streams()
    if sys.platform == "win32":
        return _complain(_(NO_WINDOWS), USAGE)
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["help"]:  # as many other programs have it
        words = [*(word for word in words if word != "help"), "--help"]
    try:
        speak(words, remembered_language(words))
        parser = make_parser()
        arguments = parser.parse_args(words)
    except Exception as error:
        from p2p_hearts.commands.crashes import Reporter

        home = wanted(words, "--home") or os.environ.get("P2P_HEARTS_HOME")
        return _crash(error, Reporter(Path(home) if home else None, "none"))
    if arguments.command is None:
        parser.print_help()
        return 0
    return run_command(arguments)


def remembered_language(argv: Sequence[str]) -> str | None:
    """Return the language that the settings name, None where nothing is set."""
    from p2p_hearts.commands.settings import SettingsFile, settings_folder

    home = wanted(argv, "--home") or os.environ.get("P2P_HEARTS_HOME")
    return SettingsFile(settings_folder(Path(home) if home else None)).load()[0].language


def run_command(arguments: argparse.Namespace) -> int:
    """Run the chosen command; turn what stands in the way into one sentence on stderr."""
    from p2p_hearts.commands.common import set_up_logging
    from p2p_hearts.commands.crashes import Reporter

    set_up_logging(arguments)
    reporter = Reporter(arguments.home, arguments.command)
    reporter.install()
    module_name, function = arguments.run.split(":")
    try:
        module = importlib.import_module(f"p2p_hearts.commands.{module_name}")
        code: int = getattr(module, function)(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _write_no_more()  # whoever read the output has enough of it
        return 0
    except Exception as error:
        if isinstance(error, OSError) and _is_stuck():
            _write_no_more()
            told = _("The answer cannot be written: {reason}. Make room, or send it elsewhere.")
            return _complain(told.format(reason=os_reason(error)), UNWRITTEN)
        refused = _exit_code(error)
        if refused is not None:
            return _complain(str(error), refused)
        few_files = _few_files(error)
        if few_files is not None:
            return _complain(few_files, USAGE)
        return _crash(error, reporter)
    return code


def _open_streams() -> None:
    """Let what was closed before the start (``<&-``, ``>&-``) hold nothing and keep nothing.

    In their order: the first that is opened gets the descriptor of stdin, which no other file may
    have then. A letter that the encoding of a terminal lacks is a question mark there.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            nothing = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - it stays open
            setattr(sys, name, nothing)
        elif mode == "w" and isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _is_stuck() -> bool:
    """Whether nothing can be written any more, not even the end of a line."""
    try:
        os.write(sys.stdout.fileno(), b"\n")
    except OSError:
        return True
    return False


def _write_no_more() -> None:
    """Throw away what is written from now on, and what waits to be: else the end would fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _crash(error: Exception, reporter: Reporter) -> int:
    from p2p_hearts.commands.crashes import crash_sentence

    report = reporter.report(error)
    return _complain(crash_sentence(report, reporter.command, reporter.home), CRASHED)


def _exit_code(error: Exception) -> int | None:
    """Return the exit code for what stands in the way; None for a mistake of this program."""
    from p2p_hearts.commands.common import INCOMPLETE, STOPPED, USAGE, CommandError
    from p2p_hearts.home import HomeError
    from p2p_hearts.net.errors import NetError
    from p2p_hearts.node.finding import FindError, TargetError
    from p2p_hearts.node.terms import NodeError, NoSeatError

    match error:
        case CommandError(code=code):
            return code
        case HomeError() | NetError() | TargetError():
            return USAGE
        case FindError() | NoSeatError():
            return INCOMPLETE
        case NodeError():
            return STOPPED
    return None


def _few_files(error: Exception) -> str | None:
    """Return what to say if an error comes of too few files that the system allows."""
    from p2p_hearts.net.sockets import lacks_files, too_few_files

    return str(too_few_files()) if lacks_files(error) else None


def _complain(text: str, code: int) -> int:
    with contextlib.suppress(OSError):  # nobody reads it; the code still tells what it was
        sys.stderr.write(f"p2p-hearts: {harmless(text)}\n")
    return code
