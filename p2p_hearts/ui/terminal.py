"""The terminal of a full screen that something else had meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
import termios
from collections.abc import Iterator
from typing import Any

from prompt_toolkit.application import Application

from p2p_hearts.ui.signals import handled


def draw_anew(app: Application[Any]) -> None:
    """Draw all of the screen, whatever stands on it; what was there before the start stays."""
    app.renderer.erase()
    app.invalidate()


def take_again(app: Application[Any]) -> None:
    """Read single keys again, and draw all.

    For a process that was stopped: its shell took the terminal, and reads lines with echo there.
    Where it still has the terminal, this stops the process until it is in front again (SIGTTOU),
    as other full screens do. At its end `app` leaves the terminal as it was before its start; one
    that is not running has no terminal to take. A terminal that hangs up sends SIGCONT as well.
    """
    if app.is_running:
        with contextlib.suppress(termios.error, OSError):  # it is gone; the next read tells so
            app.input.raw_mode().__enter__()
            draw_anew(app)


@contextlib.contextmanager
def taken_again(app: Application[Any]) -> Iterator[None]:
    """`take_again` whenever the process goes on after a stop (SIGCONT); needs a running loop."""
    with handled(asyncio.get_running_loop(), {"SIGCONT": lambda: take_again(app)}):
        yield
