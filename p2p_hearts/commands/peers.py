"""Other peers started by this one: computer players as processes of their own.

Each has a folder of its own, speaks to the table like any other peer, and ends when the process
that started it ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from p2p_hearts import i18n
from p2p_hearts.commands import crashes
from p2p_hearts.home import found_folder
from p2p_hearts.i18n import _
from p2p_hearts.net.codes import Address
from p2p_hearts.node.processes import send
from p2p_hearts.node.terms import PORTS
from p2p_hearts.wire.envelope import Identity

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

    def __init__(self, name: str, process: asyncio.subprocess.Process) -> None:
        """Wrap a process started with ``--events``."""
        self.name = name
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
    """Processes of this program with folders of their own; leaving the context ends them all."""

    def __init__(
        self,
        folder: Path | None = None,
        *,
        home: Path | None = None,
        kept: Callable[[], bool] = lambda: False,
    ) -> None:
        """Begin with none.

        Their folders lie in ``folder``, or a temporary one, which goes away at the end unless
        ``kept`` says otherwise then. Reports of their failures lie with those of ``home``.
        """
        self._reports = crashes.report_folder(home)
        self._folder = folder or Path(tempfile.mkdtemp(prefix="p2p-hearts-"))
        self._kept = kept
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
            send(peer.process, signal.SIGTERM)
        for peer in self._peers:
            try:
                async with asyncio.timeout(END_SECONDS):
                    await peer.process.wait()
            except TimeoutError:
                send(peer.process, signal.SIGKILL)
                await peer.process.wait()
        if not self._kept():
            shutil.rmtree(self._folder, ignore_errors=True)

    def home(self, name: str) -> Path:
        """Return the folder of a peer."""
        return self._folder / name

    async def start(self, name: str, *arguments: str, heard: bool = True) -> Peer:
        """Start ``p2p-hearts ARGUMENTS`` with a folder called ``name``; it ends with us.

        Whoever has it ``heard`` must read its events to their end, or it stops when the pipe is
        full; the others say nothing, not even on stderr, where a person's table may be drawn.
        """
        with contextlib.ExitStack() as stack:
            out, err = asyncio.subprocess.PIPE, None
            if not heard:
                out = asyncio.subprocess.DEVNULL
                err = stack.enter_context(self._complaints(name).open("wb"))
            process = await self._spawn(name, arguments, out, err)
        peer = Peer(name, process)
        self._peers.append(peer)
        return peer

    async def _spawn(
        self, name: str, arguments: Sequence[str], out: int, err: BinaryIO | None
    ) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "p2p_hearts",
            *arguments,
            "--home",
            str(self.home(name)),
            "--events",
            "--tied",
            stdin=asyncio.subprocess.PIPE,
            stdout=out,
            stderr=err,
            env={
                **os.environ,
                "PYTHONUNBUFFERED": "1",
                i18n.VARIABLE: i18n.language(),
                crashes.VARIABLE: str(self._reports),
            },
        )

    async def failure(self, peer: Peer) -> str | None:
        """Return what a peer that nobody hears complained of at its end; None if it ended well."""
        return self._last_words(peer) if await peer.process.wait() else None

    def _last_words(self, peer: Peer) -> str:
        path = self._complaints(peer.name)
        lines = path.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return lines[-1].removeprefix("p2p-hearts: ") if lines else _("it said nothing")

    def _complaints(self, name: str) -> Path:
        return self._folder / f"{name}.err"

    async def start_bots(
        self,
        names: Sequence[str],
        address: Address,
        level: str,
        think: float,
        *,
        options: Sequence[str] = (),
    ) -> list[Peer]:
        """Start computer players that sit down at the table at ``address`` on this machine."""
        return [
            await self.start_bot(number, name, address, level, 0.0, think, options=options)
            for number, name in enumerate(names)
        ]

    async def start_bot(
        self,
        number: int,
        name: str,
        address: Address,
        level: str,
        pace: float,
        think: float,
        *,
        options: Sequence[str] = (),
        port: int = 0,
        of: Identity | None = None,
        heard: bool = True,
    ) -> Peer:
        """Start a computer player that sits down at the table at ``address`` on this machine.

        With ``of`` it is the companion of this identity, the same at every table of its. Number 0
        uses the PORTS after those of the host's ``port``, the next one those after; any for 0.
        """
        folder = f"bot-{number}"
        if of is not None:
            found_folder(self.home(folder), of.companion(name))
        times = ("--pace", str(pace), "--think", str(think))
        ports = ("--port", str(port + (number + 1) * PORTS)) if port else ()
        words = ("--level", level, "--nick", name, *times, *ports, *options)
        return await self.start(folder, "bot", str(address), *words, heard=heard)
