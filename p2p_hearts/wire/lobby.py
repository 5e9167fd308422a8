"""What peers say before they sit: table cards, hellos and rosters (protocol/SPEC.md section 8.1).

A *table card* is what a host shows everybody: its keys and the rules. A *hello* is a peer's own
statement of its keys, name and addresses, signed by its identity. A *roster* is the founder's
ordered list of hellos with the rules; its hash is what everyone then commits to. Each hello in a
roster is still signed by its own author, so a founder can choose who sits and in which order, and
nothing else.

Never: believes a key, a name or an address that its owner did not sign.
Errors: ``codec.DecodeError``, ``envelope.BadSignatureError``, ``LobbyError`` with a sentence.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, TypeVar

from msgspec import Meta, Struct

from p2p_hearts.cards.tablekey import check_table_key
from p2p_hearts.crypto.framing import frame
from p2p_hearts.crypto.group import DecodeError as GroupDecodeError
from p2p_hearts.crypto.group import Element
from p2p_hearts.i18n import N_, _
from p2p_hearts.rules.options import MOST_WATCHERS, RuleError, RuleSet
from p2p_hearts.wire.codec import decode, encode
from p2p_hearts.wire.envelope import (
    Envelope,
    Signer,
    digest,
    sign_bytes,
    verify_bytes,
)
from p2p_hearts.wire.messages import (
    MAX_SEATS,
    VERSION,
    Counter,
    Hash,
    PublicKey,
)

MAX_REMARK = 400
"""Characters of a line of chat as it is sent; fewer are shown."""

_Z85 = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"

Name = Annotated[str, Meta(min_length=1, max_length=64)]
CurveKey = Annotated[bytes, Meta(min_length=40, max_length=40)]
Port = Annotated[int, Meta(ge=1, le=65535)]
Host = Annotated[str, Meta(min_length=1, max_length=64)]
Address = tuple[Host, Port]
Addresses = Annotated[list[Address], Meta(min_length=1, max_length=16)]
RuleValue = int | str | bool


class LobbyError(ValueError):
    """A lobby message is well signed and still cannot be accepted; the text says why."""


class TableCard(Struct, frozen=True, forbid_unknown_fields=True):
    """A host's public card, served to anybody who asks at its door."""

    version: Counter
    instance: Hash
    """Random, new for every opening of a table."""
    author: PublicKey
    curve: CurveKey
    name: Name
    host: Name
    """The founder's nickname."""
    lobby: Port
    rules: dict[str, RuleValue]
    free: Annotated[int, Meta(ge=0, le=MAX_SEATS)]
    coded: bool
    """A join code is asked for."""
    nicks: Annotated[list[Name], Meta(max_length=MAX_SEATS)]
    """Of those who sit, as the founder says; its own first."""


class Hello(Struct, frozen=True, forbid_unknown_fields=True):
    """A peer's statement about itself for one opening of a table."""

    version: Counter
    instance: Hash
    author: PublicKey
    curve: CurveKey
    nick: Name
    addresses: Addresses
    """Where its table socket listens."""
    table_key: PublicKey
    """T = t*G, for sealed key shares."""
    table_proof: Annotated[bytes, Meta(min_length=64, max_length=64)]


class Roster(Struct, frozen=True, forbid_unknown_fields=True):
    """Who sits, in lobby order, under which rules; signed by the founder, who is entry 0."""

    version: Counter
    instance: Hash
    author: PublicKey
    formation: Annotated[int, Meta(ge=1, lt=2**31)]
    name: Name
    rules: dict[str, RuleValue]
    entries: Annotated[
        list[Annotated[bytes, Meta(max_length=4096)]], Meta(min_length=2, max_length=MAX_SEATS)
    ]
    """The hellos' envelopes."""


