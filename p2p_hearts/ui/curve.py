"""How the totals went from hand to hand: a curve where there is room, a line of blocks where not.

Each seat has a letter, so that the curves can be told apart without colours.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2p_hearts.i18n import _
from p2p_hearts.ui.canvas import Canvas, Line
from p2p_hearts.ui.words import Glyphs, clip

Totals = Sequence[Sequence[int]]
"""The totals of all seats after each finished hand, oldest first."""

LEAST_ROWS = 5
"""Rows without which no curve can be read, its caption among them."""

_LEAST_COLUMNS = 24
_HAND_COLUMNS = 8
"""No hand is drawn wider: few hands on a wide screen would tell nothing but straight lines."""

_COLOURS = 6


def seat_mark(seat: int) -> str:
    """Return the letter of a seat."""
    return "ABCDEFGHIJK"[seat]


def seat_style(seat: int) -> str:
    """Return the style of a seat's curve."""
    return f"class:curve.{seat % _COLOURS}"


def curve_fits(totals: Totals, columns: int, rows: int) -> bool:
    """Whether a curve can be drawn: there is room, and there are two hands at least."""
    return len(totals) >= 2 and columns >= _LEAST_COLUMNS and rows >= LEAST_ROWS


def curve_lines(
    totals: Totals, columns: int, rows: int, glyphs: Glyphs, own: int | None = None
) -> list[Line]:
    """Return the curves of all seats in at most ``columns`` × ``rows``, ``own`` drawn on top.

    Empty where it does not fit (`curve_fits`).
    """
    if not curve_fits(totals, columns, rows):
        return []
    hands = len(totals)
    high = max(0, *(total for after in totals for total in after))
    low = min(0, *(total for after in totals for total in after))
    axis = max(len(str(high)), len(str(low)))
    length = min(columns - axis - 2, hands * _HAND_COLUMNS + 1)
    depth = min(rows - 1, 12)
    canvas = Canvas(axis + 2 + length, depth, glyphs)
    for row in range(depth):
        canvas.put(axis + 1, row, glyphs.vertical, "class:frame")
    canvas.right(axis, 0, str(high), "class:faint")
    canvas.right(axis, depth - 1, str(low), "class:faint")

    def row_of(total: float) -> int:
        return round((high - total) * (depth - 1) / max(1, high - low))

    seats = sorted(range(len(totals[0])), key=lambda seat: seat == own)
    for seat in seats:
        values = [0, *(after[seat] for after in totals)]
        for x in range(length):
            at, part = divmod(x * hands, length - 1)
            to = values[min(at + 1, hands)]
            value = values[at] + (to - values[at]) * part / (length - 1)
            canvas.put(axis + 2 + x, row_of(value), glyphs.dot, seat_style(seat))
    for seat in seats:
        for number, after in enumerate(totals, 1):
            x = axis + 2 + number * (length - 1) // hands
            canvas.put(x, row_of(after[seat]), seat_mark(seat), seat_style(seat))
    told = _("Totals after each hand, from 1 to {n}.").format(n=hands)
    return [*canvas.lines(), (("class:faint", clip(told, columns, glyphs)),)]


def blocks(totals: Totals, seat: int, columns: int, glyphs: Glyphs) -> str:
    """Return the totals of one seat after the last hands, a block each, low and high."""
    shown = totals[-max(0, columns) :] if columns > 0 else ()
    high = max((max(after) for after in totals), default=0)
    low = min(0, min((min(after) for after in totals), default=0))
    levels = glyphs.levels
    return "".join(
        levels[(after[seat] - low) * (len(levels) - 1) // max(1, high - low)] for after in shown
    )
