from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import pytest

from p2p_hearts.crypto import group
from p2p_hearts.crypto.elgamal import encrypt
from p2p_hearts.crypto.group import BASE, IDENTITY, ORDER, Element, base_mul
from p2p_hearts.crypto.sigma import (
    Equation,
    Relation,
    batched_equality,
    equality,
    knowledge,
    prove,
    prove_batch,
    verify,
    verify_batch,
)
from p2p_hearts.crypto.transcript import Transcript
from tests.crypto.counting import Counted
from tests.crypto.helpers import (
    CONTEXT,
    OTHER_CONTEXTS,
    changed_components,
    element,
    malformed,
    nonces,
    scalar,
)
from tools.bench.costs import Cost

TRANSCRIPT = Transcript(CONTEXT, b"test")


class Instance(NamedTuple):
    relation: Relation
    witness: list[int]


def knowledge_instance(*name: object) -> Instance:
    x = scalar("x", *name)
    return Instance(knowledge(base_mul(x)), [x])


def equality_instance(*name: object) -> Instance:
    x, base = scalar("x", *name), element("base", *name)
    return Instance(equality(base_mul(x), base, x * base), [x])


def batch_instance(*name: object) -> Instance:
    x = scalar("x", *name)
    bases = [element("base", i, *name) for i in range(4)]
    images = [x * base for base in bases]
    return Instance(batched_equality(TRANSCRIPT, base_mul(x), bases, images), [x])


def pass_instance(*name: object) -> Instance:
    """X = xG, a' = sG, b - b' = x·a - s·Y, as in protocol/SPEC.md section 4.4."""
    x, s = scalar("x", *name), scalar("s", *name)
    key, receiver = base_mul(x), element("receiver", *name)
    message = element("card", *name)
    old = encrypt(message, key, scalar("old", *name))
    new = encrypt(message, receiver, s)
    relation = Relation(
        2,
        (
            Equation(key, ((0, BASE),)),
            Equation(new.a, ((1, BASE),)),
            Equation(old.b - new.b, ((0, old.a), (1, -receiver))),
        ),
    )
    return Instance(relation, [x, s])


def class_instance(*name: object) -> Instance:
    """X = xG, B = xA + ranks·R + Σ n_c·S_c, as in section 5; one n_c is zero."""
    witness = [scalar("x", *name), 57, 3, 0, 2]
    a = element("A", *name)
    bases = [a, *(element("generator", i) for i in range(4))]
    b = group.dot(witness, bases)
    relation = Relation(
        5,
        (Equation(base_mul(witness[0]), ((0, BASE),)), Equation(b, tuple(enumerate(bases)))),
    )
    return Instance(relation, witness)


INSTANCES = {
    "knowledge": knowledge_instance,
    "equality": equality_instance,
    "batch": batch_instance,
    "pass": pass_instance,
    "class": class_instance,
}
every_kind = pytest.mark.parametrize("kind", list(INSTANCES))


def proven(kind: str) -> tuple[Relation, bytes]:
    relation, witness = INSTANCES[kind]()
    return relation, prove(TRANSCRIPT, relation, witness, nonces())


def changed_statements(relation: Relation) -> Iterator[tuple[str, Relation]]:
    """Every element of the relation changed alone, and its structure."""
    equations = relation.equations
    for e, equation in enumerate(equations):

        def put(new: Equation, at: int = e) -> Relation:
            return replace(relation, equations=(*equations[:at], new, *equations[at + 1 :]))

        yield f"image {e}", put(replace(equation, image=equation.image + BASE))
        yield f"image {e} zero", put(replace(equation, image=IDENTITY))
        for t, (index, base) in enumerate(equation.terms):
            for name, other in (("", base + BASE), (" zero", IDENTITY)):
                terms = (*equation.terms[:t], (index, other), *equation.terms[t + 1 :])
                yield f"base {e}.{t}{name}", put(replace(equation, terms=terms))
    if relation.witnesses > 1:
        last = relation.witnesses - 1
        yield (
            "witnesses renamed",
            replace(
                relation,
                equations=tuple(
                    replace(e, terms=tuple((last - i, base) for i, base in e.terms))
                    for e in equations
                ),
            ),
        )
    yield "one equation more", replace(relation, equations=(*equations, equations[0]))
    yield "another order", replace(relation, equations=(*equations[1:], equations[0], equations[0]))


@every_kind
def test_sigma__a_thousand_honest_proofs_are_accepted(kind: str) -> None:
    count = 200  # of each of five kinds
    for run in range(count):
        relation, witness = INSTANCES[kind](run)
        proof = prove(TRANSCRIPT, relation, witness, nonces())
        assert len(proof) == relation.proof_bytes == 32 * (1 + len(witness))
        assert verify(TRANSCRIPT, relation, proof)


