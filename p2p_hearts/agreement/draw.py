"""The draw: table id, seats, dealer and table phrase from everybody's nonces (SPEC.md section 8.3).

Pure functions, computed alike by every seat and by the audit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import shake_256

from p2p_hearts.agreement.words import WORDS
from p2p_hearts.crypto.framing import frame
from p2p_hearts.rules.cards import Card, rank_of, suit_of
from p2p_hearts.wire.envelope import digest

PHRASE_WORDS = 5
"""Five words of 256: 40 bits, spoken in a breath."""


@dataclass(frozen=True, slots=True)
class Draw:
    """What the nonces decided."""

    table: bytes
    """Table id, 32 bytes."""
    seats: tuple[int, ...]
    """By seat, clockwise: the player's place in the roster."""
    cards: tuple[Card, ...]
    """By seat: the card drawn for the deal."""
    dealer: int
    phrase: str


def commit_nonce(roster: bytes, place: int, nonce: bytes) -> bytes:
    """Commitment of one player to its nonce, bound to roster and place."""
    return digest("sit", roster, place.to_bytes(4, "big"), nonce)


def draw_table(roster: bytes, rules_hash: bytes, nonces: Sequence[bytes]) -> Draw:
    """Draw a table from the nonces, in roster order."""
    table = digest("table", roster, rules_hash, *nonces)
    seats = tuple(_permutation(table, "seats", len(nonces)))
    cards = tuple(Card(card) for card in _permutation(table, "deal", 52)[: len(nonces)])
    dealer = max(range(len(cards)), key=lambda seat: (rank_of(cards[seat]), suit_of(cards[seat])))
    return Draw(table, seats, cards, dealer, phrase_of(table))


def phrase_of(table: bytes) -> str:
    """Words to read to each other: same phrase, same table, same rules, nobody in between."""
    numbers = digest("phrase", table)[:PHRASE_WORDS]
    return " ".join(WORDS[number] for number in numbers)


def _permutation(table: bytes, label: str, size: int) -> list[int]:
    """Fisher-Yates over a stream derived from the table id, without modulo bias."""
    stream = _numbers(table, label)
    items = list(range(size))
    for last in range(size - 1, 0, -1):
        limit = 65536 - 65536 % (last + 1)
        pick = next(number for number in stream if number < limit) % (last + 1)
        items[last], items[pick] = items[pick], items[last]
    return items


def _numbers(table: bytes, label: str) -> Iterator[int]:
    block = 0
    while True:
        data = shake_256(frame(b"p2p-hearts draw", label.encode(), table, bytes([block]))).digest(
            512
        )
        yield from (int.from_bytes(data[at : at + 2], "big") for at in range(0, 512, 2))
        block += 1
