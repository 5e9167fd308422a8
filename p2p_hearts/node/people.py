"""What a player's folder remembers of somebody's key, as front ends show it."""

from __future__ import annotations

from p2p_hearts.home import Home
from p2p_hearts.ui.status import Acquaintance


def acquaintance(home: Home, name: str, identity: bytes) -> Acquaintance:
    """Return what is remembered of the key that a player of this name has.

    Raises:
        HomeError: what is remembered is damaged.
    """
    before = home.key_of(name)
    if before is None:
        return Acquaintance.NEW
    return Acquaintance.KNOWN if before == identity else Acquaintance.CHANGED
