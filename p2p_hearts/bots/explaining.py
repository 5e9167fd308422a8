"""What a search found, in words: figures of the choice beside those of the next best one.

Every sentence tells something that the choice was made by, counted in the deals in which both were
tried; nothing is made up afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import fmean
from typing import Final

from p2p_hearts.bots.candidates import Candidate, Findings, Seen
from p2p_hearts.i18n import N_, _, figure, ngettext
from p2p_hearts.rules.cards import CardSet

Name = Callable[[CardSet], str]
"""The words for one card, or for the cards of a pass."""

TELLING: Final = 0.05
"""Parts of all deals by which two choices must differ for it to be worth a sentence."""

LEVEL: Final = 0.05
"""What two choices are worth differs by more than that, in points, or it is the same."""

_MOON_OF_OTHERS: Final = N_(
    "Another player shot the moon in {part} of them, and in {other_part} after {other}."
)
_QUEEN: Final = N_(
    "You took the queen of spades in {part} of them, and in {other_part} after {other}."
)


def explain(findings: Findings, name: Name) -> str:
    """Return sentences on why the best candidate was chosen; empty if there was no choice."""
    best = findings.best
    others = [one for one in findings.candidates if one.cards != best.cards]
    if not others:
        return _only_a_try(best) if best.shoots else ""
    other = others[0]
    number = min(len(best.values), len(other.values))
    mine, theirs = best.seen[:number], other.seen[:number]
    said = [_compared(findings, mine, theirs, name(other.cards))]
    if best.shoots:
        said.append(
            _("It is a try to shoot the moon, which worked in {part} of them.").format(
                part=f"{_part(mine, _is_moon):.0%}"
            )
        )
    for counted, sentence in ((_is_moon_of_other, _MOON_OF_OTHERS), (_has_queen, _QUEEN)):
        own, others_part = _part(mine, counted), _part(theirs, counted)
        if others_part - own >= TELLING:
            said.append(
                _(sentence).format(
                    part=f"{own:.0%}", other_part=f"{others_part:.0%}", other=name(other.cards)
                )
            )
    if not best.shoots:
        said += _why_not_by_points(best, other, number, name(other.cards))
    return " ".join(said)


def _why_not_by_points(best: Candidate, other: Candidate, number: int, name: str) -> list[str]:
    """What else than points decided, if anything did."""
    value, other_value = fmean(best.values[:number]), fmean(other.values[:number])
    points, other_points = _points(best.seen[:number]), _points(other.seen[:number])
    if value < other_value - LEVEL:
        if other.shoots:
            said = _(
                "A try to shoot the moon came out better there, but is counted for less: players "
                "stop more moons than are stopped in such deals."
            )
        elif len(best.values) == len(other.values):
            said = _(
                "There {other} came out better, but by so little that the first impression decides."
            ).format(other=name)
        else:
            return []
    elif points > other_points:
        said = _("It costs more points and is better for the match: what others get counts.")
    elif points == other_points and value > other_value + LEVEL:
        said = _("It costs as many points and is better for the match: what others get counts.")
    else:
        return []
    return [said]


def _only_a_try(best: Candidate) -> str:
    number = len(best.values)
    return ngettext(
        "It is a try to shoot the moon, which worked in {part} of {deals} deal that fits all you "
        "have seen.",
        "It is a try to shoot the moon, which worked in {part} of {deals} deals that fit all you "
        "have seen.",
        number,
    ).format(deals=number, part=f"{_part(best.seen, _is_moon):.0%}")


def _compared(findings: Findings, mine: list[Seen], theirs: list[Seen], other: str) -> str:
    if findings.certain:
        return _(
            "Every card that is left is known: you end this hand with {points}, and with "
            "{other_points} after {other}."
        ).format(
            points=figure(_points(mine), ".0f"),
            other=other,
            other_points=figure(_points(theirs), ".0f"),
        )
    return ngettext(
        "In {deals} deal that fits all you have seen you ended with {points} points on average; "
        "the next best choice, {other}, led to {other_points}.",
        "In {deals} deals that fit all you have seen you ended with {points} points on average; "
        "the next best choice, {other}, led to {other_points}.",
        len(mine),
    ).format(
        deals=len(mine),
        points=_told(mine),
        other=other,
        other_points=_told(theirs),
    )


def _told(seen: list[Seen]) -> str:
    return figure(_points(seen), ".1f")


def _points(seen: list[Seen]) -> float:
    """The points of a deal on average, to one decimal, as they are told; never ``-0.0``."""
    return round(fmean(one.points for one in seen), 1) + 0.0


def _part(seen: list[Seen], counted: Callable[[Seen], bool]) -> float:
    return sum(map(counted, seen)) / len(seen)


def _is_moon(one: Seen) -> bool:
    return one.moon


def _is_moon_of_other(one: Seen) -> bool:
    return one.moon_of_other


def _has_queen(one: Seen) -> bool:
    # In an own moon the queen costs nothing.
    return one.queen and not one.moon
