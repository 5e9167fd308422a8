"""The pass: which cards go, their way to the receiver's key, and the re-mask of a hand.

Implements protocol/SPEC.md sections 4.4 and 4.5. The passing seat P shows the places of the
cards that go (places are uniform labels, they say nothing) and re-encrypts each card from
(a, b) under X_P to (a', b') under the receiver's X_Q:

    relation   X_P = x·G
               a'_i = s_i·G                        for every card i
               b_i - b'_i = x·a_i - s_i·X_Q        for every card i
    bound      context, X_Q, the selected ciphertexts, the new ones

Then every seat re-randomises and permutes its own hand, so that no third seat can follow a
passed card, with the shuffle proof under its own key.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2p_hearts.cards import mixing
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.secret import HandSecret, hash_inputs
from p2p_hearts.crypto import sigma
from p2p_hearts.crypto.elgamal import Ciphertext, Deck, decode_deck, encode_deck
from p2p_hearts.crypto.group import BASE, DecodeError, Element, base_mul
from p2p_hearts.crypto.sigma import SECRET, Equation, Relation
from p2p_hearts.crypto.transcript import Context, Transcript

_PASS = b"pass"
_REMASK = b"remask"


def check_selection(positions: Sequence[int], count: int, hand_size: int) -> Flaw | None:
    """PASS_POSITIONS unless these are exactly `count` strictly ascending places of the hand."""
    if len(positions) != count:  # V21
        return Flaw.PASS_POSITIONS
    previous = -1
    for position in positions:
        if type(position) is not int or not previous < position < hand_size:  # V22
            return Flaw.PASS_POSITIONS
        previous = position
    return None


def selected(hand: Deck, positions: Sequence[int]) -> Deck:
    """Return the ciphertexts at these places: what the pass proof speaks of."""
    return tuple(hand[position] for position in positions)


def make_pass(
    secret: HandSecret,
    context: Context,
    positions: Sequence[int],
    sources: Deck,
    receiver_key: Element,
) -> tuple[bytes, bytes]:
    """Return (cards, proof): 64 bytes a card; 64 bytes and 32 a card.

    `sources` are the seat's own ciphertexts at `positions`, under its key alone.
    """
    secret.require(context)
    x = secret.x()
    factors = [
        _pass_factor(secret, context, position, source, receiver_key)
        for position, source in zip(positions, sources, strict=True)
    ]
    cards = tuple(
        Ciphertext(base_mul(factor), source.b - x * source.a + factor * receiver_key)
        for factor, source in zip(factors, sources, strict=True)
    )
    proof = sigma.prove(
        _pass_transcript(context, receiver_key, sources, cards),
        _pass_relation(base_mul(x), receiver_key, sources, cards),
        [x, *factors],
        secret.nonce_source(context.round, _PASS),
    )
    return encode_deck(cards), proof


def check_pass(
    context: Context,
    public: Element,
    receiver_key: Element,
    sources: Deck,
    cards: bytes,
    proof: bytes,
) -> Deck | Flaw:
    """Return the cards under the receiver's key, or MALFORMED or PASS_PROOF.

    `public` is the sender's key share; receiver and sources are the verifier's own knowledge.
    """
    try:
        received = decode_deck(cards, len(sources))  # V23
    except DecodeError:
        return Flaw.MALFORMED
    transcript = _pass_transcript(context, receiver_key, sources, received)
    relation = _pass_relation(public, receiver_key, sources, received)
    return received if sigma.verify(transcript, relation, proof) else Flaw.PASS_PROOF  # V24


def remask_input(hand: Deck, sent_positions: Sequence[int], received: Deck) -> Deck:
    """Return the kept cards, places ascending, then the received ones in the sender's order."""
    sent = set(sent_positions)
    kept = tuple(card for position, card in enumerate(hand) if position not in sent)
    return kept + received


def make_remask(
    secret: HandSecret, context: Context, public: Element, hand: Deck
) -> tuple[bytes, bytes, Deck]:
    """Return (deck, proof, the new hand); `hand` from `remask_input`, `public` the own key."""
    return mixing.make(secret, context, _REMASK, public, hand)


def check_remask(
    context: Context, public: Element, hand: Deck, deck: bytes, proof: bytes
) -> Deck | Flaw:
    """Return the new hand, or MALFORMED or REMASK_PROOF."""
    return mixing.check(context, _REMASK, public, hand, deck, proof, Flaw.REMASK_PROOF)


def _pass_factor(
    secret: HandSecret, context: Context, position: int, source: Ciphertext, receiver_key: Element
) -> int:
    depends = hash_inputs(
        source.a.data, source.b.data, position.to_bytes(4, "big"), receiver_key.data
    )
    (factor,) = secret.scalars(1, context.round, b"pass factor", depends)
    return factor


def _pass_relation(public: Element, receiver_key: Element, sources: Deck, cards: Deck) -> Relation:
    less_receiver = -receiver_key
    equations = [Equation(public, ((SECRET, BASE),))]
    for factor, (old, new) in enumerate(zip(sources, cards, strict=True), start=SECRET + 1):
        equations.append(Equation(new.a, ((factor, BASE),)))
        equations.append(Equation(old.b - new.b, ((SECRET, old.a), (factor, less_receiver))))
    return Relation(1 + len(sources), tuple(equations))


def _pass_transcript(
    context: Context, receiver_key: Element, sources: Deck, cards: Deck
) -> Transcript:
    transcript = Transcript(context, _PASS)
    transcript.absorb(b"receiver", receiver_key.data)
    transcript.absorb(b"sources", encode_deck(sources))
    transcript.absorb(b"cards", encode_deck(cards))
    return transcript
