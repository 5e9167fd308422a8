"""Everything that reads what somebody else wrote, as one function of bytes each.

A target returns for bytes it takes and for bytes it refuses as it says it does; anything else that
it raises is a crash. What it takes it must also keep its promises about.
"""

from __future__ import annotations

import contextlib
import copy
import copyreg
import io
import json
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from zmq.utils import z85

from p2p_hearts.home import Home, HomeError
from p2p_hearts.net.advert import read_advert, read_found
from p2p_hearts.net.codes import code_matches, parse_address, parse_code, secret_of
from p2p_hearts.net.keys import CurveKeys
from p2p_hearts.net.names import clean_name
from p2p_hearts.node.chat import MAX_LINE, Chat
from p2p_hearts.node.finding import FindError, read_card
from p2p_hearts.node.returning import open_seats
from p2p_hearts.record.audit.auditor import audit
from p2p_hearts.record.audit.report import Verdict
from p2p_hearts.record.log import LogWriter, read_log
from p2p_hearts.record.records import FIRST_CHAIN, MAGIC, LogError, RecordKind, make_record
from p2p_hearts.record.records import start_data as make_start
from p2p_hearts.rules.options import RuleError, RuleSet
from p2p_hearts.table.gallery import Desk, WatchList
from p2p_hearts.table.lobby import FounderLobby, Gate, GuestLobby
from p2p_hearts.table.machine import Table
from p2p_hearts.wire.codec import DecodeError, decode, encode
from p2p_hearts.wire.envelope import (
    BadSignatureError,
    Envelope,
    content_hash,
    open_envelope,
    sign_bytes,
)
from p2p_hearts.wire.lobby import (
    Gallery,
    Join,
    LobbyError,
    News,
    Onlooker,
    Remark,
    TableCard,
    Whereabouts,
    open_lobby,
    open_roster,
    sign_lobby,
)
from p2p_hearts.wire.messages import NO_HASH, VERSION, Ahead, Beat, Content, Frame, Kind
from tests.table.sim import Sim, make_hello, make_identities, unsealed_roster
from tests.table.test_ahead import Watched
from tests.wire.values import WIRE_TYPES

INSTANCE = bytes(range(32))
REFUSED = (DecodeError, BadSignatureError, LobbyError)
LIAR = 2
RULES = RuleSet(seats=3, hands=1)

# A table is copied for every try; what is never changed need not be.
copyreg.pickle(MappingProxyType, lambda proxy: (MappingProxyType, (dict(proxy),)))


@dataclass(frozen=True)
class Target:
    """A reader, and inputs that it takes."""

    name: str
    take: Callable[[bytes], None]
    seeds: Callable[[], Sequence[bytes]]


@cache
def played() -> Sim:
    """A table of three in the middle of a hand: five cards played, one speech on its way."""
    sim = Sim(RULES, seed="fuzz")

    def is_time() -> bool:
        hand = sim.tables[0].hand
        play = None if hand is None else hand.play
        return play is not None and bool(play.tricks) and len(play.trick) == 2

    sim.run(is_time)
    return sim


@cache
def frames() -> tuple[bytes, ...]:
    """Frames of every kind that are sent in a match up to there, those of the start left out."""
    sent: list[bytes] = []
    sim = Sim(RULES, seed="fuzz")
    sim.on_send = lambda place, frame: sent.append(frame)
    sim.run(lambda: sim.tables[0].history.certified >= played().tables[0].history.certified)
    unique = list(dict.fromkeys(sent))
    return tuple(unique[:6] + unique[-60:])


@cache
def contents() -> tuple[bytes, ...]:
    """Content bytes of the liar's own messages, and of all others' latest."""
    log = [decode(data, Envelope).content for data in played().logs[0]]
    own = [data for data in log if decode(data, Content).seat == LIAR]
    return tuple(own[-20:] + log[-10:])


# The wire.


def take_codec(data: bytes) -> None:
    kind = WIRE_TYPES[(data or b"\0")[0] % len(WIRE_TYPES)]
    with contextlib.suppress(DecodeError):
        assert encode(decode(data[1:], kind)) == data[1:]


