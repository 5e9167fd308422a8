"""A club night: many tables announced on one LAN; what it costs, and what who looks for one sees.

Needs root: each of some hosts is a network namespace at one bridge (``tests/lan``). Every host but
the last announces its share of the tables, each with an announcer and a card door of its own, as if
each were a program; at the last host somebody looks, with nothing before and with ``tables``.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import secrets
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import zmq.asyncio

from p2p_hearts.net.advert import Advert
from p2p_hearts.net.discovery import Announcer, Browser
from p2p_hearts.net.door import Door
from p2p_hearts.node.finding import live_tables
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.wire.envelope import Identity
from p2p_hearts.wire.lobby import TableCard, sign_lobby
from p2p_hearts.wire.messages import VERSION
from tests.lan.network import Lan
from tools.bench.primitives import Floor

HOSTS = 10
TABLES = (10, 50, 100)
SETTLE = 40.0
"""Seconds after the first announcement until all have said themselves often enough to be quiet."""
IDLE = 60.0
"""Seconds over which the traffic is counted."""


def run(floor: Floor) -> None:
    """Print what each number of tables costs."""
    del floor
    for tables in TABLES:
        with Lan(HOSTS + 1) as lan, tempfile.TemporaryDirectory(prefix="club-") as folder:
            _evening(lan, tables, Path(folder))


def _evening(lan: Lan, tables: int, folder: Path) -> None:
    share = tables // HOSTS
    workers = [_start(lan, number, "announce", str(share)) for number in range(HOSTS)]
    try:
        for worker in workers:
            _line(worker)
        time.sleep(SETTLE)
        before, spent = _received(lan), [_cpu(worker) for worker in workers]
        time.sleep(IDLE)
        after, spent_after = _received(lan), [_cpu(worker) for worker in workers]
        octets, packets = (now - then for now, then in zip(after, before, strict=True))
        cpu = sum(spent_after) - sum(spent)
        print(
            f"{tables} tables: {octets / IDLE / 1e3:.2f} kB/s and {packets / IDLE:.1f} packets a "
            f"second reach every host; a table that is announced costs its host "
            f"{1e3 * cpu / IDLE / tables:.1f} ms of CPU a second",
            flush=True,
        )
        looker = _start(lan, HOSTS, "look", str(tables))
        seen = json.loads(_line(looker))
        looker.wait()
        heard = ", ".join(f"{count} after {at:.1f} s" for count, at in seen["heard"])
        print(f"   heard of: {heard}; ignored {seen['ignored']}")
        for number, (live, seconds) in enumerate(seen["looks"], 1):
            print(f"   look {number}: {live} answered, {seconds:.2f} s")
        print(f"   who looks: {seen['cpu']:.1f} s of CPU, +{seen['grown']:.1f} MiB", flush=True)
        for options in ((), ("--free",)):
            _list(lan, folder, tables, *options)
    finally:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.wait()


def _list(lan: Lan, folder: Path, tables: int, *options: str) -> None:
    command = ["ip", "netns", "exec", lan.spaces[HOSTS], sys.executable, "-m", "p2p_hearts"]
    started = time.monotonic()
    done = subprocess.run(
        [*command, "tables", *options, "--json", "--home", str(folder)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    rows = json.loads(done.stdout) if done.stdout else []
    print(
        f"   p2p-hearts tables {' '.join(options)}: {sum(row['live'] for row in rows)} of {tables} "
        f"live, {time.monotonic() - started:.1f} s",
        flush=True,
    )


def _start(lan: Lan, number: int, *words: str) -> subprocess.Popen[str]:
    command = ["ip", "netns", "exec", lan.spaces[number], sys.executable, "-m", __name__, *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def _line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise RuntimeError("a process ended at once")
    return line


def _received(lan: Lan) -> tuple[int, int]:
    """Return the bytes and packets that have reached the host where somebody looks."""
    shown = subprocess.run(
        ["ip", "-n", lan.spaces[HOSTS], "-j", "-s", "link", "show", "eth0"],
        capture_output=True, check=True,
    )  # fmt: skip
    counted = json.loads(shown.stdout)[0]["stats64"]["rx"]
    return counted["bytes"], counted["packets"]


def _cpu(process: subprocess.Popen[str]) -> float:
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# At the hosts.


async def announce(count: int) -> None:
    """Announce so many tables, with a door each, until it is ended; every third is full."""
    context = zmq.asyncio.Context()
    kept: list[Any] = []
    for number in range(count):
        identity = Identity.from_private_bytes(secrets.token_bytes(32))
        free = 0 if number % 3 == 2 else 1 + number % 3
        card = TableCard(
            version=VERSION,
            instance=secrets.token_bytes(32),
            author=identity.public,
            curve=secrets.token_bytes(40),
            name=f"Table {secrets.token_hex(3)}",
            host=f"Host {secrets.token_hex(2)}",
            lobby=7777,
            rules=dict(RuleSet().to_dict()),
            free=free,
            nicks=[],
            coded=False,
        )
        shown = sign_lobby(identity, card)
        door = Door(context, 0, lambda shown=shown: shown)  # type: ignore[misc]
        advert = Advert(
            secrets.token_hex(16), card.name, card.host, VERSION, "classic", RuleSet().seats, free
        )
        announcer = Announcer(advert, door.port)
        announcer.start()
        kept += [door, announcer]
        await asyncio.sleep(0.2)
    print("announced", flush=True)
    await asyncio.Event().wait()


async def look(count: int) -> None:
    """Look for that many tables with nothing known, then ask all of them at their doors."""
    context = zmq.asyncio.Context()
    before = resource.getrusage(resource.RUSAGE_SELF)
    browser = Browser()
    start = time.monotonic()
    browser.start()
    heard: list[tuple[int, float]] = []
    wanted = [count // 2, count * 9 // 10, count]
    while wanted and time.monotonic() - start < 30:
        await asyncio.sleep(0.05)
        while wanted and len(browser.tables) >= wanted[0]:
            heard.append((wanted.pop(0), time.monotonic() - start))
    if wanted:
        heard.append((len(browser.tables), time.monotonic() - start))
    looks = []
    for _ in range(3):
        begun = time.monotonic()
        tables = await live_tables(context, browser)
        looks.append((sum(live is not None for _, live in tables), time.monotonic() - begun))
    after = resource.getrusage(resource.RUSAGE_SELF)
    seen = {
        "heard": heard,
        "ignored": browser.ignored,
        "looks": looks,
        "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "grown": (after.ru_maxrss - before.ru_maxrss) / 1024,
    }
    print(json.dumps(seen), flush=True)
    await browser.close()
    context.destroy(linger=0)


if __name__ == "__main__":
    asyncio.run({"announce": announce, "look": look}[sys.argv[1]](int(sys.argv[2])))
