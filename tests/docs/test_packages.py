"""The docstring of a package, and the index of decisions, tell a newcomer what is where."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "p2p_hearts"
PACKAGES = sorted(path.parent for path in PACKAGE.rglob("__init__.py"))


@pytest.mark.parametrize("folder", PACKAGES, ids=lambda path: path.name)
def test_package__lists_only_modules_that_there_are(folder: Path) -> None:
    text = ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8")))
    assert text
    listed = re.findall(r"^    ([a-z_]+)  +\S", text, re.MULTILINE)
    there = {path.stem for path in folder.glob("*.py")} | {path.name for path in folder.iterdir()}
    assert set(listed) <= there


@pytest.mark.parametrize(
    "folder", [path for path in PACKAGES if path != PACKAGE], ids=lambda path: path.name
)
def test_package__names_every_module_that_there_is(folder: Path) -> None:
    """In the list or in backticks; of commands, which are named by what they are called, not."""
    text = ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8")))
    assert text
    named = set(re.findall(r"^    ([a-z_]+)  +\S|`([a-z_]+)`", text, re.MULTILINE))
    modules = {path.stem for path in folder.glob("[!_]*.py")}
    modules |= {path.parent.name for path in folder.glob("*/__init__.py")}
    if folder.name == "commands":
        modules -= {
            path.stem for path in folder.glob("*.py") if "\ndef run(" in path.read_text("utf-8")
        }
    assert modules <= {name for pair in named for name in pair}


RECORDS = sorted((PACKAGE.parent / "docs" / "decisions").glob("0*.md"))


def test_decisions__stand_in_an_index_with_what_replaced_them() -> None:
    index = (RECORDS[0].parent / "README.md").read_text("utf-8").splitlines()
    rows = [line.split(" | ") for line in index if line.startswith("| [")]
    assert len(rows) == len(RECORDS)
    for (link, title, status), path in zip(rows, RECORDS, strict=True):
        text = path.read_text("utf-8")
        heading = re.match(r"# (\d+)\. (.+)", text)
        assert heading
        assert (link, title) == (f"| [{heading[1]}]({path.name})", heading[2])
        replaced = re.search(r"^\*Replaced by number (\d+)", text, re.MULTILINE)
        assert status.startswith(f"replaced by {replaced[1]}" if replaced else "holds"), path.name
