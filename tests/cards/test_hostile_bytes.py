"""Whatever bytes a peer sends, a check answers with a value or a flaw."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.passing import check_selection
from p2p_hearts.cards.reveal import check_commitment
from p2p_hearts.crypto.group import ORDER, base_mul
from p2p_hearts.rules.cards import Card
from tests.cards.hands import TABLE, secret_of
from tests.cards.proofs import KINDS, Proof, honest

FIELDS = st.sampled_from(
    [
        bytes(32),
        b"\xff" * 32,
        b"\x01" + bytes(31),
        ORDER.to_bytes(32, "little"),
        (ORDER - 1).to_bytes(32, "little"),
        *(base_mul(scalar).data for scalar in range(1, 6)),
    ]
)


def bytes_like(honest_bytes: bytes) -> st.SearchStrategy[bytes]:
    """Bytes of any length, fields of the right number, or the honest ones with a piece replaced."""
    count = len(honest_bytes) // 32
    spliced = st.builds(
        lambda start, length, piece: honest_bytes[:start] + piece + honest_bytes[start + length :],
        st.integers(0, len(honest_bytes)),
        st.integers(0, 64),
        st.binary(max_size=64),
    )
    fields = st.lists(FIELDS, min_size=count, max_size=count).map(b"".join)
    one_field = st.builds(
        lambda index, field: honest_bytes[: 32 * index] + field + honest_bytes[32 * (index + 1) :],
        st.integers(0, count - 1),
        FIELDS,
    )
    return st.one_of(st.binary(max_size=2 * len(honest_bytes)), fields, one_field, spliced)


@cache
def _honest(kind: str) -> Proof:
    return honest(kind)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_checks__never_raise_for_any_bytes(kind: str, data: st.DataObject) -> None:
    proof = _honest(kind)
    sent: dict[str, Any] = {
        name: data.draw(bytes_like(value), name)
        for name, value in proof.arguments.items()
        if isinstance(value, bytes)
    }
    if "card" in proof.arguments:
        sent["card"] = Card(data.draw(st.integers()))
    result = proof.run(**sent)
    if all(sent[name] == proof.arguments[name] for name in sent):
        assert not isinstance(result, Flaw)
    else:
        assert isinstance(result, Flaw)


@settings(deadline=None)
@given(st.binary(max_size=80), st.binary(max_size=80))
def test_reveal__never_raises_for_any_bytes(commitment: bytes, z: bytes) -> None:
    assert check_commitment(TABLE, 1, 0, 2, commitment, z) is Flaw.REVEAL_COMMITMENT
    expected = None if z == secret_of(2).z else Flaw.REVEAL_COMMITMENT
    assert check_commitment(TABLE, 1, 0, 2, secret_of(2).commitment(), z) is expected


@given(st.lists(st.integers(), max_size=20), st.integers(0, 13))
def test_selection__never_raises_for_any_numbers(positions: list[int], count: int) -> None:
    right = (
        len(positions) == count
        and sorted(set(positions)) == positions
        and all(0 <= position < 13 for position in positions)
    )
    assert check_selection(positions, count, 13) is (None if right else Flaw.PASS_POSITIONS)
