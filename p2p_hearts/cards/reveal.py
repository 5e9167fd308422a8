"""The reveal: whether a secret is the one that the seat committed to.

Implements protocol/SPEC.md section 4.7. The re-run needs no function of its own: with the
revealed `HandSecret` every `make_*` of this package returns the very bytes an honest seat sent,
and a caller that finds other bytes in its log has found `Flaw.REVEAL_RERUN`.
"""

from __future__ import annotations

from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.secret import SECRET_BYTES, HandSecret


def check_commitment(
    table: bytes, hand: int, attempt: int, seat: int, commitment: bytes, z: bytes
) -> Flaw | None:
    """Return `None` if K is the commitment to z at this place, else REVEAL_COMMITMENT."""
    if len(z) != SECRET_BYTES:
        return Flaw.REVEAL_COMMITMENT
    if HandSecret(z, table, hand, attempt, seat).commitment() != commitment:  # V39
        return Flaw.REVEAL_COMMITMENT
    return None
