"""Whom a player meets at a table, and what its folder remembers of their keys.

Who takes a place is looked at only. The folder remembers those with whom the table has formed: a
host can sign rosters of ever new names, and would push out whom the player knows.

Errors: ``HomeError`` of ``acquaintance`` alone. For ``People`` a damaged memory is a warning, which
keeps nobody from playing.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from p2p_hearts.home import Home, HomeError
from p2p_hearts.home.people import other_key_warning
from p2p_hearts.net.names import kind_of
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
        self._first: dict[str, bytes] = {}
        """The first identity of each kind of name, in all rosters of this table."""
        self._unremembered: list[tuple[str, bytes]] = []

    def sit(self, players: Sequence[tuple[str, bytes]]) -> None:
        """Look at the names and identities of a roster; warn of what is wrong with their keys."""
        self._unremembered = []
        for name, identity in players:
            if self.is_computer(name, identity):
                self._met[identity] = Acquaintance.COMPUTER
            else:
                self._look_at(name, identity)
                self._unremembered.append((name, identity))

    def remember(self) -> None:
        """Remember those who sit, once their table has formed; a second time does nothing."""
        players, self._unremembered = self._unremembered, []
        if not players:
            return
        try:
            self._home.meet_all(players)
        except HomeError as error:
            self._warn(f"{error}.")

    def _look_at(self, name: str, identity: bytes) -> None:
        try:
            before = acquaintance(self._home, name, identity)
        except HomeError as error:
            before = Acquaintance.NEW
            self._warn(f"{error}.")
        first = self._first.setdefault(kind_of(name), identity)
        if before is Acquaintance.NEW and first != identity:
            before = Acquaintance.CHANGED
        # A formation that came to nothing makes no stranger an old acquaintance.
        self._met.setdefault(identity, before)
        if before is Acquaintance.CHANGED:
            self._warn(other_key_warning(name))

    def _warn(self, warning: str) -> None:
        if warning not in self.warnings:
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
