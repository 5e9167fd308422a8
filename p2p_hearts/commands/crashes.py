"""A failure of this program itself: a sentence for the player, a report in a file, no traceback.

A report lies in HOME/crashes, of a computer player in that of its host, readable by its owner
alone: version, platform, where in the program it failed, what the program noted last. No variables
are in it, and whatever looks like a key or a secret in a text is left out. Failures in the
background, which end nothing, are reported alike.

Never: raises; tells a value of the game, a name that was typed, or the command line.
"""

from __future__ import annotations

import logging
import os
import platform
import re
import sys
import threading
import time
import traceback
from collections import deque
from importlib import metadata
from pathlib import Path
from typing import Final

from p2p_hearts import __version__
from p2p_hearts.commands.common import typed_command
from p2p_hearts.commands.settings import settings_folder
from p2p_hearts.i18n import _

FOLDER: Final = "crashes"

VARIABLE: Final = "P2P_HEARTS_REPORTS"
"""Names the folder of reports for a process whose own folder goes away with it."""

KEPT_REPORTS: Final = 20
"""Older ones are removed."""

MOST_REPORTS: Final = 5
"""Of one process: what fails again and again fails for one reason."""

KEPT_EVENTS: Final = 60
"""Lines of what the program noted last."""

LIBRARIES: Final = ("pyzmq", "zeroconf", "msgspec", "msgpack", "cryptography", "prompt_toolkit")

_BYTES: Final = re.compile(r"""\bb(['"]).*?(?<!\\)\1""")
_LONG: Final = re.compile(r"[0-9A-Fa-f]{12,}|\d{12,}")
_TOKEN: Final = re.compile(r"\S{28,}|\S*\\\S*")
"""Long words, and those with an escape in them: of bytes that were written as text."""
_OMITTED: Final = "[left out]"


def report_folder(home: Path | None) -> Path:
    """Return where reports lie; ``home``: the player's folder, or the usual one."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else settings_folder(home) / FOLDER


class Reporter(logging.Handler):
    """Keeps the last events, and writes a report of every failure; made once for a process."""

    def __init__(self, home: Path | None, command: str) -> None:
        """``home``: the player's folder, or the usual one; nothing is written before a failure."""
        super().__init__(logging.INFO)
        self.command = command
        self.home = home
        self._events: deque[str] = deque(maxlen=KEPT_EVENTS)
        self._reports = 0

    def install(self) -> None:
        """Hear of what the program notes, and of failures that nobody catches."""
        logging.getLogger().addHandler(self)
        own = logging.getLogger("p2p_hearts")
        own.setLevel(min(own.getEffectiveLevel(), logging.INFO))
        threading.excepthook = self._thread_failed
        sys.unraisablehook = self._not_raised

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line; report what failed, if something did."""
        try:
            text = scrub(f"{record.levelname} {record.name}: {record.getMessage()}", message=True)
            self._events.append(f"{time.strftime('%H:%M:%S')} {text}")
            if record.exc_info and record.levelno >= logging.ERROR and record.exc_info[1]:
                self.report(record.exc_info[1])
        except Exception:
            self.handleError(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's own name
        """Say nothing: there is no better place to say it."""

    def report(self, error: BaseException) -> Path | None:
        """Write a report; return where it is, or None if it could not be written."""
        self._reports += 1
        if self._reports > MOST_REPORTS:
            return None
        stamp = time.strftime("%Y-%m-%d-%H%M%S")
        folder = report_folder(self.home)
        path = folder / f"{stamp}-{os.getpid()}-{self._reports}.txt"
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(self._text(error))
            for old in sorted(folder.glob("*.txt"))[:-KEPT_REPORTS]:
                old.unlink(missing_ok=True)
        except OSError:
            return None
        return path

    def _text(self, error: BaseException) -> str:
        told = "".join(traceback.TracebackException.from_exception(error).format())
        lines = [
            f"p2p-hearts {__version__}, command {self.command}",
            f"Python {platform.python_version()} on {platform.platform()}",
            ", ".join(f"{name} {_version(name)}" for name in LIBRARIES),
            f"{time.strftime('%Y-%m-%d %H:%M:%S %z')}, terminal {os.environ.get('TERM', 'none')}",
            "",
            *(scrub(line, message=not line.startswith(" ")) for line in told.splitlines()),
            "",
            "Noted last:",
            *(self._events or ["nothing"]),
        ]
        return "\n".join(lines) + "\n"

    def _thread_failed(self, failed: threading.ExceptHookArgs) -> None:
        if failed.exc_value is not None:
            self.report(failed.exc_value)

    def _not_raised(self, failed: sys.UnraisableHookArgs) -> None:
        if failed.exc_value is not None:
            self.report(failed.exc_value)


def scrub(text: str, *, message: bool) -> str:
    """Return a line without what could be a key or a secret.

    ``message``: a text that was made while the program ran; else a place in its source.
    """
    text = _LONG.sub(_OMITTED, _BYTES.sub(_OMITTED, text))
    return _TOKEN.sub(_OMITTED, text) if message else text


def crash_sentence(path: Path | None, command: str, home: Path | None) -> str:
    """Return what the player is told; ``home`` is the folder, None for the usual one."""
    told = _("This program has failed at something that it should be able to do.")
    if path is None:
        where = _("A report of it could not be written.")
    else:
        where = _(
            "What happened is written in {path}, without cards, keys or chat: please show it to "
            "whoever looks after the program."
        ).format(path=path)
    if command not in ("host", "join", "play", "bot", "resume"):
        return f"{told} {where}"
    back = _("If you had a seat, this brings you back to it: {command}")
    return f"{told} {where} " + back.format(command=typed_command(home, "resume"))


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "missing"
