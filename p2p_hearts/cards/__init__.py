"""The card protocol of one hand: secrets, keys, deal, pass, plays and reveal, each with proofs.

Implements protocol/SPEC.md sections 3 to 5 for any number of seats and cards. Pure functions:
`make_*` returns the bytes a seat sends, `check_*` what another seat gets out of them. The same
hand secret and the same inputs always make the same bytes, so that a revealed secret re-runs
everything its seat did.

Errors: whatever bytes a peer sends, `check_*` answers with a value or a `Flaw` and does not
raise. `ValueError` means that the caller's own arguments do not fit together.
"""

from __future__ import annotations
