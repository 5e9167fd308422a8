"""Two hosts on a bridge, each a network namespace: found by mDNS alone, a cable pulled.

Needs root (``make lan``).
"""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import threading
import time
from typing import IO

import pytest

from tests.lan.network import Lan

PATIENCE = 120.0
"""Seconds for what takes a few on an idle machine."""

PEER = """
import asyncio, sys
from p2p_hearts.net.advert import Advert
from p2p_hearts.net.discovery import Announcer, Browser, ChangeKind
from p2p_hearts.net.door import Door, fetch_card
from p2p_hearts.net.keys import CurveKeys
from p2p_hearts.net.links import Links

def say(*words):
    print(*words, flush=True)

async def meet(links, browser, announcer):
    while True:
        found = (await browser.next_change()).found
        if found.instance != announcer.instance:
            break
    card = await fetch_card(links.context, found.addresses[0], found.port)
    key, port = card.split()
    say("found", *found.addresses)
    links.admit([key])
    links.connect(key, [(address, int(port)) for address in found.addresses])
    return key

async def talk(links, key):
    count = 0
    while True:
        links.send(key, b"%d" % count)
        count += 1
        await asyncio.sleep(0.25)

async def tell(links):
    while True:
        event = await links.next_event()
        say("event", event.kind.value, str(event.sentence))

async def main():
    links = await Links.open(CurveKeys.generate())
    door = Door(links.context, 0, lambda: b"%s %d" % (links.public_key, links.table_port))
    advert = Advert(sys.argv[1], "table", "nick", 1, "classic", 4, 3)
    announcer, browser = Announcer(advert, door.port), Browser()
    announcer.start()
    browser.start()
    key = await meet(links, browser, announcer)
    asyncio.create_task(talk(links, key))
    asyncio.create_task(tell(links))
    while True:
        got = await links.receive()
        say("got", got.frame.decode())

asyncio.run(main())
"""


class Peer:
    """A peer in a namespace, and the lines it says."""

    def __init__(self, host: str) -> None:
        self.process = subprocess.Popen(
            ["ip", "netns", "exec", host, sys.executable, "-c", PEER, host],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        )
        self.lines: queue.Queue[str] = queue.Queue()
        assert self.process.stdout is not None
        self.reader = threading.Thread(target=self._read, args=(self.process.stdout,))
        self.reader.start()

    def _read(self, stream: IO[str]) -> None:
        with stream:
            for line in stream:
                self.lines.put(line.strip())

    def until(self, start: str) -> str:
        """Return the first line that starts so."""
        deadline = time.monotonic() + PATIENCE
        while True:
            line = self.lines.get(timeout=max(0.01, deadline - time.monotonic()))
            if line.startswith(start):
                return line

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self.reader.join()


@pytest.mark.lan
def test_lan__two_hosts_find_each_other_and_survive_a_pulled_cable() -> None:
    with Lan(2) as lan, contextlib.ExitStack() as stack:
        peers = [Peer(space) for space in lan.spaces]
        for peer in peers:
            stack.callback(peer.close)
        assert lan.address(1) in peers[0].until("found")
        assert lan.address(0) in peers[1].until("found")
        for peer in peers:
            peer.until("got 3")
        lan.pull(0)
        for peer in peers:
            peer.until("event down")
        lan.plug(0)
        for peer in peers:
            peer.until("event up")
            peer.until("got")
            peer.until("got")


@pytest.mark.lan
def test_lan__a_table_is_announced_on_an_interface_that_comes_later() -> None:
    """Start with loopback only; plug the cable in afterwards."""
    script = """
import asyncio, subprocess
from p2p_hearts.net import discovery
from p2p_hearts.net.advert import Advert
from p2p_hearts.net.discovery import Announcer, Browser

async def main():
    discovery.POLL = 0.2
    announcer = Announcer(Advert("t", "table", "nick", 1, "classic", 4, 3), 7)
    browser = Browser()
    announcer.start()
    browser.start()
    async with asyncio.timeout(120):
        while "127.0.0.1" not in (await browser.next_change()).found.addresses:
            pass
        for words in (
            "link add eth9 type veth peer name eth8",
            "addr add 10.77.9.1/24 dev eth9",
            "link set eth8 up",
            "link set eth9 up",
        ):
            subprocess.run(["ip", *words.split()], check=True)
        while "10.77.9.1" not in (await browser.next_change()).found.addresses:
            pass
        subprocess.run(["ip", "link", "del", "eth9"], check=True)
        late = Browser()
        late.start()
        while "127.0.0.1" not in (await late.next_change()).found.addresses:
            pass
    await asyncio.gather(announcer.close(), browser.close(), late.close())
    print("well")

asyncio.run(main())
"""
    shell = 'ip link set lo up && exec "$0" -c "$1"'
    done = subprocess.run(
        ["unshare", "-n", "sh", "-c", shell, sys.executable, script],
        capture_output=True,
        text=True,
        timeout=180,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        check=False,
    )
    assert done.stdout.strip() == "well", done.stderr
