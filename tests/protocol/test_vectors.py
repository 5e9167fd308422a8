"""Every vector both ways: accepted ones give their result, twins are refused as they say."""

from __future__ import annotations

import json

import pytest

from tests.protocol.files import VECTORS, Entry, checks, twin_of, vectors
from tools.vectors import FILES
from tools.vectors.operations import OPERATIONS
from tools.vectors.values import SECRET_NOTE, outcome

ACCEPTED = [
    pytest.param(path.name, entry, id=f"{path.stem}: {entry['name']}")
    for path in VECTORS
    for entry in vectors(path.name)["accepted"]
]
REJECTED = [
    pytest.param(path.name, entry, id=f"{path.stem}: {entry['twin']}: {entry['changed']}")
    for path in VECTORS
    for entry in vectors(path.name)["rejected"]
]


@pytest.mark.parametrize(("name", "entry"), ACCEPTED)
def test_vectors__accepted_input_gives_its_result(name: str, entry: Entry) -> None:
    is_accepted, result = outcome(OPERATIONS[entry["operation"]], entry["input"])
    assert is_accepted, result
    # As text: in Python, true equals 1.
    assert json.dumps(result) == json.dumps(entry["result"])


@pytest.mark.parametrize(("name", "entry"), REJECTED)
def test_vectors__rejected_twin_is_refused_as_expected(name: str, entry: Entry) -> None:
    twin = twin_of(name, entry)
    changed = {**twin["input"], **entry["input"]}
    assert json.dumps(changed) != json.dumps(twin["input"])
    assert outcome(OPERATIONS[twin["operation"]], changed) == (False, entry["expect"])


@pytest.mark.parametrize(("name", "entry"), REJECTED)
def test_vectors__the_check_that_refuses_stands_in_the_specification(
    name: str, entry: Entry
) -> None:
    row, expect = checks()[entry["check"]], entry["expect"]
    if expect.startswith("fault "):
        _, rule, _, _ = expect.split()
        assert f"`{rule}`" in row or "fault" in row
    else:
        assert expect in row or "the proof's own flaw" in row


def test_vectors__every_file_is_generated_and_marks_its_secrets() -> None:
    assert {path.name for path in VECTORS} == set(FILES)
    for path in VECTORS:
        assert vectors(path.name)["note"] == SECRET_NOTE
        assert path.stat().st_size < 400_000


def test_vectors__every_operation_is_used() -> None:
    used = {entry["operation"] for path in VECTORS for entry in vectors(path.name)["accepted"]}
    assert used == set(OPERATIONS)


def test_vectors__every_check_of_a_single_message_has_a_rejected_twin() -> None:
    """All but those that need more than one message, or a table of their own."""
    refused = {entry["check"] for path in VECTORS for entry in vectors(path.name)["rejected"]}
    elsewhere = {
        *{"V38", "V46", "V54", "V55", "V56"},  # the choice of a moon; a size; a running table
        *{"V57", "V58", "V59", "V60", "V61", "V62", "V63", "V66"},  # the history of a running table
        *{"V104", "V105", "V111", "V113"},  # what an audit finds besides other things
        *{"V67", "V83", "V84"},  # a lost secret, evidence: a table of their own
    }
    assert set(checks()) - refused == elsewhere
