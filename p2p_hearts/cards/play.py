"""Playing a card: proof that the place holds it and, where due, that the rest allowed it.

Implements protocol/SPEC.md sections 4.6 and 5. A hand is ElGamal under its owner's X = x·G.
With (a, b) the played ciphertext and (A, B) the sum of all other unplayed ones of that hand:

    relation   X = x·G
               b - M(card) = x·a
               B = x·A + (Σ rank)·R + Σ n_c·S_c over the classes c of the claim     (class proof)
    bound      context, card, claim, the played ciphertext, the remaining ones

The last equation stands there only if a claim is due. It says that no remaining card is of a
class outside the claim, whatever the hand: such a card would give the prover a relation between
generators that have none. It is sound because the deal, pass and re-mask proofs already showed
that every plaintext is a card of the pack. It hides how many cards are of which class.

`make_no_opening` proves the last equation alone, with every class but the opening card's.

Which places are open and which claim is due are the verifier's own knowledge, from public play.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from p2p_hearts.cards.encoding import RANK, Encoding, class_names, generators
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.crypto import sigma
from p2p_hearts.crypto.elgamal import Ciphertext, Deck, encode_deck, sum_ciphertexts
from p2p_hearts.crypto.group import BASE, SCALAR_BYTES, Element
from p2p_hearts.crypto.sigma import SECRET, Equation, Relation
from p2p_hearts.crypto.transcript import Context, Transcript
from p2p_hearts.rules.cards import ALL_CLASSES, Card, CardClass, ClassSet, rank_of

NOT_OPENING: Final = ClassSet(ALL_CLASSES & ~(1 << CardClass.OPENING))
"""The claim of a seat that has not the opening card: every other class."""

CARD_PROOF_BYTES: Final = 2 * SCALAR_BYTES
"""Length of a play proof without a class proof: challenge and one response."""

_PLAY = b"play"
_NO_OPENING = b"no opening"


def proof_due(claim: ClassSet | None, remaining: Deck) -> bool:
    """Whether a class proof is due: a claim restricts the rest, and there is a rest."""
    return claim is not None and bool(remaining)


def proof_bytes(claim: ClassSet | None, remaining: Deck) -> int:
    """Length of the play proof: 64 bytes, or 96 and 32 for every class of the claim."""
    if claim is None or not remaining:
        return CARD_PROOF_BYTES
    return CARD_PROOF_BYTES + SCALAR_BYTES * (1 + claim.bit_count())


def unplayed(hand: Deck, played: Collection[int]) -> Deck:
    """Return the ciphertexts at all places that are not in `played`, places ascending."""
    return tuple(card for position, card in enumerate(hand) if position not in played)


def make_play(
    secret: HandSecret,
    context: Context,
    public: Element,
    encoding: Encoding,
    ciphertext: Ciphertext,
    card: Card,
    remaining: Deck,
    remaining_cards: Sequence[Card],
    claim: ClassSet | None,
) -> bytes:
    """Return the proof for playing `card` from `ciphertext`, `proof_bytes` long.

    `remaining` are the other unplayed ciphertexts of the hand, places ascending, and
    `remaining_cards` the cards in them, in any order. Nothing is checked here: a proof of what
    is not so is refused by `check_play`.
    """
    secret.require(context)
    claim = claim if proof_due(claim, remaining) else None
    witness = [secret.x()]
    if claim is not None:
        witness += _totals(encoding, remaining_cards, claim)
    return sigma.prove(
        _play_transcript(context, ciphertext, card, remaining, claim),
        _play_relation(public, encoding, ciphertext, card, remaining, claim),
        witness,
        secret.nonce_source(context.round, _PLAY),
    )


def check_play(
    context: Context,
    public: Element,
    encoding: Encoding,
    ciphertext: Ciphertext,
    card: Card,
    remaining: Deck,
    claim: ClassSet | None,
    proof: bytes,
) -> Flaw | None:
    """Return `None` if the play is proven, else what is wrong.

    CARD_UNKNOWN (not in the pack), PROOF_MISSING, PROOF_NOT_DUE, MALFORMED (any other length),
    CARD_PROOF or, where the class proof was due, REVOKE. With one challenge for both parts a
    proof that fails does not say which part is false, so REVOKE means that not both are proven.
    """
    if card not in encoding.points:
        return Flaw.CARD_UNKNOWN  # V32
    claim = claim if proof_due(claim, remaining) else None
    if len(proof) != proof_bytes(claim, remaining):
        return _length_flaw(claim, proof)  # V28, V33 to V35
    transcript = _play_transcript(context, ciphertext, card, remaining, claim)
    relation = _play_relation(public, encoding, ciphertext, card, remaining, claim)
    if sigma.verify(transcript, relation, proof):
        return None
    return Flaw.CARD_PROOF if claim is None else Flaw.REVOKE  # V29, V36, V37


def make_no_opening(
    secret: HandSecret,
    context: Context,
    public: Element,
    encoding: Encoding,
    remaining: Deck,
    remaining_cards: Sequence[Card],
) -> bytes:
    """Return the proof that the opening card is not in the hand, 256 bytes.

    `remaining` is the whole hand, places ascending.
    """
    secret.require(context)
    return sigma.prove(
        _no_opening_transcript(context, remaining),
        _no_opening_relation(public, remaining),
        [secret.x(), *_totals(encoding, remaining_cards, NOT_OPENING)],
        secret.nonce_source(context.round, _NO_OPENING),
    )


def check_no_opening(
    context: Context, public: Element, encoding: Encoding, remaining: Deck, proof: bytes
) -> Flaw | None:
    """Return `None` if the hand is proven to lack the opening card, else OPENING_HIDDEN.

    `ValueError` if the rules of `encoding` have no opening card: then nobody may be asked.
    """
    if encoding.rules.opening_card is None:
        raise ValueError("these rules have no opening card")
    transcript = _no_opening_transcript(context, remaining)
    if sigma.verify(transcript, _no_opening_relation(public, remaining), proof):
        return None
    return Flaw.OPENING_HIDDEN  # V30


def _length_flaw(claim: ClassSet | None, proof: bytes) -> Flaw:
    if claim is not None and len(proof) == CARD_PROOF_BYTES:
        return Flaw.PROOF_MISSING
    with_class_proof = {
        CARD_PROOF_BYTES + SCALAR_BYTES * (1 + count) for count in range(len(CardClass) + 1)
    }
    if claim is None and len(proof) in with_class_proof:
        return Flaw.PROOF_NOT_DUE
    return Flaw.MALFORMED


def _totals(encoding: Encoding, cards: Iterable[Card], claim: ClassSet) -> list[int]:
    """Return Σ rank, then n_c for the classes of the claim, in the order of `CardClass`."""
    held = list(cards)
    kinds = [encoding.rules.card_class(card) for card in held]
    counts = [kinds.count(kind) for kind in CardClass if claim >> kind & 1]
    return [sum(rank_of(card) for card in held), *counts]


def _class_equation(remaining: Deck, claim: ClassSet) -> Equation:
    total = sum_ciphertexts(remaining)
    bases = (RANK, *generators(claim))
    terms = ((SECRET, total.a), *enumerate(bases, start=SECRET + 1))
    return Equation(total.b, terms)


def _play_relation(
    public: Element,
    encoding: Encoding,
    ciphertext: Ciphertext,
    card: Card,
    remaining: Deck,
    claim: ClassSet | None,
) -> Relation:
    knows_key = Equation(public, ((SECRET, BASE),))
    is_card = Equation(ciphertext.b - encoding.point(card), ((SECRET, ciphertext.a),))
    if claim is None:
        return Relation(1, (knows_key, is_card))
    rest = _class_equation(remaining, claim)
    return Relation(2 + claim.bit_count(), (knows_key, is_card, rest))


def _play_transcript(
    context: Context, ciphertext: Ciphertext, card: Card, remaining: Deck, claim: ClassSet | None
) -> Transcript:
    transcript = Transcript(context, _PLAY)
    transcript.absorb(b"card", bytes([card]))
    transcript.absorb(b"claim", *(() if claim is None else (class_names(claim),)))
    transcript.absorb(b"played", ciphertext.a.data, ciphertext.b.data)
    transcript.absorb(b"remaining", encode_deck(remaining))
    return transcript


def _no_opening_relation(public: Element, remaining: Deck) -> Relation:
    knows_key = Equation(public, ((SECRET, BASE),))
    rest = _class_equation(remaining, NOT_OPENING)
    return Relation(2 + NOT_OPENING.bit_count(), (knows_key, rest))


def _no_opening_transcript(context: Context, remaining: Deck) -> Transcript:
    transcript = Transcript(context, _NO_OPENING)
    transcript.absorb(b"remaining", encode_deck(remaining))
    return transcript
