"""Keys, buckets, addresses and sentences."""

from __future__ import annotations

import asyncio

import pytest

from p2p_hearts.net.addresses import (
    checked_addresses,
    endpoint,
    is_address,
    local_addresses,
    plain,
    resolve,
    show,
)
from p2p_hearts.net.buckets import Bucket, Buckets, Rate
from p2p_hearts.net.errors import NetError, sentence
from p2p_hearts.net.keys import CurveKeys, is_key


def test_keys__the_secret_half_shows_nowhere() -> None:
    keys = CurveKeys.generate()
    for text in (repr(keys), str(keys), f"{keys}", repr([keys])):
        assert keys.secret.decode() not in text
        assert keys.public.decode() in text


def test_keys__are_rebuilt_from_the_secret_half() -> None:
    keys = CurveKeys.generate()
    assert CurveKeys.from_secret(keys.secret) == keys
    assert CurveKeys.generate() != keys


def test_keys__halves_that_do_not_fit_are_refused_without_telling_them() -> None:
    one, two = CurveKeys.generate(), CurveKeys.generate()
    with pytest.raises(ValueError, match="do not belong together") as refused:
        CurveKeys(one.public, two.secret)
    assert two.secret.decode() not in str(refused.value)
    with pytest.raises(ValueError, match="no CURVE key"):
        CurveKeys(one.public, b"x" * 39)
    with pytest.raises(ValueError, match="no CURVE key"):
        CurveKeys.from_secret(b"")


@pytest.mark.parametrize("key", [b"", b"a" * 39, b"a" * 41, b"~" * 40, b"#" * 40, "a" * 40, None])
def test_is_key__refuses_what_is_no_key(key: object) -> None:
    assert not is_key(key)


def test_bucket__gives_the_burst_and_then_the_rate() -> None:
    bucket = Bucket(Rate(per_second=2, burst=3), now=10.0)
    assert [bucket.take(1, 10.0) for _ in range(4)] == [True, True, True, False]
    assert bucket.wait(1, 10.0) == 0.5
    assert bucket.take(1, 10.5)
    assert not bucket.take(1, 10.5)
    assert bucket.take(3, 100.0)
    assert not bucket.has(1, 100.0)
    assert not bucket.has(1, 50.0), "a clock that runs backwards gives nothing"
    assert bucket.wait(99, 100.0) == 1.5
    with pytest.raises(ValueError, match="positive"):
        Rate(0, 1)


def test_buckets__remember_only_so_many_senders() -> None:
    buckets = Buckets(Rate(1, 1), remembered=3)
    for sender in range(1000):
        assert buckets.of(sender, 0.0).take(1, 0.0)
        assert len(buckets) <= 3
    assert not buckets.of(999, 0.0).take(1, 0.0)
    assert buckets.of(0, 0.0).take(1, 0.0)


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


def test_resolve__answers_with_literals() -> None:
    assert asyncio.run(resolve("10.0.0.1", 7)) == (("10.0.0.1", 7),)
    assert ("127.0.0.1", 7) in asyncio.run(resolve("localhost", 7))


def test_sentence__keeps_template_and_values_apart() -> None:
    said = sentence("Port {port} is taken.", port=7)
    assert said.template == "Port {port} is taken."
    assert str(said) == "Port 7 is taken."
    braces = sentence("{name} left.", name="{port}")
    assert str(braces) == "{port} left."
    assert str(NetError(said)) == "Port 7 is taken."
    assert str(NetError(said, sentence("Try 8."))) == "Port 7 is taken. Try 8."