def codec_seeds() -> list[bytes]:
    found = []
    for frame in frames()[-8:]:
        for number, kind in enumerate(WIRE_TYPES):
            with contextlib.suppress(DecodeError):
                decode(frame, kind)
                found.append(bytes([number]) + frame)
    for content in contents():
        found.append(bytes([WIRE_TYPES.index(Content)]) + content)
        found.append(bytes([len(found) % len(WIRE_TYPES)]) + decode(content, Content).body)
    return found


def take_envelope(data: bytes) -> None:
    with contextlib.suppress(DecodeError, BadSignatureError):
        sealed = open_envelope(data)
        assert sealed.data == data
        assert data in played().logs[0], "a forged signature"


def take_card(data: bytes) -> None:
    with contextlib.suppress(FindError):
        card = read_card(data, "somewhere")
        with contextlib.suppress(LobbyError):
            GuestLobby(card, b"", "")


@cache
def card_seeds() -> tuple[bytes, ...]:
    return (founder().card(),)


@cache
def founder() -> FounderLobby:
    identity = make_identities(1, "founder")[0]
    hello = sign_lobby(identity, make_hello(identity, 0, "founder"))
    return FounderLobby(identity, hello, RULES, "Sunday", 7000, "")


def take_signed_card(data: bytes) -> None:
    """A card whose signature is right: whoever hosts a table signs what it likes."""
    identity = make_identities(1, "founder")[0]
    take_card(sign_bytes(identity, "card", data))


def take_roster(data: bytes) -> None:
    with contextlib.suppress(*REFUSED):
        roster = open_roster(data)
        assert len(roster.entries) == roster.rules.seats


def take_signed_roster(data: bytes) -> None:
    identity = make_identities(3, "roster")[0]
    take_roster(sign_bytes(identity, "roster", data))


@cache
def roster_seeds() -> tuple[bytes, ...]:
    return (encode(unsealed_roster(make_identities(3, "roster"), RULES, "roster")),)


def take_rules(data: bytes) -> None:
    with contextlib.suppress(DecodeError, RuleError):
        card = decode(data, TableCard)
        rules = RuleSet.from_dict(card.rules)
        assert RuleSet.from_dict(rules.to_dict()) == rules


def take_lobby(data: bytes) -> None:
    """What reaches a founder's lobby, and a guest's."""
    host = copy.copy(founder())
    host._guests, host._answers = {}, []
    for curve in (b"%040d" % 1, data[:40]):
        host.receive(curve, data, 0.0)
    host.answers()
    identity = make_identities(1, "guest")[0]
    card = open_lobby(founder().card(), TableCard)
    hello = sign_lobby(identity, make_hello(identity, 1, "founder"))
    guest = GuestLobby(card, hello, "")
    guest.receive(data)
    with contextlib.suppress(DecodeError):
        decode(data, Whereabouts)


@cache
def lobby_seeds() -> tuple[bytes, ...]:
    identity = make_identities(1, "guest")[0]
    hello = sign_lobby(identity, make_hello(identity, 1, "founder"))
    instance = open_lobby(founder().card(), TableCard).instance
    return (
        encode(Join(hello, "", False, True)),
        encode(Join(hello, "ABCD", True, True)),
        encode(News(instance, "", ["Ana"], [True], b"")),
        encode(News(instance, "full", [], [], b"")),
        encode(Whereabouts([(b"%040d" % 1, [("127.0.0.1", 7)])])),
    )


