"""A node's side of the lobby: the founder's answers, the guest's asking (SPEC.md section 8.2).

``table.lobby`` decides; this sends, repeats, dials whoever asks for as long as that is worth it,
and looks for another player when one keeps the draw from ending.

Never: dials more strangers at a time, or at more addresses, than the limits here say.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2p_hearts.i18n import _
from p2p_hearts.net.links import Links
from p2p_hearts.net.names import clean_name
from p2p_hearts.node.awake import AwakeClock
from p2p_hearts.node.places import Places
from p2p_hearts.node.terms import TAG_JOIN, TAG_NEWS, NoSeatError, Patience
from p2p_hearts.table.lobby import Answer, FounderLobby, GuestLobby
from p2p_hearts.table.machine import Table
from p2p_hearts.wire.lobby import SealedRoster

MAX_PASSERS_BY = 8
"""Strangers whom an open table answers at a time; each is dialled where it says it listens."""

PASSER_BY_ADDRESSES = 2
"""Addresses that are dialled for a stranger: a lobby must not knock at sixteen doors for one."""

MAX_REASON = 200
"""Characters shown of a founder's reason."""


class Reception:
    """The lobby of a node, as founder or as guest; nothing for one that comes back."""

    def __init__(self, links: Links, places: Places, patience: Patience) -> None:
        """Neither founder nor guest yet."""
        self.founder: FounderLobby | None = None
        self.guest: GuestLobby | None = None
        self.passers_by: dict[bytes, float] = {}
        """Who is dialled only for an answer, and since when."""
        self.clock = AwakeClock()
        """What the times here are measured by."""
        self._links = links
        self._places = places
        self._patience = patience
        self._joined_at = 0.0
        self._asked_since = self.clock()

    @property
    def roster(self) -> SealedRoster | None:
        """The latest roster, if there is one."""
        if self.guest is not None:
            return self.guest.roster
        return None if self.founder is None else self.founder.roster

    def ask(self, guest: GuestLobby, addresses: Sequence[tuple[str, int]]) -> None:
        """Ask a founder for a seat, whose lobby is at these addresses."""
        self.guest = guest
        self._links.admit([guest.card.curve])
        self._links.connect(guest.card.curve, addresses)
        self._asked_since = self.clock()

    def ask_again(self) -> None:
        """As a guest, tell the founder at once what has changed."""
        if self.guest is not None:
            self._links.send(self.guest.card.curve, TAG_JOIN + self.guest.join())

    def give_back(self) -> None:
        """As a guest, give the seat back."""
        if self.guest is not None:
            self._links.send(self.guest.card.curve, TAG_JOIN + self.guest.join(leaving=True))

    def receive_join(self, key: bytes, body: bytes) -> None:
        """Take what somebody asks of this founder."""
        if self.founder is not None:
            self.founder.receive(key, body, self.clock())

    def receive_news(self, key: bytes, body: bytes) -> None:
        """Take what this guest's founder answers.

        Raises:
            NoSeatError: it refuses, and there is no roster yet.
        """
        guest = self.guest
        if guest is None or key != guest.card.curve:
            return
        self._asked_since = self.clock()
        guest.receive(body)
        if guest.refused and guest.roster is None:
            # The founder refuses in English, whatever the language of its own player.
            reason = _(clean_name(guest.refused, limit=MAX_REASON))
            raise NoSeatError(
                _("You cannot sit at {table}: {reason}.").format(
                    table=clean_name(guest.card.name), reason=reason
                )
            )

    def tick(self, table: Table | None, formed_since: float) -> None:
        """Note the time: answer, ask again, let go.

        Raises:
            NoSeatError: the founder does not answer.
        """
        now = self.clock()
        if self.founder is not None:
            self.founder.tick(now)
            self._replace_the_silent(now, table, formed_since)
        if table is None or table.is_forming:
            self._repeat_join(now, table)
        self._forget_passers_by(now)

    def send_answers(self) -> None:
        """Send what the founder's lobby has to say."""
        if self.founder is not None:
            for answer in self.founder.answers():
                self.answer(answer)

    def answer(self, answer: Answer) -> None:
        """Send news to somebody in the lobby, dialled for a while unless seated here already."""
        if answer.curve not in self._places.known:
            is_guest = self.founder is not None and self.founder.has_guest(answer.curve)
            is_new = answer.curve not in self.passers_by
            if is_new and not is_guest and len(self.passers_by) >= MAX_PASSERS_BY:
                return
            few = answer.addresses if is_guest else answer.addresses[:PASSER_BY_ADDRESSES]
            try:
                self._links.connect(answer.curve, few)
            except ValueError:
                return
            self.passers_by[answer.curve] = self.clock()
        self._links.send(answer.curve, TAG_NEWS + answer.news)

    def _repeat_join(self, now: float, table: Table | None) -> None:
        guest = self.guest
        if guest is None or now - self._joined_at < self._patience.join:
            return
        self._joined_at = now
        self._links.send(guest.card.curve, TAG_JOIN + guest.join())
        is_waiting = table is None or table.fault is not None
        if is_waiting and now - self._asked_since > self._patience.ask:
            raise NoSeatError(
                _(
                    "The host of {table} does not answer. Its computer may be asleep or a "
                    "firewall may stop it: try again, and run p2p-hearts doctor on both computers."
                ).format(table=clean_name(guest.card.name))
            )

    def _replace_the_silent(self, now: float, table: Table | None, formed_since: float) -> None:
        """As founder, look for another player when one keeps the draw from ending, or cheats."""
        founder = self.founder
        if founder is None or table is None or not table.is_forming:
            return
        if founder.roster is not table.roster:
            return
        is_late, fault = now - formed_since >= self._patience.forming, table.fault
        if fault is not None and (is_late or table.draw is None):
            # Whoever else is silent is so because of that fault.
            if fault.seat != table.place:
                founder.dissolve(table.roster.entries[fault.seat].identity)
            return
        if fault is not None or not is_late:
            return
        silent = [item.seat for item in table.waiting() if item.seat != table.place]
        if silent:
            founder.dissolve(table.roster.entries[silent[0]].identity)

    def _forget_passers_by(self, now: float) -> None:
        """Hang up on those who asked in the lobby and are not of the table."""
        for key, since in list(self.passers_by.items()):
            if now - since > self._patience.visit:
                del self.passers_by[key]
                self._links.disconnect(key)
