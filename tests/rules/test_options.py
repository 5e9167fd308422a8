from __future__ import annotations

import dataclasses
import os
import pickle
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given

from p2p_hearts.rules.cards import CardClass, card_name, card_set, contains, parse_card, size
from p2p_hearts.rules.options import (
    LEFT_OUT,
    OPTIONS,
    PRESETS,
    HeartPoints,
    Moon,
    Opening,
    RuleError,
    RuleSet,
    Tie,
)
from tests.rules import naive
from tests.rules.strategies import rule_sets

CANCELLATION = PRESETS["cancellation"]


def test_rule_set__defaults_are_black_lady() -> None:
    assert PRESETS["black-lady"] == RuleSet()
    assert RuleSet().hand_size == 13
    assert RuleSet().opening_card == parse_card("2C")
    assert RuleSet().total_penalty == 26


def test_rule_set__is_immutable() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        RuleSet().seats = 5  # type: ignore[misc]


@pytest.mark.parametrize(
    ("seats", "opening", "hand_size"), [(3, "3C", 17), (4, "2C", 13), (5, "3C", 10), (6, "4C", 8)]
)
def test_rule_set__one_pack_divides_evenly_and_opens_with_its_lowest_club(
    seats: int, opening: str, hand_size: int
) -> None:
    rules = RuleSet(seats=seats)
    assert rules.opening_card == parse_card(opening)
    assert (rules.hand_size, rules.widow_size) == (hand_size, 0)
    assert len(rules.pack) == hand_size * seats


@pytest.mark.parametrize(("seats", "widow"), [(6, 2), (7, 6), (8, 0), (9, 5), (10, 4), (11, 5)])
def test_rule_set__two_packs_leave_a_widow(seats: int, widow: int) -> None:
    rules = dataclasses.replace(CANCELLATION, seats=seats)
    assert rules.widow_size == widow
    assert rules.opening_card is None
    assert len(rules.pack) == 104


@given(rule_sets())
def test_rule_set__pack_is_the_naive_one(rules: RuleSet) -> None:
    assert sorted(rules.pack) == sorted(parse_card(card) for card in naive.pack(rules))
    assert list(rules.pack) == sorted(rules.pack)
    assert rules.pack_set == card_set(rules.pack)
    for card in rules.pack:
        symbol = card_name(card)[:-1] + "♣♦♠♥"[card // 13]
        assert rules.points(card) == naive.points(rules, symbol)
        assert contains(rules.penalty_cards, card) == naive.is_penalty(rules, symbol)
    penalties = [card for card in naive.pack(rules) if naive.is_penalty(rules, card)]
    assert rules.total_penalty == sum(naive.points(rules, card) for card in penalties)
    assert size(rules.penalty_cards) == len(penalties)


def test_card_class__tells_the_opening_card_and_the_queen_apart() -> None:
    rules = RuleSet(seats=5)
    assert rules.card_class(parse_card("3C")) is CardClass.OPENING
    assert rules.card_class(parse_card("4C")) is CardClass.CLUBS
    assert rules.card_class(parse_card("QS")) is CardClass.QUEEN
    assert rules.card_class(parse_card("KS")) is CardClass.SPADES
    assert rules.card_class(parse_card("QH")) is CardClass.HEARTS
    assert CANCELLATION.card_class(parse_card("2C")) is CardClass.CLUBS


@pytest.mark.parametrize(
    ("options", "option"),
    [
        ({"seats": 2}, "seats"),
        ({"seats": 7}, "seats"),
        ({"seats": 5, "packs": 2, "opening": Opening.NONE, "pass_count": 0}, "seats"),
        ({"seats": 12, "packs": 2, "opening": Opening.NONE, "pass_count": 0}, "seats"),
        ({"packs": 0}, "packs"),
        ({"packs": 3}, "packs"),
        ({"seats": 6, "packs": 2, "pass_count": 0}, "opening"),
        ({"seats": 6, "packs": 2, "opening": Opening.NONE}, "pass_count"),
        ({"pass_count": 14}, "pass_count"),
        ({"pass_count": -1}, "pass_count"),
        ({"seats": 6, "pass_count": 9}, "pass_count"),
        ({"queen_points": 12}, "queen_points"),
        ({"jack_points": 10}, "jack_points"),
        ({"target": 0}, "target"),
        ({"clock": 9}, "clock"),
        ({"clock": -1}, "clock"),
        ({"target": -100}, "target"),
        ({"target": 10**30}, "target"),
        ({"hands": -1}, "hands"),
        ({"seats": True}, "seats"),
        ({"target": 100.0}, "target"),
        ({"hearts_break": 1}, "hearts_break"),
        ({"moon": "choice"}, "moon"),
    ],
)
def test_rule_set__refuses_nonsense_by_option_and_reason(
    options: dict[str, Any], option: str
) -> None:
    with pytest.raises(RuleError) as refused:
        RuleSet(**options)
    assert refused.value.option == option
    assert refused.value.reason
    assert str(refused.value) == f"{option}: {refused.value.reason}"


@given(rule_sets())
def test_to_dict__reads_back_and_is_plain_and_sorted(rules: RuleSet) -> None:
    values = rules.to_dict()
    assert list(values) == sorted(OPTIONS.keys() - ({"clock"} if not rules.clock else set()))
    assert {type(value) for value in values.values()} <= {int, str, bool}
    again = RuleSet.from_dict(values)
    assert again == rules
    assert hash(again) == hash(rules)


@pytest.mark.parametrize(
    ("change", "option"),
    [
        ({"colour": 1}, "colour"),
        ({"seats": "4"}, "seats"),
        ({"seats": True}, "seats"),
        ({"hearts_break": 1}, "hearts_break"),
        ({"moon": "sideways"}, "moon"),
        ({"moon": 1}, "moon"),
        ({"moon": None}, "moon"),
        ({"target": 0}, "target"),
    ],
)
def test_from_dict__refuses_unknown_options_and_types(
    change: dict[str, object], option: str
) -> None:
    with pytest.raises(RuleError) as refused:
        RuleSet.from_dict({**RuleSet().to_dict(), **change})
    assert refused.value.option == option


def test_from_dict__refuses_a_clock_of_zero_for_a_rule_set_has_one_form() -> None:
    with pytest.raises(RuleError, match="left out") as refused:
        RuleSet.from_dict({**RuleSet().to_dict(), "clock": 0})
    assert refused.value.option == "clock"
    assert RuleSet.from_dict({**RuleSet().to_dict(), "clock": 45}) == RuleSet(clock=45)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("\x1b[2J\u202eevil", 1),
        ("moon", "\x9b2J"),
        ("x" * 4000, 1),
        ("moon", "a" + "\u0301" * 4000),
    ],
)
def test_from_dict__says_nothing_of_strangers_rules_that_could_paint_over_a_screen(
    name: str, value: str | int
) -> None:
    with pytest.raises(RuleError) as refused:
        RuleSet.from_dict({**RuleSet().to_dict(), name: value})
    assert str(refused.value).isascii()
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize("option", sorted(OPTIONS.keys() - LEFT_OUT))
def test_from_dict__refuses_a_missing_option(option: str) -> None:
    values = RuleSet().to_dict()
    del values[option]
    with pytest.raises(RuleError, match="missing") as refused:
        RuleSet.from_dict(values)
    assert refused.value.option == option


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [
        ("target", "50", RuleSet(target=50)),
        ("Queen-Waits", "YES", RuleSet(queen_waits=True)),
        ("hearts_break", "off", RuleSet(hearts_break=False)),
        ("jack_points", "-10", RuleSet(jack_points=-10)),
        ("moon", "Shooter_Subtracts", RuleSet(moon=Moon.SHOOTER_SUBTRACTS)),
        ("tie", "latest-hand", RuleSet(tie=Tie.LATEST_HAND)),
        ("heart_points", "face", RuleSet(heart_points=HeartPoints.FACE)),
        ("opening", "none", RuleSet(opening=Opening.NONE)),
    ],
)
def test_with_options__reads_what_a_person_writes(key: str, text: str, expected: RuleSet) -> None:
    assert RuleSet().with_options({key: text}) == expected


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("targets", "50"),
        ("target", "fifty"),
        ("target", ""),
        ("target", "9" * 5000),
        ("target", "٥٠"),
        ("queen_waits", "maybe"),
        ("moon", "full"),
        ("hash_value", "1"),
        ("pack", "1"),
    ],
)
def test_with_options__refuses_what_it_cannot_read(key: str, text: str) -> None:
    with pytest.raises(RuleError):
        RuleSet().with_options({key: text})


