"""From what a player typed, or nothing, to a table card and where its lobby listens.

A card is believed for its signature, and belongs to the right host if the join code says so; where
it came from proves nothing. What multicast says is a hint that is checked at the table's door.

Errors: ``NetError`` and ``FindError`` with a sentence.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import zmq.asyncio

from p2p_hearts.i18n import _, figure, listed, ngettext
from p2p_hearts.net.addresses import is_address, local_addresses, resolve
from p2p_hearts.net.advert import Found
from p2p_hearts.net.codes import Address, code_matches, join_code, parse_address
from p2p_hearts.net.discovery import Browser
from p2p_hearts.net.door import fetch_card
from p2p_hearts.net.errors import NetError, Sentence
from p2p_hearts.net.names import clean_name
from p2p_hearts.wire.codec import DecodeError
from p2p_hearts.wire.envelope import BadSignatureError
from p2p_hearts.wire.lobby import LobbyError, TableCard, open_lobby
from p2p_hearts.wire.messages import VERSION

PROBE_SECONDS = 3.0
"""How long a table heard of on the LAN may take to answer."""

ADDRESS_SECONDS = 10.0
"""How long one at a typed address may take, far away: its card comes after five round trips."""

PROBES_AT_ONCE = 32
"""Tables asked at the same time: each takes sockets, and a process may have only so many files."""

BETTER_SECONDS = 0.2
"""How long a table that has answered may take to answer at a better address, too."""

SAME_NAME_SECONDS = 1.0
"""Who asks for a name looks once more after so long: another table of that name may answer."""

SHOWN_TABLES = 4
"""So many tables are named to somebody who asked for another name."""

LOOK_SECONDS = 0.3
"""Pause between two looks at what was heard of."""


class FindError(Exception):
    """No table can be had like this; the text says why and what to do."""


class TargetError(FindError):
    """What the player typed looks like an address and is none."""


@dataclass(frozen=True, slots=True)
class Live:
    """A table that answered: its card, and where its lobby listens (IP literal, port)."""

    card: TableCard
    lobby: tuple[tuple[str, int], ...]
    door: tuple[str, int]
    """Where its card came from."""

    @property
    def name(self) -> str:
        """The table's name, harmless to show."""
        return clean_name(self.card.name)

    @property
    def seated(self) -> tuple[str, ...]:
        """Who sits there, as its founder says: harmless to show, and nobody's word but its own."""
        return tuple(clean_name(nick) or "?" for nick in self.card.nicks)

    def is_open(self, watching: bool) -> bool:
        """Whether there is a free seat; or for somebody who watches, whether anybody may."""
        return bool(self.card.rules.get("watchers")) if watching else self.card.free > 0


async def look_at(context: zmq.asyncio.Context, address: Address) -> Live:
    """Fetch and verify the card at a typed address.

    Raises:
        NetError: nobody answers there.
        FindError: what answers is no table of this version, or not the host the code names.
    """
    data = await fetch_card(context, address.host, address.port, ADDRESS_SECONDS)
    card = read_card(data, str(address))
    if address.code is not None and not code_matches(address.code, card.author):
        raise FindError(
            _(
                "The table at {address} belongs to another host than the join code names. Check "
                "address and code with the host; somebody may stand in between."
            ).format(address=address)
        )
    found = await resolve(address.host, address.port)
    return Live(card, tuple((ip, card.lobby) for ip, _port in found), (address.host, address.port))


def read_card(data: bytes, where: str) -> TableCard:
    """Verify a card.

    Raises:
        FindError: it is none, or of another version.
    """
    try:
        return open_lobby(data, TableCard)
    except LobbyError as error:
        raise FindError(
            _("The table at {address} cannot be joined: {reason}.").format(
                address=where, reason=error
            )
        ) from None
    except (DecodeError, BadSignatureError):
        raise FindError(
            _(
                "What answers at {address} is no p2p-hearts table of this version. Install the "
                "same version of p2p-hearts on both computers."
            ).format(address=where)
        ) from None


async def probe(context: zmq.asyncio.Context, found: Found) -> Live | None:
    """Ask all addresses of a table heard of at once; None if no valid card comes.

    Once one has answered, the others get a moment more: the best address that answers is shown.
    """

    async def ask(host: str) -> TableCard | None:
        try:
            return read_card(await fetch_card(context, host, found.port, PROBE_SECONDS), host)
        except (NetError, FindError):
            return None

    asking = {host: asyncio.create_task(ask(host)) for host in found.addresses}
    try:
        for first in asyncio.as_completed(asking.values()):
            if await first is not None:
                await asyncio.wait(asking.values(), timeout=BETTER_SECONDS)
                break
        cards = {host: task.result() for host, task in asking.items() if task.done()}
    finally:
        for task in asking.values():
            task.cancel()
        await asyncio.gather(*asking.values(), return_exceptions=True)
    return _live(found, {host: card for host, card in cards.items() if card is not None})


