"""What the end of a hand is worth to a seat: its chance to win the match, told in points.

A match that the hand ends is won, shared or lost by the rules themselves. Otherwise the hands to
come are taken for chance: every seat's total drifts alike and spreads, and whoever is in front now
is the likelier to be in front then.
"""

from __future__ import annotations

from math import erf, sqrt
from typing import Final

from p2p_hearts.rules.cards import CardSet
from p2p_hearts.rules.match import Match
from p2p_hearts.rules.options import Moon, RuleSet
from p2p_hearts.rules.score import (
    MoonChoice,
    choosing_shooter,
    points_of,
    safe_choice,
    score_hand,
)

SPREAD: Final = 0.29
"""Standard deviation of a seat's points in a hand, in parts of all penalty points."""

FEWEST_HANDS: Final = 0.7
"""Hands to come are at least that many, where the match goes on."""


class Utility:
    """Values ends of the next hand of ``match`` for one seat."""

    def __init__(self, match: Match, seat: int, *, match_score: bool = True) -> None:
        """With ``match_score`` off only the points of the hand count."""
        self._match, self._seat = match, seat
        self._rules: RuleSet = match.rules
        self._match_score = match_score
        self._known: dict[tuple[int, ...], float] = {}
        self._base = self._chance(match)
        totals = list(match.totals)
        totals[seat] += 1
        worse = self._chance(Match(self._rules, tuple(totals), match.hands))
        # One own point, in chance to win; where the chance hardly moves, points decide.
        self._point = max(self._base - worse, 1e-4)

    def of(self, scores: tuple[int, ...]) -> float:
        """Return the value, in points, of a hand that ends with these scores."""
        value = self._known.get(scores)
        if value is None:
            value = self._known[scores] = self._value(scores)
        return value

    def scores(self, taken: tuple[CardSet, ...]) -> tuple[int, ...]:
        """Return the scores of the hand; a shooter that may choose does what is safe."""
        rules, match = self._rules, self._match
        if rules.moon is not Moon.OFF:
            penalty = rules.penalty_cards
            for pile in taken:
                if pile & penalty:
                    if pile & penalty == penalty:
                        return score_hand(match, taken, self._choice(taken))
                    break
        return tuple([points_of(rules, cards) for cards in taken])

    def _choice(self, taken: tuple[CardSet, ...]) -> MoonChoice | None:
        rules, match = self._rules, self._match
        if choosing_shooter(rules, taken) is None:
            return None
        return safe_choice(
            rules, taken, match.totals, last_hand=match.on_last_hand, hands=match.hands
        )

    def _value(self, scores: tuple[int, ...]) -> float:
        own = scores[self._seat]
        ahead = (sum(scores) - own) / (len(scores) - 1) - own
        if not self._match_score:
            return ahead
        chance = self._chance(self._match.add(scores))
        # A little of the points decides between ends that are equally good for the match.
        return (chance - self._base) / self._point + 0.05 * ahead

    def _chance(self, match: Match) -> float:
        """Return the seat's chance to win the match, 0 to 1."""
        rules, seat = self._rules, self._seat
        if match.over:
            winners = match.winners
            return (seat in winners) / len(winners)
        drift = rules.total_penalty / rules.seats
        hands = max(FEWEST_HANDS, (rules.target - max(match.totals)) / (1.25 * drift))
        if rules.hands:
            hands = min(hands, rules.hands - len(match.hands))
        scale = 2 * SPREAD * rules.total_penalty * sqrt(hands)
        fronts = []
        for one, total in enumerate(match.totals):
            front = 1.0
            for other, theirs in enumerate(match.totals):
                if other != one:
                    front *= 0.5 + 0.5 * erf((theirs - total) / scale)
            fronts.append(front)
        return fronts[seat] / sum(fronts)
