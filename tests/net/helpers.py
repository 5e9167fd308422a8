"""Peers on loopback, and a bound on the time of every asynchronous test."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace

from p2p_hearts.net.keys import CurveKeys
from p2p_hearts.net.links import Limits, LinkEvent, Links, Received

HOST = "127.0.0.1"
QUICK = replace(Limits(), redial_first=0.05, redial_longest=0.2)


def run(work: Coroutine[None, None, None], seconds: float = 20) -> None:
    """Run a test's coroutine, at most so long."""
    asyncio.run(asyncio.wait_for(work, seconds))


async def open_links(
    keys: CurveKeys | None = None, lobby_port: int = 0, table_port: int = 0, limits: Limits = QUICK
) -> Links:
    """Open links on loopback."""
    return await Links.open(
        keys or CurveKeys.generate(),
        lobby_port=lobby_port,
        table_port=table_port,
        interface=HOST,
        limits=limits,
    )


def seat(*peers: Links) -> None:
    """Admit all to each other's tables and let all dial all."""
    for peer in peers:
        others = [other for other in peers if other is not peer]
        peer.admit(other.public_key for other in others)
        for other in others:
            peer.connect(other.public_key, [(HOST, other.table_port)])


async def until(true: Callable[[], bool], seconds: float = 8) -> None:
    """Wait for a condition."""
    async with asyncio.timeout(seconds):
        while not true():
            await asyncio.sleep(0.01)


async def receive(links: Links, seconds: float = 8) -> Received:
    """Receive one frame, at most so long."""
    async with asyncio.timeout(seconds):
        return await links.receive()


async def event(links: Links, wanted: Callable[[LinkEvent], bool], seconds: float = 8) -> LinkEvent:
    """Skip to the first event that is wanted."""
    async with asyncio.timeout(seconds):
        while True:
            came = await links.next_event()
            if wanted(came):
                return came


async def close(*peers: Links) -> None:
    """Close all at once."""
    await asyncio.gather(*(peer.close() for peer in peers))
