"""The card protocol of one hand: secrets, keys, deal, pass, plays and reveal, each with proofs.

Implements protocol/SPEC.md sections 3 to 5 for any number of seats and cards. Pure functions:
`make_*` returns the bytes a seat sends, `check_*` what another seat gets out of them. The same
hand secret and the same inputs always make the same bytes, so that a revealed secret re-runs
everything its seat did.

    secret      all that a seat derives from the one secret of a hand
    encoding    cards as group elements
    keys        commitment, key share, joint key; ``tablekey``, to which shares are sealed
    deal        the first deck, shuffles, shares, reading a card; ``mixing``, what a shuffle and a
                re-mask have in common
    escrow      a key split and sealed to the others, and what they open with it
    passing     the pass and the re-mask
    play        a card with its proof; ``claim``, all the rest at once
    reveal      whether a secret is the one committed to; ``rerun`` makes everything of it again
    flaws       what can be wrong

Errors: whatever bytes a peer sends, `check_*` answers with a value or a `Flaw` and does not
raise. `ValueError` means that the caller's own arguments do not fit together.
"""

from __future__ import annotations
