"""The lobby, sans-IO: from an open table to a roster (protocol/SPEC.md section 8.2).

The founder sequences and nothing else: guests say hello, the first that ask get the free seats,
and once all seats are taken and everybody is ready the founder signs the roster. From then on it
is a seat like any other. A formation that cannot end, because somebody in it went away, is
dissolved, and the next roster leaves that player out.

Never: reads a clock or a socket; raises for anything a guest or a founder sent.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass

from p2p_hearts.i18n import N_, _
from p2p_hearts.rules.options import RuleError, RuleSet
from p2p_hearts.table.machine import Table
from p2p_hearts.wire.codec import DecodeError, decode, encode
from p2p_hearts.wire.envelope import BadSignatureError, Signer
from p2p_hearts.wire.lobby import (
    Hello,
    Join,
    LobbyError,
    News,
    Roster,
    SealedRoster,
    TableCard,
    open_entry,
    open_lobby,
    open_roster,
    sign_lobby,
)
from p2p_hearts.wire.messages import VERSION, Kind

GUEST_SECONDS = 10.0
"""A guest that was not heard for so long has left; guests repeat themselves every two seconds."""

WRONG_CODES = 5
"""After so many wrong join codes nobody else is let in by code: they could be guessed."""

MAX_CONTACTS = 32
"""Answers kept for sending; more strangers than this at once are not answered."""

MAX_FORMATIONS = 64
"""A founder that dissolves more formations than this is left: each costs its guests files."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Something for the founder to send: to which link key, where it listens, what."""

    curve: bytes
    addresses: tuple[tuple[str, int], ...]
    news: bytes


class Gate:
    """Asks for a table's join code, of those who sit and those who watch; five wrong ones close it.

    An empty code lets everybody in.
    """

    def __init__(self, code: str) -> None:
        """``code`` is the secret part of the join code."""
        self.code = code
        self._wrong = 0

    def refusal(self, code: str) -> str:
        """Return why somebody with this code is not let in, or nothing."""
        if not self.code:
            return ""
        if self._wrong >= WRONG_CODES:
            return N_(
                "this table's code is closed after five wrong tries; ask the host for a new one"
            )
        if not hmac.compare_digest(self.code.encode(), code.encode()):
            self._wrong += 1
            return N_("the join code is wrong; ask the host for it")
        return ""


@dataclass(slots=True)
class _Guest:
    hello: Hello
    envelope: bytes
    heard: float
    ready: bool