@every_kind
def test_sigma__every_component_of_a_proof_changed_alone_is_refused(kind: str) -> None:
    relation, proof = proven(kind)
    assert verify(TRANSCRIPT, relation, proof)
    count = 0
    for _, changed in changed_components(proof, 0):
        assert not verify(TRANSCRIPT, relation, changed)
        count += 1
    assert count == 1 + relation.witnesses
    for index in range(count):
        zero = proof[: 32 * index] + bytes(32) + proof[32 * index + 32 :]
        assert not verify(TRANSCRIPT, relation, zero)


@every_kind
def test_sigma__every_element_of_a_statement_changed_alone_is_refused(kind: str) -> None:
    relation, proof = proven(kind)
    for name, changed in changed_statements(relation):
        assert not verify(TRANSCRIPT, changed, proof), name


@every_kind
def test_sigma__malformed_proofs_are_refused(kind: str) -> None:
    relation, proof = proven(kind)
    for name, changed in malformed(proof, 0):
        assert not verify(TRANSCRIPT, relation, changed), name


@every_kind
@pytest.mark.parametrize("field", list(OTHER_CONTEXTS))
def test_sigma__a_proof_is_worth_nothing_in_another_context(kind: str, field: str) -> None:
    relation, proof = proven(kind)
    assert not verify(Transcript(OTHER_CONTEXTS[field], b"test"), relation, proof)


@every_kind
def test_sigma__a_proof_is_worth_nothing_after_other_entries(kind: str) -> None:
    relation, proof = proven(kind)
    assert not verify(Transcript(CONTEXT, b"another kind"), relation, proof)
    longer = TRANSCRIPT.copy()
    longer.absorb(b"more")
    assert not verify(longer, relation, proof)


@every_kind
def test_sigma__a_false_witness_proves_nothing(kind: str) -> None:
    relation, witness = INSTANCES[kind]()
    for index in range(len(witness)):
        false = list(witness)
        false[index] += 1
        proof = prove(TRANSCRIPT, relation, false, nonces())
        assert not verify(TRANSCRIPT, relation, proof)


@every_kind
def test_sigma__a_proof_of_all_zeros_proves_nothing(kind: str) -> None:
    relation, proof = proven(kind)
    assert not verify(TRANSCRIPT, relation, bytes(len(proof)))


@every_kind
def test_sigma__the_callers_transcript_is_left_as_it_was(kind: str) -> None:
    before = TRANSCRIPT.digest()
    relation, proof = proven(kind)
    verify(TRANSCRIPT, relation, proof)
    assert TRANSCRIPT.digest() == before


def test_sigma__true_statements_with_the_identity_are_provable() -> None:
    relation = Relation(1, (Equation(IDENTITY, ((0, BASE),)), Equation(IDENTITY, ((0, IDENTITY),))))
    assert verify(TRANSCRIPT, relation, prove(TRANSCRIPT, relation, [0], nonces()))
    assert not verify(TRANSCRIPT, relation, prove(TRANSCRIPT, relation, [1], nonces()))


def test_sigma__one_witness_serves_all_equations() -> None:
    """Two true Schnorr statements are not one true equality."""
    base = element("base")
    relation = equality(base_mul(5), base, 6 * base)
    for x in (5, 6):
        assert not verify(TRANSCRIPT, relation, prove(TRANSCRIPT, relation, [x], nonces()))


def test_sigma__a_relation_uses_exactly_its_witnesses() -> None:
    for witnesses in (0, 2):
        with pytest.raises(ValueError, match="witnesses"):
            Relation(witnesses, (Equation(BASE, ((0, BASE),)),))
    with pytest.raises(ValueError, match="witness"):
        prove(TRANSCRIPT, knowledge(BASE), [1, 1], nonces())
    with pytest.raises(ValueError, match="witness"):
        prove(TRANSCRIPT, knowledge(BASE), [], nonces())


# nonces


def digests_of(transcript: Transcript, relation: Relation, witness: list[int]) -> set[bytes]:
    seen: set[bytes] = set()

    def source(digest: bytes, index: int) -> int:
        seen.add(digest)
        return nonces()(digest, index)

    prove(transcript, relation, witness, source)
    return seen


def test_sigma__nonces_bind_everything_up_to_the_commitments() -> None:
    relation, witness = class_instance()
    seen = digests_of(TRANSCRIPT, relation, witness)
    assert len(seen) == 1
    for context in OTHER_CONTEXTS.values():
        other = digests_of(Transcript(context, b"test"), relation, witness)
        assert not seen & other
        seen |= other
    for _, changed in changed_statements(relation):
        other = digests_of(TRANSCRIPT, changed, witness)
        assert not seen & other
        seen |= other


def test_sigma__each_witness_has_its_own_nonce() -> None:
    indices: list[int] = []

    def source(digest: bytes, index: int) -> int:
        indices.append(index)
        return nonces()(digest, index)

    relation, witness = class_instance()
    prove(TRANSCRIPT, relation, witness, source)
    assert indices == list(range(5))


