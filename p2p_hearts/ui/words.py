"""Cards, suits, names and numbers as text, with the width they take on a terminal.

Widths are columns as prompt_toolkit counts them, so that what is measured here is what its
renderer draws: a wide letter takes two columns, a combining mark none.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from p2p_hearts.i18n import _, listed, ngettext
from p2p_hearts.rules.cards import Card, CardSet, cards_in, rank_of, suit_of
from p2p_hearts.rules.texts import card_title, card_words


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The characters a terminal can draw.

    Attributes:
        suits: one character a suit, by `Suit`.
        horizontal, vertical: lines of a box; `corners` go top left, top right, bottom left,
            bottom right.
        turn: stands before the name of the seat to play.
        cursor: stands under the card that Enter would play.
        legal: stands under a card that may be played.
        chosen: stands over a card chosen for the pass.
        left, right, across: arrows of the pass.
        check, cross: something verified, something faulty.
        dot: between two facts.
        times: "♥×3" is three hearts.
        ellipsis: where text was cut.
        full, half: a bar and its end in a chart.
        moon: stands beside the score of a seat that shot the moon.
        levels: from low to high, for a total after each hand.
    """

    suits: tuple[str, str, str, str]
    horizontal: str
    vertical: str
    corners: tuple[str, str, str, str]
    turn: str
    cursor: str
    legal: str
    chosen: str
    left: str
    right: str
    across: str
    check: str
    cross: str
    dot: str
    times: str
    ellipsis: str
    full: str
    half: str
    moon: str
    levels: tuple[str, ...]

    @property
    def is_ascii(self) -> bool:
        """Whether every character must be ASCII."""
        return self.ellipsis.isascii()


SYMBOLS = Glyphs(
    suits=("♣", "♦", "♠", "♥"),
    horizontal="─",
    vertical="│",
    corners=("╭", "╮", "╰", "╯"),
    turn="▶",
    cursor="▲",
    legal="‾",
    chosen="●",
    left="←",
    right="→",
    across="↑",
    check="✓",
    cross="✗",
    dot="·",
    times="×",
    ellipsis="…",
    full="█",
    half="▌",
    moon="☾",
    levels=tuple("▁▂▃▄▅▆▇█"),
)

LETTERS = Glyphs(
    suits=("C", "D", "S", "H"),
    horizontal="-",
    vertical="|",
    corners=("+", "+", "+", "+"),
    turn=">",
    cursor="^",
    legal="-",
    chosen="*",
    left="<-",
    right="->",
    across="^",
    check="ok",
    cross="!!",
    dot="-",
    times="x",
    ellipsis="..",
    full="#",
    half="#",
    moon="*",
    levels=tuple("_.-~+=*#"),
)


def glyphs_for(*, ascii_only: bool, encoding: str | None) -> Glyphs:
    """Return the richest glyphs that `encoding` can carry; an unknown encoding gets letters."""
    if ascii_only or not encoding:
        return LETTERS
    try:
        "♣♦♠♥─│╭╮╰╯▶▲‾●←→↑✓✗·×…█▌☾".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return LETTERS
    return SYMBOLS


_RANKS = {11: "J", 12: "Q", 13: "K", 14: "A"}


def rank_text(card: Card) -> str:
    """Return the rank as on the corner of a card: "2" … "10", "J", "Q", "K", "A"."""
    rank = rank_of(card)
    return _RANKS.get(rank, str(rank))


def suit_text(card: Card, glyphs: Glyphs) -> str:
    """Return the suit as one character."""
    return glyphs.suits[suit_of(card)]


def card_text(card: Card, glyphs: Glyphs) -> str:
    """Return the card in two or three characters: "10♠", or "10S" in letters."""
    return rank_text(card) + suit_text(card, glyphs)


def named(card: Card, glyphs: Glyphs | None) -> str:
    """Return the card as it stands in a sentence: in symbols, or in words without glyphs."""
    return card_words(card) if glyphs is None else card_text(card, glyphs)


def capital(text: str) -> str:
    """Return a sentence that a card may begin, with a capital letter."""
    return text[:1].upper() + text[1:]


def named_all(cards: CardSet | Iterable[Card], glyphs: Glyphs | None) -> str:
    """Return several cards in symbols, or in words where no glyphs are given."""
    return cards_words(cards) if glyphs is None else cards_text(cards, glyphs)


