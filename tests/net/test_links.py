from __future__ import annotations

import asyncio
import logging
import os
import random
import signal
import sys
import time
from dataclasses import replace

import pytest
import zmq
import zmq.asyncio

from p2p_hearts.net import sockets
from p2p_hearts.net.buckets import Rate
from p2p_hearts.net.door import Door as CardDoor
from p2p_hearts.net.errors import NetError
from p2p_hearts.net.keys import CurveKeys
from p2p_hearts.net.links import Links
from p2p_hearts.net.terms import Door, LinkEventKind, Received
from p2p_hearts.net.zap import ENDPOINT, Knock, Verdict
from tests.net.helpers import (
    HOST,
    PATIENCE,
    QUICK,
    close,
    event,
    fetch_card,
    free_ports,
    needs_ipv6,
    new_context,
    open_links,
    open_tcp,
    raw_dealer,
    raw_socket,
    receive,
    run,
    seat,
    serving,
    until,
)


@pytest.mark.parametrize(
    "order", [(0, 1), (1, 0), (2, 0, 1), (0, 1, 2, 3), (3, 1, 0, 2), (2, 3, 1, 0)]
)
def test_links__find_each_other_in_any_start_order(order: tuple[int, ...]) -> None:
    async def scene() -> None:
        keys = [CurveKeys.generate() for _ in order]
        ports = free_ports(len(order))
        peers: dict[int, Links] = {}
        for me in order:
            peers[me] = links = await open_links(keys[me], table_port=ports[me])
            links.admit(key.public for key in keys)
            for other, key in enumerate(keys):
                if other != me:
                    links.connect(key.public, [(HOST, ports[other])])
                    assert links.send(key.public, b"from %d" % me)
            await asyncio.sleep(random.uniform(0, 0.1))
        for me, links in peers.items():
            heard = {await receive(links) for _ in range(len(order) - 1)}
            assert heard == {
                Received(key.public, b"from %d" % other, Door.TABLE)
                for other, key in enumerate(keys)
                if other != me
            }
        await close(*peers.values())

    run(scene())


def test_links__tell_up_and_down() -> None:
    async def scene() -> None:
        one, two = await open_links(), await open_links()
        seat(one, two)
        up = await event(one, lambda e: e.kind is LinkEventKind.UP)
        assert up.key == two.public_key
        assert one.is_up(two.public_key)
        await two.close()
        down = await event(one, lambda e: e.kind is LinkEventKind.DOWN)
        assert down.key == two.public_key
        assert f"{HOST}:{two.table_port}" in str(down.sentence)
        assert not one.is_up(two.public_key)
        await one.close()

    run(scene())


def test_links__a_wrong_curve_key_is_refused_and_named() -> None:
    async def scene() -> None:
        one, two = await open_links(), await open_links()
        wrong = CurveKeys.generate().public
        two.admit([one.public_key])
        one.connect(wrong, [(HOST, two.table_port)])
        one.send(wrong, b"secret")
        failed = await event(one, lambda e: e.kind is LinkEventKind.DIAL_FAILED)
        assert failed.key == wrong
        assert "does not hold the key" in str(failed.sentence)
        knock = await event(two, lambda e: e.kind is LinkEventKind.REFUSED)
        assert knock.key is None
        assert "key that is not this peer's" in str(knock.sentence)
        assert two.tally.received == 0
        await close(one, two)

    run(scene())


def test_links__keep_nothing_of_where_a_peer_was() -> None:
    async def scene() -> None:
        one = await open_links()
        key = CurveKeys.generate().public
        for port in free_ports(3):
            one.connect(key, [(HOST, port)])
            failed = await event(one, lambda e: e.kind is LinkEventKind.DIAL_FAILED)
            assert f"{HOST}:{port}" in str(failed.sentence)
            assert list(one.dialler.peers[key].complaints) == [f"{HOST}:{port}"]
        await close(one)

    run(scene())


