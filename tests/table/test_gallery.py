"""Who watches: the founder's list, and what a seat believes of it."""

from __future__ import annotations

from msgspec.structs import replace

from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table.gallery import CHANGE_SECONDS, WATCHER_SECONDS, Desk, WatchList
from p2p_hearts.table.lobby import WRONG_CODES, Gate
from p2p_hearts.wire.codec import encode
from p2p_hearts.wire.envelope import Identity
from p2p_hearts.wire.lobby import Gallery, Join, Onlooker, sign_lobby
from p2p_hearts.wire.messages import VERSION
from tests.table.sim import make_identities, seeded

FOUNDER, *PEOPLE = make_identities(10, "gallery")
INSTANCE = seeded("instance")
RULES = RuleSet(watchers=2)
SEATED = {FOUNDER.public, b"f" * 40}


def curve(number: int) -> bytes:
    return f"{number + 50:040d}".encode()


def onlooker(number: int, who: Identity | None = None, **changes: object) -> bytes:
    who = who or PEOPLE[number]
    said = Onlooker(VERSION, INSTANCE, who.public, curve(number), "W", [("127.0.0.1", 9)])
    return sign_lobby(who, replace(said, **changes))


def gallery(
    number: int, watchers: list[bytes], who: Identity = FOUNDER, **changes: object
) -> bytes:
    said = Gallery(VERSION, INSTANCE, who.public, number, watchers)
    return sign_lobby(who, replace(said, **changes))


def forged(data: bytes) -> bytes:
    return data[:-1] + bytes([data[-1] ^ 1])


class Room:
    """A founder's desk, and the time."""

    def __init__(self, gate: Gate = Gate(""), rules: RuleSet = RULES) -> None:  # noqa: B008
        self.desk = Desk(FOUNDER, INSTANCE, rules, gate)
        self.now = 0.0

    def asks(self, number: int, code: str = "", leaving: bool = False) -> str | None:
        """Return why not, "" if let in, None without an answer; a second passes."""
        self.now += CHANGE_SECONDS
        join = encode(Join(onlooker(number), code, leaving, True))
        answer = self.desk.receive(curve(number), join, self.now, SEATED)
        return None if answer is None else answer[1]

    @property
    def watching(self) -> list[bytes]:
        return [item.identity for item in self.desk.list.watchers]


def test_desk__lets_in_as_many_as_the_rules_allow() -> None:
    room = Room()
    assert [room.asks(number) for number in range(2)] == ["", ""]
    assert "as many people" in (room.asks(2) or "")
    assert room.asks(0) == "", "who is in is answered again"
    assert room.asks(1, leaving=True) is None
    assert room.asks(2) == ""
    assert room.watching == [PEOPLE[0].public, PEOPLE[2].public]
    assert room.desk.list.number == 4


def test_desk__of_a_table_that_nobody_may_watch_lets_nobody_in() -> None:
    room = Room(rules=RuleSet(watchers=0))
    assert room.asks(0) == "nobody may watch this table"
    assert not room.watching


def test_desk__asks_for_the_join_code_and_counts_wrong_ones_with_those_of_guests() -> None:
    gate = Gate("ABCD")
    room = Room(gate)
    assert "wrong" in (room.asks(0, "AAAA") or "")
    for _ in range(WRONG_CODES - 1):
        gate.refusal("BBBB")
    assert "closed after five" in (room.asks(0, "ABCD") or "")
    assert not room.watching


def test_desk__of_a_founder_that_came_back_lets_new_ones_in_and_keeps_who_is_there() -> None:
    rules = RuleSet(watchers=3)
    before, room = Room(rules=rules), Room(rules=rules)
    assert before.asks(0) == ""
    assert before.asks(1) == ""
    # Before a seat has brought the old list it signs one of its own; the old one has more changes.
    assert room.asks(2) == ""
    assert room.desk.list.adopt(before.desk.list.data)
    room.desk.tick(room.now + WATCHER_SECONDS / 2, SEATED)
    assert room.watching == [PEOPLE[0].public, PEOPLE[1].public]
    assert room.asks(2) == ""
    assert room.watching == [person.public for person in PEOPLE[:3]]


def test_desk__lets_go_of_who_is_silent_who_sat_down_and_who_was_shut_out() -> None:
    room = Room()
    room.asks(0)
    room.asks(1)
    room.desk.tick(room.now + CHANGE_SECONDS, {*SEATED, PEOPLE[1].public})
    assert room.watching == [PEOPLE[0].public]
    room.desk.tick(room.now + WATCHER_SECONDS + 1, SEATED)
    assert not room.watching
    room.now += 2 * WATCHER_SECONDS
    assert room.asks(2) == ""
    room.desk.shut_out(PEOPLE[2].public)
    room.desk.tick(room.now + CHANGE_SECONDS, SEATED)
    assert not room.watching
    room.now += CHANGE_SECONDS
    assert "shut out" in (room.asks(2) or "")


def test_desk__refuses_who_plays_and_hears_only_the_holder_of_the_key() -> None:
    room = Room()
    join = encode(Join(onlooker(0, FOUNDER), "", False, True))
    answer = room.desk.receive(curve(0), join, 5.0, SEATED)
    assert answer is not None
    assert "you play at this table" in answer[1]
    other = encode(Join(onlooker(1), "", False, True))
    assert room.desk.receive(curve(2), other, 9.0, SEATED) is None
    false = encode(Join(forged(onlooker(1)), "", False, True))
    assert room.desk.receive(curve(1), false, 9.0, SEATED) is None
    elsewhere = encode(Join(onlooker(1, instance=bytes(32)), "", False, True))
    assert room.desk.receive(curve(1), elsewhere, 9.0, SEATED) is None
    assert not room.watching


def test_desk__hears_nobody_leave_who_was_not_there() -> None:
    room = Room()
    assert room.asks(0, leaving=True) is None
    assert not room.watching


def test_desk__signs_at_most_one_list_a_second() -> None:
    room = Room()
    room.asks(0)
    join = encode(Join(onlooker(1), "", False, True))
    assert room.desk.receive(curve(1), join, room.now + 0.5, SEATED) is None
    assert room.desk.list.number == 1


def test_watch_list__takes_only_a_newer_list_of_the_founder() -> None:
    held = WatchList(FOUNDER.public, INSTANCE, RULES)
    first = gallery(3, [onlooker(0)])
    assert held.adopt(first, SEATED)
    assert not held.adopt(first, SEATED)
    for wrong in (
        gallery(2, []),
        gallery(3, []),
        gallery(4, [], PEOPLE[5]),
        gallery(4, [], instance=bytes(32)),
        gallery(4, [onlooker(number) for number in range(3)]),
        gallery(4, [onlooker(0), onlooker(0)]),
        gallery(4, [onlooker(0), onlooker(1, curve=curve(0))]),
        gallery(4, [onlooker(0, FOUNDER)]),
        gallery(4, [onlooker(0, curve=b"f" * 40)]),
        gallery(4, [forged(onlooker(0))]),
        forged(gallery(4, [])),
        b"",
    ):
        assert not held.adopt(wrong, SEATED)
        assert (held.number, held.data) == (3, first)
    assert held.adopt(gallery(4, []), SEATED)
    assert held.watchers == ()
