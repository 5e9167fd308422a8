"""Proofs that are made and checked elsewhere: the same game, and nothing is trusted before."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import pytest

from p2p_hearts.cards import deal
from p2p_hearts.crypto.transcript import Context
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table.hand import Hand
from p2p_hearts.table.tasks import Task
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.messages import Kind, Shuffle
from tests.table.aside import Aside
from tests.table.cheats import ONE_HAND, Body, Cheat, convicts, joint_of, other_secret, saying
from tests.table.sim import Sim
from tests.table.test_absence import rules_of
from tests.table.test_claims import CLAIMS, claiming, play_of
from tests.table.test_crash import CrashSim
from tests.table.test_match import STORM, check_ends_alike

TWO_HANDS = RuleSet(seats=3, hands=2)


class AsideCrash(Aside, CrashSim):
    """Peers die while their proofs are under way."""


def test_task__is_done_once_and_here_only_if_it_is_to_be() -> None:
    done = list[int]()
    task = Task(lambda: done.append(1))
    assert task.outcome(here=False) is None
    assert not done
    assert task.outcome(here=True) == (None,)
    assert task.outcome(here=True) == (None,) == task.outcome(here=False)
    assert done == [1]


def test_task__gives_the_same_after_the_hand_has_moved_on() -> None:
    """The own shuffle and the checks of others': of the deck that was there, not of a later one."""
    sim = Aside(TWO_HANDS)
    sim.hangs = True
    sim.run(lambda: all(table.hand and len(table.hand.jobs) == 2 for table in sim.tables))
    for table in sim.tables:
        hand = table.hand
        assert hand is not None
        joint, number, tasks = joint_of(hand), hand.number, [job.task for job in hand.jobs]
        hand.decks, later = hand.decks[:1], hand.decks[1:]
        shuffle = hand.prepare(Kind.SHUFFLE, 1)
        key, said = hand.prepare(Kind.KEY, 0), hand.speak(Kind.KEY, 0)
        made = deal.make_shuffle(hand.secret, hand.context(1, hand.seat), joint, hand.decks[0])
        hand.decks += later
        hand.joint, hand.number, hand.jobs = hand.public_of(0), number + 1, deque()
        hand.secret = other_secret(hand)
        assert shuffle() == Shuffle(*made[:2])
        assert key() == said
        assert [task.run() for task in tasks] == [None, None]


def test_rerun__gives_the_same_after_the_hand_has_moved_on() -> None:
    """Whatever becomes of the hand, a liar is found and the others are cleared."""
    hand = play_of(claiming(ONE_HAND, CLAIMS).tables[0].hand)
    liar, *honest = (seat for seat in range(4) if seat != hand.seat)
    hand.sides[liar].said((b"",), lambda own: (b"other",))
    hand.close(Kind.REVEAL)
    assert [job.seat for job in hand.jobs] == [liar, *honest]
    hand.sides, hand.decks, hand.joint, sides = [], [], None, hand.sides
    for side in sides:
        side.hand, side.public, side.secret = (), None, b""
        side.opened.update(dict.fromkeys(side.opened, ONE_HAND.pack[0]))
        side.steps.clear()
    assert [job.task.run() for job in hand.jobs] == [Rule.RERUN, None, None]


def test_table__whose_proofs_are_done_elsewhere_ends_like_any_other() -> None:
    sim = Aside(TWO_HANDS)
    sim.run()
    check_ends_alike(sim)
    alone = Sim(TWO_HANDS)
    alone.run()
    assert sim.tables[0].history.head == alone.tables[0].history.head
    # Of each seat: two checks of others' shuffles a hand, a re-run of both, and the own next deal.
    assert sim.done >= 3 * (2 * 2 + 2 * 2)


def test_table__takes_each_task_once() -> None:
    sim = Aside(TWO_HANDS)
    sim.hangs = True
    sim.wait(2.0)
    for table in sim.tables:
        assert table.hand is not None
        assert len(table.hand.jobs) == 2
        assert all(job.task.is_taken for job in table.hand.jobs)
        assert table.take_tasks() == []


