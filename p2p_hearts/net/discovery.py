"""Tables on the LAN, by DNS-SD over multicast DNS (RFC 6762, RFC 6763).

What is heard is a hint: anybody can say anything (``advert`` checks every field), and records
outlive their tables by up to 75 minutes. Whether a table lives is decided by asking its door
(``door.fetch_card``), and who it is by the signature of its card. Instance and host names are
random, because equal names of different hosts get their addresses merged by resolvers.

Nothing here is fatal: an interface that fails is logged and tried again, and ``problem`` says it.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import random
import secrets
from collections import deque
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from zeroconf import IPVersion, NotRunningException, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from p2p_hearts.net.addresses import MAX_ADDRESSES, LocalAddress, is_address, local_addresses
from p2p_hearts.net.advert import Advert, Found, is_label, read_found
from p2p_hearts.net.errors import NetError, Sentence, sentence

log = logging.getLogger(__name__)

SERVICE = "_p2p-hearts._tcp.local."
MAX_TABLES = 256
"""Most instances kept, a club night of 100 tables twice over.

A flood of false ones can hide a table from the list, not from HOST:PORT.
"""
REANNOUNCE = (10.0, 20.0)
"""Seconds between two announcements while seats are open, drawn anew each time."""
POLL = 5.0
"""Seconds between two looks at the interfaces."""
_RESOLVE_MS = 3000
_START_SECONDS = 9.0
"""So long the sockets may take to open; a machine that is so busy tries anew."""
_CLOSE_SECONDS = 1.5


class ChangeKind(StrEnum):
    """What happened to an entry of the list."""

    APPEARED = "appeared"
    UPDATED = "updated"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Change:
    """An entry of the list came, changed or left."""

    kind: ChangeKind
    found: Found


_NO_MULTICAST = sentence("Tables on the LAN cannot be announced or heard on this machine now.")


class _Speaker:
    """An AsyncZeroconf that follows the interfaces of this machine."""

    def __init__(self, interface: str | None) -> None:
        self._interface = interface
        self.zeroconf: AsyncZeroconf | None = None

    async def follow(self) -> AsyncZeroconf:
        """Open, or take up the interfaces that came and went; what is returned runs.

        OSError or NetError when nothing can be used.
        """
        try:
            chosen = _interfaces(usable(local_addresses(self._interface)))
        except NetError:
            # Its sockets would not hear again once it is back, as after an adapter was unplugged.
            await self._take_up(())
            raise
        if self.zeroconf is None:
            self.zeroconf = _open(chosen)
            await self._started(self.zeroconf)
        else:
            # Asked every time: an address that could not be used yet is tried again, and when
            # nothing changed this does nothing.
            await self._take_up(chosen)
        return self.zeroconf

    async def _started(self, opened: AsyncZeroconf) -> None:
        """Wait until all sockets read; OSError, and all closed again, if they do not in time.

        Nobody else may wait for this: everybody who does waits for one and the same future, and a
        task that is cancelled meanwhile cancels that. Zeroconf then never counts as running, and
        nothing is looked up any more. The first socket reads before the last one is open, so that
        already then a table can be heard, and heard again, which ends the first look-up of it.
        """
        try:
            await opened.zeroconf.async_wait_for_start(_START_SECONDS)
        except NotRunningException as error:
            await self.close()
            raise OSError("the sockets for multicast did not open in time") from error

    async def _take_up(self, chosen: Sequence[str | int]) -> None:
        if self.zeroconf is not None:
            await self.zeroconf.async_update_interfaces(list(chosen), _family(chosen))

    async def close(self) -> None:
        """Say goodbye and close, in bounded time."""
        if self.zeroconf is not None:
            speaker, self.zeroconf = self.zeroconf, None
            try:
                async with asyncio.timeout(_CLOSE_SECONDS):
                    await speaker.async_close()
            except Exception:
                log.warning("Discovery did not close cleanly.", exc_info=True)
            finally:
                # Out of time, as on a busy machine: its sockets would stay open. Twice is harmless.
                speaker.zeroconf.engine.close()


def usable(addresses: Sequence[LocalAddress]) -> tuple[LocalAddress, ...]:
    """Addresses to announce: all that others can reach; loopback only if there is nothing else."""
    outside = tuple(a for a in addresses if not a.is_loopback)
    return outside or tuple(addresses)


def _interfaces(own: Sequence[LocalAddress]) -> tuple[str | int, ...]:
    """Zeroconf's way to name interfaces: IPv4 by address, IPv6 by index."""
    names: list[str | int] = [a.address for a in own if not a.is_ipv6]
    names += sorted({a.index for a in own if a.is_ipv6 and not a.is_loopback and a.index})
    return tuple(names)


