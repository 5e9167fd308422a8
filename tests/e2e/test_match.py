"""Whole games between processes on loopback: demo, host, join and bot."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

from p2p_hearts.record.log import read_log
from p2p_hearts.wire.envelope import Identity
from protocol import verify
from tests.e2e.tables import LOOPBACK, QUICK, address_of, bot, host
from tests.programs import LONG, Program, audited, run, together
from tests.protocol import mutations
from tests.protocol.mutations import Source, flipped
from tests.protocol.opinion import assert_agrees
from tests.record.games import audit_bytes

CHANGES = 6
"""Changed logs of each way: the sample of CI (``make deep`` takes thousands)."""


def test_demo__one_hand_with_scoreboard_and_verdict(tmp_path: Path) -> None:
    ended = run("demo", "--hands", "1", "--seats", "3", home=tmp_path)
    assert (ended.code, ended.err) == (0, "")
    assert "3 peers, each a process of its own" in ended.out
    assert "Seats are drawn: " in ended.out
    assert "Hand  1:" in ended.out
    assert "Clean: the whole match, 1 hand, was verified" in ended.out
    assert "All 3 logs hold the same history and the same scores." in ended.out
    assert not list(tmp_path.iterdir())


def test_demo__leaves_one_log_a_seat_that_audit_clean_and_agree(tmp_path: Path) -> None:
    out = tmp_path / "new" / "logs"
    ended = run("demo", "--hands", "1", "--json", "--out", str(out))
    assert (ended.code, ended.err) == (0, "")
    told = json.loads(ended.out)
    logs = [out / f"seat-{seat}.hearts" for seat in (1, 2, 3, 4)]
    assert sorted(out.iterdir()) == logs
    assert told["verdict"] == "clean"
    assert told["hands"] == len(told["scores"]) == 1
    assert sum(told["totals"]) in (26, 78)
    assert [told["totals"][seat] for seat in told["winners"]] == [min(told["totals"])] * len(
        told["winners"]
    )
    compared = audited(*logs)
    assert compared["verdict"] == "clean"
    for seat, log in enumerate(logs):
        alone = audited(log)
        (owner,) = [p["seat"] for p in alone["players"] if p["key"] == alone["owner"]]
        assert (owner, alone["verdict"], alone["totals"]) == (seat, "clean", told["totals"])
    assert second_reader(*logs)[0] == 0
    logs[0].write_bytes(flipped(logs[0].read_bytes(), 5000, 1))
    assert second_reader(logs[0])[0] == run("audit", str(logs[0])).code == 2


def second_reader(*logs: Path) -> tuple[int, str]:
    """What ``protocol/verify.py`` says of logs, with no more than Python."""
    command = [sys.executable, "-I", verify.__file__, *map(str, logs)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=2 * LONG)
    print(done.stdout, done.stderr)
    return done.returncode, done.stdout


def test_demo__a_signal_ends_every_peer_and_removes_their_folders(tmp_path: Path) -> None:
    with Program("demo", env={"TMPDIR": str(tmp_path)}) as demo:
        demo.wait_line("Seats are drawn")
        (folder,) = tmp_path.iterdir()
        assert len(list(folder.glob("*/games/*.hearts"))) == 4
        demo.stop()
        began = time.monotonic()
        ended = demo.end()
        print(f"ended in {time.monotonic() - began:.1f} s")
    assert (ended.code, ended.err) == (4, "p2p-hearts: stopped before the match was over\n")
    assert not list(tmp_path.iterdir())


def test_join__processes_meet_by_address_and_code_and_tell_the_game_in_sentences(
    tmp_path: Path,
) -> None:
    table = ("Sunday table", "--code", "--hands", "1", "--port", "0", "--nick", "Ana", *QUICK)
    opener = Program("host", *table, home=tmp_path / "Ana")
    with together(opener):
        line = opener.wait_line("p2p-hearts join 127.0.0.1:").split()[-1]
        joiner = Program("join", line, "--nick", "Budi", *QUICK, home=tmp_path / "Budi")
        bots = [
            Program("bot", line, "--nick", name, "--pace", "0", *LOOPBACK, home=tmp_path / name)
            for name in ("Caio", "Dewi")
        ]
        with together(joiner, *bots):
            programs = [opener, joiner, *bots]
            ends = [program.end() for program in programs]
    for program, ended in zip(programs, ends, strict=True):
        assert (ended.code, ended.err) == (0, "")
        assert "Table: Sunday table." in ended.out
        assert "Verified: shuffle verified by all 4." in ended.out
        assert " the trick" in ended.out
        assert "Points of hand 1: " in ended.out
        assert f"p2p-hearts audit {program.log}" in ended.out
    report = audited(*(program.log for program in programs))
    assert report["verdict"] == "clean"
    assert [p["nick"] for p in report["players"]] != []
    assert report["name"] == "Sunday table"
    assert_readers_agree(programs[0].log, [program.log.parents[1] for program in programs])


def assert_readers_agree(path: Path, homes: Sequence[Path]) -> None:
    """Both readers find the same verdict, faults and scores, however a fresh log is changed.

    Changed fields are signed anew with the players' own keys: any of them may be the liar.
    """
    keys = [(home / "identity").read_bytes() for home in homes]
    players = [Identity.from_private_bytes(key) for key in keys]
    log = path.read_bytes()
    records = [(record.kind, record.data) for record in read_log(log)]
    source = Source(records, {player.public: player for player in players})
    assert {item.content.author for item in source.contents} == source.signers.keys()
    assert_agrees(audit_bytes(log), [log])
    verdicts = set()
    for way in (
        mutations.of_file,
        mutations.of_record,
        mutations.of_header,
        mutations.of_body,
        mutations.of_order,
        mutations.of_pair,
        mutations.of_end,
    ):
        for seed in range(CHANGES):
            what, changed = way(source, Random(f"{way.__name__} {seed}"))
            found = audit_bytes(changed)
            assert_agrees(found, [changed], what)
            verdicts.add(str(found.verdict))
    assert verdicts >= {"fault", "unreadable", "incomplete"}


def test_bot__sigterm_to_one_and_the_others_name_it_and_stop_when_told(tmp_path: Path) -> None:
    opener = host(tmp_path)
    with together(opener):
        where = address_of(opener)
        names = ("Budi", "Caio", "Dewi")
        bots = [bot(tmp_path, where, name, "--pace", "0.2") for name in names]
        with together(*bots):
            opener.wait_event("progress", hand=1, tricks=1)
            leaver, *staying = bots
            leaver.stop()
            gone = leaver.end()
            assert gone.code == 4
            staying.append(opener)
            for program in staying:
                program.wait_event("waiting", names=["Budi"])
            for program in staying:
                program.stop()
            began = time.monotonic()
            ends = [program.end() for program in staying]
            print(f"stopped in {time.monotonic() - began:.1f} s")
    assert [ended.code for ended in ends] == [4, 4, 4]
    assert all(ended.err == "" for ended in ends)
    logs = [program.log for program in (opener, *bots)]
    assert audited(*logs, code=3)["verdict"] == "incomplete"


def test_host__killed_after_the_draw_and_the_guests_name_it(tmp_path: Path) -> None:
    opener = host(tmp_path, "--seats", "3", "--pace", "0.2")
    with together(opener):
        where = address_of(opener)
        guests = [
            Program("join", where, "--nick", name, *QUICK, home=tmp_path / name)
            for name in ("Budi", "Caio")
        ]
        with together(*guests):
            guests[0].wait_line("takes the trick")
            opener.stop(signal.SIGKILL)
            for guest in guests:
                guest.wait_line("Waiting for Ana")
            for guest in guests:
                guest.stop(signal.SIGINT)
            ends = [guest.end() for guest in guests]
    for ended, name in zip(ends, ("Budi", "Caio"), strict=True):
        assert ended.code == 4
        assert ended.err == (
            "p2p-hearts: stopped before the match was over; the others wait, and this brings "
            f"you back: p2p-hearts resume --home {tmp_path / name}\n"
        )
