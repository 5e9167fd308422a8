"""Who watches a table, sans-IO (protocol/SPEC.md section 8.4).

The founder lets people watch, as many as the rules allow, and signs the list of them; every seat
holds the list with the highest number and serves those in it. Nobody in it is of the game: what a
watcher gets is what everybody's log holds, and nothing that it sends reaches the history.

Never: reads a clock or a socket; raises for anything that was sent.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from p2p_hearts.i18n import N_, _
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table.lobby import Gate, GuestLobby
from p2p_hearts.wire.codec import DecodeError, decode
from p2p_hearts.wire.envelope import BadSignatureError, Signer
from p2p_hearts.wire.lobby import (
    Gallery,
    Join,
    LobbyError,
    Onlooker,
    SealedRoster,
    open_lobby,
    sign_lobby,
)
from p2p_hearts.wire.messages import VERSION

WATCHER_SECONDS = 40.0
"""A watcher that was not heard for so long has left; watchers repeat themselves every ten."""

CHANGE_SECONDS = 1.0
"""Between two lists: each goes to every seat. Who comes in between asks again."""


@dataclass(frozen=True, slots=True)
class Watcher:
    """Somebody who watches, as its own signed words say."""

    identity: bytes
    curve: bytes
    nick: str
    addresses: tuple[tuple[str, int], ...]
    envelope: bytes


class WatchList:
    """The founder's list as one seat holds it."""

    def __init__(self, founder: bytes, instance: bytes, rules: RuleSet) -> None:
        """Nobody watches yet. ``founder`` is an identity."""
        self.watchers: tuple[Watcher, ...] = ()
        self.number = 0
        self.data = b""
        """The list's envelope; empty before the first."""
        self._founder = founder
        self._instance = instance
        self._most = rules.watchers

    def by_key(self, curve: bytes) -> Watcher | None:
        """Return the watcher that holds a link key."""
        return next((item for item in self.watchers if item.curve == curve), None)

    def by_identity(self, identity: bytes) -> Watcher | None:
        """Return the watcher of an identity."""
        return next((item for item in self.watchers if item.identity == identity), None)

    def adopt(self, data: bytes, seated: Collection[bytes] = ()) -> bool:
        """Take a list if it is the founder's and newer; return whether it was taken.

        ``seated``: identities and link keys of those who play; nobody plays and watches.
        """
        if data == self.data:
            return False
        try:
            gallery = open_lobby(data, Gallery)
            if gallery.number <= self.number or gallery.author != self._founder:
                return False
            watchers = tuple(open_onlooker(item, gallery.instance) for item in gallery.watchers)
        except (DecodeError, BadSignatureError, LobbyError):
            return False
        keys = [key for item in watchers for key in (item.identity, item.curve)]
        is_sound = (
            gallery.instance == self._instance
            and len(watchers) <= self._most
            and len(set(keys)) == len(keys)
            and not set(keys) & set(seated)
        )
        if is_sound:
            self.watchers, self.number, self.data = watchers, gallery.number, data
        return is_sound


class Desk:
    """The founder's side: lets people watch, and lets go of those who left."""

    def __init__(self, signer: Signer, instance: bytes, rules: RuleSet, gate: Gate) -> None:
        """Open the gallery; ``gate`` asks for the join code."""
        self.list = WatchList(signer.public, instance, rules)
        self._signer = signer
        self._instance = instance
        self._most = rules.watchers
        self._gate = gate
        self._heard: dict[bytes, float] = {}
        """By identity."""
        self._changed_at = -CHANGE_SECONDS
        self._shut_out: set[bytes] = set()

    def shut_out(self, identity: bytes) -> None:
        """Let a watcher go, and not in again."""
        self._shut_out.add(identity)

    def receive(
        self, curve: bytes, data: bytes, now: float, seated: Collection[bytes]
    ) -> tuple[Watcher, str] | None:
        """Take a ``Join`` of somebody who wants to watch.

        Returns who it is and why it may not, or nothing; None if there is nobody to answer.
        """
        try:
            join = decode(data, Join)
            watcher = open_onlooker(join.hello, self._instance)
        except (DecodeError, BadSignatureError, LobbyError):
            return None
        if watcher.curve != curve:
            return None
        known = self.list.by_key(curve)
        if known is not None and known.envelope == watcher.envelope:
            self._heard[watcher.identity] = now
            if join.leaving and self._may_change(now):
                self._sign([item for item in self.list.watchers if item is not known], now)
            return None if join.leaving else (watcher, "")
        if join.leaving or not self._may_change(now):
            return None
        reason = self._refusal(watcher, join.code, seated)
        if not reason:
            # Who comes back with new keys takes its own place again.
            others = [item for item in self.list.watchers if item.identity != watcher.identity]
            self._heard[watcher.identity] = now
            self._sign([*others, watcher], now)
        return watcher, reason

    def tick(self, now: float, seated: Collection[bytes]) -> None:
        """Let go of watchers that were not heard for a while, and of those who sat down."""
        for watcher in self.list.watchers:
            self._heard.setdefault(watcher.identity, now)
        stay = [
            item
            for item in self.list.watchers
            if now - self._heard[item.identity] <= WATCHER_SECONDS
            and not {item.identity, item.curve} & {*seated, *self._shut_out}
        ]
        if len(stay) < len(self.list.watchers) and self._may_change(now):
            self._sign(stay, now)

    def _refusal(self, watcher: Watcher, code: str, seated: Collection[bytes]) -> str:
        """Return why somebody may not watch, in English: the watcher's program translates it."""
        if not self._most:
            return N_("nobody may watch this table")
        if {watcher.identity, watcher.curve} & set(seated):
            return N_("you play at this table; watch as somebody else with --home")
        if watcher.identity in self._shut_out:
            return N_("you were shut out here, for what your program sent or did not read")
        if reason := self._gate.refusal(code):
            return reason
        known = self.list.by_identity(watcher.identity)
        if known is None and len(self.list.watchers) >= self._most:
            return N_("as many people watch this table as it allows; try again later")
        return ""

    def _may_change(self, now: float) -> bool:
        return now - self._changed_at >= CHANGE_SECONDS

    def _sign(self, watchers: list[Watcher], now: float) -> None:
        self._changed_at = now
        gallery = Gallery(
            version=VERSION,
            instance=self._instance,
            author=self._signer.public,
            number=self.list.number + 1,
            watchers=[item.envelope for item in watchers],
        )
        self.list.adopt(sign_lobby(self._signer, gallery))


class VisitorLobby(GuestLobby):
    """A watcher's side of the lobby: as a guest's, but it sits in no roster."""

    def _lists_me(self, roster: SealedRoster) -> bool:
        return True


def open_onlooker(data: bytes, instance: bytes) -> Watcher:
    """Verify what somebody who watches says of itself.

    Raises:
        DecodeError, BadSignatureError: it is malformed or wrongly signed.
        LobbyError: it is for another opening of the table.
    """
    said = open_lobby(data, Onlooker)
    if said.instance != instance:
        raise LobbyError(_("a watcher's words are for another opening of the table"))
    where = tuple((host, port) for host, port in said.addresses)
    return Watcher(said.author, said.curve, said.nick, where, data)
