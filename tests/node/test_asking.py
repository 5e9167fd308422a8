"""A watcher asks everybody in turn: nobody alone decides what it sees."""

from __future__ import annotations

from p2p_hearts.node.asking import (
    ANSWER_SECONDS,
    ASK_SECONDS,
    BEHIND_SECONDS,
    SILENT_SECONDS,
    Asking,
)
from p2p_hearts.table.watching import make_ask, watch_table
from p2p_hearts.wire.codec import decode, encode
from p2p_hearts.wire.messages import Frame, Kind
from tests.table.sim import Sim
from tests.table.test_absence import is_due, rules_of
from tests.table.test_watching import STRANGER

A, B, C = seats = [bytes([number]) * 40 for number in range(3)]
SECOND = ASK_SECONDS + 0.001


def test_asking__who_answers_and_tells_nothing_is_not_asked_twice_in_a_row() -> None:
    asking, asked = Asking(0), list[bytes | None]()
    for turn in range(6):
        asked.append(asking.next(seats, 100 + turn * SECOND))
        asking.answered(seats[turn % 3], has_news=False)
    assert asked == [A, B, C, A, B, C]


def test_asking__begins_where_it_is_told_and_asks_one_at_a_time() -> None:
    asking = Asking(5)
    assert asking.next([], 100.0) is None
    assert asking.next(seats, 100.0) == C
    assert asking.next(seats, 100.0 + SECOND) is None
    asking.answered(A, has_news=True)
    assert asking.next(seats, 100.0 + SECOND) is None, "another one's word is no answer"
    asking.answered(C, has_news=True)
    assert asking.next(seats, 100.0 + BEHIND_SECONDS + 0.001) == A


def test_asking__without_news_waits_longer() -> None:
    asking = Asking(0)
    asking.next(seats, 100.0)
    asking.answered(A, has_news=False)
    assert asking.next(seats, 100.0 + BEHIND_SECONDS + 0.001) is None
    assert asking.next(seats, 100.0 + SECOND) == B


def test_asking__who_does_not_answer_is_passed_over_for_a_while() -> None:
    asking, now = Asking(0), 100.0
    assert asking.next(seats, now) == A
    now += ANSWER_SECONDS
    assert asking.next(seats, now) == B
    asking.answered(B, has_news=False)
    order = list[bytes | None]()
    for _turn in range(int(2 * SILENT_SECONDS / SECOND)):
        now += SECOND
        order.append(asking.next(seats, now))
        asking.answered(B, has_news=False)
        asking.answered(C, has_news=False)
    assert None not in order, "who did not answer before is not waited for as long again"
    passed_over = int(SILENT_SECONDS / SECOND)
    assert A not in order[:passed_over]
    assert order[passed_over:].count(A) == 1
    assert {*order} == {A, B, C}


def test_asking__nobody_answers_and_everybody_is_asked() -> None:
    asking = Asking(0)
    asked = [asking.next(seats, 100 + turn * ANSWER_SECONDS) for turn in range(6)]
    assert asked == [A, B, C, A, B, C]


def test_asking__whose_line_is_gone_is_waited_for_no_longer() -> None:
    asking = Asking(0)
    assert asking.next(seats, 100.0) == A
    assert asking.next([B, C], 100.0 + SECOND) == B


def test_watcher__follows_the_game_beside_a_seat_that_answers_with_nothing() -> None:
    sim = Sim(rules_of(seats=3, hands=1))
    sim.run(is_due(sim, 2, Kind.SHARES))
    table, asking, liar = watch_table(STRANGER, sim.roster), Asking(0), seats[0]
    for turn in range(60):
        now = 100.0 + turn * SECOND
        table.tick(now)
        asked = asking.next(seats, now)
        assert asked is not None
        beat = decode(make_ask(table), Frame).beat
        assert beat is not None
        before = len(table.history.rounds)
        place = seats.index(asked)
        nothing = encode(Frame(sim.roster.hash, [], sim.tables[0].beat()))
        table.receive(place, nothing if asked == liar else sim.tables[place].serve(beat))
        while table.work():
            pass
        asking.answered(asked, has_news=len(table.history.rounds) != before)
    assert table.history.current.place == sim.tables[1].history.current.place
