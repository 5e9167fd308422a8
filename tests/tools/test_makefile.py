"""The targets of the Makefile reach what they are for."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]


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
