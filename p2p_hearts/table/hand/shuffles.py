"""Shuffles that this seat has made or checked, each once (protocol/SPEC.md section 4.9).

A shuffle is a function of the secret, its place, the key and the deck before; whether one is proven
is a function of these public values and its bytes. So what was made or checked ahead of a deal need
not be made or checked again in it. Results are found by *all* that they depend on, compared byte by
byte: nothing that differs in anything is ever taken for the same.

Any thread may make and check; the table's own alone forgets, in between what it takes.

Never: decides that a shuffle is due. Errors: those of ``cards.deal``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from p2p_hearts.cards import deal
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.crypto.elgamal import Deck, encode_deck
from p2p_hearts.crypto.group import Element
from p2p_hearts.crypto.transcript import Context

KEPT = 64
"""Results of each kind that are kept at most; two deals of eleven seats have 22."""

Inputs = tuple[Context, bytes, bytes, bytes, bytes]
T = TypeVar("T")


class Shuffles:
    """The shuffles of one seat's table, with what became of them."""

    def __init__(self) -> None:
        """Begin with none."""
        self._made: dict[Inputs, tuple[bytes, bytes]] = {}
        self._checked: dict[Inputs, Deck | Flaw] = {}

    def forget(self, before: int = 0) -> None:
        """Forget what belongs to hands before this number, and the oldest of too many."""
        for results in (self._made, self._checked):
            known = list(results)
            kept = [inputs for inputs in known if inputs[0].hand >= before][-KEPT:]
            for inputs in set(known) - set(kept):
                del results[inputs]

    def make(
        self, secret: HandSecret, context: Context, joint: Element, before: Deck
    ) -> tuple[bytes, bytes]:
        """Return (deck, proof) of the own shuffle, as ``cards.deal.make_shuffle``."""
        inputs = context, joint.data, encode_deck(before), secret.commitment(), b""
        made = self._made
        return _once(made, inputs, lambda: deal.make_shuffle(secret, context, joint, before)[:2])

    def check(
        self, context: Context, joint: Element, before: Deck, deck: bytes, proof: bytes
    ) -> Deck | Flaw:
        """Return the new deck or what is wrong, as ``cards.deal.check_shuffle``."""
        inputs = context, joint.data, encode_deck(before), deck, proof
        checked = self._checked
        return _once(
            checked, inputs, lambda: deal.check_shuffle(context, joint, before, deck, proof)
        )


def _once(results: dict[Inputs, T], inputs: Inputs, work: Callable[[], T]) -> T:
    """Return what ``work`` comes to; it is done if it was not done for these inputs before."""
    found = results.get(inputs)
    if found is None:
        found = results[inputs] = work()
    return found
