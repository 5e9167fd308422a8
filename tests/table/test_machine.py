"""A table takes the steps of its parts in order, and tells its surroundings how it stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from p2p_hearts.rules.cards import cards_in
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table.machine import Table
from p2p_hearts.wire.codec import encode
from p2p_hearts.wire.faults import Rule, fault_of
from p2p_hearts.wire.messages import Frame, Kind
from tests.table.sharing import shared_proofs
from tests.table.sim import Sim, TestSecrets, Weather, make_identities

RULES = RuleSet(seats=3, hands=1)


class Thinking(Sim):
    """A table whose players think for ever about the card to play."""

    resting: int | None = None
    """A place that hears and acknowledges, and does no work."""

    def settle(self, place: int) -> None:
        if place == self.resting:
            self._flush(place)
        else:
            super().settle(place)

    def _decide(self, place: int) -> None:
        if self.tables[place].decision is not Kind.PLAY:
            super()._decide(place)

    @property
    def asked(self) -> Table | None:
        """Who is asked to play."""
        return next((table for table in self.tables if table.decision is Kind.PLAY), None)


@pytest.fixture(scope="module")
def thinking() -> Iterator[Thinking]:
    with shared_proofs():
        sim = Thinking(RULES, seed="machine")
        sim.run(lambda: sim.asked is not None)
        sim.wait(3.0)
        yield sim


@pytest.fixture
def asked(thinking: Thinking) -> Table:
    """A table that waits for its player to play."""
    table = thinking.copy().asked
    assert table is not None
    return table


def stop(table: Table, rule: Rule = Rule.BODY) -> None:
    """Let a fault stand that stops a seat."""
    item = table.history.rounds[-2]
    other = next(said for seat, said in item.acks.items() if seat != table.seat)
    table.history.convictions.add(fault_of(rule, other))
    assert table.stopped


def play_any(table: Table) -> None:
    view = table.view()
    assert view is not None
    table.choose_card(cards_in(view.legal)[0])


def test_decision__is_asked_for_until_it_is_taken(asked: Table) -> None:
    view = asked.view()
    assert view is not None
    card = cards_in(view.legal)[0]
    asked.choose_card(card)
    assert asked.decision is None
    with pytest.raises(ValueError, match="does not wait"):
        asked.choose_card(card)


def test_decision__is_asked_of_nobody_who_is_stopped_or_waits_or_whose_match_is_over(
    thinking: Thinking,
) -> None:
    def table_now() -> Table:
        table = thinking.copy().asked
        assert table is not None
        return table

    table = table_now()
    stop(table)
    assert table.decision is None
    table = table_now()
    table.course.ended = True
    assert table.decision is None
    table = table_now()
    table.recall.begin(7, {0})
    assert table.decision is None


def test_decision__before_the_first_hand_is_none() -> None:
    table = Sim(RULES).tables[0]
    assert table.decision is None
    assert table.view() is None
    with pytest.raises(ValueError, match="does not wait"):
        table.choose_claim()


def test_table__takes_no_decision_that_it_does_not_wait_for(asked: Table) -> None:
    with pytest.raises(ValueError, match="does not wait"):
        asked.choose_pass(0)  # type: ignore[arg-type]
    assert asked.decision is Kind.PLAY


def test_work__of_a_match_that_is_over_is_nothing(asked: Table) -> None:
    play_any(asked)
    asked.course.ended = True
    assert not asked.work()


def test_work__of_a_stopped_seat_says_nothing_and_still_judges_what_it_hears(
    thinking: Thinking,
) -> None:
    sim = thinking.copy()
    asked = sim.asked
    assert asked is not None
    stopped = sim.tables[(asked.place + 1) % 3]
    stop(stopped)
    here = stopped.history.current
    asked_for = asked.seat
    play_any(asked)
    sim.wait(3.0)
    assert asked_for in here.speeches
    assert stopped.course.followed is here, "it does not go on"
    assert stopped.seat not in here.acks
    assert stopped.hand is not None
    assert stopped.hand.play is not None
    assert stopped.hand.play.trick != (), "and has judged the card"
    assert not stopped.work()


def test_work__of_a_stopped_seat_goes_on_from_no_round_of_a_hand(thinking: Thinking) -> None:
    """Not even from one that has its certificate, the own ack in it."""
    sim = thinking.copy()
    asked = sim.asked
    assert asked is not None
    sim.resting = (asked.place + 1) % 3
    table = sim.tables[sim.resting]
    here = table.history.current
    play_any(asked)
    sim.wait(3.0)
    assert here.certified
    stop(table)
    while table.work():
        pass
    assert table.history.current is here


def test_work__of_a_stopped_seat_draws_no_seats_before_the_draw_is_certified() -> None:
    sim = Sim(RULES, seed="machine", weather=Weather(jitter=0.05))
    table = sim.tables[0]
    sim.run(lambda: table.history.current.kind is Kind.DRAW and 0 in table.history.current.speeches)
    draw = table.history.current
    heads = [draw.head]
    ack = next(iter(table.history.rounds[0].acks.values()))
    table.history.convictions.add(fault_of(Rule.BODY, ack))
    sim.wait(3.0)
    heads.append(draw.head)
    assert [head is None for head in heads] == [True, False], "the others' nonces came later"
    assert (table.draw, table.history.current) == (None, draw)


def test_table__that_no_fault_stops_is_not_stopped_for_good(asked: Table) -> None:
    assert not asked.may_vote_out()
    assert not asked.stopped_for_good
    stop(asked)
    assert asked.may_vote_out()
    assert not asked.stopped_for_good, "its player may decide to go on"


def test_table__that_is_stopped_before_the_draw_is_stopped_for_good() -> None:
    sim = Sim(RULES, seed="machine")
    table = sim.tables[0]
    sim.run(lambda: bool(table.history.rounds[0].acks))
    ack = next(iter(table.history.rounds[0].acks.values()))
    table.history.convictions.add(fault_of(Rule.BODY, ack))
    assert table.stopped_for_good


def test_forget_secrets__leaves_none_of_the_hand_nor_of_the_next_one() -> None:
    sim = Sim(replace(RULES, hands=2), seed="machine")
    table, secrets = sim.tables[0], sim.secrets[0]
    table.forget_secrets()
    assert secrets.forgotten == [], "there is none before the draw"
    sim.run(lambda: len(secrets.drawn) == 2)
    assert table.draw is not None
    table.forget_secrets()
    places = [(1, 1), (1, 2), (2, 1)]
    assert secrets.forgotten == [(table.draw.table, *place) for place in places]
    assert secrets.drawn <= set(secrets.forgotten)


@pytest.mark.parametrize("played", [True, False])
def test_all_finished__needs_the_last_word_of_everybody_and_the_own_one(played: bool) -> None:
    sim = Sim(RULES, seed="machine")
    table = sim.tables[0]
    if played:
        sim.run()
    for told in (False, True):
        table.post.told_over = told
        assert table.all_finished is (told and played)
    assert table.unfinished == (set() if played else {1, 2})


def test_table__that_watches_answers_no_heartbeat() -> None:
    sim, (watcher,) = Sim(RULES), make_identities(1, "watcher")
    table = Table(watcher, sim.roster, TestSecrets((0, 9)), watching=True)
    sim.settle(0)
    (said,) = sim.logs[0]
    beat = sim.tables[1].beat()
    table.receive(0, encode(Frame(sim.roster.hash, [said], None)))
    assert len(table.drain()) == 1
    table.receive(1, encode(Frame(sim.roster.hash, [], beat)))
    assert table.drain() == []
    with pytest.raises(ValueError, match="does not list"):
        Table(watcher, sim.roster, TestSecrets((0, 9)))
    with pytest.raises(ValueError, match="does not list"):
        Table(sim.identities[0], sim.roster, TestSecrets((0, 0)), watching=True)


def test_seat__of_the_formation_is_the_place_also_once_seats_are_drawn(asked: Table) -> None:
    sit, here = asked.history.rounds[0], asked.history.current
    assert asked.course.seat_in(sit.place) == asked.place
    assert asked.course.seat_in(here.place) == asked.seat
    assert Sim(RULES).tables[1].course.seat_in(here.place) == 1
