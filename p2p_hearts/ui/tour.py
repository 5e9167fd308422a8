"""The short tour for who plays for the first time: some pages, for screens and for lines."""

from __future__ import annotations

from dataclasses import dataclass

from p2p_hearts.i18n import N_


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the tour: a title and a few sentences, in English until they are shown.

    Attributes:
        title: what it is about.
        text: the sentences, where there is a screen with keys and marks.
        typed: the same where everything is told and typed.
    """

    title: str
    text: str
    typed: str


PAGES = (
    Page(
        N_("Welcome to the table"),
        N_(
            "You sit at the bottom. Hearts is played by everybody alone. Every heart that you "
            "take costs 1 point and the queen of spades 13. The lowest total wins. Whoever "
            "takes all of them in one hand shoots the moon: then everybody else gets the "
            "points."
        ),
        N_(
            "Hearts is played by everybody alone. Every heart that you take costs 1 point and the "
            "queen of spades 13. The lowest total wins. Whoever takes all of them in one hand "
            "shoots the moon: then everybody else gets the points."
        ),
    ),
    Page(
        N_("Pass, then play"),
        N_(
            "First you pass three cards: choose them one by one, take back what you like, and "
            "confirm with Enter. Then follow the suit that was led if you can. Cards that you "
            "may play are marked; the line below says why the others may not be played."
        ),
        N_(
            "First you pass three cards: type them one by one or at once, take one back with "
            '"undo", and confirm with Enter. Then follow the suit that was led if you can. You are '
            "told which cards you may play, and why not the others."
        ),
    ),
    Page(
        N_("What you can do"),
        N_(
            "Choose a card with the arrows and press Enter, type it (qs is the queen of "
            "spades, 10h the 10 of hearts), or click it. l shows the last trick, s the "
            "scores, h gives a hint with its reason, o opens the settings, and ? helps at any "
            "time."
        ),
        N_(
            'Type a card to play it: qs is the queen of spades, 10h the 10 of hearts. "last" tells '
            'the last trick, "scores" the scores, "hint" gives a hint with its reason, "settings" '
            'tells what can be set, and "help" helps at any time.'
        ),
    ),
    Page(
        N_("Nobody has to be trusted"),
        N_(
            "No server deals: all players shuffle together and prove it, so that nobody sees "
            "your hand and every card is proven legal as it is played. Read the words at the "
            "bottom of the screen to each other: the same words mean that nobody sits in "
            "between. p shows who is who."
        ),
        N_(
            "No server deals: all players shuffle together and prove it, so that nobody sees "
            'your hand and every card is proven legal as it is played. "people" tells who is here '
            "and five words: read them to each other; the same words mean that nobody sits in "
            "between."
        ),
    ),
)
