"""Peers far from each other: how long a hand takes when every message is on its way for a while.

First in memory, where nothing else takes time: how many times the delay each part of a hand waits.
Then, with root, real processes in network namespaces at a switch made of software (``tests/lan``)
that holds every frame back, joined by address.
"""

from __future__ import annotations

import os
import tempfile
from collections import defaultdict
from contextlib import ExitStack
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

from p2p_hearts.rules.options import PRESETS, RuleSet
from p2p_hearts.wire.messages import Kind
from tests.lan.switch import SoftLan
from tests.programs import Program
from tests.table.sim import Sim, Weather
from tools.bench.hand import STAGES
from tools.bench.peers import DEAL_BEGINS, DEAL_ENDS
from tools.bench.primitives import Floor

TABLES = (
    RuleSet(seats=3),
    RuleSet(),
    RuleSet(seats=6),
    replace(PRESETS["cancellation"], seats=11),
)
ONE_WAY = (0.0, 0.010, 0.020, 0.050, 0.100, 0.150, 0.300)
"""Seconds that a frame is held back: a round trip is twice that."""
SEATS, HANDS = 4, 2
LONG = 900.0


def run(floor: Floor) -> None:
    """Print the waits of each size of table, then hand times at each delay."""
    del floor
    for rules in TABLES:
        waits = _waits(rules)
        told = ", ".join(f"{stage} {count:.0f}" for stage, count in waits.items())
        print(f"{rules.seats} seats wait for so many delays one way: {told}", flush=True)
    if os.geteuid():
        print("Hand times at a distance need root.")
        return
    for delay in ONE_WAY:
        _play(delay)


def _waits(rules: RuleSet) -> dict[str, float]:
    """Return by stage how many delays one way pass in a hand in which nothing else takes time."""
    sim = Sim(replace(rules, hands=1), weather=Weather(delay=0.1))
    waits: defaultdict[str, float] = defaultdict(float)
    before = 0.0
    while not all(table.all_finished for table in sim.tables):
        kind: Kind = sim.tables[0].history.current.kind
        sim.step()
        waits[STAGES[kind]] += (sim.now - before) / sim.weather.delay
        before = sim.now
    return dict(waits)


def _play(delay: float) -> None:
    """Play a match of four hosts that are so far from each other."""
    with (
        tempfile.TemporaryDirectory(prefix="distance-") as name,
        SoftLan(SEATS, delay) as lan,
        ExitStack() as stack,
    ):
        folder = Path(name)
        common = ("--pace", "0", "--events")
        host = stack.enter_context(
            lan.start(
                0,
                *("host", "Far", "--hands", str(HANDS), "--auto", "normal", "--nick", "A"),
                *common,
                home=folder / "A",
            )
        )
        bots: list[Program] = []
        line = host.wait_event("open", LONG)["join"][0].split()[-1]
        for number in range(1, SEATS):
            nick = "ABCD"[number]
            bots.append(
                stack.enter_context(
                    lan.start(number, "bot", line, "--nick", nick, *common, home=folder / nick)
                )
            )
        host.wait(lambda: _has_formed(host) or any(map(_has_ended, bots)) or None, LONG)
        formed = host.wait_event("formed", 1.0)["at"] - host.wait_event("open")["at"]
        ended = host.end(LONG)
        events = host.events
    deals, hands = spans(events)
    cards = card_gaps(events)
    print(
        f"{1e3 * delay:.0f} ms one way: seated {formed:.1f} s after the table was opened; "
        f"a deal takes {median(deals):.1f} s, a card {median(cards):.2f} s, "
        f"a whole hand {median(hands):.1f} s "
        f"(exit code {ended.code})",
        flush=True,
    )


def _has_formed(program: Program) -> bool:
    return any(event["event"] == "formed" for event in program.events)


def _has_ended(program: Program) -> bool:
    return program.process.poll() is not None


def spans(events: list[dict[str, Any]]) -> tuple[list[float], list[float]]:
    """Return the seconds of every deal, and of every hand from its first key to its score."""
    deals, hands, begun = [], [], 0.0
    dealing = False
    for event in events:
        if event["event"] == "stage" and event["text"] == DEAL_BEGINS:
            begun, dealing = event["at"], True
        elif event["event"] == "stage" and event["text"] in DEAL_ENDS and dealing:
            deals.append(event["at"] - begun)
            dealing = False
        elif event["event"] == "hand":
            hands.append(event["at"] - begun)
    return deals, hands


def card_gaps(events: list[dict[str, Any]]) -> list[float]:
    """Return the seconds from each card that is seen to the next one of the same hand."""
    cards = [event for event in events if event["event"] == "card" and event["cards"]]
    return [
        after["at"] - before["at"]
        for before, after in pairwise(cards)
        if after["hand"] == before["hand"]
    ]
