"""How long a seat is waited for, by a clock that the test holds."""

from __future__ import annotations

import pytest

from p2p_hearts.agreement.absence import Vote
from p2p_hearts.table.patience import ASLEEP_SECONDS, GRACES, HEARD_SECONDS, LATE_SECONDS, Patience
from p2p_hearts.table.round import Round
from p2p_hearts.wire.chain import Place
from p2p_hearts.wire.messages import Kind

GRACE = 20.0
ME, OTHER = 0, 1
PLACES = {seat: seat for seat in range(4)}


def open_round(number: int, hand: int = 1, kind: Kind = Kind.PASS) -> Round:
    """A round in which everybody has spoken but one seat."""
    seats = (0, 1, 2, 3)
    return Round(Place(hand, 1, number), bytes(32), kind, (OTHER,), bytes(32), False, seats, True)


class Clock:
    """A patience and the time it is told, in steps short enough not to look like sleep."""

    def __init__(self, clock: float = 0.0) -> None:
        self.patience = Patience(GRACE, clock)
        self.now = 100.0
        self.patience.tick(self.now)

    def wait(self, seconds: float, item: Round, convicted: frozenset[int] = frozenset()) -> None:
        end = self.now + seconds
        while self.now < end:
            self.patience.measure(item, ME, PLACES, convicted)
            self.now = min(self.now + 1.0, end)
            self.patience.tick(self.now)
        self.patience.measure(item, ME, PLACES, convicted)

    def is_late(self, item: Round) -> bool:
        return OTHER in self.patience.late(item)


def test_patience__waits_for_a_grace_and_no_longer() -> None:
    clock, item = Clock(), open_round(7)
    clock.wait(GRACE - 1, item)
    assert not clock.is_late(item)
    clock.wait(1, item)
    assert clock.is_late(item)
    assert not clock.is_late(open_round(8)), "another round is another matter"


def test_patience__of_three_graces_in_a_hand_is_short_afterwards() -> None:
    """Else a seat that is always as late as it may be makes every card last a grace."""
    clock = Clock()
    for number in range(GRACES):
        item = open_round(number)
        clock.wait(LATE_SECONDS, item)
        assert not clock.is_late(item)
        clock.wait(GRACE - LATE_SECONDS, item)
        assert clock.is_late(item)
    item = open_round(GRACES)
    clock.wait(LATE_SECONDS - 1, item)
    assert not clock.is_late(item)
    clock.wait(1, item)
    assert clock.is_late(item)
    fresh = open_round(0, hand=2)
    clock.wait(GRACE - 1, fresh)
    assert not clock.is_late(fresh), "the next hand begins anew"


def test_patience__of_a_seat_that_is_never_late_is_used_up_by_nothing() -> None:
    clock = Clock()
    for number in range(10):
        item = open_round(number)
        clock.wait(GRACE - 1, item)
        assert not clock.is_late(item)


def vote(voter: int, ballot: int, target: int) -> Vote:
    name = b"%d %d" % (voter, ballot)
    return Vote(name, voter, ballot, target, voter, (None,), None)


def test_patience__with_a_voter_is_twice_as_long_and_begins_anew_with_each_ballot() -> None:
    """It may have begun to wait for the target itself when it saw the ballot."""
    clock, item = Clock(), open_round(4)
    item.speakers = (2,)
    for ballot in (1, 2):
        votes = [vote(voter, ballot, 2) for voter in (ME, 3)]
        item.votes |= {each.name: each for each in votes}
        clock.wait(2 * GRACE - 1, item)
        assert not clock.is_late(item)
        clock.wait(1, item)
        assert clock.is_late(item)


def test_patience__is_without_end_while_a_player_is_there_and_decides() -> None:
    clock, item = Clock(), open_round(9, kind=Kind.PLAY)
    for _ in range(50):
        clock.patience.hear(OTHER)
        clock.wait(HEARD_SECONDS - 1, item)
    assert not clock.is_late(item)
    clock.wait(HEARD_SECONDS, item)
    assert clock.is_late(item), "its program has gone"


def test_patience__at_a_table_with_a_clock_ends_a_grace_after_it() -> None:
    """The own program should have decided by then; without a clock nobody is held to anything."""
    clock, item = Clock(30.0), open_round(9, kind=Kind.PLAY)
    for _ in range(50):
        clock.patience.hear(OTHER)
        clock.wait(1.0, item)
        assert clock.is_late(item) is (clock.now >= 100.0 + 30.0 + GRACE)
        assert not clock.patience.slow(item), "it is not for the other players to hurry it"


def test_patience__has_none_for_a_proven_liar() -> None:
    clock, item = Clock(), open_round(4)
    clock.wait(0.5, item, frozenset({OTHER}))
    assert clock.is_late(item)


@pytest.mark.parametrize("heard", [False, True])
def test_patience__with_a_seat_that_was_away_is_short_until_it_is_heard(heard: bool) -> None:
    clock, item = Clock(), open_round(0)
    clock.patience.note_gone([OTHER])
    if heard:
        clock.wait(1, item)
        clock.patience.hear(OTHER)
    clock.wait(LATE_SECONDS, item)
    assert clock.is_late(item) is not heard


def test_patience__begins_anew_after_the_own_program_slept() -> None:
    clock, item = Clock(), open_round(4)
    clock.wait(GRACE - 1, item)
    clock.now += ASLEEP_SECONDS + 60
    clock.patience.tick(clock.now)
    clock.patience.measure(item, ME, PLACES, ())
    assert not clock.is_late(item)


def test_patience__never_finds_the_own_seat_late() -> None:
    clock, item = Clock(), open_round(4)
    item.speakers = (ME,)
    clock.wait(5 * GRACE, item)
    assert ME not in clock.patience.late(item)
