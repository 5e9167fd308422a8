"""From what a player typed, or from what was heard, to a table's card."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
import zmq.asyncio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2p_hearts.net.advert import Advert, Found
from p2p_hearts.net.codes import Address, join_code
from p2p_hearts.net.door import Door
from p2p_hearts.net.errors import NetError, Sentence, sentence
from p2p_hearts.net.keys import CurveKeys
from p2p_hearts.node import finding
from p2p_hearts.node.finding import (
    ADDRESS_SECONDS,
    PROBES_AT_ONCE,
    FindError,
    Live,
    TargetError,
    find_on_lan,
    list_on_lan,
    live_tables,
    look_at,
    matches,
    nothing_found,
    parse_target,
    probe,
    read_card,
)
from p2p_hearts.rules.options import PRESETS
from p2p_hearts.wire.envelope import Identity
from p2p_hearts.wire.lobby import TableCard, sign_lobby
from p2p_hearts.wire.messages import VERSION

HOST = "127.0.0.1"
IDENTITY = Identity(Ed25519PrivateKey.generate())
OTHER = Identity(Ed25519PrivateKey.generate())
CARD = TableCard(
    version=VERSION,
    instance=secrets.token_bytes(32),
    author=IDENTITY.public,
    curve=CurveKeys.generate().public,
    name="Sunday",
    host="Ana",
    lobby=4711,
    rules=dict(PRESETS["black-lady"].to_dict()),
    free=2,
    coded=False,
    nicks=["Ana", "Bo"],
)
ADVERT = Advert("ab12", "Sunday", "Ana", VERSION, "black-lady", 4, 2)


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is held to be silent only because the machine is busy."""
    for name in ("PROBE_SECONDS", "ADDRESS_SECONDS", "BETTER_SECONDS"):
        monkeypatch.setattr(finding, name, 60.0)


def replace_card(**changes: object) -> TableCard:
    fields = {name: getattr(CARD, name) for name in CARD.__struct_fields__}
    return TableCard(**{**fields, **changes})


def card(**changes: object) -> bytes:
    return sign_lobby(IDENTITY, replace_card(**changes))


