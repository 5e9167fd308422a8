"""One honest proof of every kind, as a check and the arguments it accepts.

`changes` gives every argument list that differs in one single field: each element of a
ciphertext, each scalar of a proof, each part of the context. Small hands: the proofs are the
same for any number of cards.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from p2p_hearts.cards import deal, keys, passing, play
from p2p_hearts.cards.encoding import Encoding
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.crypto.elgamal import Ciphertext, Deck
from p2p_hearts.crypto.group import (
    BASE,
    ORDER,
    DecodeError,
    Element,
    decode_element,
    decode_scalar,
    encode_scalar,
)
from p2p_hearts.crypto.transcript import Context
from p2p_hearts.rules.cards import ALL_CLASSES, CardClass, ClassSet, parse_card
from tests.cards.hands import FOUR, context_of, hand_of, ok, secret_of

ENCODING: Final = Encoding(FOUR)
ROUND: Final = 30
OWNER: Final = secret_of(2)
OTHER: Final = secret_of(3)
HERE: Final = context_of(2, ROUND)
PUBLIC: Final = keys.public_key(OWNER)
OTHER_PUBLIC: Final = keys.public_key(OTHER)
JOINT: Final = ok(keys.joint_key([PUBLIC, OTHER_PUBLIC]))

CARDS: Final = tuple(parse_card(text) for text in ("5C", "QS", "9D", "2H", "AD"))
HAND: Final[Deck] = hand_of(OWNER, ENCODING, CARDS)
NO_SPADES: Final = ClassSet(ALL_CLASSES & ~(1 << CardClass.SPADES) & ~(1 << CardClass.OPENING))
"""What a claim may be for any hand without spades, Q♠ aside."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A kind of proof: the check, the arguments, and the flaw it answers with when they fail."""

    check: Callable[..., object]
    arguments: dict[str, Any]
    flaw: Flaw
    fixed: frozenset[str] = frozenset()
    """Arguments that are no field of statement or proof."""

    def run(self, **changed: object) -> object:
        """Return what the check says of these arguments, some of them replaced."""
        return self.check(**{**self.arguments, **changed})

    @property
    def accepted(self) -> bool:
        """Whether the arguments as they are pass."""
        return not isinstance(self.run(), Flaw)

    def changes(self) -> Iterator[tuple[str, dict[str, object]]]:
        """Yield a name and the replaced argument for every single field."""
        for name, value in self.arguments.items():
            if name not in self.fixed:
                for field, other in _others(name, value):
                    yield f"{name} {field}", {name: other}


def honest(kind: str) -> Proof:
    """Return an honest proof of a kind of `KINDS`."""
    return KINDS[kind]()


def _key() -> Proof:
    commitment, public, proof = keys.make_key(OWNER, HERE)
    arguments = {"context": HERE, "commitment": commitment, "public": public, "proof": proof}
    return Proof(keys.check_key, arguments, Flaw.KEY_PROOF)


def _shuffle() -> Proof:
    deck = hand_of(OTHER, ENCODING, CARDS)
    data, proof, _ = deal.make_shuffle(OWNER, HERE, JOINT, deck)
    arguments = {
        "context": HERE,
        "key": JOINT,
        "deck": deck,
        "deck_bytes": data,
        "proof": proof,
    }
    return Proof(deal.check_shuffle, arguments, Flaw.SHUFFLE_PROOF)


def _shares() -> Proof:
    deck = hand_of(OTHER, ENCODING, CARDS)
    positions = (0, 1, 3)
    shares, proof = deal.make_shares(OWNER, HERE, deck, positions)
    # Of a ciphertext only a is in the statement, and only at these positions.
    arguments = {
        "context": HERE,
        "public": PUBLIC,
        "positions": positions,
        "bases": tuple(deck[position].a for position in positions),
        "shares": shares,
        "proof": proof,
    }

    def check(bases: tuple[Element, ...], positions: tuple[int, ...], **others: Any) -> object:
        changed = list(deck)
        for position, base in zip(positions, bases, strict=True):
            changed[position] = Ciphertext(base, deck[position].b)
        return deal.check_shares(deck=tuple(changed), positions=positions, **others)

    return Proof(check, arguments, Flaw.SHARE_PROOF)


def _pass() -> Proof:
    positions = (0, 2, 4)
    sources = passing.selected(HAND, positions)
    cards, proof = passing.make_pass(OWNER, HERE, positions, sources, OTHER_PUBLIC)
    arguments = {
        "context": HERE,
        "public": PUBLIC,
        "receiver_key": OTHER_PUBLIC,
        "sources": sources,
        "cards": cards,
        "proof": proof,
    }
    return Proof(passing.check_pass, arguments, Flaw.PASS_PROOF)


