"""A seat that comes back without the secret of the hand it was in says so, and nobody waits.

The secret's file is gone, or a restored backup holds another one: either way the seat knows its own
``key``, and not what it is the key of.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from p2p_hearts.record.audit import Verdict
from p2p_hearts.table.machine import Table
from p2p_hearts.wire.codec import encode
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.messages import Content, Kind, Lost
from tests.record.test_audit_table import audit_sim
from tests.table.cheats import Cheat, Cheater
from tests.table.sim import Sim
from tests.table.test_absence import (
    BEFORE_CARDS,
    EVERY_ROUND,
    attempts,
    check_clean,
    finish,
    goes_on_without,
    is_due,
    rules_of,
)

LOSER = 1

ROUNDS = tuple(kind for kind in EVERY_ROUND if kind is not Kind.KEY)


def lose(sim: Sim, place: int) -> None:
    """Start a place again without the secret of the hand that is being played."""
    table = sim.tables[place]
    assert table.draw is not None
    assert table.hand is not None
    gone = (table.draw.table, table.hand.number, table.hand.attempt)
    sim.secrets[place].forgotten.append(gone)
    again = Table.resume(
        sim.identities[place], sim.roster, sim.secrets[place], list(sim.logs[place]), 77
    )
    again.auto_vote = table.auto_vote
    sim.tables[place] = again


def has_keyed(sim: Sim) -> Callable[[], bool]:
    def keyed() -> bool:
        table = sim.tables[LOSER]
        here = table.history.current
        return here.kind is Kind.KEY and table.seat in here.speeches

    return keyed


def said_lost(table: Table) -> list[tuple[int, Kind, int | None]]:
    """Where somebody said that its secret is lost: hand, round, seat."""
    return [
        (item.place.hand, item.kind, seat)
        for item in table.history.rounds
        for seat, said in item.speeches.items()
        if said.content.kind == Kind.LOST
    ]


def goes_on(kind: Kind, hands: int) -> None:
    """The hand ends without votes and without a grace; the seat is there again in the next."""
    sim = Sim(rules_of(hands=hands), seed="lost", auto_vote=True)
    # A seat shuffles as soon as it can: the secret has to be gone right after the key.
    sim.run(has_keyed(sim) if kind is Kind.SHUFFLE else is_due(sim, LOSER, kind))
    lose(sim, LOSER)
    before = sim.now
    table = finish(sim, range(4))
    assert sim.now - before < 15, "nobody has waited for a grace"
    assert not any(item.ballots for item in table.history.rounds)
    assert said_lost(table) == [(1, kind, sim.tables[LOSER].seat)]
    anew = {(1, 1), (1, 2)} if kind in BEFORE_CARDS else {(1, 1)}
    assert attempts(table) == anew | {(hand, 1) for hand in range(2, hands + 1)}
    assert table.fault is None, "to have lost a secret breaks no rule"
    check_clean(sim, [0, LOSER])


@pytest.mark.parametrize("kind", [Kind.SHUFFLE, Kind.PASS, Kind.PLAY])
def test_lost__secret_of_a_hand_costs_that_hand_and_nobody_waits(kind: Kind) -> None:
    goes_on(kind, hands=1)


@pytest.mark.deep
@pytest.mark.parametrize("kind", ROUNDS)
def test_lost__secret_in_any_round_is_survived_and_the_seat_comes_back(kind: Kind) -> None:
    goes_on(kind, hands=2)


def test_lost__key_of_another_secret_than_the_one_at_hand_is_lost_as_well() -> None:
    """A backup without the newest secret: another one is drawn before the own key comes back."""
    sim = Sim(rules_of(hands=1), seed="other secret", auto_vote=True)
    cut = len(sim.logs[LOSER])
    sim.run(is_due(sim, LOSER, Kind.PASS_SELECT))
    log = sim.logs[LOSER]
    cut = next(at for at, data in enumerate(log) if b"key" in data)
    sim.logs[LOSER] = log[:cut]
    sim.secrets[LOSER].seed = ("another", LOSER)
    old = sim.tables[LOSER]
    again = Table.resume(sim.identities[LOSER], sim.roster, sim.secrets[LOSER], log[:cut], 78)
    again.auto_vote = True
    sim.tables[LOSER] = again
    table = finish(sim, range(4))
    assert said_lost(table) == [(1, Kind.PASS_SELECT, old.seat)]
    assert table.fault is None
    check_clean(sim, [0, 2])


def test_lost__in_the_round_that_gives_the_key_is_refused() -> None:
    """There nothing can be lost yet."""

    def instead(table: Cheater, content: Content) -> Content | None:
        if content.kind != Kind.KEY or content.attempt != 1:
            return None
        return replace(content, kind=Kind.LOST, body=encode(Lost()))

    goes_on_without(Cheat(instead), Rule.KIND, "lost for nothing")


def test_lost__before_the_key_is_said_to_nobody_and_the_others_go_on() -> None:
    """The word for it is taken from the key on only; who says nothing breaks no rule."""
    sim = Sim(rules_of(hands=1), seed="never keyed", auto_vote=True)
    secrets = sim.secrets[LOSER]
    usual = secrets.hand

    def hand(table: bytes, number: int, attempt: int, *, fresh: bool) -> bytes:
        if attempt == 1:
            raise LookupError("the disk is full")
        return usual(table, number, attempt, fresh=fresh)

    secrets.hand = hand  # type: ignore[method-assign,assignment]
    table = finish(sim, range(4))
    assert attempts(table) == {(1, 1), (1, 2)}
    assert said_lost(table) == []
    assert table.fault is None


def test_lost__secret_at_the_reveal_is_not_missed_beside_a_dummy() -> None:
    """Two that are missing stop a table, but after the play nothing is left to be missed."""
    sim = Sim(rules_of(hands=1), seed="lost beside a dummy", auto_vote=True)
    sim.run(is_due(sim, 3, Kind.PLAY))
    sim.stopped.add(3)
    sim.run(is_due(sim, LOSER, Kind.REVEAL))
    lose(sim, LOSER)
    table = finish(sim, [0, 1, 2])
    assert said_lost(table) == [(1, Kind.REVEAL, sim.tables[LOSER].seat)]
    found = audit_sim(sim, [0, LOSER])
    assert found.verdict is Verdict.CLEAN, found.summary


def test_lost__secret_beside_a_dummy_makes_the_table_wait_and_accuses_nobody() -> None:
    """Two are missing then; nobody knows the cards of the second one."""
    sim = Sim(rules_of(hands=1), seed="lost beside a dummy", auto_vote=True)
    sim.run(is_due(sim, 3, Kind.PLAY))
    sim.stopped.add(3)
    table = sim.tables[0]
    sim.run(lambda: table.hand is not None and table.hand.dummy is not None)
    sim.run(is_due(sim, LOSER, Kind.PLAY))
    lose(sim, LOSER)
    sim.wait(120)
    place = table.history.current.place
    assert said_lost(table) == [(1, Kind.PLAY, sim.tables[LOSER].seat)]
    assert table.hand is not None
    assert table.hand.dummy == sim.tables[3].seat
    assert {sim.tables[at].history.current.place for at in (0, LOSER, 2)} == {place}
    both = frozenset({sim.tables[3].seat, sim.tables[LOSER].seat})
    assert {sim.tables[at].course.lacking for at in (0, 2)} == {both}
    found = audit_sim(sim, [0, LOSER])
    assert (found.verdict, found.faults) == (Verdict.INCOMPLETE, ())


def with_two_lost(kind: Kind = Kind.SHARES) -> Sim:
    """A table that two secrets are lost to in one round, from ``shares`` on a hand without end."""
    sim = Sim(rules_of(hands=1), seed="two lost", auto_vote=True)
    sim.run(lambda: all(is_due(sim, place, kind)() for place in (LOSER, 2)))
    lose(sim, LOSER)
    lose(sim, 2)
    table = sim.tables[0]
    sim.run(lambda: len(said_lost(table)) == 2)
    sim.wait(60)
    return sim


def test_lost__two_secrets_in_one_round_make_the_table_wait_and_end_no_program() -> None:
    """Whoever starts again with such a log waits as well."""
    sim = with_two_lost()
    table = sim.tables[0]
    assert table.history.current.kind is Kind.SHARES
    assert table.hand is not None
    assert table.hand.dummy is None
    assert table.course.lacking == {seat for _hand, _kind, seat in said_lost(table)}
    again = Table.resume(sim.identities[0], sim.roster, sim.secrets[0], list(sim.logs[0]), 77)
    assert again.history.current.place == table.history.current.place
    found = audit_sim(sim, [0, LOSER])
    assert (found.verdict, found.faults) == (Verdict.INCOMPLETE, ())


def test_lost__two_secrets_before_the_cards_cost_one_seat_its_hand() -> None:
    """The other one takes part with a new secret, at the table and for who reads the logs."""
    sim = with_two_lost(Kind.SEALS)
    table = finish(sim, [0, LOSER, 2, 3])
    assert attempts(table) == {(1, 1), (1, 2)}
    assert {seat for _hand, _kind, seat in said_lost(table)} > {table.hand and table.hand.dummy}
    check_clean(sim, [0, LOSER])
