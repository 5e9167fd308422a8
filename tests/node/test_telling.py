"""What a person hears of a match that a real table plays, hand after hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from p2p_hearts.node.status import status_of
from p2p_hearts.ui.telling import Chronicle
from tests.node.peers import RULES, Room, run, until


def test_chronicle__tells_the_points_of_every_hand_though_the_next_one_begins_at_once(
    tmp_path: Path,
) -> None:
    told: list[str] = []

    async def work() -> None:
        async with Room(tmp_path, replace(RULES, hands=2)) as room:
            founder = (await room.found()).node
            chronicle = Chronicle()

            def listen() -> None:
                table = founder.table
                view = None if table is None else table.view()
                told.extend(news.sentence for news in chronicle.news(view, status_of(founder)))

            founder.listeners.append(listen)
            await room.join("Budi")
            await room.join("Caio")
            await until(lambda: founder.table is not None and founder.table.over)
            listen()

    run(work)
    for hand in (1, 2):
        assert len([line for line in told if line.startswith(f"Points of hand {hand}: ")]) == 1
    assert len([line for line in told if line.startswith("Totals: ")]) == 2
