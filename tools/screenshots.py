"""Screens for the guide, from the real program in tmux: ``make screenshots``.

Each picture is an SVG in ``docs/guide/``: the cells of the terminal with their colours, read from
what tmux captured. A game against computer players is played as far as each picture needs; cards
differ from run to run, as they should.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Final

from p2p_hearts.ui.words import width

FOLDER: Final = Path(__file__).resolve().parent.parent / "docs" / "guide"
SERVER: Final = "p2p-hearts-screenshots"

COLUMNS, ROWS = 80, 24
CELL_WIDTH, CELL_HEIGHT = 8.4, 17
FONT: Final = "'DejaVu Sans Mono','Menlo','Consolas',monospace"
INK, PAPER = "#d8dee9", "#1f232b"
COLOURS: Final = (
    "#3b4252", "#e0606c", "#8fc07f", "#e5c07b", "#6a9fd8", "#b48ead", "#7fc8d0", "#d8dee9",
    "#7b8494", "#ff7a85", "#a6d896", "#f0d090", "#8ab8f0", "#caa6d6", "#9adbe2", "#ffffff",
)  # fmt: skip
"""The sixteen colours of a terminal, dark ones first."""

SECONDS = 120.0
"""How long each picture may take to come."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a run of cells is drawn."""

    ink: str = INK
    paper: str = PAPER
    bold: bool = False
    reverse: bool = False

    @property
    def colours(self) -> tuple[str, str]:
        """Ink and paper as they are seen."""
        return (self.paper, self.ink) if self.reverse else (self.ink, self.paper)


def main() -> int:
    """Play a game and write a picture of each view."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="p2p-hearts-guide-") as home:
        try:
            _play(Path(home))
        finally:
            subprocess.run(["tmux", "-L", SERVER, "kill-server"], capture_output=True, check=False)
    return 0


def _play(home: Path) -> None:
    command = [sys.executable, "-m", "p2p_hearts", "play", "--nick", "Ana", "--hands", "3"]
    line = shlex.join([*command, "--pace", "0.1", "--home", str(home), "--lang", "en"])
    _tmux("-f", "/dev/null", "new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS), line)
    _until("Welcome to the table")
    _take("tour")
    _keys("Escape")
    _until("Choose 3 cards to pass")
    _keys("h")
    _until("h closes")
    _wait(lambda: "Looking ahead" not in _text(), "the advice")
    _take("hint")
    _keys("h", "Space", "Right", "Space", "Right", "Space")
    _until("Press Enter to pass")
    _take("passing")
    _keys("Enter")
    _until("It is your turn to play a card.")
    _take("playing")
    _keys("o")
    _until("o closes")
    _take("settings")
    _keys("o")
    deadline = time.monotonic() + 6 * SECONDS
    while "The match is over" not in (text := _text()) and time.monotonic() < deadline:
        if "Choose 3 cards to pass" in text:
            _keys("Space", "Right", "Space", "Right", "Space")
            _until("Press Enter to pass")
            _keys("Enter")
            _wait(lambda: "Press Enter to pass" not in _text(), "the next hand")
        elif "It is your turn" in text:
            _keys("Enter")
        time.sleep(0.1)
    _until("The match is over")
    _take("match-over")
    _keys("Enter")


def _take(name: str) -> None:
    """Write what stands on the screen."""
    time.sleep(0.3)  # the last key is drawn
    path = FOLDER / f"{name}.svg"
    path.write_text(svg(_tmux("capture-pane", "-p", "-e")), encoding="utf-8")
    sys.stdout.write(f"{path.relative_to(FOLDER.parent.parent)}\n")


def svg(captured: str) -> str:
    """Return a picture of a screen with its colours, as tmux captures it."""
    size = f'width="{COLUMNS * CELL_WIDTH:.0f}" height="{ROWS * CELL_HEIGHT}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-size="14" font-family="{FONT}">',
        f'<rect width="100%" height="100%" fill="{PAPER}"/>',
    ]
    look = Look()
    for row, line in enumerate(captured.split("\n")[:ROWS]):
        column = 0
        for text, changed in _runs(line, look):
            look = changed  # it lasts over the end of the line
            lines += _drawn(text, look, column, row)
            column += width(text)
    return "\n".join([*lines, "</svg>"]) + "\n"


def _drawn(text: str, look: Look, column: int, row: int) -> Iterator[str]:
    """Yield the background of a run where it has one, and its text where it has any."""
    ink, paper = look.colours
    x, taken = column * CELL_WIDTH, width(text) * CELL_WIDTH
    if paper != PAPER:
        yield (
            f'<rect x="{x:.1f}" y="{row * CELL_HEIGHT}" width="{taken:.1f}" '
            f'height="{CELL_HEIGHT}" fill="{paper}"/>'
        )
    if text.strip():
        weight = ' font-weight="bold"' if look.bold else ""
        yield (
            f'<text x="{x:.1f}" y="{row * CELL_HEIGHT + 13}" fill="{ink}"{weight} '
            f'textLength="{taken:.1f}" xml:space="preserve">{escape(text)}</text>'
        )


def _runs(line: str, look: Look) -> Iterator[tuple[str, Look]]:
    """Yield runs of text with their look, reading the colours (ECMA-48, SGR)."""
    at = 0
    for found in re.finditer(r"\x1b\[([0-9;]*)m", line):
        if found.start() > at:
            yield line[at : found.start()], look
        look = _changed(look, [int(code or 0) for code in found[1].split(";")])
        at = found.end()
    yield line[at:], look


def _changed(look: Look, codes: list[int]) -> Look:
    for code in codes:
        match code:
            case 0:
                look = Look()
            case 1:
                look = replace(look, bold=True)
            case 22:
                look = replace(look, bold=False)
            case 7 | 27:
                look = replace(look, reverse=code == 7)
            case 39:
                look = replace(look, ink=INK)
            case 49:
                look = replace(look, paper=PAPER)
            case _ if 30 <= code <= 37 or 90 <= code <= 97:
                look = replace(look, ink=COLOURS[code - 30 if code < 40 else code - 82])
            case _ if 40 <= code <= 47:
                look = replace(look, paper=COLOURS[code - 40])
    return look


def _keys(*keys: str) -> None:
    for key in keys:
        _tmux("send-keys", key)
        time.sleep(0.15)  # Escape is a key of its own only where nothing follows at once


def _until(text: str) -> None:
    _wait(lambda: text in _text(), text)


def _wait(true: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + SECONDS
    while not true():
        if time.monotonic() > deadline:
            raise SystemExit(f"{what!r} did not come:\n{_text()}")
        time.sleep(0.1)


def _text() -> str:
    return _tmux("capture-pane", "-p")


def _tmux(*arguments: str) -> str:
    done = subprocess.run(
        ["tmux", "-L", SERVER, *arguments], check=True, capture_output=True, encoding="utf-8"
    )
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
