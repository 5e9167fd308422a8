"""What a node tells others of where it listens."""

from __future__ import annotations

import pytest

from p2p_hearts.net.addresses import LocalAddress
from p2p_hearts.net.errors import NetError, sentence
from p2p_hearts.net.keys import CurveKeys
from p2p_hearts.net.links import Links
from p2p_hearts.node import places as module
from p2p_hearts.node.places import Places
from p2p_hearts.node.terms import Where
from tests.node.peers import run


def test_places__an_interface_that_is_gone_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    eth0 = LocalAddress("eth0", "10.0.0.1", 2)

    def present(interface: str | None) -> tuple[LocalAddress, ...]:
        return (eth0,)

    def gone(interface: str | None) -> tuple[LocalAddress, ...]:
        raise NetError(sentence("This machine has no network interface {name}.", name=interface))

    async def work() -> None:
        async with await Links.open(CurveKeys.generate(), interface="127.0.0.1") as links:
            places = Places(links, Where("eth0"))
            monkeypatch.setattr(module, "local_addresses", present)
            told = [("10.0.0.1", links.table_port)]
            assert places.own == told
            monkeypatch.setattr(module, "local_addresses", gone)
            assert places.own == told
            places.say(CurveKeys.generate().public)
            assert Places(links, Where("eth0")).own == [("127.0.0.1", links.table_port)]

    run(work)
