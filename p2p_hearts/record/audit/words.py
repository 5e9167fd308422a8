"""Where in a game something stands, and what is said there, in the language that is spoken."""

from __future__ import annotations

from typing import Final

from p2p_hearts.i18n import N_, _
from p2p_hearts.wire.chain import Place
from p2p_hearts.wire.messages import Kind

STEP_NAMES: Final = {
    Kind.SIT: N_("Seat taken"),
    Kind.DRAW: N_("Seats and dealer drawn"),
    Kind.KEY: N_("Key of the hand"),
    Kind.SHUFFLE: N_("Shuffle"),
    Kind.ESCROW: N_("Key split for the case of absence"),
    Kind.SEALS: N_("Parts of the keys accepted"),
    Kind.OPENINGS: N_("Cards of an absent player opened"),
    Kind.SHARES: N_("Cards dealt"),
    Kind.PASS_SELECT: N_("Cards chosen for the pass"),
    Kind.PASS: N_("Pass"),
    Kind.REMASK: N_("Hand covered anew"),
    Kind.OPEN: N_("Opening card shown, or shown not to be held"),
    Kind.PLAY: N_("Card played"),
    Kind.CLAIM: N_("Rest claimed"),
    Kind.WIDOW: N_("Widow opened"),
    Kind.CHOICE: N_("Moon counted"),
    Kind.REVEAL: N_("Secret revealed and everything made again"),
    Kind.LOST: N_("Secret lost"),
}
"""Every kind of speech, by what it does."""


def words_of(place: Place) -> str:
    """Say for people where in a game a place is."""
    if place.hand == 0:
        return _("the draw for seats, round {round}").format(round=place.round)
    return _("hand {hand}, round {round}").format(hand=place.hand, round=place.round)


def round_words(place: Place, kind: Kind) -> str:
    """Say for people where in a game a round is, and what is said in it."""
    return _("{place} ({step})").format(place=words_of(place), step=_(STEP_NAMES[kind]))
