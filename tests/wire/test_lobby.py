"""Rosters: a founder chooses who sits, and can change nothing that others said of themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from p2p_hearts.cards.tablekey import make_table_key
from p2p_hearts.rules.options import OPTIONS, PRESETS, RuleSet
from p2p_hearts.wire.codec import DecodeError, decode, encode
from p2p_hearts.wire.envelope import BadSignatureError, Envelope, Identity, sign_bytes
from p2p_hearts.wire.lobby import (
    Hello,
    LobbyError,
    Onlooker,
    Roster,
    TableCard,
    hash_rules,
    open_lobby,
    open_roster,
    sign_lobby,
)
from tests.table.sim import make_hello, make_identities, seeded, unsealed_roster

RULES = RuleSet()
PEOPLE = make_identities(5)
FOUNDER = PEOPLE[0]
ROSTER = unsealed_roster(PEOPLE[:4], RULES)
SIGNED = sign_lobby(FOUNDER, ROSTER)


def hello_of(place: int, **fields: object) -> Hello:
    return replace(make_hello(PEOPLE[place], place), **fields)


def roster_with(place: int, hello: Hello, signer: Identity | None = None) -> bytes:
    """The roster with one hello exchanged, signed again by the founder."""
    entries = list(ROSTER.entries)
    entries[place] = sign_lobby(signer or PEOPLE[place], hello)
    return sign_lobby(FOUNDER, replace(ROSTER, entries=entries))


def test_roster__tells_who_sits_where_and_under_which_rules() -> None:
    roster = open_roster(SIGNED)
    assert [entry.identity for entry in roster.entries] == [one.public for one in PEOPLE[:4]]
    assert [entry.nick for entry in roster.entries] == [f"Player {number}" for number in range(4)]
    assert [entry.addresses for entry in roster.entries] == [
        (("127.0.0.1", 7000 + number),) for number in range(4)
    ]
    assert roster.rules == RULES
    assert roster.formation == 1
    assert roster.instance == ROSTER.instance
    assert roster.data == SIGNED


def with_roster(**fields: object) -> bytes:
    return sign_lobby(FOUNDER, replace(ROSTER, **fields))


REFUSED: dict[str, tuple[Callable[[], bytes], str]] = {
    "another version": (lambda: with_roster(version=2), "protocol version 2"),
    "unknown rules": (
        lambda: with_roster(rules={**ROSTER.rules, "jokers": 2}),
        "rules make no table: jokers",
    ),
    "missing rules": (lambda: with_roster(rules={}), "rules make no table"),
    "impossible rules": (
        lambda: with_roster(rules={**ROSTER.rules, "seats": 2}),
        "rules make no table: seats",
    ),
    "rules of another type": (
        lambda: with_roster(rules={**ROSTER.rules, "seats": True}),
        "rules make no table: seats",
    ),
    "too few players": (lambda: with_roster(entries=ROSTER.entries[:3]), "3 players"),
    "too many players": (
        lambda: with_roster(entries=[*ROSTER.entries, sign_lobby(PEOPLE[4], hello_of(4))]),
        "5 players",
    ),
    "a founder who is not first": (
        lambda: with_roster(entries=ROSTER.entries[1:] + ROSTER.entries[:1]),
        "founder is not the first",
    ),
    "a hello for another opening": (
        lambda: roster_with(2, make_hello(PEOPLE[2], 2, seed="yesterday")),
        "another opening of the table",
    ),
    "a hello of another version": (
        lambda: roster_with(2, hello_of(2, version=7)),
        "protocol version 7",
    ),
    "one player twice": (
        lambda: roster_with(2, make_hello(PEOPLE[1], 2), PEOPLE[1]),
        "equal identities",
    ),
    "one link key twice": (lambda: roster_with(2, make_hello(PEOPLE[2], 1)), "equal link keys"),
    "one table key twice": (lambda: roster_with(2, same_table_key()), "equal table keys"),
    "a table key of somebody else": (
        lambda: roster_with(
            2,
            hello_of(2, table_key=hello_of(1).table_key, table_proof=hello_of(1).table_proof),
        ),
        "is refused: the table key",
    ),
    "a link key that the table key was not made for": (
        lambda: roster_with(2, hello_of(2, curve=b"x" * 40)),
        "is refused: the table key",
    ),
    "a table key that is the identity": (
        lambda: roster_with(2, hello_of(2, table_key=bytes(32))),
        "is refused",
    ),
    "a table key that is no element": (
        lambda: roster_with(2, hello_of(2, table_key=b"\xff" * 32)),
        "is refused",
    ),
}


def same_table_key() -> Hello:
    """Another player with the table secret of player 1, honestly proven."""
    instance, curve = ROSTER.instance, f"{2:040d}".encode()
    key, proof = make_table_key(seeded(0, "table key", 1), instance, PEOPLE[2].public, curve)
    return hello_of(2, table_key=key, table_proof=proof)


@pytest.mark.parametrize("name", REFUSED)
def test_roster__that_makes_no_table_is_refused_with_a_sentence(name: str) -> None:
    make, text = REFUSED[name]
    with pytest.raises(LobbyError, match=text):
        open_roster(make())


def test_roster__of_one_player_or_of_twelve_does_not_decode() -> None:
    for entries in (ROSTER.entries[:1], [*ROSTER.entries] * 3):
        with pytest.raises(DecodeError):
            open_roster(with_roster(entries=entries))


FIELDS: dict[str, object] = {
    "instance": bytes(32),
    "author": PEOPLE[4].public,
    "curve": b"z" * 40,
    "nick": "Somebody",
    "addresses": [("10.0.0.1", 1)],
    "table_key": make_hello(PEOPLE[4], 4).table_key,
    "table_proof": bytes(64),
}


@pytest.mark.parametrize("field", FIELDS)
def test_roster__cannot_change_a_field_of_a_players_own_hello(field: str) -> None:
    """The founder exchanges the field, and has no signature of the player for it."""
    hello = hello_of(2)
    forged = Envelope(
        encode(replace(hello, **{field: FIELDS[field]})),
        decode(sign_lobby(PEOPLE[2], hello), Envelope).signature,
    )
    entries = [*ROSTER.entries[:2], encode(forged), ROSTER.entries[3]]
    with pytest.raises(BadSignatureError):
        open_roster(with_roster(entries=entries))
    with pytest.raises((BadSignatureError, LobbyError)):
        open_roster(roster_with(2, replace(hello, **{field: FIELDS[field]}), FOUNDER))


def test_roster__with_any_byte_changed_is_refused() -> None:
    for at in range(0, len(SIGNED), 7):
        changed = bytearray(SIGNED)
        changed[at] ^= 1 << at % 8
        with pytest.raises((DecodeError, BadSignatureError, LobbyError)):
            open_roster(bytes(changed))


def test_roster__has_another_hash_with_anything_changed() -> None:
    hashes = {open_roster(SIGNED).hash}
    changes: tuple[dict[str, object], ...] = (
        {"formation": 2},
        {"name": "another table"},
        {"rules": RuleSet(target=50).to_dict()},
        {"entries": [ROSTER.entries[0], *reversed(ROSTER.entries[1:])]},
    )
    for change in changes:
        hashes.add(open_roster(with_roster(**change)).hash)
    hashes.add(open_roster(roster_with(2, hello_of(2, nick="Nick"))).hash)
    assert len(hashes) == len(changes) + 2


def test_roster__signed_by_somebody_else_than_it_names_is_refused() -> None:
    with pytest.raises(BadSignatureError):
        open_roster(sign_lobby(PEOPLE[1], ROSTER))


def test_lobby__message_of_one_kind_is_refused_as_another() -> None:
    hello = sign_lobby(PEOPLE[1], hello_of(1))
    assert open_lobby(hello, Hello) == hello_of(1)
    with pytest.raises(DecodeError):
        open_lobby(hello, TableCard)
    with pytest.raises(DecodeError):
        open_lobby(hello, Roster)
    # The right fields under the signature of another kind.
    for domain in ("roster", "card", "content"):
        with pytest.raises(BadSignatureError):
            open_lobby(sign_bytes(PEOPLE[1], domain, encode(hello_of(1))), Hello)


def test_hash_rules__differs_with_every_option() -> None:
    hashes = {hash_rules(rules) for rules in PRESETS.values()}
    assert len(hashes) == len(set(PRESETS.values()))
    others = {
        "seats": RuleSet(seats=5),
        "packs": PRESETS["cancellation"],
        "opening": RuleSet().with_options({"opening": "none"}),
        "pass_count": RuleSet(pass_count=4),
        "first_trick_penalties": RuleSet(first_trick_penalties=True),
        "hearts_break": RuleSet(hearts_break=False),
        "queen_waits": RuleSet(queen_waits=True),
        "queen_breaks": RuleSet(queen_breaks=True),
        "heart_points": RuleSet().with_options({"heart_points": "face"}),
        "queen_points": RuleSet(queen_points=0),
        "jack_points": RuleSet(jack_points=-10),
        "moon": RuleSet().with_options({"moon": "off"}),
        "target": RuleSet(target=99),
        "hands": RuleSet(hands=1),
        "tie": RuleSet().with_options({"tie": "latest-hand"}),
        "grace": RuleSet(grace=30),
        "clock": RuleSet(clock=45),
        "watchers": RuleSet(watchers=0),
        "watcher_chat": RuleSet(watcher_chat=True),
    }
    assert set(others) == set(OPTIONS)
    assert len({hash_rules(rules) for rules in (RULES, *others.values())}) == len(others) + 1


NO_LINK_KEYS = [bytes(40), b"~" * 40, b"0" * 35 + b"%nSc1", b"#" * 40]
"""Bytes that are none of Z85, and numbers from 2**32 on."""


KEY = b"0" * 35 + b"%nSc0"
"""The last number is 2**32 - 1."""

KEYED: list[TableCard | Hello | Onlooker] = [
    TableCard(1, bytes(32), FOUNDER.public, KEY, "x", "y", 1, {}, 0, coded=False, nicks=[]),
    hello_of(0, curve=KEY),
    Onlooker(1, bytes(32), FOUNDER.public, KEY, "z", [("127.0.0.1", 1)]),
]


@pytest.mark.parametrize("key", NO_LINK_KEYS)
@pytest.mark.parametrize("message", KEYED, ids=["card", "hello", "watcher"])
def test_open_lobby__refuses_a_link_key_that_is_none(
    message: TableCard | Hello | Onlooker, key: bytes
) -> None:
    kind: Any = type(message)
    assert open_lobby(sign_lobby(FOUNDER, message), kind) == message
    with pytest.raises(LobbyError, match="link key"):
        open_lobby(sign_lobby(FOUNDER, replace(message, curve=key)), kind)


@pytest.mark.parametrize("key", NO_LINK_KEYS)
def test_roster__refuses_a_hello_with_a_link_key_that_is_none(key: bytes) -> None:
    hello, author = hello_of(2), PEOPLE[2].public
    table_key, proof = make_table_key(bytes(32), hello.instance, author, key)
    wrong = replace(hello, curve=key, table_key=table_key, table_proof=proof)
    with pytest.raises(LobbyError, match="link key"):
        open_roster(roster_with(2, wrong))
