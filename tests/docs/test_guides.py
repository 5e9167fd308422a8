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


@pytest.mark.parametrize("page", GUIDES)
def test_guides__every_command_is_one_that_the_program_takes(page: str) -> None:
    found = commands(page)
    assert len(found) >= 5
    for line in found:
        words = shlex.split(line)[1:]
        if "--help" not in words:
            assert make_parser().parse_args(words).command in words


@pytest.mark.parametrize("language", ["pt", "id"])
def test_guides__the_languages_have_the_same_commands_and_keys(language: str) -> None:
    shapes = []
    for name in (language, "pt"):
        text = (ROOT / "docs" / f"guide.{name}.md").read_text(encoding="utf-8")
        keys = re.findall(r"^\| `([^`]+)`", text, re.MULTILINE)
        verbs = [line.split()[1] for line in commands(f"docs/guide.{name}.md")]
        shapes.append((keys, verbs, text.count("\n## ")))
    assert shapes[0] == shapes[1]
