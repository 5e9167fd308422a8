"""No line makes a process hold more than its share: endless messages, crowds, silence."""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import zmq

from p2p_hearts.net import guard as watch
from p2p_hearts.net.door import Door as CardDoor
from p2p_hearts.net.guard import Guard, LineLimits
from p2p_hearts.net.keys import CurveKeys
from p2p_hearts.net.links import Links
from p2p_hearts.net.sockets import prepare
from p2p_hearts.net.terms import Door, DoorLimits, Limits, Received
from tests.net.helpers import (
    HOST,
    PATIENCE,
    QUICK,
    close,
    new_context,
    open_links,
    open_tcp,
    raw_dealer,
    receive,
    run,
    seat,
    until,
)


def tight(limits: Limits, **values: Any) -> Limits:
    """Limit the lines of both doors like this."""

    def change(door: DoorLimits) -> DoorLimits:
        return replace(door, lines=replace(door.lines, **values))

    return replace(limits, lobby=change(limits.lobby), table=change(limits.table))


def shut(links: Links, door: Door) -> int:
    return links.lines(door)[1]


@pytest.mark.parametrize("at", [Door.LOBBY, Door.TABLE])
def test_guard__a_message_of_endless_parts_is_cut_off_and_nobody_else_notices(at: Door) -> None:
    async def scene() -> None:
        limits = tight(QUICK, pending=1024 * 1024)
        one, two = await open_links(limits=limits), await open_links(limits=limits)
        liar = CurveKeys.generate()
        seat(one, two)
        two.admit([one.public_key, liar.public])
        await until(lambda: one.is_up(two.public_key))
        port = two.lobby_port if at is Door.LOBBY else two.table_port
        raw = raw_dealer(new_context(), liar, two.public_key, port)
        await raw.send(b"harmless")
        assert (await receive(two)).frame == b"harmless"
        # ZeroMQ sends no part before the last one is there, so the end of this one is far away.
        await raw.send_multipart([bytes(4096)] * 8000)
        await until(lambda: shut(two, at) > 0)
        for number in range(20):
            one.send(two.public_key, b"%d" % number)
            assert await receive(two) == Received(one.public_key, b"%d" % number, Door.TABLE)
        assert two.tally.wrong_parts == 0, "the message came through in the end"
        assert one.is_up(two.public_key)
        await close(one, two)

    run(scene())


def test_guard__an_honest_line_is_never_shut_however_much_it_sends() -> None:
    async def scene() -> None:
        limits = tight(QUICK, pending=2 * 1024 * 1024)
        one, two = await open_links(limits=limits), await open_links(limits=limits)
        seat(one, two)
        await until(lambda: one.is_up(two.public_key))
        frame = bytes(QUICK.table.frame_bytes)
        for _ in range(40):
            one.send(two.public_key, frame)
            assert len((await receive(two)).frame) == len(frame)
        assert (shut(two, Door.TABLE), one.tally.outbox_dropped) == (0, 0)
        assert one.is_up(two.public_key)
        await close(one, two)

    run(scene())


@pytest.mark.parametrize("at", Door)
def test_guard__an_honest_line_is_never_shut_while_we_are_busy(at: Door) -> None:
    """It may have said as much as the guard lets wait, and more than a player has to say."""

    async def scene() -> None:
        two = await open_links()
        limits = QUICK.lobby if at is Door.LOBBY else QUICK.table
        keys = CurveKeys.generate()
        two.admit([keys.public])
        port = two.lobby_port if at is Door.LOBBY else two.table_port
        raw = raw_dealer(new_context(), keys, two.public_key, port)
        count = limits.lines.pending // (limits.frame_bytes + 100)
        frames = [bytes([n]) * limits.frame_bytes for n in range(count)]
        await raw.send(frames[0])
        assert (await receive(two)).frame == frames[0]
        for frame in frames[1:]:
            await raw.send(frame)
        time.sleep(0.3)  # As a proof does: nobody reads, and the guard looks.
        for frame in frames[1:]:
            assert (await receive(two)).frame == frame
        assert shut(two, at) == 0
        await close(two)

    run(scene())


