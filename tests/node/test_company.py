"""What a watcher may cost a seat: one answer for an ask, and its own place."""

from __future__ import annotations

from functools import cache
from typing import cast

from msgspec import structs

from p2p_hearts.net.links import Links
from p2p_hearts.node.company import ASKED_SECONDS, ASKS, LATE_ASKS, STRIKES, Company
from p2p_hearts.node.places import Places
from p2p_hearts.node.terms import TAG_GALLERY, TAG_NEWS, TAG_TABLE, TAG_WHERE, Where
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table.lobby import Gate
from p2p_hearts.table.watching import make_ask, watch_table
from p2p_hearts.wire.codec import decode, encode
from p2p_hearts.wire.lobby import Join, News, Whereabouts
from p2p_hearts.wire.messages import Frame
from tests.table.sim import Sim
from tests.table.test_gallery import PEOPLE, curve, onlooker

RULES = RuleSet(seats=3, hands=1)


@cache
def a_table(rules: RuleSet) -> Sim:
    """A table in the middle of a hand; what is served of it changes nothing of it."""
    sim = Sim(rules)
    sim.run(lambda: len(sim.tables[0].history.rounds) > 8)
    return sim


class Wires:
    """Stands where a seat's links would be: keeps what is sent, moves nothing."""

    def __init__(self) -> None:
        self.public_key = b"s" * 40
        self.lobby_port, self.table_port = 7001, 7002
        self.sent: list[tuple[bytes, bytes]] = []
        self.dialled: set[bytes] = set()
        self.heap: dict[bytes, int] = {}

    def send(self, key: bytes, frame: bytes) -> bool:
        self.sent.append((key, frame))
        return True

    def connect(self, key: bytes, addresses: object) -> None:
        self.dialled.add(key)

    def disconnect(self, key: bytes) -> None:
        self.dialled.discard(key)

    def waiting(self, key: bytes) -> int:
        return self.heap.get(key, 0)


class Seat:
    """The founder's company at a table in the middle of a hand, and one watcher."""

    def __init__(self, rules: RuleSet = RULES) -> None:
        self.sim = a_table(rules)
        self.wires, founder = Wires(), self.sim.identities[0]
        links = cast(Links, self.wires)
        self.company = Company(
            founder,
            self.sim.roster.instance,
            founder.public,
            rules,
            links,
            Places(links, Where(None, ("127.0.0.1",))),
            Gate(""),
        )
        self.now = 0.0
        self.table = watch_table(PEOPLE[0], self.sim.roster)

    def enters(self, number: int = 0) -> None:
        self.now += 5.0
        hello = onlooker(number, instance=self.sim.roster.instance)
        self.company.wants_in(
            curve(number), encode(Join(hello, "", False, True)), self.now, self.news
        )

    def news(self, refused: str) -> News:
        return News(self.sim.roster.instance, refused, [], [], b"")

    def asks(self, body: bytes | None = None, number: int = 0) -> list[bytes]:
        """One ask; returns the answers."""
        self.now += 1.0
        self.wires.sent.clear()
        table = self.sim.tables[0]
        self.company.take_ask(curve(number), body or make_ask(self.table), self.now, table)
        self.company.answer(table)
        return [frame for key, frame in self.wires.sent if key == curve(number)]


def test_company__lets_in_dials_and_tells_the_door() -> None:
    seat = Seat()
    seat.company.sit(seat.sim.roster)
    seat.enters()
    assert seat.wires.dialled == {curve(0)}
    kinds = {(key, frame[:1]) for key, frame in seat.wires.sent}
    seats = {entry.curve for entry in seat.sim.roster.entries}
    assert kinds == {(curve(0), TAG_NEWS), *((key, TAG_GALLERY) for key in seats)}
    seat.wires.sent.clear()
    seat.company.greet(curve(0))
    ((_, frame),) = seat.wires.sent
    assert frame[:1] == TAG_WHERE
    assert decode(frame[1:], Whereabouts).places == [(b"s" * 40, [("127.0.0.1", 7001)])]


def test_company__answers_an_ask_with_one_frame_of_the_history() -> None:
    seat = Seat()
    assert seat.asks() == [], "a stranger gets nothing"
    seat.enters()
    (answer,) = seat.asks()
    assert answer[:1] == TAG_TABLE
    frame = decode(answer[1:], Frame)
    assert frame.beat is not None
    assert set(frame.envelopes) <= set(seat.sim.logs[0])
    assert len(answer) < 64 * 1024


def test_company__answers_no_more_asks_than_its_budget() -> None:
    seat = Seat()
    seat.enters()
    table, body = seat.sim.tables[0], make_ask(seat.table)
    seat.wires.sent.clear()
    for _ in range(100):
        seat.company.take_ask(curve(0), body, seat.now, table)
        seat.company.answer(table)
    assert len(seat.wires.sent) == ASKS.burst


def test_company__shuts_out_a_watcher_that_sends_what_only_seats_may() -> None:
    seat = Seat()
    seat.enters()
    words = encode(Frame(seat.sim.roster.hash, seat.sim.logs[1][:1], None))
    for body in [words, b"noise"] * (STRIKES // 2 - 1):
        assert seat.asks(body) == []
    assert seat.asks(), "so far it is served"
    seat.company.take_noise(curve(0))
    seat.company.take_noise(curve(0))
    assert seat.asks() == []
    assert not seat.wires.dialled
    seat.company.tick(seat.now + 5)
    assert not seat.company.watchers
    seat.now += 10
    seat.enters()
    assert not seat.company.watchers, "not under these keys"


def test_company__shuts_out_a_watcher_that_does_not_read() -> None:
    seat = Seat()
    seat.enters()
    seat.wires.heap[curve(0)] = 1
    for _ in range(LATE_ASKS - 1):
        assert seat.asks() == [], "nothing more is put on the heap"
    seat.wires.heap.clear()
    assert seat.asks()
    seat.wires.heap[curve(0)] = 1
    for _ in range(LATE_ASKS):
        seat.asks()
    assert not seat.wires.dialled


def test_company__is_asked_as_long_as_somebody_lacks_the_end() -> None:
    seat = Seat()
    seat.enters()
    assert not seat.company.is_asked(seat.now)
    seat.asks()
    assert seat.company.is_asked(seat.now)
    assert not seat.company.is_asked(seat.now + ASKED_SECONDS)
    beat = structs.replace(seat.table.beat(), finished=True)
    seat.asks(encode(Frame(seat.sim.roster.hash, [], beat)))
    assert not seat.company.is_asked(seat.now)


def test_company__at_the_end_stays_for_whoever_watches_and_has_asked_another_seat() -> None:
    seat = Seat()
    seat.company.wait_for_all(seat.now)
    assert not seat.company.is_asked(seat.now), "nobody watches"
    seat.enters()
    seat.company.wait_for_all(seat.now)
    assert seat.company.is_asked(seat.now)
    assert not seat.company.is_asked(seat.now + ASKED_SECONDS)
    beat = structs.replace(seat.table.beat(), finished=True)
    seat.asks(encode(Frame(seat.sim.roster.hash, [], beat)))
    assert not seat.company.is_asked(seat.now)


def test_company__hangs_up_on_who_left() -> None:
    seat = Seat()
    seat.enters()
    seat.now += 60
    seat.company.tick(seat.now)
    assert not seat.wires.dialled
    assert seat.asks() == []
