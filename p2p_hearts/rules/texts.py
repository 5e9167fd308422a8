"""The rules of a table as sentences for players (docs/rules.md says the same at length).

``describe`` says exactly what applies at a table, in the order in which a hand is played.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from p2p_hearts.rules.cards import (
    RANK_NAMES,
    SUIT_SYMBOLS,
    Card,
    rank_of,
    suit_of,
)
from p2p_hearts.rules.options import HeartPoints, Moon, RuleSet, Tie
from p2p_hearts.rules.passing import PASS_CYCLES

SUIT_NAMES: Final = ("clubs", "diamonds", "spades", "hearts")
_RANK_WORDS: Final = {11: "jack", 12: "queen", 13: "king", 14: "ace"}


def describe(rules: RuleSet) -> list[str]:
    """Return the rules of a table, a rule a sentence."""
    return [sentence for part in _PARTS for sentence in part(rules)]


def symbol(card: Card) -> str:
    """Return a card as people write it: ``10♥``."""
    return RANK_NAMES[card % 13] + SUIT_SYMBOLS[card // 13]


def card_words(card: Card) -> str:
    """Return a card in words, to be read aloud: ``the queen of spades``."""
    return f"the {_RANK_WORDS.get(rank_of(card), rank_of(card))} of {SUIT_NAMES[suit_of(card)]}"


def pass_direction(seats: int, offset: int) -> str:
    """Return where an offset passes to: ``left``, ``2 to the right``, ``across``, ``hold``."""
    if offset == 0:
        return "hold"
    if offset * 2 == seats:
        return "across"
    steps, side = (offset, "left") if offset * 2 < seats else (seats - offset, "right")
    return side if steps == 1 else f"{steps} to the {side}"


def _table(rules: RuleSet) -> list[str]:
    pack = "one pack of cards" if rules.packs == 1 else "two packs of cards"
    without = ""
    if rules.removed:
        without = " without " + _listed([symbol(card) for card in rules.removed])
    sentences = [f"{rules.seats} players, {pack}{without}: {rules.hand_size} cards each."]
    if rules.widow_size:
        sentences.append(
            f"The {rules.widow_size} cards left over are the widow: it lies face down and goes, "
            "shown, to the winner of the first trick that somebody wins."
        )
    sentences.append("The first dealer is drawn by high card; the deal passes to the left.")
    return sentences


def _pass(rules: RuleSet) -> list[str]:
    if not rules.pass_count:
        return ["No cards are passed."]
    ways = [pass_direction(rules.seats, offset) for offset in PASS_CYCLES[rules.seats]]
    count = "card is" if rules.pass_count == 1 else "cards are"
    return [
        f"Before play {rules.pass_count} {count} passed face down: hand by hand "
        f"{', '.join(ways[:-1])}, then a hand without a pass, and so on."
    ]


def _opening(rules: RuleSet) -> list[str]:
    if rules.opening_card is None:
        return ["The player at the dealer's left leads to the first trick."]
    return [f"Who holds {symbol(rules.opening_card)} leads it to the first trick."]


def _tricks(rules: RuleSet) -> list[str]:
    sentences = [
        "Follow suit if you can; if not, play any card. There is no trump.",
        "The highest card of the suit led wins the trick, and its winner leads the next.",
    ]
    if rules.packs == 2:
        sentences += [
            "Two equal cards in a trick cancel each other: neither can win.",
            "If no card of the suit led is left, the trick stays on the table, its leader leads "
            "again, and the next winner takes both; after the last trick its leader takes it.",
        ]
    return sentences


def _first_trick(rules: RuleSet) -> list[str]:
    if rules.first_trick_penalties:
        return ["Penalty cards may be played on the first trick."]
    penalties = "hearts or Q♠" if rules.queen_points else "hearts"
    return [f"No {penalties} on the first trick, unless you can play nothing else."]


def _leading(rules: RuleSet) -> list[str]:
    breaks = "a heart or Q♠ was played" if rules.queen_breaks else "a heart was played"
    if rules.hearts_break and rules.queen_waits:
        return [f"Hearts and Q♠ cannot be led until {breaks}, unless you hold nothing else."]
    if rules.hearts_break:
        return [
            f"Hearts cannot be led until {breaks}, unless you hold nothing else.",
            "Q♠ may be led at any time.",
        ]
    if rules.queen_waits:
        return [
            "Hearts may be led at any time.",
            f"Q♠ cannot be led until {breaks}, unless you hold nothing else.",
        ]
    return ["Hearts and Q♠ may be led at any time."]


def _claims(_: RuleSet) -> list[str]:
    return [
        "Who is in turn may lay all cards open instead and claim the rest: as leader after the "
        "first trick, if by what everybody has seen it is certain that no trick can be lost; at "
        "any time, if no card that counts is left. Then all that is left is taken."
    ]


def _points(rules: RuleSet) -> list[str]:
    if rules.heart_points is HeartPoints.FACE:
        hearts = "Each heart costs its face value (2 to 10, J 11, Q 12, K 13, A 14)"
    else:
        hearts = "Each heart costs 1 point"
    queen = f"Q♠ costs {rules.queen_points}" if rules.queen_points else "Q♠ costs nothing"
    sentences = [f"{hearts}, {queen}: {rules.total_penalty} points a hand."]
    if rules.jack_points:
        sentences.append(f"J♦ takes {-rules.jack_points} points off whoever wins it.")
    return sentences


def _moon(rules: RuleSet) -> list[str]:
    worth = rules.total_penalty
    add = f"everybody else scores {worth} and the shooter nothing for them"
    subtract = f"the shooter scores -{worth} and nobody else anything for them"
    outcome = {
        Moon.OTHERS_ADD: add,
        Moon.SHOOTER_SUBTRACTS: subtract,
        Moon.CHOICE: f"the shooter chooses: {add}, or {subtract}",
        Moon.SAFE: f"{add}; but if that would end the match and another would win it, {subtract}",
    }
    if rules.moon is Moon.OFF:
        return ["There is no shooting the moon."]
    penalties = "all hearts and Q♠" if rules.queen_points else "all hearts"
    if rules.packs == 2:
        penalties = f"{penalties} of both packs"
    sentences = [f"Whoever takes {penalties} shoots the moon: {outcome[rules.moon]}."]
    if rules.jack_points:
        sentences.append("J♦ has no part in the moon: its points stay with who won it.")
    return sentences


def _end(rules: RuleSet) -> list[str]:
    sentences = [
        f"The match ends after the hand in which somebody reaches {rules.target} points; "
        "the lowest total wins."
    ]
    if rules.tie is Tie.LATEST_HAND:
        sentences.append(
            "Of several players with the lowest total, the one who was lowest in the latest hand "
            "wins; if that ties too, in the hand before, and so on."
        )
    else:
        sentences.append("If several players share the lowest total, another hand is played.")
    if rules.hands:
        count = "1 hand" if rules.hands == 1 else f"{rules.hands} hands"
        sentences.append(f"The match ends after {count} at the latest.")
    return sentences


_PARTS: Final[tuple[Callable[[RuleSet], list[str]], ...]] = (
    _table,
    _pass,
    _opening,
    _tricks,
    _first_trick,
    _leading,
    _claims,
    _points,
    _moon,
    _end,
)


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
