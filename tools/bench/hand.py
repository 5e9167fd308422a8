"""A whole hand in memory: CPU of one seat by stage, bytes on the wire and in the log."""

from __future__ import annotations

import time
from collections import defaultdict

from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table.machine import Table
from p2p_hearts.wire.messages import Kind
from tests.table.sim import Sim
from tools.bench.primitives import Floor

STAGES = {
    Kind.KEY: "deal",
    Kind.SHUFFLE: "deal",
    Kind.SHARES: "deal",
    Kind.PASS_SELECT: "pass and re-mask",
    Kind.PASS: "pass and re-mask",
    Kind.REMASK: "pass and re-mask",
    Kind.OPEN: "plays",
    Kind.PLAY: "plays",
    Kind.REVEAL: "reveal and re-run",
}


class TimedSim(Sim):
    """Adds up the CPU time of every step by the stage it belongs to."""

    def __init__(self, rules: RuleSet) -> None:
        super().__init__(rules)
        self.cpu: defaultdict[str, float] = defaultdict(float)
        self.sent_bytes = 0
        self.on_send = self._count_bytes

    def settle(self, place: int) -> None:
        """Time one peer's work."""
        stage = STAGES.get(self._kind(self.tables[place]), "draw for seats")
        start = time.process_time()
        super().settle(place)
        self.cpu[stage] += time.process_time() - start

    def _count_bytes(self, _: int, frame: bytes) -> None:
        self.sent_bytes += len(frame)

    @staticmethod
    def _kind(table: Table) -> Kind:
        return table.history.current.kind


def run(floor: Floor) -> None:
    """Print CPU of a seat, bytes a hand, log bytes a hand."""
    for seats in (4, 3, 6):
        sim = TimedSim(RuleSet(seats=seats, hands=1))
        sim.run()
        parts = ", ".join(
            f"{name} {1e3 * seconds / seats:.0f} ms" for name, seconds in sim.cpu.items()
        )
        deal = sim.cpu["deal"] / seats
        print(f"{seats} seats, CPU of one seat: {parts}")
        print(
            f"   the deal is {deal / floor.variable:.0f} multiplications' worth; one seat sends "
            f"{sim.sent_bytes / seats / 1e3:.0f} kB a hand to {seats - 1} others; a log grows by "
            f"{sum(map(len, sim.logs[0])) / 1e3:.0f} kB a hand"
        )
