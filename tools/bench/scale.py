"""What a hand costs with 3 to 11 seats, and with which power of the seats it grows.

Multiplications in the group, which are nearly all of the work and the same on every machine, CPU,
messages and bytes are counted in memory, where only the work of the seats takes time; the wall time
of real processes on this machine comes beside them. One pack of cards for 3 to 6 seats, two
for 6 to 11; both have a fit of their own, since the cards are another reason to grow.
"""

from __future__ import annotations

import asyncio
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from p2p_hearts.commands.peers import BOT_NAMES, Peers
from p2p_hearts.crypto import group
from p2p_hearts.net.codes import Address
from p2p_hearts.rules.options import PRESETS, RuleSet
from tools.bench.distance import spans
from tools.bench.hand import TimedSim
from tools.bench.peers import collect
from tools.bench.primitives import Floor

REVEAL = "reveal and re-run"
SIZES = {"black-lady": range(3, 7), "cancellation": range(6, 12)}
"""Numbers of seats for the preset with one pack and for the one with two."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one hand costs one seat: multiplications by stage, CPU seconds, contents signed, bytes.

    A multiplication of the base, which takes a third of the time, counts as a third. ``deal`` and
    ``wall`` are the seconds of deal and hand with real processes, all on this machine.
    """

    seats: int
    work: dict[str, float]
    cpu: float
    spoken: float
    sent: float
    logged: float
    deal: float
    wall: float

    @property
    def whole(self) -> float:
        """The multiplications of the hand."""
        return sum(self.work.values())


class CountingSim(TimedSim):
    """Counts the multiplications of every step by the stage it belongs to."""

    def __init__(self, rules: RuleSet) -> None:
        self.work: defaultdict[str, float] = defaultdict(float)
        super().__init__(rules)

    def settle(self, place: int) -> None:
        """Count one peer's work."""
        stage, before = self._stage(place), MULTIPLIED.count
        super().settle(place)
        self.work[stage] += MULTIPLIED.count - before


class Multiplied:
    """Stands in front of the two multiplications of the group's library, and counts them."""

    def __init__(self) -> None:
        self.count = 0.0

    def install(self) -> None:
        """Count from now on."""
        variable, base = group._mul, group._mul_base

        def of_any(scalar: bytes, element: bytes) -> bytes:
            self.count += 1
            return variable(scalar, element)  # type: ignore[no-any-return]

        def of_the_base(scalar: bytes) -> bytes:
            self.count += 1 / 3
            return base(scalar)  # type: ignore[no-any-return]

        group._mul, group._mul_base = of_any, of_the_base


MULTIPLIED = Multiplied()


def run(floor: Floor) -> None:
    """Print a table for each number of packs, and the powers of the seats that fit it."""
    del floor
    MULTIPLIED.install()
    for preset, sizes in SIZES.items():
        print(
            "one hand, one seat: multiplications in deal, plays, reveal, all | CPU ms | contents |"
        )
        print(
            "   kB sent to all | kB to each | kB of the log | s of the deal, of the hand, all here"
        )
        costs = []
        for seats in sizes:
            rules = replace(PRESETS[preset], seats=seats, hands=1)
            costs.append(_cost(preset, rules))
            _show(costs[-1], len(rules.pack))
        for what, values in (
            ("multiplications of the deal", [cost.work["deal"] for cost in costs]),
            ("multiplications of the plays", [cost.work["plays"] for cost in costs]),
            ("multiplications of the reveal", [cost.work[REVEAL] for cost in costs]),
            ("multiplications of the hand", [cost.whole for cost in costs]),
            ("CPU of the hand", [cost.cpu for cost in costs]),
            ("bytes sent", [cost.sent for cost in costs]),
            ("bytes of the log", [cost.logged for cost in costs]),
            ("wall time of the hand, all on this machine", [cost.wall for cost in costs]),
        ):
            power = fitted([cost.seats for cost in costs], values)
            print(f"   {what}: grows with seats^{power:.2f}", flush=True)


def _cost(preset: str, rules: RuleSet) -> Cost:
    sim = CountingSim(rules)
    sim.run()
    seats = rules.seats
    deal, wall = asyncio.run(_wall(preset, seats))
    return Cost(
        seats=seats,
        work=defaultdict(float, {stage: count / seats for stage, count in sim.work.items()}),
        cpu=sum(sim.cpu.values()) / seats,
        spoken=len(sim.logs[0]) / seats,
        sent=sum(sim.sent.values()) / seats,
        logged=sum(map(len, sim.logs[0])),
        deal=deal,
        wall=wall,
    )


def _show(cost: Cost, cards: int) -> None:
    work = cost.work
    print(
        f"{cost.seats} seats, {cards} cards: {work['deal']:.0f}, {work['plays']:.0f}, "
        f"{work[REVEAL]:.0f}, {cost.whole:.0f} | {1e3 * cost.cpu:.0f} | {cost.spoken:.0f} | "
        f"{cost.sent / 1e3:.0f} | {cost.sent / (cost.seats - 1) / 1e3:.0f} | "
        f"{cost.logged / 1e3:.0f} | {cost.deal:.1f}, {cost.wall:.1f}",
        flush=True,
    )


async def _wall(preset: str, seats: int) -> tuple[float, float]:
    """Return the seconds of the deal and of the whole hand, played by processes on loopback."""
    async with Peers() as peers:
        host = await peers.start(
            "host",
            *("host", "Bench", "--preset", preset, "--seats", str(seats), "--hands", "1"),
            *("--auto", "normal"),
            *("--pace", "0", "--port", "0", "--interface", "127.0.0.1", "--nick", "Host"),
        )
        opened = await anext(aiter(host.events()))
        address = Address("127.0.0.1", opened["port"], opened["code"])
        bots = await peers.start_bots(BOT_NAMES[: seats - 1], address, "normal", 0.0)
        told = await asyncio.gather(*(collect(peer) for peer in (host, *bots)))
    deals, hands = spans(told[0][0])
    return deals[0], hands[0]


def fitted(seats: Sequence[int], values: Sequence[float]) -> float:
    """Return the power of the seats that the values grow with: the slope on logarithmic axes."""
    xs, ys = [math.log(seat) for seat in seats], [math.log(value) for value in values]
    middle_x, middle_y = sum(xs) / len(xs), sum(ys) / len(ys)
    above = sum((x - middle_x) * (y - middle_y) for x, y in zip(xs, ys, strict=True))
    return above / sum((x - middle_x) ** 2 for x in xs)
