from __future__ import annotations

from dataclasses import dataclass

import pytest

from p2p_hearts.crypto import shuffle
from p2p_hearts.crypto.elgamal import Ciphertext, Deck, reencrypt
from p2p_hearts.crypto.group import (
    BASE,
    ORDER,
    Element,
    base_mul,
    encode_elements,
    encode_scalars,
)
from p2p_hearts.crypto.shuffle import (
    H,
    ShuffleFlaw,
    generators,
    proof_bytes,
    prove_shuffle,
    verify_shuffle,
)
from p2p_hearts.crypto.transcript import Transcript
from tests.crypto.cheating import (
    apply,
    householder,
    identity_matrix,
    permutation_matrix,
    prove_as,
)
from tests.crypto.counting import Counted
from tests.crypto.helpers import (
    CONTEXT,
    OTHER_CONTEXTS,
    Shuffled,
    changed_components,
    element,
    malformed,
    nonces,
    permuted,
    scalar,
)
from tools.bench import costs


@dataclass(frozen=True, slots=True)
class Proven:
    case: Shuffled
    proof: bytes

    @classmethod
    def of(cls, n: int, *name: object) -> Proven:
        case = Shuffled(n, *name)
        proof = prove_shuffle(
            case.transcript,
            case.key,
            case.deck_in,
            case.deck_out,
            case.permutation,
            case.factors,
            nonces(),
        )
        return cls(case, proof)

    def flaw(
        self,
        *,
        transcript: Transcript | None = None,
        key: Element | None = None,
        deck_in: Deck | None = None,
        deck_out: Deck | None = None,
        proof: bytes | None = None,
    ) -> ShuffleFlaw | None:
        """The verdict, with what is given in place of the honest parts."""
        return verify_shuffle(
            transcript or self.case.transcript,
            key or self.case.key,
            self.case.deck_in if deck_in is None else deck_in,
            self.case.deck_out if deck_out is None else deck_out,
            self.proof if proof is None else proof,
        )


def elements_in(n: int) -> int:
    return 3 * n + 5


def changed_decks(deck: Deck, indices: range | tuple[int, ...]) -> list[Deck]:
    """The deck with each component of these cards changed alone."""
    return [
        (*deck[:i], new, *deck[i + 1 :])
        for i in indices
        for new in (
            Ciphertext(deck[i].a + BASE, deck[i].b),
            Ciphertext(deck[i].a, deck[i].b + BASE),
        )
    ]


def test_shuffle__a_thousand_honest_proofs_are_accepted() -> None:
    for run in range(1000):
        assert Proven.of(1 + run % 3, run).flaw() is None


@pytest.mark.parametrize("n", [1, 2, 13, 52])
def test_shuffle__honest_proofs_of_every_size_are_accepted(n: int) -> None:
    proven = Proven.of(n)
    assert len(proven.proof) == proof_bytes(n) == 32 * (5 * n + 9)
    assert proven.flaw() is None


@pytest.mark.deep
def test_shuffle__a_thousand_honest_proofs_of_whole_hands_are_accepted() -> None:
    for run in range(1000):
        assert Proven.of(13, "deep", run).flaw() is None
    assert Proven.of(104, "deep").flaw() is None


def test_shuffle__every_component_changed_alone_is_refused() -> None:
    n = 13
    proven = Proven.of(n)
    changed = list(changed_components(proven.proof, elements_in(n)))
    assert len(changed) == 5 * n + 9
    for index, proof in changed:
        assert proven.flaw(proof=proof) not in {None, ShuffleFlaw.MALFORMED}, index
    for deck in changed_decks(proven.case.deck_in, range(n)):
        assert proven.flaw(deck_in=deck) is not None
    for deck in changed_decks(proven.case.deck_out, range(n)):
        assert proven.flaw(deck_out=deck) is not None
    assert proven.flaw(key=proven.case.key + BASE) is not None


def test_shuffle__components_of_a_whole_deck_changed_alone_are_refused() -> None:
    n = 52
    proven = Proven.of(n)
    for index, proof in list(changed_components(proven.proof, elements_in(n)))[::31]:
        assert proven.flaw(proof=proof) is not None, index
    for deck in changed_decks(proven.case.deck_in, (0, 51)):
        assert proven.flaw(deck_in=deck) is not None
    for deck in changed_decks(proven.case.deck_out, (0, 51)):
        assert proven.flaw(deck_out=deck) is not None


