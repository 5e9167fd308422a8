"""Where everybody listens: addresses by link key, dialled, told and heard of.

Unsigned and harmless: whoever answers at an address must hold the key. What a player tells of
itself is kept before hearsay, so that nobody at the table can part two others with wrong addresses.

Never: raises for what a peer told.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Iterable, Sequence

from p2p_hearts.net.addresses import MAX_ADDRESSES, local_addresses, tellable
from p2p_hearts.net.errors import NetError
from p2p_hearts.net.links import Links
from p2p_hearts.node.terms import TAG_WHERE, Where
from p2p_hearts.wire.codec import DecodeError, decode, encode
from p2p_hearts.wire.lobby import Whereabouts

log = logging.getLogger(__name__)

HEARSAY_SECONDS = 5.0
"""Between two changes of a player's addresses by the same source."""

MAX_SURE = 12
"""Addresses kept of those a player told of itself; the rest of ``MAX_ADDRESSES`` is hearsay."""


class Places:
    """The addresses of those who sit at one table, and the lines to them."""

    def __init__(self, links: Links, where: Where) -> None:
        """Nobody is known yet."""
        self.known: dict[bytes, list[tuple[str, int]]] = {}
        """Where each other player may listen, by link key."""
        self._links = links
        self._where = where
        self._sure: dict[bytes, list[tuple[str, int]]] = {}
        """Of these, what the player itself told."""
        self._heard_of: dict[tuple[bytes, bool], float] = {}
        self._hosts = ["127.0.0.1"]
        """The own addresses as they were seen last."""

    @property
    def own(self) -> list[tuple[str, int]]:
        """Addresses to tell others: those of the network first, loopback last.

        Those seen last while the interface to listen at is gone.
        """
        return [(host, self._links.table_port) for host in self._own_hosts()]

    def keep_only(self, keys: Iterable[bytes]) -> None:
        """Hang up on everybody else: they were of a formation that came to nothing."""
        for key in self.known.keys() - set(keys):
            del self.known[key], self._sure[key]
            self._links.disconnect(key)

    def meet(self, key: bytes, addresses: Sequence[tuple[str, int]]) -> None:
        """Dial a player at the addresses of its own hello, and at no earlier ones."""
        self.known[key] = []
        self.add(key, addresses, sure=True)

    def say(self, key: bytes) -> None:
        """Tell a peer all addresses known here, the own ones first."""
        known = {self._links.public_key: self.own, **self.known}
        where = Whereabouts([(curve, list(addresses)) for curve, addresses in known.items()])
        self._links.send(key, TAG_WHERE + encode(where))

    def receive(self, key: bytes, body: bytes) -> None:
        """Dial players at the addresses a fellow player knows; a wrong one answers to no key."""
        if key not in self.known:
            return
        try:
            told = decode(body, Whereabouts).places
        except DecodeError:
            return
        now = time.monotonic()
        for curve, addresses in told:
            if curve in self.known and self._hears_of(curve, curve == key, now):
                self.add(curve, addresses, sure=curve == key)

    def add(self, key: bytes, addresses: Sequence[tuple[str, int]], *, sure: bool) -> None:
        """Add addresses of a player, the newest first, and dial.

        ``sure`` are those that the player itself told, or this one typed. Hearsay never pushes them
        out: somebody at the table could part two others with it.
        """
        known = self.known[key]
        if sure:
            older = [address for address in self._sure.get(key, []) if address not in addresses]
            self._sure[key] = [*dict.fromkeys(addresses), *older][:MAX_SURE]
        certain = self._sure.get(key, [])
        hearsay = [item for item in dict.fromkeys([*addresses, *known]) if item not in certain]
        merged = [*certain, *hearsay[: MAX_ADDRESSES - len(certain)]]
        if set(merged) == set(known):
            return
        try:
            self._links.connect(key, merged)
        except ValueError:
            log.warning("a player told an address that cannot be dialled")
            return
        self.known[key] = merged

    def _hears_of(self, curve: bytes, itself: bool, now: float) -> bool:
        """Whether to take addresses of a player now.

        Hearsay only while no line to it stands, and neither that nor what it says itself more often
        than dialling takes: else somebody could keep a player from being reached at all.
        """
        source = curve, itself
        if not itself and self._links.is_up(curve):
            return False
        if now - self._heard_of.get(source, -HEARSAY_SECONDS) < HEARSAY_SECONDS:
            return False
        self._heard_of[source] = now
        return True

    def _own_hosts(self) -> list[str]:
        if self._where.advertise:
            return list(self._where.advertise)
        # An interface may be gone for a while: its cable is pulled, its address expired.
        with contextlib.suppress(NetError):
            own = tellable(local_addresses(self._where.interface))
            self._hosts = [item.address for item in own][:MAX_ADDRESSES] or self._hosts
        return self._hosts
