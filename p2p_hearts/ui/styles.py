"""The colours of the table: names of what is drawn, and one style sheet for them.

Colour is never the only sign of anything: suits carry their symbol, legal cards a mark below,
the seat to play an arrow. So `NO_COLOR` and a monochrome terminal lose no fact.
"""

from __future__ import annotations

from functools import cache

from prompt_toolkit.styles import BaseStyle, Style, merge_styles

from p2p_hearts.rules.cards import Card, Suit, suit_of

_SUIT_CLASS = {
    Suit.CLUBS: "class:suit.clubs",
    Suit.DIAMONDS: "class:suit.diamonds",
    Suit.SPADES: "class:suit.spades",
    Suit.HEARTS: "class:suit.hearts",
}


def suit_style(card: Card) -> str:
    """Return the style of a card's own colour."""
    return _SUIT_CLASS[suit_of(card)]


# Names of terminal colours, not exact ones: the player's own palette decides how they look,
# on a dark and on a light background.
_SUITS = {
    "four": ("ansigreen bold", "ansibrightblue bold", "bold", "ansired bold"),
    "two": ("bold", "ansired bold", "bold", "ansired bold"),
    "none": ("bold", "bold", "bold", "bold"),
}
"""Styles of clubs, diamonds, spades and hearts, by the setting of the colours."""

_STYLE = Style.from_dict(
    {
        "card.dim": "ansibrightblack nobold",
        "card.cursor": "reverse",
        "card.edge": "",
        "card.edge.dim": "ansibrightblack",
        "card.edge.live": "ansiyellow",
        "mark": "ansiyellow bold",
        "header": "reverse",
        "header.name": "reverse bold",
        "seat": "",
        "seat.turn": "ansiyellow bold",
        "seat.name": "bold",
        "seat.fact": "",
        "faint": "ansibrightblack",
        "frame": "ansibrightblack",
        "title": "bold",
        "prompt": "bold",
        "feedback": "ansiyellow",
        "waiting": "ansicyan",
        "fault": "ansibrightred bold",
        "good": "ansigreen",
        "strip": "ansibrightblack",
        "strip.phrase": "ansicyan",
        "key": "bold",
        "bar": "ansigreen",
        "bar.me": "ansiyellow",
        "winner": "ansiyellow bold",
        "curve.0": "ansiyellow",
        "curve.1": "ansicyan",
        "curve.2": "ansigreen",
        "curve.3": "ansimagenta",
        "curve.4": "ansired",
        "curve.5": "",
    }
)


@cache
def style_of(colours: str) -> BaseStyle:
    """Return the style sheet with the suits in four colours, two or none."""
    suits = dict(zip(("clubs", "diamonds", "spades", "hearts"), _SUITS[colours], strict=True))
    return merge_styles(
        [_STYLE, Style.from_dict({f"suit.{suit}": style for suit, style in suits.items()})]
    )
