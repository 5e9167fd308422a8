"""Those who watch a table, and the chat, at one seat (protocol/SPEC.md sections 6.9 and 8.4).

Watchers come to the lobby door, never to the table's: their frames wait behind those of the seats,
under the lobby's limits. Nothing is pushed to them but the list and the chat. Each asks for what it
lacks and gets one frame for an ask, if the one before has left; a watcher that does not read, or
sends what only seats may send, is served no more.

Never: gives a watcher's bytes to the table; waits for a watcher; raises for what was sent.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable

from p2p_hearts.i18n import _
from p2p_hearts.net.buckets import Buckets, Rate
from p2p_hearts.net.links import Links
from p2p_hearts.node.chat import Chat
from p2p_hearts.node.places import Places
from p2p_hearts.node.terms import TAG_GALLERY, TAG_NEWS, TAG_REMARK, TAG_TABLE, TAG_WHERE
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table.gallery import Desk, Watcher, WatchList
from p2p_hearts.table.lobby import Answer, Gate
from p2p_hearts.table.machine import Table
from p2p_hearts.wire.codec import DecodeError, decode, encode
from p2p_hearts.wire.envelope import Signer
from p2p_hearts.wire.lobby import News, SealedRoster, Whereabouts
from p2p_hearts.wire.messages import MAX_SEATS, Beat, Frame

log = logging.getLogger(__name__)

ASKS = Rate(4, 20)
"""Asks of one watcher that are answered, each with a frame of some 32 KiB at most."""

LISTS = Rate(1, 5)
"""Lists of watchers that one seat may bring, before their signatures are looked at."""

STRIKES = 20
"""Frames that no watcher may send, until it is shut out."""

LATE_ASKS = 10
"""Asks, one after the other, while an answer still waits, until a watcher is shut out."""

ASKED_SECONDS = 5.0
"""Who has not asked here for so long has what it needs, asks another seat, or left."""

WATCHER_ADDRESSES = 4
"""Addresses that are dialled for a watcher."""


class Company:
    """The watchers and the chat of one opening of a table."""

    def __init__(
        self,
        signer: Signer,
        instance: bytes,
        founder: bytes,
        rules: RuleSet,
        links: Links,
        places: Places,
        gate: Gate | None = None,
    ) -> None:
        """``founder`` is its identity; it has the ``gate``, and this seat keeps the list then."""
        self.chat = Chat(signer)
        self.strikes: Counter[bytes] = Counter()
        """By link key: what a watcher sent or did that costs it its place here."""
        self._rules = rules
        self._links = links
        self._places = places
        self._desk = None if gate is None else Desk(signer, instance, rules, gate)
        self._list = self._desk.list if self._desk else WatchList(founder, instance, rules)
        self._seats: tuple[tuple[bytes, bytes], ...] = ()
        """Identity and link key of the others who play."""
        self._own = (signer.public, links.public_key)
        self._dialled: dict[bytes, Watcher] = {}
        self._shown = 0
        """Number of the list that was told to the seats."""
        self._nicks: dict[bytes, str] = {}
        self._asks: dict[bytes, Beat] = {}
        self._asked_at: dict[bytes, float] = {}
        """When somebody asked last who does not hold the end of the match."""
        self._late: Counter[bytes] = Counter()
        self._budget = Buckets(ASKS, 64)
        self._lists = Buckets(LISTS, 64)

    @property
    def watchers(self) -> tuple[Watcher, ...]:
        """Who watches."""
        return self._list.watchers

    @property
    def seen(self) -> object:
        """A value that differs when somebody came, left or spoke."""
        return self._list.number, self.chat.lines[-1] if self.chat.lines else None

    def is_watched_by(self, key: bytes) -> bool:
        """Whether the holder of a link key is let in to watch."""
        return self._list.by_key(key) is not None

    @property
    def nicks(self) -> dict[bytes, str]:
        """What those who watch call themselves, by identity; of those who left, if they spoke."""
        return self._nicks

    def is_asked(self, now: float) -> bool:
        """Whether somebody who watches asks here now and does not hold the end of the match."""
        return any(now - then < ASKED_SECONDS for then in self._asked_at.values())

    def wait_for_all(self, now: float) -> None:
        """At the end of the match, count everybody who watches as one who asks here now.

        Who asks another seat that ends this instant then still finds this one.
        """
        self._asked_at |= {watcher.curve: now for watcher in self._list.watchers}

    def sit(self, roster: SealedRoster) -> None:
        """Note who plays from now on."""
        self.chat.table = roster.hash
        self._seats = tuple(
            (entry.identity, entry.curve)
            for entry in roster.entries
            if entry.curve != self._links.public_key
        )

    # What comes.

    def wants_in(
        self, key: bytes, body: bytes, now: float, news: Callable[[str], News]
    ) -> Answer | None:
        """Take what somebody who watches asks of the founder; ``news`` makes the answer.

        Returns the answer to somebody who is only passing by, because it is refused.
        """
        found = None if self._desk is None else self._desk.receive(key, body, now, self._taken())
        if found is None:
            return None
        watcher, refused = found
        if refused:
            return Answer(key, watcher.addresses, encode(news(refused)))
        self._meet()
        self._links.send(key, TAG_NEWS + encode(news("")))
        return None

    def take_list(self, key: bytes, body: bytes, now: float) -> None:
        """Take the list of watchers that a seat holds."""
        is_seat = any(key == curve for _identity, curve in self._seats)
        if not is_seat or body == self._list.data or not self._lists.of(key, now).take(1, now):
            return
        if self._list.adopt(body, self._taken()):
            self._meet()

    def take_ask(self, key: bytes, body: bytes, now: float, table: Table | None) -> None:
        """Take what a watcher asks for; it is answered with the next ``answer``."""
        if self._list.by_key(key) is None or self.strikes[key] >= STRIKES:
            return
        if not self._budget.of(key, now).take(1, now):
            return
        try:
            frame = decode(body, Frame)
        except DecodeError:
            self._strike(key)
            return
        if frame.envelopes or frame.beat is None:
            self._strike(key)
        elif self._links.waiting(key):
            # It does not read: nothing more is put on the heap that waits for it.
            self._late[key] += 1
            if self._late[key] >= LATE_ASKS:
                self._shut_out(key)
        elif table is not None and frame.table == table.roster.hash:
            self._asks[key] = frame.beat
            if frame.beat.finished:
                self._asked_at.pop(key, None)
            else:
                self._asked_at[key] = now

    def take_noise(self, key: bytes) -> None:
        """Count a frame that only seats may send, if it came from a watcher."""
        if self._list.by_key(key) is not None:
            self._strike(key)

    def take_remark(self, key: bytes, body: bytes, now: float) -> bool:
        """Take a line of chat; return whether it is new and may be shown."""
        watcher = self._list.by_key(key)
        if watcher is not None and self.strikes[key] < STRIKES and self._rules.watcher_chat:
            line = self.chat.receive(key, body, now, lambda author: author == watcher.identity)
            if line is not None:
                # It may have no line to the others who watch.
                self._to_watchers(TAG_REMARK + body, but=key)
            return line is not None
        if any(key == curve for _identity, curve in self._seats):
            return self.chat.receive(key, body, now, self._may_speak) is not None
        return False

    # What goes.

    def say(self, text: str, now: float) -> None:
        """Say a line to everybody; ``ValueError`` says why not."""
        if not self._seats:
            raise ValueError(_("There is nobody to talk to yet."))
        frame = TAG_REMARK + self.chat.say(text, now).envelope
        for _identity, curve in self._seats:
            self._links.send(curve, frame)
        self._to_watchers(frame)

    def greet(self, key: bytes) -> None:
        """Tell a seat or a watcher whose line just came up what it may have missed."""
        is_seat = any(key == curve for _identity, curve in self._seats)
        if is_seat and self._list.data:
            self._links.send(key, TAG_GALLERY + self._list.data)
        if not is_seat and self._list.by_key(key) is None:
            return
        if not is_seat:
            door = [(host, self._links.lobby_port) for host, _port in self._places.own]
            where = Whereabouts([(self._links.public_key, door)])
            self._links.send(key, TAG_WHERE + encode(where))
        for line in self.chat.lines:
            self._links.send(key, TAG_REMARK + line.envelope)

    def answer(self, table: Table | None) -> None:
        """Answer what was asked; all that is served is on disk by now."""
        asks, self._asks = self._asks, {}
        for key, beat in asks.items():
            if table is not None and key in self._dialled:
                self._late[key] = 0
                self._links.send(key, TAG_TABLE + table.serve(beat))

    def tick(self, now: float) -> None:
        """Let go of those who left."""
        if self._desk is not None:
            self._desk.tick(now, self._taken())
        if self._list.number != self._shown:
            self._meet()

    def _meet(self) -> None:
        """Dial who came, hang up on who left, and tell the seats."""
        spoke = {line.author for line in self.chat.lines}
        known = {item.identity: item.nick for item in self._list.watchers}
        self._nicks = {key: nick for key, nick in self._nicks.items() if key in spoke} | known
        current = {item.curve: item for item in self._list.watchers}
        for key in self._dialled.keys() - current.keys():
            del self._dialled[key], self._late[key], self.strikes[key]
            self._asked_at.pop(key, None)
            if key not in self._places.known:
                self._links.disconnect(key)
        for key, watcher in current.items():
            if key not in self._dialled and self.strikes[key] < STRIKES and self._dial(watcher):
                self._dialled[key] = watcher
        if self._list.number != self._shown:
            self._shown = self._list.number
            for _identity, curve in self._seats:
                self._links.send(curve, TAG_GALLERY + self._list.data)

    def _dial(self, watcher: Watcher) -> bool:
        try:
            self._links.connect(watcher.curve, watcher.addresses[:WATCHER_ADDRESSES])
        except ValueError:
            return False
        return True

    def _strike(self, key: bytes) -> None:
        self.strikes[key] += 1
        if self.strikes[key] == STRIKES:
            self._shut_out(key)

    def _shut_out(self, key: bytes) -> None:
        log.warning("a watcher that sends what it may not, or does not read, is shut out")
        self.strikes[key] = STRIKES
        self._links.disconnect(key)
        watcher = self._list.by_key(key)
        if self._desk is not None and watcher is not None:
            self._desk.shut_out(watcher.identity)

    def _to_watchers(self, frame: bytes, but: bytes = b"") -> None:
        for key in self._dialled:
            if key != but and not self._links.waiting(key):
                self._links.send(key, frame)

    def _may_speak(self, author: bytes) -> bool:
        if author == self._own[0] or any(author == identity for identity, _curve in self._seats):
            return True
        return self._rules.watcher_chat and self._list.by_identity(author) is not None

    def _taken(self) -> set[bytes]:
        """Identities and link keys of those who play."""
        return {*self._own, *(key for pair in self._seats for key in pair)}


def returned_news(roster: SealedRoster, refused: str) -> News:
    """Return what a founder that was started again tells those who watch."""
    nicks = [entry.nick for entry in roster.entries][:MAX_SEATS]
    ready = [True] * len(nicks)
    return News(roster.instance, refused, nicks, ready, b"" if refused else roster.data)
