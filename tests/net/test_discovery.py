"""Discovery over the loopback interface; namespaces of their own stand in ``test_lan.py``."""

from __future__ import annotations

import asyncio
import logging
import random
import socket
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from zeroconf import ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from p2p_hearts.net import discovery
from p2p_hearts.net.addresses import LocalAddress, local_addresses
from p2p_hearts.net.advert import Advert, Found
from p2p_hearts.net.discovery import (
    MAX_TABLES,
    SERVICE,
    Announcer,
    Browser,
    Change,
    ChangeKind,
    usable,
)
from p2p_hearts.net.errors import NetError, sentence
from tests.net.helpers import ADVERT, HOST, PATIENCE, run, until

pytestmark = pytest.mark.usefixtures("multicast")


async def change(browser: Browser, wanted: Callable[[Change], bool]) -> Change:
    """Skip to the first change that is wanted (other tables may be on this machine)."""
    async with asyncio.timeout(PATIENCE):
        while True:
            came = await browser.next_change()
            if wanted(came):
                return came


def test_discovery__a_table_is_heard_updated_and_withdrawn() -> None:
    async def scene() -> None:
        browser = Browser(interface=HOST)
        announcer = Announcer(ADVERT, 7777, interface=HOST)
        browser.start()
        announcer.start()

        def ours(came: Change) -> bool:
            return came.found.instance == announcer.instance

        came = await change(browser, ours)
        assert came == Change(ChangeKind.APPEARED, Found(announcer.instance, ADVERT, (HOST,), 7777))
        assert came.found in browser.tables
        full = replace(ADVERT, free=0)
        announcer.update(full)
        came = await change(browser, ours)
        assert came == Change(ChangeKind.UPDATED, Found(announcer.instance, full, (HOST,), 7777))
        assert announcer.problem is None
        assert browser.problem is None
        await announcer.close()
        came = await change(browser, ours)
        assert came.kind is ChangeKind.GONE
        assert came.found not in browser.tables
        await browser.close()

    run(scene())


def test_discovery__hosts_of_the_same_name_are_not_merged() -> None:
    async def scene() -> None:
        browser = Browser(interface=HOST)
        announcers = [
            Announcer(ADVERT, 7000 + at, interface=HOST, advertise=[f"10.77.0.{at}"])
            for at in range(1, 4)
        ]
        browser.start()
        for announcer in announcers:
            announcer.start()
        names = {announcer.instance for announcer in announcers}
        await until(lambda: names <= {found.instance for found in browser.tables})
        for at, announcer in enumerate(announcers, 1):
            found = Found(announcer.instance, ADVERT, (f"10.77.0.{at}",), 7000 + at)
            assert found in browser.tables
        await asyncio.gather(browser.close(), *(announcer.close() for announcer in announcers))

    run(scene())


def test_discovery__noise_on_the_multicast_group_changes_nothing() -> None:
    async def scene() -> None:
        browser = Browser(interface=HOST)
        announcer = Announcer(ADVERT, 7777, interface=HOST)
        browser.start()
        noise = random.Random(5)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(HOST))
            for round_ in range(300):
                data = noise.randbytes(noise.randrange(0, 600))
                if round_ % 2:  # the head of a response, then noise
                    data = b"\x00\x00\x84\x00\x00\x00\x00\x03\x00\x00\x00\x00" + data
                sock.sendto(data, ("224.0.0.251", 5353))
                if round_ % 20 == 0:
                    await asyncio.sleep(0.001)
                if round_ == 100:
                    announcer.start()
        came = await change(browser, lambda c: c.found.instance == announcer.instance)
        assert came.found.advert == ADVERT
        await asyncio.gather(browser.close(), announcer.close())

    logging.getLogger("zeroconf").setLevel(logging.CRITICAL)
    try:
        run(scene())
    finally:
        logging.getLogger("zeroconf").setLevel(logging.NOTSET)


def test_discovery__hostile_records_are_cleaned_or_ignored() -> None:
    async def scene() -> None:
        speaker = AsyncZeroconf(interfaces=[HOST])
        good = ADVERT.properties()
        hostile: dict[str, dict[str, bytes]] = {
            "wrong-numbers": {**good, "seats": b"many"},
            "wrong-id": {**good, "id": b"\x1b[2J"},
            "nothing": {},
            "loud-name": {**good, "name": "\x1b[31m\u202eevil\u200b".encode(), "more": b"x"},
        }
        for name, properties in hostile.items():
            info = AsyncServiceInfo(
                SERVICE,
                f"hostile-{name}.{SERVICE}",
                port=9,
                server=f"hostile-{name}.local.",
                addresses=[socket.inet_aton("10.0.0.9")],
                properties=properties,
            )
            await speaker.async_register_service(info, cooperating_responders=True)
        browser = Browser(interface=HOST)
        browser.start()
        came = await change(browser, lambda c: c.found.instance.startswith("hostile"))
        assert came.found.advert.name == "[31mevil"
        await until(lambda: browser.ignored >= 3)
        heard = {found.instance for found in browser.tables}
        assert {name for name in heard if name.startswith("hostile")} == {"hostile-loud-name"}
        await asyncio.gather(browser.close(), speaker.async_close())

    run(scene())


