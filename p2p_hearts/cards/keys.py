"""The key round: commitment K, key share X = x·G, and the joint key of the table.

Implements protocol/SPEC.md section 4 (`key`).

    relation   X = x·G
    bound      context, K, X
"""

from __future__ import annotations

from collections.abc import Sequence

from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.secret import COMMITMENT_BYTES, HandSecret
from p2p_hearts.crypto import sigma
from p2p_hearts.crypto.group import (
    DecodeError,
    Element,
    base_mul,
    decode_element,
    sum_elements,
)
from p2p_hearts.crypto.transcript import Context, Transcript

_LABEL = b"key"


def public_key(secret: HandSecret) -> Element:
    """X = x·G, the seat's key share."""
    return base_mul(secret.x())


def make_key(secret: HandSecret, context: Context) -> tuple[bytes, bytes, bytes]:
    """Return (K, X, proof): 32, 32 and 64 bytes."""
    secret.require(context)
    commitment = secret.commitment()
    public = public_key(secret)
    proof = sigma.prove(
        _transcript(context, commitment),
        sigma.knowledge(public),
        [secret.x()],
        secret.nonce_source(context.round, _LABEL),
    )
    return commitment, public.data, proof


def check_key(context: Context, commitment: bytes, public: bytes, proof: bytes) -> Element | Flaw:
    """Return X, or MALFORMED (no element, K of another length) or KEY_PROOF."""
    if len(commitment) != COMMITMENT_BYTES:  # V9, as what follows
        return Flaw.MALFORMED
    try:
        share = decode_element(public)
    except DecodeError:
        return Flaw.MALFORMED
    if not sigma.verify(_transcript(context, commitment), sigma.knowledge(share), proof):
        return Flaw.KEY_PROOF  # V10
    return share


def joint_key(shares: Sequence[Element]) -> Element | Flaw:
    """Return ΣX over all seats, or JOINT_KEY if that is the identity."""
    total = sum_elements(shares)
    return Flaw.JOINT_KEY if total.is_identity else total


def _transcript(context: Context, commitment: bytes) -> Transcript:
    transcript = Transcript(context, _LABEL)
    transcript.absorb(b"commitment", commitment)
    return transcript
