"""Real peers make the next deal while people think, beside everything else that they do."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from p2p_hearts.cards import deal
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.crypto.elgamal import Deck
from p2p_hearts.crypto.group import Element
from p2p_hearts.crypto.transcript import Context
from p2p_hearts.record.log import read_log
from p2p_hearts.record.records import RecordKind
from p2p_hearts.wire.envelope import open_envelope
from p2p_hearts.wire.messages import Kind
from tests.node.peers import RULES, Peer, Room, run, until

TWO_HANDS = replace(RULES, hands=2)
SEATS = TWO_HANDS.seats
SECOND_TRICK = (1, 2)


def test_node__makes_the_next_deal_in_another_thread_while_a_card_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, checked = list[tuple[int, bool]](), list[tuple[int, bool]]()
    make, check, main = deal.make_shuffle, deal.check_shuffle, threading.get_ident()

    def counted_make(
        secret: HandSecret, context: Context, key: Element, deck: Deck
    ) -> tuple[bytes, bytes, Deck]:
        shuffle = make(secret, context, key, deck)
        made.append((context.hand, threading.get_ident() == main))
        return shuffle

    def counted_check(
        context: Context, key: Element, deck: Deck, data: bytes, proof: bytes
    ) -> Deck | Flaw:
        found = check(context, key, deck, data, proof)
        checked.append((context.hand, threading.get_ident() == main))
        return found

    monkeypatch.setattr(deal, "make_shuffle", counted_make)
    monkeypatch.setattr(deal, "check_shuffle", counted_check)

    async def story() -> None:
        async with Room(tmp_path, TWO_HANDS, held=True, since=SECOND_TRICK) as room:
            peers = await room.fill("Rui", "Dewi")
            ahead = [(2, False)] * SEATS, [(2, False)] * (SEATS * (SEATS - 1))
            await until(lambda: (_of(made, 2), _of(checked, 2)) == ahead)
            tables = [peer.node.table for peer in peers]
            assert all(table is not None and not table.match.hands for table in tables)
            assert {hand for hand, _ in made} == {1, 2}
            room.let_go()
            await until(lambda: all(table is not None and table.match.over for table in tables))
            # After hand 2 each seat makes the others' shuffles again, from their secrets.
            rerun = [(2, False)] * (SEATS * (SEATS - 1))
            assert (_of(made, 2), _of(checked, 2)) == (ahead[0] + rerun, ahead[1])

    run(story)


def _of(calls: list[tuple[int, bool]], hand: int) -> list[tuple[int, bool]]:
    return [call for call in calls if call[0] == hand]


def test_resume__with_a_damaged_secret_of_the_next_hand_plays_on_and_deals_that_hand(
    tmp_path: Path,
) -> None:
    """It was drawn ahead, and no content binds to it: a lost one is drawn anew as well."""

    async def story() -> None:
        async with Room(tmp_path, TWO_HANDS, held=True, since=SECOND_TRICK) as room:
            peers = await room.fill("Rui", "Dewi")
            await until(lambda: all(_drawn_ahead(peer) is not None for peer in peers))
            path = _drawn_ahead(peers[2])
            assert path is not None
            await peers[2].vanish()
            path.write_bytes(b"half")
            peers[2] = await room.resume("Dewi")
            room.let_go()
            await asyncio.gather(*(peer.task for peer in peers))
            tables = [peer.node.table for peer in peers]
            assert all(table is not None and table.over for table in tables)
            records = read_log(peers[0].logs[0])
            said = [
                open_envelope(item.data).content.kind
                for item in records
                if item.kind is RecordKind.CONTENT
            ]
            assert Kind.LOST not in said
            assert said.count(Kind.KEY) == 2 * SEATS

    run(story)


def _drawn_ahead(peer: Peer) -> Path | None:
    """The file of a peer's secret of hand 2, while hand 1 is played."""
    table = peer.node.table
    if table is None or table.draw is None:
        return None
    home = peer.node.home
    path = home.secrets._path("hand", table.draw.table, *(n.to_bytes(4, "big") for n in (2, 1)))
    return path if path.exists() else None
