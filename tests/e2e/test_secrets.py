"""Nothing that a match writes anywhere tells a secret before its time."""

from __future__ import annotations

import base64
import json
import stat
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from zmq.utils import z85

from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.cards.tablekey import TableKey
from p2p_hearts.home import Home, Seat
from p2p_hearts.net.codes import parse_address
from p2p_hearts.net.dialling import Peer
from p2p_hearts.net.keys import CurveKeys
from p2p_hearts.net.terms import Door, Received
from p2p_hearts.node.terms import TAG_JOIN
from p2p_hearts.record.log import read_log
from p2p_hearts.record.records import Record, RecordKind
from p2p_hearts.rules.options import PRESETS, RuleSet
from p2p_hearts.table.gallery import VisitorLobby
from p2p_hearts.table.lobby import FounderLobby, GuestLobby
from p2p_hearts.wire.codec import decode
from p2p_hearts.wire.envelope import Envelope
from p2p_hearts.wire.lobby import Join, TableCard, open_lobby, sign_lobby
from p2p_hearts.wire.messages import Content, Kind
from tests.e2e.tables import LOOPBACK, address_of, bot, host
from tests.programs import Program, run, together, until
from tests.table.sim import Sim, make_hello, make_identities

NAMES = ("Ana", "Budi", "Caio")
HANDS = 2


class Thief(threading.Thread):
    """Reads every secret of every home as long as it is there, and how it is kept."""

    def __init__(self, homes: list[Path]) -> None:
        super().__init__(daemon=True)
        self.stolen: dict[str, set[bytes]] = {home.name: set() for home in homes}
        self.links: set[bytes] = set()
        self.modes: set[tuple[str, int]] = set()
        self._homes = homes
        self._ended = threading.Event()

    def run(self) -> None:
        while not self._ended.wait(0.01):
            for home in self._homes:
                self._look(home)

    def _look(self, home: Path) -> None:
        for path in [*home.glob("secrets"), *home.glob("secrets/*"), *home.glob("seats/*.json")]:
            try:
                mode = stat.S_IMODE(path.stat().st_mode)
                data = b"" if path.is_dir() else path.read_bytes()
            except OSError:
                continue
            self.modes.add(("folder" if path.is_dir() else "file", mode))
            if path.suffix == ".json" and data:
                self.links.add(bytes.fromhex(json.loads(data)["curve"]))
            elif len(data) == 32 and any(data):
                self.stolen[home.name].add(data)

    def has(self, count: int) -> bool:
        """Whether so many secrets of each home were seen."""
        return all(len(stolen) >= count for stolen in self.stolen.values())

    def stop(self) -> None:
        self._ended.set()
        self.join(60)


def forms(secret: bytes) -> Iterator[bytes]:
    """A secret as it could stand in a text or a file."""
    yield secret
    yield secret.hex().encode()
    yield secret.hex().upper().encode()
    yield z85.encode(secret)
    # Base64 of a part of something longer: three ways to begin, without the ends that depend.
    for before in range(3):
        text = base64.b64encode(bytes(before) + secret)
        yield text[4:40]
        yield text[4:40].replace(b"+", b"-").replace(b"/", b"_")
    yield repr(secret)[2:-1].encode()
    yield str(int.from_bytes(secret, "little")).encode()
    yield str(int.from_bytes(secret, "big")).encode()


def tells(data: bytes, secret: bytes) -> bool:
    return any(form in data for form in forms(secret))


def test_secrets__are_in_nothing_that_a_match_writes_before_their_time(tmp_path: Path) -> None:
    debug = ("--log-level", "debug")
    thief = Thief([tmp_path / name for name in NAMES])
    thief.start()
    set_up = run("settings", "colours=four", home=tmp_path / "Ana")
    rules = ("--seats", "3", "--hands", str(HANDS), "--rule", "watcher_chat=true")
    opener = host(tmp_path, *rules, *debug, hold=(1, 1))
    with together(opener):
        where = address_of(opener)
        seen = tmp_path / "Wira" / "games" / "seen.hearts"
        watch = ("watch", where, "--nick", "Wira", "--delay", "0", "--line", *LOOPBACK, *debug)
        watcher = Program(*watch, "--log", str(seen), home=tmp_path / "Wira")
        with together(watcher):
            watcher.wait_line("You watch this table")
            others = [bot(tmp_path, where, name, *debug) for name in NAMES[1:]]
            with together(*others):
                watcher.wait_line("The words of this table")
                watcher.type("say good evening")
                opener.wait_event("chat", text="good evening")
                # A secret of a hand is there until that is over: the thief has all the time.
                for hand in range(1, HANDS + 1):
                    opener.wait_held(hand, 1)
                    until(lambda hand=hand: thief.has(2 + hand))  # type: ignore[misc]
                    opener.let_go((hand + 1, 1))
                programs = [opener, *others, watcher]
                ends = [program.end(240) for program in programs]
                thief.stop()
    assert [ended.code for ended in ends] == [0] * 4
    assert all("DEBUG" in ended.err for ended in ends), "debug lines are wanted"

    # A nonce, a table key, and a secret for each hand; nothing of them is left.
    assert {name: len(stolen) for name, stolen in thief.stolen.items()} == dict.fromkeys(
        NAMES, 2 + HANDS
    )
    assert thief.modes == {("folder", 0o700), ("file", 0o600)}
    assert len(thief.links) == 3
    for name in NAMES:
        assert not list((tmp_path / name / "secrets").iterdir())

    identities = {(tmp_path / name / "identity").read_bytes() for name in (*NAMES, "Wira")}
    links = {z85.decode(link) for link in thief.links}
    stolen = set().union(*thief.stolen.values())
    for ended in (*ends, set_up):
        for secret in identities | links | stolen:
            assert not tells((ended.out + ended.err).encode(), secret)

    shown: Counter[str] = Counter()
    for program in programs:
        for path in (tmp_path / str(program.home)).rglob("*"):
            if path.is_dir() or path.name == "identity" or path.suffix == ".hearts":
                continue
            for secret in identities | links | stolen:
                assert not tells(path.read_bytes(), secret), path
        for record in read_log(program.log):
            kind = told_kind(record)
            for secret in identities | links | stolen:
                if tells(record.data, secret):
                    assert secret in stolen
                    assert kind in (Kind.REVEAL, Kind.DRAW), f"told by {kind}"
                    shown[kind] += 1
    # Each log shows each nonce and each hand's secret once, where the protocol does.
    assert shown == {Kind.DRAW: 4 * 3, Kind.REVEAL: 4 * 3 * HANDS}
    tell_of_a_match_in_progress(opener.log, tmp_path / "told", identities | links | stolen)


