"""The computer player's habits, one position each."""

from __future__ import annotations

import random
from dataclasses import replace

from p2p_hearts.bots.heuristic import HeuristicPlayer
from p2p_hearts.bots.moon import attack, losers, threat
from p2p_hearts.bots.reading import Reading
from p2p_hearts.rules.cards import (
    ALL_CLASSES,
    EMPTY,
    CardClass,
    CardSet,
    ClassSet,
    Suit,
    card_name,
    card_set,
    cards_in,
    parse_card,
    size,
)
from p2p_hearts.rules.match import new_match
from p2p_hearts.rules.options import PRESETS, Moon, RuleSet
from p2p_hearts.rules.play import PlayState, playable, start_play
from p2p_hearts.rules.score import MoonChoice
from p2p_hearts.rules.trick import Trick
from p2p_hearts.rules.view import Phase, View
from tests.rules.dealer import deal

DEFAULT = RuleSet()
PLAYER = HeuristicPlayer()
LEFT, RIGHT, ACROSS = 1, 3, 2


def cards(text: str) -> CardSet:
    return card_set(parse_card(name) for name in text.split())


def passes(hand: str, offset: int = LEFT, rules: RuleSet = DEFAULT) -> set[str]:
    view = replace(
        deal(new_match(rules), 0, random.Random(1)).view(0), hand=cards(hand), offset=offset
    )
    return {card_name(card) for card in cards_in(PLAYER.choose_pass(view))}


def position(
    hand: str,
    trick: str = "",
    *,
    taken: dict[int, str] | None = None,
    gone: str = "",
    rules: RuleSet = DEFAULT,
    broken: bool = True,
    voids: dict[int, ClassSet] | None = None,
) -> View:
    """Seat 0 of four to play, after ``trick``; ``taken`` and ``gone`` (by seat 1 unless said
    otherwise) are the tricks before, cards not named are out."""
    held, table = cards(hand), [parse_card(name) for name in trick.split()]
    piles = [cards((taken or {}).get(seat, "")) for seat in range(4)]
    piles[1] = CardSet(piles[1] | cards(gone))
    unseen = rules.pack_set
    for pile in piles:
        unseen = CardSet(unseen & ~pile)
    unseen = CardSet(unseen & ~card_set(table))
    left = size(held)
    leader = (-len(table)) % 4
    state = start_play(rules, 3, leader)
    past = state.past._replace(
        tricks=(Trick(0, (), 0),) * (13 - left), taken=tuple(piles), broken=broken
    )
    # A finished trick sets the preferences; here one is made up.
    past = past._replace(preferred=_later_preferences(rules, broken))
    plays = tuple(((leader + at) % 4, card) for at, card in enumerate(table))
    play = PlayState(past, plays, unseen, 0)
    counts = [left] * 4
    for seat, _ in plays:
        counts[seat] -= 1
    return View(
        rules=rules,
        seat=0,
        phase=Phase.PLAY,
        hand_number=1,
        dealer=3,
        offset=0,
        match=new_match(rules),
        hand=held,
        passed=EMPTY,
        received=EMPTY,
        play=play,
        legal=playable(held, play),
        counts=tuple(counts),
        void_classes=tuple((voids or {}).get(seat, ClassSet(0)) for seat in range(4)),
        known=(EMPTY,) * 4,
    )


def _later_preferences(rules: RuleSet, broken: bool) -> tuple[tuple[CardSet, ...], ...]:
    heart = "2H" if broken else "6C"
    state = start_play(rules, 3, 0)
    for name in ("2C", "3C", "4C", "5C", "7C", "8C", "9C", heart):
        state = state.play(parse_card(name))
    return state.past.preferred


def plays(view: View) -> str:
    return card_name(PLAYER.choose_card(view))


# -- passing -------------------------------------------------------------------------------------


def test_pass__gives_away_an_unguarded_queen_and_what_takes_it() -> None:
    assert passes("2C 3C 4C 5C 2D 3D 4D QS KS AS 2H 3H 4H") == {"QS", "KS", "AS"}


def test_pass__keeps_a_queen_with_four_low_spades() -> None:
    assert "QS" not in passes("2C 9C KC AC 9D KD 2S 4S 6S 8S QS 2H KH")


def test_pass__rather_keeps_the_queen_from_going_across() -> None:
    hand = "2C 9C KC AC 9D KD AD 2S 4S 6S QS 2H KH"
    assert "QS" in passes(hand, LEFT)
    assert "QS" in passes(hand, RIGHT)
    assert "QS" not in passes(hand, ACROSS)


def test_pass__keeps_low_spades() -> None:
    assert not passes("2C 3C 4C 5C 2D 3D 4D 2S 3S 4S AH KH QH") & {"2S", "3S", "4S"}


def test_pass__gives_high_hearts() -> None:
    assert {"AH", "KH"} <= passes("2C 3C 4C 5C 2D 3D 4D 2S 3S 4S 5S KH AH")


def test_pass__empties_a_short_suit() -> None:
    assert {"9D", "QD"} <= passes("2C 3C 4C 5C 6C 9D QD 2S 3S 4S 2H 3H 4H")


def test_pass__keeps_the_jack_and_what_wins_it_in_omnibus() -> None:
    hand = "9C QC KC AC 2D JD QD AD 2S 3S 2H KH AH"
    assert not passes(hand, rules=PRESETS["omnibus"]) & {"JD", "QD", "AD"}


# -- following and discarding --------------------------------------------------------------------


def test_play__ducks_with_the_highest_card_below() -> None:
    assert plays(position("2D 8D KD 3H", "3D 10D 4H")) == "8D"


