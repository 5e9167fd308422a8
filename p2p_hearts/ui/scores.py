"""Points and totals as the score sheet shows them.

Everything here is worked out from the finished hands of a `Match` and from the cards taken so
far in a `View`; nothing decides a score.
"""

from __future__ import annotations

from itertools import accumulate

from p2p_hearts.rules.cards import (
    JACK_OF_DIAMONDS,
    QUEEN_OF_SPADES,
    SUIT_FACES,
    CardSet,
    Suit,
    contains,
    copies,
    of_faces,
    size,
)
from p2p_hearts.rules.match import Match
from p2p_hearts.rules.options import Moon, RuleSet
from p2p_hearts.rules.score import points_of
from p2p_hearts.rules.view import Phase, View
from p2p_hearts.ui.words import Glyphs, card_text


def points_so_far(view: View) -> tuple[int, ...]:
    """Points of the cards each seat has taken in the hand being played, before any moon."""
    if view.play is None or view.phase in (Phase.HAND_OVER, Phase.MATCH_OVER):
        return (0,) * view.rules.seats
    return tuple(points_of(view.rules, cards) for cards in view.play.taken)


def is_scored(view: View) -> bool:
    """Return whether the hand of this View is over and its points are in the match."""
    return len(view.match.hands) >= view.hand_number


def running_totals(match: Match) -> tuple[tuple[int, ...], ...]:
    """Return the totals after each finished hand, oldest first."""
    columns = [tuple(accumulate(hand[seat] for hand in match.hands))
               for seat in range(match.rules.seats)]  # fmt: skip
    return tuple(zip(*columns, strict=True))


def moon_seat(rules: RuleSet, scores: tuple[int, ...]) -> int | None:
    """Return the seat that shot the moon in a finished hand, told from its scores alone.

    A moon is the only hand in which every other seat gets all penalty points, or in which the
    shooter loses them: no other division of the penalty cards gives these scores. The bonus
    for J♦ may lie on any one seat beside it.
    """
    if rules.moon is Moon.OFF:
        return None
    worth, seats = rules.total_penalty, rules.seats
    bonuses = [None, *range(seats)] if rules.jack_points else [None]
    for bonus in bonuses:
        plain = [
            score - (rules.jack_points if seat == bonus else 0) for seat, score in enumerate(scores)
        ]
        for shooter in range(seats):
            others = plain[:shooter] + plain[shooter + 1 :]
            if plain[shooter] == 0 and all(score == worth for score in others):
                return shooter
            if plain[shooter] == -worth and not any(others):
                return shooter
    return None


def taken_text(rules: RuleSet, cards: CardSet, glyphs: Glyphs) -> str:
    """Return the cards that count among `cards`, briefly: "♥×3 Q♠"; "" when there is none."""
    parts: list[str] = []
    hearts = size(of_faces(cards, SUIT_FACES[Suit.HEARTS]))
    if hearts:
        parts.append(f"{glyphs.suits[Suit.HEARTS]}{glyphs.times}{hearts}")
    if rules.queen_points:
        queens = copies(cards, QUEEN_OF_SPADES)
        parts += [card_text(QUEEN_OF_SPADES, glyphs)] * queens
    if rules.jack_points and contains(cards, JACK_OF_DIAMONDS):
        parts += [card_text(JACK_OF_DIAMONDS, glyphs)] * copies(cards, JACK_OF_DIAMONDS)
    return " ".join(parts)


def ranking(match: Match) -> tuple[tuple[int, int], ...]:
    """(place, seat) by total, lowest first; winners come first and share place one."""
    ahead = set(match.winners)
    order = sorted(
        range(match.rules.seats), key=lambda seat: (seat not in ahead, match.totals[seat], seat)
    )
    placed: list[tuple[int, int]] = []
    for index, seat in enumerate(order):
        place = index + 1
        if placed:
            before_place, before = placed[-1]
            same = match.totals[before] == match.totals[seat]
            if same and (before in ahead) == (seat in ahead):
                place = before_place
        placed.append((place, seat))
    return tuple(placed)