def take_company(data: bytes) -> None:
    """Of those who watch, of a founder about them, and chat; signed rightly by whoever says it."""
    host, liar = make_identities(2, "company")
    curve, seats = b"%040d" % 77, {host.public}
    held = WatchList(host.public, INSTANCE, RULES)
    held.adopt(sign_bytes(host, "gallery", data), seats)
    assert len(held.watchers) <= RULES.watchers
    desk = Desk(host, INSTANCE, RULES, Gate(""))
    onlooker = sign_bytes(liar, "onlooker", data[:2000])
    for number, asked in enumerate((data, encode(Join(onlooker, "", False, True))), 1):
        desk.receive(curve, asked, 5.0 * number, seats)
    chat = Chat(host)
    for said in (data, sign_bytes(liar, "remark", data)):
        line = chat.receive(curve, said, 0.0, lambda author: True)
        if line is not None:
            assert line.text == clean_name(line.text, limit=MAX_LINE)
    with contextlib.suppress(DecodeError):
        frame = decode(data, Frame)
        if frame.beat is not None:
            answer = decode(played().tables[1].serve(frame.beat), Frame)
            assert set(answer.envelopes) <= set(played().logs[1])


@cache
def company_seeds() -> tuple[bytes, ...]:
    host, liar = make_identities(2, "company")
    said = Onlooker(VERSION, INSTANCE, liar.public, b"%040d" % 77, "W", [("127.0.0.1", 9)])
    envelope = sign_lobby(liar, said)
    beat = played().tables[1].beat()
    return (
        encode(said),
        encode(Join(envelope, "", False, True)),
        encode(Gallery(VERSION, INSTANCE, host.public, 1, [envelope])),
        encode(Remark(VERSION, NO_HASH, liar.public, 1, "hello")),
        encode(Frame(played().roster.hash, [], beat)),
    )


# The table.


def take_frame(data: bytes) -> None:
    """Unsigned changes of frames: nobody is ever convicted by them."""
    table: Table = copy.deepcopy(played().tables[1])
    table.receive(LIAR, data)
    _settle(table)
    assert table.fault is None, "somebody was convicted by what nobody signed"


def take_signed_content(data: bytes) -> None:
    """The liar signs what it likes: it alone can be convicted, and nothing else happens."""
    sim = played()
    table: Table = copy.deepcopy(sim.tables[1])
    liar = sim.identities[LIAR if table.draw is None else table.player_at(LIAR)]
    envelope = sign_bytes(liar, "content", data)
    place = table.player_at(LIAR)
    table.receive(place, encode(Frame(table.roster.hash, [envelope], None)))
    _settle(table)
    if table.fault is not None:
        assert table.fault.seat == LIAR, "an honest seat was convicted"


def take_signed_body(data: bytes) -> None:
    """The liar's next message, rightly headed, with any body under any kind."""
    sim = played()
    table = sim.tables[1]
    current, author = table.history.current, sim.identities[table.player_at(LIAR)]
    own = [item for item in contents() if decode(item, Content).author == author.public]
    last = decode(own[-1], Content)
    kinds = [*dict.fromkeys(decode(item, Content).kind for item in contents()), "x" * 16]
    number = (data or b"\0")[0]
    hand, attempt, place = current.place
    content = Content(
        version=VERSION,
        table=current.table,
        hand=hand,
        attempt=attempt,
        round=place,
        seat=LIAR,
        author=author.public,
        sequence=last.sequence + 1,
        last=content_hash(own[-1]),
        prev=current.prev,
        kind=kinds[number % len(kinds)] if number < 64 else current.kind,
        body=data[1 : 64 * 1024],
    )
    take_signed_content(encode(content))


def body_seeds() -> list[bytes]:
    bodies = [decode(item, Content).body for item in contents()]
    return [bytes([first]) + body for first in (0, 1, 2, 99) for body in bodies]


def _settle(table: Table) -> None:
    for now in (0.0, 1.0, 100.0):
        table.tick(now)
        while table.work():
            pass
    table.drain()
    table.waiting()
    table.view()


def take_beat(data: bytes) -> None:
    """Heartbeats are not signed: they only ever make a seat send what it holds."""
    table: Table = copy.deepcopy(played().tables[1])
    with contextlib.suppress(DecodeError):
        beat = decode(data, Beat)
        table.receive(0, encode(Frame(table.roster.hash, [], beat)))
        _settle(table)
        assert table.fault is None


def beat_seeds() -> list[bytes]:
    return [encode(beat) for frame in frames() if (beat := decode(frame, Frame).beat) is not None]