def test_guard__whole_messages_that_nobody_takes_are_cut_off_where_no_queue_bounds_them() -> None:
    async def scene() -> None:
        two = await open_links()
        keys = CurveKeys.generate()
        raw = raw_dealer(new_context(), keys, two.public_key, two.lobby_port)
        size, limits = 1024, QUICK.lobby
        await raw.send(b"harmless")
        assert (await receive(two)).frame == b"harmless"
        for _ in range(4 * limits.lines.pending // size):
            await raw.send(bytes(size))
        # The loop stands still, as in a proof: nobody takes anything before the guard has looked.
        end = time.monotonic() + PATIENCE
        while not shut(two, Door.LOBBY):
            assert time.monotonic() < end
            time.sleep(0.005)
        raw.close()
        await until(lambda: two.lines(Door.LOBBY)[0] == 0)
        assert two.tally.received * size < 2 * limits.lines.pending
        await close(two)

    run(scene())


def test_guard__a_crowd_at_a_door_gives_way_and_players_stay() -> None:
    async def scene() -> None:
        limits = tight(QUICK, lines=6)
        one, two = await open_links(limits=limits), await open_links(limits=limits)
        seat(one, two)
        await until(lambda: one.is_up(two.public_key))
        one.send(two.public_key, b"here")
        await receive(two)
        crowd = [await open_tcp(two.table_port, b"\xff\0\0\0") for _ in range(40)]
        await until(lambda: shut(two, Door.TABLE) >= 34)
        assert two.lines(Door.TABLE)[0] <= 6
        one.send(two.public_key, b"still here")
        assert (await receive(two)).frame == b"still here"
        three = await open_links(limits=limits)
        two.admit([one.public_key, three.public_key])
        three.connect(two.public_key, [(HOST, two.table_port)])
        three.send(two.public_key, b"let in all the same")
        assert (await receive(two)).frame == b"let in all the same"
        for line in crowd:
            line.close()
        await close(one, two, three)

    run(scene())


def test_guard__who_has_just_spoken_for_the_first_time_does_not_give_way_to_a_crowd(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The crowd comes before the next look, which on a busy machine may be far away."""

    async def scene() -> None:
        limits = tight(QUICK, lines=6)
        one, two = await open_links(limits=limits), await open_links(limits=limits)
        monkeypatch.setattr(two._guards[Door.TABLE], "_look", lambda now: None)
        seat(one, two)
        one.send(two.public_key, b"here")
        await receive(two)
        crowd = [await open_tcp(two.table_port, b"\xff\0\0\0") for _ in range(40)]
        await until(lambda: shut(two, Door.TABLE) >= 34)
        one.send(two.public_key, b"still here")
        assert (await receive(two, 20)).frame == b"still here"
        for line in crowd:
            line.close()
        await close(one, two)

    run(scene())


def test_guard__a_silent_line_is_shut() -> None:
    async def scene() -> None:
        limits = tight(QUICK, silent=0.3)
        links = await open_links(limits=limits)
        stranger = CurveKeys.generate()
        raw = raw_dealer(new_context(), stranger, links.public_key, links.lobby_port)
        await raw.send(b"hello")
        await receive(links)
        # It dials again once it was shut, and may have done so by now.
        await until(lambda: sum(links.lines(Door.LOBBY)) >= 1)
        await until(lambda: shut(links, Door.LOBBY) >= 1)

    run(scene())


def test_guard__touches_no_descriptor_that_became_something_else() -> None:
    """What ZeroMQ closed may be a log or a line of another door a moment later."""

    async def scene() -> None:
        context = new_context()
        sock = context.socket(zmq.ROUTER)
        guard = Guard(sock, LineLimits(lines=1, pending=1))
        prepare(sock, frame_bytes=100, queue=1)
        guard.port = sock.bind_to_random_port(f"tcp://{HOST}")
        server = socket.create_server((HOST, 0))
        other = await open_tcp(server.getsockname()[1], b"")
        with Path("/dev/null").open() as file:
            for descriptor in (file.fileno(), other.fileno(), 9999):
                guard._accepted(descriptor, 0.0)
                guard._look(1e9)
                assert guard.lines == 0
            file.read()
        assert guard.shut >= 3
        await asyncio.get_running_loop().sock_sendall(other, b"it still stands")
        other.close()
        server.close()
        sock.close(linger=0)
        await guard.ended()

    run(scene())


def failing(monkeypatch: pytest.MonkeyPatch, of: object, name: str, times: float) -> list[None]:
    """Let a function fail so many times; return what grows with each of them."""
    works, failed = getattr(of, name), list[None]()

    def fail(*values: object) -> object:
        if len(failed) < times:
            failed.append(None)
            raise MemoryError
        return works(*values)

    monkeypatch.setattr(of, name, fail)
    return failed


async def is_shut(line: socket.socket) -> None:
    """Wait until the other end has hung up on a line."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(PATIENCE):
        try:
            while await loop.sock_recv(line, 4096):
                pass
        except ConnectionError:
            pass
    line.close()


async def is_closed(port: int) -> None:
    """Knock until nobody listens any more; no line that was taken meanwhile may stay."""
    async with asyncio.timeout(PATIENCE):
        while True:
            line = socket.socket()
            line.setblocking(False)
            try:
                await asyncio.get_running_loop().sock_connect(line, (HOST, port))
            except ConnectionError:
                line.close()
                return
            await is_shut(line)


def test_guard__a_watch_that_fails_goes_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """And bounds what comes, as before: an error must not leave a door open without it."""

    async def scene() -> None:
        limits = tight(QUICK, lines=6)
        one, two = await open_links(limits=limits), await open_links(limits=limits)
        failed = failing(monkeypatch, watch, "_received", watch.FAILURES - 1)
        crowd = [await open_tcp(two.table_port, b"\xff\0\0\0") for _ in range(40)]
        await until(lambda: shut(two, Door.TABLE) >= 34)
        assert two.lines(Door.TABLE)[0] <= 6
        await until(lambda: len(failed) == watch.FAILURES - 1)
        seat(one, two)
        one.send(two.public_key, b"still open")
        assert (await receive(two)).frame == b"still open"
        for line in crowd:
            line.close()
        await close(one, two)

    with caplog.at_level(logging.CRITICAL):
        run(scene())


def test_guard__a_line_that_could_not_be_noted_is_shut(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody would ever look at it."""

    async def scene() -> None:
        links = await open_links()
        failing(monkeypatch, links._guards[Door.LOBBY], "_accepted", 1)
        await is_shut(await open_tcp(links.lobby_port, b"\xff\0\0\0"))
        line = await open_tcp(links.lobby_port, b"\xff\0\0\0")
        await until(lambda: links.lines(Door.LOBBY)[0] == 1)
        line.close()
        await close(links)

    with caplog.at_level(logging.CRITICAL):
        run(scene())


@pytest.mark.parametrize("part", ["_look", "_take_events"])
@pytest.mark.parametrize("at", Door)
def test_guard__nobody_comes_in_where_nobody_watches(
    at: Door, part: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A watch that fails again and again closes its door, and hangs up on who is in."""

    async def scene() -> None:
        one, two = await open_links(), await open_links()
        two.admit([one.public_key])
        port = two.lobby_port if at is Door.LOBBY else two.table_port
        other = two.table_port if at is Door.LOBBY else two.lobby_port
        one.connect(two.public_key, [(HOST, port)])
        one.send(two.public_key, b"here")
        assert (await receive(two)).door is at
        failing(monkeypatch, two._guards[at], part, watch.FAILURES)
        await is_closed(port)
        await until(lambda: not one.is_up(two.public_key))
        one.connect(two.public_key, [(HOST, port), (HOST, other)])
        one.send(two.public_key, b"by the other door")
        assert (await receive(two)).door is not at
        await close(one, two)

    with caplog.at_level(logging.CRITICAL):
        run(scene())


def test_guard__a_card_door_that_nobody_watches_is_closed(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene() -> None:
        door = CardDoor(new_context(), 0, lambda: b"card", HOST)
        failing(monkeypatch, door._guard, "_look", watch.FAILURES)
        await is_closed(door.port)
        await until(door._task.done)
        await door.close()

    with caplog.at_level(logging.CRITICAL):
        run(scene())