def test_shuffle__malformed_proofs_are_refused() -> None:
    n = 4
    proven = Proven.of(n)
    for name, proof in malformed(proven.proof, elements_in(n)):
        assert proven.flaw(proof=proof) is ShuffleFlaw.MALFORMED, name


def test_shuffle__decks_of_another_length_are_refused() -> None:
    proven = Proven.of(3)
    deck_in, deck_out = proven.case.deck_in, proven.case.deck_out
    assert proven.flaw(deck_out=deck_out[:2]) is ShuffleFlaw.LENGTH
    assert proven.flaw(deck_out=(*deck_out, deck_out[0])) is ShuffleFlaw.LENGTH
    assert proven.flaw(deck_in=deck_in[:2]) is ShuffleFlaw.LENGTH
    assert proven.flaw(deck_in=(), deck_out=()) is ShuffleFlaw.LENGTH
    # A proof of another size is refused for the verifier's own N.
    assert proven.flaw(deck_in=deck_in[:2], deck_out=deck_out[:2]) is ShuffleFlaw.MALFORMED


@pytest.mark.parametrize("field", list(OTHER_CONTEXTS))
def test_shuffle__a_proof_is_worth_nothing_in_another_context(field: str) -> None:
    proven = Proven.of(3)
    other = Transcript(OTHER_CONTEXTS[field], b"shuffle")
    assert proven.flaw(transcript=other) is not None


def test_shuffle__a_proof_is_worth_nothing_under_another_label() -> None:
    proven = Proven.of(3)
    assert proven.flaw(transcript=Transcript(CONTEXT, b"remask")) is not None


def test_shuffle__cards_in_another_order_are_refused() -> None:
    proven = Proven.of(4)
    deck_in, deck_out = proven.case.deck_in, proven.case.deck_out
    for deck in (deck_out[::-1], (deck_out[1], deck_out[0], *deck_out[2:])):
        assert proven.flaw(deck_out=deck) is not None
    assert proven.flaw(deck_in=deck_in[::-1]) is not None
    assert proven.flaw(deck_in=deck_out, deck_out=deck_in) is not None


def test_shuffle__the_callers_transcript_is_left_as_it_was() -> None:
    before = Transcript(CONTEXT, b"shuffle").digest()
    proven = Proven.of(2)
    proven.flaw()
    assert proven.case.transcript.digest() == before


# false shuffles, by a prover who does its best


def false_deck(case: Shuffled, deck_out: Deck) -> ShuffleFlaw | None:
    """The verdict on a proof made for another output than the permutation gives."""
    proof = prove_shuffle(
        case.transcript,
        case.key,
        case.deck_in,
        deck_out,
        case.permutation,
        case.factors,
        nonces(),
    )
    return verify_shuffle(case.transcript, case.key, case.deck_in, deck_out, proof)


@pytest.mark.parametrize("n", [2, 13])
def test_shuffle__a_duplicated_card_is_refused(n: int) -> None:
    case = Shuffled(n)
    twice = reencrypt(case.deck_out[0], case.key, scalar("twice"))
    for copy in (case.deck_out[0], twice):
        deck = (*case.deck_out[:-1], copy)
        assert false_deck(case, deck) is ShuffleFlaw.RE_ENCRYPT


@pytest.mark.parametrize("n", [1, 13])
def test_shuffle__a_foreign_card_is_refused(n: int) -> None:
    case = Shuffled(n)
    old = case.deck_out[0]
    for foreign in (
        Ciphertext(old.a, old.b + element("foreign")),
        Ciphertext(old.a + BASE, old.b),
        Ciphertext(base_mul(5), element("foreign") + 5 * case.key),
        reencrypt(old, element("another key"), 5),
    ):
        deck = (foreign, *case.deck_out[1:])
        assert false_deck(case, deck) is ShuffleFlaw.RE_ENCRYPT


def test_shuffle__two_changes_that_cancel_are_refused() -> None:
    case = Shuffled(3)
    first, second, third = case.deck_out
    m = element("m")
    deck = (Ciphertext(first.a, first.b + m), Ciphertext(second.a, second.b - m), third)
    assert false_deck(case, deck) is ShuffleFlaw.RE_ENCRYPT