def run(work: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(120):
            await work()

    asyncio.run(bounded())


@asynccontextmanager
async def door(shown: bytes) -> AsyncIterator[tuple[zmq.asyncio.Context, int]]:
    context = zmq.asyncio.Context()
    served = Door(context, 0, lambda: shown, HOST)
    try:
        yield context, served.port
    finally:
        await served.close()
        context.destroy(linger=0)


@pytest.mark.parametrize(
    ("typed", "target"),
    [
        (None, None),
        ("Sunday", "Sunday"),
        ("Ana's table", "Ana's table"),
        ("127.0.0.1:7766", Address("127.0.0.1", 7766)),
        ("[fe80::1%eth0]:7766", Address("fe80::1%eth0", 7766)),
        (
            "host.local:1#abcd-efgh-jkmn",
            Address("host.local", 1, "ABCD-EFGH-JKMN"),
        ),
    ],
)
def test_parse_target__a_name_or_an_address(typed: str | None, target: object) -> None:
    assert parse_target(typed) == target


@pytest.mark.parametrize(
    "typed",
    ["", " ", "\u200b", "192.0.2.7", "a:b", "#ABCD", "1.2.3.4:", ":7766", "h:70000", "h:1#short"],
)
def test_parse_target__what_looks_like_an_address_and_is_none(typed: str) -> None:
    with pytest.raises(TargetError):
        parse_target(typed)


def test_nothing_found__names_what_else_is_open() -> None:
    told = nothing_found("Monday", 3, ["Sunday", "Club"])
    assert "'Monday' was heard of in 3 s, but Sunday and Club." in told
    assert "multicast" not in told
    assert "multicast" in nothing_found("Monday", 3)
    assert "multicast" in nothing_found(None, 3, ["Sunday"])


def test_read_card__verifies_the_signature_under_the_author_it_names() -> None:
    assert read_card(card(), "here").name == "Sunday"
    forged = sign_lobby(OTHER, CARD)
    for data in (forged, card()[:-1], b"", b"\x80", card() + b"\0"):
        with pytest.raises(FindError, match="at here is no p2p-hearts table of this version"):
            read_card(data, "here")


def test_live__shows_who_sits_cleaned_as_its_founder_says() -> None:
    told = ["Ana", "B\u202eo\x1b[2J", "\u200b", "x" * 64]
    live = Live(read_card(card(nicks=told), "here"), ((HOST, 1),), (HOST, 1))
    assert live.seated == ("Ana", "Bo[2J", "?", "x" * 24)
    with pytest.raises(FindError):
        read_card(card(nicks=["Ana"] * 12), "here")


def test_read_card__another_version_is_said() -> None:
    with pytest.raises(FindError, match=f"version {VERSION + 1}, this program {VERSION}"):
        read_card(card(version=VERSION + 1), "here")


def test_look_at__leaves_a_table_that_is_far_away_the_time_of_ten_long_round_trips(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Line, greeting, handshake, request: with 0.3 s one way they took longer than a look on a LAN.
    async def fetch(context: zmq.asyncio.Context, host: str, port: int, timeout: float) -> bytes:
        assert timeout >= 10 * 0.6
        return card()

    monkeypatch.setattr(finding, "fetch_card", fetch)
    monkeypatch.setattr(finding, "ADDRESS_SECONDS", ADDRESS_SECONDS)

    async def work() -> None:
        live = await look_at(zmq.asyncio.Context.instance(), Address(HOST, 4711, None))
        assert live.name == CARD.name

    run(work)


def test_look_at__the_code_must_name_the_host() -> None:
    async def work() -> None:
        async with door(card()) as (context, port):
            right = Address("localhost", port, join_code(IDENTITY.public))
            live = await look_at(context, right)
            assert live.card == CARD
            assert (HOST, CARD.lobby) in live.lobby
            wrong = Address(HOST, port, join_code(OTHER.public))
            with pytest.raises(FindError, match="another host than the join code names"):
                await look_at(context, wrong)

    run(work)


def test_probe__dead_addresses_do_not_hide_a_living_one() -> None:
    async def work() -> None:
        async with door(card()) as (context, port):
            found = Found("i", ADVERT, ("127.0.0.9", "127.0.0.8", HOST), port)
            live = await probe(context, found)
            assert live is not None
            assert live.door == (HOST, port)
            assert live.lobby == ((HOST, CARD.lobby),)
            assert await probe(context, replace(found, addresses=("127.0.0.9",))) is None

    run(work)


def test_probe__the_best_address_that_answers_is_shown_and_all_are_dialled() -> None:
    async def work() -> None:
        context = zmq.asyncio.Context()
        served = Door(context, 0, card)
        found = Found("i", ADVERT, ("127.0.0.9", "127.0.0.1", "127.0.0.2"), served.port)
        for addresses in (found.addresses, tuple(reversed(found.addresses))):
            live = await probe(context, replace(found, addresses=addresses))
            assert live is not None
            assert live.door == (addresses[0], served.port)
            assert live.lobby == tuple((host, CARD.lobby) for host in addresses)
        await served.close()
        context.destroy(linger=0)

    run(work)


def test_probe__who_answers_nonsense_is_no_table() -> None:
    async def work() -> None:
        async with door(b"nonsense") as (context, port):
            assert await probe(context, Found("i", ADVERT, (HOST,), port)) is None

    run(work)


@pytest.mark.parametrize(
    ("wanted", "same"),
    [
        (None, True),
        ("sunday", True),
        ("ANA", True),
        ("  Sunday ", True),
        ("Sun", False),
        ("", False),
    ],
)
def test_matches__by_the_name_of_the_table_or_of_the_host(wanted: str | None, same: bool) -> None:
    assert matches(Found("i", ADVERT, (HOST,), 1), None, wanted) is same


class Heard:
    """A browser that has heard of some tables."""

    def __init__(self, *tables: Found) -> None:
        self.tables = tables
        self.problem: Sentence | None = None
        self.closed = False

    def __call__(self, *, interface: str | None) -> Heard:
        return self

    def start(self) -> None:
        """Nothing to start."""

    async def close(self) -> None:
        self.closed = True


def test_find_on_lan__says_what_keeps_this_machine_from_hearing_any(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def work() -> None:
        browser = Heard()
        browser.problem = sentence("No multicast today.")
        monkeypatch.setattr(finding, "Browser", browser)
        told = pytest.raises(FindError, match=r"heard of in 0 s\. No multicast today\. The host")
        with zmq.asyncio.Context() as context, told:
            await find_on_lan(context, None, interface=None, wait=0)
        with zmq.asyncio.Context() as context:
            assert await list_on_lan(context, interface=None, wait=0) == ((), browser.problem)

    run(work)


@pytest.mark.parametrize(
    ("shown", "advert", "wanted", "what"),
    [
        (card(free=0), ADVERT, "Sunday", "Sunday has no free seat"),
        (card(), replace(ADVERT, version=9), None, "speaks protocol version 9, this program"),
        (b"nonsense", ADVERT, "Ana", "was heard of and does not answer"),
        (card(), ADVERT, "Monday", "No open table called 'Monday' was heard of in 0.2 s"),
    ],
)
def test_find_on_lan__says_why_a_table_cannot_be_joined(
    monkeypatch: pytest.MonkeyPatch, shown: bytes, advert: Advert, wanted: str | None, what: str
) -> None:
    async def work() -> None:
        async with door(shown) as (context, port):
            browser = Heard(Found("i", advert, (HOST,), port))
            monkeypatch.setattr(finding, "Browser", browser)
            with pytest.raises(FindError, match=what):
                await find_on_lan(context, wanted, interface=None, wait=0.2)
            assert browser.closed

    run(work)


def test_find_on_lan__a_table_heard_of_at_the_last_moment_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def work() -> None:
        async with door(card()) as (context, port):
            monkeypatch.setattr(finding, "Browser", Heard(Found("i", ADVERT, (HOST,), port)))
            for wanted in (None, "Sunday"):
                live = await find_on_lan(context, wanted, interface=None, wait=0)
                assert live.door == (HOST, port)

    run(work)


@pytest.mark.parametrize("watching", [False, True])
def test_find_on_lan__who_left_a_table_is_told_how_to_come_back(
    monkeypatch: pytest.MonkeyPatch, watching: bool
) -> None:
    """Most type the command that they sat down by again."""
    shown = card(free=0)
    own = {read_card(shown, "").instance}

    async def work() -> None:
        async with door(shown) as (context, port), door(card()) as (_, other):
            mine, another = Found("i", ADVERT, (HOST,), port), Found("o", ADVERT, (HOST,), other)
            monkeypatch.setattr(finding, "Browser", Heard(mine))
            with pytest.raises(FindError, match="You have a seat at Sunday: p2p-hearts resume"):
                await find_on_lan(
                    context, "Sunday", interface=None, wait=60, watching=watching, own=own
                )
            with pytest.raises(FindError, match="You have a seat at Sunday"):
                await find_on_lan(context, None, interface=None, wait=0, own=own)
            # Its draw came to nothing: its host looks for players anew, by the lobby alone.
            monkeypatch.setattr(finding, "Browser", Heard(another))
            live = await find_on_lan(context, None, interface=None, wait=0, own=own)
            assert live.door == (HOST, other)

    run(work)


def test_find_on_lan__who_left_a_table_is_told_of_another_one_of_that_name_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Friends call every table "Sunday": the one that was left may not be the one that is meant."""
    monkeypatch.setattr(finding, "SAME_NAME_SECONDS", 0.01)
    new = sign_lobby(OTHER, replace_card(author=OTHER.public, host="Bo", instance=b"n" * 32))
    shown = card(free=0)
    own = {read_card(shown, "").instance}

    async def work() -> None:
        async with door(shown) as (context, port), door(new) as (_, other):
            kept, another = Found("i", ADVERT, (HOST,), port), Found("o", ADVERT, (HOST,), other)
            monkeypatch.setattr(finding, "Browser", Heard(kept, another))
            with pytest.raises(FindError) as raised:
                await find_on_lan(context, "Sunday", interface=None, wait=60, own=own)
            told = str(raised.value)
            assert "You have a seat at Sunday: p2p-hearts resume takes you back to it." in told
            assert f"Another table is called so, too: Sunday of Bo at {HOST}:{other}#" in told
            assert f"{HOST}:{port}#" not in told
            third = Found("t", ADVERT, (HOST,), other)
            monkeypatch.setattr(finding, "Browser", Heard(kept, another, third))
            with pytest.raises(FindError, match=r"Other tables are called so, too: .*one of them"):
                await find_on_lan(context, "Sunday", interface=None, wait=60, own=own)
            live = await find_on_lan(context, None, interface=None, wait=60, own=own)
            assert live.door == (HOST, other)

    run(work)


def test_find_on_lan__takes_the_first_table_with_a_free_seat(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def work() -> None:
        async with door(card()) as (context, port), door(card(free=0)) as (_, full):
            tables = [Found("f", ADVERT, (HOST,), full), Found("i", ADVERT, (HOST,), port)]
            monkeypatch.setattr(finding, "Browser", Heard(*tables))
            live = await find_on_lan(context, None, interface=None, wait=5)
            assert live.door == (HOST, port)
            listed, problem = await list_on_lan(context, interface=None, wait=0)
            assert problem is None
            assert [None if live is None else live.card.free for _, live in listed] == [2, 0]

    run(work)


def test_live_tables__come_with_free_seats_first_and_in_the_order_of_their_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cards = {
        "full": replace_card(free=0),
        "b": replace_card(name="Board"),
        "a": replace_card(name="anchor"),
        "other": replace_card(name="Aaa"),
    }

    async def answer(context: zmq.asyncio.Context, found: Found) -> Live | None:
        card = cards.get(found.instance)
        return None if card is None else Live(card, ((HOST, 1),), (HOST, 1))

    monkeypatch.setattr(finding, "probe", answer)
    names = ("dead", "other", "full", "b", "a")
    versions = {"other": replace(ADVERT, version=9)}
    heard = Heard(*(Found(name, versions.get(name, ADVERT), (HOST,), 1) for name in names))

    async def work() -> None:
        context = zmq.asyncio.Context()
        tables = await live_tables(context, heard)  # type: ignore[arg-type]
        assert [found.instance for found, _ in tables] == ["a", "b", "full", "other", "dead"]
        context.destroy(linger=0)

    run(work)


def test_live_tables__asks_a_bounded_number_of_tables_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asking: list[int] = [0, 0]

    async def count(context: zmq.asyncio.Context, found: Found) -> None:
        asking[0] += 1
        asking[1] = max(asking)
        for _ in range(3):
            await asyncio.sleep(0)
        asking[0] -= 1

    monkeypatch.setattr(finding, "probe", count)
    many = 3 * PROBES_AT_ONCE
    heard = Heard(*(Found(str(number), ADVERT, (HOST,), 1) for number in range(many)))

    async def work() -> None:
        context = zmq.asyncio.Context()
        assert len(await live_tables(context, heard)) == many  # type: ignore[arg-type]
        assert asking == [0, PROBES_AT_ONCE]
        context.destroy(linger=0)

    run(work)


def test_find_on_lan__an_interface_that_does_not_exist() -> None:
    async def work() -> None:
        context = zmq.asyncio.Context()
        with pytest.raises(NetError, match="no network interface nope0"):
            await find_on_lan(context, None, interface="nope0", wait=1)
        with pytest.raises(NetError, match="no network interface nope0"):
            await list_on_lan(context, interface="nope0", wait=1)
        context.destroy(linger=0)

    run(work)
