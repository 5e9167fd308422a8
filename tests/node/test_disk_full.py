"""A log or a secret that cannot be written: a sentence, and not one byte of it is sent."""

from __future__ import annotations

import errno
import resource
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from p2p_hearts import home
from p2p_hearts.home import secret_store
from p2p_hearts.home.files import FullError, cannot_read, write_private
from p2p_hearts.node.node import Node
from p2p_hearts.node.terms import TAG_TABLE, NodeError
from p2p_hearts.record.log import LogWriter, read_log
from p2p_hearts.record.records import RecordKind
from p2p_hearts.rules.cards import EMPTY
from p2p_hearts.table.machine import Table
from p2p_hearts.wire.codec import decode
from p2p_hearts.wire.messages import Frame
from tests.e2e.tables import address_of, bot, host
from tests.node.peers import RULES, Room, run, until
from tests.programs import together


def watch_sent(node: Node) -> list[bytes]:
    """Return the list that every envelope this node sends from now on is added to."""
    sent: list[bytes] = []
    send = node.links.send

    def noted(key: bytes, frame: bytes) -> bool:
        if frame[:1] == TAG_TABLE:
            sent.extend(decode(frame[1:], Frame).envelopes)
        return send(key, frame)

    node.links.send = noted  # type: ignore[method-assign]
    return sent


def stored(node: Node) -> set[bytes]:
    assert node.log_path is not None
    return {item.data for item in read_log(node.log_path) if item.kind is RecordKind.CONTENT}


@pytest.mark.parametrize("method", ["append", "sync"])
def test_node__nothing_is_sent_that_the_log_does_not_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    async def work() -> None:
        async with Room(tmp_path) as room:
            *_, unlucky = await room.fill("Budi", "Caio")
            node = unlucky.node
            sent = watch_sent(node)
            await until(lambda: len(sent) > 20)
            writer = node._keeping.writer
            assert writer is not None
            before: list[set[bytes]] = []
            real: Callable[..., None] = getattr(LogWriter, method)

            def full(self: LogWriter, *arguments: object) -> None:
                if self is not writer:
                    return real(self, *arguments)
                before.append(set(sent))
                raise OSError(errno.ENOSPC, "No space left on device")

            monkeypatch.setattr(LogWriter, method, full)
            with pytest.raises(NodeError) as said:
                await unlucky.task
            monkeypatch.undo()
            assert str(said.value) == (
                f"The log {node.log_path} cannot be written: No space left on device. "
                "Nothing was sent; free some space and come back to the table."
            )
            assert set(sent) == before[0]
            assert set(sent) <= stored(node)

    run(work)


@pytest.mark.parametrize(("folder", "logs"), [("secrets", 1), ("seats", 0)])
def test_node__a_secret_or_place_that_cannot_be_kept_is_not_used_nor_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, logs: int
) -> None:
    async def work() -> None:
        async with Room(tmp_path) as room:
            *_, unlucky = await room.fill("Budi", "Caio")
            tried: list[Path] = []

            def full(path: Path, data: bytes) -> None:
                if path.is_relative_to(tmp_path / "Caio" / folder):
                    tried.append(path)
                    raise FullError(f"{path} cannot be written: No space left on device")
                write_private(path, data)

            for module in (home, secret_store):
                monkeypatch.setattr(module, "write_private", full)
            sent = watch_sent(unlucky.node)
            with pytest.raises(NodeError, match=r"No space left on device\. Nothing was sent"):
                await unlucky.task
            assert (sent, len(unlucky.logs), len(tried)) == ([], logs, 1)

    run(work)


def test_node__that_cannot_keep_the_secret_of_the_next_hand_comes_back_to_the_one_it_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That secret is drawn once the first trick is over; the cards of the second are held back."""

    async def work() -> None:
        async with Room(tmp_path, replace(RULES, hands=2), held=True, since=(1, 2)) as room:
            *_, unlucky = await room.fill("Budi", "Caio")
            drawn: list[Path] = []

            def full(path: Path, data: bytes) -> None:
                if path.is_relative_to(tmp_path / "Caio" / "secrets"):
                    drawn.append(path)
                    if len(drawn) == 3:  # After the nonce of the draw and the secret of hand 1.
                        raise FullError(f"{path} cannot be written: No space left on device")
                write_private(path, data)

            monkeypatch.setattr(secret_store, "write_private", full)
            sent = watch_sent(unlucky.node)
            with pytest.raises(NodeError, match=r"No space left on device\. Nothing was sent"):
                await unlucky.task
            assert set(sent) <= stored(unlucky.node)
            assert unlucky.node.table is not None
            place = unlucky.node.table.history.current.place
            await unlucky.close()
            again = (await room.resume("Caio")).node
            await until(lambda: len(drawn) == 4)
            assert drawn[3] == drawn[2]
            assert again.table is not None
            assert again.table.history.current.place >= place
            assert again.table.hand is not None
            assert again.table.hand.number == 1

    run(work)


def test_bot__a_disk_quota_that_runs_out_ends_it_with_a_sentence(tmp_path: Path) -> None:
    opener = host(tmp_path, "--seats", "3", "--hands", "1", hold=(1, 0))
    with together(opener):
        where = address_of(opener)
        budi = bot(tmp_path, where, "Budi")
        caio = bot(tmp_path, where, "Caio")
        with together(budi, caio):
            opener.wait_held(1, 0)
            most = caio.log.stat().st_size + 20_000
            resource.prlimit(caio.process.pid, resource.RLIMIT_FSIZE, (most, most))
            opener.let_go()
            ended = caio.end()
            assert ended.code == 4
            assert ended.err.startswith("p2p-hearts: The log ")
            assert ended.err.count("\n") == 1
            assert "cannot be written: File too large. Nothing was sent" in ended.err
            assert list(read_log(caio.log))
            assert caio.log.stat().st_size <= most
            opener.wait_event("waiting", names=["Caio"])


def begins_anew(table: Table, method: str) -> None:
    """Let a call of a table follow the hand again, as where votes closed a round otherwise."""
    real = getattr(table, method)

    def again(*arguments: object) -> object:
        table.course._follow_again(table.course._at)
        return real(*arguments)

    setattr(table, method, again)


@pytest.mark.parametrize("method", ["receive", "tick", "choose_pass", "work"])
def test_node__a_secret_that_cannot_be_read_ends_it_with_a_sentence_wherever_it_is_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    async def work() -> None:
        async with Room(tmp_path, held=True) as room:
            *_, unlucky = await room.fill("Budi", "Caio")
            node = unlucky.node
            await until(lambda: node.table is not None and node.table.decision is not None)
            assert node.table is not None

            def unreadable(path: Path) -> bytes:
                raise cannot_read(path, OSError(errno.EIO, "Input/output error"))

            monkeypatch.setattr(secret_store, "_read", unreadable)
            begins_anew(node.table, method)
            sent, said = watch_sent(node), None
            if method == "choose_pass":
                said = node.choose_pass(EMPTY)
                assert said == node.choose_pass(EMPTY), "nor is anything decided any more"
            with pytest.raises(
                NodeError, match=r"Input/output error\. Nothing was sent\.$"
            ) as problem:
                await unlucky.task
            assert said in (None, str(problem.value))
            assert set(sent) <= stored(node)

    run(work)
