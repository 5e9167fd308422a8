"""From the last card of a hand to the first cards of the next, as on one machine a seat.

All seats run here in turn, each on a clock that goes on by the CPU time of its own steps; a frame
takes a millisecond, and a decision a person's second. So the figure is that of as many machines as
there are seats, and how busy this one is matters little. Disks cost nothing here.

Once with the next deal made while the hand is played, and once as where nothing of it arrives.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from p2p_hearts.rules.options import RuleSet
from p2p_hearts.wire.messages import Kind
from tests.table.sim import Sim
from tools.bench.primitives import Floor

FRAME_SECONDS = 0.001
THINKING_SECONDS = 1.0
HANDS = 3
SEATS = (3, 4, 6)


@dataclass
class Machine:
    """One seat's clock and what is on its way to it."""

    free: float = 0.0
    """When its last step is done, seconds."""
    is_idle: bool = False
    inbox: list[tuple[float, Callable[[], None]]] = field(default_factory=list)
    """Arrival, and what it brings."""
    decides: float | None = None
    """When its player has decided, if a decision is due."""
    reached: dict[tuple[int, Kind], float] = field(default_factory=dict)
    """When a round of this kind began in a hand, for the first time."""

    @property
    def next_time(self) -> float:
        """When it can do something next."""
        if not self.is_idle:
            return self.free
        times = [item[0] for item in self.inbox]
        if self.decides is not None:
            times.append(self.decides)
        return max(self.free, min(times, default=float("inf")))


class Machines(Sim):
    """A table whose seats do not wait for each other's processors."""

    def __init__(self, rules: RuleSet, *, ahead: bool) -> None:
        super().__init__(rules)
        self.ahead = ahead
        self.machines = [Machine() for _ in self.tables]

    def step(self) -> None:
        """Let the machine that can do something first do one step."""
        place = min(range(len(self.machines)), key=lambda at: self.machines[at].next_time)
        machine, table = self.machines[place], self.tables[place]
        if machine.next_time == float("inf"):
            raise RuntimeError("everybody waits for everybody")
        self.now = machine.next_time
        table.tick(self.now)
        began = time.process_time()
        come = [item for item in machine.inbox if item[0] <= self.now]
        machine.inbox = [item for item in machine.inbox if item[0] > self.now]
        for _at, bring in come:
            bring()
        if machine.decides is not None and machine.decides <= self.now:
            self._decide(place)
        self._flush(place)
        machine.is_idle = not table.work()
        machine.free = self.now + time.process_time() - began
        self.now = machine.free
        self._flush(place)
        if table.decision is None:
            machine.decides = None
        elif machine.decides is None:
            machine.decides = self.now + THINKING_SECONDS
        current = table.history.current
        machine.reached.setdefault((current.place.hand, Kind(current.kind)), self.now)

    def _transmit(self, sender: int, to: int, frame: bytes) -> None:
        receive = self.tables[to].receive
        self.machines[to].inbox.append((self.now + FRAME_SECONDS, lambda: receive(sender, frame)))

    def show(self, sender: int, to: int, ahead: bytes) -> None:
        """Send a part of the next deal, or lose it."""
        if self.ahead:
            take = self.tables[to].receive_ahead
            arrival = self.now + FRAME_SECONDS
            self.machines[to].inbox.append((arrival, lambda: take(sender, ahead)))


def run(floor: Floor) -> None:
    """Print two rows for each size of table."""
    for seats, ahead in itertools.product(SEATS, (True, False)):
        sim = Machines(RuleSet(seats=seats, hands=HANDS), ahead=ahead)
        sim.run()
        waits = [
            (at[hand + 1, Kind.KEY] - at[hand, Kind.REVEAL], _dealt(at, hand + 1))
            for at in (machine.reached for machine in sim.machines)
            for hand in range(1, HANDS)
        ]
        reveal, deal = (sum(parts) / len(waits) * 1e3 for parts in zip(*waits, strict=True))
        print(
            f"{seats} machines, {'shuffled ahead' if ahead else 'nothing ahead'}, from the last "
            f"card to the cards of the next hand: {reveal + deal:.0f} ms, {reveal:.0f} of them the "
            f"reveal and its re-run, {deal:.0f} the deal"
        )


def _dealt(at: dict[tuple[int, Kind], float], hand: int) -> float:
    return (
        min(at.get((hand, kind), 9e9) for kind in (Kind.PASS_SELECT, Kind.OPEN))
        - at[hand, Kind.KEY]
    )
