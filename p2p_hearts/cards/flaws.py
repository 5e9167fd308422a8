"""The named ways in which the body of a card message can be wrong.

A `Flaw` is what a check returns in the place of a value. It says which check failed and nothing
of whose message it was: that is for the caller, who has the signed envelope.
"""

from __future__ import annotations

from enum import StrEnum


class Flaw(StrEnum):
    """Which check of protocol/SPEC.md sections 3 to 5 failed."""

    MALFORMED = "malformed"
    """Not the bytes that this kind of body has: wrong length, or no valid group elements."""

    KEY_PROOF = "key-proof"
    """No knowledge of the secret behind the key share is proven."""

    JOINT_KEY = "joint-key"
    """The key shares add up to the identity, so the deck would lie open."""

    SHUFFLE_PROOF = "shuffle-proof"
    """The deck is not proven to be a shuffle of the one before it."""

    SHARE_PROOF = "share-proof"
    """The decryption shares are not proven to be made with the seat's key."""

    PASS_POSITIONS = "pass-positions"  # noqa: S105 - a pass of cards, no password
    """Not the right number of strictly ascending places of the hand."""

    PASS_PROOF = "pass-proof"  # noqa: S105
    """The passed cards are not proven to be the selected ones."""

    REMASK_PROOF = "remask-proof"
    """The re-masked hand is not proven to hold the same cards."""

    OPENING_HIDDEN = "opening-hidden"
    """It is not proven that the hand is without the opening card."""

    CARD_PROOF = "card-proof"
    """The place is not proven to hold the card (in an opening: the opening card)."""

    REVOKE = "revoke"
    """It is not proven that the place holds the card and that the rest of the hand allowed it."""

    CARD_UNKNOWN = "card-unknown"
    """The card is not in the pack, or all copies of it have been played."""

    PROOF_MISSING = "proof-missing"
    """A class proof was due and is not there."""

    PROOF_NOT_DUE = "proof-not-due"
    """A class proof is there and was not due."""

    CLAIM_CARDS = "claim-cards"
    """Not one card for every place of the hand that has not been played."""

    REVEAL_COMMITMENT = "reveal-commitment"
    """The revealed secret is not the committed one."""

    REVEAL_RERUN = "reveal-rerun"
    """The revealed secret makes other bytes than the seat sent."""

    ESCROW_SUM = "escrow-sum"
    """The shares of a key do not add up to it."""

    SEAL_PROOF = "seal-proof"
    """No knowledge of the secret behind a seal is proven."""

    COMPLAINT_PROOF = "complaint-proof"
    """What a seal opens to is not proven to be that."""

    COMPLAINT_FALSE = "complaint-false"
    """The seal complained of holds the share it should."""

    OPENING_PROOF = "opening-proof"
    """The opening of an absent seat's cards is not proven to be made with the sealed share."""