def test_play__takes_a_clean_trick_with_its_highest_card_when_last() -> None:
    assert plays(position("JD KD 2S 3H", "3D 10D 4D")) == "KD"


def test_play__gives_the_queen_as_soon_as_it_can() -> None:
    assert plays(position("QS AC KH 2H", "3D 10D")) == "QS"
    assert plays(position("QS 2S KC 2H", "3S KS")) == "QS"


def test_play__does_not_take_the_queen_with_a_high_spade_it_can_keep() -> None:
    assert plays(position("3S KS 2H 3H", "4S QS")) == "3S"


def test_play__stays_below_the_queen_while_it_is_out() -> None:
    assert plays(position("9S KS 2H 3H", "4S")) == "9S"


def test_play__does_not_lead_what_only_the_own_hand_holds() -> None:
    gone = "2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC"
    assert plays(position("AC 2D 3H", gone=gone)) != "AC"


def test_play__wins_the_jack_in_omnibus() -> None:
    rules = PRESETS["omnibus"]
    assert plays(position("2D KD 3H 4H", "3D JD 4D", rules=rules)) == "KD"


def test_play__keeps_to_the_rule_of_trick_one() -> None:
    rules = RuleSet()
    state = start_play(rules, 0, 1)
    for name in ("2C", "3C", "4C"):
        state = state.play(parse_card(name))
    hand = cards("QS 2D 3D 4D 5D 6D 7D 2H 3H 4H KH AH 2S")
    view = replace(position("2D"), hand=hand, play=state, legal=playable(hand, state))
    assert not cards(plays(view)) & rules.penalty_faces


# -- the moon ------------------------------------------------------------------------------------

SHOOTER_HAS = "QS 2H 3H 4H 5H 6H 7H"


def test_threat__is_the_only_taker_of_many_penalties() -> None:
    danger = threat(Reading(position("KH 9H 2C 3C", "AC", taken={3: SHOOTER_HAS})))
    assert danger is not None
    assert danger.seat == 3
    two = {3: SHOOTER_HAS.removesuffix(" 7H"), 2: "7H"}
    assert threat(Reading(position("KH 9H 2C 3C", "AC", taken=two))) is None
    assert threat(Reading(position("KH 9H 2C 3C", "AC", taken={3: "2H 3H"}))) is None
    off = RuleSet(moon=Moon.OFF)
    assert threat(Reading(position("KH 9H", "AC", taken={3: SHOOTER_HAS}, rules=off))) is None


def test_play__does_not_feed_a_stopper_to_the_shooter() -> None:
    """Seat 3 has led a club that nobody can beat; the king of hearts is kept to win a trick."""
    view = position("KH AD 2D", "AC", taken={3: SHOOTER_HAS})
    assert plays(view) != "KH"


def test_play__stops_the_moon_by_winning_a_heart() -> None:
    """Seat 3, shooting, leads the queen of hearts; taking two points is cheaper than 26."""
    view = position("8H KH 2D", "QH 9H 10H", taken={1: SHOOTER_HAS})
    assert plays(view) == "KH"


def test_play__ducks_the_same_heart_when_nobody_is_shooting() -> None:
    view = position("8H KH 2D", "QH 9H 10H", taken={1: "2H 3H 4H", 2: "QS 5H 6H 7H"})
    assert plays(view) == "8H"


def test_attack__with_nothing_but_winners() -> None:
    view = position("AC KC AD AS AH KH", taken={0: "QS 2H 3H 4H"})
    assert losers(Reading(view)) == []
    assert attack(Reading(view))
    assert plays(view) in {"AC", "KC", "AD", "AS"}
    split = position("AC KC AD AS AH KH", taken={0: "QS 2H 3H", 2: "4H"})
    assert not attack(Reading(split))


def test_losers__a_queen_is_none_once_the_king_alone_must_fall() -> None:
    gone = "2H 3H 4H 5H 6H 7H 8H 9H 10H JH"
    assert losers(Reading(position("AH QH", gone=gone))) == []
    guarded = losers(Reading(position("AH QH", gone=gone.removesuffix(" JH"))))
    assert guarded == [parse_card("QH")]


def test_choose_moon__never_loses_the_match() -> None:
    rules = RuleSet(moon=Moon.CHOICE)
    view = position("2C", rules=rules)
    assert view.play is not None
    past = view.play.past._replace(taken=(rules.pack_set, EMPTY, EMPTY, EMPTY))
    view = replace(view, play=view.play._replace(past=past), phase=Phase.CHOOSE_MOON)
    assert PLAYER.choose_moon(view) is MoonChoice.OTHERS_ADD
    behind = replace(new_match(rules), totals=(90, 10, 20, 80))
    assert PLAYER.choose_moon(replace(view, match=behind)) is MoonChoice.SHOOTER_SUBTRACTS


# -- reading -------------------------------------------------------------------------------------


def test_reading__a_proven_void_is_certain_and_a_known_card_too() -> None:
    spades = ClassSet(1 << CardClass.SPADES | 1 << CardClass.QUEEN)
    view = position("2C 3C 4C 5C", voids={1: spades})
    queen = parse_card("QS")
    known = (EMPTY, EMPTY, card_set([queen]), EMPTY)
    reading = Reading(replace(view, known=known))
    assert reading.chance_void(1, Suit.SPADES) == 1.0
    assert reading.chance_void(2, Suit.SPADES) == 0.0
    assert reading.chance_holds(1, queen) == 0.0
    assert reading.chance_holds(2, queen) == 1.0
    assert reading.chance_holds(3, queen) == 0.0
    assert Reading(replace(view, void_classes=(ALL_CLASSES,) * 4)).chance_holds(1, queen) == 0