def test_browser__keeps_a_bounded_number_of_tables() -> None:
    async def scene() -> None:
        browser = Browser(interface=HOST)

        async def resolve(zeroconf: Zeroconf, name: str, instance: str) -> None:
            browser._tables[instance] = Found(instance, ADVERT, (HOST,), 7)

        browser._resolve = resolve  # type: ignore[method-assign]
        zeroconf: Any = None
        for number in range(3 * MAX_TABLES):
            name = f"t{number}.{SERVICE}"
            browser._heard(zeroconf, SERVICE, name, ServiceStateChange.Added)
            await asyncio.sleep(0)
        for name in ("", "two.labels", "\x1b[2J", "x" * 65):
            browser._heard(zeroconf, SERVICE, f"{name}.{SERVICE}", ServiceStateChange.Added)
        await asyncio.sleep(0.01)
        assert len(browser.tables) == MAX_TABLES
        assert browser.ignored == 2 * MAX_TABLES + 4
        browser._heard(zeroconf, SERVICE, f"t0.{SERVICE}", ServiceStateChange.Updated)
        await asyncio.sleep(0.01)
        assert browser.ignored == 2 * MAX_TABLES + 4
        await browser.close()

    run(scene())


def test_discovery__failures_are_told_and_tried_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    works = discovery._open

    def broken(chosen: object) -> AsyncZeroconf:
        raise OSError("no multicast today")

    async def scene() -> None:
        monkeypatch.setattr(discovery, "POLL", 0.05)
        monkeypatch.setattr(discovery, "_open", broken)
        browser = Browser(interface=HOST)
        announcer = Announcer(ADVERT, 7777, interface=HOST)
        browser.start()
        announcer.start()
        await until(lambda: None not in (browser.problem, announcer.problem))
        assert "cannot be announced or heard" in str(browser.problem)
        monkeypatch.setattr(discovery, "_open", works)
        await change(browser, lambda c: c.found.instance == announcer.instance)
        await until(lambda: browser.problem is None and announcer.problem is None)
        warnings = [r for r in caplog.records if r.levelno >= logging.WARNING]
        assert len(warnings) == 2, "a lasting failure is loud once for each"
        await asyncio.gather(browser.close(), announcer.close())

    run(scene())


def test_browser__hears_a_table_that_is_told_and_told_anew_while_its_sockets_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scene() -> None:
        plain = asyncio.get_running_loop().create_datagram_endpoint
        told = [replace(ADVERT, free=free) for free in (3, 2)]

        async def early(*arguments: Any, **options: Any) -> tuple[Any, Any]:
            transport, protocol = await plain(*arguments, **options)
            speaker = browser._speaker.zeroconf
            while told:
                assert speaker is not None
                protocol.datagram_received(announcement(speaker, told.pop(0)), (HOST, 5353))
                for _ in range(10):  # what begins to look the table up comes to where it waits
                    await asyncio.sleep(0)
            return transport, protocol

        monkeypatch.setattr(asyncio.get_running_loop(), "create_datagram_endpoint", early)
        browser = Browser(interface=HOST)
        browser.start()
        await change(browser, lambda c: (c.found.instance, c.found.advert.free) == ("early", 2))
        assert browser.problem is None
        announcer = Announcer(ADVERT, 7777, interface=HOST)
        announcer.start()
        await change(browser, lambda c: c.found.instance == announcer.instance)
        await asyncio.gather(browser.close(), announcer.close())

    run(scene())


def announcement(speaker: AsyncZeroconf, advert: Advert) -> bytes:
    """Return the packet that announces a table called ``early``."""
    info = AsyncServiceInfo(
        SERVICE,
        f"early.{SERVICE}",
        port=7777,
        server="early.local.",
        addresses=[socket.inet_aton(HOST)],
        properties=advert.properties(),
    )
    (packet,) = speaker.zeroconf.generate_service_broadcast(info, None).packets()
    return packet


