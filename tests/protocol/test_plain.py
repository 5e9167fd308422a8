"""An implementation written from SPEC.md alone agrees with the vectors."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from tests.protocol import plain
from tests.protocol.files import SPEC, VECTORS, Entry, accepted, twin_of, vectors

WORDS = (
    SPEC.read_text(encoding="utf-8")
    .split("<!-- generated: words -->\n```text\n")[1]
    .split("```")[0]
    .split()
)
OPERATIONS = plain.operations(WORDS)
RULES = "hash rules"


def result_of(operation: str, given: Entry) -> tuple[bool, object]:
    try:
        return True, OPERATIONS[operation](given)
    except plain.Refused as refusal:
        return False, str(refusal)


ACCEPTED = [
    pytest.param(path.name, entry, id=f"{path.stem}: {entry['name']}")
    for path in VECTORS
    for entry in accepted(path.name, *OPERATIONS)
]
REJECTED = [
    pytest.param(path.name, entry, id=f"{path.stem}: {entry['twin']}: {entry['changed']}")
    for path in VECTORS
    for entry in vectors(path.name)["rejected"]
    if twin_of(path.name, entry)["operation"] in OPERATIONS
]


@pytest.mark.parametrize(("name", "entry"), ACCEPTED)
def test_plain__accepted_input_gives_its_result(name: str, entry: Entry) -> None:
    result = result_of(entry["operation"], entry["input"])
    assert json.dumps(result) == json.dumps((True, entry["result"]))


@pytest.mark.parametrize(("name", "entry"), REJECTED)
def test_plain__rejected_twin_is_refused_as_expected(name: str, entry: Entry) -> None:
    twin = twin_of(name, entry)
    given = {**twin["input"], **entry["input"]}
    assert result_of(twin["operation"], given) == (False, entry["expect"])


@pytest.mark.parametrize("entry", accepted("draw.json", RULES), ids=lambda entry: entry["name"])
def test_plain__rules_have_the_hash_that_the_text_says(entry: Entry) -> None:
    assert plain.hash_rules(entry["input"]) == entry["result"]


def test_plain__imports_the_standard_library_alone() -> None:
    tree = ast.parse(Path(plain.__file__).read_text(encoding="utf-8"))
    names = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    } | {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert names == {"__future__", "collections.abc", "hashlib", "typing", "zlib"}


def test_plain__has_all_words() -> None:
    assert len(WORDS) == len(set(WORDS)) == 256
    assert all(re.fullmatch("[a-z]+", word) for word in WORDS)
