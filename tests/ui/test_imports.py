from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize("module", ["line", "auto", "status", "frontend"])
def test_imports__only_the_full_screen_loads_the_terminal_library(module: str) -> None:
    """A seat without a screen pays nothing for one."""
    check = f"import sys, p2p_hearts.ui.{module}; sys.exit('prompt_toolkit' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
