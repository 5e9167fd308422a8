"""Group arithmetic, transcripts, ElGamal, linear proofs, the shuffle proof; boxes of libsodium.

Implements protocol/SPEC.md sections 2 and 4.2, and what section 6.7 has of CURVE.

    group       elements and scalars of ristretto255; the only module that knows the library
    box         what the lines between peers are encrypted with
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
