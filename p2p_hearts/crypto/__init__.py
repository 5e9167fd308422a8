"""Group arithmetic, transcripts, ElGamal, linear proofs and the shuffle proof.

Implements protocol/SPEC.md sections 2 and 4.2.

    group       elements and scalars of ristretto255; the only module that knows the library
    framing     lists of byte strings as one, for every hash
    transcript  what a challenge depends on
    elgamal     ciphertexts and decks
    sigma       proofs of a linear relation
    shuffle     the proof that one deck is a shuffle of another

Everything here is a pure function of its
arguments: no clock, no socket, no source of randomness.  Secrets and nonces arrive from the
caller.  Malformed input is a `DecodeError` where it is decoded; a proof that does not hold is a
result (`False`, or the name of the equation), never an exception.
"""

from __future__ import annotations
