"""Of several faults the first one stands, and it is held against a seat that has been drawn."""

from __future__ import annotations

from itertools import permutations

import pytest

from p2p_hearts.table.convictions import Convictions
from p2p_hearts.wire.chain import Place
from p2p_hearts.wire.faults import Fault, Rule


def fault(rule: Rule, seat: int = 0, hand: int = 1, number: int = 0) -> Fault:
    return Fault(seat, rule, "key", hand, min(hand, 1), number, (b"envelope",))


def drawn(*faults: Fault) -> Convictions:
    found = Convictions(lambda: True)
    found.seat_players([2, 0, 1])
    for item in faults:
        found.add(item)
    return found


def test_fault__of_a_hand_is_held_against_its_seat_and_of_the_draw_against_the_seat_drawn() -> None:
    found = drawn()
    assert found.held_against(fault(Rule.BODY)) == 0
    assert found.held_against(fault(Rule.BODY, hand=0)) == 1


def test_fault__of_the_draw_is_held_against_nobody_before_the_draw_is_certified() -> None:
    found = Convictions(lambda: False)
    found.add(fault(Rule.CHAIN, hand=0))
    for places in ([], [2, 0, 1]):
        found.seat_players(places)
        assert found.held_against(fault(Rule.CHAIN, hand=0)) is None
        assert not found.proven
        assert not found.is_convicted(Place(1, 1, 0), 1)
        assert found.is_convicted(Place(0, 0, 0), 0), "in the draw it names places of the roster"


def test_fault__the_first_one_stands_in_whatever_order_they_are_found() -> None:
    first = fault(Rule.TWO_CONTENTS, 1)
    found = [first, fault(Rule.CHAIN, 1), fault(Rule.CHAIN, 2), fault(Rule.BODY, 0, number=1)]
    for order in permutations(found):
        convictions = drawn(*order)
        assert convictions.fault == first
        assert convictions.proven == {1: first, 2: found[2], 0: found[3]}


@pytest.mark.parametrize(
    ("rule", "is_liar", "is_proven"),
    [(Rule.CHAIN, True, True), (Rule.BALLOT, True, False), (Rule.SHUFFLE, False, False)],
)
def test_liars__are_those_with_a_fault_of_no_body(
    rule: Rule, is_liar: bool, is_proven: bool
) -> None:
    found = drawn(fault(rule, 2))
    assert (2 in found.liars, 2 in found.proven) == (is_liar, is_proven)
