"""One test for each kind of fault that public Hearts programs have shipped, with own cards."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.passing import check_selection
from p2p_hearts.rules.cards import (
    EMPTY,
    CardSet,
    card_name,
    card_set,
    cards_in,
    difference,
    parse_card,
)
from p2p_hearts.rules.match import Match, new_match
from p2p_hearts.rules.options import PRESETS, HeartPoints, Moon, RuleSet, Tie
from p2p_hearts.rules.passing import pass_offset
from p2p_hearts.rules.play import PlayState, playable, start_play
from p2p_hearts.rules.rest import claim_stands, taken_after_claim
from p2p_hearts.rules.score import hand_scores, moon_shooter, score_hand
from p2p_hearts.rules.trick import Trick
from p2p_hearts.rules.view import Phase, View
from tests.rules.dealer import RandomPlayer, begin, deal, play_hand

HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH"


def cards(text: str) -> CardSet:
    return card_set(parse_card(name) for name in text.split())


def piles(rules: RuleSet, *texts: str) -> tuple[CardSet, ...]:
    """What each seat took; the rest of the pack goes to the last seat."""
    taken = [cards(text) for text in texts] + [EMPTY] * (rules.seats - len(texts))
    rest = rules.pack_set
    for pile in taken:
        rest = difference(rest, pile)
    return (*taken[:-1], CardSet(taken[-1] | rest))


def played(rules: RuleSet, leader: int, text: str) -> PlayState:
    state = start_play(rules, 0, leader)
    for name in text.split():
        state = state.play(parse_card(name))
    return state


def legal(hand: str, state: PlayState) -> str:
    return " ".join(card_name(card) for card in cards_in(playable(cards(hand), state)))


def test_moon__is_not_tested_on_a_sum_of_points() -> None:
    spot = RuleSet(heart_points=HeartPoints.FACE)
    some = piles(spot, "QH AH")  # 26 points, and no moon
    assert moon_shooter(spot, some) is None
    assert hand_scores(spot, some, (0,) * 4)[0] == 26
    omnibus = PRESETS["omnibus"]
    whole = piles(omnibus, f"{HEARTS} QS JD")  # 16 points, and a moon
    assert moon_shooter(omnibus, whole) == 0
    assert hand_scores(omnibus, whole, (0,) * 4) == (-10, 26, 26, 26)


def test_moon__a_jack_elsewhere_neither_prevents_it_nor_is_lost() -> None:
    omnibus = PRESETS["omnibus"]
    taken = piles(omnibus, f"{HEARTS} QS", "JD")
    assert hand_scores(omnibus, taken, (0,) * 4) == (0, 16, 26, 26)


def test_moon__does_not_reach_into_the_next_hand() -> None:
    match = new_match(RuleSet())
    match = match.add(score_hand(match, piles(RuleSet(), f"{HEARTS} QS")))
    match = match.add(score_hand(match, piles(RuleSet(), "2H", "QS")))
    assert match.hands == ((0, 26, 26, 26), (1, 13, 0, 12))


def test_match_end__is_tested_after_the_moon_was_applied() -> None:
    # By the plain count seat 0 would come to 116. It goes down to 64 instead: no end.
    subtracts = RuleSet(moon=Moon.SHOOTER_SUBTRACTS)
    match = Match(subtracts, (90, 20, 30, 40), ((90, 20, 30, 40),))
    match = match.add(score_hand(match, piles(subtracts, f"{HEARTS} QS")))
    assert match.totals == (64, 20, 30, 40)
    assert not match.over
    # By the plain count nobody comes to 100. Seat 1 goes up to 106: the end.
    match = Match(RuleSet(), (10, 80, 30, 40), ((10, 80, 30, 40),))
    match = match.add(score_hand(match, piles(RuleSet(), f"{HEARTS} QS")))
    assert match.totals == (10, 106, 56, 66)
    assert match.winners == (0,)


def test_winner__may_be_above_the_target_too() -> None:
    match = Match(RuleSet(), (99, 98, 97, 99), ((99, 98, 97, 99),)).add((5, 8, 6, 7))
    assert match.totals == (104, 106, 103, 106)
    assert match.winners == (2,)


def test_tie__is_not_broken_by_the_number_of_the_seat() -> None:
    level = Match(RuleSet(), (80, 10, 20, 10), ((80, 10, 20, 10),)).add((26, 0, 0, 0))
    assert not level.over
    assert level.add((13, 10, 3, 0)).winners == (3,)
    latest = RuleSet(tie=Tie.LATEST_HAND)
    assert Match(latest, (80, 6, 20, 10), ((80, 6, 20, 10),)).add((22, 4, 0, 0)).winners == (3,)


def test_jack__is_credited_to_who_wins_it_not_to_who_played_it() -> None:
    rules = PRESETS["omnibus"]
    state = played(rules, 0, "2C 3C 4C 5C" + " 9D JD AD 2D")  # seat 3 leads, seat 0 plays J♦
    assert state.tricks[1].winner == 1
    assert state.tricks[1].cards[1] == (0, parse_card("JD"))
    assert hand_scores(rules, state.taken, (0,) * 4) == (0, -10, 0, 0)


def test_queen__does_not_break_hearts() -> None:
    state = played(RuleSet(), 0, "2C 3C 4C 5C 6C 7C QS AC")
    assert not state.broken
    assert legal("KC 3H", state) == "KC"


def test_heart__that_is_discarded_breaks_hearts() -> None:
    state = played(RuleSet(), 0, "2C 3C 4C 5C 6C 7C 9H AC")
    assert state.broken
    assert legal("KC 3H", state) == "KC 3H"


def test_heart__that_is_led_by_need_breaks_hearts_too() -> None:
    state = played(RuleSet(), 0, "2C 3C 4C 5C 6H 7H 2H 3H")
    assert legal("KC 3S AH", state) == "KC 3S AH"


def test_hand_of_hearts_only__may_lead_them() -> None:
    assert legal("3H 9H", played(RuleSet(), 0, "2C 3C 4C 5C")) == "3H 9H"


def test_trick_one__with_penalties_only_may_play_them() -> None:
    assert legal(HEARTS, played(RuleSet(), 0, "2C")) == HEARTS
    assert legal("QS " + HEARTS[3:], played(RuleSet(), 0, "2C")) == "QS " + HEARTS[3:]


def test_hold_hand__asks_nobody_for_a_pass() -> None:
    asked: list[int] = []

    class Asked(RandomPlayer):
        def choose_pass(self, view: View) -> CardSet:
            assert view.phase is Phase.PASS
            asked.append(view.hand_number)
            return super().choose_pass(view)

    rng = random.Random(4)
    match = new_match(RuleSet())
    for dealer in range(4):
        _, match = play_hand(match, dealer, [Asked(rng)] * 4, rng)
    assert sorted(asked) == [1] * 4 + [2] * 4 + [3] * 4
    assert [pass_offset(RuleSet(), number) for number in (4, 8, 12)] == [0, 0, 0]


@pytest.mark.parametrize("hand_number", [3, 4])
def test_opener__holds_the_opening_card_after_the_pass_and_in_a_hold_hand(
    hand_number: int,
) -> None:
    """The opener is who holds the card when play begins, passed on or not."""
    match = Match(RuleSet(), (0,) * 4, ((13, 13, 0, 0),) * (hand_number - 1))
    hand = begin(deal(match, 0, random.Random(8)))
    assert hand.play is not None
    seat = next(s for s in range(4) if hand.hands[s] & 1)
    assert hand.play.turn == seat
    assert legal("2C 3C AC", hand.play) == "2C"
    moved = begin(replace(hand, hands=(*hand.hands[1:], hand.hands[0])))
    assert moved.play is not None
    assert moved.play.turn == (seat - 1) % 4


def test_pass__the_same_card_three_times_is_refused() -> None:
    assert check_selection([2, 2, 2], count=3, hand_size=13) is Flaw.PASS_POSITIONS


def test_pass__of_two_cards_is_refused() -> None:
    assert check_selection([2, 3], count=3, hand_size=13) is Flaw.PASS_POSITIONS


def last_three(mine: str, others: str) -> PlayState:
    """Seat 0 leads to the last three tricks; nothing is proven about the others."""
    state = start_play(RuleSet(), 3, 0)
    left = CardSet(cards(mine) | cards(others))
    past = state.past._replace(
        tricks=(Trick(0, (), 0),) * 10,
        broken=True,
        taken=(CardSet(RuleSet().pack_set & ~left), EMPTY, EMPTY, EMPTY),
    )
    return PlayState(past, (), left, 0)


def test_claim_of_the_rest__is_refused_while_a_higher_heart_is_out() -> None:
    others = "AH 2C 3C 4C 5C 6C 7C 8C 9C"
    state = last_three("KH QH JH", others)
    assert not claim_stands(state, 0, cards("KH QH JH"))
    state = last_three("AH KH QH", others.replace("AH", "JH"))
    assert claim_stands(state, 0, cards("AH KH QH"))


def test_claim_of_the_rest__counts_every_point_that_is_left() -> None:
    state = last_three("AH KH QH", "JH 2C 3C 4C 5C 6C 7C 8C 9C")
    match = new_match(RuleSet())
    scores = score_hand(match, taken_after_claim(state, 0))
    assert scores == (0, 26, 26, 26)  # with the last hearts it is a moon


def test_match__keeps_its_last_hand() -> None:
    match = Match(RuleSet(), (90, 10, 20, 30), ((90, 10, 20, 30),)).add((13, 0, 5, 8))
    assert match.over
    assert match.hands[-1] == (13, 0, 5, 8)
    assert match.totals == tuple(map(sum, zip(*match.hands, strict=True)))


def test_moon_defence__a_heart_on_the_shooters_trick_does_not_stop_it_winning_one_does() -> None:
    queen_and_most = "QS " + HEARTS.removesuffix(" KH AH")
    # Seat 1 throws its king of hearts on the shooter's club; the ace falls there as well.
    fed = piles(RuleSet(), f"{queen_and_most} KH AH", "2C")
    assert hand_scores(RuleSet(), fed, (0,) * 4) == (0, 26, 26, 26)
    # Seat 1 keeps it, and wins a trick of hearts with it.
    won = piles(RuleSet(), f"{queen_and_most} AH", "KH")
    assert hand_scores(RuleSet(), won, (0,) * 4) == (25, 1, 0, 0)