class Join(Struct, frozen=True, forbid_unknown_fields=True):
    """To the founder's lobby: may I sit, or watch? Again: I am still here; or I leave."""

    hello: Annotated[bytes, Meta(max_length=4096)]
    code: Annotated[str, Meta(max_length=64)]
    leaving: bool
    ready: bool
    """A guest in its seat is ready for the cards; of no meaning for one who watches."""

    def __repr__(self) -> str:
        """Tell no code."""
        return f"Join(leaving={self.leaving}, ready={self.ready})"


class News(Struct, frozen=True, forbid_unknown_fields=True):
    """From the founder: who waits, or why you may not sit; and the roster once it is set."""

    instance: Hash
    refused: Annotated[str, Meta(max_length=200)]
    """A reason, or empty."""
    nicks: Annotated[list[Name], Meta(max_length=MAX_SEATS)]
    ready: Annotated[list[bool], Meta(max_length=MAX_SEATS)]
    """Of each of them, in that order, whether it is ready."""
    roster: Annotated[bytes, Meta(max_length=64 * 1024)]
    """The roster's envelope, or empty while seats are free."""


class Whereabouts(Struct, frozen=True, forbid_unknown_fields=True):
    """Between players of one table: where each listens, by link key.

    Unsigned: whoever answers at an address must hold the key.
    """

    places: Annotated[
        list[tuple[CurveKey, Annotated[list[Address], Meta(max_length=16)]]],
        Meta(max_length=MAX_SEATS),
    ]


class Onlooker(Struct, frozen=True, forbid_unknown_fields=True):
    """A watcher's statement about itself for one opening of a table; it has no table key."""

    version: Counter
    instance: Hash
    author: PublicKey
    curve: CurveKey
    nick: Name
    addresses: Addresses
    """Where its table socket listens."""


class Gallery(Struct, frozen=True, forbid_unknown_fields=True):
    """Who may watch a table, signed by its founder; of two the one with the higher number holds."""

    version: Counter
    instance: Hash
    author: PublicKey
    number: Counter
    watchers: Annotated[
        list[Annotated[bytes, Meta(max_length=2048)]], Meta(max_length=MOST_WATCHERS)
    ]
    """The onlookers' envelopes."""


class Remark(Struct, frozen=True, forbid_unknown_fields=True):
    """One line of chat, of a seat or of a watcher; no part of the game's history."""

    version: Counter
    table: Hash
    """Hash of the roster: a founder may open another table with the same instance."""
    author: PublicKey
    number: Annotated[int, Meta(ge=0, lt=2**53)]
    """Ascending for each author, across its restarts."""
    text: Annotated[str, Meta(min_length=1, max_length=MAX_REMARK)]


LobbyMessage = TableCard | Hello | Roster | Onlooker | Gallery | Remark
Signed = TypeVar("Signed", TableCard, Hello, Roster, Onlooker, Gallery, Remark)

_DOMAINS: dict[type[Struct], str] = {
    TableCard: "card",
    Hello: "hello",
    Roster: "roster",
    Onlooker: "onlooker",
    Gallery: "gallery",
    Remark: "remark",
}


def sign_lobby(signer: Signer, message: LobbyMessage) -> bytes:
    """Return the envelope of a lobby message."""
    return sign_bytes(signer, _DOMAINS[type(message)], encode(message))


def open_lobby(data: bytes, kind: type[Signed]) -> Signed:
    """Decode and verify a lobby message under the author it names.

    Raises:
        DecodeError: not that message.
        BadSignatureError: the signature is wrong.
        LobbyError: another protocol version, or a link key that is none.
    """
    envelope = decode(data, Envelope)
    message = decode(envelope.content, kind)
    verify_bytes(message.author, _DOMAINS[kind], envelope)  # V85
    if message.version != VERSION:  # V86
        raise LobbyError(
            _(
                "the other side speaks protocol version {other}, this program {own}; install the "
                "same version of p2p-hearts on both"
            ).format(other=message.version, own=VERSION)
        )
    if isinstance(message, TableCard | Hello | Onlooker) and not is_link_key(message.curve):
        raise LobbyError(_("its link key is damaged"))  # V86
    return message


