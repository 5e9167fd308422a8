"""Let the peers of one process share what pure functions gave before.

Making and checking a proof depend on their arguments alone, and so does opening an envelope. In one
process a shuffle that one peer has checked needs no second check by the next one, and tests with
the same seed need to deal the same hand only once. What is shared is keyed by every byte of every
argument.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any
from unittest.mock import patch

from p2p_hearts.cards import claim, deal, escrow, keys, passing, play
from p2p_hearts.wire import evidence

SHARED: tuple[tuple[ModuleType, str], ...] = (
    (evidence, "open_envelope"),
    (keys, "make_key"),
    (keys, "check_key"),
    (deal, "make_shuffle"),
    (deal, "check_shuffle"),
    (deal, "make_shares"),
    (deal, "check_shares"),
    (deal, "owned"),
    (passing, "make_pass"),
    (passing, "check_pass"),
    (passing, "make_remask"),
    (passing, "check_remask"),
    (play, "make_play"),
    (play, "check_play"),
    (play, "make_no_opening"),
    (play, "check_no_opening"),
    (claim, "make_claim"),
    (claim, "check_claim"),
    (escrow, "make_escrow"),
    (escrow, "check_escrow"),
    (escrow, "open_seal"),
    (escrow, "make_opening"),
    (escrow, "check_opening"),
    (claim, "make_claim"),
    (claim, "check_claim"),
)


def _hashable(arg: object) -> object:
    if isinstance(arg, dict):
        return tuple(sorted(arg.items()))
    return tuple(arg) if isinstance(arg, list) else arg


def remembering(function: Callable[..., Any]) -> Callable[..., Any]:
    results: dict[tuple[object, ...], Any] = {}

    def call(*args: object) -> Any:
        key = tuple(_hashable(arg) for arg in args)
        if key not in results:
            results[key] = function(*args)
        return results[key]

    return call


_REMEMBERING = {(module, name): remembering(getattr(module, name)) for module, name in SHARED}


@contextmanager
def shared_proofs() -> Iterator[None]:
    """Within this context the functions of ``SHARED`` remember their results."""
    patches = [patch.object(module, name, _REMEMBERING[module, name]) for module, name in SHARED]
    for item in patches:
        item.start()
    try:
        yield
    finally:
        for item in patches:
            item.stop()
