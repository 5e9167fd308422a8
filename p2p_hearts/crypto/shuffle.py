"""The proof that one deck is a shuffle of another: Terelius and Wikström's.

Implements protocol/SPEC.md section 4.2 (Terelius, Wikström, "Proofs of restricted shuffles",
2010; in the form that CHVote specifies).  Letters are those of the specification.

    statement    key X, decks e and e' of N ciphertexts:  e'_i = e_{π(i)} + Enc(0; s_i)
    generators   G, H, h_1 … h_N, derived from labels
    commit       c_{π(i)} = r_{π(i)}·G + h_i                          to the permutation
    challenge    u_1 … u_N, drawn after the statement and c;           u'_i = u_{π(i)}
    chain        ĉ_0 = H,   ĉ_i = r̂_i·G + u'_i·ĉ_{i-1}                 to the products of the u'

    one Schnorr proof over the secrets  r̄ = Σr_j,  r̂,  r̃ = Σu_j·r_j,  s̄ = Σu'_i·s_i,  r̂_i,  u'_i

    SUM          Σc − Σh          =  r̄·G
    PRODUCT      ĉ_N − Πu·H       =  r̂·G
    COMMITMENT   Σu·c             =  r̃·G + Σu'·h
    RE_ENCRYPT   Σu·e             =  Σu'·e' − Enc(0; s̄)                 (two equations, a and b)
    CHAIN        ĉ_i              =  r̂_i·G + u'_i·ĉ_{i-1}               (N equations)

SUM, PRODUCT and COMMITMENT make c a commitment to a permutation (up to a relation between the
generators); RE_ENCRYPT applies that permutation to the decks.  Every length is N, which the
verifier takes from its own deck; nothing is cut to fit.

The proof carries the Schnorr commitments, so the verifier weighs all equations with weights
drawn after the whole proof and computes one sum, which must be the identity; only when it is
not does it compute them one by one, to name the one that fails.

    on the wire   c (N) · ĉ (N) · t_1 t_2 t_3 t_4a t_4b · t̂ (N) · z_1 z_2 z_3 z_4 · ẑ (N) · z' (N)
                  32 bytes each, elements and then scalars, all canonical: 32·(5N + 9) bytes
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from p2p_hearts.crypto.elgamal import Deck, encode_deck
from p2p_hearts.crypto.framing import frame
from p2p_hearts.crypto.group import (
    BASE,
    ELEMENT_BYTES,
    ORDER,
    SCALAR_BYTES,
    DecodeError,
    Element,
    base_mul,
    decode_elements,
    decode_scalars,
    dot,
    encode_elements,
    encode_scalars,
    hash_to_element,
)
from p2p_hearts.crypto.sigma import NonceSource
from p2p_hearts.crypto.transcript import Transcript


class ShuffleFlaw(StrEnum):
    """What is wrong with a shuffle: the first check that fails, in this order."""

    LENGTH = "the two decks differ in length"
    MALFORMED = "the proof does not decode"
    SUM = "the commitments do not add up to those of a permutation"
    PRODUCT = "the challenges do not multiply to those of a permutation"
    COMMITMENT = "the challenges are not permuted as committed"
    RE_ENCRYPT = "the new deck is not the old one, permuted and re-encrypted"
    CHAIN = "the chain of products is broken"


_GENERATOR: Final = b"shuffle h"
H: Final = hash_to_element(b"shuffle H")
"""The generator that carries the products in the chain."""


@lru_cache(maxsize=16)
def generators(count: int) -> tuple[Element, ...]:
    """Return h_1 … h_count, the generators of the permutation commitment."""
    return tuple(
        hash_to_element(frame(_GENERATOR, index.to_bytes(4, "big")))
        for index in range(1, count + 1)
    )


def proof_bytes(count: int) -> int:
    """Length of the proof for decks of `count` ciphertexts."""
    return ELEMENT_BYTES * (3 * count + 5) + SCALAR_BYTES * (2 * count + 4)


def prove_shuffle(
    transcript: Transcript,
    key: Element,
    deck_in: Deck,
    deck_out: Deck,
    permutation: Sequence[int],
    factors: Sequence[int],
    nonces: NonceSource,
) -> bytes:
    """Prove that ``deck_out[i]`` re-encrypts ``deck_in[permutation[i]]`` with ``factors[i]``.

    The caller's transcript is left as it was.  `nonces` is asked three times, with the transcript
    as it then stands: for r after the statement, for r̂ after c, for the Schnorr nonces after ĉ.
    Returns `proof_bytes` bytes; a proof for a false statement is made all the same and refused by
    `verify_shuffle`.  Raises `ValueError` unless all four sequences have one length above zero
    and `permutation` is one.
    """
    n = len(deck_in)
    if n == 0 or len(deck_out) != n or len(factors) != n:
        raise ValueError("decks and factors of a shuffle have one length, at least 1")
    if sorted(permutation) != list(range(n)):
        raise ValueError("not a permutation")
    h = generators(n)
    own = _stated(transcript, key, deck_in, deck_out)

    digest = own.digest()
    r = [nonces(digest, index) for index in range(n)]
    c: list[Element] = [BASE] * n
    for generator, j in zip(h, permutation, strict=True):
        c[j] = base_mul(r[j]) + generator
    u = _permutation_challenges(own, c)
    u_out = [u[j] for j in permutation]

    # ĉ_i = R_i·G + U_i·H, the recursion of the specification on the scalars.
    digest = own.digest()
    r_hat = [nonces(digest, index) for index in range(n)]
    in_base, in_h = [0], [1]
    for r_hat_i, u_i in zip(r_hat, u_out, strict=True):
        in_base.append((r_hat_i + u_i * in_base[-1]) % ORDER)
        in_h.append(u_i * in_h[-1] % ORDER)
    c_hat = [base_mul(x) + y * H for x, y in zip(in_base[1:], in_h[1:], strict=True)]
    own.absorb(b"chain", encode_elements(c_hat))

    digest = own.digest()
    w1, w2, w3, w4 = (nonces(digest, index) for index in range(4))
    w_hat = [nonces(digest, 4 + index) for index in range(n)]
    w = [nonces(digest, 4 + n + index) for index in range(n)]
    commitments = [
        base_mul(w1),
        base_mul(w2),
        dot([w3, *w], [BASE, *h]),
        dot([-w4, *w], [BASE, *(e.a for e in deck_out)]),
        dot([-w4, *w], [key, *(e.b for e in deck_out)]),
        *(  # t̂_i = ŵ_i·G + w_i·ĉ_{i-1}
            base_mul(w_hat_i + w_i * x) + (w_i * y) * H
            for w_hat_i, w_i, x, y in zip(w_hat, w, in_base[:-1], in_h[:-1], strict=True)
        ),
    ]
    challenge = _challenge(own, commitments)

    secrets = [
        sum(r),
        in_base[-1],
        _inner(u, r),
        _inner(u_out, factors),
        *r_hat,
        *u_out,
    ]
    responses = [
        (nonce + challenge * secret) % ORDER
        for nonce, secret in zip([w1, w2, w3, w4, *w_hat, *w], secrets, strict=True)
    ]
    return encode_elements([*c, *c_hat, *commitments]) + encode_scalars(responses)


def verify_shuffle(
    transcript: Transcript, key: Element, deck_in: Deck, deck_out: Deck, proof: bytes
) -> ShuffleFlaw | None:
    """Return what is wrong with the shuffle, or None when it is proven.

    The caller's transcript is left as it was.
    """
    n = len(deck_in)
    if n == 0 or len(deck_out) != n:
        return ShuffleFlaw.LENGTH
    try:
        parts = _decode(proof, n)  # V13
    except DecodeError:
        return ShuffleFlaw.MALFORMED
    own = _stated(transcript, key, deck_in, deck_out)
    u = _permutation_challenges(own, parts.c)
    own.absorb(b"chain", encode_elements(parts.c_hat))
    challenge = _challenge(own, (*parts.t, *parts.t_hat))
    own.absorb(b"responses", encode_scalars((*parts.z, *parts.z_hat, *parts.z_out)))

    equations = _equations(key, deck_in, deck_out, parts, u, challenge)
    weights = own.challenges(b"weights", len(equations))
    scalars: list[int] = []
    elements: list[Element] = []
    for weight, equation in zip(weights, equations, strict=True):
        scalars += [weight * scalar for scalar in equation.scalars]
        elements += equation.elements
    if dot(scalars, elements).is_identity:
        return None
    # The weighted sum is not zero, so some equation is not.
    return next(
        equation.flaw
        for equation in equations
        if not dot(equation.scalars, equation.elements).is_identity
    )


@dataclass(frozen=True, slots=True)
class _Proof:
    """A decoded proof; every list has its exact length."""

    c: tuple[Element, ...]
    c_hat: tuple[Element, ...]
    t: tuple[Element, ...]
    t_hat: tuple[Element, ...]
    z: tuple[int, ...]
    z_hat: tuple[int, ...]
    z_out: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Equation:
    """``Σ scalars[k] · elements[k]`` is the identity, or else `flaw`."""

    flaw: ShuffleFlaw
    scalars: list[int]
    elements: list[Element]


def _decode(proof: bytes, n: int) -> _Proof:
    elements = 3 * n + 5
    e = decode_elements(proof[: ELEMENT_BYTES * elements], elements)
    z = decode_scalars(proof[ELEMENT_BYTES * elements :], 2 * n + 4)
    return _Proof(
        c=e[:n],
        c_hat=e[n : 2 * n],
        t=e[2 * n : 2 * n + 5],
        t_hat=e[2 * n + 5 :],
        z=z[:4],
        z_hat=z[4 : 4 + n],
        z_out=z[4 + n :],
    )


def _equations(
    key: Element,
    deck_in: Deck,
    deck_out: Deck,
    proof: _Proof,
    u: Sequence[int],
    challenge: int,
) -> list[_Equation]:
    """Every equation as ``responses − t − challenge · (left side) = 0``, V14 to V18 in turn."""
    n = len(deck_in)
    h = generators(n)
    z1, z2, z3, z4 = proof.z
    z_out = list(proof.z_out)
    t1, t2, t3, t4a, t4b = proof.t
    product = 1
    for u_j in u:
        product = product * u_j % ORDER
    minus_cu = [-challenge * u_j % ORDER for u_j in u]
    chain = (H, *proof.c_hat)
    return [
        _Equation(
            ShuffleFlaw.SUM,
            [z1, -1, *([-challenge] * n), *([challenge] * n)],
            [BASE, t1, *proof.c, *h],
        ),
        _Equation(
            ShuffleFlaw.PRODUCT,
            [z2, -1, -challenge, challenge * product],
            [BASE, t2, chain[n], H],
        ),
        _Equation(
            ShuffleFlaw.COMMITMENT,
            [z3, -1, *z_out, *minus_cu],
            [BASE, t3, *h, *proof.c],
        ),
        _Equation(
            ShuffleFlaw.RE_ENCRYPT,
            [-z4, -1, *z_out, *minus_cu],
            [BASE, t4a, *(e.a for e in deck_out), *(e.a for e in deck_in)],
        ),
        _Equation(
            ShuffleFlaw.RE_ENCRYPT,
            [-z4, -1, *z_out, *minus_cu],
            [key, t4b, *(e.b for e in deck_out), *(e.b for e in deck_in)],
        ),
        *(
            _Equation(
                ShuffleFlaw.CHAIN,
                [proof.z_hat[i], -1, z_out[i], -challenge],
                [BASE, proof.t_hat[i], chain[i], chain[i + 1]],
            )
            for i in range(n)
        ),
    ]


def _stated(transcript: Transcript, key: Element, deck_in: Deck, deck_out: Deck) -> Transcript:
    """Return a transcript that goes on with the whole statement."""
    own = transcript.copy()
    own.absorb(
        b"shuffle",
        len(deck_in).to_bytes(4, "big"),
        H.data,
        encode_elements(generators(len(deck_in))),
        key.data,
        encode_deck(deck_in),
        encode_deck(deck_out),
    )
    return own


def _permutation_challenges(own: Transcript, c: Sequence[Element]) -> tuple[int, ...]:
    own.absorb(b"permutation", encode_elements(c))
    return own.challenges(b"u", len(c))


def _challenge(own: Transcript, commitments: Sequence[Element]) -> int:
    own.absorb(b"commitments", encode_elements(commitments))
    return own.challenge(b"challenge")


def _inner(left: Sequence[int], right: Sequence[int]) -> int:
    return sum(x * y for x, y in zip(left, right, strict=True)) % ORDER