def is_link_key(key: bytes) -> bool:
    """Whether this is 32 bytes in Z85 (ZeroMQ RFC 32): eight numbers below 2**32."""
    digits = [_Z85.find(digit) for digit in key]
    if len(digits) != 40 or min(digits) < 0:
        return False
    groups = [digits[at : at + 5] for at in range(0, 40, 5)]
    return all(sum(d * 85 ** (4 - n) for n, d in enumerate(group)) < 2**32 for group in groups)


@dataclass(frozen=True, slots=True)
class Entry:
    """One verified place of a roster."""

    identity: bytes
    curve: bytes
    nick: str
    addresses: tuple[tuple[str, int], ...]
    table_key: Element
    hello: bytes


@dataclass(frozen=True, slots=True)
class SealedRoster:
    """A verified roster: every hello in it, every key, the rules."""

    hash: bytes
    data: bytes
    formation: int
    name: str
    instance: bytes
    rules: RuleSet
    rules_hash: bytes
    entries: tuple[Entry, ...]


def hash_rules(rules: RuleSet) -> bytes:
    """Hash of a rule set, bound into every challenge of the table.

    Each option by name, its value as a JSON literal, which every language writes alike.
    """
    parts = [
        frame(key.encode(), json.dumps(value).encode())
        for key, value in sorted(rules.to_dict().items())
    ]
    return digest("rules", *parts)


def open_roster(data: bytes) -> SealedRoster:
    """Verify a roster completely.

    Raises:
        DecodeError, BadSignatureError: it or a hello in it is malformed or wrongly signed.
        LobbyError: it is well signed and makes no table; the text says why.
    """
    roster = open_lobby(data, Roster)
    try:
        rules = RuleSet.from_dict(roster.rules)  # V87
    except RuleError as error:
        raise LobbyError(
            _("the roster's rules make no table: {reason}").format(reason=error)
        ) from None
    if len(roster.entries) != rules.seats:  # V88
        raise LobbyError(
            _("{players} players are listed for {seats} seats").format(
                players=len(roster.entries), seats=rules.seats
            )
        )
    entries = tuple(open_entry(item, roster.instance) for item in roster.entries)  # V89
    if entries[0].identity != roster.author:  # V90
        raise LobbyError(_("the founder is not the first in its own roster"))
    for reason, values in (
        (
            N_("two players of the roster have equal identities"),
            {entry.identity for entry in entries},
        ),
        (
            N_("two players of the roster have equal link keys"),
            {entry.curve for entry in entries},
        ),
        (
            N_("two players of the roster have equal table keys"),
            {entry.table_key for entry in entries},
        ),
    ):
        if len(values) != len(entries):  # V91
            raise LobbyError(_(reason))
    return SealedRoster(
        hash=digest("roster", decode(data, Envelope).content),
        data=data,
        formation=roster.formation,
        name=roster.name,
        instance=roster.instance,
        rules=rules,
        rules_hash=hash_rules(rules),
        entries=entries,
    )


def open_entry(data: bytes, instance: bytes) -> Entry:
    """Verify a hello completely, for one opening of a table.

    Raises:
        DecodeError, BadSignatureError: it is malformed or wrongly signed.
        LobbyError: it is for another opening, or its table key does not hold.
    """
    hello = open_lobby(data, Hello)
    if hello.instance != instance:
        raise LobbyError(
            _("the hello of {key} is for another opening of the table").format(
                key=hello.author.hex()[:16]
            )
        )
    try:
        table_key = check_table_key(
            hello.table_key, hello.table_proof, hello.instance, hello.author, hello.curve
        )
    except GroupDecodeError as error:
        raise LobbyError(
            _("the hello of {key} is refused: {reason}").format(
                key=hello.author.hex()[:16], reason=error
            )
        ) from None
    return Entry(
        identity=hello.author,
        curve=hello.curve,
        nick=hello.nick,
        addresses=tuple((host, port) for host, port in hello.addresses),
        table_key=table_key,
        hello=data,
    )
