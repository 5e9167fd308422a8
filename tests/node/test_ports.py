"""Where a peer listens that is told a port: there, and nowhere else."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from p2p_hearts.commands.peers import Peers
from p2p_hearts.home import Home
from p2p_hearts.net import guard
from p2p_hearts.net.codes import Address
from p2p_hearts.net.errors import NetError
from p2p_hearts.node.node import Node
from p2p_hearts.node.terms import PORTS, Where
from p2p_hearts.node.watching import WatchingNode
from tests.net.helpers import PATIENCE, free_rows
from tests.node.peers import HOST, run


def test_where__names_a_row_of_ports_or_any() -> None:
    where = Where(HOST, port=7766)
    row = {where.port, where.lobby_port, where.table_port}
    assert row == set(range(7766, 7766 + PORTS))
    anywhere = replace(where, port=0)
    assert (anywhere.lobby_port, anywhere.table_port) == (0, 0)


def test_node__listens_at_the_ports_it_is_told_and_says_which_one_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A port is free again once its watch has ended, however late that is.
    monkeypatch.setattr(guard, "_CLOSE_SECONDS", PATIENCE)

    async def work() -> None:
        (first,) = free_rows(1, PORTS)
        where = Where(HOST, port=first)
        home = Home(tmp_path)
        node = await Node.create(home, "Ana", where)
        assert (node.links.lobby_port, node.links.table_port) == (first + 1, first + 2)
        for create in (Node.create, WatchingNode.create):
            with pytest.raises(NetError, match=f"Port {first + 1} is already taken"):
                await create(home, "Bo", where)
        await node.close()
        watcher = await WatchingNode.create(home, "Bo", where)
        assert (watcher.links.lobby_port, watcher.links.table_port) == (first + 1, first + 2)
        await watcher.close()
        home.close()

    run(work)


@pytest.mark.parametrize(("port", "told"), [(7766, ["7769", "7772"]), (0, [])])
def test_bots__of_a_host_use_the_ports_after_its_own(
    monkeypatch: pytest.MonkeyPatch, port: int, told: list[str]
) -> None:
    started: list[list[str]] = []

    async def start(self: Peers, folder: str, *words: str, **more: Any) -> None:
        started.append(list(words))

    monkeypatch.setattr(Peers, "start", start)

    async def work() -> None:
        async with Peers() as peers:
            for number, name in enumerate(("Nara", "Lena")):
                address = Address(HOST, 7766)
                await peers.start_bot(number, name, address, "easy", 0.0, 0.0, port=port)

    asyncio.run(work())
    assert len(started) == 2
    assert [words[words.index("--port") + 1] for words in started if "--port" in words] == told
