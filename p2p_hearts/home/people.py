"""Who was met and who is muted: files of names and keys.

Errors: ``HomeError`` where a file is damaged or cannot be written.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from p2p_hearts.home.files import HomeError, write_private
from p2p_hearts.i18n import _
from p2p_hearts.net.names import kind_of

PLAYERS = "players.json"
MUTED = "muted.json"
"""Who is not to be seen in the chat."""

_MAX_PLAYERS = 500
"""Players remembered: ever new names push out those who were not met for longest, and fill no
disk.
"""


def remember(path: Path, known: Mapping[str, str], met: Iterable[tuple[str, str]]) -> None:
    """Write what is known, and who was met now; a name keeps the key that it had first.

    Who is met again counts as the latest. Where there are too many, the others go.
    """
    people = dict(known)
    for name, key in met:
        people[name] = people.pop(name, key)
    if list(people.items()) != list(known.items()):
        write_people(path, people)


def write_people(path: Path, known: Mapping[str, str]) -> None:
    """Write what is known."""
    kept = dict(list(known.items())[-_MAX_PLAYERS:])
    write_private(path, json.dumps(kept, indent=1).encode())


def read_players(path: Path) -> dict[str, str]:
    """Return the key of every known player, by the kind of its name.

    "ANA" is no other name than "Ana": who comes as one of them with a new key is warned of.
    """
    known: dict[str, str] = {}
    for name, key in read_people(path).items():
        # Older versions told names apart by case and width, and wrote them in the order in which
        # they were met. Of two that are one now the first keeps its key: it is the older friend.
        # The other may be who took its name, and is warned of, as it should have been then.
        known.setdefault(kind_of(name), key)
    return known


def other_key_warning(name: str) -> str:
    """Say that a player of a known name has another key than before."""
    return _(
        "WARNING: this {player} has another key than the {player} you met before. Compare the "
        "table phrase by voice before you trust it."
    ).format(player=name)


def read_people(path: Path) -> dict[str, str]:
    """Return the key of every known name; a damaged file would make every warning silent."""
    try:
        known = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError):
        known = None
    if not isinstance(known, dict) or not all(_is_hex(key) for key in known.values()):
        raise HomeError(
            _("{path} is damaged, so known players cannot be told; move it away").format(path=path)
        )
    return known


def _is_hex(value: object) -> bool:
    return isinstance(value, str) and len(value) % 2 == 0 and not value.strip("0123456789abcdef")
