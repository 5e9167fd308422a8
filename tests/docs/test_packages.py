"""The docstring of a package tells a newcomer what is where."""

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
