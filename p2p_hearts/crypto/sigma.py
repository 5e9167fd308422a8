"""Proofs of knowledge of a linear relation, without showing the witness.

Implements protocol/SPEC.md sections 2, 4 and 5 (Maurer 2009, "Unifying zero-knowledge proofs
of knowledge"; made non-interactive by the transcript).  A `Relation` is a list of equations

    image_e  =  Σ  w_i · base        over the terms (i, base) of the equation

in shared secret scalars w_0 … w_{n-1}.  Schnorr, Chaum–Pedersen, the pass proof, the play proof
and the class proof are all relations: one witness, one challenge.

    bound      the context and label of the transcript, all it absorbed, the whole relation
    prove      k_i from the nonce source;  T_e = Σ k_i · base;  c = challenge(T);  z_i = k_i + c·w_i
    check      T_e = Σ z_i · base - c · image_e;  c == challenge(T)
    on the wire   c, z_0 … z_{n-1}: 32 bytes each, canonical scalars

Bases and images may be any elements, also the identity.  `prove` does not check that its
witness is true; a proof from a false one is refused by `verify`, which is a result and not an
exception, also when the bytes are malformed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from p2p_hearts.crypto.group import (
    BASE,
    ORDER,
    SCALAR_BYTES,
    DecodeError,
    Element,
    base_mul,
    decode_scalars,
    dot,
    encode_elements,
    encode_scalars,
)
from p2p_hearts.crypto.transcript import Transcript

NonceSource: TypeAlias = Callable[[bytes, int], int]
"""``(digest of the transcript up to the commitments, index) -> secret scalar in [0, ORDER)``.

Must be a pseudo-random function of both arguments under a secret, so that one secret never
answers two challenges with one nonce."""


@dataclass(frozen=True, slots=True)
class Equation:
    """``image = Σ w_i · base`` over the terms ``(i, base)``."""

    image: Element
    terms: tuple[tuple[int, Element], ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """Equations in `witnesses` shared secret scalars.

    Raises `ValueError` when a term names a scalar that does not exist, or when some scalar
    stands in no equation (nothing would be proven of it).
    """

    witnesses: int
    equations: tuple[Equation, ...]

    def __post_init__(self) -> None:
        used = {index for equation in self.equations for index, _ in equation.terms}
        if used != set(range(self.witnesses)):
            raise ValueError("the terms of a relation use exactly its witnesses")

    def encode(self) -> tuple[bytes, ...]:
        """One part for the number of witnesses, then one for each equation."""
        return (
            self.witnesses.to_bytes(4, "big"),
            *(
                equation.image.data
                + b"".join([i.to_bytes(4, "big") + base.data for i, base in equation.terms])
                for equation in self.equations
            ),
        )

    @property
    def proof_bytes(self) -> int:
        """Length of a proof of this relation."""
        return SCALAR_BYTES * (1 + self.witnesses)


def prove(
    transcript: Transcript, relation: Relation, witness: Sequence[int], nonces: NonceSource
) -> bytes:
    """Prove that the prover knows `witness`, ``32 * (1 + witnesses)`` bytes.

    The caller's transcript is left as it was.  `ValueError` unless there is one scalar for
    each witness.
    """
    if len(witness) != relation.witnesses:
        raise ValueError("a witness has exactly the scalars of its relation")
    own = _opened(transcript, relation)
    digest = own.digest()
    secrets = [nonces(digest, index) for index in range(relation.witnesses)]
    commitments = [
        dot([secrets[i] for i, _ in equation.terms], [base for _, base in equation.terms])
        for equation in relation.equations
    ]
    challenge = _challenge(own, commitments)
    responses = [
        (secret + challenge * scalar) % ORDER
        for secret, scalar in zip(secrets, witness, strict=True)
    ]
    return encode_scalars([challenge, *responses])


def verify(transcript: Transcript, relation: Relation, proof: bytes) -> bool:
    """Whether `proof` proves `relation` in this transcript; malformed bytes do not.

    The caller's transcript is left as it was.
    """
    try:
        challenge, *responses = decode_scalars(proof, 1 + relation.witnesses)  # V7
    except DecodeError:
        return False
    commitments = [
        dot(
            [*(responses[i] for i, _ in equation.terms), -challenge],
            [*(base for _, base in equation.terms), equation.image],
        )
        for equation in relation.equations
    ]
    return _challenge(_opened(transcript, relation), commitments) == challenge  # V8


def _opened(transcript: Transcript, relation: Relation) -> Transcript:
    own = transcript.copy()
    own.absorb(b"relation", *relation.encode())
    return own


def _challenge(own: Transcript, commitments: Sequence[Element]) -> int:
    own.absorb(b"commitments", encode_elements(commitments))
    return own.challenge(b"challenge")


# The relations that every other one is built from.

SECRET: Final = 0
"""Index of the witness x in the relations made here."""


def knowledge(public: Element) -> Relation:
    """Schnorr: knowledge of x with ``public = x·G``."""
    return Relation(1, (Equation(public, ((SECRET, BASE),)),))


def equality(public: Element, base: Element, image: Element) -> Relation:
    """Chaum–Pedersen: one x with ``public = x·G`` and ``image = x·base``."""
    return Relation(1, (Equation(public, ((SECRET, BASE),)), Equation(image, ((SECRET, base),))))


# One x for many pairs.


def batched_equality(
    transcript: Transcript, public: Element, bases: Sequence[Element], images: Sequence[Element]
) -> Relation:
    """One x with ``public = x·G`` and ``images[j] = x·bases[j]`` for every j.

    The pairs are folded into one by weights drawn after the context, the public key and **all**
    pairs (protocol/SPEC.md section 2.6); a false pair survives with probability 1/ORDER.
    `ValueError` when the two lists differ in length.
    """
    weights = _weights(transcript, public, bases, images)
    return equality(public, dot(weights, bases), dot(weights, images))


def prove_batch(
    transcript: Transcript, secret: int, bases: Sequence[Element], nonces: NonceSource
) -> tuple[tuple[Element, ...], bytes]:
    """Return ``secret·base`` for each of `bases`, and the proof that they are that, 64 bytes.

    It proves `batched_equality` for the public key ``secret·G``.  The caller's transcript is left
    as it was.
    """
    public, images = base_mul(secret), tuple(secret * base for base in bases)
    base = dot(_weights(transcript, public, bases, images), bases)
    relation = equality(public, base, secret * base)  # the images are true: no need to fold them
    return images, prove(transcript, relation, [secret], nonces)


def verify_batch(
    transcript: Transcript,
    public: Element,
    bases: Sequence[Element],
    images: Sequence[Element],
    proof: bytes,
) -> bool:
    """Whether `proof` proves `batched_equality`; the transcript is left as it was."""
    return verify(transcript, batched_equality(transcript, public, bases, images), proof)


def _weights(
    transcript: Transcript, public: Element, bases: Sequence[Element], images: Sequence[Element]
) -> tuple[int, ...]:
    if len(bases) != len(images):
        raise ValueError("every base has its image")
    own = transcript.copy()
    own.absorb(b"batch", public.data, encode_elements(bases), encode_elements(images))
    return own.challenges(b"weights", len(bases))
