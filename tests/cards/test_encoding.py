from __future__ import annotations

import pytest

from p2p_hearts.cards.encoding import CLASS, RANK, Encoding, generators
from p2p_hearts.crypto.group import BASE, IDENTITY, sum_elements
from p2p_hearts.rules.cards import (
    ALL_CLASSES,
    Card,
    CardClass,
    ClassSet,
    Suit,
    make_card,
    parse_card,
    rank_of,
)
from p2p_hearts.rules.options import PRESETS, RuleSet
from tests.cards.hands import FOUR


@pytest.mark.parametrize("name", PRESETS)
def test_encoding__every_card_has_its_own_element_and_returns_from_it(name: str) -> None:
    encoding = Encoding(PRESETS[name])
    faces = set(PRESETS[name].pack)
    assert set(encoding.points) == faces
    assert len(set(encoding.points.values())) == len(faces)
    assert all(encoding.card_of(encoding.point(card)) == card for card in faces)


def test_encoding__a_card_is_its_rank_and_its_class() -> None:
    encoding = Encoding(FOUR)
    for text, kind in (
        ("2C", CardClass.OPENING),
        ("3C", CardClass.CLUBS),
        ("AD", CardClass.DIAMONDS),
        ("KS", CardClass.SPADES),
        ("QS", CardClass.QUEEN),
        ("10H", CardClass.HEARTS),
    ):
        card = parse_card(text)
        ranks = sum_elements([RANK] * rank_of(card))
        assert encoding.point(card) == ranks + CLASS[kind]


def test_encoding__the_opening_class_follows_the_rules() -> None:
    three = Encoding(RuleSet(seats=3))
    assert three.point(parse_card("3C")) == 3 * RANK + CLASS[CardClass.OPENING]
    two_packs = Encoding(PRESETS["cancellation"])
    assert two_packs.point(parse_card("2C")) == 2 * RANK + CLASS[CardClass.CLUBS]


def test_encoding__all_generators_differ() -> None:
    assert len({BASE, IDENTITY, RANK, *CLASS.values()}) == 3 + len(CardClass)


def test_encoding__generators_of_a_class_set_stand_in_class_order() -> None:
    assert generators(ALL_CLASSES) == tuple(CLASS[kind] for kind in CardClass)
    chosen = ClassSet(1 << CardClass.HEARTS | 1 << CardClass.CLUBS)
    assert generators(chosen) == (CLASS[CardClass.CLUBS], CLASS[CardClass.HEARTS])


def test_encoding__a_card_outside_the_pack_has_no_element() -> None:
    three = Encoding(RuleSet(seats=3))
    removed = make_card(Suit.CLUBS, 2)
    with pytest.raises(ValueError, match="not in the pack"):
        three.point(removed)
    assert three.card_of(2 * RANK + CLASS[CardClass.CLUBS]) is None
    assert three.card_of(BASE) is None
    assert Card(52) not in Encoding(FOUR).points
