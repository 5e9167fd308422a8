"""Everything a seat said in a hand, made again from its revealed secret (SPEC.md section 4.7).

Functions of values alone, so that a re-run can be done in another process. Each makes the derived
fields of one kind of message, in the order in which the message has them.

Errors: ``ValueError`` where the secret does not fit the hand, which ``rerun`` takes for a
difference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from p2p_hearts.cards.claim import make_claim
from p2p_hearts.cards.deal import make_shares, make_shuffle, read_card
from p2p_hearts.cards.encoding import Encoding
from p2p_hearts.cards.escrow import make_escrow
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.keys import make_key
from p2p_hearts.cards.passing import make_pass, make_remask
from p2p_hearts.cards.play import make_no_opening, make_play
from p2p_hearts.cards.rerun import Step as Rerun
from p2p_hearts.cards.rerun import rerun_step
from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.crypto.elgamal import Ciphertext, Deck
from p2p_hearts.crypto.group import Element
from p2p_hearts.crypto.transcript import Context
from p2p_hearts.rules.cards import Card, ClassSet


@dataclass(slots=True)
class Owner:
    """A seat whose secret is known: what it can do and read."""

    secret: HandSecret
    encoding: Encoding
    _read: dict[Ciphertext, Card | None] = field(default_factory=dict)

    def cards(self, ciphertexts: Sequence[Ciphertext]) -> list[Card]:
        """Read its own cards; ``ValueError`` if one is none."""
        found: list[Card] = []
        for ciphertext in ciphertexts:
            if ciphertext not in self._read:
                self._read[ciphertext] = read_card(self.secret, self.encoding, ciphertext)
            card = self._read[ciphertext]
            if card is None:
                raise ValueError("there is no card under this key")
            found.append(card)
        return found


@dataclass(frozen=True, slots=True)
class Remade:
    """One message: its derived fields as said, and which function makes them, of what."""

    said: tuple[bytes, ...]
    make: Callable[..., tuple[bytes, ...]]
    of: tuple[object, ...]


def rerun(
    secret: HandSecret, encoding: Encoding, steps: Sequence[Remade], *, proves: bool
) -> Flaw | None:
    """Make all steps of a seat again; ``Flaw.REVEAL_RERUN`` unless every byte is the same.

    ``proves``: read with the secret, too, that what was said of cards is so; ``Flaw.CARD_PROOF``
    unless it is. Then the check of every one of these messages holds: their statements are true,
    and honest steps make accepted proofs of true statements.
    """
    owner = Owner(secret, encoding)
    for step in steps:
        flaw = rerun_step(owner.secret, Rerun(step.said, partial(_make, owner, step)))
        if flaw is not None:
            return flaw
    is_so = not proves or all(_is_so(owner, step) for step in steps)
    return None if is_so else Flaw.CARD_PROOF


def _make(owner: Owner, step: Remade, _secret: HandSecret) -> tuple[bytes, ...]:
    return step.make(owner, *step.of)


def key(owner: Owner, context: Context) -> tuple[bytes, ...]:
    """Commitment, key share, proof."""
    return make_key(owner.secret, context)


def shuffle(owner: Owner, context: Context, joint: Element, deck: Deck) -> tuple[bytes, ...]:
    """Deck, proof."""
    return make_shuffle(owner.secret, context, joint, deck)[:2]


def escrow(owner: Owner, context: Context, others: Mapping[int, Element]) -> tuple[bytes, ...]:
    """Public parts, seals."""
    return make_escrow(owner.secret, context, others)


def shares(
    owner: Owner, context: Context, deck: Deck, positions: Sequence[int]
) -> tuple[bytes, ...]:
    """Shares, proof."""
    return make_shares(owner.secret, context, deck, positions)


def passed(
    owner: Owner, context: Context, positions: Sequence[int], sources: Deck, target: Element
) -> tuple[bytes, ...]:
    """Cards, proof."""
    return make_pass(owner.secret, context, positions, sources, target)


def remask(owner: Owner, context: Context, public: Element, hand: Deck) -> tuple[bytes, ...]:
    """Deck, proof."""
    return make_remask(owner.secret, context, public, hand)[:2]


def no_opening(owner: Owner, context: Context, public: Element, hand: Deck) -> tuple[bytes, ...]:
    """Return the proof that the hand has no opening card."""
    cards = owner.cards(hand)
    return (make_no_opening(owner.secret, context, public, owner.encoding, hand, cards),)


@dataclass(frozen=True, slots=True)
class Shown:
    """A card that is shown: from where, and what is said of the rest of the hand."""

    source: Ciphertext
    card: Card
    rest: Deck
    due: ClassSet | None
    """The classes of which the rest is said to be, where something is said of it."""


def play(owner: Owner, context: Context, public: Element, shown: Shown) -> tuple[bytes, ...]:
    """Return the proof of a card, and of the rest of the hand where one is due."""
    source, card, rest, due = shown.source, shown.card, shown.rest, shown.due
    cards = owner.cards(rest)
    proof = make_play(owner.secret, context, public, owner.encoding, source, card, rest, cards, due)
    return (proof,)


def claim(
    owner: Owner, context: Context, public: Element, held: Deck, cards: Sequence[Card]
) -> tuple[bytes, ...]:
    """Return the proof of all cards left."""
    return (make_claim(owner.secret, context, public, owner.encoding, held, cards),)


# What is said of cards: a false statement can be made again as well as a true one.


def _is_so(owner: Owner, step: Remade) -> bool:
    says = _SAYS.get(step.make)
    try:
        return says is None or says(owner, *step.of)
    except ValueError:
        return False


def _is_no_opening(owner: Owner, context: Context, public: Element, hand: Deck) -> bool:
    """Whether the opening card is not in the hand."""
    return owner.encoding.rules.opening_card not in owner.cards(hand)


def _is_play(owner: Owner, context: Context, public: Element, shown: Shown) -> bool:
    """Whether it is this card, and the rest of the hand of the classes that are due."""
    due = shown.due
    classes = [owner.encoding.rules.card_class(other) for other in owner.cards(shown.rest)]
    is_due = due is None or all(due >> kind & 1 for kind in classes)
    return owner.cards([shown.source]) == [shown.card] and is_due


def _is_claim(
    owner: Owner, context: Context, public: Element, held: Deck, cards: Sequence[Card]
) -> bool:
    """Whether the cards left are these, place by place."""
    return owner.cards(held) == list(cards)


_SAYS: Mapping[Callable[..., tuple[bytes, ...]], Callable[..., bool]] = {
    no_opening: _is_no_opening,
    play: _is_play,
    claim: _is_claim,
}
