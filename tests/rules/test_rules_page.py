"""docs/rules.md names every option, value and preset, and no other."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path

from p2p_hearts.rules.options import OPTIONS, PRESETS

PAGE = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")


def rows(heading: str) -> dict[str, str]:
    """The rows of the table below a heading, by the name in the first column."""
    section = PAGE.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return dict(re.findall(r"^\| `([\w-]+)` \| ([^|]*) \|", section, flags=re.MULTILINE))


def test_rules_page__has_a_row_for_every_option_and_its_values() -> None:
    options = rows("Options")
    assert list(options) == list(OPTIONS)
    for name, default in OPTIONS.items():
        if isinstance(default, StrEnum):
            named = re.findall(r"`([\w-]+)`", options[name])
            assert named == list(type(default)), name
        else:
            shown = ("no", "yes")[default] if isinstance(default, bool) else str(default)
            assert re.match(rf"{shown}[;:]", options[name]), name


def test_rules_page__says_what_each_preset_changes() -> None:
    presets = rows("Presets")
    assert list(presets) == list(PRESETS)
    for name, rules in PRESETS.items():
        changes = dict(re.findall(r"`(\w+)=([\w-]+)`", presets[name]))
        assert PRESETS["black-lady"].with_options(changes) == rules, name
