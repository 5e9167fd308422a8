"""Claiming the rest: whether a claim that would stand costs its seat nothing.

A true claim takes every card that is left. That is no loss where none of them counts, where they
make a moon, or where the seat could not lose a trick even if it wanted to.
"""

from __future__ import annotations

from typing import Final

from p2p_hearts.rules.cards import SUIT_FACES, Suit, cards_in, difference, of_faces, size
from p2p_hearts.rules.play import PlayState
from p2p_hearts.rules.rest import rest_is_worthless, taken_after_claim
from p2p_hearts.rules.score import moon_shooter
from p2p_hearts.rules.view import View

FEWEST_CARDS: Final = 2
"""The last card plays itself."""


def wants_claim(view: View) -> bool:
    """Return whether to claim the rest instead of playing a card."""
    play = view.play
    if not view.may_claim or play is None or size(view.hand) < FEWEST_CARDS:
        return False
    return rest_is_worthless(play) or _makes_a_moon(view, play) or _wins_in_any_order(view, play)


def _makes_a_moon(view: View, play: PlayState) -> bool:
    return moon_shooter(view.rules, taken_after_claim(play, view.seat)) == view.seat


def _wins_in_any_order(view: View, play: PlayState) -> bool:
    """Whether every card of the hand is higher than all cards of its suit that are out."""
    out = difference(play.unseen, view.hand)
    for suit in Suit:
        mine = cards_in(of_faces(view.hand, SUIT_FACES[suit]))
        others = cards_in(of_faces(out, SUIT_FACES[suit]))
        if mine and others and mine[0] <= others[-1]:
            return False
    return True
