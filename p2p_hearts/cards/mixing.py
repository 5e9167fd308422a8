"""Re-encrypt and permute a deck, with proof: what a shuffle and a re-mask have in common.

Implements protocol/SPEC.md sections 3 and 4.2. Permutation and factors bind a hash of the input
deck and of the key, so that one secret used on two inputs shows nothing of either permutation.
The round is named by its label, which is part of every derived value and of the transcript.
"""

from __future__ import annotations

from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.secret import HandSecret, hash_inputs
from p2p_hearts.crypto.elgamal import Deck, decode_deck, encode_deck, reencrypt
from p2p_hearts.crypto.group import DecodeError, Element
from p2p_hearts.crypto.shuffle import prove_shuffle, verify_shuffle
from p2p_hearts.crypto.transcript import Context, Transcript


def make(
    secret: HandSecret, context: Context, label: bytes, key: Element, deck: Deck
) -> tuple[bytes, bytes, Deck]:
    """Return (deck, proof, the new deck): 64 bytes a card; `shuffle.proof_bytes`."""
    secret.require(context)
    depends = hash_inputs(encode_deck(deck), key.data)
    permutation = secret.permutation(len(deck), context.round, label + b" permutation", depends)
    factors = secret.scalars(len(deck), context.round, label + b" factor", depends)
    mixed = tuple(
        reencrypt(deck[source], key, factor)
        for source, factor in zip(permutation, factors, strict=True)
    )
    proof = prove_shuffle(
        Transcript(context, label),
        key,
        deck,
        mixed,
        permutation,
        factors,
        secret.nonce_source(context.round, label),
    )
    return encode_deck(mixed), proof, mixed


def check(
    context: Context,
    label: bytes,
    key: Element,
    deck: Deck,
    mixed: bytes,
    proof: bytes,
    flaw: Flaw,
) -> Deck | Flaw:
    """Return the new deck, as long as `deck`; MALFORMED, or `flaw` if it is not proven."""
    try:
        result = decode_deck(mixed, len(deck))  # V12, V25
    except DecodeError:
        return Flaw.MALFORMED
    # V13 to V18, V26
    wrong = verify_shuffle(Transcript(context, label), key, deck, result, proof)
    return result if wrong is None else flaw