def _remask() -> Proof:
    deck, proof, _ = passing.make_remask(OWNER, HERE, PUBLIC, HAND)
    arguments = {"context": HERE, "public": PUBLIC, "hand": HAND, "deck": deck, "proof": proof}
    return Proof(passing.check_remask, arguments, Flaw.REMASK_PROOF)


def _play(claim: ClassSet | None) -> Proof:
    proof = play.make_play(
        OWNER, HERE, PUBLIC, ENCODING, HAND[0], CARDS[0], HAND[1:], CARDS[1:], claim
    )
    arguments = {
        "context": HERE,
        "public": PUBLIC,
        "encoding": ENCODING,
        "ciphertext": HAND[0],
        "card": CARDS[0],
        "remaining": HAND[1:],
        "claim": claim,
        "proof": proof,
    }
    flaw = Flaw.CARD_PROOF if claim is None else Flaw.REVOKE
    return Proof(play.check_play, arguments, flaw, frozenset({"encoding"}))


def _no_opening() -> Proof:
    proof = play.make_no_opening(OWNER, HERE, PUBLIC, ENCODING, HAND, CARDS)
    arguments = {
        "context": HERE,
        "public": PUBLIC,
        "encoding": ENCODING,
        "remaining": HAND,
        "proof": proof,
    }
    return Proof(play.check_no_opening, arguments, Flaw.OPENING_HIDDEN, frozenset({"encoding"}))


KINDS: Final[dict[str, Callable[[], Proof]]] = {
    "key": _key,
    "shuffle": _shuffle,
    "shares": _shares,
    "pass": _pass,
    "remask": _remask,
    "play": lambda: _play(None),
    "play with class proof": lambda: _play(NO_SPADES),
    "no opening": _no_opening,
}


def _others(name: str, value: Any) -> Iterator[tuple[str, object]]:
    """Yield every value that differs from this one in one field."""
    if isinstance(value, Context):
        yield "table", replace(value, table=hashlib.sha256(value.table).digest())
        yield "rules", replace(value, rules=hashlib.sha256(value.rules).digest())
        for field in ("hand", "attempt", "round", "seat"):
            yield field, replace(value, **{field: getattr(value, field) + 1})
    elif isinstance(value, Element | Ciphertext):
        yield from _other_parts(value)
    elif isinstance(value, bytes):
        yield from _other_bytes(value)
    elif name == "positions":
        # The deck of the honest proof has five cards; that at 2 is not shared.
        yield from ((f"{i}", (*value[:i], 2, *value[i + 1 :])) for i in range(len(value)))
        yield "order", tuple(reversed(value))
    elif name == "claim":
        yield from _other_claims(value)
    elif name == "card":
        yield "rank", type(value)(value + 1)
        yield "suit", type(value)(value + 13)
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            for part, other in _other_parts(item):
                yield f"{index}{part}", (*value[:index], other, *value[index + 1 :])
    else:
        raise TypeError(name)


def _other_parts(item: Element | Ciphertext) -> Iterator[tuple[str, object]]:
    if isinstance(item, Element):
        yield "", item + BASE
    else:
        yield ".a", Ciphertext(item.a + BASE, item.b)
        yield ".b", Ciphertext(item.a, item.b + BASE)


def _other_bytes(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the bytes with each 32-byte field replaced by another *valid* one of its kind.

    A field that is an element is that element plus G. A scalar is one more. Bytes that may be
    read as either are changed as both.
    """
    for start in range(0, len(data), 32):
        field = data[start : start + 32]
        for kind, other in _other_fields(field):
            yield f"{start // 32} {kind}", data[:start] + other + data[start + 32 :]


def _other_fields(field: bytes) -> Iterator[tuple[str, bytes]]:
    with suppress(DecodeError):
        yield "element", (decode_element(field) + BASE).data
    with suppress(DecodeError):
        yield "scalar", encode_scalar((decode_scalar(field) + 1) % ORDER)
    yield "bit", bytes([field[0] ^ 1, *field[1:]])


def _other_claims(claim: ClassSet | None) -> Iterator[tuple[str, object]]:
    """Yield the claim with one class more, one less, or one for another."""
    if claim is None:
        yield "due", NO_SPADES
        return
    yield "none", None
    for kind in CardClass:
        yield f"{kind.name}", ClassSet(claim ^ 1 << kind)
    for held in CardClass:
        for free in CardClass:
            if claim >> held & 1 and not claim >> free & 1:
                yield f"{free.name} for {held.name}", ClassSet(claim ^ 1 << held ^ 1 << free)
