"""Run all or some groups: ``python -m tools.bench [GROUP …]``."""

from __future__ import annotations

import argparse
import os
import platform

from tools.bench import (
    audit,
    club,
    distance,
    engine,
    hand,
    machines,
    peers,
    primitives,
    proofs,
    scale,
    screen,
)

GROUPS = {
    "proofs": proofs.run,
    "hand": hand.run,
    "machines": machines.run,
    "engine": engine.run,
    "audit": audit.run,
    "peers": peers.run,
    "screen": screen.run,
}
SCALE = {
    "scale": scale.run,
    "club": club.run,
    "distance": distance.run,
}
"""Groups for docs/scaling.md: long, and run only when they are asked for."""


def main() -> None:
    """Measure the primitives, then every group asked for."""
    parser = argparse.ArgumentParser(prog="make bench ARGS=…")
    parser.add_argument(
        "groups",
        nargs="*",
        choices=[[], *GROUPS, *SCALE],
        help=f"default: {', '.join(GROUPS)}",
    )
    names = parser.parse_args().groups or list(GROUPS)
    load = os.getloadavg()[0]
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(f"load before the run: {load:.2f}{'' if load < 0.5 else '  (the machine is not idle)'}")
    floor = primitives.measure()
    primitives.show(floor)
    for name in names:
        print()
        {**GROUPS, **SCALE}[name](floor)


if __name__ == "__main__":
    main()