def tell_of_a_match_in_progress(log: Path, folder: Path, secrets: set[bytes]) -> None:
    """Make of a log, as it was before its last hand was over, all that there is for people."""
    ends = [record.offset for record in read_log(log) if told_kind(record) == Kind.REVEAL]
    so_far = log.read_bytes()[: ends[-len(NAMES)]]
    live = {secret for secret in secrets if not tells(so_far, secret)}
    # Of the players' secrets, nonces and what the hands before revealed are shown by then.
    assert len(secrets) - len(live) == len(NAMES) * HANDS
    folder.mkdir()
    part, page, plots = (folder / name for name in ("part.hearts", "page.html", "plots.html"))
    part.write_bytes(so_far)
    ended = {
        "audit": run("audit", str(part)),
        "audit --json": run("audit", "--json", "--report", str(page), str(part)),
        "replay": run("replay", "--line", str(part)),
        "stats": run("stats", "--json", "--report", str(plots), str(folder)),
    }
    texts = {name: (one.out + one.err).encode() for name, one in ended.items()}
    texts |= {path.name: path.read_bytes() for path in (page, plots)}
    for name, text in texts.items():
        assert text, name
        for secret in live:
            assert not tells(text, secret), name


def told_kind(record: Record) -> str:
    """Return the kind of the content that a record holds, or that of the record."""
    if record.kind is not RecordKind.CONTENT:
        return str(record.kind)
    return decode(decode(record.data, Envelope).content, Content).kind


def test_secrets__stand_in_no_repr(tmp_path: Path) -> None:
    home = Home(tmp_path)
    secret = bytes(range(100, 132))
    keys = CurveKeys.generate()
    sim = Sim(replace(PRESETS["black-lady"], seats=3))
    sim.run(lambda: sim.tables[0].hand is not None)
    table, table_key = sim.tables[0], sim.secrets[0].table_key(sim.roster.instance)
    assert table.hand is not None
    assert table.hand.ground.table_key.secret == table_key
    things: list[tuple[object, bytes]] = [
        (home, home.identity.private_bytes()),
        (home.identity, home.identity.private_bytes()),
        (HandSecret(secret, bytes(32), 1, 1, 0), secret),
        (Seat(b"roster", "a.hearts", keys.secret, 7), keys.secret),
        (keys, keys.secret),
        (home.secrets, home.secrets.nonce(bytes(32))),
        (TableKey(secret, bytes(32)), secret),
        (table.hand.ground, table_key),
        (table, table_key),
        (table.hand, table.hand.secret.z),
        (table.hand.sides[table.hand.seat], table.hand.secret.z),
    ]
    for thing, hidden in things:
        raw = z85.decode(hidden) if len(hidden) == 40 else hidden
        for text in (repr(thing), str(thing), f"{thing!r}"):
            assert not tells(text.encode(), raw)
            assert hidden.hex() not in text
    home.close()


def test_secrets__a_join_code_stands_in_no_repr() -> None:
    code, (host, guest) = "WXYZ", make_identities(2)
    own = sign_lobby(host, make_hello(host, 0))
    founder = FounderLobby(host, own, RuleSet(seats=3), "Sunday", 7766, code)
    card = open_lobby(founder.card(), TableCard)
    asking = GuestLobby(card, sign_lobby(guest, make_hello(guest, 1)), code)
    visiting = VisitorLobby(card, b"onlooker", code)
    join = asking.join()
    peer = Peer(bytes(40), ())
    peer.outbox.append(TAG_JOIN + join)
    things = [
        decode(join, Join),
        decode(visiting.join(), Join),
        Received(bytes(40), TAG_JOIN + join, Door.LOBBY),
        peer,
        parse_address(f"192.0.2.1:7766#ABCD-EFGH-JKMN-{code}"),
        Seat(b"roster", "a.hearts", bytes(40), 7, code),
        founder,
        founder.gate,
        founder.news(),
        founder.card(),
        asking,
        visiting,
    ]
    assert decode(join, Join).code == code
    for thing in things:
        assert code not in repr(thing)
        assert code not in f"{[thing]}"