def test_shares__are_given_by_nobody_while_a_check_is_under_way_elsewhere() -> None:
    """However long it takes: the round of the last shuffle is certified, and no key is split."""
    sim = Aside(TWO_HANDS)
    sim.hangs = True
    sim.wait(30.0)
    for table in sim.tables:
        assert table.history.current.kind is Kind.SHUFFLE
        assert table.history.current.certified
    sim.hangs = False
    sim.run()
    check_ends_alike(sim)


def test_hand__does_not_end_before_every_secret_was_tried_elsewhere() -> None:
    sim = Aside(TWO_HANDS)
    sim.run(lambda: any(table.history.current.kind is Kind.REVEAL for table in sim.tables))
    sim.hangs = True
    sim.wait(30.0)
    assert {table.match.hands for table in sim.tables} == {()}
    assert all(table.history.current.kind is Kind.REVEAL for table in sim.tables)
    sim.hangs = False
    sim.run()
    check_ends_alike(sim)


def test_table__whose_proofs_are_done_elsewhere_survives_a_storm() -> None:
    sim = Aside(TWO_HANDS, weather=STORM, seed="aside")
    sim.run()
    check_ends_alike(sim)


@pytest.mark.parametrize("kind", ["store", "send"])
def test_crash__while_proofs_are_under_way_elsewhere_loses_and_doubles_nothing(kind: str) -> None:
    sim = AsideCrash(
        TWO_HANDS, dies=lambda place, what, number: what == kind and number % 37 == 7 * place
    )
    sim.run()
    assert sim.deaths > 6
    for secrets in sim.secrets:
        secrets.forgotten = sorted(set(secrets.forgotten), key=lambda item: item[1])
    check_ends_alike(sim)


def _false_proof(hand: Hand, context: Context, body: object) -> Body:
    assert isinstance(body, Shuffle)
    return Shuffle(body.deck, body.proof[:-32] + body.proof[-64:-32])


def _other_shuffle(hand: Hand, context: Context, body: object) -> Body:
    made = deal.make_shuffle(other_secret(hand), context, joint_of(hand), hand.decks[-1])
    return Shuffle(made[0], made[1])


@pytest.mark.parametrize(
    ("trick", "rule"), [(_false_proof, Rule.SHUFFLE), (_other_shuffle, Rule.RERUN)]
)
def test_cheater__is_convicted_where_proofs_are_checked_elsewhere(
    trick: Callable[[Hand, Context, object], Body], rule: Rule
) -> None:
    convicts(saying(Kind.SHUFFLE, trick), rule, sims=Aside)


def test_hand__begins_anew_only_once_all_know_who_has_broken_a_rule_in_it() -> None:
    """Whoever shuffles after the liar has lost its secret: that alone would begin the hand anew."""
    cheat: Cheat = saying(Kind.SHUFFLE, _false_proof)
    sim = Aside(rules_of(hands=2), seed="anew", seating=cheat.seat_down, auto_vote=True)
    sim.run(lambda: cheat.place is not None)
    sim.hangs = True
    liar = next(table for table in sim.tables if table.place == cheat.place)
    honest = [table for table in sim.tables if table is not liar]
    assert liar.seat is not None
    loser = next(table for table in honest if table.seat == (liar.seat + 1) % 4)
    assert loser.seat is not None
    assert loser.hand is not None
    loser.hand.lost = True
    sim.wait(2.0)
    rounds = [table.history.current for table in honest]
    assert {item.place.attempt for item in rounds} == {1}
    assert all(item.certified for item in rounds)
    assert {item.speeches[loser.seat].content.kind for item in rounds} == {Kind.LOST}
    sim.hangs = False
    sim.run(lambda: all(table.hand and table.hand.attempt == 2 for table in honest))
    for table in honest:
        assert table.fault is not None
        assert (table.fault.rule, table.fault.seat) == (Rule.SHUFFLE, liar.seat)
        assert table.course.excluded == {liar.seat}
        assert table.hand is not None
        assert table.hand.keyless == loser.seat
