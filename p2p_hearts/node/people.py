"""Whom a player meets at a table, and what its folder remembers of their keys.

Errors: ``HomeError`` of ``acquaintance`` alone. For ``People`` a damaged memory is a warning, which
keeps nobody from playing.
"""

from __future__ import annotations

import contextlib

from p2p_hearts.home import Home, HomeError
from p2p_hearts.ui.status import Acquaintance


class People:
    """The players of one table, as one of them knows the others."""

    def __init__(self, home: Home) -> None:
        """Nobody was met yet."""
        self.warnings: list[str] = []
        """What the player should know of the others' keys, each sentence once."""
        self._home = home
        self._met: dict[bytes, Acquaintance] = {}
        """What was known of each player's identity when it sat down."""

    def meet(self, name: str, identity: bytes) -> None:
        """Remember a player who sits down; warn of what is wrong with its key, or the memory."""
        if self.is_computer(name, identity):
            self._met[identity] = Acquaintance.COMPUTER
            return
        try:
            before = acquaintance(self._home, name, identity)
            warning = self._home.meet(name, identity)
        except HomeError as error:
            before, warning = Acquaintance.NEW, f"{error}."
        # A formation that came to nothing makes no stranger an old acquaintance.
        self._met.setdefault(identity, before)
        if warning is not None and warning not in self.warnings:
            self.warnings.append(warning)

    def known(self, name: str, identity: bytes) -> Acquaintance:
        """Return what was known of a player when it sat down, or is of one who does not sit yet."""
        if identity == self._home.identity.public:
            return Acquaintance.SELF
        if identity in self._met:
            return self._met[identity]
        if self.is_computer(name, identity):
            return Acquaintance.COMPUTER
        with contextlib.suppress(HomeError):
            return acquaintance(self._home, name, identity)
        return Acquaintance.NEW

    def is_computer(self, name: str, identity: bytes) -> bool:
        """Whether it is a computer player that this player seats itself, known by its key."""
        return self._home.identity.companion(name).public == identity


def acquaintance(home: Home, name: str, identity: bytes) -> Acquaintance:
    """Return what is remembered of the key that a player of this name has.

    Raises:
        HomeError: what is remembered is damaged.
    """
    before = home.key_of(name)
    if before is None:
        return Acquaintance.NEW
    return Acquaintance.KNOWN if before == identity else Acquaintance.CHANGED
