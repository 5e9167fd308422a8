"""Group elements, contexts, decks and rules from the input of a vector; flaws as refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.crypto import group
from p2p_hearts.crypto.elgamal import Deck, decode_deck
from p2p_hearts.crypto.group import DecodeError as GroupDecodeError
from p2p_hearts.crypto.group import Element
from p2p_hearts.crypto.transcript import Context
from p2p_hearts.record.audit.memo import Memo
from p2p_hearts.rules.options import RuleSet
from tools.vectors.values import In, Plain, Rejected

T = TypeVar("T")

MEMO: Final = Memo()
"""Proofs that were checked before, in the same history: so that many twins of a match are cheap."""


def context_in(given: In) -> Context:
    """Where a proof stands."""
    place = given.part("context")
    return Context(
        place.data("table"),
        place.data("rules"),
        place.number("hand"),
        place.number("attempt"),
        place.number("round"),
        place.number("seat"),
    )


def secret_in(given: In) -> HandSecret:
    """The hand secret z of the seat that the context names."""
    context = context_in(given)
    return HandSecret(given.data("z"), context.table, context.hand, context.attempt, context.seat)


def rules_in(given: In) -> RuleSet:
    """A rule set, all options by name."""
    return RuleSet.from_dict(given.mapping("rule_set"))


def element_or_identity(data: bytes) -> Element:
    """Decode; here the identity is welcome, since bare relations may have it."""
    return group.IDENTITY if data == bytes(32) else group.decode_element(data)


def decoded(read: Callable[[], T]) -> T:
    """Return what is read; bytes that do not decode are malformed."""
    try:
        return read()
    except GroupDecodeError:
        raise Rejected(Flaw.MALFORMED.value) from None


def deck_in(given: In, name: str) -> Deck:
    """A deck of any length; ``DecodeError`` if it is none."""
    data = given.data(name)
    return decode_deck(data, len(data) // 64)


def point_in(given: In, name: str) -> Element:
    """An element; ``DecodeError`` if it is none."""
    return group.decode_element(given.data(name))


def passed(result: T | Flaw) -> T:
    """Return what a check returned, unless it is a flaw."""
    if isinstance(result, Flaw):
        raise Rejected(result.value)
    return result


def nothing_wrong(result: Flaw | None) -> Plain:
    """Return true, unless there is a flaw."""
    if result is not None:
        raise Rejected(result.value)
    return True


def scalar_in(given: In, name: str) -> int:
    """A scalar; ``DecodeError`` if it is none."""
    return group.decode_scalar(given.data(name))
