"""From an open table to drawn seats, with guests that leave, break off or may not sit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest
from msgspec import structs

from p2p_hearts.bots.easy import EasyPlayer
from p2p_hearts.node import places
from p2p_hearts.node.autoplay import AutoPlayer
from p2p_hearts.node.status import names_of, status_of
from p2p_hearts.node.terms import TAG_JOIN, TAG_TABLE, NodeError, NoSeatError
from p2p_hearts.rules.cards import CardSet
from p2p_hearts.rules.view import View
from p2p_hearts.table.machine import Table
from p2p_hearts.ui.status import Acquaintance, LobbyStatus, Status
from p2p_hearts.wire.codec import decode, encode
from p2p_hearts.wire.envelope import Identity, open_envelope, seal
from p2p_hearts.wire.lobby import Whereabouts
from p2p_hearts.wire.messages import Draw, Frame, Kind, Sit
from tests.node.peers import PATIENT, Peer, Room, run, until


def test_formation__three_nodes_play_a_hand_and_end(tmp_path: Path) -> None:
    async def work() -> None:
        async with Room(tmp_path) as room:
            peers = await room.fill("Budi", "Caio")
            await asyncio.gather(*(peer.task for peer in peers))
            tables = [peer.node.table for peer in peers]
            assert all(table is not None and table.over for table in tables)
            assert len({table.match for table in tables if table is not None}) == 1
            assert [len(peer.logs) for peer in peers] == [1, 1, 1]
            for peer in peers:
                secrets = list((peer.node.home.path / "secrets").iterdir())
                assert secrets == []
                assert peer.node.home.seats() == ()

    run(work)


def test_formation__equal_names_get_numbers_and_the_lobby_tells_who_is_there(
    tmp_path: Path,
) -> None:
    async def work() -> None:
        async with Room(tmp_path) as room:
            founder = await room.found()
            status = status_of(founder.node, ("p2p-hearts join …",))
            assert isinstance(status, LobbyStatus)
            assert (status.table_name, status.players, status.seats) == ("Sunday", ("Ana",), 3)
            assert status.invitations == ("p2p-hearts join …",)
            guest = await room.join("Budi")
            await until(lambda: status_of(guest.node).stage == "Waiting for players.")
            waiting = status_of(guest.node)
            assert isinstance(waiting, LobbyStatus)
            assert waiting.players == ("Ana", "Budi")
            await room.join("Budi", folder="another Budi")
            await until(lambda: founder.node.formed)
            table = founder.node.table
            assert table is not None
            assert names_of(table.roster) == ("Ana", "Budi 1", "Budi 2")
            playing = status_of(founder.node)
            assert isinstance(playing, Status)
            assert sorted(playing.names) == ["Ana", "Budi 1", "Budi 2"]
            assert len(playing.phrase.split()) >= 4

    run(work)


def test_formation__begins_once_everybody_is_ready(tmp_path: Path) -> None:
    async def work() -> None:
        async with Room(tmp_path) as room:
            founder = await room.found()
            founder.node.ask_ready()
            guest = await room.join("Budi")
            guest.node.ask_ready()
            # Seats are given in the order in which the founder hears of people.
            await until(lambda: room.card.free == 1)
            other = await room.join("Caio")

            def told() -> tuple[bool, ...] | None:
                shown = status_of(other.node)
                return shown.ready if isinstance(shown, LobbyStatus) else None

            await until(lambda: told() == (False, False, True))
            # Each guest is told by itself.
            await until(lambda: len(status_of(guest.node).people) == 3)
            status = status_of(guest.node)
            assert isinstance(status, LobbyStatus)
            assert status.own_ready is False
            # Before the roster a guest has the founder's key alone, and the founder all of them;
            # its own name it knows.
            assert status.people == (Acquaintance.NEW, Acquaintance.SELF, None)
            hosting = status_of(founder.node)
            assert isinstance(hosting, LobbyStatus)
            assert hosting.people == (Acquaintance.SELF, Acquaintance.NEW, Acquaintance.NEW)
            assert status.stage == "Waiting until Ana and Budi are ready."
            founder.node.be_ready(True)
            await until(lambda: told() == (True, False, True))
            assert founder.node.table is None
            guest.node.be_ready(True)
            await until(lambda: all(peer.node.formed for peer in (founder, guest, other)))

    run(work)


def test_formation__a_guest_that_leaves_before_the_roster_gives_its_seat_back(
    tmp_path: Path,
) -> None:
    async def work() -> None:
        async with Room(tmp_path) as room:
            founder = await room.found()
            leaver = await room.join("Budi")
            await until(lambda: room.card.free == 1)
            leaver.node.stop()
            await leaver.task
            await leaver.close()
            await until(lambda: room.card.free == 2)
            others = [await room.join("Caio"), await room.join("Dewi")]
            await until(lambda: all(peer.node.formed for peer in (founder, *others)))
            table = founder.node.table
            assert table is not None
            assert sorted(names_of(table.roster)) == ["Ana", "Caio", "Dewi"]

    run(work)


async def with_caio(room: Room, *peers: Peer) -> list[tuple[Peer, Table]]:
    """Let Caio take the seat that is free again, and all of them sit down."""
    everybody = (*peers, await room.join("Caio"))
    await until(lambda: all(peer.node.formed for peer in everybody))
    seated = [(peer, peer.node.table) for peer in everybody if peer.node.table is not None]
    for _, table in seated:
        assert [entry.nick for entry in table.roster.entries] == ["Ana", "Budi", "Caio"]
    assert len(seated) == len(everybody)
    return seated


@pytest.mark.parametrize("kind", [Kind.SIT, Kind.DRAW])
def test_formation__who_says_two_things_is_replaced_and_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: Kind
) -> None:
    async def work() -> None:
        async with Room(tmp_path) as room:
            founder, budi = await room.found(), await room.join("Budi")
            await until(lambda: room.card.free == 1)
            liar = (await room.join("Quito")).node
            said, send = list[bytes](), liar.links.send

            def is_two_faced(envelope: bytes) -> bool:
                content = open_envelope(envelope).content
                return content.author == liar.home.identity.public and content.kind == kind

            def hold_back(key: bytes, frame: bytes) -> bool:
                """Send all but what is told to each in another way."""
                if frame.startswith(TAG_TABLE):
                    told = decode(frame[len(TAG_TABLE) :], Frame)
                    others = [item for item in told.envelopes if not is_two_faced(item)]
                    frame = TAG_TABLE + encode(structs.replace(told, envelopes=others))
                return send(key, frame)

            def lie() -> None:
                table = liar.table
                if said or table is None:
                    return
                for item in table.history.rounds:
                    if item.kind is kind and table.place in item.speeches:
                        sealed = item.speeches[table.place]
                        body = Sit(bytes(32)) if kind is Kind.SIT else Draw(bytes(32))
                        other = structs.replace(sealed.content, body=encode(body))
                        said.extend([sealed.data, seal(liar.home.identity, other).data])
                for entry, envelope in zip(table.roster.entries, said, strict=False):
                    send(
                        entry.curve, TAG_TABLE + encode(Frame(table.roster.hash, [envelope], None))
                    )

            monkeypatch.setattr(liar.links, "send", hold_back)
            liar.listeners.append(lie)
            if kind is Kind.DRAW:
                await room.lose_patience(lambda table: table.fault)
            await until(lambda: room.card.free == 1 and said)
            if kind is Kind.SIT:
                told = "Quito signed two different messages"
                await until(lambda: status_of(budi.node).stage.startswith(told))
            for _, table in await with_caio(room, founder, budi):
                assert table.fault is None

    run(work)


def nobody_lacks_but(quitter: Identity) -> Callable[[Table], bool]:
    """Whether a table waits for this one alone."""

    def true(table: Table) -> bool:
        missing = {table.roster.entries[item.seat].identity for item in table.waiting()}
        return missing == {quitter.public}

    return true


def test_formation__who_breaks_off_before_the_draw_is_replaced(tmp_path: Path) -> None:
    async def work() -> None:
        async with Room(tmp_path) as room:
            founder, budi = await room.found(), await room.join("Budi")
            await until(lambda: room.card.free == 1)
            async with room.quitter("Quito") as quitter:
                await until(lambda: budi.node.table is not None)
                before = [peer.node.log_path for peer in (founder, budi)]
                await room.lose_patience(nobody_lacks_but(quitter))
                await until(lambda: room.card.free == 1)
                status = status_of(founder.node)
                assert isinstance(status, LobbyStatus)
                assert (status.stage, status.players) == ("Waiting for players.", ("Ana", "Budi"))
                # Its guests hear of it, and do not wait for the one who was let go.
                await until(lambda: status_of(budi.node).stage == "Waiting for players.")
                seated = await with_caio(room, founder, budi)
            for peer, table in seated:
                assert table.roster.formation == 2
                assert quitter.public not in [entry.identity for entry in table.roster.entries]
                assert peer.logs == [peer.node.log_path]
                assert peer.node.log_path not in before
                assert len(peer.node.home.seats()) == 1
            await asyncio.gather(*(peer.task for peer, _ in seated))
            assert all(table.over for _, table in seated)

    run(work)


def test_formation__who_is_late_is_named_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("p2p_hearts.node.status.LATE_SECONDS", 0.3)

    async def work() -> None:
        async with Room(tmp_path) as room:
            founder = await room.found()
            await room.join("Budi")
            await until(lambda: room.card.free == 1)
            async with room.quitter("Quito"):
                await until(lambda: "Waiting for Quito." in status_of(founder.node).stage)

    run(work)


def test_formation__who_was_left_out_is_refused_afterwards(tmp_path: Path) -> None:
    async def work() -> None:
        async with Room(tmp_path) as room:
            await room.found()
            await room.join("Budi")
            await until(lambda: room.card.free == 1)
            async with room.quitter("Quito") as quitter:
                await room.lose_patience(nobody_lacks_but(quitter))
                await until(lambda: room.card.free == 1)
            (tmp_path / "Quito").mkdir()
            (tmp_path / "Quito" / "identity").write_bytes(quitter.private_bytes())
            again = await room.join("Quito")
            with pytest.raises(NoSeatError, match="this table has gone on without you"):
                await again.task
            assert room.card.free == 1

    run(work)


def test_formation__a_seated_player_that_asks_in_the_lobby_again_stays_dialled(
    tmp_path: Path,
) -> None:
    async def work() -> None:
        patience = replace(PATIENT, visit=0.5)
        async with Room(tmp_path, patience=patience, held=True) as room:
            founder, *guests = await room.fill("Budi", "C")
            await until(lambda: all(peer.node.formed for peer in (founder, *guests)))
            for _ in range(4):
                for guest in guests:
                    lobby = guest.node.guest
                    assert lobby is not None
                    guest.node.links.send(lobby.card.curve, TAG_JOIN + lobby.join())
                await asyncio.sleep(0.3)
            keys = {guest.node.links.public_key for guest in guests}
            assert keys <= set(founder.node.links.peers)
            room.let_go()
            await asyncio.gather(*(peer.task for peer in (founder, *guests)))
            assert all(peer.node.table and peer.node.table.over for peer in (founder, *guests))

    run(work)


@pytest.mark.parametrize("code", ["", "WXYZ"])
def test_formation__the_code_is_asked_for(tmp_path: Path, code: str) -> None:
    async def work() -> None:
        async with Room(tmp_path) as room:
            await room.found(code="ABCD")
            guest = await room.join("Budi", code=code)
            with pytest.raises(NoSeatError, match="the join code is wrong"):
                await guest.task
            assert room.card.free == 2
            await room.join("Caio", code="ABCD")
            await until(lambda: room.card.free == 1)

    run(work)


def test_formation__a_host_that_does_not_answer(tmp_path: Path) -> None:
    async def work() -> None:
        async with Room(tmp_path, patience=replace(PATIENT, ask=1.0)) as room:
            founder = await room.found()
            card = room.card
            await founder.vanish()
            guest = await room.join("Budi", card=card)
            with pytest.raises(NoSeatError, match="The host of Sunday does not answer"):
                await guest.task

    run(work)


def test_formation__a_reason_from_the_founder_is_cleaned(tmp_path: Path) -> None:
    async def work() -> None:
        async with Room(tmp_path) as room:
            founder = await room.found()
            lobby = founder.node.founder
            assert lobby is not None
            lobby._refusal = lambda *_: "\x1b[2Jgo\u202e away" + "!" * 150  # type: ignore[method-assign]
            guest = await room.join("Budi")
            with pytest.raises(NodeError) as said:
                await guest.task
            assert "[2Jgo away!!!" in str(said.value)
            assert "\x1b" not in str(said.value)
            assert "\u202e" not in str(said.value)

    run(work)


def test_node__what_one_player_tells_of_another_never_parts_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        async with Room(tmp_path, held=True) as room:
            peers = await room.fill("Budi", "Caio")
            await until(lambda: all(peer.node.formed for peer in peers))
            ana, budi, caio = (peer.node for peer in peers)
            mine = ("127.0.0.1", caio.links.table_port)
            known = ana.places.known

            def tell(wave: int) -> tuple[str, int]:
                false = [("127.0.0.1", 1 + 16 * wave + number) for number in range(16)]
                told = Whereabouts([(caio.links.public_key, false)])
                ana.places.receive(budi.links.public_key, encode(told))
                return false[0]

            # A machine that stands still between two lines is not so long about it.
            monkeypatch.setattr(places, "HEARSAY_SECONDS", 3600.0)
            await until(lambda: ana.links.is_up(caio.links.public_key))
            assert tell(0) not in known[caio.links.public_key], "the line stands: no hearsay"
            with patch.object(ana.links, "is_up", lambda key: False):
                assert tell(1) in known[caio.links.public_key]
                assert tell(2) not in known[caio.links.public_key], "too soon after the last"
                ana.places._heard_of.clear()
                assert tell(3) in known[caio.links.public_key]
            assert mine in known[caio.links.public_key]
            assert len(known[caio.links.public_key]) <= 16
            assert ana.links.is_up(caio.links.public_key)
            room.let_go()
            await asyncio.gather(*(peer.task for peer in peers))
            assert all(peer.node.table and peer.node.table.over for peer in peers)

    run(work)


def test_autoplay__a_player_that_fails_ends_the_node_instead_of_stalling_the_table(
    tmp_path: Path,
) -> None:
    class Broken(EasyPlayer):
        def choose_pass(self, view: View) -> CardSet:
            raise ZeroDivisionError

    async def work() -> None:
        async with Room(tmp_path) as room:
            founder = await room.found()
            founder.node.listeners.clear()
            AutoPlayer(founder.node, Broken())
            await room.join("Budi")
            await room.join("Caio")
            with pytest.raises(NodeError, match="the computer player of this seat failed"):
                await founder.task

    run(work)