def _family(chosen: Sequence[str | int]) -> IPVersion:
    v4 = any(isinstance(name, str) for name in chosen)
    v6 = any(isinstance(name, int) for name in chosen)
    return IPVersion.All if v4 and v6 else IPVersion.V6Only if v6 else IPVersion.V4Only


def _open(chosen: Sequence[str | int]) -> AsyncZeroconf:
    if not chosen:
        raise OSError("this machine has no network interface to announce on")
    try:
        return AsyncZeroconf(interfaces=list(chosen), ip_version=_family(chosen))
    except OSError:
        v4 = [name for name in chosen if isinstance(name, str)]
        if not v4 or len(v4) == len(chosen):
            raise
        log.info("Multicast over IPv6 does not work here; IPv4 only.", exc_info=True)
        return AsyncZeroconf(interfaces=v4, ip_version=IPVersion.V4Only)


class Announcer:
    """Announces one table until ``close``.

    ``port`` is that of the table's door. ``interface`` narrows where it is announced,
    ``advertise`` (IP literals) replaces the addresses that are told. Start it with ``start``.
    """

    def __init__(
        self,
        advert: Advert,
        port: int,
        *,
        interface: str | None = None,
        advertise: Sequence[str] = (),
    ) -> None:
        if not all(is_address(address) for address in advertise):
            raise ValueError("advertised addresses are IP addresses")
        self.instance = secrets.token_hex(8)
        self.problem: Sentence | None = None
        self._advert = advert
        self._port = port
        self._interface = interface
        self._advertise = tuple(advertise)
        self._speaker = _Speaker(interface)
        self._told: AsyncServiceInfo | None = None
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to announce, in the running loop."""
        self._task = asyncio.get_running_loop().create_task(self._run())

    def update(self, advert: Advert) -> None:
        """Announce this from now on."""
        if advert != self._advert:
            self._advert = advert
            self._changed.set()

    async def close(self) -> None:
        """Withdraw the announcement; takes at most about a second."""
        await _stop(self._task)
        await self._speaker.close()

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        due = 0.0
        while True:
            self._changed.clear()
            try:
                if await self._tell(again=loop.time() >= due):
                    due = loop.time() + random.uniform(*REANNOUNCE)  # noqa: S311
                self.problem = None
            except Exception as error:
                _log_failure(self.problem, error)
                self.problem = _NO_MULTICAST
            await _pause(self._changed, POLL)

    async def _tell(self, again: bool) -> bool:
        """Register, or announce anew what changed; whether anything was sent."""
        speaker = await self._speaker.follow()
        info = self._info()
        if self._told is None:
            await (await speaker.async_register_service(info))
        elif not _same(info, self._told) or (again and self._advert.free):
            await (await speaker.async_update_service(info))
        else:
            return False
        self._told = info
        return True

    def _info(self) -> AsyncServiceInfo:
        own = usable(local_addresses(self._interface))
        texts = self._advertise or [a.address.partition("%")[0] for a in own]
        packed = [ipaddress.ip_address(text.partition("%")[0]).packed for text in texts]
        return AsyncServiceInfo(
            SERVICE,
            f"{self.instance}.{SERVICE}",
            port=self._port,
            server=f"p2p-hearts-{self.instance}.local.",
            addresses=list(dict.fromkeys(packed))[:MAX_ADDRESSES],
            properties=self._advert.properties(),
        )


def _same(one: AsyncServiceInfo, other: AsyncServiceInfo) -> bool:
    return one.text == other.text and set(one.addresses_by_version(IPVersion.All)) == set(
        other.addresses_by_version(IPVersion.All)
    )


class Browser:
    """Hears of tables until ``close``: ``tables`` is the list now, ``next_change`` its changes."""

    def __init__(self, *, interface: str | None = None) -> None:
        self.problem: Sentence | None = None
        self.ignored = 0
        self._speaker = _Speaker(interface)
        self._browser: AsyncServiceBrowser | None = None
        self._tables: dict[str, Found] = {}
        self._changes: deque[Change] = deque(maxlen=1024)
        self._came = asyncio.Event()
        self._never = asyncio.Event()
        self._resolving: dict[str, asyncio.Task[None]] = {}
        self._slots = asyncio.Semaphore(8)
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to listen, in the running loop."""
        self._task = asyncio.get_running_loop().create_task(self._run())

    @property
    def tables(self) -> tuple[Found, ...]:
        """Everything heard of and not withdrawn; live or not is for ``fetch_card`` to say."""
        return tuple(self._tables.values())

    async def next_change(self) -> Change:
        """Return the next change of the list, oldest first."""
        while not self._changes:
            self._came.clear()
            await self._came.wait()
        return self._changes.popleft()

    async def close(self) -> None:
        """Stop listening; takes at most about a second."""
        await _stop(self._task, *self._resolving.values())
        if self._browser is not None:
            await self._browser.async_cancel()
        await self._speaker.close()

    async def _run(self) -> None:
        while True:
            try:
                speaker = await self._speaker.follow()
                if self._browser is None:
                    self._browser = AsyncServiceBrowser(
                        speaker.zeroconf, [SERVICE], handlers=[self._heard]
                    )
                self.problem = None
            except Exception as error:
                _log_failure(self.problem, error)
                self.problem = _NO_MULTICAST
            await _pause(self._never, POLL)

    def _heard(
        self,
        zeroconf: Zeroconf,
        service_type: str,
        name: str,
        state_change: ServiceStateChange,
    ) -> None:
        """Take note that an instance came, changed or left; zeroconf calls it in the loop."""
        instance = name.removesuffix("." + SERVICE)
        if not is_label(instance):
            self.ignored += 1
            return
        if state_change is ServiceStateChange.Removed:
            self._stop_resolving(instance)
            gone = self._tables.pop(instance, None)
            if gone is not None:
                self._change(ChangeKind.GONE, gone)
            return
        if len(self._tables.keys() | self._resolving.keys() | {instance}) > MAX_TABLES:
            self.ignored += 1
            return
        self._stop_resolving(instance)
        task = asyncio.get_running_loop().create_task(self._resolve(zeroconf, name, instance))
        self._resolving[instance] = task
        task.add_done_callback(lambda done: self._resolved(instance, done))

    async def _resolve(self, zeroconf: Zeroconf, name: str, instance: str) -> None:
        info = AsyncServiceInfo(SERVICE, name)
        async with self._slots:
            for _ in range(2):
                if await info.async_request(zeroconf, _RESOLVE_MS):
                    break
        found = read_found(
            instance, info.properties, info.parsed_scoped_addresses(IPVersion.All), info.port
        )
        if found is None:
            self.ignored += 1
            return
        before = self._tables.get(instance)
        if found != before:
            self._tables[instance] = found
            self._change(ChangeKind.UPDATED if before else ChangeKind.APPEARED, found)

    def _resolved(self, instance: str, task: asyncio.Task[None]) -> None:
        if self._resolving.get(instance) is task:
            del self._resolving[instance]
        if not task.cancelled() and task.exception() is not None:
            log.warning("A table could not be looked up.", exc_info=task.exception())

    def _stop_resolving(self, instance: str) -> None:
        task = self._resolving.pop(instance, None)
        if task is not None:
            task.cancel()

    def _change(self, kind: ChangeKind, found: Found) -> None:
        self._changes.append(Change(kind, found))
        self._came.set()


def _log_failure(already: Sentence | None, error: Exception) -> None:
    """Log the first of a row of failures loudly, the others quietly."""
    log.log(logging.DEBUG if already else logging.WARNING, "Discovery failed: %s", error)


async def _pause(event: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        pass


async def _stop(*tasks: asyncio.Task[None] | None) -> None:
    running: list[Coroutine[Any, Any, Any] | asyncio.Task[None]] = []
    for task in tasks:
        if task is not None:
            task.cancel()
            running.append(task)
    await asyncio.gather(*running, return_exceptions=True)