class FounderLobby:
    """The founder's side."""

    def __init__(
        self,
        signer: Signer,
        own_hello: bytes,
        rules: RuleSet,
        name: str,
        lobby_port: int,
        code: str = "",
    ) -> None:
        """Open a table; ``own_hello`` is the founder's own signed hello, ``code`` asked of guests.

        Raises:
            ValueError: the hello is not the signer's.
        """
        hello = open_lobby(own_hello, Hello)
        if hello.author != signer.public:
            raise ValueError("the founder's hello is signed by somebody else")
        self.rules = rules
        self.name = name
        self.formation = 0
        self.roster: SealedRoster | None = None
        self._signer = signer
        self._hello = hello
        self._own = own_hello
        self._port = lobby_port
        self.gate = Gate(code)
        self._guests: dict[bytes, _Guest] = {}
        self._ready = True
        self._excluded: set[bytes] = set()
        self._answers: list[Answer] = []

    @property
    def free(self) -> int:
        """Seats that are still free."""
        return self.rules.seats - 1 - len(self._guests)

    @property
    def nicks(self) -> tuple[str, ...]:
        """Names of those who wait, in order of arrival, the founder first."""
        return (self._hello.nick, *(guest.hello.nick for guest in self._guests.values()))

    @property
    def identities(self) -> tuple[bytes, ...]:
        """Keys of those who wait, in the same order."""
        return (self._hello.author, *self._guests)

    @property
    def ready(self) -> tuple[bool, ...]:
        """Who of them is ready for the cards, in the same order."""
        return (self._ready, *(guest.ready for guest in self._guests.values()))

    def be_ready(self, ready: bool) -> None:
        """Say whether the founder itself is ready; guests say it of themselves."""
        if ready != self._ready and self.roster is None:
            self._ready = ready
            self._form()
            self._tell_all()

    def has_guest(self, curve: bytes) -> bool:
        """Whether the holder of a link key waits here for the game to begin."""
        return any(guest.hello.curve == curve for guest in self._guests.values())

    def card(self) -> bytes:
        """Return the signed card that the door shows."""
        card = TableCard(
            version=VERSION,
            instance=self._hello.instance,
            author=self._signer.public,
            curve=self._hello.curve,
            name=self.name,
            host=self._hello.nick,
            lobby=self._port,
            rules=dict(self.rules.to_dict()),
            free=max(self.free, 0) if self.roster is None else 0,
            coded=bool(self.gate.code),
            nicks=list(self.nicks),
        )
        return sign_lobby(self._signer, card)

    def receive(self, curve: bytes, data: bytes, now: float) -> None:
        """Take a ``Join`` that arrived under this link key."""
        try:
            join = decode(data, Join)
            hello = open_lobby(join.hello, Hello)
            open_entry(join.hello, self._hello.instance)
        except (DecodeError, BadSignatureError, LobbyError):
            # Nothing proves where an answer should go.
            return
        if hello.curve != curve:
            return
        known = self._guests.get(hello.author)
        if join.leaving:
            if known is not None and self.roster is None and known.hello.curve == curve:
                del self._guests[hello.author]
                self._tell_all()
            return
        if known is not None and known.envelope == join.hello:
            known.heard = now
            if known.ready == join.ready or self.roster is not None:
                self._answer(hello, self.news())
                return
            known.ready = join.ready
            self._form()
            self._tell_all()
            return
        reason = self._refusal(hello, join.code, known)
        if reason:
            self._answer(hello, self.news(refused=reason))
            return
        self._guests[hello.author] = _Guest(hello, join.hello, now, join.ready)
        self._form()
        self._tell_all()

    def tick(self, now: float) -> None:
        """Let go of guests that were not heard for a while; only while seats are free."""
        if self.roster is not None:
            return
        gone = [key for key, guest in self._guests.items() if now - guest.heard > GUEST_SECONDS]
        for key in gone:
            del self._guests[key]
        if gone:
            self._tell_all()

    def dissolve(self, without: bytes) -> None:
        """Give up the current formation and look for somebody else in the place of one player."""
        self._excluded.add(without)
        self._guests.pop(without, None)
        self.roster = None
        self._tell_all()

    def has_left_out(self, identity: bytes) -> bool:
        """Whether a formation was given up without this player, who may not sit here any more."""
        return identity in self._excluded

    def answers(self) -> list[Answer]:
        """Return what is to be sent since the last call."""
        answers, self._answers = self._answers, []
        return answers

    def _refusal(self, hello: Hello, code: str, known: _Guest | None) -> str:
        """Return why this player may not sit, or nothing.

        In English: the guest's own program shows it in the guest's language.
        """
        if hello.author == self._signer.public:
            return N_("you are this table's host already; play as somebody else with --home")
        if hello.author in self._excluded:
            return N_("this table has gone on without you; wait for the next one")
        if reason := self.gate.refusal(code):
            return reason
        if self.roster is not None:
            return N_("this table is playing already")
        if known is None and not self.free:
            return N_("this table is full")
        others = [guest.hello for guest in self._guests.values() if guest is not known]
        if any(_clash(hello, other) for other in (self._hello, *others)):
            return N_("somebody at this table has the same keys; start the program again")
        return ""

    def _form(self) -> None:
        """Sign the roster, once all seats are taken and everybody is ready."""
        if self.free or not all(self.ready):
            return
        self.formation += 1
        roster = Roster(
            version=VERSION,
            instance=self._hello.instance,
            author=self._signer.public,
            formation=self.formation,
            name=self.name,
            rules=dict(self.rules.to_dict()),
            entries=[self._own, *(guest.envelope for guest in self._guests.values())],
        )
        # Every hello was verified, and held against the others, when its guest was let in.
        self.roster = open_roster(sign_lobby(self._signer, roster))

    def news(self, refused: str = "") -> News:
        """Return what somebody in the lobby is told: who waits, or why not; and the roster."""
        return News(
            instance=self._hello.instance,
            refused=refused,
            nicks=list(self.nicks),
            ready=list(self.ready),
            roster=b"" if self.roster is None or refused else self.roster.data,
        )

    def _tell_all(self) -> None:
        for guest in self._guests.values():
            self._answer(guest.hello, self.news())

    def _answer(self, hello: Hello, news: News) -> None:
        if len(self._answers) < MAX_CONTACTS:
            where = tuple((host, port) for host, port in hello.addresses)
            self._answers.append(Answer(hello.curve, where, encode(news)))


