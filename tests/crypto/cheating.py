"""A second shuffle prover, straight from the equations, that proves what is not true.

It commits to any matrix instead of a permutation, permutes the challenges by any other, and may
break the chain, so that all equations hold but one.  With the matrix of a permutation it is an
independent implementation of the honest prover.
"""

from __future__ import annotations

from p2p_hearts.crypto.elgamal import Deck, encode_deck
from p2p_hearts.crypto.group import (
    BASE,
    ORDER,
    Element,
    dot,
    encode_elements,
    encode_scalars,
    sum_elements,
)
from p2p_hearts.crypto.shuffle import H, generators
from p2p_hearts.crypto.sigma import NonceSource
from p2p_hearts.crypto.transcript import Transcript
from tests.crypto.helpers import Matrix


def identity_matrix(n: int) -> list[list[int]]:
    return [[int(i == j) for j in range(n)] for i in range(n)]


def permutation_matrix(permutation: list[int]) -> list[list[int]]:
    return [[int(j == p) for j in range(len(permutation))] for p in permutation]


def householder(v: list[int]) -> list[list[int]]:
    """The reflection I - 2·v·vᵀ/(vᵀv): its own inverse and transpose; rows sum to 1 if Σv = 0."""
    scale = 2 * pow(sum(x * x for x in v), -1, ORDER)
    return [
        [(int(i == j) - scale * v[i] * v[j]) % ORDER for j in range(len(v))] for i in range(len(v))
    ]


def apply(matrix: Matrix, deck: Deck, key: Element, factors: list[int]) -> Deck:
    """Row i: the combination of the deck by ``matrix[i]``, re-encrypted with ``factors[i]``."""
    ciphertext = type(deck[0])
    return tuple(
        ciphertext(
            dot([*row, s], [*(e.a for e in deck), BASE]),
            dot([*row, s], [*(e.b for e in deck), key]),
        )
        for row, s in zip(matrix, factors, strict=True)
    )


def prove_as(
    transcript: Transcript,
    key: Element,
    deck_in: Deck,
    deck_out: Deck,
    committed: Matrix,
    used: Matrix,
    factors: list[int],
    random: NonceSource,
    *,
    break_chain: bool = False,
) -> bytes:
    """A proof with c committing to `committed` and u' = `used`·u.

    With `break_chain` the last ĉ carries the product that PRODUCT asks for, whatever the chain
    says.
    """
    n = len(deck_in)
    h = generators(n)
    own = transcript.copy()
    own.absorb(
        b"shuffle",
        n.to_bytes(4, "big"),
        H.data,
        b"".join(x.data for x in h),
        key.data,
        encode_deck(deck_in),
        encode_deck(deck_out),
    )
    digest = own.digest()
    r = [random(digest, i) for i in range(n)]
    c = [r[j] * BASE + sum_elements(committed[i][j] * h[i] for i in range(n)) for j in range(n)]
    own.absorb(b"permutation", b"".join(x.data for x in c))
    u = own.challenges(b"u", n)
    u_out = [sum(m * x for m, x in zip(row, u, strict=True)) % ORDER for row in used]

    digest = own.digest()
    r_hat = [random(digest, i) for i in range(n)]
    c_hat = [H]
    total = 0
    for i in range(n):
        c_hat.append(r_hat[i] * BASE + u_out[i] * c_hat[-1])
        total = (r_hat[i] + u_out[i] * total) % ORDER
    if break_chain:
        product = 1
        for x in u:
            product = product * x % ORDER
        c_hat[n] = total * BASE + product * H
    own.absorb(b"chain", encode_elements(c_hat[1:]))

    digest = own.digest()
    w = [random(digest, i) for i in range(4 + 2 * n)]
    w_hat, w_out = w[4 : 4 + n], w[4 + n :]
    t = [
        w[0] * BASE,
        w[1] * BASE,
        w[2] * BASE + dot(w_out, h),
        dot(w_out, [e.a for e in deck_out]) - w[3] * BASE,
        dot(w_out, [e.b for e in deck_out]) - w[3] * key,
        *(w_hat[i] * BASE + w_out[i] * c_hat[i] for i in range(n)),
    ]
    own.absorb(b"commitments", b"".join(x.data for x in t))
    challenge = own.challenge(b"challenge")
    secrets = [
        sum(r),
        total,
        sum(x * y for x, y in zip(u, r, strict=True)),
        sum(x * y for x, y in zip(u_out, factors, strict=True)),
        *r_hat,
        *u_out,
    ]
    z = [(k + challenge * x) % ORDER for k, x in zip(w, secrets, strict=True)]
    return encode_elements([*c, *c_hat[1:], *t]) + encode_scalars(z)
