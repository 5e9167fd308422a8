"""Golden files: screens as they shall be, one file a language, view and size.

To make them anew after a wanted change: `P2P_HEARTS_GOLDEN=write` in the environment of one test
run, then read the difference.
"""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(__file__).parent / "golden"


def matches_golden(name: str, size: tuple[int, int], drawn: str, language: str = "en") -> bool:
    """Whether a screen is as in its file; with the wish to write, the file is made from it."""
    path = golden_path(name, size, language)
    if os.environ.get("P2P_HEARTS_GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(drawn, encoding="utf-8")
    return drawn == path.read_text(encoding="utf-8")


def golden_path(name: str, size: tuple[int, int], language: str = "en") -> Path:
    """Return the file of a screen; those in English stand in the folder itself."""
    folder = FOLDER if language == "en" else FOLDER / language
    return folder / f"{name}-{size[0]}x{size[1]}.txt"
