"""A place at a table that is not over, as a file: what a peer needs to come back to it.

Errors: ``HomeError`` where the file is damaged.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from p2p_hearts.home.files import HomeError
from p2p_hearts.i18n import _
from p2p_hearts.net.keys import is_key

_LOG_NAME = re.compile(r"[\w-]{1,100}\.hearts", re.ASCII)
"""Of a file in ``HOME/games``, and of nothing outside it."""

_CODE = re.compile(r"[ -~]{0,64}")
"""As much as a request for a seat can hold."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at a table that is not over: what a peer needs to come back to it."""

    roster: bytes
    """The roster's envelope."""
    log: str
    """Name of the log in ``HOME/games``."""
    curve: bytes = field(repr=False)
    """Secret half of the link key, which the others dial this peer by."""
    port: int
    """Where the table socket listened: the others keep dialling it."""
    code: str = field(default="", repr=False)
    """Of a founder: the secret part of the join code, for those who come to watch."""
    door: int = 0
    """Of a founder: the port of its card door."""


def seat_bytes(seat: Seat) -> bytes:
    """Return what the file of a seat holds."""
    values = {
        "roster": seat.roster.hex(),
        "log": seat.log,
        "curve": seat.curve.hex(),
        "port": seat.port,
        "code": seat.code,
        "door": seat.door,
    }
    return json.dumps(values).encode()


def read_seat(path: Path) -> Seat:
    """Read the file of a seat; ``HomeError`` if it is damaged."""
    try:
        values = json.loads(path.read_bytes())
        return Seat(
            roster=bytes.fromhex(values["roster"]),
            log=_text(values["log"], _LOG_NAME),
            curve=_secret_key(values["curve"]),
            port=_port(values["port"]),
            code=_text(values["code"], _CODE),
            door=_port(values["door"]),
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise damaged_seat(path) from None


def damaged_seat(path: Path) -> HomeError:
    """Return the error that says so of a seat's file."""
    return HomeError(_("{path} is damaged; move it away").format(path=path))


def _text(value: Any, form: re.Pattern[str]) -> str:
    if not form.fullmatch(value):
        raise ValueError("a text of another form")
    return str(value)


def _secret_key(value: Any) -> bytes:
    key = bytes.fromhex(value)
    if not is_key(key):
        raise ValueError("no secret half of a link key")
    return key


def _port(value: Any) -> int:
    """Return a port; 0 where there is none."""
    if type(value) is not int or not 0 <= value < 2**16:
        raise ValueError("no port")
    return value
