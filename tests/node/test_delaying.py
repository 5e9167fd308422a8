"""A watcher is shown the play some tricks late, and what is over at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from p2p_hearts.node.delaying import Delay
from p2p_hearts.rules.cards import EMPTY
from p2p_hearts.rules.view import NOBODY, Phase, View
from tests.ui.games import Game
from tests.ui.scenes import passing_game, playing_game


def watched(game: Game) -> View:
    return replace(game.view(), seat=NOBODY, hand=EMPTY, legal=EMPTY)


def a_hand() -> Iterator[View]:
    """What there is to see of a hand, card by card."""
    yield watched(passing_game())
    game = playing_game(cards=1)
    yield watched(game)
    while game.phase is Phase.PLAY:
        game.play_first_legal()
        yield watched(game)


def finished(view: View | None) -> int:
    return 0 if view is None or view.play is None else len(view.play.tricks)


@pytest.mark.parametrize("tricks", [1, 2])
def test_delay__shows_every_card_so_many_tricks_late(tricks: int) -> None:
    delay, shown = Delay(tricks), list[View | None]()
    for view in a_hand():
        shown.append(delay.pass_on(view))
        if view.phase is Phase.PLAY:
            assert finished(shown[-1]) <= max(finished(view) - tricks, 0)
    assert shown[-1] is not None
    assert shown[-1].phase is Phase.HAND_OVER, "nothing of the hand is left to be told"
    seen = {finished(view) for view in shown[:-1]}
    assert seen == set(range(13 - tricks))


def test_delay__of_nothing_shows_everything_at_once() -> None:
    delay = Delay(0)
    for view in a_hand():
        assert delay.pass_on(view) == view


def test_delay__ends_with_a_fault_or_the_match() -> None:
    delay, views = Delay(1), list(a_hand())
    for view in views[:20]:
        delay.pass_on(view)
    assert delay.pass_on(views[20], at_once=True) == views[20]


def test_delay__shows_the_next_hand_when_it_is_dealt() -> None:
    delay = Delay(1)
    for view in a_hand():
        delay.pass_on(view)
    following = replace(next(a_hand()), hand_number=2)
    assert delay.pass_on(following) == following
