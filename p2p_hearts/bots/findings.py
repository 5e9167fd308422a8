"""What a search found, in words: figures of the choice beside those of the next best one.

Every sentence tells something that the choice was made by, counted in the deals that were played
out; nothing is made up afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from p2p_hearts.bots.candidates import Candidate, Findings
from p2p_hearts.i18n import N_, _, figure
from p2p_hearts.rules.cards import CardSet

Name = Callable[[CardSet], str]
"""The words for one card, or for the cards of a pass."""

TELLING: Final = 0.05
"""Parts of all deals by which two choices must differ for it to be worth a sentence."""

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
        return ""
    other = others[0]
    said = [_compared(findings, best, other, name)]
    moons = _part(best, best.moons)
    if best.shoots and moons >= TELLING:
        said.append(
            _("It is a try to shoot the moon, which worked in {part} of them.").format(
                part=f"{moons:.0%}"
            )
        )
    for mine, yours, sentence in (
        (best.moons_of_others, other.moons_of_others, _MOON_OF_OTHERS),
        (best.queens, 0 if best.shoots else other.queens, _QUEEN),
    ):
        own, theirs = _part(best, mine), _part(other, yours)
        if theirs - own >= TELLING:
            said.append(
                _(sentence).format(
                    part=f"{own:.0%}", other_part=f"{theirs:.0%}", other=name(other.cards)
                )
            )
    if _points(best) > _points(other) + 0.05 and not best.shoots:
        said.append(_("It costs more points and is better for the match: what others get counts."))
    return " ".join(said)


def _compared(findings: Findings, best: Candidate, other: Candidate, name: Name) -> str:
    if findings.certain:
        return _(
            "Every card that is left is known: it brings you to {points} points in this hand, "
            "{other} to {other_points}."
        ).format(
            points=round(_points(best)),
            other=name(other.cards),
            other_points=round(_points(other)),
        )
    return _(
        "In {deals} deals that fit all you have seen you ended with {points} points on average; "
        "the next best choice, {other}, led to {other_points}."
    ).format(
        deals=findings.deals,
        points=figure(_points(best), ".1f"),
        other=name(other.cards),
        other_points=figure(_points(other), ".1f"),
    )


def _points(one: Candidate) -> float:
    return one.points / len(one.values)


def _part(one: Candidate, count: int) -> float:
    return count / len(one.values)