def _live(found: Found, cards: Mapping[str, TableCard]) -> Live | None:
    """Take the card from the best address, and all addresses that showed one of that table."""
    hosts = [host for host in found.addresses if host in cards]
    if not hosts:
        return None
    card = cards[hosts[0]]
    same = [host for host in hosts if _opening(cards[host]) == _opening(card)]
    return Live(card, tuple((host, card.lobby) for host in same), (hosts[0], found.port))


def _opening(card: TableCard) -> tuple[bytes, bytes, bytes, int]:
    """Return what makes two cards those of one opening of one table."""
    return card.author, card.instance, card.curve, card.lobby


async def live_tables(
    context: zmq.asyncio.Context, browser: Browser
) -> tuple[tuple[Found, Live | None], ...]:
    """Probe every table the browser has heard of; those with a free seat first, by name."""
    slots = asyncio.Semaphore(PROBES_AT_ONCE)

    async def ask(found: Found) -> tuple[Found, Live | None]:
        async with slots:
            return found, await probe(context, found)

    tables = await asyncio.gather(*map(ask, browser.tables))
    return tuple(sorted(tables, key=lambda table: _rank(*table)))


def _rank(found: Found, live: Live | None) -> tuple[int, str, str]:
    """Return where in a list a table stands: free seats, full, of another version, silent."""
    if found.advert.version != VERSION:
        return 2, found.advert.name.casefold(), found.instance
    if live is None:
        return 3, found.advert.name.casefold(), found.instance
    return int(not live.is_open(watching=False)), live.name.casefold(), found.instance


def matches(found: Found, live: Live | None, wanted: str | None) -> bool:
    """Whether a table is the one a player asked for by name, of the table or of the host."""
    if wanted is None:
        return True
    names = [found.advert.name, found.advert.nick]
    if live is not None:
        names += [live.name, clean_name(live.card.host)]
    return clean_name(wanted).casefold() in [name.casefold() for name in names]


async def find_on_lan(
    context: zmq.asyncio.Context,
    wanted: str | None,
    *,
    interface: str | None,
    wait: float,
    watching: bool = False,
    own: Collection[bytes] = (),
) -> Live:
    """Wait for a live table with a free seat, or one to watch, by name or any.

    ``own``: instances of tables where the player has a seat to come back to.

    Raises:
        FindError: none came within ``wait`` seconds, and the text says why that can be; or tables
            of several hosts answer to that name, or one where a seat waits for the player.
        NetError: there is no such interface.
    """
    local_addresses(interface)
    browser = Browser(interface=interface)
    browser.start()
    loop = asyncio.get_running_loop()
    end = loop.time() + wait
    reason, looked_again = "", False
    try:
        while True:
            tables = await live_tables(context, browser)
            open_tables: list[Live] = []
            kept: Live | None = None
            for found, live in tables:
                if not matches(found, live, wanted):
                    continue
                reason = why_not(found, live, watching, own)
                if live is not None and is_own(live, own) and wanted is not None:
                    kept = live
                if live is not None and not reason:
                    open_tables.append(live)
            if kept is not None and looked_again:
                raise FindError(_kept(kept, open_tables))
            if wanted is not None and len({live.card.author for live in open_tables}) > 1:
                raise FindError(_several(wanted, open_tables))
            if open_tables and (wanted is None or looked_again):
                return open_tables[0]
            looked_again = bool(open_tables) or kept is not None
            if loop.time() >= end and not looked_again:
                others = [live.name for _found, live in tables if live and live.is_open(watching)]
                raise FindError(reason or nothing_found(wanted, wait, others, browser.problem))
            await asyncio.sleep(SAME_NAME_SECONDS if looked_again else LOOK_SECONDS)
    finally:
        await browser.close()


