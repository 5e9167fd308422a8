"""Claiming the rest: a seat opens every card it still holds, with one proof.

Implements protocol/SPEC.md section 4.8. With (a_p, b_p) the ciphertext at each place p that has
not been played, places ascending, and m_p the card named for it:

    relation   X = x·G
               b_p - M(m_p) = x·a_p      for every p: one x, one challenge
    bound      context, the cards, the ciphertexts

What the cards are good for is not asked here: whether a claim is true is a matter of the rules
(``rules.rest``). Which places have not been played is the verifier's own knowledge, so their
number is as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from p2p_hearts.cards.encoding import Encoding
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.crypto import sigma
from p2p_hearts.crypto.elgamal import Deck, encode_deck
from p2p_hearts.crypto.group import BASE, SCALAR_BYTES, Element
from p2p_hearts.crypto.sigma import SECRET, Equation, Relation
from p2p_hearts.crypto.transcript import Context, Transcript
from p2p_hearts.rules.cards import Card

CLAIM_PROOF_BYTES: Final = 2 * SCALAR_BYTES
"""Length of the proof, however many cards are opened: challenge and one response."""

_CLAIM = b"claim"


def make_claim(
    secret: HandSecret,
    context: Context,
    public: Element,
    encoding: Encoding,
    remaining: Deck,
    cards: Sequence[Card],
) -> bytes:
    """Return the proof that `remaining`, places ascending, hold `cards` one by one; 64 bytes.

    Nothing is checked here: a proof of what is not so is refused by `check_claim`.
    """
    secret.require(context)
    return sigma.prove(
        _transcript(context, remaining, cards),
        _relation(public, encoding, remaining, cards),
        [secret.x()],
        secret.nonce_source(context.round, _CLAIM),
    )


def check_claim(
    context: Context,
    public: Element,
    encoding: Encoding,
    remaining: Deck,
    cards: Sequence[Card],
    proof: bytes,
) -> Flaw | None:
    """Return `None` if all cards are proven, else what is wrong.

    CLAIM_CARDS (not one card for each of `remaining`), CARD_UNKNOWN (one is not in the pack),
    MALFORMED (any other length of proof), CARD_PROOF (not all are what their places hold).
    """
    if len(cards) != len(remaining):
        return Flaw.CLAIM_CARDS  # V41
    if any(card not in encoding.points for card in cards):
        return Flaw.CARD_UNKNOWN  # V42
    if len(proof) != CLAIM_PROOF_BYTES:
        return Flaw.MALFORMED  # V43
    transcript = _transcript(context, remaining, cards)
    if sigma.verify(transcript, _relation(public, encoding, remaining, cards), proof):
        return None
    return Flaw.CARD_PROOF  # V44


def _relation(
    public: Element, encoding: Encoding, remaining: Deck, cards: Sequence[Card]
) -> Relation:
    knows_key = Equation(public, ((SECRET, BASE),))
    are_cards = [
        Equation(held.b - encoding.point(card), ((SECRET, held.a),))
        for held, card in zip(remaining, cards, strict=True)
    ]
    return Relation(1, (knows_key, *are_cards))


def _transcript(context: Context, remaining: Deck, cards: Sequence[Card]) -> Transcript:
    transcript = Transcript(context, _CLAIM)
    transcript.absorb(b"cards", bytes(cards))
    transcript.absorb(b"remaining", encode_deck(remaining))
    return transcript
