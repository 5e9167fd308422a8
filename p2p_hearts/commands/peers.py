"""Other peers started by this one: computer players as processes of their own.

Each has a folder of its own that goes away with it, speaks to the table like any other peer, and
ends when the process that started it ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from p2p_hearts.net.codes import Address

END_SECONDS = 10.0

BOT_NAMES = (
    "Nara",
    "Lena",
    "Wira",
    "Tomé",
    "Ayu",
    "Caio",
    "Dewi",
    "Rui",
    "Sari",
    "Inês",
    "Bayu",
)


class Peer:
    """A p2p-hearts process and the events it writes."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        """Wrap a process started with ``--events``."""
        self.process = process

    async def events(self) -> AsyncIterator[dict[str, Any]]:
        """Yield its events until it closes its output."""
        stdout = self.process.stdout
        while stdout is not None:
            line = await stdout.readline()
            if not line:
                return
            with contextlib.suppress(ValueError):
                event = json.loads(line)
                if isinstance(event, dict):
                    yield event


class Peers:
    """Processes of this program with temporary folders; leaving the context ends them all."""

    def __init__(self) -> None:
        """Begin with none."""
        self._folder = tempfile.TemporaryDirectory(prefix="p2p-hearts-")
        self._peers: list[Peer] = []

    async def __aenter__(self) -> Peers:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for peer in self._peers:
            if peer.process.returncode is None:
                peer.process.terminate()
        for peer in self._peers:
            try:
                async with asyncio.timeout(END_SECONDS):
                    await peer.process.wait()
            except TimeoutError:
                peer.process.kill()
                await peer.process.wait()
        self._folder.cleanup()

    def home(self, name: str) -> Path:
        """Return the folder of a peer."""
        return Path(self._folder.name) / name

    async def start(self, name: str, *arguments: str, heard: bool = True) -> Peer:
        """Start ``p2p-hearts ARGUMENTS`` with a folder called ``name``; it ends with us.

        Whoever has it ``heard`` must read its events to their end, or it stops when the pipe is
        full; the others say nothing, not even on stderr, where a person's table may be drawn.
        """
        quiet = asyncio.subprocess.DEVNULL
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "p2p_hearts",
            *arguments,
            "--home",
            str(self.home(name)),
            "--events",
            "--tied",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE if heard else quiet,
            stderr=None if heard else quiet,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        peer = Peer(process)
        self._peers.append(peer)
        return peer

    async def start_bots(
        self,
        count: int,
        address: Address,
        level: str,
        pace: float,
        *,
        taken: Sequence[str] = (),
        heard: bool = True,
    ) -> list[Peer]:
        """Start computer players that sit down at the table at ``address`` on this machine."""
        names = [name for name in BOT_NAMES if name not in taken][:count]
        return [
            await self.start(
                f"bot-{number}",
                "bot",
                str(address),
                "--level",
                level,
                "--nick",
                name,
                "--pace",
                str(pace),
                "--interface",
                "127.0.0.1",
                heard=heard,
            )
            for number, name in enumerate(names)
        ]
