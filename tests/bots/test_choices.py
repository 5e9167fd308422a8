"""What the three levels choose, pinned: who changes it on purpose raises ``VERSION``."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator

import pytest

from p2p_hearts.bots.budget import playouts
from p2p_hearts.bots.player import LEVELS, make_player
from p2p_hearts.bots.search import VERSION, seed_of
from p2p_hearts.rules.cards import card_name, cards_in
from p2p_hearts.rules.options import PRESETS
from p2p_hearts.rules.view import View
from tests.rules.dealer import Chooser, Hand, RandomPlayer, at_hand, deal, play_hand
from tools.ladder.duck import DuckPlayer

PINNED = {
    2: {"easy": "7cd9bf2dffb4e0f5", "normal": "24b65a52f551b895", "hard": "04f4e566d2e79537"},
}
"""By ``VERSION``: the digest of the choices of each level."""

EACH = {"easy": 1, "normal": 1, "hard": 29}
"""One of so many views is looked at; a search takes its time."""


def views(preset: str) -> Iterator[View]:
    """The decisions of hands with and without a pass: all passes, then card by card.

    Nobody of the three levels plays them.
    """
    rules, rng = PRESETS[preset], random.Random(preset)
    players: list[Chooser] = [(DuckPlayer(), RandomPlayer(rng))[s % 2] for s in range(rules.seats)]
    for number in (1, 4):
        seen: list[View] = []

        def watch(hand: Hand, seen: list[View] = seen) -> None:
            assert hand.play is not None
            assert hand.play.turn is not None
            seen.append(hand.view(hand.play.turn))

        before = deal(at_hand(rules, number), number % rules.seats, random.Random(preset))
        if before.offset:
            yield from (before.view(seat) for seat in range(rules.seats))
        play_hand(at_hand(rules, number), number % rules.seats, players, rng, watch)
        yield from seen


@pytest.mark.parametrize("level", LEVELS)
def test_choices__change_with_the_version_only(level: str) -> None:
    """A ladder measures one version: its figures say nothing of players that choose otherwise."""
    player, said = make_player(level, playouts(120)), hashlib.sha256()
    for preset in sorted(PRESETS):
        for view in views(preset):
            if seed_of(view) % EACH[level]:
                continue
            if view.play is None:
                names = [card_name(card) for card in cards_in(player.choose_pass(view))]
            else:
                names = [card_name(player.choose_card(view)), str(player.wants_claim(view))]
            said.update(" ".join([preset, *names, ""]).encode())
    assert said.hexdigest()[:16] == PINNED[VERSION][level], (
        f"{level} chooses otherwise: raise VERSION in bots/search.py, pin it here, measure anew"
    )
