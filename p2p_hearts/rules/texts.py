"""Cards, passes and the rules of a table in words for players (docs/rules.md says it at length).

``describe`` says exactly what applies at a table, in the order in which a hand is played.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from p2p_hearts.i18n import N_, _, listed, ngettext, pgettext
from p2p_hearts.rules.cards import (
    RANK_NAMES,
    SUIT_SYMBOLS,
    Card,
    Suit,
    rank_of,
    suit_of,
)
from p2p_hearts.rules.options import HeartPoints, Moon, RuleSet, Tie
from p2p_hearts.rules.passing import PASS_CYCLES


def describe(rules: RuleSet) -> list[str]:
    """Return the rules of a table, a rule a sentence."""
    return [sentence for part in _PARTS for sentence in part(rules)]


def symbol(card: Card) -> str:
    """Return a card as people write it: ``10♥``."""
    return RANK_NAMES[card % 13] + SUIT_SYMBOLS[card // 13]


def suit_words(suit: Suit) -> str:
    """Return a suit in words, in the plural: ``spades``."""
    return (_("clubs"), _("diamonds"), _("spades"), _("hearts"))[suit]


def card_words(card: Card) -> str:
    """Return a card in words, to be read aloud in a sentence: ``the queen of spades``."""
    return _said(card, _COURT_WORDS, N_("the {rank} of {suit}"))


def card_title(card: Card) -> str:
    """Return a card in words, as it is called out or listed: ``queen of spades``."""
    return _said(card, _COURT_TITLES, N_("{rank} of {suit}"))


_COURT_WORDS: Final = {
    11: N_("the jack of {suit}"),
    12: N_("the queen of {suit}"),
    13: N_("the king of {suit}"),
    14: N_("the ace of {suit}"),
}
_COURT_TITLES: Final = {
    11: N_("jack of {suit}"),
    12: N_("queen of {suit}"),
    13: N_("king of {suit}"),
    14: N_("ace of {suit}"),
}


def _said(card: Card, courts: Mapping[int, str], number: str) -> str:
    """Return a card by the template of its rank."""
    rank = rank_of(card)
    return _(courts.get(rank, number)).format(rank=rank, suit=suit_words(suit_of(card)))


def pass_direction(seats: int, offset: int) -> str:
    """Return where an offset passes to: ``left``, ``2 to the right``, ``across``, ``hold``."""
    if offset == 0:
        return pgettext("pass", "hold")
    if offset * 2 == seats:
        return pgettext("pass", "across")
    if offset == 1:
        return pgettext("pass", "left")
    if offset == seats - 1:
        return pgettext("pass", "right")
    if offset * 2 < seats:
        return pgettext("pass", "{n} to the left").format(n=offset)
    return pgettext("pass", "{n} to the right").format(n=seats - offset)


def _table(rules: RuleSet) -> list[str]:
    removed = listed([symbol(card) for card in rules.removed])
    if rules.packs == 2:
        cards = _("{seats} players, two packs of cards: {n} cards each.")
    elif removed:
        cards = _("{seats} players, one pack of cards without {removed}: {n} cards each.")
    else:
        cards = _("{seats} players, one pack of cards: {n} cards each.")
    sentences = [cards.format(seats=rules.seats, n=rules.hand_size, removed=removed)]
    if rules.widow_size:
        sentences.append(
            ngettext(
                "The {n} card left over is the widow: it lies face down and goes, shown, to the "
                "winner of the first trick that somebody wins.",
                "The {n} cards left over are the widow: it lies face down and goes, shown, to the "
                "winner of the first trick that somebody wins.",
                rules.widow_size,
            ).format(n=rules.widow_size)
        )
    sentences.append(_("The first dealer is drawn by high card; the deal passes to the left."))
    return sentences


def _pass(rules: RuleSet) -> list[str]:
    if not rules.pass_count:
        return [_("No cards are passed.")]
    ways = [pass_direction(rules.seats, offset) for offset in PASS_CYCLES[rules.seats]]
    return [
        ngettext(
            "Before play {n} card is passed face down: hand by hand {ways}, then a hand without "
            "a pass, and so on.",
            "Before play {n} cards are passed face down: hand by hand {ways}, then a hand without "
            "a pass, and so on.",
            rules.pass_count,
        ).format(n=rules.pass_count, ways=", ".join(ways[:-1]))
    ]


def _opening(rules: RuleSet) -> list[str]:
    if rules.opening_card is None:
        return [_("The player at the dealer's left leads to the first trick.")]
    return [
        _("Who holds {card} leads it to the first trick.").format(card=symbol(rules.opening_card))
    ]


def _tricks(rules: RuleSet) -> list[str]:
    sentences = [
        _("Follow suit if you can; if not, play any card. There is no trump."),
        _("The highest card of the suit led wins the trick, and its winner leads the next."),
    ]
    if rules.packs == 2:
        sentences += [
            _("Two equal cards in a trick cancel each other: neither can win."),
            _(
                "If no card of the suit led is left, the trick stays on the table, its leader "
                "leads again, and the next winner takes both; after the last trick its leader "
                "takes it."
            ),
        ]
    return sentences


def _first_trick(rules: RuleSet) -> list[str]:
    if rules.first_trick_penalties:
        return [_("Penalty cards may be played on the first trick.")]
    if rules.queen_points:
        return [_("No hearts or Q♠ on the first trick, unless you can play nothing else.")]
    return [_("No hearts on the first trick, unless you can play nothing else.")]


def _leading(rules: RuleSet) -> list[str]:
    if rules.hearts_break and rules.queen_waits:
        if rules.queen_breaks:
            return [
                _(
                    "Hearts and Q♠ cannot be led until a heart or Q♠ was played, unless you hold "
                    "nothing else."
                )
            ]
        return [
            _("Hearts and Q♠ cannot be led until a heart was played, unless you hold nothing else.")
        ]
    if rules.hearts_break:
        waits = (
            _("Hearts cannot be led until a heart or Q♠ was played, unless you hold nothing else.")
            if rules.queen_breaks
            else _("Hearts cannot be led until a heart was played, unless you hold nothing else.")
        )
        return [waits, _("Q♠ may be led at any time.")]
    if rules.queen_waits:
        waits = (
            _("Q♠ cannot be led until a heart or Q♠ was played, unless you hold nothing else.")
            if rules.queen_breaks
            else _("Q♠ cannot be led until a heart was played, unless you hold nothing else.")
        )
        return [_("Hearts may be led at any time."), waits]
    return [_("Hearts and Q♠ may be led at any time.")]


def _claims(rules: RuleSet) -> list[str]:
    return [
        _(
            "Who is in turn may lay all cards open instead and claim the rest: as leader after the "
            "first trick, if by what everybody has seen it is certain that no trick can be lost; "
            "at any time, if no card that counts is left. Then all that is left is taken."
        )
    ]


def _points(rules: RuleSet) -> list[str]:
    if rules.heart_points is HeartPoints.FACE:
        costs = (
            _(
                "Each heart costs its face value (2 to 10, J 11, Q 12, K 13, A 14), Q♠ costs "
                "{queen}: {total} points a hand."
            )
            if rules.queen_points
            else _(
                "Each heart costs its face value (2 to 10, J 11, Q 12, K 13, A 14), Q♠ costs "
                "nothing: {total} points a hand."
            )
        )
    elif rules.queen_points:
        costs = _("Each heart costs 1 point, Q♠ costs {queen}: {total} points a hand.")
    else:
        costs = _("Each heart costs 1 point, Q♠ costs nothing: {total} points a hand.")
    sentences = [costs.format(queen=rules.queen_points, total=rules.total_penalty)]
    if rules.jack_points:
        sentences.append(_("J♦ takes {n} points off whoever wins it.").format(n=-rules.jack_points))
    return sentences


def _moon(rules: RuleSet) -> list[str]:
    if rules.moon is Moon.OFF:
        return [_("There is no shooting the moon.")]
    if rules.packs == 2:
        shooting = (
            _("Whoever takes all hearts and Q♠ of both packs shoots the moon.")
            if rules.queen_points
            else _("Whoever takes all hearts of both packs shoots the moon.")
        )
    elif rules.queen_points:
        shooting = _("Whoever takes all hearts and Q♠ shoots the moon.")
    else:
        shooting = _("Whoever takes all hearts shoots the moon.")
    outcome = _(_MOONS[rules.moon]).format(n=rules.total_penalty)
    sentences = [f"{shooting} {outcome}"]
    if rules.jack_points:
        sentences.append(_("J♦ has no part in the moon: its points stay with who won it."))
    return sentences


_MOONS: Final = {
    Moon.OTHERS_ADD: N_("Then everybody else scores {n}, and the shooter nothing for these cards."),
    Moon.SHOOTER_SUBTRACTS: N_(
        "Then the shooter scores -{n}, and nobody else anything for these cards."
    ),
    Moon.CHOICE: N_(
        "Then the shooter chooses: everybody else scores {n}, and the shooter nothing for these "
        "cards; or the shooter scores -{n}, and nobody else anything."
    ),
    Moon.SAFE: N_(
        "Then everybody else scores {n}, and the shooter nothing for these cards; but if that "
        "would end the match and another would win it, the shooter scores -{n}, and nobody else "
        "anything."
    ),
}


def _end(rules: RuleSet) -> list[str]:
    sentences = [
        ngettext(
            "The match ends after the hand in which somebody reaches {n} point; the lowest total "
            "wins.",
            "The match ends after the hand in which somebody reaches {n} points; the lowest total "
            "wins.",
            rules.target,
        ).format(n=rules.target)
    ]
    if rules.tie is Tie.LATEST_HAND:
        sentences.append(
            _(
                "Of several players with the lowest total, the one who was lowest in the latest "
                "hand wins; if that ties too, in the hand before, and so on."
            )
        )
    else:
        sentences.append(_("If several players share the lowest total, another hand is played."))
    if rules.hands:
        sentences.append(
            ngettext(
                "The match ends after {n} hand at the latest.",
                "The match ends after {n} hands at the latest.",
                rules.hands,
            ).format(n=rules.hands)
        )
    return sentences


def _time(rules: RuleSet) -> list[str]:
    if not rules.clock:
        return []
    return [
        ngettext(
            "Whoever has not decided after {n} second has the computer decide.",
            "Whoever has not decided after {n} seconds has the computer decide.",
            rules.clock,
        ).format(n=rules.clock)
    ]


def _watching(rules: RuleSet) -> list[str]:
    if not rules.watchers:
        return [_("Nobody may watch this table.")]
    sentence = ngettext(
        "{n} person may watch, who sees no hand.",
        "Up to {n} people may watch; they see no hand.",
        rules.watchers,
    ).format(n=rules.watchers)
    if not rules.watcher_chat:
        return [sentence]
    return [sentence, _("Those who watch may chat with the players.")]


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
    _time,
    _watching,
)