def test_links__the_table_door_refuses_an_unlisted_key_until_it_is_admitted() -> None:
    async def scene() -> None:
        one, two = await open_links(), await open_links()
        one.connect(two.public_key, [(HOST, two.table_port)])
        one.send(two.public_key, b"let me in")
        failed = await event(one, lambda e: e.kind is LinkEventKind.DIAL_FAILED)
        assert "does not admit" in str(failed.sentence)
        knock = await event(two, lambda e: e.kind is LinkEventKind.REFUSED)
        assert knock.key == one.public_key
        assert two.tally.received == 0
        two.admit([one.public_key])
        assert await receive(two) == Received(one.public_key, b"let me in", Door.TABLE)
        await close(one, two)

    run(scene())


def test_links__a_key_no_longer_admitted_is_not_heard_on_a_standing_line() -> None:
    async def scene() -> None:
        one, two = await open_links(), await open_links()
        seat(one, two)
        one.send(two.public_key, b"first")
        await receive(two)
        two.admit([])
        one.send(two.public_key, b"second")
        await until(lambda: two.tally.not_admitted == 1)
        assert two.tally.received == 1
        await close(one, two)

    run(scene())


def test_links__the_lobby_takes_any_key_and_says_so() -> None:
    async def scene() -> None:
        one, two = await open_links(), await open_links()
        one.connect(two.public_key, [(HOST, two.lobby_port)])
        one.send(two.public_key, b"may I sit?")
        assert await receive(two) == Received(one.public_key, b"may I sit?", Door.LOBBY)
        await close(one, two)

    run(scene())


def test_links__nobody_comes_in_without_encryption() -> None:
    async def scene() -> None:
        links = await open_links()
        context = new_context()
        for port in (links.lobby_port, links.table_port):
            sock = raw_socket(context, zmq.DEALER)
            sock.connect(f"tcp://{HOST}:{port}")
            await sock.send(b"hello")
            knock = await event(links, lambda e: e.kind is LinkEventKind.REFUSED)
            assert knock.key is None
        assert links.tally.received == 0
        await links.close()

    run(scene())


