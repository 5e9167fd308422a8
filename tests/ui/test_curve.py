"""The curve of the totals: every point of every seat where it belongs, at any size."""

from __future__ import annotations

import pytest

from p2p_hearts.ui.canvas import Line
from p2p_hearts.ui.curve import blocks, curve_fits, curve_lines, seat_mark
from p2p_hearts.ui.words import LETTERS, SYMBOLS, Glyphs, width

TOTALS = ((8, 0, 14, 4), (16, 4, 28, 4), (28, 4, 41, 5), (2, 30, 41, 31))


def drawn(lines: list[Line]) -> list[str]:
    return ["".join(text for _style, text in line) for line in lines]


@pytest.mark.parametrize("glyphs", [SYMBOLS, LETTERS])
@pytest.mark.parametrize("columns", [0, 10, 24, 40, 60, 200])
@pytest.mark.parametrize("rows", [0, 4, 5, 9, 60])
def test_curve__keeps_to_its_room(columns: int, rows: int, glyphs: Glyphs) -> None:
    lines = drawn(curve_lines(TOTALS, columns, rows, glyphs, 0))
    assert bool(lines) is curve_fits(TOTALS, columns, rows)
    assert len(lines) <= rows
    assert all(width(line) <= columns for line in lines)
    if glyphs is LETTERS:
        assert all(line.isascii() for line in lines)


def test_curve__begins_with_the_second_hand() -> None:
    assert curve_lines(TOTALS[:1], 80, 20, SYMBOLS) == []
    assert curve_lines((), 80, 20, SYMBOLS) == []


def test_curve__every_seat_ends_at_its_total_between_the_highest_and_zero() -> None:
    *plot, told = drawn(curve_lines(TOTALS, 80, 12, SYMBOLS, 0))
    assert plot[0].startswith("41 │")
    assert plot[-1].startswith(" 0 │")
    ends = {line.rstrip()[-1]: row for row, line in enumerate(plot)}
    assert ends["C"] == 0
    assert ends["A"] == len(plot) - 1 - round(2 * 10 / 41)
    assert ends["C"] < ends["D"] <= ends.get("B", ends["D"]) < ends["A"]
    assert "from 1 to 4" in told


def test_curve__goes_below_zero_with_totals_that_do() -> None:
    plot = drawn(curve_lines(((-10, 26, 26, 26), (-20, 30, 48, 52)), 40, 8, SYMBOLS))
    assert plot[0].startswith(" 52 │")
    assert plot[-2].startswith("-20 │")


def test_curve__the_own_one_lies_on_top() -> None:
    same = ((5, 5), (9, 9))
    for own in (0, 1):
        text = "".join(drawn(curve_lines(same, 40, 8, SYMBOLS, own))[:-1])
        assert seat_mark(own) in text
        assert seat_mark(1 - own) not in text


def test_blocks__rise_with_the_totals_and_the_last_hands_are_kept() -> None:
    assert blocks(TOTALS, 2, 9, SYMBOLS) == "▃▅██"
    assert blocks(TOTALS, 2, 2, SYMBOLS) == "██"
    assert blocks(TOTALS, 1, 9, SYMBOLS) == "▁▁▁▆"
    assert blocks(TOTALS, 1, 0, SYMBOLS) == ""
    assert blocks(((0, 0), (0, 0)), 0, 9, LETTERS) == "__"
