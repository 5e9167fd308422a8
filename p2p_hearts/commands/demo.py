"""``p2p-hearts demo``: real peer processes on loopback, a whole match, every log audited."""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import sys
import time
from pathlib import Path
from typing import Any

from p2p_hearts.commands.audit import audit_files, owner_seat, print_verdict
from p2p_hearts.commands.common import STOPPED, CommandError, can_draw, chosen_rules, unwritable
from p2p_hearts.commands.peers import BOT_NAMES, Peer, Peers
from p2p_hearts.commands.seat import stopped_by_signals
from p2p_hearts.i18n import _, figure, ngettext, os_reason
from p2p_hearts.net.codes import Address, parse_address
from p2p_hearts.record.audit import Comparison, exit_code
from p2p_hearts.rules.options import RuleSet

START_SECONDS = 120.0
"""A process that fails says so at once; one that is slow is waited for."""


def run(arguments: argparse.Namespace) -> int:
    """Play the demo; return 0 only if every log audits clean and all agree."""
    rules = chosen_rules(arguments)
    out: Path | None = arguments.out
    if out is not None:
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CommandError(
                _("{path} cannot be made: {reason}").format(path=out, reason=os_reason(error))
            ) from None
    return asyncio.run(_until_stopped(arguments, rules))


async def _until_stopped(arguments: argparse.Namespace, rules: RuleSet) -> int:
    """Run the demo; a signal ends its peers and removes their folders, too."""
    playing = asyncio.create_task(_demo(arguments, rules))
    with stopped_by_signals(playing.cancel):
        try:
            return await playing
        except asyncio.CancelledError:
            raise CommandError(_("stopped before the match was over"), STOPPED) from None


async def _demo(arguments: argparse.Namespace, rules: RuleSet) -> int:
    talk = _Talk(quiet=arguments.json)
    started = time.monotonic()
    async with Peers(home=arguments.home) as peers:
        talk.line(
            _("{n} peers, each a process of its own, meet on this machine.").format(n=rules.seats)
        )
        host = await _start_host(peers, arguments, rules)
        address = await _wait_open(host)
        bots = await peers.start_bots(
            BOT_NAMES[1 : rules.seats],
            address,
            arguments.level,
            arguments.think,
            options=("--interface=127.0.0.1",),
        )
        logs = await asyncio.gather(_follow(host, talk), *(_follow(bot, None) for bot in bots))
        talk.end()
        played = time.monotonic() - started
        files = [Path(path) for path in logs if path is not None]
        if len(files) != rules.seats:
            missing = rules.seats - len(files)
            raise CommandError(
                ngettext(
                    "{n} peer ended before the match did",
                    "{n} peers ended before the match did",
                    missing,
                ).format(n=missing),
                STOPPED,
            )
        talk.line(
            _("The match took {seconds} s. Now every log is audited, from the file alone.").format(
                seconds=figure(played, ".1f")
            )
        )
        begun = time.monotonic()
        (found,) = audit_files(files).tables
        audited = time.monotonic() - begun
        keep_logs(found, files, arguments.out)
        if arguments.json:
            result = found.to_dict() | {"seconds": {"match": played, "audit": audited}}
            sys.stdout.write(json.dumps(result, indent=2) + "\n")
            return exit_code(found)
        talk.line("")
        print_verdict(found)
        talk.line(
            ngettext(
                "{n} log audited in {seconds} s.",
                "{n} logs audited in {seconds} s.",
                len(files),
            ).format(n=len(files), seconds=figure(audited, ".1f"))
        )
        if arguments.out is not None:
            talk.line(_("The logs lie in {path}.").format(path=arguments.out))
            text = _("See the game: p2p-hearts replay {log}, or audit --report game.html {log}.")
            talk.line(text.format(log=arguments.out / "seat-1.hearts"))
        return exit_code(found)


async def _start_host(peers: Peers, arguments: argparse.Namespace, rules: RuleSet) -> Peer:
    options = [f"--rule={key}={_text(value)}" for key, value in rules.to_dict().items()]
    preset = arguments.preset
    return await peers.start(
        "host",
        "host",
        "Demo",
        "--nick",
        BOT_NAMES[0],
        "--preset",
        preset,
        *options,
        "--auto",
        arguments.level,
        "--pace",
        "0",
        "--think",
        str(arguments.think),
        "--port",
        "0",
        "--interface",
        "127.0.0.1",
    )


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


async def _wait_open(host: Peer) -> Address:
    """Return the address that the host's table listens at."""
    try:
        async with asyncio.timeout(START_SECONDS):
            async for event in host.events():
                if event["event"] == "open":
                    return parse_address(f"127.0.0.1:{event['port']}#{event['code']}")
    except TimeoutError:
        pass
    raise CommandError(_("the first peer could not open a table; see p2p-hearts doctor"), STOPPED)


async def _follow(peer: Peer, talk: _Talk | None) -> str | None:
    """Read a peer's events to its end; return its log once it says that the match ended."""
    path: str | None = None
    async for event in peer.events():
        if talk is not None:
            talk.event(event)
        if event["event"] == "done" and event["ended"]:
            path = event["log"]
    await peer.process.wait()
    return path


class _Talk:
    """Progress for a person on stdout; a moving line only where there is a terminal."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._moving = can_draw()
        self._open = False
        self._names: list[str] = []

    def line(self, text: str) -> None:
        if not self._quiet:
            self.end()
            sys.stdout.write(text + "\n")
            sys.stdout.flush()

    def end(self) -> None:
        """Finish a moving line."""
        if self._open:
            sys.stdout.write("\r\x1b[K")
            self._open = False

    def event(self, event: dict[str, Any]) -> None:
        kind = event["event"]
        if kind == "formed":
            self._names = [str(name) for name in event["names"]]
            self.line(
                _("Seats are drawn: {players}. Table phrase: {phrase}.").format(
                    players=", ".join(self._names), phrase=event["phrase"]
                )
            )
        elif kind == "hand":
            pairs = zip(self._names, event["scores"], event["totals"], strict=False)
            cells = [f"{name} {score:+d} = {total}" for name, score, total in pairs]
            self.line(_("Hand {n:>2}:").format(n=event["hand"]) + "  " + "   ".join(cells))
        elif kind == "progress" and self._moving and not self._quiet:
            bar = "#" * event["tricks"] + "." * (event["of"] - event["tricks"])
            hand = _("Hand {n:>2}").format(n=event["hand"])
            sys.stdout.write(f"\r\x1b[K{hand}  [{bar}]")
            sys.stdout.flush()
            self._open = True


def keep_logs(found: Comparison, files: list[Path], out: Path | None) -> None:
    """Copy each log to ``seat-N.hearts``, N being its owner's seat from 1.

    Raises:
        CommandError: one cannot be written there.
    """
    if out is None:
        return
    for path, report in zip(files, found.reports, strict=True):
        seat = owner_seat(report)
        kept = out / (path.name if seat is None else f"seat-{seat + 1}.hearts")
        try:
            shutil.copyfile(path, kept)
        except OSError as error:
            raise unwritable(kept, error) from None
