"""Who was met and who is muted: files of names and keys.

Errors: ``HomeError`` where a file is damaged or cannot be written.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from p2p_hearts.home.files import HomeError, write_private
from p2p_hearts.i18n import _

PLAYERS = "players.json"
MUTED = "muted.json"
"""Who is not to be seen in the chat."""

_MAX_PLAYERS = 500
"""Players remembered: hosts that seat ever new names push out old ones, and fill no disk."""


def remember(path: Path, known: Mapping[str, str], name: str, key: str) -> None:
    """Write what is known, and one more; the oldest goes where there are too many."""
    kept = dict(list(known.items())[1 - _MAX_PLAYERS :])
    write_people(path, {**kept, name: key})


def write_people(path: Path, known: Mapping[str, str]) -> None:
    """Write what is known."""
    write_private(path, json.dumps(dict(known), indent=1).encode())


def read_people(path: Path) -> dict[str, str]:
    """Return the key of every known name; a damaged file would make every warning silent."""
    try:
        known = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError):
        known = None
    if not isinstance(known, dict) or not all(_is_hex(key) for key in known.values()):
        raise HomeError(
            _("{path} is damaged, so known players cannot be told; move it away").format(path=path)
        )
    return known


def _is_hex(value: object) -> bool:
    return isinstance(value, str) and len(value) % 2 == 0 and not value.strip("0123456789abcdef")
