"""The full screen is driven in tmux where there is one; all else needs nothing but Python."""

from __future__ import annotations

import shutil

TMUX = shutil.which("tmux")

collect_ignore = [] if TMUX else ["test_replay.py", "test_screen.py"]


def pytest_report_header() -> str:
    """Say whether the full screen is tested in a real terminal."""
    return f"full screen: in {TMUX}" if TMUX else "full screen: not in a terminal, tmux is missing"