def returned_card(signer: Signer, roster: SealedRoster, lobby_port: int, *, coded: bool) -> bytes:
    """Return the card of a table that its founder came back to: no seat is free, some may watch."""
    founder = roster.entries[0]
    card = TableCard(
        version=VERSION,
        instance=roster.instance,
        author=signer.public,
        curve=founder.curve,
        name=roster.name,
        host=founder.nick,
        lobby=lobby_port,
        rules=dict(roster.rules.to_dict()),
        free=0,
        coded=coded,
        nicks=[entry.nick for entry in roster.entries],
    )
    return sign_lobby(signer, card)


def _clash(one: Hello, other: Hello) -> bool:
    """Whether two players could not sit in one roster."""
    return (
        one.author == other.author or one.curve == other.curve or one.table_key == other.table_key
    )


class GuestLobby:
    """A guest's side, toward the founder that a table card names."""

    def __init__(self, card: TableCard, own_hello: bytes, code: str = "") -> None:
        """Ask for a seat at the table of ``card``.

        Raises:
            LobbyError: the card's rules make no table.
        """
        try:
            self.rules = RuleSet.from_dict(card.rules)
        except RuleError as error:
            raise LobbyError(
                _("that table's rules are not known to this program: {reason}").format(reason=error)
            ) from None
        self.card = card
        self.refused = ""
        self.nicks: tuple[str, ...] = ()
        self.told_ready: tuple[bool, ...] = ()
        """Who of them is ready, as the founder says, in the same order."""
        self.ready = True
        """Whether this guest itself is."""
        self.roster: SealedRoster | None = None
        self._formations = 0
        self._own = own_hello
        self._code = code

    def join(self, leaving: bool = False) -> bytes:
        """Return the message that asks for a seat, keeps it, or gives it back."""
        return encode(Join(hello=self._own, code=self._code, leaving=leaving, ready=self.ready))

    def receive(self, data: bytes) -> None:
        """Take ``News`` that arrived under the founder's link key."""
        try:
            news = decode(data, News)
            if news.instance != self.card.instance:
                return
            if news.refused:
                self.refused = news.refused
                return
            self.nicks, self.told_ready = tuple(news.nicks), tuple(news.ready)
            if news.roster:
                self._receive_roster(news.roster)
        except (DecodeError, BadSignatureError, LobbyError):
            # A founder that sends nonsense is a founder that does not answer.
            return

    def _receive_roster(self, data: bytes) -> None:
        """Accept a roster of this founder that lists this very hello and the rules shown."""
        roster = open_roster(data)
        if (
            roster.entries[0].identity == self.card.author
            and roster.instance == self.card.instance
            and roster.rules == self.rules
            and self._lists_me(roster)
            and (self.roster is None or roster.formation > self.roster.formation)
            and self._formations < MAX_FORMATIONS
        ):
            self._formations += 1
            self.roster = roster

    def _lists_me(self, roster: SealedRoster) -> bool:
        """Whether this very hello is in it."""
        return self._own in [entry.hello for entry in roster.entries]


def may_move_on(table: Table, roster: SealedRoster) -> bool:
    """Whether a seat may leave an unfinished formation for the founder's next roster.

    Never once the table is formed, with a draw that everybody has. While nonces are hidden,
    always. Once this seat has shown its nonce, only if somebody who has not shown its own, or is
    proven to have lied, is left out: else a founder that dislikes the draw could have another one.
    """
    if not table.is_forming or roster.formation <= table.roster.formation:
        return False
    current, is_drawn = table.history.current, table.draw is not None
    has_shown = current.kind is Kind.DRAW and table.place in current.speeches
    if not has_shown and not is_drawn:
        return True
    stays = {entry.identity for entry in roster.entries}
    liar = None if table.fault is None else table.fault.seat
    guilty = [
        entry.identity
        for place, entry in enumerate(table.roster.entries)
        if place == liar or (not is_drawn and place not in current.speeches)
    ]
    return any(identity not in stays for identity in guilty)
