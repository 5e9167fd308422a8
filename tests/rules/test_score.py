from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_hearts.rules.cards import (
    EMPTY,
    CardSet,
    card_set,
    cards_in,
    difference,
    of_faces,
    parse_card,
)
from p2p_hearts.rules.match import Match, new_match
from p2p_hearts.rules.options import PRESETS, HeartPoints, Moon, RuleSet, Tie
from p2p_hearts.rules.score import (
    MoonChoice,
    choosing_shooter,
    hand_scores,
    moon_shooter,
    safe_choice,
    score_hand,
)
from tests.rules import naive
from tests.rules.strategies import generators, rule_sets

ZERO = (0, 0, 0, 0)


def cards(text: str) -> CardSet:
    return card_set(parse_card(name) for name in text.split())


HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH"


def piles(rules: RuleSet, *texts: str) -> tuple[CardSet, ...]:
    """What each seat took: the cards named, and the rest of the pack to the last seat."""
    taken = [cards(text) for text in texts]
    taken += [EMPTY] * (rules.seats - len(taken))
    rest = rules.pack_set
    for pile in taken:
        rest = difference(rest, pile)
    return (*taken[:-1], CardSet(taken[-1] | rest))


def score(rules: RuleSet, *texts: str, choice: MoonChoice | None = None) -> tuple[int, ...]:
    return hand_scores(rules, piles(rules, *texts), (0,) * rules.seats, choice)


def test_hand_scores__a_heart_costs_one_and_the_queen_thirteen() -> None:
    assert score(RuleSet(), "2H AH", "QS", "KS AS") == (2, 13, 0, 11)


def test_hand_scores__hearts_cost_their_face_value_in_spot() -> None:
    assert score(PRESETS["spot"], "2H AH", "QS", "JH") == (16, 13, 11, 77)


def test_hand_scores__the_jack_pays_its_winner_in_omnibus() -> None:
    assert score(PRESETS["omnibus"], "2H JD", "QS") == (-9, 13, 0, 12)
    assert score(RuleSet(), "2H JD", "QS") == (1, 13, 0, 12)


def test_hand_scores__the_queen_is_free_in_the_british_form() -> None:
    assert score(PRESETS["british"], "2H QS", "3H") == (1, 1, 11)


MOON = (f"{HEARTS} QS", "")


@pytest.mark.parametrize(
    ("moon", "choice", "expected"),
    [
        (Moon.OTHERS_ADD, None, (0, 26, 26, 26)),
        (Moon.SHOOTER_SUBTRACTS, None, (-26, 0, 0, 0)),
        (Moon.CHOICE, MoonChoice.OTHERS_ADD, (0, 26, 26, 26)),
        (Moon.CHOICE, MoonChoice.SHOOTER_SUBTRACTS, (-26, 0, 0, 0)),
        (Moon.SAFE, None, (0, 26, 26, 26)),
        (Moon.OFF, None, (26, 0, 0, 0)),
    ],
)
def test_hand_scores__every_way_a_moon_counts(
    moon: Moon, choice: MoonChoice | None, expected: tuple[int, ...]
) -> None:
    assert score(RuleSet(moon=moon), *MOON, choice=choice) == expected


@pytest.mark.parametrize(
    ("heart_points", "queen_points", "worth"),
    [(HeartPoints.ONE, 13, 26), (HeartPoints.FACE, 13, 117), (HeartPoints.ONE, 0, 13)],
)
def test_hand_scores__a_moon_is_worth_the_hands_penalty_total(
    heart_points: HeartPoints, queen_points: int, worth: int
) -> None:
    rules = RuleSet(heart_points=heart_points, queen_points=queen_points)
    assert score(rules, *MOON) == (0, worth, worth, worth)


def test_moon_shooter__needs_the_hearts_only_where_the_queen_is_free() -> None:
    rules = RuleSet(queen_points=0)
    assert moon_shooter(rules, piles(rules, HEARTS, "QS")) == 0
    assert moon_shooter(RuleSet(), piles(RuleSet(), HEARTS, "QS")) is None


def test_moon_shooter__needs_both_copies_with_two_packs() -> None:
    rules = PRESETS["cancellation"]
    both = f"{HEARTS} {HEARTS} QS QS"
    assert moon_shooter(rules, piles(rules, "", both)) == 1
    assert score(rules, "", both) == (52, 0, 52, 52, 52, 52)
    one_less = both.removesuffix(" QS")
    assert moon_shooter(rules, piles(rules, "", one_less, "QS")) is None
    assert score(rules, "", one_less, "QS") == (0, 39, 13, 0, 0, 0)


def test_hand_scores__wants_a_choice_exactly_if_one_is_due() -> None:
    rules = RuleSet(moon=Moon.CHOICE)
    assert choosing_shooter(rules, piles(rules, *MOON)) == 0
    assert choosing_shooter(rules, piles(rules, HEARTS, "QS")) is None
    assert choosing_shooter(RuleSet(), piles(RuleSet(), *MOON)) is None
    with pytest.raises(ValueError, match="is due"):
        score(rules, *MOON)
    with pytest.raises(ValueError, match="not due"):
        score(rules, HEARTS, "QS", choice=MoonChoice.OTHERS_ADD)
    with pytest.raises(ValueError, match="not due"):
        score(RuleSet(), *MOON, choice=MoonChoice.OTHERS_ADD)


