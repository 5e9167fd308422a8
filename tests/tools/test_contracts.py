"""The contracts of imports break where an import is forbidden (``make contracts``)."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

LAYERS = "layers point downward only"
PERSON = "what a person or a bot sees knows the rules only"
AUDIT = "the audit shares no code with the table"
PURE = "the pure core has no clock, socket, thread or chance of its own"
GROUP = "one module speaks to the group library"

FORBIDDEN = {
    "a_layer_imports_one_above": ("crypto/sigma.py", "p2p_hearts.wire.chain", LAYERS),
    "a_layer_imports_a_front_end": ("wire/codec.py", "p2p_hearts.ui.words", LAYERS),
    "a_layer_imports_a_computer_player": ("wire/codec.py", "p2p_hearts.bots.easy", LAYERS),
    "a_package_has_no_layer": ("another.py", "p2p_hearts.rules", LAYERS),
    "a_front_end_imports_the_table": ("ui/words.py", "p2p_hearts.table.machine", PERSON),
    "the_audit_imports_the_table": ("record/audit/rounds.py", "p2p_hearts.table.voting", AUDIT),
    "the_table_has_a_clock": ("table/patience.py", "time", PURE),
    "the_shuffle_speaks_to_the_group_library": ("crypto/shuffle.py", "rbcl", GROUP),
    "the_node_speaks_to_the_group_library": ("node/pump.py", "rbcl", GROUP),
}
"""Where what is imported, and which contract that breaks, and no other."""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the package and of the contracts."""
    copy = tmp_path_factory.mktemp("contracts")
    shutil.copy(ROOT / "pyproject.toml", copy)
    shutil.copytree(
        ROOT / "p2p_hearts", copy / "p2p_hearts", ignore=shutil.ignore_patterns("locale", "*.pyc")
    )
    return copy


def broken(tree: Path) -> set[str]:
    """Return the names of the contracts that are broken there."""
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-logo"]
    # What is told is folded to the width of a terminal.
    environment = os.environ | {"PYTHONPATH": str(tree), "COLUMNS": "200"}
    told = subprocess.run(
        command, cwd=tree, env=environment, capture_output=True, text=True, check=False
    ).stdout
    found = dict(re.findall(r"^(.+?) (KEPT|BROKEN)\b", told, re.MULTILINE))
    assert found.keys() == {LAYERS, PERSON, AUDIT, PURE, GROUP}, told
    return {name for name, outcome in found.items() if outcome == "BROKEN"}


@pytest.mark.parametrize("name", FORBIDDEN)
def test_contracts__break_where(tree: Path, name: str) -> None:
    path, module, contract = FORBIDDEN[name]
    file = tree / "p2p_hearts" / path
    kept = file.read_text() if file.exists() else None
    file.write_text(f"{kept or ''}\nimport {module}\n")
    try:
        assert broken(tree) == {contract}
    finally:
        file.unlink() if kept is None else file.write_text(kept)


def test_contracts__are_kept_as_the_tree_stands(tree: Path) -> None:
    assert broken(tree) == set()
