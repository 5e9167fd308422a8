"""Somebody who watches a table: comes in, asks for what it lacks, verifies all of it.

A ``WatchingNode`` asks the founder to let it in, then one of the players after the other for what
it lacks, one ask at a time (``node.asking``). A founder that is gone, or a player that comes back
elsewhere, changes nothing as long as one of them answers. The table is the players' own, without a
seat (``table.watching``).

A player that signs something else for those who watch alone is convicted here and nowhere else, and
this table could not follow the others' any more. So it is begun again without that player's word.

Errors: ``NodeError`` with a sentence: refused, not answered, or a log that cannot be written.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from p2p_hearts.home import Home
from p2p_hearts.i18n import _, os_reason
from p2p_hearts.net.addresses import MAX_ADDRESSES
from p2p_hearts.net.keys import CurveKeys
from p2p_hearts.net.links import Links
from p2p_hearts.net.names import clean_name
from p2p_hearts.net.terms import Received
from p2p_hearts.node.asking import Asking
from p2p_hearts.node.awake import AwakeClock
from p2p_hearts.node.chat import Chat, Unlisted
from p2p_hearts.node.following import Following
from p2p_hearts.node.keeping import close_log, write_contents
from p2p_hearts.node.pump import listen
from p2p_hearts.node.reception import MAX_REASON
from p2p_hearts.node.terms import (
    TAG_ASK,
    TAG_NEWS,
    TAG_REMARK,
    TAG_TABLE,
    TAG_WATCH,
    TAG_WHERE,
    NodeError,
    NoSeatError,
    Patience,
    Where,
)
from p2p_hearts.record.log import LogWriter, begin_log
from p2p_hearts.table.effects import Store
from p2p_hearts.table.gallery import VisitorLobby
from p2p_hearts.table.machine import Table
from p2p_hearts.table.watching import make_ask, watch_table
from p2p_hearts.wire.codec import DecodeError, decode
from p2p_hearts.wire.lobby import Onlooker, SealedRoster, TableCard, Whereabouts, sign_lobby
from p2p_hearts.wire.messages import VERSION, Frame

REPEAT_SECONDS = 10.0
"""So often a watcher tells the founder that it is still there, once the game has begun."""

FAULT_SECONDS = 20.0
"""After a fault, how long to look whether the players go on."""

UNKNOWN_SECONDS = 10.0
"""A fault that another player does not know so long after it was found here was told here alone."""


class WatchingNode(Following):
    """Make it with ``create``, ``run`` it, ``close`` it."""

    def __init__(
        self,
        home: Home,
        nick: str,
        links: Links,
        where: Where,
        patience: Patience,
        log: Path | None,
    ) -> None:
        """Use ``create``."""
        super().__init__(home, nick, links, where, patience)
        self.lobby: VisitorLobby | None = None
        self.chat: Chat | None = None
        self._unlisted: Unlisted | None = None
        self.log_path = log
        self._writer: LogWriter | None = None
        self._joined_at = 0.0
        self._clock = AwakeClock()
        self._heard_at = self._clock()
        """When anybody at the table was heard last."""
        self._asking = Asking(sum(links.public_key))
        self._fault_since: float | None = None
        self._doors: dict[bytes, list[tuple[str, int]]] = {}
        self.unheard: set[bytes] = set()
        """By link key, players that have shown here what they did not show the others."""

    @classmethod
    async def create(
        cls,
        home: Home,
        nick: str,
        where: Where,
        patience: Patience | None = None,
        *,
        log: Path | None = None,
    ) -> WatchingNode:
        """Open the links of somebody who watches; ``log``: a file to write the game to.

        Raises:
            NetError: a port or the interface cannot be had.
        """
        links = await listen(CurveKeys.generate(), where)
        return cls(home, clean_name(nick) or "Watcher", links, where, patience or Patience(), log)

    def ask_to_watch(
        self, card: TableCard, addresses: Sequence[tuple[str, int]], code: str = ""
    ) -> None:
        """Ask the founder of ``card``, whose lobby is at these addresses.

        Raises:
            LobbyError: the card's rules make no table.
        """
        onlooker = Onlooker(
            version=VERSION,
            instance=card.instance,
            author=self.home.identity.public,
            curve=self.links.public_key,
            nick=self.nick,
            addresses=self.places.own,
        )
        self.lobby = VisitorLobby(card, sign_lobby(self.home.identity, onlooker), code)
        self.chat = Chat(self.home.identity)
        self._doors[card.curve] = list(addresses)
        self.links.admit([card.curve])
        self.links.connect(card.curve, addresses)
        self._heard_at = self._clock()

    def say(self, text: str) -> str | None:
        """Say a line of chat, where the table allows it; None, or the reason why not."""
        table, chat = self.table, self.chat
        if table is None or chat is None:
            return _("There is nobody to talk to yet.")
        if not table.roster.rules.watcher_chat:
            return _("Those who watch this table may not chat.")
        try:
            line = chat.say(text, time.monotonic())
        except ValueError as error:
            return str(error)
        for key in self._doors:
            self.links.send(key, TAG_REMARK + line.envelope)
        return None

    def stop(self) -> None:
        """End ``run`` soon, and give the place back."""
        if self.lobby is not None:
            leaving = TAG_WATCH + self.lobby.join(leaving=True)
            self.links.send(self.lobby.card.curve, leaving)
        super().stop()

    async def close(self) -> None:
        """Close log and links."""
        try:
            if self._writer is not None:
                close_log(self._writer)
        finally:
            await self.links.close()

    # What the pump calls.

    def _take(self, received: Received) -> None:
        tag, key, body = received.frame[:1], received.key, received.frame[1:]
        place = self._place_of(key)
        if tag == TAG_NEWS:
            self._take_news(key, body)
        elif place is None or self.table is None or key in self.unheard:
            return
        elif tag == TAG_TABLE:
            self._heard_at = self._clock()
            before = self.table.history.certified, len(self.table.history.rounds)
            self.table.receive(place, body)
            after = self.table.history.certified, len(self.table.history.rounds)
            self._asking.answered(key, has_news=before != after)
            self._compare(self.table, key, body)
        elif tag == TAG_WHERE:
            self._take_door(key, body)
        elif tag == TAG_REMARK:
            self._take_remark(key, body, time.monotonic())

    def _compare(self, table: Table, key: bytes, body: bytes) -> None:
        """Begin again without a liar's word if somebody else knows nothing of its fault."""
        fault, since = table.fault, self._fault_since
        if fault is None or since is None or time.monotonic() - since < UNKNOWN_SECONDS:
            return
        place = fault.seat if fault.hand == 0 else table.player_at(fault.seat)
        liar = table.roster.entries[place]
        if key == liar.curve or liar.curve in self.unheard:
            return
        try:
            beat = decode(body, Frame).beat
        except DecodeError:
            return
        if beat is None or beat.fault:
            return
        self.unheard.add(liar.curve)
        self._begin(table.roster)

    def _take_remark(self, key: bytes, body: bytes, now: float) -> None:
        """Take a line of chat: of a seat, or of few others where those who watch may talk."""
        chat, table, unlisted = self.chat, self.table, self._unlisted
        if chat is None or table is None:
            return
        listed = {entry.identity for entry in table.roster.entries} | {self.home.identity.public}

        def may_speak(author: bytes) -> bool:
            return author in listed or (
                unlisted is not None and unlisted.may_speak(key, author, now)
            )

        line = chat.receive(key, body, now, may_speak)
        if line is not None and unlisted is not None and line.author not in listed:
            unlisted.note(key, line.author, now)

    def _take_news(self, key: bytes, body: bytes) -> None:
        lobby = self.lobby
        if lobby is None or key != lobby.card.curve:
            return
        self._heard_at = self._clock()
        lobby.receive(body)
        if lobby.refused and self.table is None:
            name = clean_name(lobby.card.name)
            reason = _(clean_name(lobby.refused, limit=MAX_REASON))
            self.fail(
                NoSeatError(
                    _("You cannot watch {name}: {reason}.").format(name=name, reason=reason)
                )
            )

    def _take_door(self, key: bytes, body: bytes) -> None:
        """Dial a player where it says its lobby door is; a wrong one answers to no key."""
        try:
            told = decode(body, Whereabouts).places
        except DecodeError:
            return
        for curve, addresses in told[:1]:
            if curve == key and addresses and self._doors.get(key) != addresses:
                try:
                    self.links.connect(key, addresses[:MAX_ADDRESSES])
                except ValueError:
                    return
                self._doors[key] = list(addresses)

    def _link_up(self, key: bytes) -> None:
        """Nothing is said before somebody is asked."""

    def _tick(self, now: float) -> None:
        lobby = self.lobby
        self._clock()
        if lobby is None:
            return
        pause = self._patience.join if self.table is None else REPEAT_SECONDS
        if now - self._joined_at >= pause:
            self._joined_at = now
            self.links.send(lobby.card.curve, TAG_WATCH + lobby.join())
        if self.table is None:
            if self.silent_seconds > self._patience.ask:
                self.fail(NoSeatError(_no_answer(lobby.card)))
            return
        self.table.tick(now)
        self._ask(self.table, now)
        self._end_in_time(self.table, now)

    def _ask(self, table: Table, now: float) -> None:
        """Ask one player for what this table lacks, if it is time."""
        if table.over:
            return
        heard = [key for key in self._doors if key not in self.unheard]
        asked = self._asking.next([key for key in heard if self.links.is_up(key)], now)
        if asked is not None:
            self.links.send(asked, TAG_ASK + make_ask(table))

    def _flush(self) -> None:
        roster = None if self.lobby is None else self.lobby.roster
        if roster is not None and self._is_next(roster):
            self._follow(roster)
        if self.table is None or self._problem is not None:
            return
        stores = [item.envelope for item in self.table.drain() if isinstance(item, Store)]
        if self._writer is not None and stores:
            try:
                write_contents(self._writer, stores)
            except OSError as error:
                self._no_log(error)

    def _seen(self, now: float) -> object:
        table = self.table
        said = self.chat.lines[-1] if self.chat is not None and self.chat.lines else None
        if table is None:
            return (self.lobby.nicks if self.lobby else None, said)
        return self.glance.seen(table, now), said

    # The table.

    @property
    def silent_seconds(self) -> float:
        """How long nobody at the table has been heard."""
        return self._clock() - self._heard_at

    def _follow(self, roster: SealedRoster) -> None:
        """Follow the game of a roster, and no longer that of a formation that came to nothing."""
        founder = roster.entries[0].curve
        for key in [key for key in self._doors if key != founder]:
            del self._doors[key]
            self.links.disconnect(key)
        self._begin(roster)

    def _begin(self, roster: SealedRoster) -> None:
        """Follow the game of a roster from its start, in a log of its own."""
        try:
            self._take_table(watch_table(self.home.identity, roster))
        except ValueError:
            self.fail(NoSeatError(_("You play at this table; watch it with another --home DIR.")))
            return
        if self.chat is not None:
            self.chat.table = roster.hash
        if self._unlisted is None and roster.rules.watcher_chat and roster.rules.watchers:
            self._unlisted = Unlisted(roster.rules.watchers)
        self.links.admit([entry.curve for entry in roster.entries])
        self._asking.begin()
        self._fault_since = None
        if self.log_path is None:
            return
        try:
            if self._writer is not None:
                self._writer.discard()
            self._writer = begin_log(
                self.log_path, self.home.identity, roster.data, int(time.time())
            )
        except OSError as error:
            self._no_log(error)

    def _no_log(self, error: OSError) -> None:
        self.fail(
            NodeError(
                _(
                    "The log {path} cannot be written: {reason}. Watch again with another file."
                ).format(path=self.log_path, reason=os_reason(error))
            )
        )

    def _end_in_time(self, table: Table, now: float) -> None:
        """End with the match, or when the players have not gone on after a fault."""
        if table.over:
            # Said once more to everybody: a seat that is asked does not leave before.
            for key in self._doors:
                self.links.send(key, TAG_ASK + make_ask(table))
            self.stop()
        elif table.fault is None:
            self._fault_since = None
        elif self._fault_since is None:
            self._fault_since = now
        elif now - self._fault_since > FAULT_SECONDS and self.silent_seconds > FAULT_SECONDS:
            self.stop()


def _no_answer(card: TableCard) -> str:
    return _(
        "The host of {name} does not answer. Its computer may be asleep or a firewall may stop it: "
        "try again, and run p2p-hearts doctor on both computers."
    ).format(name=clean_name(card.name))
