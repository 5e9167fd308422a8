"""Players who let one seat shoot the moon, and seeds of hands in which it does."""

from __future__ import annotations

from p2p_hearts.rules.cards import (
    Card,
    CardSet,
    card_set,
    cards_in,
    contains,
    rank_of,
    suit_of,
)
from p2p_hearts.rules.options import Moon, RuleSet
from p2p_hearts.rules.score import MoonChoice
from p2p_hearts.rules.view import View

SHOOTER = 0

MOON = RuleSet(seats=3, pass_count=10, moon=Moon.CHOICE, hands=1)
"""Three seats who may pass ten of their seventeen cards: a moon is easily helped."""

MOON_SEEDS = (1, 14)
"""Seeds of hands by ``MOON`` in which the helped seat takes every penalty card."""

SAFE_SEED = 0
"""Likewise by ``MOON`` with a safe moon."""


class Helper:
    """High cards go to the shooter, penalty cards on the tricks that it wins, low cards else."""

    name = "helper"

    def __init__(self, choice: MoonChoice) -> None:
        self.choice = choice

    def choose_pass(self, view: View) -> CardSet:
        cards = sorted(cards_in(view.hand), key=rank_of)
        count, to = view.rules.pass_count, (view.seat + view.offset) % view.rules.seats
        return card_set(cards[-count:] if to == SHOOTER else cards[:count])

    def choose_card(self, view: View) -> Card:
        assert view.play is not None
        legal, trick = cards_in(view.legal), view.play.trick
        if view.seat == SHOOTER:
            return max(legal, key=rank_of)
        harmless = [card for card in legal if not contains(view.rules.penalty_faces, card)]
        led = view.play.led
        if led is not None and suit_of(legal[0]) is not led and len(harmless) < len(legal):
            winning = max((card, seat) for seat, card in trick if suit_of(card) is led)
            if winning[1] == SHOOTER:
                return max(card for card in legal if card not in harmless)
        return min(harmless or legal, key=rank_of)

    def choose_moon(self, view: View) -> MoonChoice:
        return self.choice

    def wants_claim(self, view: View) -> bool:
        return view.may_claim
