"""Golden files: screens as they shall be, one file a view and size.

To make them anew after a wanted change: `P2P_HEARTS_GOLDEN=write` in the environment of one test
run, then read the difference.
"""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(__file__).parent / "golden"


def matches_golden(name: str, size: tuple[int, int], drawn: str) -> bool:
    """Whether a screen is as in its file; with the wish to write, the file is made from it."""
    path = FOLDER / f"{name}-{size[0]}x{size[1]}.txt"
    if os.environ.get("P2P_HEARTS_GOLDEN") == "write":
        path.write_text(drawn, encoding="utf-8")
    return drawn == path.read_text(encoding="utf-8")
