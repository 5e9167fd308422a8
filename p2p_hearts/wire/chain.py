"""Heads: one hash that names a whole history (protocol/SPEC.md section 6.4).

Pure functions that the table and the audit both compute, each over what it holds itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from p2p_hearts.wire.envelope import digest
from p2p_hearts.wire.messages import NO_HASH, Content


class Place(NamedTuple):
    """Where a round stands in a table's history; places compare in the order of play."""

    hand: int
    attempt: int
    round: int


def place_of(content: Content) -> Place:
    """Return the place a content claims."""
    return Place(content.hand, content.attempt, content.round)


def first_head(table: bytes) -> bytes:
    """Head before the first round of a formation; ``table`` is the roster's hash."""
    return digest("first-head", table)


def next_head(prev: bytes, place: Place, hashes: Sequence[tuple[int, bytes]]) -> bytes:
    """Head of a round: the head before it and, in seat order, each seat's content hash.

    The hash of a content leaves its signature out, so that two signatures of one content do not
    make two histories. For a speaker that the round was closed without, ``NO_HASH`` stands.
    """
    numbers = (*place, len(hashes))
    parts = [number.to_bytes(4, "big") for number in numbers]
    for seat, content in sorted(hashes):
        parts += [seat.to_bytes(4, "big"), content]
    return digest("head", prev, *parts)


__all__ = ["NO_HASH", "Place", "first_head", "next_head", "place_of"]
