"""A whole hand in memory: CPU of one seat by stage, bytes on the wire and in the log.

At several sizes of table, to show how they grow. In the deal a seat checks the shuffle of every
other seat, so its CPU grows with seats times cards; what it sends to each other seat grows with
the cards alone, so its upload grows with (seats - 1) times cards.
"""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import replace

from p2p_hearts.rules.options import PRESETS, RuleSet
from p2p_hearts.wire.messages import Kind
from tests.table.sim import Sim
from tools.bench.primitives import Floor

STAGES = {
    Kind.SIT: "draw for seats",
    Kind.DRAW: "draw for seats",
    Kind.KEY: "deal",
    Kind.SHUFFLE: "deal",
    Kind.ESCROW: "deal",
    Kind.SEALS: "deal",
    Kind.SHARES: "deal",
    Kind.PASS_SELECT: "pass and re-mask",
    Kind.PASS: "pass and re-mask",
    Kind.REMASK: "pass and re-mask",
    Kind.OPEN: "plays",
    Kind.PLAY: "plays",
    Kind.WIDOW: "plays",
    Kind.OPENINGS: "plays",
    Kind.CHOICE: "plays",
    Kind.REVEAL: "reveal and re-run",
}

SIZES = (
    RuleSet(seats=3),
    RuleSet(),
    RuleSet(seats=6),
    replace(PRESETS["cancellation"], seats=6),
    replace(PRESETS["cancellation"], seats=11),
)


class TimedSim(Sim):
    """Adds up the CPU time of every step by the stage it belongs to."""

    def __init__(self, rules: RuleSet) -> None:
        super().__init__(rules)
        self.cpu: defaultdict[str, float] = defaultdict(float)
        self.sent: defaultdict[str, int] = defaultdict(int)
        self.on_send = self._count_bytes

    def settle(self, place: int) -> None:
        """Time one peer's work."""
        stage = self._stage(place)
        start = time.process_time()
        super().settle(place)
        self.cpu[stage] += time.process_time() - start

    def _count_bytes(self, place: int, frame: bytes) -> None:
        self.sent[self._stage(place)] += len(frame)

    def _stage(self, place: int) -> str:
        return STAGES[self.tables[place].history.current.kind]


def run(floor: Floor) -> None:
    """Print a row for each size of table."""
    for rules in SIZES:
        _run_one(rules, floor)


def _run_one(rules: RuleSet, floor: Floor) -> None:
    seats, cards = rules.seats, len(rules.pack)
    sim = TimedSim(replace(rules, hands=1))
    sim.run()
    parts = ", ".join(f"{name} {1e3 * cpu / seats:.0f} ms" for name, cpu in sim.cpu.items())
    deal = sim.cpu["deal"] / seats
    copy = sim.sent["deal"] / seats / (seats - 1)
    print(f"{seats} seats, {cards} cards, CPU of one seat: {parts}")
    print(
        f"   its deal is {deal / floor.variable:.0f} multiplications' worth, "
        f"{deal / floor.variable / (seats * cards):.1f} for each of {seats} x {cards} cards; "
        f"it sends {copy / 1e3:.0f} kB to each other seat, {copy / cards:.0f} bytes a card"
    )
    print(
        f"   whole hand: one seat sends {sum(sim.sent.values()) / seats / 1e3:.0f} kB to "
        f"{seats - 1} others; a log grows by {sum(map(len, sim.logs[0])) / 1e3:.0f} kB"
    )
