"""The score sheet: one row a hand, running totals, the moon marked; and the final chart."""

from __future__ import annotations

from p2p_hearts.i18n import _, ngettext
from p2p_hearts.ui.canvas import Line
from p2p_hearts.ui.curve import blocks, seat_mark, seat_style
from p2p_hearts.ui.scene import TableScene
from p2p_hearts.ui.scores import moon_seat, ranking, running_totals
from p2p_hearts.ui.words import clip, pad, width

_NUMBER = 3
"""Columns of the number of a hand."""


def sheet_columns(seats: int) -> int:
    """Columns of the narrowest readable sheet."""
    return _NUMBER + 6 * seats


def sheet_lines(
    scene: TableScene, columns: int, rows: int, *, lettered: bool = False
) -> list[Line]:
    """Return the sheet in at most `columns` × `rows`; the oldest hands give way.

    With ten columns a seat each cell tells the points of the hand and the total after it,
    with fewer the total alone. ``lettered``: a curve with a letter for each seat stands below.
    """
    match, glyphs = scene.view.match, scene.glyphs
    seats = match.rules.seats
    cell = min(12, max(4, (columns - _NUMBER) // seats))
    seats_shown = seats if cell * seats + _NUMBER <= columns else (columns - _NUMBER) // cell
    detailed = cell >= 10

    def head(seat: int) -> str:
        return f"{seat_mark(seat)} {scene.name(seat)}" if lettered else scene.name(seat)

    heads: Line = (
        ("", " " * _NUMBER),
        *(
            (
                "class:seat.turn" if seat == scene.view.seat else "class:title",
                pad(clip(head(seat), cell - 1, glyphs), cell, ">", glyphs),
            )
            for seat in range(seats_shown)
        ),
    )
    lines: list[Line] = [heads]
    totals = running_totals(match)
    room = max(1, rows - 3)
    hidden = max(0, len(match.hands) - room)
    if hidden:
        hidden += 1
        earlier = ngettext("{n} earlier hand", "{n} earlier hands", hidden).format(n=hidden)
        lines.append((("class:faint", clip(f" {glyphs.ellipsis} {earlier}", columns, glyphs)),))
    for index in range(hidden, len(match.hands)):
        scores = match.hands[index]
        moon = moon_seat(match.rules, scores)
        cells: list[tuple[str, str]] = [("class:faint", pad(str(index + 1), _NUMBER, ">"))]
        for seat in range(seats_shown):
            mark = glyphs.moon if seat == moon else " "
            total = totals[index][seat]
            if detailed:
                text = f"{scores[seat]:+d}{mark}" + pad(str(total), 5, ">")
            else:
                text = f"{total}{mark}" if seat == moon else str(total)
            cells.append(("class:mark" if seat == moon else "", pad(text, cell, ">", glyphs)))
        lines.append(tuple(cells))
    if not match.hands:
        lines.append((("class:faint", clip(" " + _("No hand is finished yet."), columns, glyphs)),))
    lines.append((("class:frame", glyphs.horizontal * min(columns, _NUMBER + cell * seats)),))
    lines.append(
        (
            ("", " " * _NUMBER),
            *(
                ("class:title", pad(str(match.totals[seat]), cell, ">"))
                for seat in range(seats_shown)
            ),
        )
    )
    return lines


def chart_lines(scene: TableScene, columns: int, *, lettered: bool) -> list[Line]:
    """Places, names and totals with a bar each, lowest total first.

    ``lettered``: a curve with a letter for each seat stands below. Without it, and after several
    hands, the totals after each hand stand in the place of the bar.
    """
    match, glyphs = scene.view.match, scene.glyphs
    names = max((width(scene.name(seat)) for seat in range(match.rules.seats)), default=0)
    names = min(names, max(6, columns // 3))
    longest = max(1, *(abs(total) for total in match.totals))
    room = max(0, columns - names - (14 if lettered else 12))
    totals = running_totals(match)
    lines: list[Line] = []
    for place, seat in ranking(match):
        total = match.totals[seat]
        bar = glyphs.full * (abs(total) * room // longest)
        if len(totals) > 1 and not lettered:
            bar = blocks(totals, seat, room, glyphs)
        style = "class:winner" if seat in match.winners else "class:title"
        lines.append(
            (
                ("class:faint", pad(f"{place}.", 4, ">")),
                (seat_style(seat), f" {seat_mark(seat)}" if lettered else ""),
                (style, " " + pad(scene.name(seat), names, "<", glyphs)),
                ("", pad(str(total), 6, ">") + " "),
                ("class:bar.me" if seat == scene.view.seat else "class:bar", bar),
            )
        )
    return lines
