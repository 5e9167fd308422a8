"""IP addresses: this machine's own, and those that others say they have.

Everything dialled is an IP literal and a port: ``endpoint`` is the only place where an address
becomes ZeroMQ syntax, so that no text from another peer can smuggle any. Names are resolved before,
with the system's resolver, and only where a person typed them.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass

import ifaddr

from p2p_hearts.net.errors import NetError, sentence

MAX_ADDRESSES = 16
"""Most addresses of one peer that are ever kept or dialled."""

_SCOPE = re.compile(r"[A-Za-z0-9_.:-]{1,32}\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class LocalAddress:
    """One address of this machine; ``interface`` is the name a person knows it by."""

    interface: str
    address: str
    index: int

    @property
    def is_ipv6(self) -> bool:
        """Whether it is an IPv6 address."""
        return ":" in self.address

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return ipaddress.ip_address(self.address).is_loopback

    @property
    def is_link_local(self) -> bool:
        """Whether it means something on its own cable only."""
        return ipaddress.ip_address(self.address).is_link_local


def local_addresses(interface: str | None = None) -> tuple[LocalAddress, ...]:
    """Addresses of this machine, those others can reach first (IPv4, then IPv6, loopback last).

    ``interface`` (a name such as ``eth0``, or an address of this machine) narrows the answer;
    NetError if this machine has no such interface or address.
    """
    found: list[LocalAddress] = []
    for adapter in ifaddr.get_adapters():
        for ip in adapter.ips:
            text = ip.ip if isinstance(ip.ip, str) else _scoped(ip.ip, adapter.name)
            name = adapter.nice_name if isinstance(adapter.nice_name, str) else str(adapter.name)
            found.append(LocalAddress(name, text, adapter.index or 0))
    if interface is not None:
        wanted = [a for a in found if interface in (a.interface, a.address, plain(a.address))]
        if not wanted:
            raise NetError(
                sentence("This machine has no network interface {name}.", name=interface),
                sentence("It has: {names}.", names=", ".join(sorted({a.interface for a in found}))),
            )
        found = wanted
    found.sort(key=lambda a: (a.is_loopback, a.is_ipv6, a.is_link_local))
    return tuple(found)


def tellable(own: Iterable[LocalAddress]) -> tuple[LocalAddress, ...]:
    """Return the addresses of this machine that mean something to others, the likeliest first.

    Those of a network, then the IPv4 addresses that machines give themselves where nobody hands
    any out (RFC 3927, two of them on one cable), loopback last. An IPv6 link-local address is
    none: others would need its scope, which is a name of ours.
    """
    told = [item for item in own if not (item.is_link_local and item.is_ipv6)]
    return tuple(sorted(told, key=lambda item: (item.is_loopback, item.is_link_local)))


def _scoped(ip: tuple[str, int, int], name: str | bytes) -> str:
    """Write an IPv6 address with its scope where it has no meaning without one."""
    address, _, scope = ip
    if not ipaddress.ip_address(address).is_link_local:
        return address
    label = name if isinstance(name, str) else name.decode("utf-8", "replace")
    return f"{address}%{label if _SCOPE.match(label) else scope}"


def plain(address: str) -> str:
    """Drop the scope of an address, and the IPv6 clothes of an IPv4 one."""
    bare = address.partition("%")[0]
    return bare[7:] if bare.lower().startswith("::ffff:") and "." in bare else bare


def is_address(text: str) -> bool:
    """Whether ``text`` is an IP literal that one peer can be dialled at."""
    bare, percent, scope = text.partition("%")
    if percent and not _SCOPE.match(scope):
        return False
    try:
        ip = ipaddress.ip_address(bare)
    except ValueError:
        return False
    return not (ip.is_multicast or ip.is_unspecified) and (not percent or ip.version == 6)


def is_port(port: object) -> bool:
    """Whether ``port`` is a TCP port number that can be dialled."""
    return isinstance(port, int) and not isinstance(port, bool) and 1 <= port <= 65535


def endpoint(address: str, port: int) -> str:
    """Write an IP literal and a port in ZeroMQ's syntax; ValueError for anything else."""
    if not is_address(address):
        raise ValueError(f"{address!r} is no IP address")
    if not is_port(port):
        raise ValueError(f"{port!r} is no TCP port")
    return f"tcp://[{address}]:{port}" if ":" in address else f"tcp://{address}:{port}"


def checked_addresses(addresses: Iterable[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    """Return the addresses without repetitions; ValueError for none, too many or a wrong one."""
    unique = tuple(dict.fromkeys((host, port) for host, port in addresses))
    if not 1 <= len(unique) <= MAX_ADDRESSES:
        raise ValueError(f"a peer has 1 to {MAX_ADDRESSES} addresses, not {len(unique)}")
    for host, port in unique:
        endpoint(host, port)
    return unique


def show(host: str, port: int) -> str:
    """Write an address as a person would type it."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


async def resolve(host: str, port: int) -> tuple[tuple[str, int], ...]:
    """IP literals of a host that a person typed, first choice first; NetError if there is none."""
    if is_address(host):
        return ((host, port),)
    loop = asyncio.get_running_loop()
    try:
        answers = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise NetError(
            sentence("Nobody knows a computer called {host}.", host=host),
            sentence("Check the spelling, or use its IP address."),
        ) from error
    literals = dict.fromkeys(_literal(answer[4]) for answer in answers)
    found = tuple((text, port) for text in literals if is_address(text))[:MAX_ADDRESSES]
    if not found:
        raise NetError(
            sentence("{host} has no address that can be reached.", host=host),
            sentence("Use the IP address of the computer that opened the table."),
        )
    return found


def _literal(address: tuple[object, ...]) -> str:
    """Write the address of a resolver's answer; its scope is a number beside it."""
    text, scope = str(address[0]), address[3] if len(address) == 4 else 0
    if not scope or "%" in text or not ipaddress.ip_address(text).is_link_local:
        return text
    return f"{text}%{scope}"
