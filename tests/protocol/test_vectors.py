"""Every vector both ways: accepted ones give their result, twins are refused as they say."""

from __future__ import annotations

import json

import pytest

from p2p_hearts.wire.messages import BALLOTS, BODIES, Kind
from tests.protocol.files import (
    VECTORS,
    Entry,
    accepted,
    checks,
    expanded,
    section,
    sections,
    twin_of,
    vectors,
)
from tools.spec_parts import MEANINGS, schema
from tools.vectors import FILES
from tools.vectors.operations import OPERATIONS
from tools.vectors.values import SECRET_NOTE, outcome

ACCEPTED = [
    pytest.param(path.name, entry, id=f"{path.stem}: {entry['name']}")
    for path in VECTORS
    for entry in vectors(path.name)["accepted"]
]
REJECTED = [
    pytest.param(
        path.name, entry, id=f"{path.stem}: {entry['check']}: {entry['twin']}: {entry['changed']}"
    )
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
    """In its own row, or in one that names it or is named by it: what the audit makes of it.

    Or in its section, where it has no number.
    """
    check, expect = entry["check"], entry["expect"]
    if check not in checks():
        assert expect in section(check)
        return
    own = checks()[check]
    rows = [own, *(row for row in checks().values() if check in expanded(row))]
    rows += [checks()[other] for other in expanded(own)]
    if expect.startswith("fault "):
        _, rule, _, _ = expect.split()
        assert any(f"`{rule}`" in row or "fault" in row for row in rows)
    else:
        assert any(expect in row or "the proof's own flaw" in row for row in rows)


def test_vectors__every_file_is_generated_and_marks_its_secrets() -> None:
    assert {path.name for path in VECTORS} == set(FILES)
    for path in VECTORS:
        assert vectors(path.name)["note"] == SECRET_NOTE
        assert path.stat().st_size < 400_000


def test_vectors__every_operation_is_used() -> None:
    used = {entry["operation"] for path in VECTORS for entry in vectors(path.name)["accepted"]}
    assert used == set(OPERATIONS)


def test_vectors__every_struct_is_decoded_and_refused() -> None:
    """In what its vectors are asked, not in logs that hold it somewhere."""
    accepted, refused = set(), set()
    for path in VECTORS:
        structs = {
            entry["name"]: entry["input"]["struct"]
            for entry in vectors(path.name)["accepted"]
            if entry["operation"] == "decode"
        }
        accepted |= set(structs.values())
        twins = {entry["twin"] for entry in vectors(path.name)["rejected"]}
        refused |= {structs[twin] for twin in twins & set(structs)}
    named = {kind.__name__ for kind in (*MEANINGS, *BODIES.values())}
    assert {struct["name"] for struct in json.loads(schema())["structs"]} == named
    assert accepted == named
    assert refused == named


def test_vectors__every_kind_of_content_is_taken_and_refused() -> None:
    """By the round that takes it; and refused for its body, and, if a speech, in another round."""
    name, asked = "content.json", "take content"
    taken = {entry["name"]: entry["result"]["kind"] for entry in accepted(name, asked)}
    assert set(taken.values()) == set(Kind)
    refused: dict[str, set[str]] = {}
    for entry in vectors(name)["rejected"]:
        if entry["twin"] in taken:
            refused.setdefault(taken[entry["twin"]], set()).add(entry["expect"])
    speech = {"drop", "body", "kind"}
    beside = {kind: {"drop", "body"} for kind in (*BALLOTS, Kind.ACK)}
    assert refused == dict.fromkeys(Kind, speech) | beside


def test_vectors__every_file_is_both_ways() -> None:
    for path in VECTORS:
        file = vectors(path.name)
        assert file["accepted"], path.name
        assert file["rejected"], path.name


WITHOUT_TWIN = {
    "V57": "what comes early is kept for a while: nothing is refused for good",
    "V58": "the same content again is nothing new: it is not refused, it changes nothing",
}
"""Checks of which no vector can show that they alone refuse something, and why."""


def test_vectors__every_check_has_a_rejected_twin_or_a_reason_for_none() -> None:
    refused = {entry["check"] for path in VECTORS for entry in vectors(path.name)["rejected"]}
    assert (refused - sections()) | set(WITHOUT_TWIN) == set(checks())
    assert not refused & set(WITHOUT_TWIN)
