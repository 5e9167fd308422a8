"""Why nobody is found, and what to do: checks of this machine that ``p2p-hearts doctor`` prints."""

from __future__ import annotations

import asyncio
import platform
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

import zeroconf
import zmq
import zmq.asyncio

from p2p_hearts.net.addresses import LocalAddress, local_addresses, tellable
from p2p_hearts.net.advert import Advert
from p2p_hearts.net.discovery import Announcer, Browser, usable
from p2p_hearts.net.door import Door, fetch_card
from p2p_hearts.net.errors import NO_ADVICE, NetError, Sentence, sentence
from p2p_hearts.net.keys import CurveKeys
from p2p_hearts.net.links import Links
from p2p_hearts.net.sockets import bind

ANSWER_SECONDS = 3.0
"""What this machine takes to answer itself, at most."""


class Level(StrEnum):
    """How much a finding matters."""

    OK = "ok"
    NOTE = "note"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: what was seen and, unless it is well, what to do."""

    level: Level
    sentence: Sentence
    advice: Sentence = NO_ADVICE


async def diagnose(
    *, interface: str | None = None, ports: Iterable[int] = (), wait: float = 5.0
) -> list[Finding]:
    """Look at versions, interfaces, ``ports`` to listen at, links, and multicast.

    Takes a few seconds, ``wait`` of them at most for the multicast self-test. Never raises for
    what it finds.
    """
    findings = [_versions(), _curve()]
    try:
        own = local_addresses(interface)
    except NetError as error:
        return [*findings, Finding(Level.PROBLEM, error.what, error.advice)]
    findings.append(_interfaces(own))
    if not own:
        return findings
    context = zmq.asyncio.Context()
    try:
        findings += [_port(context, port, interface) for port in ports]
        findings.append(await _door(context, own, interface))
    finally:
        context.destroy(linger=0)
    findings.append(await _links(own))
    findings.append(await _multicast(interface, wait))
    return findings


def _versions() -> Finding:
    return Finding(
        Level.OK,
        sentence(
            "Python {python} on {system}, libzmq {zmq}, pyzmq {pyzmq}, zeroconf {zeroconf}.",
            python=platform.python_version(),
            system=platform.system(),
            zmq=zmq.zmq_version(),
            pyzmq=zmq.pyzmq_version(),
            zeroconf=zeroconf.__version__,
        ),
    )


def _curve() -> Finding:
    if zmq.has("curve"):
        return Finding(Level.OK, sentence("Encryption (CURVE) is there."))
    return Finding(
        Level.PROBLEM,
        sentence("This ZeroMQ was built without encryption (CURVE)."),
        sentence("Install pyzmq from its wheels: pip install --force-reinstall pyzmq."),
    )


def _interfaces(own: tuple[LocalAddress, ...]) -> Finding:
    listed = ", ".join(f"{a.interface} {a.address}" for a in own) or "-"
    said = sentence("Addresses of this machine: {addresses}.", addresses=listed)
    outside = [a for a in own if not a.is_loopback]
    if tellable(outside):
        return Finding(Level.OK, said)
    if outside:
        return Finding(
            Level.PROBLEM,
            said,
            sentence(
                "These are IPv6 addresses of one cable or Wi-Fi alone, which other computers "
                "cannot be told. Switch on IPv4 on every computer: automatic from a router, or "
                '"link-local" where there is none.'
            ),
        )
    return Finding(
        Level.PROBLEM,
        said,
        sentence("It has no network: connect it to the cable or Wi-Fi that the others are on."),
    )


def _port(context: zmq.asyncio.Context, port: int, interface: str | None) -> Finding:
    sock = context.socket(zmq.ROUTER)
    sock.ipv6 = True
    try:
        bind(sock, port, interface)
    except NetError as error:
        return Finding(Level.PROBLEM, error.what, error.advice)
    finally:
        sock.close(linger=0)
    return Finding(Level.OK, sentence("Port {port} is free.", port=port))


async def _door(
    context: zmq.asyncio.Context, own: tuple[LocalAddress, ...], interface: str | None
) -> Finding:
    """Open a door and knock at it from outside, as far as one machine can."""
    address = own[0].address
    try:
        door = Door(context, 0, lambda: b"card", interface)
    except NetError as error:
        return Finding(Level.PROBLEM, error.what, error.advice)
    try:
        await fetch_card(context, address, door.port, timeout=ANSWER_SECONDS)
    except NetError as error:
        return Finding(
            Level.PROBLEM,
            error.what,
            sentence("A firewall on this machine blocks it: allow Python to accept connections."),
        )
    finally:
        await door.close()
    return Finding(
        Level.OK, sentence("A table opened here can be reached at {address}.", address=address)
    )


async def _links(own: tuple[LocalAddress, ...]) -> Finding:
    """Send one frame from a peer to another, both here."""
    address = own[0].address
    try:
        async with (
            await Links.open(CurveKeys.generate()) as host,
            await Links.open(CurveKeys.generate()) as guest,
        ):
            host.admit([guest.public_key])
            guest.connect(host.public_key, [(address, host.table_port)])
            guest.send(host.public_key, b"hello")
            async with asyncio.timeout(ANSWER_SECONDS):
                await host.receive()
    except (NetError, TimeoutError) as error:
        return Finding(
            Level.PROBLEM,
            sentence("Two peers on this machine could not speak to each other: {why}.", why=error),
            sentence("A firewall on this machine blocks it: allow Python to accept connections."),
        )
    return Finding(Level.OK, sentence("Encrypted links work."))


async def _multicast(interface: str | None, wait: float) -> Finding:
    """Announce a table and hear of it, both here."""
    advert = Advert("doctor", "doctor", "doctor", 0, "doctor", 1, 0)
    browser = Browser(interface=interface)
    announcer = Announcer(advert, 9, interface=interface)
    browser.start()
    announcer.start()
    try:
        async with asyncio.timeout(wait):
            while (await browser.next_change()).found.instance != announcer.instance:
                pass
    except TimeoutError:
        return Finding(
            Level.PROBLEM,
            sentence("An announcement on the LAN was not heard, not even by this machine."),
            sentence(
                "Allow UDP port 5353 in the firewall and switch off VPNs and the isolation of "
                "Wi-Fi clients. Without it, p2p-hearts join HOST:PORT#CODE works all the same."
            ),
        )
    finally:
        await asyncio.gather(browser.close(), announcer.close())
    where = ", ".join(sorted({a.interface for a in usable(local_addresses(interface))}))
    return Finding(
        Level.OK,
        sentence("Announcing tables and hearing of them works on {interfaces}.", interfaces=where),
        sentence(
            "If the others still see nothing, their firewall or the Wi-Fi drops UDP port 5353: "
            "use p2p-hearts join HOST:PORT#CODE."
        ),
    )
