"""Real processes on loopback: wall time of a deal, delay of a card, memory; then the audit."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import Any

from p2p_hearts.commands.audit import audit_files
from p2p_hearts.commands.peers import BOT_NAMES, Peer, Peers
from p2p_hearts.net.codes import Address
from tools.bench.primitives import Floor

SIZES: tuple[tuple[int, int, tuple[str, ...]], ...] = (
    (4, 3, ()),
    (3, 3, ()),
    (6, 3, ()),
    (11, 1, ("--preset", "cancellation")),
)
"""Seats, hands, and what else the host is told."""

DEAL_BEGINS = "A new hand: everybody gives a key."
DEAL_ENDS = (
    "Everybody chooses what to pass.",
    "Who has the opening card plays it.",
    "The hand is played.",
)


def run(floor: Floor) -> None:
    """Print the rows of each size of table."""
    for seats, hands, options in SIZES:
        asyncio.run(_match(seats, hands, options, floor))


async def _match(seats: int, hands: int, options: tuple[str, ...], floor: Floor) -> None:
    async with Peers() as peers:
        host = await peers.start(
            "host",
            *("host", "Bench", *options, "--seats", str(seats), "--hands", str(hands)),
            *(
                "--auto",
                "normal",
                "--pace",
                "0",
                "--port",
                "0",
                "--interface",
                "127.0.0.1",
                "--nick",
                "Host",
            ),
        )
        opened = await anext(aiter(host.events()))
        address = Address("127.0.0.1", opened["port"], opened["code"])
        bots = await peers.start_bots(BOT_NAMES[: seats - 1], address, "normal", 0.0)
        told = await asyncio.gather(*(collect(peer) for peer in (host, *bots)))
        memory = [peak for _, peak in told]
        events = [items for items, _ in told]
        deals = _deals(events[0])
        delays = _delays(events)
        logs = [Path(item["log"]) for items in events for item in items if item["event"] == "done"]
        started = time.perf_counter()
        found = audit_files(logs[:1])
        one = time.perf_counter() - started
        print(
            f"{seats} peers: {_takes('the first deal', deals[:1], floor)}"
            f"{_takes('a later one', deals[1:], floor)}a card is seen by all "
            f"{median(delays) * 1e3:.0f} ms after the decision (worst {max(delays) * 1e3:.0f} ms); "
            f"{max(memory):.0f} MiB a peer at most"
        )
        print(
            f"   audit of one log: {found.verdict}, {hands / one:.1f} hands a second "
            f"({one / hands / floor.variable:.0f} multiplications' worth a hand)"
        )


def _takes(what: str, seconds: list[float], floor: Floor) -> str:
    """Say how long something took; nothing if it was not done."""
    if not seconds:
        return ""
    took = median(seconds)
    worth = took / floor.variable
    return f"{what} takes {took * 1e3:.0f} ms wall ({worth:.0f} multiplications' worth); "


async def collect(peer: Peer) -> tuple[list[dict[str, Any]], float]:
    """Return a peer's events and its largest memory in MiB."""
    events, peak = [], 0.0
    status = Path(f"/proc/{peer.process.pid}/status")
    async for event in peer.events():
        events.append(event)
        if event["event"] in ("hand", "stage"):
            for line in status.read_text().splitlines():
                if line.startswith("VmHWM:"):
                    peak = max(peak, int(line.split()[1]) / 1024)
    return events, peak


def _deals(events: list[dict[str, Any]]) -> list[float]:
    deals, begun = [], None
    for event in events:
        if event["event"] != "stage":
            continue
        if event["text"] == DEAL_BEGINS:
            begun = event["at"]
        elif event["text"] in DEAL_ENDS and begun is not None:
            deals.append(event["at"] - begun)
            begun = None
    return deals


def _delays(events: list[list[dict[str, Any]]]) -> list[float]:
    """Seconds from a decision to play until the last peer shows one card more."""
    shown: defaultdict[tuple[int, int], list[float]] = defaultdict(list)
    decided = sorted(item["at"] for items in events for item in items if item["event"] == "decided")
    for items in events:
        for item in items:
            if item["event"] == "card":
                shown[item["hand"], item["cards"]].append(item["at"])
    delays = []
    for times in shown.values():
        if len(times) == len(events):
            before = [at for at in decided if at < min(times)]
            if before and min(times) - before[-1] < 1:
                delays.append(max(times) - before[-1])
    return delays
