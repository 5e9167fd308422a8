"""The byte-exact re-run of a seat from its revealed hand secret (protocol/SPEC.md section 4.7).

Everything a seat says in a hand, apart from its decisions, is derived from its hand secret. So
whoever knows the secret and the decisions makes the same bytes again, and any difference convicts
the seat. A step keeps what was said and how to say it again; who follows a hand collects steps
and runs them after the reveal.

Never: judges decisions. Errors: none; a difference is a ``Flaw``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from p2p_hearts.cards.flaws import Flaw

Owner = TypeVar("Owner")
"""What a step is made again from: a ``HandSecret``, or that and what is known with it."""


@dataclass(frozen=True, slots=True)
class Step(Generic[Owner]):
    """One message of a seat: its derived fields as said, and the function that makes them."""

    said: tuple[bytes, ...]
    make: Callable[[Owner], tuple[bytes, ...]]


def rerun_step(owner: Owner, step: Step[Owner]) -> Flaw | None:
    """Make a step again; ``Flaw.REVEAL_RERUN`` unless every byte is the same.

    A secret that does not fit the hand may make a step impossible rather than different (a
    ciphertext that does not decrypt to the card played): that is a difference too.
    """
    try:
        again = step.make(owner)
    except ValueError:
        return Flaw.REVEAL_RERUN
    return None if again == step.said else Flaw.REVEAL_RERUN  # V40