def test_discovery__sockets_that_do_not_open_in_time_are_opened_anew(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene() -> None:
        loop = asyncio.get_running_loop()
        plain = loop.create_datagram_endpoint

        async def never(*arguments: Any, **options: Any) -> tuple[Any, Any]:
            await asyncio.sleep(3600)
            raise AssertionError

        monkeypatch.setattr(discovery, "POLL", 0.05)
        monkeypatch.setattr(discovery, "_CLOSE_SECONDS", 0.05)
        monkeypatch.setattr(discovery, "_START_SECONDS", 0.05)
        monkeypatch.setattr(loop, "create_datagram_endpoint", never)
        browser = Browser(interface=HOST)
        announcer = Announcer(ADVERT, 7777, interface=HOST)
        browser.start()
        announcer.start()
        await until(lambda: None not in (browser.problem, announcer.problem))
        assert "did not open in time" in caplog.text
        monkeypatch.setattr(discovery, "_START_SECONDS", PATIENCE)
        monkeypatch.setattr(loop, "create_datagram_endpoint", plain)
        await change(browser, lambda c: c.found.instance == announcer.instance)
        await until(lambda: browser.problem is None and announcer.problem is None)
        await asyncio.gather(browser.close(), announcer.close())

    run(scene())


def test_discovery__an_interface_that_was_gone_is_joined_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def gone(interface: str | None = None) -> tuple[LocalAddress, ...]:
        raise NetError(sentence("This machine has no network interface {name}.", name=interface))

    async def scene() -> None:
        monkeypatch.setattr(discovery, "POLL", 0.05)
        browser = Browser(interface=HOST)
        browser.start()
        await until(lambda: browser._speaker.zeroconf is not None)
        speaker = browser._speaker.zeroconf
        assert speaker is not None
        engine = speaker.zeroconf.engine
        await until(lambda: bool(engine.senders))
        monkeypatch.setattr(discovery, "local_addresses", gone)
        await until(lambda: browser.problem is not None and not engine.senders)
        monkeypatch.setattr(discovery, "local_addresses", local_addresses)
        await until(lambda: browser.problem is None and bool(engine.senders))
        announcer = Announcer(ADVERT, 7777, interface=HOST)
        announcer.start()
        await change(browser, lambda c: c.found.instance == announcer.instance)
        await asyncio.gather(browser.close(), announcer.close())

    run(scene())


def test_discovery__closes_quickly_at_any_moment() -> None:
    async def scene() -> None:
        for pause in (0, 0.05, 0.4):
            browser = Browser(interface=HOST)
            announcer = Announcer(ADVERT, 7777, interface=HOST)
            browser.start()
            announcer.start()
            await asyncio.sleep(pause)
            start = time.monotonic()
            await asyncio.gather(browser.close(), announcer.close())
            assert time.monotonic() - start < 10
        await Browser().close()
        await Announcer(ADVERT, 7777).close()

    run(scene())


def test_discovery__that_has_no_time_to_say_goodbye_leaves_no_socket_open(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def hang(speaker: AsyncZeroconf) -> None:
        await asyncio.sleep(3600)

    async def scene() -> None:
        browser = Browser(interface=HOST)
        browser.start()
        await until(lambda: browser._speaker.zeroconf is not None)
        speaker = browser._speaker.zeroconf
        assert speaker is not None
        await speaker.zeroconf.async_wait_for_start()
        monkeypatch.setattr(discovery, "_CLOSE_SECONDS", 0.05)
        monkeypatch.setattr(AsyncZeroconf, "async_close", hang)
        await browser.close()
        readers = speaker.zeroconf.engine.readers
        assert readers
        assert all(reader.transport.is_closing() for reader in readers)
        assert "did not close cleanly" in caplog.text

    run(scene())


def test_announcer__announces_again_while_seats_are_open_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scene() -> None:
        monkeypatch.setattr(discovery, "POLL", 0.02)
        monkeypatch.setattr(discovery, "REANNOUNCE", (0.05, 0.1))
        told: list[bool] = []
        tell = Announcer._tell

        async def counted(self: Announcer, again: bool) -> bool:
            told.append(await tell(self, again))
            return told[-1]

        monkeypatch.setattr(Announcer, "_tell", counted)
        announcer = Announcer(ADVERT, 7777, interface=HOST)
        announcer.start()
        await until(lambda: sum(told) >= 3)
        announcer.update(replace(ADVERT, free=0))
        # What was said may be said again for a second; many looks then, and none says anything.
        await until(lambda: len(told) > 10 and not any(told[-10:]))
        await announcer.close()

    run(scene())


def test_usable__tells_loopback_only_if_there_is_nothing_else() -> None:
    loopback = LocalAddress("lo", "127.0.0.1", 1)
    cable = LocalAddress("eth0", "10.0.0.1", 2)
    assert usable([cable, loopback]) == (cable,)
    assert usable([loopback]) == (loopback,)


def test_announcer__advertises_ip_addresses_only() -> None:
    with pytest.raises(ValueError, match="IP addresses"):
        Announcer(ADVERT, 7, advertise=["example.org"])
