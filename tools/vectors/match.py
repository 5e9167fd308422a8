"""A whole seeded match of one hand, from sitting down to the last acknowledgement.

All seats run the program's own ``Table`` in memory, on a network that loses and reorders nothing.
The contents are then put in the order of play, so that the same game always gives the same log.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Final

from msgspec.structs import replace

from p2p_hearts.record.records import RecordKind, start_data
from p2p_hearts.rules.cards import Card, card_set, cards_in
from p2p_hearts.rules.options import Moon, RuleSet
from p2p_hearts.rules.play import PlayState
from p2p_hearts.rules.score import MoonChoice
from p2p_hearts.table.effects import Send, Store
from p2p_hearts.table.machine import Table
from p2p_hearts.wire.chain import NO_HASH, Place, first_head, next_head, place_of
from p2p_hearts.wire.codec import encode
from p2p_hearts.wire.envelope import Sealed, open_envelope, seal
from p2p_hearts.wire.lobby import SealedRoster, open_roster, sign_lobby
from p2p_hearts.wire.messages import Ack, Content, Kind
from tools.vectors.messages import identity, roster
from tools.vectors.moon import find_moon
from tools.vectors.values import secret

PROGRAM: Final = "test"
PATIENCE: Final = 120
"""Seconds after which a table without a word stands still."""


class _Secrets:
    """The secrets of one seat, from texts."""

    def __init__(self, place: int) -> None:
        self.place = place

    def nonce(self, roster: bytes) -> bytes:
        return secret(f"nonce of {self.place} for {roster.hex()}")

    def table_key(self, instance: bytes) -> bytes:
        return secret(f"table key {self.place}")

    def hand(self, table: bytes, hand: int, attempt: int, *, fresh: bool) -> bytes:
        return hand_secret(self.place, table, hand)

    def forget(self, table: bytes, hand: int, attempt: int) -> None:
        pass


def hand_secret(place: int, table: bytes, hand: int) -> bytes:
    """Return z of a player of the roster in one hand."""
    return secret(f"z of {place} in hand {hand} of {table.hex()}")


@dataclass(frozen=True, slots=True)
class Game:
    """A match that was played: its roster and all contents in the order of play."""

    roster: SealedRoster
    seats: tuple[int, ...]
    """By seat the player's place in the roster."""
    contents: tuple[Sealed, ...]

    def records(self) -> list[tuple[RecordKind, bytes]]:
        """Return the log that the founder would have kept."""
        return [
            (RecordKind.START, start_data(identity(0), PROGRAM, 0)),
            (RecordKind.ROSTER, self.roster.data),
            *((RecordKind.CONTENT, item.data) for item in self.contents),
        ]

    def place_of_seat(self, content: Content) -> int:
        """Return the place in the roster of the signer of a content."""
        return content.seat if content.hand == 0 else self.seats[content.seat]

    def speeches(self, kind: Kind) -> list[Sealed]:
        """Return all speeches of a kind, in the order of play."""
        return [item for item in self.contents if item.content.kind == kind]

    def before(self, place: Place) -> list[Sealed]:
        """Return everything said before a round."""
        return [item for item in self.contents if place_of(item.content) < place]


@cache
def play_match(
    seats: int, claims: bool, leaves_in: Kind | None = None, *, shoots: bool = False
) -> Game:
    """Play a match of one hand; with ``claims``, the rest is claimed as soon as it may be.

    If it ``shoots``, everybody helps one seat to all penalty cards, and that seat has a choice.

    With ``leaves_in`` the last of the roster says nothing from the first such round on that expects
    a word of it, and the others go on without it.
    """
    rules = RuleSet(seats=seats, hands=1, moon=Moon.CHOICE if shoots else RuleSet().moon)
    if leaves_in is not None:
        rules = rules.with_options({"grace": "15"})
    sealed = open_roster(sign_lobby(identity(0), roster(rules)))
    tables = [Table(identity(place), sealed, _Secrets(place)) for place in range(seats)]
    spoken: list[bytes] = []
    frames: deque[tuple[int, int, bytes]] = deque()
    here, now, leaver = list(range(seats)), 0.0, seats - 1
    decide = partial(_decide, claims=claims, line=_Line(tables) if shoots else None)

    def flush(place: int) -> None:
        for effect in tables[place].drain():
            if isinstance(effect, Store) and place == 0:
                spoken.append(effect.envelope)
            elif isinstance(effect, Send):
                to = range(seats) if effect.to is None else [effect.to]
                frames.extend((place, other, effect.frame) for other in to if other != place)

    while not all(tables[place].over for place in here) or frames:
        if leaver in here and _is_to_speak(tables[leaver], leaves_in):
            here.remove(leaver)
        for place in here:
            table = tables[place]
            decide(table)
            while not (place == leaver and _is_to_speak(table, leaves_in)) and table.work():
                decide(table)
            flush(place)
        if not frames:
            now = _wait(tables, here, now)
        while frames:
            sender, to, frame = frames.popleft()
            if to in here:
                tables[to].receive(sender, frame)
    draw = tables[0].draw
    if draw is None:
        raise RuntimeError("a match ended before the draw")
    contents = sorted((open_envelope(data) for data in spoken), key=_moment)
    return Game(sealed, draw.seats, tuple(contents))


