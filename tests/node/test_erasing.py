"""What a node erases of its secrets when it is over, and what it keeps to come back with."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import Struct

from p2p_hearts.node.terms import NoSeatError
from p2p_hearts.table.consent import Consent
from p2p_hearts.table.hand import Hand
from p2p_hearts.table.machine import Table
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.messages import Kind, Reveal
from tests.node.peers import RULES, Peer, Room, run, until

TWO_HANDS = replace(RULES, hands=2)
SECOND_TRICK = (1, 2)


def secrets_of(peer: Peer) -> set[str]:
    """The files of its secrets."""
    return {path.name for path in (peer.node.home.path / "secrets").iterdir()}


def secret_of_hand(peer: Peer, hand: int) -> str:
    """The file where a peer keeps its secret of a hand, or would."""
    table = peer.node.table
    assert table is not None
    assert table.draw is not None
    numbers = (hand.to_bytes(4, "big"), (1).to_bytes(4, "big"))
    return peer.node.home.secrets._path("hand", table.draw.table, *numbers).name


def keeps_both(peer: Peer) -> bool:
    """Whether its secrets of the hand that is played and of the next one are there."""
    table = peer.node.table
    if table is None or table.draw is None:
        return False
    return {secret_of_hand(peer, hand) for hand in (1, 2)} <= secrets_of(peer)


@asynccontextmanager
async def three_with_secrets(folder: Path) -> AsyncIterator[tuple[Room, list[Peer]]]:
    """Three in the second trick of a match of two hands, with their secrets of both of them."""
    async with Room(folder, TWO_HANDS, held=True, since=SECOND_TRICK) as room:
        peers = await room.fill("Rui", "Dewi")
        await until(lambda: all(keeps_both(peer) for peer in peers))
        yield room, peers


def lying_in_the_reveal(lies: Callable[[Hand], bool]) -> Callable[[Hand, Kind, int], Struct]:
    """Make speeches as ever, but for a false secret in the reveals of some seats."""
    speak = Hand.speak

    def said(hand: Hand, kind: Kind, number: int) -> Struct:
        if kind is Kind.REVEAL and lies(hand):
            return Reveal(bytes(32), [])
        return speak(hand, kind, number)

    return said


def table_of(peer: Peer) -> Table:
    assert peer.node.table is not None
    return peer.node.table


def test_secrets__of_a_game_that_a_fault_has_ended_are_erased_also_those_of_the_next_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two show false secrets in one hand: no game goes on after that, and nobody comes back."""

    async def work() -> None:
        async with three_with_secrets(tmp_path) as (room, peers):
            honest = table_of(peers[0]).seat
            lie = lying_in_the_reveal(lambda hand: hand.seat != honest)
            monkeypatch.setattr(Hand, "speak", lie)
            room.let_go()
            await asyncio.gather(*(peer.task for peer in peers))
            for peer in peers:
                fault = table_of(peer).fault
                assert fault is not None
                assert fault.rule is Rule.SECRET
                assert not table_of(peer).match.hands
                assert secrets_of(peer) == set()
                assert peer.node.home.seats() == ()

    run(work)


def test_secrets__of_a_game_that_may_go_on_after_a_fault_are_kept_to_come_back_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One has broken a rule, and the others have not decided yet; they go home meanwhile."""

    async def work() -> None:
        async with three_with_secrets(tmp_path) as (room, peers):
            liar = table_of(peers[2]).seat
            undecided = property(lambda consent: False, lambda consent, value: None)
            monkeypatch.setattr(Consent, "auto", undecided, raising=False)
            monkeypatch.setattr(Hand, "speak", lying_in_the_reveal(lambda hand: hand.seat == liar))
            room.let_go()
            await peers[2].task
            assert secrets_of(peers[2]) == set(), "its own fault ends the game for a liar"
            await until(lambda: all(table_of(peer).fault is not None for peer in peers[:2]))
            for peer in peers[:2]:
                assert not table_of(peer).stopped_for_good
                await peer.close()
                assert keeps_both(peer)
            again = await room.resume("Rui")
            assert table_of(again).hand is not None
            assert keeps_both(again)

    run(work)


def test_secrets__of_a_game_that_goes_on_after_it_seemed_to_have_ended_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a liar is known before the certificate of the draw arrives: the seat stays as well.

    Without its table key an honest seat would complain of seals that are right.
    """

    async def work() -> None:
        async with three_with_secrets(tmp_path) as (room, peers):
            rui, before = peers[1], secrets_of(peers[1])
            rui.node._patience = replace(rui.node._patience, fault=600.0)
            seems = [True]
            monkeypatch.setattr(
                Table, "stopped_for_good", property(lambda one: seems[0] and one is table_of(rui))
            )
            await until(lambda: rui.node._farewell is not None)
            assert secrets_of(rui) == before
            seems[0] = False
            await until(lambda: rui.node._farewell is None)
            assert len(rui.node.home.seats()) == 1
            room.let_go()
            await asyncio.gather(*(peer.task for peer in peers))
            assert all(table_of(peer).over for peer in peers)
            assert [table_of(peer).fault for peer in peers] == [None] * 3
            assert [secrets_of(peer) for peer in peers] == [set()] * 3

    run(work)


def test_secrets__of_a_lobby_that_came_to_nothing_are_erased(tmp_path: Path) -> None:
    """The founder closes, one guest leaves, one is refused: none of them ever sat at the table."""

    async def work() -> None:
        async with Room(tmp_path) as room:
            founder = await room.found(code="abcd")
            leaver = await room.join("Rui", "abcd")
            await until(lambda: room.card.free == 1)
            refused = await room.join("Dewi", "dcba")
            with pytest.raises(NoSeatError):
                await refused.task
            for peer in (refused, leaver, founder):
                assert len(secrets_of(peer)) == 1, "the table key of this opening"
                await peer.close()
                assert secrets_of(peer) == set()

    run(work)
