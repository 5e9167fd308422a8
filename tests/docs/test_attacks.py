"""Every attack that docs/attacks.md calls prevented names the tests that carry it out."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "attacks.md").read_text(encoding="utf-8")
NAME = re.compile(r"`(test_\w+)`")


def defined() -> set[str]:
    """Return the names of all tests, as they stand in their files."""
    found: set[str] = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        found.update(re.findall(r"^(?:async )?def (test_\w+)", path.read_text("utf-8"), re.M))
    return found


def test_attacks__every_line_of_what_is_prevented_names_tests_that_exist() -> None:
    prevented = PAGE.partition("## Prevented")[2].partition("\n## ")[0]
    rows = [row for row in prevented.splitlines() if row.startswith("| ")][2:]
    assert len(rows) > 25
    known = defined()
    for row in rows:
        named = NAME.findall(row.rsplit("|", 2)[1])
        assert named, f"no test is named: {row}"
        assert set(named) <= known, set(named) - known


def test_attacks__no_page_names_a_test_that_does_not_exist() -> None:
    known = defined()
    for path in (ROOT / "docs").rglob("*.md"):
        missing = set(NAME.findall(path.read_text("utf-8"))) - known
        assert not missing, (path.name, missing)