def test_shuffle__a_change_from_a_to_b_is_refused() -> None:
    case = Shuffled(2)
    first, second = case.deck_out
    deck = (Ciphertext(first.a + BASE, first.b - BASE), second)
    assert false_deck(case, deck) is ShuffleFlaw.RE_ENCRYPT


N = 3


def cheat(
    deck_matrix: list[list[int]],
    committed: list[list[int]],
    used: list[list[int]] | None = None,
    *,
    break_chain: bool = False,
) -> ShuffleFlaw | None:
    case = Shuffled(N)
    deck_out = apply(deck_matrix, case.deck_in, case.key, case.factors)
    proof = prove_as(
        case.transcript,
        case.key,
        case.deck_in,
        deck_out,
        committed,
        committed if used is None else used,
        case.factors,
        nonces(),
        break_chain=break_chain,
    )
    return verify_shuffle(case.transcript, case.key, case.deck_in, deck_out, proof)


def test_shuffle__the_second_prover_agrees_byte_for_byte() -> None:
    proven = Proven.of(5)
    case = proven.case
    matrix = permutation_matrix(case.permutation)
    again = prove_as(
        case.transcript,
        case.key,
        case.deck_in,
        case.deck_out,
        matrix,
        matrix,
        case.factors,
        nonces(),
    )
    assert again == proven.proof
    assert cheat(permutation_matrix([2, 0, 1]), permutation_matrix([2, 0, 1])) is None


def test_shuffle__a_mixture_of_cards_is_refused_by_the_product() -> None:
    """A reflection keeps every sum and every length; only the product tells it apart."""
    mixture = householder([1, -2, 1])
    assert all(sum(row) % ORDER == 1 for row in mixture)
    assert cheat(mixture, mixture) is ShuffleFlaw.PRODUCT


def test_shuffle__a_mixture_with_a_broken_chain_is_refused_by_the_chain() -> None:
    mixture = householder([1, -2, 1])
    assert cheat(mixture, mixture, break_chain=True) is ShuffleFlaw.CHAIN


def test_shuffle__scaled_cards_are_refused_by_the_sum() -> None:
    """A card doubled and another halved keeps the product; only the sum tells."""
    half = pow(2, -1, ORDER)
    scaled = [[2, 0, 0], [0, half, 0], [0, 0, 1]]
    inverse = [[half, 0, 0], [0, 2, 0], [0, 0, 1]]
    assert cheat(inverse, scaled) is ShuffleFlaw.SUM


def test_shuffle__another_permutation_than_the_committed_is_refused() -> None:
    committed, used = permutation_matrix([1, 2, 0]), permutation_matrix([2, 0, 1])
    assert cheat(used, committed, used) is ShuffleFlaw.COMMITMENT


def test_shuffle__a_card_twice_in_the_matrix_is_refused() -> None:
    twice = [[1, 0, 0], [1, 0, 0], [0, 0, 1]]
    assert cheat(twice, twice) is not None
    assert cheat(twice, identity_matrix(N)) is ShuffleFlaw.RE_ENCRYPT


def test_shuffle__another_deck_than_the_committed_permutation_gives_is_refused() -> None:
    deck, committed = permutation_matrix([1, 2, 0]), permutation_matrix([2, 0, 1])
    assert cheat(deck, committed) is ShuffleFlaw.RE_ENCRYPT


def test_shuffle__the_prover_takes_only_permutations_of_one_length() -> None:
    case = Shuffled(3)

    def prove(deck_in: Deck, deck_out: Deck, permutation: list[int], factors: list[int]) -> bytes:
        return prove_shuffle(
            case.transcript, case.key, deck_in, deck_out, permutation, factors, nonces()
        )

    for permutation in ([0, 0, 1], [0, 1], [0, 1, 3], [0, 1, 2, 3], [-1, 0, 1]):
        with pytest.raises(ValueError, match="permutation"):
            prove(case.deck_in, case.deck_out, permutation, case.factors)
    for deck_in, deck_out, factors in (
        (case.deck_in[:2], case.deck_out, case.factors),
        (case.deck_in, case.deck_out[:2], case.factors),
        (case.deck_in, case.deck_out, case.factors[:2]),
        ((), (), []),
    ):
        with pytest.raises(ValueError, match="length"):
            prove(deck_in, deck_out, case.permutation, factors)


