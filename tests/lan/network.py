"""Hosts on one bridge: a network namespace each, as root, removed again by exact name."""

from __future__ import annotations

import contextlib
import secrets
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.held import Decision
from tests.programs import Program

NETWORK = "10.77.0"


class Lan:
    """``count`` network namespaces with one cable each to one bridge, without any route out."""

    def __init__(self, count: int) -> None:
        """Name everything with a random suffix, so that several can live side by side."""
        self._mark = secrets.token_hex(3)
        self.bridge = f"hb{self._mark}"
        self.spaces = [f"hearts-{self._mark}-{number}" for number in range(count)]
        self._last_byte = [number + 1 for number in range(count)]

    def __enter__(self) -> Self:
        try:
            self._build()
        except BaseException:
            self._remove()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._remove()

    def start(
        self, number: int, *arguments: str, home: Path, hold: Decision | None = None
    ) -> Program:
        """Start ``p2p-hearts`` on one of the hosts."""
        prefix = ("ip", "netns", "exec", self.spaces[number])
        return Program(*arguments, home=home, prefix=prefix, hold=hold)

    def pull(self, number: int) -> None:
        """Pull the cable of a host."""
        ip("link", "set", self._cable(number), "down")

    def plug(self, number: int) -> None:
        """Plug it in again."""
        ip("link", "set", self._cable(number), "up")

    def address(self, number: int) -> str:
        """Return the IPv4 address of a host."""
        return f"{NETWORK}.{self._last_byte[number]}"

    def move(self, number: int) -> None:
        """Give a host another address in the place of the one it has."""
        at = ("-n", self.spaces[number], "addr")
        ip(*at, "del", f"{self.address(number)}/24", "dev", "eth0")
        self._last_byte[number] += 100
        ip(*at, "add", f"{self.address(number)}/24", "dev", "eth0")

    def _cable(self, number: int) -> str:
        return f"hv{self._mark}-{number}"

    def _build(self) -> None:
        ip("link", "add", self.bridge, "type", "bridge", "mcast_snooping", "0")
        ip("link", "set", self.bridge, "up")
        # Where the bridge hands its packets to a firewall, that one would drop them.
        with contextlib.suppress(OSError):
            Path(f"/sys/class/net/{self.bridge}/bridge/nf_call_iptables").write_text("0")
        for number, space in enumerate(self.spaces):
            inside, outside = f"hi{self._mark}-{number}", self._cable(number)
            ip("netns", "add", space)
            ip("link", "add", outside, "type", "veth", "peer", "name", inside)
            ip("link", "set", outside, "master", self.bridge, "up")
            ip("link", "set", inside, "netns", space)
            ip("-n", space, "link", "set", inside, "name", "eth0")
            ip("-n", space, "link", "set", "lo", "up")
            ip("-n", space, "link", "set", "eth0", "up")
            ip("-n", space, "addr", "add", f"{self.address(number)}/24", "dev", "eth0")

    def _remove(self) -> None:
        for number, space in enumerate(self.spaces):
            ip("link", "del", self._cable(number), check=False)
            ip("netns", "del", space, check=False)
        ip("link", "del", self.bridge, check=False)


def ip(*arguments: str, check: bool = True) -> None:
    """Run ``ip``; RuntimeError with what it said if it fails and that matters."""
    done = subprocess.run(
        ["ip", *arguments], check=False, capture_output=True, text=True, timeout=60
    )
    if check and done.returncode:
        raise RuntimeError(f"ip {' '.join(arguments)}: {done.stderr.strip()}")
