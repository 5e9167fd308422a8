"""Every proof of a hand: honest ones pass, and no single field of them can be another."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest

from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.crypto import transcript
from p2p_hearts.crypto.elgamal import Ciphertext, decode_deck, encode_deck, sum_ciphertexts
from p2p_hearts.crypto.group import BASE, ORDER, decode_scalars
from p2p_hearts.rules.cards import Card
from tests.cards.proofs import ENCODING, HERE, KINDS, honest

PROOFS_OF_SCALARS = ("key", "shares", "pass", "play", "play with class proof", "no opening")


@pytest.mark.parametrize("kind", KINDS)
def test_proof__honest_is_accepted(kind: str) -> None:
    assert honest(kind).accepted


@pytest.mark.parametrize("kind", KINDS)
def test_proof__same_secret_and_inputs_make_the_same_bytes(kind: str) -> None:
    assert honest(kind).arguments == honest(kind).arguments


@pytest.mark.parametrize("kind", KINDS)
def test_proof__any_single_field_of_statement_or_proof_changed_is_refused(kind: str) -> None:
    proof = honest(kind)
    names = []
    for name, changed in proof.changes():
        names.append(name)
        assert isinstance(proof.run(**changed), Flaw), name
    # Six of the context; one for each 32-byte field of the proof, changed as two or three.
    assert len(names) >= 6 + 2 * len(proof.arguments["proof"]) // 32
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("field", ["table", "rules", "hand", "attempt", "round", "seat"])
def test_proof__in_another_place_is_refused(kind: str, field: str) -> None:
    value = getattr(HERE, field)
    other: Any = bytes(32) if isinstance(value, bytes) else value + 1
    proof = honest(kind)
    assert proof.run(context=replace(HERE, **{field: other})) is proof.flaw


@pytest.mark.parametrize("kind", KINDS)
def test_proof__of_another_protocol_version_is_refused(kind: str) -> None:
    proof = honest(kind)
    with patch.object(transcript, "PROTOCOL_VERSION", transcript.PROTOCOL_VERSION + 1):
        assert proof.run() is proof.flaw
    assert proof.accepted


@pytest.mark.parametrize("kind", KINDS)
def test_proof__of_another_kind_is_refused(kind: str) -> None:
    proof = honest(kind)
    for other in KINDS:
        if other != kind:
            assert isinstance(proof.run(proof=honest(other).arguments["proof"]), Flaw)


@pytest.mark.parametrize("kind", KINDS)
def test_proof__cut_or_lengthened_is_refused(kind: str) -> None:
    proof = honest(kind)
    data = proof.arguments["proof"]
    for other in (b"", data[:-1], data[:-32], data[32:], data + b"\0", data + bytes(32), data * 2):
        assert isinstance(proof.run(proof=other), Flaw)


@pytest.mark.parametrize("kind", PROOFS_OF_SCALARS)
def test_proof__zero_and_unreduced_scalars_are_refused(kind: str) -> None:
    proof = honest(kind)
    data = proof.arguments["proof"]
    for index, scalar in enumerate(decode_scalars(data, len(data) // 32)):
        for other in (0, ORDER, scalar + ORDER, 2**256 - 1):
            field = other.to_bytes(32, "little")
            changed = data[: 32 * index] + field + data[32 * (index + 1) :]
            assert proof.run(proof=changed) is proof.flaw


@pytest.mark.parametrize("kind", PROOFS_OF_SCALARS)
def test_proof__of_nothing_but_zeros_is_refused(kind: str) -> None:
    proof = honest(kind)
    assert proof.run(proof=bytes(len(proof.arguments["proof"]))) is proof.flaw


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("key", "public"),
        ("shuffle", "deck_bytes"),
        ("shares", "shares"),
        ("pass", "cards"),
        ("remask", "deck"),
    ],
)
def test_body__identity_invalid_or_missing_elements_are_malformed(kind: str, body: str) -> None:
    proof = honest(kind)
    data = proof.arguments[body]
    for start in range(0, len(data), 32):
        for bad in (bytes(32), b"\xff" * 32, b"\x01" + bytes(31)):
            changed = data[:start] + bad + data[start + 32 :]
            assert proof.run(**{body: changed}) is Flaw.MALFORMED
    for other in (b"", data[:-1], data[:-32], data + data[:32], data * 2):
        assert proof.run(**{body: other}) is Flaw.MALFORMED


@pytest.mark.parametrize("kind", ["play", "play with class proof", "no opening"])
def test_proof__binds_every_remaining_card_and_not_their_sum_alone(kind: str) -> None:
    proof = honest(kind)
    first, second, *rest = proof.arguments["remaining"]
    swapped = (second, first, *rest)
    balanced = (
        Ciphertext(first.a + BASE, first.b),
        Ciphertext(second.a - BASE, second.b),
        *rest,
    )
    for remaining in (swapped, balanced):
        assert sum_ciphertexts(remaining) == sum_ciphertexts(proof.arguments["remaining"])
        assert proof.run(remaining=remaining) is proof.flaw


def test_proof__of_a_pass_binds_old_and_new_cards_and_not_their_difference_alone() -> None:
    proof = honest("pass")
    sources, cards = proof.arguments["sources"], proof.arguments["cards"]
    moved = tuple(Ciphertext(source.a, source.b + BASE) for source in sources)
    new = tuple(Ciphertext(card.a, card.b + BASE) for card in decode_deck(cards, len(sources)))
    assert proof.run(sources=moved, cards=encode_deck(new)) is Flaw.PASS_PROOF


def test_proof__of_a_play_binds_the_card_and_not_what_is_left_without_it_alone() -> None:
    proof = honest("play")
    old, card = proof.arguments["ciphertext"], proof.arguments["card"]
    step = ENCODING.point(Card(card + 1)) - ENCODING.point(card)
    moved = Ciphertext(old.a, old.b + step)
    assert proof.run(ciphertext=moved, card=Card(card + 1)) is Flaw.CARD_PROOF
