"""Strangers who make noise at every port: the memory keeps its level, and no move is lost."""

from __future__ import annotations

import contextlib
import json
import resource
import socket
import time
from pathlib import Path

import pytest

from p2p_hearts.record.log import read_log
from p2p_hearts.record.records import RecordKind
from tests.e2e.noise import HOST, MEGABYTE, Level
from tests.e2e.strangers import Stranger
from tests.e2e.tables import address_of, bot, card_at, host, listening_ports
from tests.e2e.test_hostile import roster_of
from tests.programs import audited, together, until

LEVEL = 0.10
NAMES = ("Budi", "Caio", "Dewi")


@pytest.mark.parametrize(
    ("seconds", "hand", "pace", "lines"),
    [
        pytest.param(3, 1, "0.1", 500, id="short"),
        # From the second hand on: in the first one the memory finds its level by itself.
        pytest.param(60, 2, "1.2", 5_000, id="long", marks=pytest.mark.deep),
    ],
)
def test_table__plays_on_through_noise_at_every_port_at_its_level_of_memory(
    tmp_path: Path, seconds: float, hand: int, pace: str, lines: int
) -> None:
    """A player is held before the noise and again until so much of it was there."""
    opener = host(tmp_path, "--hands", str(hand), "--pace", pace, hold=(hand, 2))
    with together(opener):
        where = address_of(opener)
        bots = [bot(tmp_path, where, name, "--pace", pace) for name in NAMES]
        with together(*bots):
            programs = [opener, *bots]
            opener.wait_held(hand, 2, 600)
            roster = roster_of(opener)
            door = opener.wait_event("open")["port"]
            ports = [port for one in programs for port in listening_ports(one.process.pid)]
            keys = [entry.curve for entry in roster.entries]
            lobby = card_at(where).lobby
            level = Level(programs)
            known = {
                "ports": ports,
                "keys": [key.hex() for key in keys],
                "door": door,
                "lobby": lobby,
                "instance": roster.instance.hex(),
            }
            with Stranger("tests.e2e.noise", **known) as noise:
                began = time.monotonic()
                opener.let_go((hand, 4))
                opener.wait_held(hand, 4)
                played = time.monotonic() - began
                until(lambda: noise.thrown["lines"] >= lines)
                time.sleep(max(0.0, began + seconds - time.monotonic()))
                grown = level.stop()
                opener.let_go()
                opener.wait_event("hand", 600, hand=hand)
            ends = [program.end(600) for program in programs]
    before = [f"{size / MEGABYTE:.0f}" for size in level.before]
    print(f"six tricks in {played:.0f} s, {dict(noise.thrown)}, MB before {before}")
    print(f"grown by {[f'{share:.1%}' for share in grown]}")
    assert [(ended.code, ended.err) for ended in ends] == [(0, "")] * 4
    report = audited(*(program.log for program in programs))
    assert (report["verdict"], report["hands"]) == ("clean", hand)
    assert max(grown) < LEVEL


HELD_LINES = 10_000
FILES = 1024
"""What a process may open by default, here of the players': lines are files, and so are logs."""


@pytest.mark.deep
def test_table__plays_on_while_ten_thousand_lines_are_held_at_its_ports(tmp_path: Path) -> None:
    own = resource.getrlimit(resource.RLIMIT_NOFILE)
    if own[1] < HELD_LINES + 500:
        pytest.skip(f"this system lets a process hold {own[1]} files, not {HELD_LINES}")
    opener = host(tmp_path, "--hands", "1", hold=(1, 2))
    with together(opener), contextlib.ExitStack() as stack:
        where = address_of(opener)
        bots = [bot(tmp_path, where, name) for name in NAMES]
        with together(*bots):
            programs = [opener, *bots]
            for program in programs:
                resource.prlimit(program.process.pid, resource.RLIMIT_NOFILE, (FILES, FILES))
            resource.setrlimit(resource.RLIMIT_NOFILE, (own[1], own[1]))
            stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, own)
            opener.wait_held(1, 2)
            ports = [port for one in programs for port in listening_ports(one.process.pid)]
            level = Level(programs)
            for number in range(HELD_LINES):
                address = (HOST, ports[number % len(ports)])
                stack.enter_context(socket.create_connection(address, timeout=60))
            opener.let_go((1, 4))
            opener.wait_held(1, 4)
            opener.let_go()
            grown = level.stop()
            ends = [program.end(600) for program in programs]
    print(f"{HELD_LINES} lines held; grown by {[f'{share:.1%}' for share in grown]}")
    assert [(ended.code, ended.err) for ended in ends] == [(0, "")] * 4
    assert audited(*(program.log for program in programs))["verdict"] == "clean"
    assert max(grown) < LEVEL


def test_seat__that_floods_the_table_grows_nobody_and_stops_nothing(tmp_path: Path) -> None:
    """A player's own link key: endless messages, garbage as fast as it goes, in its own name."""
    opener = host(tmp_path, "--hands", "1", hold=(1, 2))
    with together(opener):
        where = address_of(opener)
        bots = [bot(tmp_path, where, name) for name in NAMES]
        with together(*bots):
            programs = [opener, *bots]
            opener.wait_held(1, 2)
            roster = roster_of(opener)
            server = next(e.curve for e in roster.entries if e.nick == "Ana")
            (seat,) = (tmp_path / "Dewi" / "seats").glob("*.json")
            secret = bytes.fromhex(json.loads(seat.read_text())["curve"])
            ports = listening_ports(opener.process.pid)
            level = Level(programs[:3])
            known = {"ports": ports, "server": server.hex(), "secret": secret.hex()}
            with Stranger("tests.e2e.flood", **known) as flood:
                opener.let_go((1, 4))
                opener.wait_held(1, 4)
                until(lambda: flood.thrown["bytes"] > 30 * MEGABYTE)
                grown = level.stop()
            opener.let_go()
            ends = [program.end(600) for program in programs]
    sent = flood.thrown["bytes"] / MEGABYTE
    print(f"sent {sent:.0f} MB, grown by {[f'{share:.1%}' for share in grown]}")
    assert [(ended.code, ended.err) for ended in ends] == [(0, "")] * 4
    assert audited(*(program.log for program in programs))["verdict"] == "clean"
    # Its bound is a full queue at the table's door and one endless message; nothing of it stays.
    assert level.highest[0] - level.before[0] < 24 * MEGABYTE
    assert max(grown[1:]) < LEVEL
    sizes = [program.log.stat().st_size for program in programs]
    assert max(sizes) < 1.05 * min(sizes)
    for program in programs:
        contents = [r.data for r in read_log(program.log) if r.kind is RecordKind.CONTENT]
        assert len(contents) == len(set(contents))
