"""One peer at one table: frames, effects and decisions pumped between links, table and log.

A ``Node`` begins as a founder (``open_table``) or a guest (``ask_for_seat``) and ends with the
match. It owns no rule and no proof: the lobby and the table decide, this carries out. What a table
asks to store is synced to disk before anything later is sent.

Errors: ``NodeError`` with a sentence for the player. Nothing that a peer sends raises.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from p2p_hearts import __version__
from p2p_hearts.cards.tablekey import make_table_key
from p2p_hearts.home import FullError, Home, HomeError, Seat
from p2p_hearts.net.addresses import MAX_ADDRESSES, local_addresses
from p2p_hearts.net.errors import NetError
from p2p_hearts.net.keys import CurveKeys
from p2p_hearts.net.links import LinkEventKind, Links, Received
from p2p_hearts.net.names import clean_name
from p2p_hearts.record.log import LogWriter
from p2p_hearts.record.records import RecordKind, start_data
from p2p_hearts.rules.cards import Card, CardSet
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.score import MoonChoice
from p2p_hearts.table.effects import Store
from p2p_hearts.table.lobby import Answer, FounderLobby, GuestLobby, may_move_on
from p2p_hearts.table.machine import Table
from p2p_hearts.wire.codec import DecodeError, decode, encode
from p2p_hearts.wire.lobby import (
    Entry,
    Hello,
    SealedRoster,
    TableCard,
    Whereabouts,
    sign_lobby,
)
from p2p_hearts.wire.messages import VERSION, Kind

log = logging.getLogger(__name__)

TAG_JOIN = b"\x01"
TAG_NEWS = b"\x02"
TAG_TABLE = b"\x03"
TAG_WHERE = b"\x04"
"""First byte of a link frame: for a founder's lobby, from it, of a table, or addresses."""

CLOCK_SECONDS = 0.1

NOTHING_WAS_SENT = "Nothing was sent; free some space and come back to the table."
"""What a disk that takes no more means, and what to do."""

HEARSAY_SECONDS = 5.0
"""Between two changes of a player's addresses by the same source."""

MAX_PASSERS_BY = 8
"""Strangers whom an open table answers at a time; each is dialled where it says it listens."""

PASSER_BY_ADDRESSES = 2
"""Addresses that are dialled for a stranger: a lobby must not knock at sixteen doors for one."""

MAX_SURE = 12
"""Addresses kept of those a player told of itself; the rest of ``MAX_ADDRESSES`` is hearsay."""

MAX_REASON = 200
"""Characters shown of a founder's reason."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a node waits for what, in seconds; the defaults suit people on a LAN."""

    join: float = 2.0
    """A guest repeats that it is there this often until the table is formed."""
    forming: float = 20.0
    """A founder that misses one player's part in the draw for so long looks for another player."""
    ask: float = 15.0
    """A guest that hears nothing from a founder for so long gives up."""
    linger: float = 30.0
    """After the match, how long to help those who still miss the last messages."""
    fault: float = 6.0
    """After a fault, how long to pass its evidence on."""


class NodeError(Exception):
    """The player cannot sit or go on; the text says why and what to do."""


class NoSeatError(NodeError):
    """No seat was to be had at this table."""


@dataclass(frozen=True, slots=True)
class Where:
    """How this peer listens: interface to bind, addresses to tell instead of its own."""

    interface: str | None = None
    advertise: tuple[str, ...] = ()


