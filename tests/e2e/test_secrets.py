"""Nothing that a match writes anywhere tells a secret before its time."""

from __future__ import annotations

import base64
import json
import stat
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from zmq.utils import z85

from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.home import Home, Seat
from p2p_hearts.net.keys import CurveKeys
from p2p_hearts.record.log import read_log
from p2p_hearts.record.records import RecordKind
from p2p_hearts.wire.codec import decode
from p2p_hearts.wire.envelope import Envelope
from p2p_hearts.wire.messages import Content, Kind
from tests.e2e.tables import LOOPBACK, address_of, bot, host
from tests.programs import Program, run, together

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
    opener = host(tmp_path, "--seats", "3", "--hands", str(HANDS), *debug)
    with together(opener):
        where = address_of(opener)
        others = [bot(tmp_path, where, name, *debug) for name in NAMES[1:]]
        with together(*others):
            programs = [opener, *others]
            ends = [program.end(150) for program in programs]
            thief.stop()
    assert [ended.code for ended in ends] == [0] * 3
    assert all("DEBUG" in ended.err for ended in ends), "debug lines are wanted"

    # A nonce, a table key, and a secret for each hand; nothing of them is left.
    assert {name: len(stolen) for name, stolen in thief.stolen.items()} == dict.fromkeys(
        NAMES, 2 + HANDS
    )
    assert thief.modes == {("folder", 0o700), ("file", 0o600)}
    assert len(thief.links) == 3
    for name in NAMES:
        assert not list((tmp_path / name / "secrets").iterdir())

    identities = {(tmp_path / name / "identity").read_bytes() for name in NAMES}
    links = {z85.decode(link) for link in thief.links}
    stolen = set().union(*thief.stolen.values())
    for ended in ends:
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
            kind = ""
            if record.kind is RecordKind.CONTENT:
                kind = decode(decode(record.data, Envelope).content, Content).kind
            for secret in identities | links | stolen:
                if tells(record.data, secret):
                    assert secret in stolen
                    assert kind in (Kind.REVEAL, Kind.DRAW), f"told by {kind or record.kind}"
                    shown[kind] += 1
    # Each log shows each nonce and each hand's secret once, where the protocol does.
    assert shown == {Kind.DRAW: 3 * 3, Kind.REVEAL: 3 * 3 * HANDS}


def test_secrets__stand_in_no_repr(tmp_path: Path) -> None:
    home = Home(tmp_path)
    secret = bytes(range(100, 132))
    keys = CurveKeys.generate()
    things = [
        (home, home.identity.private_bytes()),
        (home.identity, home.identity.private_bytes()),
        (HandSecret(secret, bytes(32), 1, 1, 0), secret),
        (Seat(b"roster", "a.hearts", keys.secret, 7), keys.secret),
        (keys, keys.secret),
        (home.secrets, home.secrets.nonce(bytes(32))),
    ]
    for thing, hidden in things:
        raw = z85.decode(hidden) if len(hidden) == 40 else hidden
        for text in (repr(thing), str(thing), f"{thing!r}"):
            assert not tells(text.encode(), raw)
            assert hidden.hex() not in text
    home.close()


def test_secrets__of_a_hand_in_the_middle_are_in_no_report_film_chat_or_statistics(
    tmp_path: Path,
) -> None:
    """What is made of a log while its match goes on, and what somebody who watches is told."""
    thief = Thief([tmp_path / name for name in NAMES])
    thief.start()
    told = {"settings": run("settings", "colours=four", home=tmp_path / "Ana")}
    rules = ("--seats", "3", "--hands", "2", "--watchers", "1", "--pace", "0.1")
    opener = host(tmp_path, *rules)
    with together(opener):
        where = address_of(opener)
        others = [bot(tmp_path, where, name, "--pace", "0.1") for name in NAMES[1:]]
        with together(*others):
            opener.wait_event("formed")
            watcher = Program(
                *("watch", where, "--nick", "Wira", "--delay", "0", "--line", *LOOPBACK),
                *("--log", str(tmp_path / "watched.hearts")),
                home=tmp_path / "Wira",
            )
            with together(watcher):
                watcher.wait_line("The words of this table")
                watcher.type("say good evening")
                opener.wait_event("chat", text="good evening")
                opener.wait_event("card", 150, hand=2)
                log = tmp_path / "games" / "so-far.hearts"
                log.parent.mkdir()
                log.write_bytes(opener.log.read_bytes())
                ends = [program.end(150) for program in (opener, *others, watcher)]
            thief.stop()
    assert [ended.code for ended in ends] == [0] * 4
    stolen = set().union(*thief.stolen.values())
    so_far = log.read_bytes()
    live = {secret for secret in stolen if not tells(so_far, secret)}
    # Nonces and the first hand's secrets are shown by then; not table keys and the second hand's.
    assert (len(stolen), len(live)) == (4 * len(NAMES), 2 * len(NAMES))
    live |= {z85.decode(link) for link in thief.links}
    live |= {(tmp_path / name / "identity").read_bytes() for name in (*NAMES, "Wira")}
    page, plots = tmp_path / "report.html", tmp_path / "plots.html"
    told |= {
        "audit": run("audit", str(log)),
        "audit --json": run("audit", "--json", str(log)),
        "audit --report": run("audit", "--report", str(page), str(log)),
        "stats": run("stats", "--json", "--report", str(plots), str(log.parent)),
        "replay": run("replay", "--line", str(log)),
        **{f"what {n} was told": ended for n, ended in enumerate(ends)},
    }
    texts = {name: (ended.out + ended.err).encode() for name, ended in told.items()}
    texts |= {path.name: path.read_bytes() for path in (page, plots)}
    texts |= {str(p): p.read_bytes() for p in (tmp_path / "Ana").glob("*") if p.suffix}
    assert all(texts.values())
    assert b"four" in texts[str(tmp_path / "Ana" / "settings.toml")]
    for name, text in texts.items():
        for secret in live:
            assert not tells(text, secret), name
