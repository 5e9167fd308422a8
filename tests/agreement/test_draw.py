"""The draw: nobody chooses seats, dealer or table id, and everybody reads the same words."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_hearts.agreement import draw as module
from p2p_hearts.agreement.draw import PHRASE_WORDS, Draw, commit_nonce, draw_table, phrase_of
from p2p_hearts.agreement.words import WORDS
from p2p_hearts.rules.cards import Card, rank_of, suit_of
from tests.table.sim import seeded

ROSTER, RULES = seeded("roster"), seeded("rules")


def draw_of(salt: object, seats: int = 4) -> Draw:
    return draw_table(ROSTER, RULES, [seeded(salt, place) for place in range(seats)])


def test_commit_nonce__binds_nonce_roster_and_place() -> None:
    """A commitment cannot be copied to another place, nor replayed in another formation."""
    commitments = {
        commit_nonce(roster, place, nonce)
        for roster in (ROSTER, seeded("other"))
        for place in range(4)
        for nonce in (seeded("one"), seeded("two"))
    }
    assert len(commitments) == 16


def test_draw__depends_on_every_nonce_on_the_roster_and_on_the_rules() -> None:
    nonces = [seeded(place) for place in range(4)]
    draws = {draw_table(ROSTER, RULES, nonces).table}
    for place in range(4):
        others = [*nonces[:place], seeded("other"), *nonces[place + 1 :]]
        draws.add(draw_table(ROSTER, RULES, others).table)
    draws.add(draw_table(seeded("other"), RULES, nonces).table)
    draws.add(draw_table(ROSTER, seeded("other"), nonces).table)
    draws.add(draw_table(ROSTER, RULES, nonces[::-1]).table)
    assert len(draws) == 8


@settings(max_examples=60, deadline=None)
@given(st.integers(), st.integers(3, 11))
def test_draw__gives_each_player_a_seat_and_the_deal_to_the_highest_card(
    salt: int, seats: int
) -> None:
    draw = draw_of(salt, seats)
    assert sorted(draw.seats) == list(range(seats))
    assert len(set(draw.cards)) == seats
    order = [(rank_of(card), suit_of(card)) for card in draw.cards]
    assert order[draw.dealer] == max(order)
    assert draw == draw_of(salt, seats)


def test_draw__seats_and_dealers_are_uniform() -> None:
    """Chi squared over 2,400 tables of four: 24 seatings, 4 dealers; bounds at p = 1e-6."""
    draws = [draw_of(("uniform", number)) for number in range(2400)]
    seatings = Counter(draw.seats for draw in draws)
    expected = len(draws) / 24
    assert (
        sum((seatings[order] - expected) ** 2 / expected for order in permutations(range(4))) < 73
    )
    dealers = Counter(draw.dealer for draw in draws)
    expected = len(draws) / 4
    assert sum((dealers[seat] - expected) ** 2 / expected for seat in range(4)) < 31
    cards = Counter(card for draw in draws for card in draw.cards)
    expected = 4 * len(draws) / 52
    assert sum((cards[Card(face)] - expected) ** 2 / expected for face in range(52)) < 120


def test_draw__leaves_out_the_numbers_that_would_favour_a_seat(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of 65,536 numbers one is too many for three seats: it is skipped."""
    monkeypatch.setattr(module, "_numbers", lambda table, label: iter([65535, 2, 0]))
    assert module._permutation(bytes(32), "seats", 3) == [1, 0, 2]


def test_phrase__has_forty_bits_of_words_that_are_easy_to_tell_apart() -> None:
    assert len(WORDS) == 256
    assert len(set(WORDS)) == 256
    assert list(WORDS) == sorted(WORDS)
    assert all(word.isascii() and word.isalpha() and word.islower() for word in WORDS)
    assert all(3 <= len(word) <= 8 for word in WORDS)
    assert PHRASE_WORDS * 8 >= 40


def test_phrase__is_the_same_for_the_same_table_alone() -> None:
    phrases = {phrase_of(seeded(number)) for number in range(500)}
    assert len(phrases) == 500
    assert phrase_of(seeded(1)) == phrase_of(seeded(1))
    assert all(len(phrase.split()) == PHRASE_WORDS for phrase in phrases)
    assert {word for phrase in phrases for word in phrase.split()} <= set(WORDS)