def test_links__nobody_comes_in_while_there_is_no_zap_handler(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At either door a whole handshake's time goes by in vain; with a handler both come in."""

    async def kept_out(peer: Links) -> None:
        first = await event(peer, lambda e: True)
        assert first.kind is LinkEventKind.DIAL_FAILED

    async def scene() -> None:
        one, other = await open_links(), await open_links()
        with monkeypatch.context() as patch:
            patch.setattr(
                "p2p_hearts.net.links.bind_zap", lambda context: context.socket(zmq.ROUTER)
            )
            two = await open_links()
        two.admit([one.public_key, other.public_key])
        one.connect(two.public_key, [(HOST, two.lobby_port)])
        other.connect(two.public_key, [(HOST, two.table_port)])
        for peer in (one, other):
            peer.send(two.public_key, b"hello")
        await asyncio.gather(kept_out(one), kept_out(other))
        assert not one.is_up(two.public_key)
        assert not other.is_up(two.public_key)
        assert two.tally.received == 0
        two._sockets[0].bind(ENDPOINT)
        heard = {await receive(two), await receive(two)}
        assert heard == {
            Received(one.public_key, b"hello", Door.LOBBY),
            Received(other.public_key, b"hello", Door.TABLE),
        }
        await close(one, other, two)

    run(scene())


def test_links__the_zap_handler_survives_an_exception(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    decide = Links._decide
    failures = 2

    def flaky(self: Links, knock: Knock) -> Verdict:
        nonlocal failures
        if failures:
            failures -= 1
            raise RuntimeError("a bug in the decision")
        return decide(self, knock)

    async def scene() -> None:
        monkeypatch.setattr(Links, "_decide", flaky)
        one, two = await open_links(), await open_links()
        two.admit([one.public_key])
        one.connect(two.public_key, [(HOST, two.table_port)])
        failed = await event(one, lambda e: e.kind is LinkEventKind.DIAL_FAILED)
        assert "cannot let anybody in" in str(failed.sentence)
        one.send(two.public_key, b"after the bug")
        assert (await receive(two)).frame == b"after the bug"
        await close(one, two)

    with caplog.at_level(logging.CRITICAL):
        run(scene())


def test_links__the_zap_handler_survives_malformed_requests() -> None:
    async def scene() -> None:
        links = await open_links()
        zap = raw_socket(links.context, zmq.DEALER)
        zap.connect("inproc://zeromq.zap.01")
        for parts in (
            [b""],
            [b"", b"1.0"],
            [b"", b"1.0", b"7", b"table", b"\xff", b"", b"CURVE", b"k" * 31],
            [b"", b"1.0", b"8", b"\xff\xff", b"\xff", b"", b"CURVE", b"k" * 32],
            [b"", b"1.0", b"9", b"elsewhere", b"1.2.3.4", b"", b"CURVE", b"k" * 32],
            [b"", b"2.0", b"9", b"lobby", b"1.2.3.4", b"", b"CURVE", b"k" * 32],
            [b"", b"1.0", b"9", b"lobby", b"1.2.3.4", b"", b"NULL"],
        ):
            await zap.send_multipart(parts)
            if len(parts) > 3:
                reply = await asyncio.wait_for(zap.recv_multipart(), PATIENCE)
                assert reply[3] in (b"400", b"500")
        other = await open_links()
        seat(links, other)
        other.send(links.public_key, b"still here")
        assert (await receive(links)).frame == b"still here"
        zap.close()
        await close(links, other)

    logging.disable(logging.CRITICAL)
    try:
        run(scene())
    finally:
        logging.disable(logging.NOTSET)


def test_links__noise_at_every_port_loses_no_message() -> None:
    greeting = bytes.fromhex("ff00000000000000017f03014355525645") + bytes(47)
    noise = random.Random(7)

    async def throw(ports: list[int], stop: asyncio.Event) -> int:
        held = []
        thrown = 0
        while not stop.is_set():
            kind = noise.randrange(4)
            data = [
                noise.randbytes(noise.randrange(1, 400)),
                greeting[: noise.randrange(1, 64)],
                greeting + b"\x04\xc8\x05HELLO" + noise.randbytes(194),
                b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
            ][kind]
            held.append(await open_tcp(noise.choice(ports), data))
            thrown += 1
            if len(held) > 30:
                held.pop(0).close()
            await asyncio.sleep(0.001)
        for sock in held:
            sock.close()
        return thrown

    async def scene() -> None:
        one, two = await open_links(), await open_links()
        door = CardDoor(two.context, 0, lambda: b"card", HOST)
        seat(one, two)
        await until(lambda: one.is_up(two.public_key))
        stop = asyncio.Event()
        throwing = asyncio.create_task(throw([two.lobby_port, two.table_port, door.port], stop))
        sent = [b"%d" % number for number in range(600)]
        got = []
        for frame in sent:
            assert one.send(two.public_key, frame)
            received = await receive(two)
            assert received.key == one.public_key
            got.append(received.frame)
            await asyncio.sleep(0.001)
        stop.set()
        assert await throwing > 100
        assert got == sent
        assert two.tally.received == len(sent)
        assert one.tally.outbox_dropped == two.tally.over_rate == two.tally.wrong_parts == 0
        assert one.is_up(two.public_key)
        assert await fetch_card(one.context, HOST, door.port) == b"card"
        await door.close()
        await close(one, two)

    run(scene())


@pytest.mark.parametrize("at", [Door.LOBBY, Door.TABLE])
def test_links__huge_frames_and_messages_of_many_parts_are_dropped(at: Door) -> None:
    async def scene() -> None:
        one, two = await open_links(), await open_links()
        stranger = CurveKeys.generate()
        seat(one, two)
        two.admit([one.public_key, stranger.public])
        port = two.lobby_port if at is Door.LOBBY else two.table_port
        limits = QUICK.lobby if at is Door.LOBBY else QUICK.table
        context = new_context()
        raw = raw_dealer(context, stranger, two.public_key, port)
        await raw.send_multipart([b"x"] * 200)
        await raw.send_multipart([b"", b"x"])
        await raw.send(b"largest".ljust(limits.frame_bytes))
        assert (await receive(two)).frame.startswith(b"largest")
        assert two.tally.wrong_parts == 2
        await raw.send(b"huge".ljust(limits.frame_bytes + 1))
        await asyncio.sleep(0.2)
        one.send(two.public_key, b"unimpressed")
        assert await receive(two) == Received(one.public_key, b"unimpressed", Door.TABLE)
        assert two.tally.received == 2
        await close(one, two)

    run(scene())


async def impersonate(links: Links, keys: CurveKeys) -> zmq.asyncio.Socket:
    """Come in at the table door under a routing id that others have as well."""
    raw = raw_socket(new_context(), zmq.DEALER)
    raw.setsockopt(zmq.ROUTING_ID, b"the same")
    raw.curve_serverkey = links.public_key
    raw.curve_publickey, raw.curve_secretkey = keys.public, keys.secret
    monitor = sockets.watch(raw, zmq.EVENT_HANDSHAKE_SUCCEEDED)
    raw.connect(f"tcp://{HOST}:{links.table_port}")
    async with asyncio.timeout(PATIENCE):
        await sockets.next_monitor_event(monitor)
    raw.disable_monitor()
    monitor.close()
    return raw


def test_links__an_equal_routing_id_steals_nothing_from_a_line_that_stands() -> None:
    """Its owner is heard as before, and nobody under another one's key."""

    async def scene() -> None:
        links = await open_links()
        first, second = CurveKeys.generate(), CurveKeys.generate()
        links.admit([first.public, second.public])
        raw = await impersonate(links, first)
        await raw.send(b"0")
        assert await receive(links) == Received(first.public, b"0", Door.TABLE)
        other = await impersonate(links, second)
        for number in range(1, 20):
            await other.send(b"of the second")
            await raw.send(b"%d" % number)
            while (got := await receive(links)).key != first.public:
                assert got == Received(second.public, b"of the second", Door.TABLE)
            assert got.frame == b"%d" % number
        await links.close()

    run(scene())


def test_links__a_routing_id_is_anybodys_once_its_line_is_gone() -> None:
    async def scene() -> None:
        links = await open_links()
        first, second = CurveKeys.generate(), CurveKeys.generate()
        links.admit([first.public, second.public])
        raw = await impersonate(links, first)
        await raw.send(b"of the first")
        assert await receive(links) == Received(first.public, b"of the first", Door.TABLE)
        raw.close()
        reading = asyncio.create_task(receive(links))
        while not reading.done():  # ZeroMQ needs a moment to let go of it.
            other = await impersonate(links, second)
            await other.send(b"of the second")
            await asyncio.wait([reading], timeout=1)
            other.close()
        assert await reading == Received(second.public, b"of the second", Door.TABLE)
        await links.close()

    run(scene())


def test_links__a_slow_reader_does_not_block_send() -> None:
    async def scene() -> None:
        # A line that is shut for what waits on it stays so until the outbox is full, too.
        limits = replace(
            QUICK,
            table=replace(QUICK.table, inbox=8),
            outbox_frames=100,
            redial_first=3.0,
            redial_longest=3.0,
        )
        one, two = await open_links(limits=limits), await open_links(limits=limits)
        seat(one, two)
        await until(lambda: one.is_up(two.public_key))
        frame = bytes(50_000)
        results = [True]
        # One that blocks would do so for ever: nobody reads before all were sent.
        while len(results) < 5000 and any(results[-50:]):
            results.append(one.send(two.public_key, frame))
            await asyncio.sleep(0)
        assert not any(results[-50:])
        assert one.tally.outbox_dropped > 0
        reading = asyncio.create_task(read_until(two, b"the newest"))
        # What was on a line that was shut is lost: a table says again what matters, as this does.
        while not reading.done():
            one.send(two.public_key, b"the newest")
            await asyncio.sleep(0.05)
        await reading
        await close(one, two)

    run(scene())


async def read_until(links: Links, frame: bytes) -> None:
    """Receive frames up to one that says this."""
    while (await receive(links)).frame != frame:
        pass


def test_links__a_flood_in_the_lobby_does_not_delay_the_table() -> None:
    async def flood(sock: zmq.asyncio.Socket) -> None:
        while True:
            await sock.send(b"me, me, me")
            await asyncio.sleep(0)

    async def scene() -> None:
        one, two = await open_links(), await open_links()
        seat(one, two)
        await until(lambda: one.is_up(two.public_key))
        context = new_context()
        raw = raw_dealer(context, CurveKeys.generate(), two.public_key, two.lobby_port)
        frames = QUICK.lobby.frames
        start = time.perf_counter()
        flooding = asyncio.create_task(flood(raw))
        # It is read meanwhile: on a slow machine the inbox is full before the rate is exceeded.
        while two.tally.over_rate <= 5:
            assert (await receive(two)).door is Door.LOBBY
        for number in range(100):
            one.send(two.public_key, b"%d" % number)
            while (got := await receive(two)).door is Door.LOBBY:
                pass
            assert got.frame == b"%d" % number
        spent = time.perf_counter() - start
        lobby = two.tally.received - 100
        assert lobby <= frames.burst + frames.per_second * (spent + 1)
        flooding.cancel()
        await asyncio.gather(flooding, return_exceptions=True)
        await close(one, two)

    run(scene())


def test_links__rates_are_kept_for_each_sender_apart() -> None:
    async def scene() -> None:
        table = replace(QUICK.table, frames=Rate(0.001, 5))
        two = await open_links(limits=replace(QUICK, table=table))
        one, other = await open_links(), await open_links()
        seat(one, other, two)
        for number in range(50):
            one.send(two.public_key, b"%d" % number)
        await until(lambda: two.tally.over_rate == 45)
        other.send(two.public_key, b"mine")
        came = [await receive(two) for _ in range(two.tally.received)]
        assert [r.frame for r in came if r.key == one.public_key][:5] == [
            b"0",
            b"1",
            b"2",
            b"3",
            b"4",
        ]
        if not any(r.key == other.public_key for r in came):
            assert (await receive(two)).frame == b"mine"
        dropped = await event(two, lambda e: e.kind is LinkEventKind.DROPPED)
        assert dropped.key == one.public_key
        await close(one, other, two)

    run(scene())


CHILD = """
import asyncio, sys
from p2p_hearts.net.keys import CurveKeys
from p2p_hearts.net.links import Links

async def main(secret, port, key, other):
    links = await Links.open(
        CurveKeys.from_secret(secret.encode()), table_port=int(port), interface="127.0.0.1"
    )
    links.admit([key.encode()])
    links.connect(key.encode(), [("127.0.0.1", int(other))])
    while True:
        got = await links.receive()
        links.send(got.key, b"echo " + got.frame)

asyncio.run(main(*sys.argv[1:]))
"""


def test_links__a_peer_killed_and_started_again_is_reconnected() -> None:
    async def start(keys: CurveKeys, port: int, links: Links) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            CHILD,
            keys.secret.decode(),
            str(port),
            links.public_key.decode(),
            str(links.table_port),
            env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        )

    async def scene() -> None:
        links = await open_links()
        keys = CurveKeys.generate()
        (port,) = free_ports(1)
        links.admit([keys.public])
        links.connect(keys.public, [(HOST, port)])
        child = await start(keys, port, links)
        try:
            for generation in range(2):
                await event(links, lambda e: e.kind is LinkEventKind.UP)
                links.send(keys.public, b"life %d" % generation)
                assert (await receive(links)).frame == b"echo life %d" % generation
                child.send_signal(signal.SIGKILL)
                await child.wait()
                await event(links, lambda e: e.kind is LinkEventKind.DOWN)
                child = await start(keys, port, links)
            # The first frame after a return arrives, too: it waited for the new line.
            links.send(keys.public, b"first")
            assert (await receive(links)).frame == b"echo first"
        finally:
            child.kill()
            await child.wait()
            await links.close()

    run(scene())


def test_links__a_silent_cable_is_noticed_and_dialled_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A proxy plays the cable: pulled, it keeps its connections and moves no byte."""
    monkeypatch.setattr(sockets, "HEARTBEAT_MS", 100)
    monkeypatch.setattr(sockets, "HEARTBEAT_TIMEOUT_MS", 300)

    async def arrives(one: Links, two: Links, frame: bytes) -> None:
        """Say it until it is heard: on a busy machine a line may fall silent at any moment."""
        reading = asyncio.create_task(read_until(two, frame))
        while not reading.done():
            one.send(two.public_key, frame)
            await asyncio.sleep(0.05)
        await reading

    async def scene() -> None:
        one, two = await open_links(), await open_links()
        plugged = asyncio.Event()
        plugged.set()

        async def carry(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
            try:
                while data := await source.read(65536):
                    await plugged.wait()
                    sink.write(data)
                    await sink.drain()
            except OSError:
                pass
            sink.close()

        async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            there, back = await asyncio.open_connection(HOST, two.table_port)
            try:
                await asyncio.gather(carry(reader, back), carry(there, writer))
            finally:
                back.close()

        two.admit([one.public_key])
        async with serving(relay) as cable:
            one.connect(two.public_key, [(HOST, cable)])
            await arrives(one, two, b"before")
            plugged.clear()
            # No event: the line may have been down for a moment before.
            await until(lambda: not one.is_up(two.public_key))
            plugged.set()
            await arrives(one, two, b"after")
            await close(one, two)

    run(scene())


def test_links__the_first_of_many_addresses_that_proves_the_key_is_kept() -> None:
    async def scene() -> None:
        one, two, impostor = await open_links(), await open_links(), await open_links()
        impostor.admit([one.public_key])
        two.admit([one.public_key])
        (closed,) = free_ports(1)
        one.connect(
            two.public_key,
            [
                ("192.0.2.77", 9),
                (HOST, closed),
                (HOST, impostor.table_port),
                (HOST, two.table_port),
            ],
        )
        one.send(two.public_key, b"found you")
        assert await receive(two) == Received(one.public_key, b"found you", Door.TABLE)
        assert impostor.tally.received == 0
        await close(one, two, impostor)

    run(scene())


def test_links__new_addresses_move_the_line_and_old_ones_keep_it() -> None:
    async def scene() -> None:
        one, two = await open_links(), await open_links()
        two.admit([one.public_key])
        one.connect(two.public_key, [(HOST, two.lobby_port)])
        one.send(two.public_key, b"to the lobby")
        assert (await receive(two)).door is Door.LOBBY
        one.connect(two.public_key, [(HOST, two.table_port)])
        one.send(two.public_key, b"to the table")
        assert await receive(two) == Received(one.public_key, b"to the table", Door.TABLE)
        while one._events:
            await one.next_event()
        one.connect(two.public_key, [("::1", 9), (HOST, two.table_port)])
        one.send(two.public_key, b"still here")
        assert (await receive(two)).frame == b"still here"
        assert not one._events
        await close(one, two)

    run(scene())


def test_links__hang_up_on_a_disconnected_peer_and_do_not_return() -> None:
    """Whatever dialled it has ended; what is told next is of somebody else."""

    async def scene() -> None:
        one, two, three = await open_links(), await open_links(), await open_links()
        idle = len(one._tasks)
        seat(one, two)
        await event(one, lambda e: e.kind is LinkEventKind.UP)
        assert len(one._tasks) == idle + 1
        one.disconnect(two.public_key)
        one.disconnect(two.public_key)
        await event(one, lambda e: e.kind is LinkEventKind.DOWN)
        assert not one.send(two.public_key, b"gone")
        await until(lambda: len(one._tasks) == idle)
        assert one.peers == ()
        three.admit([one.public_key])
        one.connect(three.public_key, [(HOST, three.table_port)])
        up = await event(one, lambda e: True)
        assert (up.kind, up.key) == (LinkEventKind.UP, three.public_key)
        await close(one, two, three)

    run(scene())


@needs_ipv6
def test_links__speak_over_ipv6() -> None:
    async def scene() -> None:
        one = await Links.open(CurveKeys.generate(), limits=QUICK)
        two = await Links.open(CurveKeys.generate(), interface="::1", limits=QUICK)
        two.admit([one.public_key])
        one.admit([two.public_key])
        one.connect(two.public_key, [("::1", two.table_port)])
        two.connect(one.public_key, [("::1", one.table_port), (HOST, one.table_port)])
        one.send(two.public_key, b"six")
        two.send(one.public_key, b"six, too")
        assert (await receive(two)).frame == b"six"
        assert (await receive(one)).frame == b"six, too"
        await close(one, two)

    run(scene())


BOUNDED = 10.0
"""Seconds for what takes at most one on an idle machine and, without its bound, for ever."""


def test_links__close_within_a_second_whatever_is_queued() -> None:
    async def scene() -> None:
        limits = replace(QUICK, table=replace(QUICK.table, inbox=4))
        one, two = await open_links(), await open_links(limits=limits)
        seat(one, two)
        nobody = CurveKeys.generate().public
        one.connect(nobody, [(HOST, free_ports(1)[0]), ("192.0.2.77", 9), ("2001:db8::1", 9)])
        await until(lambda: one.is_up(two.public_key))
        for _ in range(300):
            one.send(nobody, bytes(10_000))
            one.send(two.public_key, bytes(100_000))
        await asyncio.sleep(0.2)
        for peer in (one, two):
            start = time.perf_counter()
            await peer.close()
            await peer.close()
            assert time.perf_counter() - start < BOUNDED

    run(scene())


def test_links__last_words_leave_before_the_close() -> None:
    async def scene() -> None:
        one, two = await open_links(), await open_links()
        seat(one, two)
        await until(lambda: one.is_up(two.public_key))
        for number in range(50):
            one.send(two.public_key, b"%d" % number)
        await one.close()
        assert [(await receive(two)).frame for _ in range(50)] == [b"%d" % n for n in range(50)]
        await two.close()

    run(scene())


def test_links__closed_links_say_so() -> None:
    async def scene() -> None:
        links = await open_links()
        waiting = [
            asyncio.create_task(links.receive()),
            asyncio.create_task(links.next_event()),
        ]
        await asyncio.sleep(0)
        await links.close()
        for result in await asyncio.gather(*waiting, return_exceptions=True):
            assert isinstance(result, NetError)
        with pytest.raises(NetError):
            links.send(links.public_key, b"")

    run(scene())


def test_links__a_taken_port_says_what_to_do() -> None:
    async def scene() -> None:
        one = await open_links()
        with pytest.raises(NetError, match=r"already taken.*--port"):
            await open_links(table_port=one.table_port)
        with pytest.raises(NetError, match="no network interface nowhere0"):
            await Links.open(CurveKeys.generate(), interface="nowhere0")
        await one.close()

    run(scene())


def test_links__wrong_use_is_an_error_at_once() -> None:
    async def scene() -> None:
        links = await open_links()
        key = CurveKeys.generate().public
        for addresses in (
            [],
            [("example.org", 7)],
            [("127.0.0.1;tcp://evil", 7)],
            [(HOST, 0)],
            [(HOST, 65536)],
            [("0.0.0.0", 7)],
            [("224.0.0.1", 7)],
            [(HOST, port) for port in range(1, 18)],
        ):
            with pytest.raises(ValueError, match=r"address|port"):
                links.connect(key, addresses)
        for wrong in (b"", b"short", key[:-1] + b"\x00", b"~" * 40, b"#" * 40):
            with pytest.raises(ValueError, match="Z85"):
                links.connect(wrong, [(HOST, 7)])
            with pytest.raises(ValueError, match="Z85"):
                links.admit([wrong])
        with pytest.raises(ValueError, match="itself"):
            links.connect(links.public_key, [(HOST, 7)])
        with pytest.raises(ValueError, match="at most"):
            links.send(key, bytes(QUICK.table.frame_bytes + 1))
        assert not links.send(key, b"to nobody")
        await links.close()

    run(scene())


def test_links__events_of_strangers_are_bounded() -> None:
    async def scene() -> None:
        keys = [CurveKeys.generate().public for _ in range(200)]
        start = time.monotonic()
        links = await open_links()
        for key in keys:
            links._decide(Knock("table", "10.0.0.1", key))
        assert links.tally.knocks_refused == 200
        assert len(links._events) <= 40 + 2 * (time.monotonic() - start)
        await links.close()

    run(scene())


def test_links__handshakes_in_the_lobby_are_limited_per_address() -> None:
    async def scene() -> None:
        links = await open_links()
        key = CurveKeys.generate().public
        start = time.monotonic()
        verdicts = [links._decide(Knock("lobby", "10.0.0.1", key)) for _ in range(150)]
        assert verdicts[0] is Verdict.ADMIT
        rate, spent = QUICK.handshakes, time.monotonic() - start
        assert verdicts.count(Verdict.ADMIT) <= rate.burst + rate.per_second * spent + 1
        assert {*verdicts} <= {Verdict.ADMIT, Verdict.NOT_NOW}
        assert links._decide(Knock("lobby", "10.0.0.2", key)) is Verdict.ADMIT
        assert links._decide(Knock("cellar", "10.0.0.2", key)) is Verdict.REFUSE
        await links.close()

    run(scene())