def cards_text(cards: CardSet | Iterable[Card], glyphs: Glyphs) -> str:
    """Several cards in the order of the hand: "3♠ K♠"."""
    each = cards_in(CardSet(cards)) if isinstance(cards, int) else tuple(cards)
    return " ".join(card_text(card, glyphs) for card in each)


def cards_words(cards: CardSet | Iterable[Card]) -> str:
    """Several cards as they are read aloud: "3 of spades, king of spades and ace of hearts"."""
    each = cards_in(CardSet(cards)) if isinstance(cards, int) else tuple(cards)
    return listed([card_title(card) for card in each])


def points_words(points: int) -> str:
    """Return a number of points: "1 point"."""
    return ngettext("{n} point", "{n} points", abs(points)).format(n=points)


def cards_count(cards: int) -> str:
    """Return a number of cards: "1 card"."""
    return ngettext("{n} card", "{n} cards", cards).format(n=cards)


def clock(seconds: float) -> str:
    """Minutes and seconds, "0:42"; negative times count as zero."""
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02d}"


def width(text: str) -> int:
    """Columns that `text` takes on the terminal."""
    if text.isascii() and text.isprintable():
        return len(text)
    return _measure()(text)


@cache
def _measure() -> Callable[[str], int]:
    # Imported where it is needed: a seat without a screen draws nothing and measures nothing.
    from prompt_toolkit.utils import get_cwidth

    return get_cwidth


def ascii_letter(letter: str) -> str:
    """Return the ASCII letter nearest to another: "c" for "ç", "S" for "♠", or "?"."""
    if letter in SYMBOLS.suits:
        return LETTERS.suits[SYMBOLS.suits.index(letter)]
    base = unicodedata.normalize("NFKD", letter)[:1]
    return base if base.isascii() and base.isprintable() else "?"


def clip(text: str, columns: int, glyphs: Glyphs = SYMBOLS) -> str:
    """`text`, cut to at most `columns`, with an ellipsis where it was cut and that fits."""
    if width(text) <= columns:
        return text
    mark = glyphs.ellipsis if columns >= width(glyphs.ellipsis) else ""
    room = columns - width(mark)
    kept: list[str] = []
    for letter in text:
        room -= width(letter)
        if room < 0:
            break
        kept.append(letter)
    return "".join(kept).rstrip() + mark


def pad(text: str, columns: int, align: str = "<", glyphs: Glyphs = SYMBOLS) -> str:
    """`text` clipped and filled with spaces to exactly `columns`.

    Args:
        text: what to fit.
        columns: columns of the result.
        align: "<" left, ">" right, "^" centre.
        glyphs: where the ellipsis is taken from.
    """
    cut = clip(text, columns, glyphs)
    free = max(0, columns - width(cut))
    before = {"<": 0, ">": free, "^": free // 2}[align]
    return " " * before + cut + " " * (free - before)


def wrap(text: str, columns: int, rows: int | None = None, glyphs: Glyphs = SYMBOLS) -> list[str]:
    """`text` broken at spaces into lines of at most `columns`; a longer word is cut in pieces.

    With `rows` there are at most that many lines, and the last one ends with an ellipsis when
    text is missing.
    """
    lines = _broken(text, columns)
    if rows is None or len(lines) <= rows:
        return lines
    if rows < 1:
        return []
    return [*lines[: rows - 1], clip(" ".join(lines[rows - 1 :]), columns, glyphs)]


def _broken(text: str, columns: int) -> list[str]:
    if columns < 1:
        return []
    lines: list[str] = []
    line = ""
    for word in text.split():
        joined = f"{line} {word}" if line else word
        if width(joined) <= columns:
            line = joined
            continue
        if line:
            lines.append(line)
        line = word
        while width(line) > columns:
            piece = clip(line, columns, _BARE)
            if not piece:
                return lines
            lines.append(piece)
            line = line[len(piece) :]
    if line:
        lines.append(line)
    return lines


def seat_name(names: Sequence[str], seat: int) -> str:
    """Return the name of a seat, never empty: a seat without a name is called by its number."""
    name = names[seat].strip() if seat < len(names) else ""
    return name or _("seat {n}").format(n=seat + 1)


_BARE = replace(LETTERS, ellipsis="")
