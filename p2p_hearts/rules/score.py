"""What a hand costs each seat, and the moon (docs/rules.md, "Scoring" and "The moon").

The moon is a matter of *cards*, never of points: one seat has taken every penalty card of the
pack. J♦ neither makes nor prevents it, and its bonus stays with who won it.
"""

from __future__ import annotations

from enum import StrEnum

from p2p_hearts.rules.cards import CardSet, cards_in
from p2p_hearts.rules.match import Match
from p2p_hearts.rules.options import Moon, RuleSet


class MoonChoice(StrEnum):
    """What a shooter chooses where the table leaves it to the shooter."""

    OTHERS_ADD = "others-add"
    SHOOTER_SUBTRACTS = "shooter-subtracts"


def points_of(rules: RuleSet, cards: CardSet) -> int:
    """Return the points of a set of cards, J♦ included."""
    values = rules.values
    return sum([values[card] for card in cards_in(CardSet(cards & rules.counting_cards))])


def moon_shooter(rules: RuleSet, taken: tuple[CardSet, ...]) -> int | None:
    """Return the seat that has taken every penalty card of the pack.

    ``None`` if no seat has, or the table plays without the moon.
    """
    if rules.moon is Moon.OFF:
        return None
    penalty_cards = rules.penalty_cards
    for seat, cards in enumerate(taken):
        if cards & penalty_cards == penalty_cards:
            return seat
    return None


def choosing_shooter(rules: RuleSet, taken: tuple[CardSet, ...]) -> int | None:
    """Return the seat that must choose how its moon counts; ``None`` where nothing is to choose."""
    return moon_shooter(rules, taken) if rules.moon is Moon.CHOICE else None


def hand_scores(
    rules: RuleSet,
    taken: tuple[CardSet, ...],
    totals: tuple[int, ...],
    choice: MoonChoice | None = None,
    *,
    last_hand: bool = False,
    hands: tuple[tuple[int, ...], ...] = (),
) -> tuple[int, ...]:
    """Return the scores of a finished hand, by seat.

    ``totals`` are those before this hand. ``choice`` is the shooter's, where the table asks
    for one. ``safe`` moon needs to know how the match would end: ``last_hand``, whether it ends
    with this hand whatever it brings, and ``hands``, the scores before it, for ties.
    ``ValueError`` for a choice that is due and missing, or given and not due.
    """
    if (choosing_shooter(rules, taken) is None) != (choice is None):
        raise ValueError("a moon choice is " + ("due" if choice is None else "not due"))
    shooter = moon_shooter(rules, taken)
    plain = tuple([points_of(rules, cards) for cards in taken])
    if shooter is None:
        return plain
    if rules.moon is Moon.SAFE:
        choice = safe_choice(rules, taken, totals, last_hand=last_hand, hands=hands)
    subtracts = rules.moon is Moon.SHOOTER_SUBTRACTS or choice is MoonChoice.SHOOTER_SUBTRACTS
    return _moon_scores(rules, plain, shooter, subtracts)


def safe_choice(
    rules: RuleSet,
    taken: tuple[CardSet, ...],
    totals: tuple[int, ...],
    *,
    last_hand: bool = False,
    hands: tuple[tuple[int, ...], ...] = (),
) -> MoonChoice:
    """Return the choice that never costs the shooter the match.

    Subtract exactly if adding would end the match without the shooter winning it. Arguments
    as for ``hand_scores``; ``ValueError`` if nobody has shot the moon.
    """
    shooter = moon_shooter(rules, taken)
    if shooter is None:
        raise ValueError("nobody has shot the moon")
    plain = tuple(points_of(rules, cards) for cards in taken)
    before = Match(rules, totals, hands)
    after = before.add(_moon_scores(rules, plain, shooter, subtracts=False))
    lost = (after.over or last_hand) and shooter not in after.leaders
    return MoonChoice.SHOOTER_SUBTRACTS if lost else MoonChoice.OTHERS_ADD


def score_hand(
    match: Match, taken: tuple[CardSet, ...], choice: MoonChoice | None = None
) -> tuple[int, ...]:
    """``hand_scores`` for the next hand of a match."""
    rules = match.rules
    return hand_scores(
        rules, taken, match.totals, choice, last_hand=match.on_last_hand, hands=match.hands
    )


def _moon_scores(
    rules: RuleSet, plain: tuple[int, ...], shooter: int, subtracts: bool
) -> tuple[int, ...]:
    """Score a moon: what is no penalty (J♦) stays with who won it.

    The shooter's penalty points are taken off; then either the shooter's score goes down by the
    hand's penalty total, or everybody else's goes up by it.
    """
    worth = rules.total_penalty
    if subtracts:
        return tuple(score - 2 * worth * (s == shooter) for s, score in enumerate(plain))
    return tuple(score + (-worth if seat == shooter else worth) for seat, score in enumerate(plain))