class Node:
    """One peer; make it with ``create``, give it a role, ``run`` it, ``close`` it."""

    def __init__(
        self,
        home: Home,
        nick: str,
        keys: CurveKeys,
        links: Links,
        where: Where,
        patience: Patience,
    ) -> None:
        """Use ``create``."""
        self.home = home
        self.nick = nick
        self.links = links
        self.founder: FounderLobby | None = None
        self.guest: GuestLobby | None = None
        self.table: Table | None = None
        self.log_path: Path | None = None
        self.warnings: list[str] = []
        self.waiting_since = time.monotonic()
        self.listeners: list[Callable[[], None]] = []
        self._keys = keys
        self._where = where
        self._patience = patience
        self._log: LogWriter | None = None
        self._stir = asyncio.Event()
        self._done = asyncio.Event()
        self._problem: NodeError | None = None
        self._told: object = None
        self._told_at = 0.0
        self._waiting: object = None
        self._rosters: list[bytes] = []
        self._instance = b""
        self._joined_at = 0.0
        self._asked_since = time.monotonic()
        self._formed_since = 0.0
        self._over_since: float | None = None
        self._passers_by: dict[bytes, float] = {}
        self._addresses: dict[bytes, list[tuple[str, int]]] = {}
        self._heard_of: dict[tuple[bytes, bool], float] = {}
        """Where each other player may listen, by link key."""
        self._sure: dict[bytes, list[tuple[str, int]]] = {}
        """Of these, what the player itself told."""
        self._seat = b""
        """The roster's envelope of the place that is kept in the home folder."""

    @classmethod
    async def create(
        cls,
        home: Home,
        nick: str,
        where: Where,
        patience: Patience | None = None,
        *,
        keys: CurveKeys | None = None,
        table_port: int = 0,
    ) -> Node:
        """Open the links of a new peer, or of one that comes back with its keys and port.

        Raises:
            NetError: a port or the interface cannot be had.
        """
        keys = keys or CurveKeys.generate()
        links = await Links.open(keys, table_port=table_port, interface=where.interface)
        nick = clean_name(nick) or "Player"
        return cls(home, nick, keys, links, where, patience or Patience())

    # Roles.

    def open_table(
        self, instance: bytes, rules: RuleSet, name: str, code: str = ""
    ) -> FounderLobby:
        """Become the founder of a new table; ``instance`` is its random id, 32 bytes."""
        self.founder = FounderLobby(
            self.home.identity,
            self._hello(instance),
            rules,
            name,
            self.links.lobby_port,
            code,
        )
        return self.founder

    def ask_for_seat(
        self, card: TableCard, addresses: Sequence[tuple[str, int]], code: str = ""
    ) -> GuestLobby:
        """Become a guest of the founder of ``card``, whose lobby is at these addresses."""
        self.guest = GuestLobby(card, self._hello(card.instance), code)
        self.links.admit([card.curve])
        self.links.connect(card.curve, addresses)
        self._asked_since = time.monotonic()
        return self.guest

    def come_back(self, roster: SealedRoster, table: Table, writer: LogWriter) -> None:
        """Take the place at a table again; ``node.returning`` makes the table from its log."""
        self._log, self.log_path = writer, writer.path
        self._take_place(roster, table)

    def dial_all(self, address: tuple[str, int]) -> None:
        """Look for every other player at this address, too: somebody moved there."""
        if self.table is not None:
            for entry in self._others(self.table.roster):
                self._add_addresses(entry.curve, [address], sure=True)

    # Running.

    async def run(self) -> None:
        """Run until the match is over, ``stop`` is called, or the player cannot go on.

        Raises:
            NodeError: refused, not answered, or the log cannot be written.
        """
        tasks = [
            asyncio.create_task(step())
            for step in (self._receive, self._watch_links, self._keep_time, self._work)
        ]
        done = asyncio.create_task(self._until_done())
        try:
            await asyncio.wait([done, *tasks], return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                if task.done():
                    task.result()
        finally:
            for task in (done, *tasks):
                task.cancel()
            await asyncio.gather(done, *tasks, return_exceptions=True)
        if self._problem is not None:
            raise self._problem

    def stop(self) -> None:
        """End ``run`` soon; a guest in the lobby gives its seat back."""
        if self.guest is not None and self.table is None:
            self.links.send(self.guest.card.curve, TAG_JOIN + self.guest.join(leaving=True))
        self._done.set()

    def fail(self, problem: NodeError) -> None:
        """End ``run`` soon, with this problem."""
        self._problem = problem
        self._done.set()

    async def close(self) -> None:
        """Close log and links."""
        try:
            if self._log is not None:
                self._log.close()
        except OSError:
            log.warning("the log could not be synced once more", exc_info=True)
        finally:
            await self.links.close()

    # The player's decisions; None is accepted, else the reason why not.

    def choose_pass(self, cards: CardSet) -> str | None:
        """Pass these cards."""
        return self._choose(lambda table: table.choose_pass(cards))

    def choose_card(self, card: Card) -> str | None:
        """Play this card."""
        return self._choose(lambda table: table.choose_card(card))

    def choose_claim(self) -> str | None:
        """Claim the rest instead of playing a card."""
        return self._choose(lambda table: table.choose_claim())

    def vote_out(self, seat: int) -> str | None:
        """Go on without a seat that is silent for too long, or that has broken a rule."""
        return self._choose(lambda table: table.vote_out(seat))

    def choose_moon(self, choice: MoonChoice) -> str | None:
        """Let the own moon count like this."""
        return self._choose(lambda table: table.choose_moon(choice))

    def _choose(self, decide: Callable[[Table], None]) -> str | None:
        if self.table is None:
            return "there is no table yet"
        try:
            decide(self.table)
        except ValueError as error:
            return str(error)
        self._stir.set()
        return None

    # Tasks.

    async def _until_done(self) -> None:
        await self._done.wait()

    async def _receive(self) -> None:
        while True:
            received = await self.links.receive()
            tag, body = received.frame[:1], received.frame[1:]
            if tag == TAG_TABLE:
                self._receive_table(received.key, body)
            elif tag == TAG_JOIN and self.founder is not None:
                self.founder.receive(received.key, body, time.monotonic())
            elif tag == TAG_NEWS:
                self._receive_news(received, body)
            elif tag == TAG_WHERE:
                self._receive_where(received.key, body)
            self._stir.set()
            # However much one peer sends, the work goes on between its frames.
            await asyncio.sleep(0)

    def _receive_table(self, key: bytes, body: bytes) -> None:
        if self.table is None:
            return
        for place, entry in enumerate(self.table.roster.entries):
            if entry.curve == key:
                self.table.receive(place, body)
                return

    def _receive_news(self, received: Received, body: bytes) -> None:
        guest = self.guest
        if guest is None or received.key != guest.card.curve:
            return
        self._asked_since = time.monotonic()
        guest.receive(body)
        if guest.refused and self.table is None:
            name, reason = clean_name(guest.card.name), clean_name(guest.refused, limit=MAX_REASON)
            self.fail(NoSeatError(f"You cannot sit at {name}: {reason}."))

    async def _watch_links(self) -> None:
        while True:
            event = await self.links.next_event()
            log.info("%s", event.sentence)
            if event.kind is LinkEventKind.UP and self.table is not None:
                for place, entry in enumerate(self.table.roster.entries):
                    if entry.curve == event.key:
                        self._say_where(entry.curve)
                        self.table.greet(place)
                        self._stir.set()

    async def _keep_time(self) -> None:
        while True:
            now = time.monotonic()
            if self.founder is not None:
                self.founder.tick(now)
                self._replace_the_silent(now)
            if self.guest is not None and not self.formed:
                self._repeat_join(now)
            if self.table is not None:
                self.table.tick(now)
                self._end_in_time(now)
            self._forget_passers_by(now)
            self._stir.set()
            await asyncio.sleep(CLOCK_SECONDS)

    async def _work(self) -> None:
        while True:
            await self._stir.wait()
            self._stir.clear()
            while True:
                self._meet()
                self._flush()
                self._tell()
                if self._problem is not None or not self._work_once():
                    break
                # Frames that came meanwhile go first: somebody may wait for an answer.
                await asyncio.sleep(0)
            self._flush()
            self._tell()

    def _work_once(self) -> bool:
        """Let the table do its next heavy step; return whether there was one."""
        if self.table is None:
            return False
        try:
            return self.table.work()
        except HomeError as error:
            self.fail(_not_written(error))
            return False

    # The lobby.

    @property
    def formed(self) -> bool:
        """Whether seats are drawn: from then on nobody can be replaced."""
        return self.table is not None and self.table.draw is not None

    def _meet(self) -> None:
        """Send the lobby's answers, and sit down once there is a roster."""
        if self.founder is not None:
            for answer in self.founder.answers():
                self._answer(answer)
        roster = self.founder.roster if self.founder is not None else None
        if self.guest is not None:
            roster = self.guest.roster
        if roster is None:
            return
        if self.table is None or may_move_on(self.table, roster):
            self._sit(roster)

    def _answer(self, answer: Answer) -> None:
        """Send news to somebody in the lobby, dialled for a while unless seated here already."""
        if answer.curve not in self._addresses:
            is_guest = self.founder is not None and self.founder.has_guest(answer.curve)
            is_new = answer.curve not in self._passers_by
            if is_new and not is_guest and len(self._passers_by) >= MAX_PASSERS_BY:
                return
            few = answer.addresses if is_guest else answer.addresses[:PASSER_BY_ADDRESSES]
            try:
                self.links.connect(answer.curve, few)
            except ValueError:
                return
            self._passers_by[answer.curve] = time.monotonic()
        self.links.send(answer.curve, TAG_NEWS + answer.news)

    def _sit(self, roster: SealedRoster) -> None:
        if self._log is not None and self.log_path is not None:
            # A formation that came to nothing: nothing was dealt at it.
            self._log.close()
            self.log_path.unlink(missing_ok=True)
            self.home.forget_seat(self._seat)
        stamp = time.strftime("%Y-%m-%d-%H%M")
        path = self.home.games / f"{stamp}-{roster.hash.hex()[:8]}.hearts"
        try:
            self._log = LogWriter.create(path)
            self._log.append(
                RecordKind.START,
                start_data(self.home.identity, __version__, int(time.time())),
            )
            self._log.append(RecordKind.ROSTER, roster.data)
            self._log.sync()
            self._seat = roster.data
            self.home.keep_seat(
                Seat(roster.data, path.name, self._keys.secret, self.links.table_port)
            )
        except OSError as error:
            self.fail(
                NodeError(f"The log {path} cannot be written: {error.strerror}. {NOTHING_WAS_SENT}")
            )
            return
        except HomeError as error:
            self.fail(_not_written(error))
            return
        self.log_path = path
        self._take_place(roster, Table(self.home.identity, roster, self.home.secrets))

    def _take_place(self, roster: SealedRoster, table: Table) -> None:
        """Sit at a table: let the others in, and dial them."""
        self.table = table
        self._seat = roster.data
        self._rosters.append(roster.hash)
        self._instance = roster.instance
        self._formed_since = time.monotonic()
        others = self._others(roster)
        keys = [entry.curve for entry in others]
        self.links.admit(keys)
        for key in self._addresses.keys() - keys:
            # Of a formation that came to nothing.
            del self._addresses[key], self._sure[key]
            self.links.disconnect(key)
        for entry in others:
            self._passers_by.pop(entry.curve, None)
            self._addresses[entry.curve] = []
            self._add_addresses(entry.curve, entry.addresses, sure=True)
            self._meet_player(entry)

    def _meet_player(self, entry: Entry) -> None:
        """Remember a player's key; warn of what is wrong with it, or with the memory."""
        try:
            warning = self.home.meet(clean_name(entry.nick), entry.identity)
        except HomeError as error:
            warning = f"{error}."
        if warning is not None and warning not in self.warnings:
            self.warnings.append(warning)

    def _others(self, roster: SealedRoster) -> list[Entry]:
        return [entry for entry in roster.entries if entry.curve != self.links.public_key]

    # Where everybody is.

    def _say_where(self, key: bytes) -> None:
        """Tell a peer all addresses known here, the own ones first."""
        own = [(host, self.links.table_port) for host in self._own_hosts()]
        known = {self.links.public_key: own, **self._addresses}
        where = Whereabouts([(curve, list(addresses)) for curve, addresses in known.items()])
        self.links.send(key, TAG_WHERE + encode(where))

    def _receive_where(self, key: bytes, body: bytes) -> None:
        """Dial players at the addresses a fellow player knows; a wrong one answers to no key."""
        if key not in self._addresses:
            return
        try:
            told = decode(body, Whereabouts).places
        except DecodeError:
            return
        now = time.monotonic()
        for curve, addresses in told:
            if curve in self._addresses and self._hears_of(curve, curve == key, now):
                self._add_addresses(curve, addresses, sure=curve == key)

    def _hears_of(self, curve: bytes, itself: bool, now: float) -> bool:
        """Whether to take addresses of a player now.

        Hearsay only while no line to it stands, and neither that nor what it says itself more often
        than dialling takes: else somebody could keep a player from being reached at all.
        """
        source = curve, itself
        if not itself and self.links.is_up(curve):
            return False
        if now - self._heard_of.get(source, -HEARSAY_SECONDS) < HEARSAY_SECONDS:
            return False
        self._heard_of[source] = now
        return True

    def _add_addresses(
        self, key: bytes, addresses: Sequence[tuple[str, int]], *, sure: bool
    ) -> None:
        """Add addresses of a player, the newest first, and dial.

        ``sure`` are those that the player itself told, or this one typed. Hearsay never pushes them
        out: somebody at the table could part two others with it.
        """
        known = self._addresses[key]
        if sure:
            older = [address for address in self._sure.get(key, []) if address not in addresses]
            self._sure[key] = [*dict.fromkeys(addresses), *older][:MAX_SURE]
        certain = self._sure.get(key, [])
        hearsay = [item for item in dict.fromkeys([*addresses, *known]) if item not in certain]
        merged = [*certain, *hearsay[: MAX_ADDRESSES - len(certain)]]
        if set(merged) == set(known):
            return
        try:
            self.links.connect(key, merged)
        except ValueError:
            log.warning("a player told an address that cannot be dialled")
            return
        self._addresses[key] = merged

    def _repeat_join(self, now: float) -> None:
        guest = self.guest
        if guest is None or now - self._joined_at < self._patience.join:
            return
        self._joined_at = now
        self.links.send(guest.card.curve, TAG_JOIN + guest.join())
        if self.table is None and now - self._asked_since > self._patience.ask:
            self.fail(
                NoSeatError(
                    f"The host of {clean_name(guest.card.name)} does not answer. "
                    "Its computer may be asleep or a firewall may stop it: "
                    "try again, and run p2p-hearts doctor on both computers."
                )
            )

    def _replace_the_silent(self, now: float) -> None:
        """As founder, look for another player when one keeps the draw from ending."""
        table, founder = self.table, self.founder
        if founder is None or table is None or table.draw is not None:
            return
        if now - self._formed_since < self._patience.forming or founder.roster is not table.roster:
            return
        silent = [item.seat for item in table.waiting() if item.seat != table.place]
        if silent:
            founder.dissolve(table.roster.entries[silent[0]].identity)

    def _forget_passers_by(self, now: float) -> None:
        """Hang up on those who asked in the lobby and are not of the table."""
        for key, since in list(self._passers_by.items()):
            if now - since > self._patience.ask:
                del self._passers_by[key]
                self.links.disconnect(key)

    # The table.

    def _flush(self) -> None:
        """Carry out the table's effects: all stores, one sync, then all sends."""
        table, writer = self.table, self._log
        if table is None or writer is None or self._problem is not None:
            return
        effects = table.drain()
        try:
            for effect in effects:
                if isinstance(effect, Store):
                    writer.append(RecordKind.CONTENT, effect.envelope)
            writer.sync()
        except OSError as error:
            self.fail(
                NodeError(
                    f"The log {self.log_path} cannot be written: {error.strerror}. "
                    f"{NOTHING_WAS_SENT}"
                )
            )
            return
        for effect in effects:
            if not isinstance(effect, Store):
                self._send(table, effect.to, TAG_TABLE + effect.frame)

    def _send(self, table: Table, to: int | None, frame: bytes) -> None:
        for place, entry in enumerate(table.roster.entries):
            if place != table.place and to in (None, place):
                self.links.send(entry.curve, frame)

    def _end_in_time(self, now: float) -> None:
        table = self.table
        if table is None:
            return
        if table.stopped_for_good or table.over:
            if self._over_since is None:
                self._over_since = now
                self.home.secrets.forget_table(self._instance, self._rosters)
                self.home.forget_seat(self._seat)
            patience = self._patience.linger if table.over else self._patience.fault
            if table.all_finished or now - self._over_since > patience:
                self._done.set()

    def _tell(self) -> None:
        """Tell the listeners when something changed that a player sees, and once a second."""
        now = time.monotonic()
        table = self.table
        state: object = (
            self.founder.nicks if self.founder else None,
            self.guest.nicks if self.guest else None,
        )
        if table is not None:
            waiting = (table.history.certified, table.waiting())
            if waiting != self._waiting:
                self._waiting, self.waiting_since = waiting, now
            state = (
                len(table.history.rounds),
                len(table.history.current.speeches),
                table.decision,
                table.fault,
                table.over,
                table.match.totals,
                table.hand.facts if table.hand else None,
            )
        if state != self._told or now - self._told_at >= 1.0:
            self._told, self._told_at = state, now
            for listener in self.listeners:
                listener()

    def _hello(self, instance: bytes) -> bytes:
        secret = self.home.secrets.table_key(instance)
        identity, curve = self.home.identity, self.links.public_key
        public, proof = make_table_key(secret, instance, identity.public, curve)
        return sign_lobby(
            identity,
            Hello(
                version=VERSION,
                instance=instance,
                author=identity.public,
                curve=curve,
                nick=self.nick,
                addresses=[(host, self.links.table_port) for host in self._own_hosts()],
                table_key=public,
                table_proof=proof,
            ),
        )

    def _own_hosts(self) -> list[str]:
        """Addresses to tell others: those of the network first, loopback last."""
        if self._where.advertise:
            return list(self._where.advertise)
        own = local_addresses(self._where.interface)
        usable = [item.address for item in own if not item.is_loopback and not item.is_link_local]
        loops = [item.address for item in own if item.is_loopback]
        return [*usable, *loops][:16] or ["127.0.0.1"]


def _not_written(error: HomeError) -> NodeError:
    """Return what a player is told when a file of its folder failed before anything was sent."""
    advice = NOTHING_WAS_SENT if isinstance(error, FullError) else "Nothing was sent."
    return NodeError(f"{error}. {advice}")


def decision_of(node: Node) -> Kind | None:
    """Return what the table waits for from this node's player."""
    return None if node.table is None else node.table.decision


__all__ = ["NetError", "Node", "NodeError", "Where", "decision_of"]
