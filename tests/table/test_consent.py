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
