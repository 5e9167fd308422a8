"""The moon, from both sides: whether to try it, and whether somebody else tries it.

What stops a moon is a trick *won* with a penalty card in it. A heart thrown on the shooter's
trick does not stop it: the shooter takes that one too (docs/rules.md, "The moon").
"""

from __future__ import annotations

from typing import Final, NamedTuple

from p2p_hearts.bots.reading import Reading
from p2p_hearts.rules.cards import SUIT_FACES, Card, CardSet, Suit, cards_in, of_faces
from p2p_hearts.rules.options import Moon
from p2p_hearts.rules.score import MoonChoice, points_of, safe_choice
from p2p_hearts.rules.view import View

NOTICED: Final = 0.23
"""A seat that alone has taken this part of the penalty points may be shooting the moon."""

FAR: Final = 0.5
"""With this part of them the own moon is tried though a card may lose its trick."""


class Threat(NamedTuple):
    """A seat that may be shooting the moon, and how far it is, 0 to 1."""

    seat: int
    progress: float


def threat(reading: Reading) -> Threat | None:
    """Return the other seat that has taken all penalty cards so far, if they are many."""
    sole = _sole_taker(reading)
    if sole is None or sole == reading.seat:
        return None
    progress = _progress(reading, sole)
    return Threat(sole, progress) if progress >= NOTICED else None


def attack(reading: Reading) -> bool:
    """Return whether to shoot the moon.

    Nobody else has a penalty card, and the hand wins (nearly) every trick that is left.
    """
    if reading.rules.moon is Moon.OFF or reading.rules.packs == 2:
        return False
    taken = reading.play.taken
    penalties = reading.rules.penalty_cards
    if any(cards & penalties for seat, cards in enumerate(taken) if seat != reading.seat):
        return False
    allowed = 1 if _progress(reading, reading.seat) >= FAR else 0
    return bool(reading.out & penalties or reading.hand & penalties) and (
        len(losers(reading)) <= allowed
    )


def losers(reading: Reading) -> list[Card]:
    """Return the own cards that may lose a trick if each suit is led from the top.

    The card that is led as number ``j`` of its suit, from 0, cannot lose once at most ``j``
    cards of the suit are out, or if it is higher than all of them.
    """
    found: list[Card] = []
    for suit in Suit:
        out = reading.out_in(suit)
        top = out.bit_length() and cards_in(out)[-1]
        mine = cards_in(of_faces(reading.hand, SUIT_FACES[suit]))
        for led_before, card in enumerate(reversed(mine)):
            if led_before < out.bit_count() and card <= top:
                found.append(card)
    return found


def choose_moon(view: View) -> MoonChoice:
    """Return how the own moon counts: others add, unless that would lose the match now."""
    if view.play is None:
        raise ValueError("the play has not begun")
    match = view.match
    return safe_choice(
        view.rules,
        view.play.taken,
        match.totals,
        last_hand=match.on_last_hand,
        hands=match.hands,
    )


def _sole_taker(reading: Reading) -> int | None:
    penalties = reading.rules.penalty_cards
    takers = [seat for seat, cards in enumerate(reading.play.taken) if cards & penalties]
    return takers[0] if len(takers) == 1 and reading.rules.moon is not Moon.OFF else None


def _progress(reading: Reading, seat: int) -> float:
    penalties = CardSet(reading.play.taken[seat] & reading.rules.penalty_cards)
    return points_of(reading.rules, penalties) / reading.rules.total_penalty
