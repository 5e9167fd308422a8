"""Let the peers and the audits of one process share what pure functions gave before.

Making and checking a proof depend on their arguments alone, and so does opening an envelope. In one
process a shuffle that one peer has checked needs no second check by the next one or by an audit,
and tests with the same seed need to deal the same hand only once. What is shared is keyed by every
byte of every argument.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any
from unittest.mock import patch

import pytest

from p2p_hearts.cards import claim, deal, escrow, keys, passing, play
from p2p_hearts.wire import envelope

SHARED: tuple[Callable[..., Any], ...] = (
    envelope.open_envelope,
    keys.make_key,
    keys.check_key,
    deal.make_shuffle,
    deal.check_shuffle,
    deal.make_shares,
    deal.check_shares,
    deal.owned,
    passing.make_pass,
    passing.check_pass,
    passing.make_remask,
    passing.check_remask,
    play.make_play,
    play.check_play,
    play.make_no_opening,
    play.check_no_opening,
    claim.make_claim,
    claim.check_claim,
    escrow.make_escrow,
    escrow.check_escrow,
    escrow.open_seal,
    escrow.make_opening,
    escrow.check_opening,
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


# The audit takes functions by their names, so it has to be loaded before they are looked for.
import_module("p2p_hearts.record.audit")


def _places(function: Callable[..., Any]) -> list[tuple[ModuleType, str]]:
    """Where the program, as far as it is loaded, holds a function, and under which name."""
    return [
        (module, name)
        for module in [*sys.modules.values()]
        if module.__name__.startswith("p2p_hearts.")
        for name, value in vars(module).items()
        if value is function
    ]


_PLACES = [
    (module, name, called)
    for function in SHARED
    for called in [remembering(function)]
    for module, name in _places(function)
]


@contextmanager
def shared_proofs() -> Iterator[None]:
    """Within this context the functions of ``SHARED`` remember their results."""
    with ExitStack() as stack:
        for module, name, called in _PLACES:
            stack.enter_context(patch.object(module, name, called))
        yield


@pytest.fixture
def alone() -> None:
    """Every peer makes and checks every proof by itself."""


@pytest.fixture(autouse=True)
def sharing(request: pytest.FixtureRequest) -> Iterator[None]:
    """Share proofs among peers, audits and tests, unless the test asks for ``alone``."""
    if "alone" in request.fixturenames:
        yield
    else:
        with shared_proofs():
            yield