def test_shuffle__responses_that_cancel_under_known_weights_are_refused() -> None:
    """Two false equations whose errors cancel, if weights were drawn before the responses."""
    n = 3
    proven = Proven.of(n)
    case = proven.case
    own = shuffle._stated(case.transcript, case.key, case.deck_in, case.deck_out)
    parts = shuffle._decode(proven.proof, n)
    shuffle._permutation_challenges(own, parts.c)
    own.absorb(b"chain", encode_elements(parts.c_hat))
    shuffle._challenge(own, (*parts.t, *parts.t_hat))
    first, second, *_ = own.challenges(b"weights", n + 5)
    z1, z2, z3, z4 = parts.z
    z = [(z1 + second) % ORDER, (z2 - first) % ORDER, z3, z4, *parts.z_hat, *parts.z_out]
    forged = proven.proof[: 32 * elements_in(n)] + encode_scalars(z)
    assert proven.flaw(proof=forged) is ShuffleFlaw.SUM


# nonces and generators


def digests_of(case: Shuffled, transcript: Transcript | None = None) -> list[bytes]:
    seen: list[bytes] = []

    def source(digest: bytes, index: int) -> int:
        if digest not in seen:
            assert index == 0
            seen.append(digest)
        return nonces()(digest, index)

    prove_shuffle(
        transcript or case.transcript,
        case.key,
        case.deck_in,
        case.deck_out,
        case.permutation,
        case.factors,
        source,
    )
    return seen


def test_shuffle__nonces_bind_everything_up_to_each_commitment() -> None:
    case = Shuffled(3)
    seen = set(digests_of(case))
    assert len(seen) == 3  # after the statement, after c, after the chain
    changed = [
        digests_of(case, Transcript(context, b"shuffle")) for context in OTHER_CONTEXTS.values()
    ]
    for deck_out in changed_decks(case.deck_out, range(3)):
        other = Shuffled(3)
        other.deck_out = deck_out
        changed.append(digests_of(other))
    for deck_in in changed_decks(case.deck_in, range(3)):
        other = Shuffled(3)
        other.deck_in = deck_in
        changed.append(digests_of(other))
    other = Shuffled(3)
    other.key += BASE
    changed.append(digests_of(other))
    for digests in changed:
        assert len(digests) == 3
        assert not seen & set(digests)
        seen |= set(digests)


def test_shuffle__nonces_after_the_first_stage_bind_the_commitments() -> None:
    """Equal statements with other permutations share the first digest and no later one."""
    one, two = Shuffled(3), Shuffled(3)
    two.permutation = one.permutation[::-1]
    first, second = digests_of(one), digests_of(two)
    assert first[0] == second[0]
    assert not set(first[1:]) & set(second[1:])


def test_shuffle__equal_input_gives_equal_bytes() -> None:
    assert Proven.of(3).proof == Proven.of(3).proof


def test_shuffle__a_proof_hides_the_permutation_in_fresh_commitments() -> None:
    """Under another secret no component of the proof is the same."""
    case = Shuffled(3)
    proofs = [
        prove_shuffle(
            case.transcript,
            case.key,
            case.deck_in,
            case.deck_out,
            case.permutation,
            case.factors,
            nonces(secret),
        )
        for secret in (b"one", b"two")
    ]
    parts = [{proof[i : i + 32] for i in range(0, len(proof), 32)} for proof in proofs]
    assert len(parts[0]) == len(parts[1]) == 5 * 3 + 9
    assert not parts[0] & parts[1]


def test_shuffle__generators_are_distinct_and_do_not_depend_on_the_length() -> None:
    many = generators(104)
    assert len({*many, H, BASE}) == 106
    assert generators(13) == many[:13]


# cost


@pytest.mark.parametrize("n", [2, 5])
def test_shuffle__cost_is_what_is_computed(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    case = Shuffled(n, "cost")
    generators(n)
    counted = Counted(monkeypatch)
    proof = prove_shuffle(
        case.transcript,
        case.key,
        case.deck_in,
        case.deck_out,
        case.permutation,
        case.factors,
        nonces(),
    )
    assert counted.take() == costs.prove_shuffle(n)
    assert verify_shuffle(case.transcript, case.key, case.deck_in, case.deck_out, proof) is None
    assert counted.take() == costs.verify_shuffle(n)


def test_shuffle__helpers_make_every_permutation() -> None:
    seen = {tuple(permuted(3, run)) for run in range(100)}
    assert len(seen) == 6
