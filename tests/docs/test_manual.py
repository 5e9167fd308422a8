"""The manual page: every command and option on it, and man itself has nothing to complain of."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from p2p_hearts.arguments import make_parser
from tests.programs import LONG, clean_environment
from tools import manual


def test_manual__is_the_one_in_the_repository() -> None:
    assert manual.PAGE.read_text(encoding="utf-8") == manual.page(), "make docs makes it anew"


@pytest.mark.skipif(
    shutil.which("man") is None or shutil.which("groff") is None, reason="man or groff is missing"
)
def test_manual__reads_without_a_warning_and_tells_every_command() -> None:
    done = subprocess.run(
        ["man", "--warnings", "-l", str(manual.PAGE)],
        env={**clean_environment(), "MANWIDTH": "100", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=LONG,
    )
    assert done.stderr == ""
    shown = " ".join(done.stdout.split())
    commands = manual._commands(make_parser())
    assert len(commands) > 10
    for name, helped, _parser in commands:
        assert name in shown
        assert " ".join(helped[1:].split()[:3]) in shown
    for word in ("--grace", "P2P_HEARTS_HOME", "settings.toml", "130"):
        assert word in shown
