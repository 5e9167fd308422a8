"""What the guides tell people to type is something that the program takes."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from p2p_hearts.arguments import make_parser

ROOT = Path(__file__).parents[2]
GUIDES = ("README.md", "docs/guide.md", "docs/guide.pt.md", "docs/guide.id.md")


def commands(page: str) -> list[str]:
    """Return the lines of a page's code blocks that start the program, as the program sees them."""
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    whole = [line for block in blocks for line in block.splitlines()]
    lines = [re.split(r"  #| > ", line)[0].strip() for line in whole]
    return [line for line in lines if re.match(r"(\.venv/bin/)?p2p-hearts ", line)]


def keys(page: str) -> list[str]:
    """Return the keys of the first table that explains keys."""
    text = (ROOT / page).read_text(encoding="utf-8")
    table = re.search(r"(?:^\|.*\n)+", text, re.MULTILINE)
    assert table is not None
    return re.findall(r"^\| `([^`]+)`", table[0], re.MULTILINE)


@pytest.mark.parametrize("page", GUIDES)
def test_guides__every_command_is_one_that_the_program_takes(page: str) -> None:
    found = commands(page)
    assert len(found) >= 5
    for line in found:
        words = shlex.split(line)[1:]
        if "--help" not in words:
            assert make_parser().parse_args(words).command in words


@pytest.mark.parametrize("language", ["pt", "id"])
def test_guides__the_quick_starts_have_the_keys_and_commands_of_the_guide(language: str) -> None:
    english, other = "docs/guide.md", f"docs/guide.{language}.md"
    assert sorted(keys(other)) == sorted(keys(english))
    assert [line.split()[1] for line in commands(other)] == [
        line.split()[1] for line in commands("docs/guide.pt.md")
    ]