# Logs and files.


@cache
def ahead() -> tuple[Table, int, tuple[bytes, ...]]:
    """A table that waits for the next dealer's part of the next deal: its place, what it shows."""
    sim, kept = Watched(RuleSet(seats=3, hands=2), seed="fuzz"), list[bytes]()
    sim.run(lambda: sim.tables[0].hand is not None)
    terms = sim.tables[0].course.next_terms()
    assert terms is not None
    dealer = sim.tables[0].player_at(terms[1])

    def keep(place: int, part: Ahead) -> list[bytes]:
        if place != dealer:
            return [encode(part)]
        kept.append(encode(part))
        return []

    sim.lies = keep
    sim.run(lambda: bool(sim.shown.of(dealer, Kind.SHUFFLE)))
    return sim.tables[(dealer + 1) % 3], dealer, tuple(dict.fromkeys(kept))


def take_ahead(data: bytes) -> None:
    """What is shown of the next deal is not signed: no game stops at it."""
    waiting, dealer, parts = ahead()
    table: Table = copy.deepcopy(waiting)
    for part in (data, parts[0]):
        table.receive_ahead(dealer, part)
    _settle(table)
    assert table.fault is None


def take_log(data: bytes) -> None:
    """A log that anybody sends: read to its end or refused, never clean if it was changed."""
    with contextlib.suppress(LogError):
        records = list(read_log(data))
        assert audit(iter(records)).verdict is not Verdict.CLEAN


def take_own_log(data: bytes) -> None:
    """A log found on the own disk: appended to after its last whole record, or refused."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.hearts"
        path.write_bytes(data)
        with contextlib.suppress(LogError):
            before = len(_readable(data))
            with LogWriter.open(path) as writer:
                writer.append(RecordKind.CONTENT, b"more")
            assert [record.data for record in read_log(path)][before:] == [b"more"]


def _readable(data: bytes) -> list[bytes]:
    found: list[bytes] = []
    with contextlib.suppress(LogError):
        found.extend(record.data for record in read_log(data))
    return found


@cache
def log_seeds() -> tuple[bytes, ...]:
    sim = played()
    out, chain = io.BytesIO(), FIRST_CHAIN
    out.write(MAGIC)
    start = make_start(sim.identities[0], "0.1.0", 0)
    records = [(RecordKind.START, start), (RecordKind.ROSTER, sim.roster.data)]
    records += [(RecordKind.CONTENT, data) for data in sim.logs[0][:8]]
    for kind, data in records:
        record, chain = make_record(chain, kind, data)
        out.write(record)
    return (out.getvalue(), out.getvalue()[:400], MAGIC)


def take_home(data: bytes) -> None:
    """Files of the own folder after a bad disk."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in ("identity", "players.json", "muted.json", "seats/a.json"):
            (folder / file).parent.mkdir(exist_ok=True)
            (folder / file).write_bytes(data)
        with contextlib.suppress(HomeError):
            home = Home(folder, passphrase=lambda: "word")
            home.close()
        (folder / "identity").unlink()
        home = Home(folder)
        for use in (lambda: home.meet("Ana", bytes(32)), home.muted):
            with contextlib.suppress(HomeError):
                use()
        with contextlib.suppress(HomeError):
            _take_seats(home)
        home.close()


def _take_seats(home: Home) -> None:
    """A seat that is read is one to come back with: nothing that it holds raises later."""
    open_seats(home)
    for seat in home.seats():
        CurveKeys.from_secret(seat.curve)
        assert {seat.port, seat.door} <= set(range(2**16))
        path = home.games / seat.log
        assert path.parent == home.games
        assert not path.exists()
        Gate(seat.code).refusal(seat.code)
        home.keep_seat(seat)
        assert seat in home.seats()