SAFE = RuleSet(moon=Moon.SAFE)


@pytest.mark.parametrize(
    ("rules", "totals", "expected"),
    [
        # Nobody reaches the target by 26 more: the others add.
        (SAFE, (50, 60, 70, 73), (0, 26, 26, 26)),
        # Somebody does, and the shooter then has the lowest total: the others add.
        (SAFE, (50, 60, 70, 74), (0, 26, 26, 26)),
        # Somebody does, and somebody else would win: the shooter subtracts.
        (SAFE, (87, 60, 70, 74), (-26, 0, 0, 0)),
        # A tie for the lowest total does not end the match: the others add.
        (SAFE, (86, 60, 70, 74), (0, 26, 26, 26)),
        # With the latest hand deciding ties the shooter wins that tie: the others add.
        (RuleSet(moon=Moon.SAFE, tie=Tie.LATEST_HAND), (86, 60, 70, 74), (0, 26, 26, 26)),
    ],
)
def test_hand_scores__a_safe_moon_never_loses_the_match(
    rules: RuleSet, totals: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    assert hand_scores(rules, piles(rules, *MOON), totals) == expected


def test_hand_scores__a_safe_moon_minds_the_last_hand_of_the_table() -> None:
    rules = RuleSet(moon=Moon.SAFE, hands=2)
    behind = Match(rules, (40, 5, 5, 6), ((40, 5, 5, 6),))
    assert behind.on_last_hand
    assert score_hand(behind, piles(rules, *MOON)) == (-26, 0, 0, 0)
    first = new_match(rules)
    assert score_hand(first, piles(rules, *MOON)) == (0, 26, 26, 26)


def test_hand_scores__a_safe_moon_minds_the_hands_that_break_a_tie() -> None:
    """Adding would leave two others level, and an earlier hand would give one of them the match."""
    rules = RuleSet(moon=Moon.SAFE, tie=Tie.LATEST_HAND)
    match = new_match(rules).add((30, 4, 6, 40)).add((30, 6, 4, 40))
    assert score_hand(match, piles(rules, *MOON)) == (-26, 0, 0, 0)


def test_safe_choice__needs_a_moon() -> None:
    with pytest.raises(ValueError, match="nobody"):
        safe_choice(RuleSet(), piles(RuleSet(), HEARTS, "QS"), ZERO)


# -- the second scorer ---------------------------------------------------------------------------


def random_piles(rules: RuleSet, rng: random.Random) -> tuple[CardSet, ...]:
    """The pack in random piles; often all penalties, or all but one, are in the same one."""
    shooter, spared = rng.randrange(rules.seats), rng.choice(rules.pack)
    moon = rng.random() < 0.5
    near = rng.random() < 0.4
    taken: list[list[int]] = [[] for _ in range(rules.seats)]
    for card in rules.pack:
        goes_to = rng.randrange(rules.seats)
        if (
            moon
            and of_faces(card_set([card]), rules.penalty_faces)
            and not (near and card == spared)
        ):
            goes_to = shooter
        taken[goes_to].append(card)
    return tuple(card_set(parse_card(_name(card)) for card in pile) for pile in taken)


def _name(card: int) -> str:
    return naive.RANKS[card % 13] + "CDSH"[card // 13]


def symbols(pile: CardSet) -> list[str]:
    return [naive.RANKS[card % 13] + "♣♦♠♥"[card // 13] for card in cards_in(pile)]


def compare_scores(rules: RuleSet, rng: random.Random) -> None:
    match = new_match(rules)
    seen: list[Sequence[int]] = []
    while not match.over and len(seen) < 12:
        taken = random_piles(rules, rng)
        chooser = choosing_shooter(rules, taken)
        choice = None if chooser is None else rng.choice(list(MoonChoice))
        last = len(seen) + 1 == rules.hands
        expected = naive.scores(
            rules, [symbols(pile) for pile in taken], match.totals, choice, last
        )
        got = score_hand(match, taken, choice)
        assert list(got) == expected
        match = match.add(got)
        seen.append(expected)
        totals = [sum(hand[seat] for hand in seen) for seat in range(rules.seats)]
        assert list(match.totals) == totals
        ended, winners = naive.end_of_match(rules, seen, totals, last)
        assert (match.over, list(match.winners)) == (ended, winners)


@settings(max_examples=150, deadline=None)
@given(rule_sets(), generators())
def test_score_hand__and_the_match_agree_with_the_naive_scorer(
    rules: RuleSet, rng: random.Random
) -> None:
    compare_scores(rules, rng)


@pytest.mark.deep
@settings(max_examples=20_000, deadline=None)
@given(rule_sets(), generators())
def test_score_hand__agrees_with_the_naive_scorer_for_thousands_of_matches(
    rules: RuleSet, rng: random.Random
) -> None:
    compare_scores(rules, rng)


@given(st.sampled_from([RuleSet(), PRESETS["omnibus"], PRESETS["spot"]]), generators())
def test_hand_scores__add_up_to_the_packs_points(rules: RuleSet, rng: random.Random) -> None:
    taken = random_piles(rules, rng)
    if moon_shooter(rules, taken) is None:
        assert sum(hand_scores(rules, taken, ZERO)) == rules.total_penalty + rules.jack_points