def test_with_options__are_judged_together() -> None:
    changes = {"seats": "8", "packs": "2", "opening": "none", "pass_count": "0"}
    assert RuleSet().with_options(changes) == dataclasses.replace(CANCELLATION, seats=8)


def test_presets__are_options_and_no_code() -> None:
    assert PRESETS["omnibus"] == RuleSet(jack_points=-10)
    assert PRESETS["spot"] == RuleSet(heart_points=HeartPoints.FACE, target=500)
    assert PRESETS["cutthroat"] == RuleSet(pass_count=0)
    assert PRESETS["british"] == RuleSet(seats=3, queen_points=0, moon=Moon.OFF)
    assert PRESETS["no-break"] == RuleSet(hearts_break=False)
    assert PRESETS["short"] == RuleSet(target=50)
    assert PRESETS["cardgames"] == RuleSet(first_trick_penalties=True)
    assert PRESETS["playboard"] == RuleSet(tie=Tie.LATEST_HAND)
    assert list(PRESETS) == [
        "black-lady", "omnibus", "spot", "cutthroat", "british", "cancellation", "no-break",
        "short", "cardgames", "playboard",
    ]  # fmt: skip


@given(rule_sets())
def test_rule_set__goes_through_a_pickle(rules: RuleSet) -> None:
    assert pickle.loads(pickle.dumps(rules)) == rules


@pytest.mark.parametrize("seed", ["1", "2"])
def test_rule_set__is_found_by_its_hash_in_another_process(seed: str) -> None:
    """Hashes of texts differ from one process to the next; equal rules are one key all the same."""
    code = (
        "import pickle, sys\n"
        "from p2p_hearts.rules.options import PRESETS\n"
        "assert pickle.load(sys.stdin.buffer) in {PRESETS['spot']: True}\n"
    )
    subprocess.run(
        [sys.executable, "-c", code],
        input=pickle.dumps(PRESETS["spot"]),
        env={**os.environ, "PYTHONHASHSEED": seed},
        check=True,
    )
