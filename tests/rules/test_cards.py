from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_hearts.rules.cards import (
    EMPTY,
    QUEEN_OF_SPADES,
    Card,
    Suit,
    add,
    card_name,
    card_set,
    cards_in,
    contains,
    copies,
    difference,
    make_card,
    of_faces,
    parse_card,
    rank_of,
    remove,
    size,
    suit_of,
    twice,
    union,
)

two_packs = st.lists(st.integers(0, 51).map(Card), max_size=104).map(
    lambda cards: [card for at, card in enumerate(cards) if cards[:at].count(card) < 2]
)


def test_cards__number_suit_by_suit_from_the_two_up() -> None:
    assert make_card(Suit.CLUBS, 2) == 0
    assert make_card(Suit.HEARTS, 14) == 51
    assert QUEEN_OF_SPADES == make_card(Suit.SPADES, 12) == 36
    assert (suit_of(QUEEN_OF_SPADES), rank_of(QUEEN_OF_SPADES)) == (Suit.SPADES, 12)


@pytest.mark.parametrize("rank", [1, 15])
def test_make_card__refuses_a_rank_that_is_none(rank: int) -> None:
    with pytest.raises(ValueError, match="2 to 14"):
        make_card(Suit.CLUBS, rank)


def test_card_name__reads_back() -> None:
    for face in range(52):
        assert parse_card(card_name(Card(face))) == face


@pytest.mark.parametrize(
    ("text", "name"),
    [("qs", "QS"), ("10h", "10H"), ("Th", "10H"), ("Q♠", "QS"), (" a♥ ", "AH"), ("2♧", "2C")],
)
def test_parse_card__reads_what_people_type(text: str, name: str) -> None:
    assert card_name(parse_card(text)) == name


@pytest.mark.parametrize("text", ["", "q", "s", "1h", "11h", "qx", "sq", "0s", "q s", "\x1b[2J"])
def test_parse_card__refuses_what_is_no_card(text: str) -> None:
    with pytest.raises(ValueError, match="no card"):
        parse_card(text)


@given(two_packs)
def test_card_set__holds_what_was_put_in(cards: list[Card]) -> None:
    held = card_set(cards)
    assert list(cards_in(held)) == sorted(cards)
    assert size(held) == len(cards)
    for face in map(Card, range(52)):
        assert copies(held, face) == cards.count(face)
        assert contains(held, face) == (face in cards)


@given(two_packs)
def test_card_set__has_one_representation(cards: list[Card]) -> None:
    assert card_set(cards) == card_set(reversed(cards))
    held = card_set(cards)
    for card in cards:
        assert add(remove(held, card), card) == held


@given(two_packs, two_packs)
def test_union__adds_copies_and_difference_takes_them_away(a: list[Card], b: list[Card]) -> None:
    b = [card for card in b if a.count(card) + b.count(card) <= 2]
    assert union(card_set(a), card_set(b)) == card_set(a + b)
    assert difference(card_set(a + b), card_set(b)) == card_set(a)


def test_card_set__refuses_a_third_copy() -> None:
    with pytest.raises(ValueError, match="more than twice"):
        card_set([QUEEN_OF_SPADES] * 3)
    with pytest.raises(ValueError, match="both copies"):
        union(card_set([QUEEN_OF_SPADES] * 2), card_set([QUEEN_OF_SPADES]))


def test_remove__refuses_a_card_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="does not hold QS"):
        remove(EMPTY, QUEEN_OF_SPADES)


def test_of_faces__takes_all_copies_of_the_faces() -> None:
    ace, king = parse_card("AS"), parse_card("KS")
    held = card_set([ace, ace, king])
    assert of_faces(held, card_set([ace])) == twice(card_set([ace]))
    assert of_faces(held, card_set([parse_card("2H")])) == EMPTY
