"""Names and texts of others, made harmless before anybody sees them.

What is left: printable characters that take room, single spaces, few accents on a letter. What
goes: control and format characters (escape codes, right-to-left overrides, zero-width joiners),
invisible letters and fillers, private and unassigned code points, heaps of combining marks.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import count

MAX_NAME = 24
"""Graphemes of a name of a player or of a table."""

MAX_MARKS = 2
"""Combining marks kept on one letter; more only serve to paint over other lines."""

_INVISIBLE = frozenset(
    {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0x1D159}.union(
        range(0x180B, 0x1810)
    )
    .union(range(0xFE00, 0xFE10))
    .union(range(0xE0000, 0xE1000))
)
"""Code points that show nothing though their category does not say so."""

_SKIN_TONES = range(0x1F3FB, 0x1F400)
_FLAG_LETTERS = range(0x1F1E6, 0x1F200)


def clean_name(text: object, *, limit: int = MAX_NAME) -> str:
    """Return ``text`` cleaned and cut to ``limit`` graphemes; "" when nothing is left.

    A grapheme is approximated: a letter with its marks, a flag, an emoji with its skin tone.
    Emoji joined to one picture by invisible characters fall apart into their members. Cleaning
    twice gives the same. Anything that is no text gives "".
    """
    if limit < 1:
        raise ValueError("a name has at least one grapheme")
    if not isinstance(text, str):
        return ""
    text = unicodedata.normalize("NFC", text[: 64 * limit])
    graphemes: list[str] = []
    marks = 0
    for letter in text:
        if letter.isspace():
            if graphemes and graphemes[-1] != " ":
                graphemes.append(" ")
        elif not _is_shown(letter):
            continue
        elif unicodedata.category(letter)[0] == "M":
            if graphemes and graphemes[-1] != " " and marks < MAX_MARKS:
                graphemes[-1] += letter
                marks += 1
            continue
        elif graphemes and _belongs(graphemes[-1], letter):
            graphemes[-1] += letter
        else:
            graphemes.append(letter)
        marks = 0
    return unicodedata.normalize("NFC", "".join(graphemes[:limit])).strip(" ")


def told_apart(names: Sequence[str], taken: Collection[str] = ()) -> tuple[str, ...]:
    """Return the names, with a number behind each that is not the only one of its kind.

    Case and width of letters make no other name. No result is like another one, or like one of
    ``taken``: nobody gets the name that the number has made of somebody else's.
    """
    kinds = [kind_of(name) for name in names]
    total = Counter(kinds) + Counter({kind_of(name) for name in taken})
    used = set(total)
    found = []
    for name, kind in zip(names, kinds, strict=True):
        if total[kind] > 1:
            numbered = (f"{name} {number}" for number in count(1))
            name = next(other for other in numbered if kind_of(other) not in used)
            used.add(kind_of(name))
        found.append(name)
    return tuple(found)


def kind_of(name: str) -> str:
    """Return what a name has in common with all that differ by case and width of letters only.

    It is a text of its own kind.
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    return unicodedata.normalize("NFKC", folded)


def _is_shown(letter: str) -> bool:
    """Whether a character (no white space) shows anything, and only where it stands."""
    return unicodedata.category(letter)[0] not in "CZ" and ord(letter) not in _INVISIBLE


def _belongs(grapheme: str, letter: str) -> bool:
    """Whether ``letter`` completes the picture that ``grapheme`` began."""
    code = ord(letter)
    if code in _SKIN_TONES:
        return grapheme != " " and len(grapheme) == 1
    return code in _FLAG_LETTERS and len(grapheme) == 1 and ord(grapheme) in _FLAG_LETTERS