async def list_on_lan(
    context: zmq.asyncio.Context, *, interface: str | None, wait: float
) -> tuple[Sequence[tuple[Found, Live | None]], Sentence | None]:
    """Listen for ``wait`` seconds, then return every table heard of, with its card if it lives.

    And what keeps this machine from hearing any, if anything does.

    Raises:
        NetError: there is no such interface.
    """
    local_addresses(interface)
    browser = Browser(interface=interface)
    browser.start()
    try:
        await asyncio.sleep(wait)
        return await live_tables(context, browser), browser.problem
    finally:
        await browser.close()


def parse_target(text: str | None) -> Address | str | None:
    """Read what a player typed: an address if it looks like one, else a name.

    Raises:
        TargetError: it looks like an address and is none.
    """
    if text is None:
        return None
    if not clean_name(text):
        raise TargetError(_("The name is empty; leave it out to choose from the tables here."))
    if not (":" in text or "#" in text or is_address(text.strip())):
        return text
    try:
        return parse_address(text)
    except ValueError as error:
        raise TargetError(f"{error}.") from None


def why_not(found: Found, live: Live | None, watching: bool, own: Collection[bytes] = ()) -> str:
    """Return why a table that was heard of cannot be joined, or nothing; ``own``: as there."""
    if found.advert.version != VERSION:
        return _(
            "{table} speaks protocol version {other}, this program {own}; install the same version "
            "of p2p-hearts on both computers."
        ).format(table=found.advert.name, other=found.advert.version, own=VERSION)
    if live is None:
        return _(
            "{table} was heard of and does not answer. Its host may be gone, or a firewall may "
            "stop it: p2p-hearts doctor tells more on both computers."
        ).format(table=found.advert.name)
    if is_own(live, own):
        return own_seat(live)
    if watching and not live.is_open(watching):
        return _("{name} lets nobody watch.").format(name=live.name)
    if not watching and not live.is_open(watching):
        return _("{table} has no free seat; wait for the next table, or open one yourself.").format(
            table=live.name
        )
    return ""


def is_own(live: Live, own: Collection[bytes]) -> bool:
    """Whether one has a seat at this table; where seats are free, none that was kept is one."""
    return live.card.instance in own and not live.card.free


def own_seat(live: Live) -> str:
    """Return what to do where one has a seat already."""
    return _("You have a seat at {table}: p2p-hearts resume takes you back to it.").format(
        table=live.name
    )


def _kept(kept: Live, others: Sequence[Live]) -> str:
    """Where one has a seat at a table of that name: the way back, and those to others."""
    told = own_seat(kept)
    if not others:
        return told
    also = ngettext(
        "Another table is called so, too: {tables}. Join it by that address.",
        "Other tables are called so, too: {tables}. Join one of them by its address.",
        len(others),
    )
    return f"{told} {also.format(tables=_listed(others))}"


def _listed(tables: Sequence[Live]) -> str:
    """Return tables of one name, told apart by host and address."""
    return "; ".join(
        _("{table} of {player} at {address}").format(
            table=live.name,
            player=clean_name(live.card.host),
            address=Address(*live.door, join_code(live.card.author)),
        )
        for live in tables[:SHOWN_TABLES]
    )


def _several(wanted: str, tables: Sequence[Live]) -> str:
    """Anybody may call a table by any name: which host is meant, only the player can say."""
    return _(
        "{n} tables of different hosts answer to {name!r}: {tables}. Ask your host for the line "
        "on its screen, and join by that."
    ).format(n=len(tables), name=wanted, tables=_listed(tables))


def nothing_found(
    wanted: str | None,
    wait: float,
    others: Sequence[str] = (),
    problem: Sentence | None = None,
) -> str:
    """Return why no table may have been heard of in so many seconds; ``others`` are open.

    ``problem`` is what kept this machine from hearing any.
    """
    seconds = figure(wait, "g")
    if wanted is not None and others:
        return _(
            "No open table called {name!r} was heard of in {seconds} s, but {tables}. Without a "
            "name you choose from what is open."
        ).format(name=wanted, seconds=seconds, tables=listed(others[:SHOWN_TABLES]))
    if wanted is None:
        what = _("No open table was heard of in {seconds} s.").format(seconds=seconds)
    else:
        what = _("No open table called {name!r} was heard of in {seconds} s.").format(
            name=wanted, seconds=seconds
        )
    advice = _(
        "The host may not have opened one yet, the two computers may be in different networks, or "
        "a firewall may block multicast (UDP port 5353). The host's screen shows a line to type "
        "instead: p2p-hearts join HOST:PORT#CODE. p2p-hearts doctor tells what this computer can "
        "reach."
    )
    return f"{what} {advice}" if problem is None else f"{what} {problem} {advice}"