def test_sigma__equal_input_gives_equal_bytes() -> None:
    relation, witness = pass_instance()
    assert prove(TRANSCRIPT, relation, witness, nonces()) == prove(
        TRANSCRIPT, relation, witness, nonces()
    )


# batched equality


def batch(count: int) -> tuple[int, Element, list[Element], list[Element]]:
    x = scalar("x")
    bases = [element("base", i) for i in range(count)]
    return x, base_mul(x), bases, [x * base for base in bases]


def prove_falsely(x: int, public: Element, bases: list[Element], images: list[Element]) -> bytes:
    """Return the proof of pairs that may be false."""
    return prove(TRANSCRIPT, batched_equality(TRANSCRIPT, public, bases, images), [x], nonces())


def is_proven(public: Element, bases: list[Element], images: list[Element], proof: bytes) -> bool:
    return verify_batch(TRANSCRIPT, public, bases, images, proof)


@pytest.mark.parametrize("count", [0, 1, 2, 13])
def test_sigma__a_batch_is_made_and_accepted(count: int) -> None:
    x, public, bases, images = batch(count)
    made, proof = prove_batch(TRANSCRIPT, x, bases, nonces())
    assert list(made) == images
    assert is_proven(public, bases, images, proof)
    assert proof == prove_falsely(x, public, bases, images)


def test_sigma__every_element_of_a_batch_changed_alone_is_refused() -> None:
    x, public, bases, images = batch(5)
    honest = prove_falsely(x, public, bases, images)
    assert not is_proven(public + BASE, bases, images, honest)
    for index in range(5):
        for changed in (bases, images):
            old = changed[index]
            changed[index] = old + BASE
            assert not is_proven(public, bases, images, honest)
            assert not is_proven(public, bases, images, prove_falsely(x, public, bases, images))
            changed[index] = old


def test_sigma__errors_in_a_batch_do_not_cancel() -> None:
    x, public, bases, images = batch(3)
    images[0] += BASE
    images[1] -= BASE
    assert not is_proven(public, bases, images, prove_falsely(x, public, bases, images))


def test_sigma__weights_of_a_batch_bind_key_bases_and_images() -> None:
    """Weights known before the last of these could be made to cancel."""
    _, public, bases, images = batch(3)
    weighed = batched_equality(TRANSCRIPT, public, bases, images).equations[1]
    for other in OTHER_CONTEXTS.values():
        elsewhere = batched_equality(Transcript(other, b"test"), public, bases, images)
        assert elsewhere.equations[1].terms != weighed.terms
    other_key = batched_equality(TRANSCRIPT, public + BASE, bases, images)
    assert other_key.equations[1].terms != weighed.terms
    for index in range(3):
        changed = [*images[:index], images[index] + BASE, *images[index + 1 :]]
        other_images = batched_equality(TRANSCRIPT, public, bases, changed)
        assert other_images.equations[1].terms != weighed.terms
        changed = [*bases[:index], bases[index] + BASE, *bases[index + 1 :]]
        other_bases = batched_equality(TRANSCRIPT, public, changed, images)
        assert other_bases.equations[1].image != weighed.image


def test_sigma__a_batch_with_pairs_swapped_or_left_out_is_refused() -> None:
    x, public, bases, images = batch(4)
    honest = prove_falsely(x, public, bases, images)
    assert not is_proven(public, bases, images[::-1], honest)
    assert not is_proven(public, bases[::-1], images[::-1], honest)
    assert not is_proven(public, bases[:3], images[:3], honest)
    with pytest.raises(ValueError, match="image"):
        batched_equality(TRANSCRIPT, public, bases, images[:3])


# cost


def cost_of(sums: list[list[Element]]) -> Cost:
    """Group operations of sums of multiples of these elements, each element once."""
    distinct = [set(elements) for elements in sums]
    base = sum(BASE in elements for elements in distinct)
    return Cost(
        base=base,
        variable=sum(len(elements) for elements in distinct) - base,
        additions=sum(max(len(elements) - 1, 0) for elements in distinct),
    )


@every_kind
def test_sigma__cost_is_what_is_computed(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    relation, witness = INSTANCES[kind]()
    if kind == "class":
        witness = [scalar("full", i) for i in witness]
    counted = Counted(monkeypatch)
    proof = prove(TRANSCRIPT, relation, witness, nonces())
    equations = relation.equations
    assert counted.take() == cost_of([[base for _, base in item.terms] for item in equations])
    verify(TRANSCRIPT, relation, proof)
    sums = [[*(base for _, base in item.terms), item.image] for item in equations]
    assert counted.take() == cost_of(sums)


def test_sigma__nonces_outside_the_range_are_reduced() -> None:
    relation, witness = knowledge_instance()
    assert verify(
        TRANSCRIPT, relation, prove(TRANSCRIPT, relation, witness, lambda _, i: ORDER + 7)
    )
