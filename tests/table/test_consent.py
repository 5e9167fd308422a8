"""A player decides about seats that are late or have broken a rule, and about no others."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table.consent import Consent
from p2p_hearts.table.machine import Table
from tests.table.sim import TestSecrets, make_identities, make_roster

PEOPLE = make_identities(3)


def test_vote_out__before_the_first_hand_is_for_nobody_to_decide() -> None:
    table = Table(PEOPLE[0], make_roster(PEOPLE, RuleSet(seats=3)), TestSecrets((0, 0)))
    assert table.may_vote_out() == ()
    with pytest.raises(ValueError, match="not waited for"):
        table.vote_out(1)


@pytest.mark.parametrize(
    ("certified", "votable", "seats", "is_open"),
    [
        (0, True, (0, 1, 2), True),
        (1, True, (0, 1, 2), False),
        (0, False, (0, 1, 2), False),
        (0, True, (1, 2), False),
    ],
)
def test_open_round__is_the_first_without_a_certificate_in_which_this_seat_may_vote(
    certified: int, votable: bool, seats: tuple[int, ...], is_open: bool
) -> None:
    item = SimpleNamespace(votable=votable, seats=seats)
    history: Any = SimpleNamespace(rounds=[item], certified=certified)
    course: Any = SimpleNamespace(seat=0)
    found = Consent(history, course, RuleSet()).open_round()
    assert (found is not None) is is_open


def consent_of(
    accused: int | None = None,
    dummy: int | None = None,
    faulty: set[int] | None = None,
    excluded: set[int] | None = None,
    *,
    has_fault: bool = True,
    ended: bool = False,
    has_hand: bool = True,
) -> Consent:
    """What seat 0 decides where a fault stands against ``accused``."""
    history: Any = SimpleNamespace(
        fault="a fault" if has_fault else None,
        convictions=SimpleNamespace(held_against=lambda fault: accused),
        rounds=[],
        certified=0,
    )
    course: Any = SimpleNamespace(
        seat=0,
        hand=SimpleNamespace(dummy=dummy) if has_hand else None,
        faulty=faulty or set(),
        excluded=excluded or set(),
        ended=ended,
    )
    return Consent(history, course, RuleSet())


@pytest.mark.parametrize(
    ("consent", "seats"),
    [
        (consent_of(2), (2,)),
        (consent_of(0), ()),
        (consent_of(None), ()),
        (consent_of(2, dummy=1), ()),
        (consent_of(2, dummy=2), ()),
        (consent_of(2, faulty={2}), (2,)),
        (consent_of(2, faulty={1, 2}), ()),
        (consent_of(2, excluded={1}), ()),
        (consent_of(2, ended=True), ()),
        (consent_of(2, has_hand=False), ()),
    ],
)
def test_may_agree__to_go_on_without_who_broke_a_rule_while_a_dummy_can_be_made(
    consent: Consent, seats: tuple[int, ...]
) -> None:
    assert consent.may_agree() == seats


@pytest.mark.parametrize(
    ("consent", "stopped"),
    [
        (consent_of(2), False),
        (consent_of(2, dummy=2, faulty={2}, excluded={2}), False),
        (consent_of(2, dummy=1), True),
        (consent_of(2, faulty={1}), True),
        (consent_of(2, excluded={1}), True),
        (consent_of(None), True),
        (consent_of(0), True),
        (consent_of(2, has_hand=False), True),
        (consent_of(2, dummy=1, has_fault=False), False),
    ],
)
def test_fault__stops_a_seat_that_goes_on_without_the_accused_unless_two_are_missing(
    consent: Consent, stopped: bool
) -> None:
    consent.auto = True
    assert consent.is_stopped is stopped


def test_fault__stops_a_seat_until_its_player_has_decided_about_the_accused() -> None:
    consent = consent_of(2)
    assert consent.is_stopped
    consent.agree(2)
    assert not consent.is_stopped


def test_fault__stops_no_seat_that_reads_its_own_log() -> None:
    """What was said after the fault stands there: it had been decided to go on."""
    consent = consent_of(2)
    assert consent.is_stopped
    consent.is_reading = True
    assert not consent.is_stopped
