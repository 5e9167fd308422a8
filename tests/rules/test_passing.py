from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_hearts.rules.cards import card_set, parse_card
from p2p_hearts.rules.options import PRESETS, RuleSet
from p2p_hearts.rules.passing import PASS_CYCLES, checked_pass, pass_offset, receiver, sender

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


HAND = card_set(map(parse_card, ["2C", "9D", "QS", "KS", "3H"]))


def test_checked_pass__takes_three_cards_of_the_hand() -> None:
    cards = [parse_card(name) for name in ("QS", "KS", "3H")]
    assert checked_pass(RuleSet(), HAND, cards) == card_set(cards)


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (["QS", "KS"], "3 cards are passed, not 2"),
        (["QS", "KS", "3H", "2C"], "3 cards are passed, not 4"),
        (["QS", "QS", "QS"], "QS is named more than once"),
        (["QS", "KS", "AS"], "AS is not in the hand"),
    ],
)
def test_checked_pass__says_what_is_wrong(names: list[str], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        checked_pass(RuleSet(), HAND, [parse_card(name) for name in names])


def test_checked_pass__lets_both_copies_go_where_the_hand_has_both() -> None:
    queen = parse_card("QS")
    rules, hand = RuleSet(pass_count=2), card_set([queen, queen])
    assert checked_pass(rules, hand, [queen, queen]) == hand