@cache
def home_seeds() -> tuple[bytes, ...]:
    """Files as they should be, and the same with one odd value each."""
    curve = z85.encode(bytes(range(32))).hex()
    place = {"log": "a.hearts", "curve": curve, "port": 7000, "code": "WXYZ", "door": 7001}
    files: list[dict[str, Any]] = [{"Ana": "00"}, {"roster": "00", **place}]
    odd = [
        json.dumps({**file, name: "ODD"}).replace('"ODD"', value).encode()
        for file in files
        for name in file
        for value in ODD_JSON
    ]
    files.append({"roster": played().roster.data.hex(), **place})
    sealed = b"p2p-hearts sealed identity 1\n" + bytes(76)
    return (bytes(32), sealed, *(json.dumps(file).encode() for file in files), *odd)


ODD_JSON = (
    *("null", "true", "-1", "65536", "1.5", "1e400", "Infinity", "9" * 5000),
    *("[]", "[" * 10**5, '""', '"00"', '"zz"', '".."', '"a/b.hearts"'),
    *(
        r'"\ud800"',
        r'"\u0000.hearts"',
        '"\u0661"',
        '"' + "00" * 40 + '"',
        '"' + "a" * 300 + '.hearts"',
    ),
)


# Texts.


def take_text(data: bytes) -> None:
    """What a person types, or a peer calls itself."""
    text = data.decode("utf-8", "surrogateescape")
    with contextlib.suppress(ValueError):
        address = parse_address(text)
        assert parse_address(str(address)) == address
    with contextlib.suppress(ValueError):
        code = parse_code(text)
        assert parse_code(code) == code
    code_matches(text, bytes(32))
    secret_of(text)
    name = clean_name(text)
    assert clean_name(name) == name
    assert name.isprintable() or not name
    name.encode("utf-8")


def text_seeds() -> list[bytes]:
    return [
        b"192.168.1.20:7777#ABCD-EFGH-JKMN",
        b"[fe80::1%eth0]:7777",
        b"host.local:1#0123456789ABCDEF",
        "Zoë 👩‍👩‍👧 ‮evil‬".encode(),
        b"ABCD-EFGH-JKMN-PQRS",
    ]


def take_advert(data: bytes) -> None:
    """TXT records: KEY=VALUE strings, each with its length before it, as DNS-SD has them."""
    properties: dict[bytes, bytes | None] = {}
    at = 0
    while at < len(data):
        item = data[at + 1 : at + 1 + data[at]]
        key, equals, value = item.partition(b"=")
        properties.setdefault(key, value if equals else None)
        at += 1 + data[at]
    advert = read_advert(properties)
    found = read_found("a", properties, [data[:40].decode("latin-1"), "10.0.0.1"], len(data))
    if advert is not None:
        assert clean_name(advert.name) == advert.name
        assert found is None or found.addresses


def advert_seeds() -> list[bytes]:
    items = (
        b"id=ab12",
        b"name=Sunday",
        b"nick=Ana",
        b"v=1",
        b"rules=black-lady",
        b"seats=4",
        b"free=3",
    )
    return [b"".join(bytes([len(item)]) + item for item in items)]


TARGETS = (
    Target("codec", take_codec, codec_seeds),
    Target("envelope", take_envelope, lambda: played().logs[0][-12:]),
    Target("card", take_card, card_seeds),
    Target("signed card", take_signed_card, lambda: [decode(card_seeds()[0], Envelope).content]),
    Target("roster", take_roster, lambda: [played().roster.data]),
    Target("signed roster", take_signed_roster, roster_seeds),
    Target("rules", take_rules, lambda: [decode(card_seeds()[0], Envelope).content]),
    Target("lobby", take_lobby, lobby_seeds),
    Target("company", take_company, company_seeds),
    Target("frame", take_frame, frames),
    Target("signed content", take_signed_content, contents),
    Target("signed body", take_signed_body, body_seeds),
    Target("beat", take_beat, beat_seeds),
    Target("ahead", take_ahead, lambda: ahead()[2]),
    Target("log", take_log, log_seeds),
    Target("own log", take_own_log, log_seeds),
    Target("home", take_home, home_seeds),
    Target("text", take_text, text_seeds),
    Target("advert", take_advert, advert_seeds),
)
"""Every reader; ``make deep`` runs each for a minute, the normal run for about a second."""
