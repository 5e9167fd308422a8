"""Addresses of this machine, what is told of them, and what is dialled."""

from __future__ import annotations

import asyncio
import socket

import pytest

from p2p_hearts.net.addresses import (
    LocalAddress,
    checked_addresses,
    endpoint,
    is_address,
    local_addresses,
    plain,
    resolve,
    show,
    tellable,
)
from p2p_hearts.net.errors import NetError


def test_endpoint__takes_ip_literals_only() -> None:
    assert endpoint("10.0.0.1", 7) == "tcp://10.0.0.1:7"
    assert endpoint("fe80::1%eth0", 7) == "tcp://[fe80::1%eth0]:7"
    for host in ("example.org", "*", "eth0", "1.2.3.4;5.6.7.8", "10.0.0.1:7", "::1]:7;[::2", ""):
        with pytest.raises(ValueError, match="no IP address"):
            endpoint(host, 7)
    for host in ("0.0.0.0", "::", "224.0.0.251", "ff02::fb", "10.0.0.1%eth0", "fe80::1%a/b;c"):
        assert not is_address(host)
    for port in (0, -1, 65536, True):
        with pytest.raises(ValueError, match="no TCP port"):
            endpoint("10.0.0.1", port)


def test_addresses__are_written_as_typed_and_counted_once() -> None:
    assert show("10.0.0.1", 7) == "10.0.0.1:7"
    assert show("::1", 7) == "[::1]:7"
    assert plain("::ffff:10.0.0.1") == "10.0.0.1"
    assert plain("fe80::1%eth0") == "fe80::1"
    assert checked_addresses([("::1", 7), ("::1", 7)]) == (("::1", 7),)


def test_local_addresses__list_loopback_last_and_can_be_narrowed() -> None:
    own = local_addresses()
    kinds = [address.is_loopback for address in own]
    assert kinds == sorted(kinds)
    assert any(address.address == "127.0.0.1" for address in own)
    (loopback,) = local_addresses("127.0.0.1")
    assert {a.interface for a in local_addresses(loopback.interface)} == {loopback.interface}
    with pytest.raises(NetError, match=r"no network interface nowhere0.* It has: .*lo"):
        local_addresses("nowhere0")
    for address in own:
        assert is_address(address.address)


def test_tellable__names_addresses_that_mean_something_to_others_the_likeliest_first() -> None:
    own = [
        LocalAddress("eth0", "169.254.7.7", 2),
        LocalAddress("eth1", "10.0.0.1", 3),
        LocalAddress("eth0", "fe80::1%eth0", 2),
        LocalAddress("eth1", "2001:db8::1", 3),
        LocalAddress("lo", "127.0.0.1", 1),
        LocalAddress("lo", "::1", 1),
    ]
    told = [item.address for item in tellable(own)]
    assert told == ["10.0.0.1", "2001:db8::1", "169.254.7.7", "127.0.0.1", "::1"]


def test_tellable__two_machines_on_one_cable_have_more_than_loopback_to_tell() -> None:
    cable, loopback = LocalAddress("eth0", "169.254.7.7", 2), LocalAddress("lo", "127.0.0.1", 1)
    assert tellable([cable, loopback])[0] == cable


def test_resolve__answers_with_literals() -> None:
    assert asyncio.run(resolve("10.0.0.1", 7)) == (("10.0.0.1", 7),)
    assert ("127.0.0.1", 7) in asyncio.run(resolve("localhost", 7))


def test_resolve__keeps_the_scope_that_a_link_local_address_needs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def answers(*asked: object, **how: object) -> list[object]:
        kind = (socket.AF_INET6, socket.SOCK_STREAM, 6, "")
        return [(*kind, ("fe80::1", 7, 0, 3)), (*kind, ("2001:db8::1", 7, 0, 3))]

    monkeypatch.setattr(socket, "getaddrinfo", answers)
    assert asyncio.run(resolve("ana.local", 7)) == (("fe80::1%3", 7), ("2001:db8::1", 7))
    assert endpoint("fe80::1%3", 7) == "tcp://[fe80::1%3]:7"
