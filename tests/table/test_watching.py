"""A table without a seat follows the players' own, and gives nothing away."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from msgspec.structs import replace

from p2p_hearts.rules.cards import EMPTY
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.view import NOBODY
from p2p_hearts.table import post
from p2p_hearts.table.effects import Send, Store
from p2p_hearts.table.machine import Table
from p2p_hearts.table.serving import next_place, report
from p2p_hearts.table.watching import ASK_BYTES, NoSecrets, make_ask, watch_table
from p2p_hearts.wire.codec import decode, encode
from p2p_hearts.wire.envelope import open_envelope, seal
from p2p_hearts.wire.messages import Beat, Frame, Kind, RoundReport
from tests.table.cheats import saying
from tests.table.sim import Sim, make_identities
from tests.table.test_absence import is_due, others, rules_of

(STRANGER,) = make_identities(1, "somebody who watches")


class Watching:
    """A watcher that asks one seat for what it lacks."""

    def __init__(self, sim: Sim, source: int = 0) -> None:
        self.sim, self.source = sim, source
        self.table = watch_table(STRANGER, sim.roster)
        self.stored: list[bytes] = []
        self.hands: set[int] = set()

    def ask(self) -> None:
        """Ask once, and work on the answer."""
        beat = decode(make_ask(self.table), Frame).beat
        assert beat is not None
        self.table.receive(self.source, self.sim.tables[self.source].serve(beat))
        while self.table.work():
            view = self.table.view()
            if view is not None:
                assert view.watching
                self.hands.add(view.hand | view.legal | view.passed | view.received)
        self.stored += [item.envelope for item in self.table.drain() if isinstance(item, Store)]

    def catch_up(self) -> None:
        """Ask until there is nothing new."""
        rounds = -1
        while rounds != len(self.stored):
            rounds = len(self.stored)
            self.table.tick(self.sim.now + rounds)  # a new budget of signatures
            self.ask()


def test_watched_table__follows_a_seat_that_leaves_and_its_dummy() -> None:
    sim = Sim(rules_of(hands=1), auto_vote=True)
    sim.run(is_due(sim, 3, Kind.PASS))
    sim.isolate(3)
    watching = Watching(sim)
    watching.catch_up()
    assert watching.table.hand is not None
    assert watching.table.hand.dummy is None
    sim.run(lambda: all(sim.tables[place].over for place in others(sim, 3)))
    watching.catch_up()
    table, seat = watching.table, sim.tables[0]
    assert (table.over, table.fault) == (True, None)
    assert table.history.head == seat.history.head
    assert table.match == seat.match
    assert table.hand is not None
    assert table.hand.dummy == sim.tables[3].seat
    assert watching.hands == {EMPTY}


def test_watched_table__is_stopped_by_nothing_that_the_players_do_not_know() -> None:
    """One of them is away, and another has signed something else for those who watch alone."""
    sim = Sim(rules_of(hands=1), auto_vote=True)
    sim.run(is_due(sim, 3, Kind.PASS))
    sim.isolate(3)
    players = [sim.tables[place] for place in others(sim, 3)]
    sim.run(lambda: all(table.hand and table.hand.dummy is not None for table in players))
    watching = Watching(sim)
    watching.catch_up()
    said = [open_envelope(data).content for data in sim.logs[0]]
    author = sim.identities[1]
    (key,) = [item for item in said if (item.author, item.kind) == (author.public, Kind.KEY)]
    twin = seal(author, replace(key, body=b"another"))
    watching.table.receive(2, encode(Frame(sim.roster.hash, [twin.data], None)))
    assert watching.table.fault is not None
    sim.run(lambda: all(table.over for table in players))
    watching.catch_up()
    assert watching.table.over
    assert watching.table.match == players[0].match


def test_watched_table__gets_nothing_that_is_not_in_the_players_logs() -> None:
    sim = Sim(RuleSet(seats=3, hands=1))
    watching, rounds = Watching(sim, 1), sim.tables[1].history.rounds
    while not sim.tables[1].over:
        sim.step()
        if len(rounds) % 8 == 0:
            watching.ask()
    watching.catch_up()
    assert watching.table.over
    assert set(watching.stored) == set(sim.logs[1])


def test_watched_table__says_nothing_and_counts_nowhere() -> None:
    sim = Sim(RuleSet(seats=3, hands=1))
    watching = Watching(sim)
    sim.run(lambda: len(sim.tables[0].history.rounds) > 20)
    before = report(sim.tables[0].history), sim.tables[0].drain()
    watching.catch_up()
    table = watching.table
    assert (report(sim.tables[0].history), sim.tables[0].drain()) == before
    assert (table.seat, table.decision, table.may_vote_out()) == (NOBODY, None, ())
    table.tick(1000.0)
    sent = [decode(item.frame, Frame) for item in table.drain() if isinstance(item, Send)]
    assert all(not frame.envelopes for frame in sent)


def test_watched_table__names_the_fault_that_the_players_name_and_goes_on_with_them() -> None:
    cheat = saying(Kind.SHARES, lambda hand, context, body: b"")
    rules = rules_of(seats=3, hands=1)
    sim = Sim(rules, seed="cheater", seating=cheat.seat_down, auto_vote=True)
    sim.run(lambda: cheat.place is not None)
    assert cheat.place is not None
    rest = others(sim, cheat.place)
    sim.run(lambda: all(sim.tables[place].over for place in rest))
    watching = Watching(sim, rest[0])
    watching.catch_up()
    assert watching.table.fault is not None
    assert watching.table.fault == sim.tables[rest[0]].fault
    assert watching.table.over
    assert watching.table.match == sim.tables[rest[0]].match


def test_ask__of_many_open_rounds_fits_through_a_lobby_door() -> None:
    sim = Sim(RuleSet(seats=3))
    table = watch_table(STRANGER, sim.roster)
    hashes = [bytes([seat]) * 32 for seat in range(11)]
    reports = [RoundReport(number, hashes, hashes, hashes * 8) for number in range(16)]
    with patch.object(post, "report", lambda history: reports):
        beat = decode(make_ask(table), Frame).beat
        assert len(make_ask(table)) <= ASK_BYTES
        assert beat is not None
        assert beat.open == reports[: len(beat.open)] != []


def test_watched_table__is_for_those_who_do_not_play() -> None:
    sim = Sim(RuleSet(seats=3, hands=1))
    with pytest.raises(ValueError, match="one that watches"):
        watch_table(sim.identities[0], sim.roster)
    with pytest.raises(ValueError, match="does not list"):
        Table(STRANGER, sim.roster, NoSecrets())


def test_beat__of_a_watcher_never_ends_a_match_for_a_seat() -> None:
    sim = Sim(RuleSet(seats=3, hands=1))
    table = sim.tables[0]
    place = next_place(table.history)
    beat = Beat(sim.roster.hash, *place, [], b"", True, 5, [0, 0, 0])
    table.serve(beat)
    assert table.drain() == []
    assert table.unfinished == {1, 2}
