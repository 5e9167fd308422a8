"""A place at a table that is not over, as a file: what a peer needs to come back to it.

Errors: ``HomeError`` where the file is damaged.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from p2p_hearts.home.files import HomeError
from p2p_hearts.i18n import _


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
            log=Path(values["log"]).name,
            curve=bytes.fromhex(values["curve"]),
            port=int(values["port"]),
            code=str(values["code"]),
            door=int(values["door"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        raise HomeError(_("{path} is damaged; move it away").format(path=path)) from None
