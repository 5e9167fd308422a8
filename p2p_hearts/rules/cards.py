"""Cards and sets of cards as integers: quick to compare, to hash and to put on the wire.

A ``Card`` is a *face*, 0 to 51: ``suit * 13 + rank - 2``. With two packs a face exists twice;
its two copies are one card to the rules and two positions in a hand.

A ``CardSet`` is a bit mask of 104 bits: bit ``c`` says that the set holds face ``c``, bit
``52 + c`` that it holds it twice. The second bit is set only where the first one is, so every
set has one representation and equal sets are equal integers.

Errors: ``ValueError`` for a name that is no card and for taking out a card that is not in.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Final, NewType

Card = NewType("Card", int)
CardSet = NewType("CardSet", int)
ClassSet = NewType("ClassSet", int)

FACE_COUNT: Final = 52
"""Faces of one pack, and the distance in a ``CardSet`` from a first copy to a second one."""


class Suit(IntEnum):
    """The suits in the order in which hands are sorted and decks are listed."""

    CLUBS = 0
    DIAMONDS = 1
    SPADES = 2
    HEARTS = 3


class CardClass(IntEnum):
    """What the rules need to know of a hidden card (protocol/SPEC.md section 5)."""

    OPENING = 0
    CLUBS = 1
    DIAMONDS = 2
    SPADES = 3
    QUEEN = 4
    HEARTS = 5


ALL_CLASSES: Final = ClassSet((1 << len(CardClass)) - 1)

EMPTY: Final = CardSet(0)
FACES: Final = CardSet((1 << FACE_COUNT) - 1)
"""Every face once."""

SUIT_FACES: Final[tuple[CardSet, ...]] = tuple(CardSet(0x1FFF << 13 * suit) for suit in Suit)
"""The thirteen faces of each suit, in the order of ``Suit``."""

RANK_NAMES: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUIT_LETTERS: Final = "CDSH"
SUIT_SYMBOLS: Final = "♣♦♠♥"


def make_card(suit: Suit, rank: int) -> Card:
    """Return the card of ``suit`` and ``rank`` (2 to 14, the ace is 14); ``ValueError`` outside."""
    if not 2 <= rank <= 14:
        raise ValueError(f"a rank is 2 to 14, not {rank}")
    return Card(suit * 13 + rank - 2)


QUEEN_OF_SPADES: Final = make_card(Suit.SPADES, 12)
JACK_OF_DIAMONDS: Final = make_card(Suit.DIAMONDS, 11)


def suit_of(card: Card) -> Suit:
    """Return the suit of a card."""
    return _SUITS[card // 13]


def rank_of(card: Card) -> int:
    """Return the rank of a card, 2 to 14: the ace is high."""
    return card % 13 + 2


def card_name(card: Card) -> str:
    """Rank and suit letter: ``QS``, ``10H``."""
    return RANK_NAMES[card % 13] + SUIT_LETTERS[card // 13]


def parse_card(text: str) -> Card:
    """Return the card ``text`` names: ``qs``, ``10h``, ``Th``, ``Q♠``; ``ValueError`` if none."""
    name = text.strip().replace("\ufe0f", "").upper()
    rank, suit = _RANKS_BY_NAME.get(name[:-1]), _SUITS_BY_NAME.get(name[-1:])
    if rank is None or suit is None:
        raise ValueError(f"{text!r} is no card; write rank and suit, such as QS or 10H")
    return make_card(suit, rank)


def card_set(cards: Iterable[Card]) -> CardSet:
    """Return the set of ``cards``, a card twice if named twice; ``ValueError`` for a third."""
    bits = [1 << card for card in cards]
    if (total := sum(bits)).bit_count() == len(bits):  # nothing was carried: no two are alike
        return CardSet(total)
    faces = second = 0
    for bit in bits:
        if not faces & bit:
            faces |= bit
        elif not second & bit:
            second |= bit
        else:
            card = Card(bit.bit_length() - 1)
            raise ValueError(f"{card_name(card)} is named more than twice")
    return CardSet(faces | second << FACE_COUNT)


def _cards_of_suit(suit: Suit) -> list[tuple[Card, ...]]:
    """Return the cards of a suit for each of the 8,192 masks of its ranks."""
    found: list[tuple[Card, ...]] = [()]
    for rank in range(13):
        card = Card(suit * 13 + rank)
        found += [(*lower, card) for lower in found]
    return found


_CLUBS, _DIAMONDS, _SPADES, _HEARTS = (_cards_of_suit(suit) for suit in Suit)


def cards_in(cards: CardSet) -> tuple[Card, ...]:
    """Return the cards of a set, sorted by suit and rank; a card held twice is listed twice."""
    if cards > FACES:
        faces = cards & FACES
        return tuple(sorted(cards_in(CardSet(faces)) + cards_in(CardSet(cards >> FACE_COUNT))))
    return (
        _CLUBS[cards & 0x1FFF]
        + _DIAMONDS[cards >> 13 & 0x1FFF]
        + _SPADES[cards >> 26 & 0x1FFF]
        + _HEARTS[cards >> 39]
    )


def size(cards: CardSet) -> int:
    """How many cards a set holds, copies counted."""
    return cards.bit_count()


def contains(cards: CardSet, card: Card) -> bool:
    """Whether the set holds at least one copy of ``card``."""
    return bool(cards >> card & 1)


def copies(cards: CardSet, card: Card) -> int:
    """How many copies of ``card`` the set holds, 0 to 2."""
    return (cards >> card & 1) + (cards >> FACE_COUNT + card & 1)


def add(cards: CardSet, card: Card) -> CardSet:
    """Return the set with one more copy of ``card``; ``ValueError`` if it holds two already."""
    bit = 1 << card
    if cards & bit:
        bit <<= FACE_COUNT
        if cards & bit:
            raise ValueError(f"the set holds both copies of {card_name(card)} already")
    return CardSet(cards | bit)


def remove(cards: CardSet, card: Card) -> CardSet:
    """Return the set with one copy of ``card`` less; ``ValueError`` if it holds none."""
    bit = 1 << card
    if not cards & bit:
        raise ValueError(f"the set does not hold {card_name(card)}")
    if cards >> FACE_COUNT & bit:  # of two copies the second goes first
        bit <<= FACE_COUNT
    return CardSet(cards ^ bit)


def union(cards: CardSet, others: CardSet) -> CardSet:
    """Return both sets together, copies added up; ``ValueError`` for a third copy."""
    if not cards & others:  # no face in common: nothing to add up
        return CardSet(cards | others)
    for card in cards_in(others):
        cards = add(cards, card)
    return cards


def difference(cards: CardSet, others: CardSet) -> CardSet:
    """Return the first set without the second; ``ValueError`` if a card is not in it."""
    for card in cards_in(others):
        cards = remove(cards, card)
    return cards


def of_faces(cards: CardSet, faces: CardSet) -> CardSet:
    """Return those cards of a set, all copies, whose face is among ``faces``."""
    return CardSet(cards & (faces | faces << FACE_COUNT))


def twice(faces: CardSet) -> CardSet:
    """Return both copies of every one of ``faces``."""
    return CardSet(faces | faces << FACE_COUNT)


_SUITS: Final = tuple(Suit)
_RANKS_BY_NAME: Final = {name: rank for rank, name in enumerate(RANK_NAMES, 2)} | {"T": 10}
_SUITS_BY_NAME: Final = (
    dict(zip(SUIT_LETTERS, Suit, strict=True))
    | dict(zip(SUIT_SYMBOLS, Suit, strict=True))
    | dict(zip("♧♢♤♡", Suit, strict=True))
)
