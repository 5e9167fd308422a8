"""The full screen is driven in tmux where there is one; all else needs nothing but Python."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from tests.e2e.terminals import Terminal

TMUX = shutil.which("tmux")

collect_ignore = (
    [] if TMUX else ["test_crash.py", "test_evening.py", "test_replay.py", "test_screen.py"]
)


def pytest_report_header() -> str:
    """Say whether the full screen is tested in a real terminal."""
    return f"full screen: in {TMUX}" if TMUX else "full screen: not in a terminal, tmux is missing"


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    terminal = Terminal()
    try:
        yield terminal
    except BaseException:
        print(terminal.screen())
        raise
    finally:
        terminal.close()
