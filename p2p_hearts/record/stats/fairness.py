"""Whether deals look as if nothing steered them.

The deals of one kind of pack go together. Three questions, each with a χ² of its own:

    suit lengths   how often a hand held 0, 1, 2 … cards of a suit
    queen          how often each seat was dealt Q♠
    points         how many points in cards each seat was dealt

The hands of a deal come from one pack, so their suits and points hang together; what is compared
with χ² takes that into account (``chance.length_covariance``; for seats the covariances of a random
permutation). A fair deal gives each χ² about its degrees of freedom.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from p2p_hearts.record.stats.chance import (
    chi_square_tail,
    length_covariance,
    quadratic_form,
    suit_lengths,
)
from p2p_hearts.record.stats.facts import GameFacts, HandFacts
from p2p_hearts.rules.cards import QUEEN_OF_SPADES, Suit
from p2p_hearts.rules.options import RuleError, RuleSet

LEAST_EXPECTED: Final = 5.0
"""A cell that is expected less often is put together with its neighbour."""


@dataclass(frozen=True, slots=True)
class Test:
    """One question: what was seen, what was to be expected, and how unusual the difference is."""

    __test__ = False  # no test of pytest

    labels: tuple[str, ...]
    observed: tuple[float, ...]
    expected: tuple[float, ...]
    chi_square: float | None
    """``None`` where there are too few deals to say anything."""
    freedom: int
    chance: float | None
    """How often a fair deal gives a χ² of this size or larger."""

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        return {
            "labels": list(self.labels),
            "observed": list(self.observed),
            "expected": [round(value, 3) for value in self.expected],
            "chi_square": None if self.chi_square is None else round(self.chi_square, 4),
            "degrees_of_freedom": self.freedom,
            "chance": None if self.chance is None else round(self.chance, 6),
        }


@dataclass(frozen=True, slots=True)
class Fairness:
    """All deals of one kind of pack."""

    seats: int
    cards: int
    """Cards of the pack."""
    deals: int
    lengths: Test
    queens: Test | None
    """``None`` if Q♠ costs nothing under these rules, and is like any other card."""
    points: Test

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        return {
            "seats": self.seats,
            "cards": self.cards,
            "deals": self.deals,
            "suit_lengths": self.lengths.to_dict(),
            "queen_of_spades": None if self.queens is None else self.queens.to_dict(),
            "points": self.points.to_dict(),
        }


def fairness(games: Iterable[GameFacts]) -> tuple[Fairness, ...]:
    """Return what the deals of these games show, kinds of pack with most deals first.

    Every table must be among the games once only: ``results.tables`` sees to that.
    """
    kinds: dict[tuple[object, ...], tuple[RuleSet, list[HandFacts]]] = {}
    for game in games:
        try:
            rules = RuleSet.from_dict(dict(game.rules))
        except RuleError:
            continue
        whole = [hand for hand in game.hands if len(hand.suits) == rules.seats]
        key = (rules.seats, rules.pack, rules.values)
        if whole:
            kinds.setdefault(key, (rules, []))[1].extend(whole)
    found = [_judge(rules, hands) for rules, hands in kinds.values()]
    return tuple(sorted(found, key=lambda item: -item.deals))


def _judge(rules: RuleSet, hands: Sequence[HandFacts]) -> Fairness:
    queen = [float(card == QUEEN_OF_SPADES) for card in rules.pack]
    points = [float(rules.points(card)) for card in rules.pack]
    return Fairness(
        seats=rules.seats,
        cards=len(rules.pack),
        deals=len(hands),
        lengths=_lengths(rules, hands),
        queens=_by_seat(rules, queen, [hand.dealt_queens for hand in hands])
        if rules.queen_points
        else None,
        points=_by_seat(rules, points, [hand.dealt_points for hand in hands]),
    )


def _lengths(rules: RuleSet, hands: Sequence[HandFacts]) -> Test:
    pack, hand = len(rules.pack), rules.hand_size
    suits = tuple(sum(card // 13 == suit for card in rules.pack) for suit in Suit)
    seen = Counter(length for one in hands for seat in one.suits for length in seat)
    chances = [suit_lengths(pack, suit, hand) for suit in suits]
    expected = [
        len(hands) * rules.seats * sum(chance[length] for chance in chances)
        for length in range(hand + 1)
    ]
    groups = _cells(expected)
    labels = tuple(_label(group, hand) for group in groups)
    observed = tuple(float(sum(seen[length] for length in group)) for group in groups)
    wanted = tuple(sum(expected[length] for length in group) for group in groups)
    freedom = len(groups) - 1
    if freedom < 1:
        return Test(labels, observed, wanted, None, 0, None)
    covariance = length_covariance(pack, suits, hand, rules.seats)
    # The cells of a deal add up to all its suits, so the last one says nothing of its own.
    merged = [
        [len(hands) * sum(covariance[i][j] for i in one for j in other) for other in groups[:-1]]
        for one in groups[:-1]
    ]
    away = [have - want for have, want in zip(observed[:-1], wanted[:-1], strict=True)]
    value = quadratic_form(merged, away)
    return Test(labels, observed, wanted, value, freedom, chi_square_tail(value, freedom))


def _cells(expected: Sequence[float]) -> list[range]:
    """Group neighbours until each group is expected often enough."""
    groups: list[range] = []
    start = 0
    for end in range(1, len(expected) + 1):
        if sum(expected[start:end]) >= LEAST_EXPECTED:
            groups.append(range(start, end))
            start = end
    if start < len(expected):
        groups[-1:] = [range(groups[-1].start if groups else 0, len(expected))]
    return groups


def _label(group: range, most: int) -> str:
    first, last = group[0], group[-1]
    if first == last:
        return str(first)
    return f"{first}+" if last == most else f"{first}–{last}"


def _by_seat(rules: RuleSet, values: Sequence[float], dealt: Sequence[Sequence[int]]) -> Test:
    """Compare what each seat was dealt of something that every card has so much of.

    In a random permutation the covariance of what the seats a and b are dealt is
    ``p ([a = b] - p) · N/(N - 1) · Σ (v - mean)²`` for N cards with values v, where p is the share
    of the pack that each seat is dealt. So the seats' distances from their mean give a χ², with
    one degree of freedom less than there are seats, and what lies in a widow does not matter.
    """
    pack, deals, seats = len(values), len(dealt), rules.seats
    share, whole = rules.hand_size / pack, sum(values)
    observed = [float(sum(hand[seat] for hand in dealt)) for seat in range(seats)]
    mean = whole / pack
    spread = pack / (pack - 1) * sum((value - mean) ** 2 for value in values)
    middle, value = sum(observed) / seats, None
    if deals * share >= LEAST_EXPECTED and spread > 0:
        value = sum((have - middle) ** 2 for have in observed) / (share * deals * spread)
    return Test(
        labels=tuple(str(seat + 1) for seat in range(seats)),
        observed=tuple(observed),
        expected=(deals * whole * share,) * seats,
        chi_square=value,
        freedom=seats - 1,
        chance=None if value is None else chi_square_tail(value, seats - 1),
    )
