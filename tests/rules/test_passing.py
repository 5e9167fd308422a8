from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_hearts.rules.options import PRESETS, RuleSet
from p2p_hearts.rules.passing import PASS_CYCLES, pass_offset, receiver, sender

LEFT, HOLD = 1, 0


@pytest.mark.parametrize(
    ("seats", "cycle"),
    [
        (3, [1, 2, 0]),  # left, right, hold
        (4, [1, 3, 2, 0]),  # left, right, across, hold
        (5, [1, 4, 2, 3, 0]),  # left, right, two left, two right, hold
        (6, [1, 5, 2, 4, 3, 0]),  # left, right, two left, two right, across, hold
    ],
)
def test_pass_offset__goes_through_every_offset_then_holds(seats: int, cycle: list[int]) -> None:
    rules = RuleSet(seats=seats)
    assert [pass_offset(rules, number) for number in range(1, 2 * seats + 1)] == cycle * 2
    assert sorted(PASS_CYCLES[seats]) == list(range(seats))


def test_pass_offset__is_a_hold_where_nothing_is_passed() -> None:
    for preset in ("cutthroat", "cancellation"):
        assert {pass_offset(PRESETS[preset], number) for number in range(1, 13)} == {HOLD}


def test_pass_offset__refuses_hand_zero() -> None:
    with pytest.raises(ValueError, match="from 1"):
        pass_offset(RuleSet(), 0)


@given(st.integers(3, 6), st.integers(1, 30), st.data())
def test_receiver__and_sender_are_each_others_inverse(
    seats: int, number: int, data: st.DataObject
) -> None:
    rules = RuleSet(seats=seats)
    offset = pass_offset(rules, number)
    seat = data.draw(st.integers(0, seats - 1))
    assert sender(rules, receiver(rules, seat, offset), offset) == seat


def test_receiver__of_a_left_pass_is_the_next_seat_clockwise() -> None:
    assert [receiver(RuleSet(), seat, LEFT) for seat in range(4)] == [1, 2, 3, 0]