def _is_to_speak(table: Table, kind: Kind | None) -> bool:
    here = table.history.current
    return here.kind is kind and table.seat in here.speakers


def _wait(tables: Sequence[Table], here: Sequence[int], now: float) -> float:
    """Let a second pass; whoever may go on without somebody decides so."""
    if now > PATIENCE:
        raise RuntimeError("this table stands still")
    for place in here:
        tables[place].tick(now + 1)
        for seat in tables[place].may_vote_out():
            tables[place].vote_out(seat)
    return now + 1


class _Line:
    """What is played so that one seat takes all; found once all hands are known."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self._tables = tables
        self._cards: list[Card] = []

    def next(self, play: PlayState) -> Card:
        """Return the card that is due."""
        if not self._cards:
            views = {table.seat: table.view() for table in self._tables}
            hands = [view.hand for _seat, view in sorted(views.items()) if view is not None]
            self._cards = find_moon(play, hands) or []
        if not self._cards:
            raise ValueError("nobody can take all penalty cards of this deal")
        return self._cards[play.rules.seats * len(play.tricks) + len(play.trick) - 1]


def _decide(table: Table, claims: bool, line: _Line | None) -> None:
    """Pass and play the lowest cards, but every third trick the highest; or play a ``line``."""
    view, decision = table.view(), table.decision
    if view is None or decision is None:
        return
    if decision is Kind.PASS_SELECT:
        table.choose_pass(card_set(cards_in(view.hand)[: view.rules.pass_count]))
    elif claims and table.hand is not None and table.hand.may_claim():
        table.choose_claim()
    elif decision is Kind.CHOICE:
        table.choose_moon(MoonChoice.SHOOTER_SUBTRACTS)
    elif view.play is not None and line is not None:
        table.choose_card(line.next(view.play))
    elif view.play is not None:
        legal = cards_in(view.legal)
        table.choose_card(legal[-1 if len(view.play.tricks) % 3 == 2 else 0])


def _moment(item: Sealed) -> tuple[Place, int, int, int]:
    content = item.content
    kinds = (Kind.ACK, Kind.VOTE, Kind.CONFIRM)
    order = 1 + kinds.index(Kind(content.kind)) if content.kind in kinds else 0
    return place_of(content), order, content.seat, content.sequence


class Script:
    """Goes on from a kept part of a game, as its players would, or as one of them would not."""

    def __init__(self, game: Game, kept: Sequence[Sealed]) -> None:
        """Begin after these contents."""
        self.game = game
        self.said: list[Sealed] = []
        self._counts: dict[bytes, tuple[int, bytes]] = {}
        self._head = first_head(game.roster.hash)
        for item in kept:
            self._count(item)
            if item.content.kind == Kind.ACK:
                self._head = _head_in(item.content)

    def speak(self, contents: Iterable[Content]) -> None:
        """Let a whole round speak, and every seat acknowledge it."""
        speeches = [self._sign(replace(content, prev=self._head)) for content in contents]
        first = speeches[0].content
        head = next_head(
            self._head, place_of(first), [(item.content.seat, item.hash) for item in speeches]
        )
        for seat, place in enumerate(self.game.seats):
            ack = replace(
                first,
                seat=seat,
                author=identity(place).public,
                prev=self._head,
                kind=Kind.ACK,
                body=encode(Ack(head)),
            )
            self._sign(ack)
        self._head = head

    def _sign(self, content: Content) -> Sealed:
        sequence, last = self._counts.get(content.author, (0, NO_HASH))
        signer = identity(self.game.place_of_seat(content))
        sealed = seal(signer, replace(content, sequence=sequence, last=last))
        self._count(sealed)
        self.said.append(sealed)
        return sealed

    def _count(self, item: Sealed) -> None:
        self._counts[item.content.author] = (item.content.sequence + 1, item.hash)


def _head_in(content: Content) -> bytes:
    return content.body[-32:]


def resigned(game: Game, content: Content, **changed: object) -> bytes:
    """Return the envelope of a content with other fields, signed by its own author."""
    signer = identity(game.place_of_seat(content))
    return seal(signer, replace(content, **changed)).data
