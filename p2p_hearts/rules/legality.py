"""Which cards the rules prefer: one predicate a rule (docs/rules.md, "The tricks").

Legality is a list of *preferences*, most binding first. Each is a set of faces that the rules
prefer in a situation; ``play.playable`` narrows a hand to them. Nothing here knows a hand.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple

from p2p_hearts.rules.cards import FACES, SUIT_FACES, CardSet, Suit, card_set
from p2p_hearts.rules.options import RuleSet


class Situation(NamedTuple):
    """All that legality depends on, apart from the hand."""

    first: bool
    """Trick one is being played."""
    broken: bool
    """Hearts were broken before this trick."""
    led: Suit | None
    """The suit that was led; ``None`` for the leader."""


def opening_card_opens(rules: RuleSet, now: Situation) -> CardSet:
    """Prefer the opening card as the first card of the hand."""
    if now.first and now.led is None and rules.opening_card is not None:
        return card_set([rules.opening_card])
    return FACES


def suit_is_followed(rules: RuleSet, now: Situation) -> CardSet:
    """Who holds a card of the led suit plays one."""
    return FACES if now.led is None else SUIT_FACES[now.led]


def trick_one_is_clean(rules: RuleSet, now: Situation) -> CardSet:
    """No penalty card on trick one, unless the table allows it."""
    if now.first and not rules.first_trick_penalties:
        return CardSet(FACES & ~rules.penalty_faces)
    return FACES


def hearts_wait_to_be_led(rules: RuleSet, now: Situation) -> CardSet:
    """Hearts, and Q♠ where the table says so, are not led before hearts are broken."""
    if now.led is None and not now.broken:
        return CardSet(FACES & ~rules.lead_waits)
    return FACES


Rule = Callable[[RuleSet, Situation], CardSet]
"""One rule of legality: the faces it prefers in a situation, all of them if it does not bind."""

PREFERENCES: Final[tuple[Rule, ...]] = (
    opening_card_opens,
    suit_is_followed,
    trick_one_is_clean,
    hearts_wait_to_be_led,
)
"""The rules of legality, the most binding first."""


def preferences(rules: RuleSet, now: Situation) -> tuple[CardSet, ...]:
    """Return the faces that each binding rule prefers in a situation, most binding rule first."""
    return tuple(faces for rule in PREFERENCES if (faces := rule(rules, now)) != FACES)


@lru_cache(maxsize=256)
def preferences_of_trick(
    rules: RuleSet, first: bool, broken: bool
) -> tuple[tuple[CardSet, ...], ...]:
    """``preferences`` for each led suit in turn and, last, for the leader."""
    return tuple(preferences(rules, Situation(first, broken, led)) for led in (*Suit, None))
