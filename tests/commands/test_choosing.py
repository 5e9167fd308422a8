"""Choosing a table: whoever is chosen from the list is the one that is joined."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

import pytest
import zmq.asyncio

from p2p_hearts.commands import choosing
from p2p_hearts.home import Home
from p2p_hearts.net.advert import Advert, Found
from p2p_hearts.net.errors import sentence
from p2p_hearts.node.finding import FindError, Live
from p2p_hearts.ui.tables import Decision, GiveUp, Search, Sit
from p2p_hearts.wire.messages import VERSION
from tests.node.test_finding import CARD, OTHER, replace_card


class Ear:
    """A browser that hears nothing by itself."""

    def __init__(self, interface: str | None) -> None:
        self.interface = interface
        self.problem = sentence("No multicast today.")

    def start(self) -> None:
        pass

    async def close(self) -> None:
        pass


class Person:
    """Chooses the table of a host as soon as it is on the list."""

    def __init__(self, host: str) -> None:
        self._host = host
        self._decision: asyncio.Future[Decision] = asyncio.get_running_loop().create_future()

    def show(self, search: Search) -> None:
        for row in search.rows:
            if row.host == self._host and not self._decision.done():
                self._decision.set_result(Sit(row.key))

    async def choose(self) -> Decision:
        return await self._decision


class Reader(Person):
    """Reads the advice and gives up."""

    read = ""

    def show(self, search: Search) -> None:
        self.read = search.advice
        if not self._decision.done():
            self._decision.set_result(GiveUp())


def live(host: str, author: bytes) -> Live:
    return Live(replace_card(host=host, author=author), (), ("127.0.0.1", 7))


@pytest.mark.parametrize("wanted", ["Ana", "Eve"])
def test_choose_table__takes_another_that_claims_the_same_id_for_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: str
) -> None:
    advert = Advert("ab12", "Sunday", "Ana", VERSION, "black-lady", 4, 2)
    tables = {
        "Ana": (Found("instance-1", advert, ("127.0.0.1",), 7), live("Ana", CARD.author)),
        "Eve": (Found("instance-2", advert, ("127.0.0.1",), 8), live("Eve", OTHER.public)),
    }

    async def heard(context: object, browser: object) -> tuple[tuple[Found, Live], ...]:
        return tuple(tables.values())

    async def script() -> Live:
        arguments = argparse.Namespace(interface=None, code=None)
        with zmq.asyncio.Context() as context:
            return await choosing.choose_table(
                context, home, arguments, watching=False, secret_for=lambda *_: ""
            )

    monkeypatch.setattr(choosing, "Browser", Ear)
    monkeypatch.setattr(choosing, "live_tables", heard)
    monkeypatch.setattr(choosing, "_chooser", lambda *_: Person(wanted))
    home = Home(tmp_path)
    chosen = asyncio.run(script())
    home.close()
    assert chosen is tables[wanted][1]


def test_choose_table__tells_what_keeps_this_machine_from_hearing_any(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def heard(context: object, browser: object) -> tuple[tuple[Found, Live], ...]:
        return ()

    async def script() -> str:
        reader = Reader("")
        monkeypatch.setattr(choosing, "_chooser", lambda *_: reader)
        arguments = argparse.Namespace(interface=None, code=None)
        with zmq.asyncio.Context() as context, pytest.raises(FindError):
            await choosing.choose_table(
                context, home, arguments, watching=False, secret_for=lambda *_: ""
            )
        return reader.read

    monkeypatch.setattr(choosing, "Browser", Ear)
    monkeypatch.setattr(choosing, "live_tables", heard)
    home = Home(tmp_path)
    read = asyncio.run(script())
    home.close()
    assert " s. No multicast today. " in read
