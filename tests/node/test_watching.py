"""Somebody who watches: sees the whole table and no hand, verifies all, changes nothing."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from p2p_hearts.node import watching
from p2p_hearts.node.status import watched_status
from p2p_hearts.node.terms import TAG_TABLE, NodeError, NoSeatError
from p2p_hearts.record.audit import Verdict, audit
from p2p_hearts.record.log import read_log
from p2p_hearts.rules.cards import EMPTY
from p2p_hearts.wire.codec import encode
from p2p_hearts.wire.envelope import seal
from p2p_hearts.wire.messages import Draw, Frame, Kind
from tests.node.peers import RULES, Room, run, until


def test_watcher__sees_a_whole_match_and_no_hand_while_another_makes_noise_in_vain(
    tmp_path: Path,
) -> None:
    async def work() -> None:
        log = tmp_path / "watched.hearts"
        async with Room(tmp_path) as room:
            founder = await room.found()
            watcher, noisy = await room.watch("Wira", log=log), await room.watch("Lena")
            peers = [founder, await room.join("Budi"), await room.join("Caio")]
            node, hands = watcher.node, set()

            def look() -> None:
                view = None if node.table is None else node.table.view()
                if view is not None:
                    hands.add(view.hand)

            node.listeners.append(look)
            await until(lambda: noisy.node.table and noisy.node.table.hand)
            table = noisy.node.table
            assert table is not None
            words = [sealed.data for sealed in table.history.rounds[0].contents()]
            frame = TAG_TABLE + encode(Frame(table.roster.hash, words, None))
            keys = [peer.node.links.public_key for peer in peers]
            while not all(peer.node.table and peer.node.table.over for peer in peers):
                for key in keys:
                    noisy.node.links.send(key, frame)
                await asyncio.sleep(0.01)
            await watcher.task
            assert node.table is not None
            assert node.table.over
            assert node.table.fault is None
            assert hands == {EMPTY}
            view = node.table.view()
            assert view is not None
            assert view.watching
            report = audit(read_log(log))
            assert report.verdict is Verdict.CLEAN, report.summary
            company = founder.node.company
            assert company is not None
            assert "Lena" not in [item.nick for item in company.watchers]
            for peer in peers:
                await peer.task
                assert peer.node.table is not None
                assert peer.node.table.match.totals == node.table.match.totals
                assert peer.node.table.history.head == node.table.history.head
                assert peer.node.table.fault is None
                assert not peer.node.table.dropped

    run(work)


def test_watcher__follows_the_players_game_when_one_of_them_tells_it_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "UNKNOWN_SECONDS", 0.3)

    async def work() -> None:
        log = tmp_path / "watched.hearts"
        async with Room(tmp_path, held=True) as room:
            liar = (await room.found()).node
            watcher = await room.watch("Wira", log=log)
            node = watcher.node
            told, lies = list[str](), list[bytes]()

            def prepare() -> None:
                """Make a second draw of the first one."""
                table = liar.table
                if lies or table is None:
                    return
                current = table.history.current
                if current.kind is Kind.DRAW and table.place in current.speeches:
                    said = current.speeches[table.place].content
                    other = structs.replace(said, body=encode(Draw(bytes(32))))
                    frame = Frame(table.roster.hash, [seal(liar.home.identity, other).data], None)
                    lies.append(TAG_TABLE + encode(frame))

            async def lie() -> None:
                """Show it to the one who watches until it is heard, however late that one comes."""
                while not told:
                    for frame_of_lies in lies:
                        liar.links.send(node.links.public_key, frame_of_lies)
                    await asyncio.sleep(0.05)

            def look() -> None:
                told.extend(watched_status(node).warnings)

            liar.listeners.append(prepare)
            node.listeners.append(look)
            lying = asyncio.create_task(lie())
            peers = [await room.join("Budi"), await room.join("Caio")]
            heard = "Ana has signed something else for you"
            await until(lambda: any(said.startswith(heard) for said in told))
            await lying
            room.let_go()
            await watcher.task
            assert node.table is not None
            assert node.table.over
            assert node.table.fault is None
            report = audit(read_log(log))
            assert report.verdict is Verdict.CLEAN, report.summary
            for peer in [room.founder, *peers]:
                await peer.task
                assert peer.node.table is not None
                assert peer.node.table.history.head == node.table.history.head

    run(work)


def test_watcher__goes_on_when_the_founder_vanishes_and_a_seat_comes_back(tmp_path: Path) -> None:
    async def work() -> None:
        async with Room(tmp_path, held=True) as room:
            founder = await room.found(code="ABCD")
            watcher = await room.watch("Wira", code="ABCD")
            peers = [await room.join(name, code="ABCD") for name in ("Budi", "Caio")]
            node = watcher.node
            await until(lambda: node.table and node.table.hand and node.table.hand.facts.shared)
            before = room.card
            await founder.vanish()
            room.founder = back = await room.resume("Ana")
            # Its card is the one before, but for the lobby's port; who knows the code may watch.
            after = room.card
            assert (after.free, after.coded, len(after.nicks)) == (0, True, 3)
            assert (after.instance, after.curve) == (before.instance, before.curve)
            with pytest.raises(NoSeatError, match="You cannot watch Sunday: the join code"):
                await (await room.watch("Rui", code="AAAA")).task
            late = await room.watch("Lena", code="ABCD")
            await until(lambda: late.node.table)
            room.let_go()
            await asyncio.gather(watcher.task, late.task)
            assert late.node.table is not None
            assert late.node.table.over
            assert node.table is not None
            assert node.table.over
            assert node.table.fault is None
            for peer in [back, *peers]:
                await peer.task
                assert peer.node.company is not None
                here = {item.nick for item in peer.node.company.watchers}
                assert here <= {"Wira", "Lena"}
            assert back.node.table is not None
            assert back.node.table.history.head == node.table.history.head

    run(work)


@pytest.mark.deep
def test_watcher__comes_in_the_middle_and_leaves_before_the_end(tmp_path: Path) -> None:
    async def work() -> None:
        async with Room(tmp_path, replace(RULES, watchers=1), held=True) as room:
            founder = await room.found()
            first = await room.watch("Wira")
            await until(lambda: founder.node.company and founder.node.company.watchers)
            with pytest.raises(NoSeatError, match="as many people watch this table"):
                await (await room.watch("Lena")).task
            await first.close()
            peers = [founder, await room.join("Budi"), await room.join("Caio")]
            await until(lambda: founder.node.table and founder.node.table.hand)
            late = await room.watch("Bo")
            await until(lambda: late.node.table)
            room.let_go()
            await late.task
            assert late.node.table is not None
            assert late.node.table.over
            for peer in peers:
                await peer.task

    run(work)


def test_watcher__needs_the_code_and_a_table_that_may_be_watched(tmp_path: Path) -> None:
    async def work() -> None:
        async with Room(tmp_path) as room:
            await room.found(code="ABCD")
            with pytest.raises(NoSeatError, match="You cannot watch Sunday: the join code"):
                await (await room.watch("Wira", code="AAAA")).task
        async with Room(tmp_path, replace(RULES, watchers=0)) as room:
            await room.found("Rui")
            with pytest.raises(NoSeatError, match="nobody may watch this table"):
                await (await room.watch("Wira")).task

    run(work)


def test_watcher__whose_log_cannot_be_written_says_so(tmp_path: Path) -> None:
    async def work() -> None:
        async with Room(tmp_path) as room:
            await room.found()
            watcher = await room.watch("Wira", log=tmp_path / "nowhere" / "log.hearts")
            await room.join("Budi")
            await room.join("Caio")
            with pytest.raises(NodeError, match="No such file or directory"):
                await watcher.task

    run(work)
