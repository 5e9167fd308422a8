from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from p2p_hearts.rules.dealing import dealt, next_dealer
from p2p_hearts.rules.options import RuleSet
from tests.rules.strategies import rule_sets


def test_dealt__goes_round_from_the_dealers_left() -> None:
    deal = dealt(RuleSet(), 3)
    assert [hand[:2] for hand in deal.hands] == [(0, 4), (1, 5), (2, 6), (3, 7)]
    assert dealt(RuleSet(), 1).hands[2][:2] == (0, 4)
    assert deal.widow == ()


@given(rule_sets(), st.data())
def test_dealt__gives_every_position_once_and_equal_hands(
    rules: RuleSet, data: st.DataObject
) -> None:
    dealer = data.draw(st.integers(0, rules.seats - 1))
    deal = dealt(rules, dealer)
    given_out = [at for hand in deal.hands for at in hand] + list(deal.widow)
    assert sorted(given_out) == list(range(len(rules.pack)))
    assert {len(hand) for hand in deal.hands} == {rules.hand_size}
    assert len(deal.widow) == rules.widow_size
    for at in range(rules.seats * rules.hand_size):
        assert at in deal.hands[(dealer + 1 + at) % rules.seats]


def test_next_dealer__is_the_left_neighbour() -> None:
    assert [next_dealer(RuleSet(seats=3), seat) for seat in range(3)] == [1, 2, 0]
