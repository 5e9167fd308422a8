"""One peer at one table: frames, effects and decisions between links, table, log and player.

A ``Node`` begins as a founder (``open_table``) or a guest (``ask_for_seat``) and ends with the
match. It owns no rule and no proof: the lobby and the table decide, this carries out. What a table
asks to store is synced to disk before anything later is sent.

Errors: ``NodeError`` with a sentence for the player. Nothing that a peer sends raises.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from p2p_hearts.cards.tablekey import make_table_key
from p2p_hearts.home import Home, HomeError
from p2p_hearts.i18n import _
from p2p_hearts.net.keys import CurveKeys
from p2p_hearts.net.links import Links
from p2p_hearts.net.names import clean_name
from p2p_hearts.net.terms import Received
from p2p_hearts.node.chat import Chat
from p2p_hearts.node.company import Company, returned_news
from p2p_hearts.node.farewell import Farewell
from p2p_hearts.node.following import Following
from p2p_hearts.node.keeping import Keeping
from p2p_hearts.node.people import People
from p2p_hearts.node.pump import listen
from p2p_hearts.node.reception import Reception
from p2p_hearts.node.terms import (
    TAG_AHEAD,
    TAG_ASK,
    TAG_GALLERY,
    TAG_JOIN,
    TAG_NEWS,
    TAG_REMARK,
    TAG_TABLE,
    TAG_WATCH,
    TAG_WHERE,
    NodeError,
    Patience,
    Where,
    not_written,
)
from p2p_hearts.record.log import LogWriter
from p2p_hearts.rules.cards import Card, CardSet
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.score import MoonChoice
from p2p_hearts.table.effects import Send, Show, Store
from p2p_hearts.table.lobby import FounderLobby, Gate, GuestLobby, returned_card
from p2p_hearts.table.machine import Table
from p2p_hearts.wire.lobby import Entry, Hello, News, SealedRoster, TableCard, sign_lobby
from p2p_hearts.wire.messages import VERSION

FOUNDER = 0
"""Place of the founder in every roster."""


class Node(Following):
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
        super().__init__(home, nick, links, where, patience)
        self.company: Company | None = None
        """Who watches, and the chat; from the founder's opening or the roster on."""
        self.people = People(home)
        self.asks_ready = False
        """Whether a person sits here, who says when the cards may come."""
        self.reception = Reception(links, self.places, patience)
        self._keys = keys
        self._keeping = Keeping(home)
        self._rosters: list[bytes] = []
        self._instance = b""
        self._formed_since = 0.0
        self._farewell: Farewell | None = None
        """From the end of the match on, or from a fault that ends it."""
        self.door_port = 0
        """Of a founder: where its card door listens."""
        self._gate: Gate | None = None

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

        ``table_port``: for the table instead of that of ``where``; 0 for none.

        Raises:
            NetError: a port or the interface cannot be had.
        """
        keys = keys or CurveKeys.generate()
        links = await listen(keys, where, table_port)
        nick = clean_name(nick) or "Player"
        return cls(home, nick, keys, links, where, patience or Patience())

    # Roles.

    @property
    def founder(self) -> FounderLobby | None:
        """The founder's lobby, if this node opened the table."""
        return self.reception.founder

    @property
    def guest(self) -> GuestLobby | None:
        """The guest's side of the lobby, if this node asked for a seat."""
        return self.reception.guest

    @property
    def log_path(self) -> Path | None:
        """Where the log of the current table lies."""
        return self._keeping.path

    @property
    def chat(self) -> Chat | None:
        """The chat, from the founder's opening or the roster on."""
        return None if self.company is None else self.company.chat

    def open_table(
        self, instance: bytes, rules: RuleSet, name: str, code: str = ""
    ) -> FounderLobby:
        """Become the founder of a new table; ``instance`` is its random id, 32 bytes."""
        hello, port = self._hello(instance), self.links.lobby_port
        founder = FounderLobby(self.home.identity, hello, rules, name, port, code)
        self.reception.founder, self._gate = founder, founder.gate
        self.company = self._make_company(instance, self.home.identity.public, rules)
        return founder

    def card(self) -> bytes:
        """Return the card for the founder's door, also at a table that it came back to.

        Raises:
            ValueError: this node is no founder.
        """
        if self.founder is not None:
            return self.founder.card()
        if self.table is None or self._gate is None:
            raise ValueError("only a founder shows a card")
        port, coded = self.links.lobby_port, bool(self._gate.code)
        return returned_card(self.home.identity, self.table.roster, port, coded=coded)

    def ask_for_seat(
        self, card: TableCard, addresses: Sequence[tuple[str, int]], code: str = ""
    ) -> GuestLobby:
        """Become a guest of the founder of ``card``, whose lobby is at these addresses."""
        guest = GuestLobby(card, self._hello(card.instance), code)
        self.reception.ask(guest, addresses)
        return guest

    def come_back(
        self, roster: SealedRoster, table: Table, writer: LogWriter, code: str = ""
    ) -> None:
        """Take the place at a table again; ``node.returning`` makes the table from its log.

        A founder asks for the same ``code`` as before of those who want to watch.
        """
        self._keeping.adopt(roster, writer)
        if roster.entries[0].identity == self.home.identity.public:
            self._gate = Gate(code)
        self._take_place(roster, table)

    def dial_all(self, address: tuple[str, int]) -> None:
        """Look for every other player at this address, too: somebody moved there."""
        if self.table is not None:
            for entry in self._others(self.table.roster):
                self.places.add(entry.curve, [address], sure=True)

    def stop(self) -> None:
        """End ``run`` soon; a guest in the lobby gives its seat back."""
        if self.table is None:
            self.reception.give_back()
        super().stop()

    async def close(self) -> None:
        """Close log and links; who leaves nothing to come back to leaves nothing secret behind."""
        if self.table is None:
            self.home.secrets.forget_table(self._instance, [])
        elif self._is_over(self.table):
            self._leave_for_good(self.table)
        try:
            self._keeping.close()
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

    def ask_ready(self) -> None:
        """Let a person say when the cards may come; without this a seat is ready at once."""
        self.asks_ready = True
        self.be_ready(False)

    def be_ready(self, ready: bool) -> None:
        """Say in the lobby whether the person is ready for the cards."""
        if self.founder is not None:
            self.founder.be_ready(ready)
        elif self.guest is not None and self.table is None:
            self.guest.ready = ready
            self.reception.ask_again()
        self._stir.set()

    def say(self, text: str) -> str | None:
        """Say a line of chat to everybody at the table."""
        if self.company is None:
            return _("There is nobody to talk to yet.")
        try:
            self.company.say(text, time.monotonic())
        except ValueError as error:
            return str(error)
        self._stir.set()
        return None

    def _choose(self, decide: Callable[[Table], None]) -> str | None:
        if self.table is None:
            return _("There is no table yet.")
        try:
            with self._minding_home():
                if self._problem is None:
                    decide(self.table)
        except ValueError as error:
            return str(error)
        self._stir.set()
        return None if self._problem is None else str(self._problem)

    @contextmanager
    def _minding_home(self) -> Iterator[None]:
        """If a secret cannot be had in this block, this node cannot go on, and nothing is sent.

        Whatever comes from a peer or the player may begin a hand anew, which needs one.
        """
        try:
            yield
        except HomeError as error:
            self.fail(not_written(error))

    # What the pump calls.

    def _take(self, received: Received) -> None:
        tag, body = received.frame[:1], received.frame[1:]
        if tag in (TAG_TABLE, TAG_AHEAD):
            self._receive_table(received.key, tag, body)
        elif tag == TAG_JOIN:
            self.reception.receive_join(received.key, body)
        elif tag == TAG_NEWS:
            try:
                self.reception.receive_news(received.key, body)
            except NodeError as problem:
                self.fail(problem)
        elif tag == TAG_WHERE:
            self.places.receive(received.key, body)
        elif self.company is not None:
            self._take_company(self.company, tag, received.key, body)

    def _take_company(self, company: Company, tag: bytes, key: bytes, body: bytes) -> None:
        """Take what has to do with those who watch, or with chat."""
        now = time.monotonic()
        if tag == TAG_WATCH:
            answer = company.wants_in(key, body, now, self._news)
            if answer is not None:
                self.reception.answer(answer)
            elif company.is_watched_by(key):
                self.reception.passers_by.pop(key, None)
        elif tag == TAG_ASK:
            company.take_ask(key, body, now, self.table)
        elif tag == TAG_GALLERY:
            company.take_list(key, body, now)
        elif tag == TAG_REMARK:
            company.take_remark(key, body, now)

    def _news(self, refused: str) -> News:
        if self.founder is not None:
            return self.founder.news(refused)
        if self.table is None:
            raise RuntimeError("a founder without a lobby and a table")
        return returned_news(self.table.roster, refused)

    def _receive_table(self, key: bytes, tag: bytes, body: bytes) -> None:
        place = self._place_of(key)
        if self.table is not None and place is not None:
            if tag == TAG_AHEAD:
                self.table.receive_ahead(place, body)
                return
            with self._minding_home():
                self.table.receive(place, body)
            if self._farewell is not None and place in self.table.unfinished:
                self._farewell.hear(time.monotonic())
        elif self.company is not None:
            self.company.take_noise(key)

    def _link_up(self, key: bytes) -> None:
        place = self._place_of(key)
        if self.table is not None and place is not None:
            self.places.say(key)
            self.table.greet(place)
            self._stir.set()
        if self.company is not None:
            self.company.greet(key)

    def _tick(self, now: float) -> None:
        try:
            self.reception.tick(self.table, self._formed_since)
        except NodeError as problem:
            self.fail(problem)
        if self.table is not None:
            with self._minding_home():
                self.table.tick(now)
            self._end_in_time(now)
        if self.company is not None:
            self.company.tick(now)

    def _step(self) -> bool:
        with self._minding_home():
            if super()._step():
                return True
        return False

    def _flush(self) -> None:
        """Send the lobby's answers, sit down once there is a roster, and do as the table says."""
        self.reception.send_answers()
        roster = self.reception.roster
        if roster is not None and self._is_next(roster):
            self._sit(roster)
        self._carry_out()
        if self.table is not None and self.table.has_formed:
            self.people.remember()
        if self.company is not None and self._problem is None:
            self.company.answer(self.table)

    def _seen(self, now: float) -> object:
        table = self.table
        seen = None if self.company is None else self.company.seen
        if table is None:
            return (
                (self.founder.nicks, self.founder.ready) if self.founder else None,
                (self.guest.nicks, self.guest.told_ready, self.guest.ready) if self.guest else None,
                seen,
            )
        return self.glance.seen(table, now), seen

    # Sitting down.

    @property
    def formed(self) -> bool:
        """Whether seats are drawn: from then on nobody can be replaced."""
        return self.table is not None and self.table.draw is not None

    @property
    def may_form_again(self) -> bool:
        """Whether a fault ended a formation and its founder looks for somebody else."""
        table, has_lobby = self.table, self.founder is not None or self.guest is not None
        if table is None or not table.is_forming or table.fault is None:
            return False
        return has_lobby and table.fault.seat not in (FOUNDER, table.place)

    def _sit(self, roster: SealedRoster) -> None:
        try:
            self._keeping.begin(
                roster,
                self._keys.secret,
                self.links.table_port,
                "" if self._gate is None else self._gate.code,
                self.door_port,
            )
        except NodeError as problem:
            self.fail(problem)
            return
        if self.table is not None:
            self.table.forget_secrets()
        self._take_place(roster, Table(self.home.identity, roster, self.home.secrets))

    def _take_place(self, roster: SealedRoster, table: Table) -> None:
        """Sit at a table: let the others in, and dial them."""
        self._take_table(table)
        self._rosters.append(roster.hash)
        self._instance = roster.instance
        self._formed_since = self.reception.clock()
        others = self._others(roster)
        keys = [entry.curve for entry in others]
        self.links.admit(keys)
        self.places.keep_only(keys)
        for entry in others:
            self.reception.passers_by.pop(entry.curve, None)
            self.places.meet(entry.curve, entry.addresses)
        self.people.sit([(clean_name(entry.nick), entry.identity) for entry in others])
        if self.company is None:
            founder = roster.entries[0].identity
            self.company = self._make_company(roster.instance, founder, roster.rules)
        self.company.sit(roster)

    def _make_company(self, instance: bytes, founder: bytes, rules: RuleSet) -> Company:
        identity = self.home.identity
        return Company(identity, instance, founder, rules, self.links, self.places, self._gate)

    def _others(self, roster: SealedRoster) -> list[Entry]:
        return [entry for entry in roster.entries if entry.curve != self.links.public_key]

    # The table.

    def _carry_out(self) -> None:
        """Carry out the table's effects: all stores, one sync, then all sends."""
        table = self.table
        if table is None or self._keeping.writer is None or self._problem is not None:
            return
        effects = table.drain()
        try:
            self._keeping.store([item.envelope for item in effects if isinstance(item, Store)])
        except NodeError as problem:
            self.fail(problem)
            return
        for effect in effects:
            if isinstance(effect, Send):
                self._send(table, effect.to, TAG_TABLE + effect.frame)
            elif isinstance(effect, Show):
                self._send(table, effect.to, TAG_AHEAD + effect.ahead)

    def _send(self, table: Table, to: int | None, frame: bytes) -> None:
        for place, entry in enumerate(table.roster.entries):
            if place != table.place and to in (None, place):
                self.links.send(entry.curve, frame)

    def _end_in_time(self, now: float) -> None:
        table = self.table
        if table is None:
            return
        if not self._is_over(table):
            # Whoever learns of a liar in the draw first, and of its certificate then, goes on.
            self._farewell = None
            return
        if self._farewell is None:
            terms = self._patience
            self._farewell = (
                Farewell(now, terms.linger, terms.farewell)
                if table.over
                else Farewell(now, terms.fault, terms.fault)
            )
            if table.over:
                self._leave_for_good(table)
            if self.company is not None:
                self.company.wait_for_all(now)
        asked = self.company is not None and self.company.is_asked(now)
        if (table.all_finished and not asked) or self._farewell.may_go(now):
            # What the table has just said, such as that it is over here, too, still leaves.
            self._carry_out()
            self._leave_for_good(table)
            self._done.set()

    def _is_over(self, table: Table) -> bool:
        """Whether a match is over, or stopped by a fault so that no player has a decision left."""
        return (table.stopped_for_good or table.over) and not self.may_form_again

    def _leave_for_good(self, table: Table) -> None:
        """Erase what is secret, and only then forget the seat: else nobody would do it again."""
        table.forget_secrets()
        self.home.secrets.forget_table(self._instance, self._rosters)
        self._keeping.forget_seat()

    def _hello(self, instance: bytes) -> bytes:
        self._instance = instance
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
                addresses=self.places.own,
                table_key=public,
                table_proof=proof,
            ),
        )
