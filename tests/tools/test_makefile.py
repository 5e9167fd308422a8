"""The targets of the Makefile reach what they are for."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_make_help__says_a_line_for_every_target_and_comes_first() -> None:
    command = ["make", "--no-print-directory"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    told = {line[:12].strip(): line[13:] for line in said.splitlines()}
    text = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z]+):.*##", text, re.MULTILINE))
    assert set(told) == targets
    assert told["demo"] == "a whole match of four real peers, then the audit of their logs"
    assert all(len(line) <= 100 for line in said.splitlines())


def test_make_setup__says_what_it_does_before_it_takes_its_time() -> None:
    command = ["make", "--no-print-directory", "--dry-run", "--always-make", "setup"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    told, slow = "Making the environment in .venv", "--require-hashes"
    assert 0 <= said.find(told) < said.find(slow)


def test_make_lan__looks_wherever_a_test_needs_network_namespaces() -> None:
    """It names folders, so that it need not collect thousands of tests to find a dozen."""
    (line,) = [
        line for line in (ROOT / "Makefile").read_text().splitlines() if line.startswith("LAN ")
    ]
    folders = [ROOT / name for name in line.partition(":=")[2].split()]
    marked = [
        path
        for path in (ROOT / "tests").rglob("test_*.py")
        if "mark.lan" in path.read_text("utf-8") and path != Path(__file__)
    ]
    assert len(marked) > 3
    assert not [path for path in marked if not any(path.is_relative_to(f) for f in folders)]
