"""A grid of styled characters that nothing can be drawn outside of.

Everything the table shows is put on a canvas of exactly the screen's size. Text that would
leave it is cut, and a wide letter that would stand across the edge becomes a space: no line
is ever longer than the screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2p_hearts.ui.choice import Key
from p2p_hearts.ui.words import Glyphs, ascii_letter, clip, width

Fragment = tuple[str, str]
"""A style and the text drawn in it."""
Line = tuple[Fragment, ...]


@dataclass(frozen=True, slots=True)
class Target:
    """A rectangle of cells that a click turns into a key."""

    column: int
    row: int
    columns: int
    rows: int
    key: Key

    def holds(self, column: int, row: int) -> bool:
        """Whether a cell is inside."""
        return (
            self.column <= column < self.column + self.columns
            and self.row <= row < self.row + self.rows
        )


class Canvas:
    """A mutable drawing board of `columns` × `rows` cells.

    Args:
        columns: width in terminal columns, at least 0.
        rows: height in lines, at least 0.
        glyphs: the characters that may be drawn; with ASCII glyphs every other character is
            replaced by a question mark.
    """

    def __init__(self, columns: int, rows: int, glyphs: Glyphs) -> None:
        self.columns = max(0, columns)
        self.rows = max(0, rows)
        self.glyphs = glyphs
        # A wide letter owns its first cell; the second holds "" and draws nothing.
        self._cells: list[list[Fragment]] = [[("", " ")] * self.columns for _ in range(self.rows)]
        self.targets: list[Target] = []

    def put(self, column: int, row: int, text: str, style: str = "") -> int:
        """Write `text` from a cell on and return the column after it; the outside is cut."""
        for letter in text:
            if self.glyphs.is_ascii and not letter.isascii():
                letter = ascii_letter(letter)
            taken = width(letter)
            if taken == 0:
                self._combine(column - 1, row, letter)
                continue
            if 0 <= row < self.rows:
                if column >= 0 and column + taken <= self.columns:
                    self._set(column, row, letter, taken, style)
                elif 0 <= column < self.columns:
                    self._set(column, row, " ", 1, style)
            column += taken
        return column

    def write(self, column: int, row: int, line: Line, end: int) -> int:
        """Write styled runs up to column `end`, clipped there; return the column after them."""
        for style, text in line:
            cut = clip(text, max(0, end - column), self.glyphs)
            column = self.put(column, row, cut, style)
            if cut != text:
                break
        return column

    def target(self, column: int, row: int, columns: int, rows: int, key: Key) -> None:
        """Let a click inside this rectangle count as `key`; later targets lie on top."""
        self.targets.append(Target(column, row, columns, rows, key))

    def keys(self, row: int, keys: Sequence[tuple[str, str, Key]], column: int = 1) -> None:
        """Write keys with what they do, as many as fit; a click on one does the same."""
        for key, text, sent in keys:
            taken = width(key) + 1 + width(text)
            if column + taken > self.columns:
                return
            self.target(column, row, taken, 1, sent)
            column = self.put(column, row, key, "class:key")
            column = self.put(column, row, f" {text}", "class:faint") + 3

    def centre(self, middle: int, row: int, text: str, style: str = "", room: int = 0) -> None:
        """Write `text` around a column, clipped to `room` columns when that is given."""
        cut = clip(text, room, self.glyphs) if room else text
        self.put(middle - width(cut) // 2, row, cut, style)

    def right(self, end: int, row: int, text: str, style: str = "") -> None:
        """Write `text` so that it ends before column `end`."""
        self.put(end - width(text), row, text, style)

    def clear(self, column: int, row: int, columns: int, rows: int, style: str = "") -> None:
        """Fill a rectangle with spaces."""
        for y in range(row, row + rows):
            self.put(column, y, " " * columns, style)

    def box(self, column: int, row: int, columns: int, rows: int, style: str = "") -> None:
        """Draw an empty frame of at least 2 × 2 cells and clear its inside."""
        if columns < 2 or rows < 2:
            return
        glyphs = self.glyphs
        top_left, top_right, bottom_left, bottom_right = glyphs.corners
        edge = glyphs.horizontal * (columns - 2)
        self.clear(column, row, columns, rows)
        self.put(column, row, top_left + edge + top_right, style)
        for y in range(row + 1, row + rows - 1):
            self.put(column, y, glyphs.vertical, style)
            self.put(column + columns - 1, y, glyphs.vertical, style)
        self.put(column, row + rows - 1, bottom_left + edge + bottom_right, style)

    def lines(self) -> tuple[Line, ...]:
        """Return the drawing as one tuple of (style, text) runs a row, each row full width."""
        return tuple(_runs(row) for row in self._cells)

    def _set(self, column: int, row: int, letter: str, taken: int, style: str) -> None:
        cells = self._cells[row]
        # Half of a wide letter never stays behind.
        if cells[column][1] == "" and column > 0:
            cells[column - 1] = (cells[column - 1][0], " ")
        after = column + taken
        if after < self.columns and cells[after][1] == "":
            cells[after] = (cells[after][0], " ")
        cells[column] = (style, letter)
        if taken == 2:
            cells[column + 1] = (style, "")

    def _combine(self, column: int, row: int, mark: str) -> None:
        if not (0 <= row < self.rows and 0 <= column < self.columns) or not mark.isprintable():
            return
        if self._cells[row][column][1] == "" and column > 0:
            column -= 1
        style, letter = self._cells[row][column]
        self._cells[row][column] = (style, letter + mark)


def _runs(cells: list[Fragment]) -> Line:
    runs: list[Fragment] = []
    for style, letter in cells:
        if runs and runs[-1][0] == style:
            runs[-1] = (style, runs[-1][1] + letter)
        else:
            runs.append((style, letter))
    return tuple(runs)
