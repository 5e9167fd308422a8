"""A captured screen as a picture: every letter at its cell, in its colours, nothing as markup."""

from __future__ import annotations

from xml.etree import ElementTree

from tools.screenshots import CELL_HEIGHT, CELL_WIDTH, COLOURS, INK, PAPER, svg

SPACE = "{http://www.w3.org/2000/svg}"


def runs(captured: str) -> list[ElementTree.Element]:
    return ElementTree.fromstring(svg(captured)).findall(f"{SPACE}text")


def test_svg__puts_letters_at_their_cells_wide_ones_taking_two() -> None:
    first, second, below = runs("卡a\x1b[1mb\nc")
    assert (first.text, float(first.attrib["x"])) == ("卡a", 0.0)
    assert second.attrib["x"] == f"{3 * CELL_WIDTH:.1f}"
    assert second.attrib["font-weight"] == "bold"
    assert int(below.attrib["y"]) == CELL_HEIGHT + 13
    assert below.attrib["font-weight"] == "bold"  # a look lasts over the end of the line


def test_svg__reads_colours_and_reverse() -> None:
    told = [run.attrib["fill"] for run in runs("\x1b[31mr\x1b[92mb\x1b[0mp\x1b[7mx")]
    assert told == [COLOURS[1], COLOURS[10], INK, PAPER]


def test_svg__markup_in_a_name_is_text() -> None:
    (run,) = runs("<script>&")
    assert run.text == "<script>&"
