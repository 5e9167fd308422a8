"""What a hint says beside the advice: what is at stake, from what the seat may know only.

One sentence a risk: the queen of spades, a moon under way, the points of this trick. They explain;
they decide nothing.
"""

from __future__ import annotations

from p2p_hearts.i18n import _, ngettext
from p2p_hearts.rules.cards import QUEEN_OF_SPADES, contains
from p2p_hearts.rules.options import Moon
from p2p_hearts.rules.score import points_of
from p2p_hearts.rules.view import Phase, View
from p2p_hearts.ui.reasons import why_dimmed
from p2p_hearts.ui.status import Status
from p2p_hearts.ui.words import Glyphs, capital, named, named_all, seat_name

MOON_POINTS = 0.3
"""Share of a hand's points in one pile from which a moon is worth a word."""


def hint_sentences(advice: str, view: View, status: Status, glyphs: Glyphs | None) -> list[str]:
    """Return the advice, then what may be played and what is at stake."""
    if view.phase is Phase.PASS:
        return [advice, *_about_passing(view, glyphs)]
    if view.phase is not Phase.PLAY or view.forced is not None:
        return [advice]
    told = [advice]
    reason = why_dimmed(view, glyphs)
    if reason is not None:
        may = _("You may play {cards}.").format(cards=named_all(view.legal, glyphs))
        told.append(f"{reason} {may}")
    return [*told, *risk_sentences(view, status, glyphs)]


def risk_sentences(view: View, status: Status, glyphs: Glyphs | None) -> list[str]:
    """Return what is at stake in the hand being played."""
    return [*_trick(view), *_queen(view, status, glyphs), *_moon(view, status)]


def _about_passing(view: View, glyphs: Glyphs | None) -> list[str]:
    told = [
        _(
            "A good pass takes away high cards that win tricks you do not want, or empties a suit, "
            "so that you can throw penalty cards when it is led."
        )
    ]
    if view.rules.queen_points and contains(view.hand, QUEEN_OF_SPADES):
        risk = _("{queen} is safe with four or more other spades; else she is a risk.")
        told.append(capital(risk.format(queen=named(QUEEN_OF_SPADES, glyphs))))
    return told


def _trick(view: View) -> list[str]:
    """What lies on the table already."""
    play = view.play
    if play is None or not play.trick:
        return []
    points = sum(view.rules.points(card) for _seat, card in play.trick)
    if points <= 0:
        return []
    return [
        ngettext(
            "This trick costs {n} point so far.", "This trick costs {n} points so far.", points
        ).format(n=points)
    ]


def _queen(view: View, status: Status, glyphs: Glyphs | None) -> list[str]:
    """Where the queen of spades may be."""
    play, rules = view.play, view.rules
    if play is None or rules.queen_points <= 0 or not contains(play.unseen, QUEEN_OF_SPADES):
        return []
    queen = named(QUEEN_OF_SPADES, glyphs)
    if contains(view.hand, QUEEN_OF_SPADES):
        return [_("You hold {queen}: throw her on somebody else's trick.").format(queen=queen)]
    for seat, cards in enumerate(view.known):
        if contains(cards, QUEEN_OF_SPADES):
            told = _("{name} holds {queen}: you passed her there.")
            return [told.format(name=seat_name(status.names, seat), queen=queen)]
    return [capital(_("{queen} is still out: any trick may bring her.").format(queen=queen))]


def _moon(view: View, status: Status) -> list[str]:
    """Who alone has taken penalty cards, once they are many."""
    play, rules = view.play, view.rules
    if play is None or rules.moon is Moon.OFF:
        return []
    penalties = rules.penalty_cards
    takers = [seat for seat, cards in enumerate(play.taken) if cards & penalties]
    if len(takers) != 1:
        return []
    (seat,) = takers
    points = points_of(rules, type(penalties)(play.taken[seat] & penalties))
    if points < MOON_POINTS * rules.total_penalty:
        return []
    if seat == view.seat:
        return [
            _(
                "You alone have taken penalty cards: take them all for the moon, or let somebody "
                "else take one soon."
            )
        ]
    return [
        _(
            "{name} alone has taken penalty cards: that may become a moon, unless somebody else "
            "takes one."
        ).format(name=seat_name(status.names, seat))
    ]
