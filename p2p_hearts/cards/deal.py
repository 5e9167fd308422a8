"""The deal: deck 0, the shuffles, the decryption shares, and reading a card.

Implements protocol/SPEC.md sections 4.1 to 4.3. A share of seat i for card j is
D_ij = x_i·a_j; all shares of a seat stand in one batched equality proof:

    relation   X_i = x·G,   Σ w_j·D_ij = x·Σ w_j·a_j
    bound      context, X_i, the positions, all pairs (a_j, D_ij); the weights w_j are drawn
               after all of these

Once every other seat has given its share of a card, the card is ElGamal under its owner's key
alone; with the owner's share as well (the widow) it lies open.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2p_hearts.cards import mixing
from p2p_hearts.cards.encoding import Encoding
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.crypto import sigma
from p2p_hearts.crypto.elgamal import Ciphertext, Deck, decrypt
from p2p_hearts.crypto.group import (
    BASE,
    DecodeError,
    Element,
    decode_elements,
    encode_elements,
    sum_elements,
)
from p2p_hearts.crypto.transcript import Context, Transcript
from p2p_hearts.rules.cards import Card

_SHUFFLE = b"shuffle"
_SHARES = b"shares"


def first_deck(encoding: Encoding, joint: Element) -> Deck:
    """Return deck 0, which is public: (G, M(card) + X) for every card in canonical order."""
    return tuple(Ciphertext(BASE, encoding.point(card) + joint) for card in encoding.rules.pack)


def make_shuffle(
    secret: HandSecret, context: Context, key: Element, deck: Deck
) -> tuple[bytes, bytes, Deck]:
    """Return (deck, proof, the new deck) of a seat's shuffle of `deck` under the joint key."""
    return mixing.make(secret, context, _SHUFFLE, key, deck)


def check_shuffle(
    context: Context, key: Element, deck: Deck, deck_bytes: bytes, proof: bytes
) -> Deck | Flaw:
    """Return the new deck, or MALFORMED or SHUFFLE_PROOF."""
    return mixing.check(context, _SHUFFLE, key, deck, deck_bytes, proof, Flaw.SHUFFLE_PROOF)


def make_shares(
    secret: HandSecret, context: Context, deck: Deck, positions: Sequence[int]
) -> tuple[bytes, bytes]:
    """Return (shares, proof): 32 bytes for each of `positions` of the deck; 64 bytes."""
    secret.require(context)
    shares, proof = sigma.prove_batch(
        _shares_transcript(context, positions),
        secret.x(),
        [deck[position].a for position in positions],
        secret.nonce_source(context.round, _SHARES),
    )
    return encode_elements(shares), proof


def check_shares(
    context: Context,
    public: Element,
    deck: Deck,
    positions: Sequence[int],
    shares: bytes,
    proof: bytes,
) -> tuple[Element, ...] | Flaw:
    """Return the shares in the order of `positions`, or MALFORMED or SHARE_PROOF.

    `public` is the seat's key share; `positions` are the verifier's own.
    """
    try:
        given = decode_elements(shares, len(positions))  # V19
    except DecodeError:
        return Flaw.MALFORMED
    transcript = _shares_transcript(context, positions)
    bases = [deck[position].a for position in positions]
    is_proven = sigma.verify_batch(transcript, public, bases, given, proof)
    return given if is_proven else Flaw.SHARE_PROOF  # V20


def owned(ciphertext: Ciphertext, shares: Sequence[Element]) -> Ciphertext:
    """Take the other seats' shares off a card: what is left is under its owner's key alone."""
    return Ciphertext(ciphertext.a, ciphertext.b - sum_elements(shares))


def read_card(secret: HandSecret, encoding: Encoding, ciphertext: Ciphertext) -> Card | None:
    """Return the card in a ciphertext under this seat's key; `None` if it holds no card."""
    return encoding.card_of(decrypt(ciphertext, secret.x()))


def read_open(encoding: Encoding, ciphertext: Ciphertext, shares: Sequence[Element]) -> Card | None:
    """Return the card in a ciphertext with the shares of *all* seats; `None` if it holds none."""
    return encoding.card_of(ciphertext.b - sum_elements(shares))


def _shares_transcript(context: Context, positions: Sequence[int]) -> Transcript:
    transcript = Transcript(context, _SHARES)
    transcript.absorb(b"positions", *(position.to_bytes(4, "big") for position in positions))
    return transcript
