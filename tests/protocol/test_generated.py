"""What is made from the code is what stands in protocol/."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_hearts.agreement import rounds
from tests.protocol.files import SPEC
from tools import generate, spec_parts


def test_generate__makes_the_very_bytes_that_are_in_the_repository() -> None:
    assert generate.stale(generate.generated()) == []


def test_generate__a_table_of_rounds_that_drifted_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    text = SPEC.read_text(encoding="utf-8")
    first, *others = rounds.STAGES
    changed = (replace(first, what="something else"), *others)
    monkeypatch.setattr(spec_parts, "STAGES", changed)
    assert spec_parts.fill(text) != text


def test_generate__a_line_changed_by_hand_between_markers_is_made_anew() -> None:
    text = SPEC.read_text(encoding="utf-8")
    changed = text.replace("| `shuffle` | one seat a round", "| `shuffle` | all seats", 1)
    assert changed != text
    assert spec_parts.fill(changed) == text


def test_generate__a_missing_marker_is_an_error() -> None:
    text = SPEC.read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="words"):
        spec_parts.fill(text.replace("<!-- generated: words -->", ""))
