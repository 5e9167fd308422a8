"""What a hand costs with 3 to 11 seats, and with which power of the seats it grows.

CPU, messages and bytes are counted in memory, where only the work of the seats takes time; the wall
time of real processes on this machine comes beside them. One pack of cards for 3 to 6 seats, two
for 6 to 11; both have a fit of their own, since the cards are another reason to grow.
"""

from __future__ import annotations

import asyncio
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from p2p_hearts.commands.peers import Peers
from p2p_hearts.net.codes import Address
from p2p_hearts.rules.options import PRESETS, RuleSet
from tools.bench.distance import spans
from tools.bench.hand import TimedSim
from tools.bench.peers import collect
from tools.bench.primitives import Floor

ONE_PACK = tuple(RuleSet(seats=seats, hands=1) for seats in range(3, 7))
TWO_PACKS = tuple(replace(PRESETS["cancellation"], seats=seats, hands=1) for seats in range(6, 12))


@dataclass(frozen=True, slots=True)
class Cost:
    """What one hand costs one seat: CPU in seconds by stage, contents signed, bytes sent and kept.

    ``wall`` is the seconds of the hand with real processes, all on this machine.
    """

    seats: int
    cpu: dict[str, float]
    spoken: float
    sent: float
    logged: float
    deal: float
    wall: float

    @property
    def whole(self) -> float:
        """The CPU of the hand."""
        return sum(self.cpu.values())


def run(floor: Floor) -> None:
    """Print a table for each number of packs, and the powers of the seats that fit it."""
    for rules in (ONE_PACK, TWO_PACKS):
        print(f"{len(rules[0].pack)} cards (51 for 3 seats): one seat, one hand")
        print(
            "seats | CPU ms: deal, plays, reveal, all | in multiplications | contents | "
            "kB sent | kB to each | log kB | s: deal, hand (all seats here)"
        )
        costs = []
        for item in rules:
            costs.append(_cost(item))
            _show(costs[-1], floor)
        for what, values in (
            ("CPU of the deal", [cost.cpu["deal"] for cost in costs]),
            ("CPU of the plays", [cost.cpu["plays"] for cost in costs]),
            ("CPU of the hand", [cost.whole for cost in costs]),
            ("bytes sent", [cost.sent for cost in costs]),
            ("bytes of the log", [cost.logged for cost in costs]),
            ("wall time of the hand, all on this machine", [cost.wall for cost in costs]),
        ):
            power = fitted([cost.seats for cost in costs], values)
            print(f"   {what}: grows with seats^{power:.2f}", flush=True)


def _cost(rules: RuleSet) -> Cost:
    sim = TimedSim(rules)
    sim.run()
    seats = rules.seats
    deal, wall = asyncio.run(_wall(seats, "cancellation" if len(rules.pack) > 52 else ""))
    cpu: defaultdict[str, float] = defaultdict(float)
    for stage, seconds in sim.cpu.items():
        cpu[stage] += seconds / seats
    return Cost(
        seats=seats,
        cpu=cpu,
        spoken=len(sim.logs[0]) / seats,
        sent=sum(sim.sent.values()) / seats,
        logged=sum(map(len, sim.logs[0])),
        deal=deal,
        wall=wall,
    )


def _show(cost: Cost, floor: Floor) -> None:
    cpu = cost.cpu
    print(
        f"{cost.seats:5} | {1e3 * cpu['deal']:.0f}, {1e3 * cpu['plays']:.0f}, "
        f"{1e3 * cpu['reveal and re-run']:.0f}, {1e3 * cost.whole:.0f} | "
        f"{cost.whole / floor.variable:.0f} | {cost.spoken:.0f} | {cost.sent / 1e3:.0f} | "
        f"{cost.sent / (cost.seats - 1) / 1e3:.0f} | {cost.logged / 1e3:.0f} | "
        f"{cost.deal:.1f}, {cost.wall:.1f}",
        flush=True,
    )


async def _wall(seats: int, preset: str) -> tuple[float, float]:
    """Return the seconds of the deal and of the whole hand, played by processes on loopback."""
    async with Peers() as peers:
        host = await peers.start(
            "host",
            *("host", "Bench", "--seats", str(seats), "--hands", "1", "--auto", "normal"),
            *(("--preset", preset) if preset else ()),
            *("--pace", "0", "--port", "0", "--interface", "127.0.0.1", "--nick", "Host"),
        )
        opened = await anext(aiter(host.events()))
        address = Address("127.0.0.1", opened["port"], opened["code"])
        bots = await peers.start_bots(seats - 1, address, "normal", 0.0, 0.0)
        told = await asyncio.gather(*(collect(peer) for peer in (host, *bots)))
    deals, hands = spans(told[0][0])
    return deals[0], hands[0]


def fitted(seats: Sequence[int], values: Sequence[float]) -> float:
    """Return the power of the seats that the values grow with: the slope on logarithmic axes."""
    xs, ys = [math.log(seat) for seat in seats], [math.log(value) for value in values]
    middle_x, middle_y = sum(xs) / len(xs), sum(ys) / len(ys)
    above = sum((x - middle_x) * (y - middle_y) for x, y in zip(xs, ys, strict=True))
    return above / sum((x - middle_x) ** 2 for x in xs)
