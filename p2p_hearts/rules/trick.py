"""Finished tricks and who wins one (docs/rules.md, "The tricks")."""

from __future__ import annotations

from typing import NamedTuple

from p2p_hearts.rules.cards import Card

Plays = tuple[tuple[int, Card], ...]
"""Seat and card, in the order in which they were played."""


class Trick(NamedTuple):
    """A finished trick; ``winner`` is ``None`` if every card that could win was cancelled."""

    leader: int
    cards: Plays
    winner: int | None


def trick_winner(cards: Plays, packs: int) -> int | None:
    """Return the seat with the highest card of the led suit.

    With two packs equal cards cancel each other and cannot win; ``None`` if no card of the
    led suit is left.
    """
    led = cards[0][1] // 13
    if packs == 2:
        cards = uncancelled(cards)
    best, winner = -1, None
    for seat, card in cards:
        if card > best and card // 13 == led:
            best, winner = card, seat
    return winner


def uncancelled(cards: Plays) -> Plays:
    """Return the plays whose card was played once only in this trick."""
    played = [card for _, card in cards]
    return tuple(play for play in cards if played.count(play[1]) == 1)
