from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from p2p_hearts.rules.cards import parse_card
from p2p_hearts.rules.options import PRESETS, HeartPoints, Moon, Opening, RuleSet, Tie
from p2p_hearts.rules.texts import card_words, describe, pass_direction, symbol
from tests.rules.strategies import rule_sets


def text(rules: RuleSet) -> str:
    return "\n".join(describe(rules))


@given(rule_sets())
def test_describe__is_whole_sentences_for_all_rules(rules: RuleSet) -> None:
    sentences = describe(rules)
    assert len(sentences) >= 10
    assert len(set(sentences)) == len(sentences)
    for sentence in sentences:
        assert sentence[0].isupper() or sentence[0].isdigit()
        assert sentence.endswith(".")
        assert "  " not in sentence


@pytest.mark.parametrize(
    "change",
    [
        {"seats": 5},
        {"opening": Opening.NONE},
        {"pass_count": 2},
        {"first_trick_penalties": True},
        {"hearts_break": False},
        {"queen_waits": True},
        {"queen_breaks": True},
        {"heart_points": HeartPoints.FACE},
        {"queen_points": 0},
        {"jack_points": -10},
        {"moon": Moon.SAFE},
        {"target": 50},
        {"hands": 4},
        {"clock": 30},
        {"watchers": 0},
        {"watchers": 1},
        {"watcher_chat": True},
        {"tie": Tie.LATEST_HAND},
    ],
    ids=lambda change: next(iter(change)),
)
def test_describe__changes_with_every_option(change: dict[str, Any]) -> None:
    assert text(replace(RuleSet(), **change)) != text(RuleSet())


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (RuleSet(), "4 players, one pack of cards: 13 cards each."),
        (RuleSet(seats=6), "without 2♣, 2♦, 3♣ and 2♠: 8 cards each."),
        (PRESETS["cancellation"], "The 2 cards left over are the widow"),
        (RuleSet(), "hand by hand left, right, across, then a hand without a pass"),
        (RuleSet(seats=5), "left, right, 2 to the left, 2 to the right, then a hand without"),
        (RuleSet(pass_count=1), "1 card is passed"),
        (PRESETS["cutthroat"], "No cards are passed."),
        (RuleSet(seats=5), "Who holds 3♣ leads it to the first trick."),
        (RuleSet(opening=Opening.NONE), "The player at the dealer's left leads"),
        (RuleSet(), "No hearts or Q♠ on the first trick"),
        (PRESETS["british"], "No hearts on the first trick"),
        (PRESETS["cardgames"], "Penalty cards may be played on the first trick."),
        (RuleSet(), "Hearts cannot be led until a heart was played"),
        (RuleSet(queen_breaks=True), "until a heart or Q♠ was played"),
        (RuleSet(queen_waits=True), "Hearts and Q♠ cannot be led until"),
        (PRESETS["no-break"], "Hearts and Q♠ may be led at any time."),
        (RuleSet(hearts_break=False, queen_waits=True), "Q♠ cannot be led until a heart"),
        (RuleSet(), "Each heart costs 1 point, Q♠ costs 13: 26 points a hand."),
        (RuleSet(heart_points=HeartPoints.FACE), "117 points a hand."),
        (PRESETS["british"], "Q♠ costs nothing: 13 points a hand."),
        (PRESETS["omnibus"], "J♦ takes 10 points off whoever wins it."),
        (PRESETS["omnibus"], "J♦ has no part in the moon"),
        (RuleSet(), "everybody else scores 26, and the shooter nothing"),
        (RuleSet(moon=Moon.SHOOTER_SUBTRACTS), "the shooter scores -26"),
        (RuleSet(moon=Moon.CHOICE), "the shooter chooses"),
        (RuleSet(moon=Moon.SAFE), "but if that would end the match and another would win it"),
        (RuleSet(moon=Moon.OFF), "There is no shooting the moon."),
        (PRESETS["cancellation"], "all hearts and Q♠ of both packs"),
        (PRESETS["spot"], "reaches 500 points"),
        (RuleSet(), "another hand is played."),
        (RuleSet(tie=Tie.LATEST_HAND), "lowest in the latest hand"),
        (RuleSet(hands=1), "after 1 hand at the latest"),
        (RuleSet(hands=3), "after 3 hands at the latest"),
    ],
)
def test_describe__has_a_sentence_for_each_option(change: RuleSet, sentence: str) -> None:
    assert sentence in text(change)


def test_pass_direction__is_named_from_the_nearer_side() -> None:
    assert [pass_direction(5, offset) for offset in range(5)] == [
        "hold", "left", "2 to the left", "2 to the right", "right",
    ]  # fmt: skip
    assert [pass_direction(4, offset) for offset in range(4)] == [
        "hold", "left", "across", "right",
    ]  # fmt: skip


def test_card_names__as_symbols_and_as_words() -> None:
    assert symbol(parse_card("10H")) == "10♥"
    assert card_words(parse_card("QS")) == "the queen of spades"
    assert card_words(parse_card("10H")) == "the 10 of hearts"
