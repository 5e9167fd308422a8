from __future__ import annotations

from dataclasses import replace

from p2p_hearts.rules.cards import EMPTY, size
from p2p_hearts.rules.options import PRESETS
from p2p_hearts.rules.view import Phase, View
from p2p_hearts.ui.pace import (
    CARD_SECONDS,
    HAND_SECONDS,
    QUICKEST_HAND,
    TRICK_SECONDS,
    frames,
    seconds_after,
)
from tests.ui.games import Game
from tests.ui.scenes import claimed_view, last_cards, my_turn, passing_game, playing_game


def cards_on_table(view: View) -> int:
    assert view.play is not None
    return len(view.play.tricks) * view.rules.seats + len(view.play.trick)


def test_frames__one_for_every_card_played_in_between() -> None:
    game = playing_game(0)
    before = game.view()
    game.play_on(7)
    shown = frames(before, game.view())
    assert [cards_on_table(view) for view in shown] == [1, 2, 3, 4, 5, 6, 7]
    assert shown[-1] == game.view()
    assert all(view.legal == EMPTY for view in shown[:-1])


def test_frames__hands_and_counts_shrink_card_by_card() -> None:
    game = playing_game(2)
    before = game.view()
    game.play_on(14)
    for view in frames(before, game.view()):
        assert sum(view.counts) + cards_on_table(view) == 52
        assert size(view.hand) == view.counts[0]


def test_frames__the_last_trick_lies_there_before_the_points() -> None:
    game = playing_game(50)
    before = game.view()
    game.play_on(2)
    shown = frames(before, game.view())
    assert [view.phase for view in shown] == [Phase.PLAY, Phase.PLAY, Phase.HAND_OVER]
    assert not shown[1].match.hands
    assert seconds_after(shown[1], 1.0) == TRICK_SECONDS


def test_frames__of_the_first_cards_after_the_pass() -> None:
    game = passing_game()
    before = game.view()
    game.pass_cards(last_cards(game))
    game.play_on(3)
    shown = frames(before, game.view())
    assert [cards_on_table(view) for view in shown] == [1, 2, 3]


def test_frames__another_hand_or_a_first_view_comes_at_once() -> None:
    game = playing_game(3)
    before = game.view()
    assert frames(None, before) == (before,)
    assert frames(before, before) == (before,)
    game.finish_hand()
    game.deal()
    between, after = frames(before, game.view())
    assert after == game.view()
    assert frames(between, after) == (after,)


def test_frames__the_points_of_a_hand_are_shown_before_the_next_one() -> None:
    """The table deals the next hand as soon as one is scored."""
    game = playing_game(50)
    before = game.view()
    game.finish_hand()
    game.deal()
    scored, after = frames(before, game.view())
    assert (scored.phase, scored.hand_number) == (Phase.HAND_OVER, 1)
    assert scored.match.hands == game.match.hands
    assert seconds_after(scored, 1.0) == HAND_SECONDS
    assert (after, after.hand_number) == (game.view(), 2)
    assert not scored.your_turn
    assert scored.hand == EMPTY


def test_frames__an_unrelated_play_is_shown_as_it_is() -> None:
    one, other = playing_game(3), playing_game(9, seed=8)
    assert frames(one.view(), other.view()) == (other.view(),)


def test_frames__a_widow_that_opens_in_between() -> None:
    game = Game(PRESETS["cancellation"], seed=2)
    game.deal()
    before = game.view()
    game.play_on(15)
    shown = frames(before, game.view())
    assert [cards_on_table(view) for view in shown] == list(range(1, 16))


def test_seconds__tricks_stay_longer_than_cards_and_points_longest() -> None:
    game = playing_game(0)
    assert seconds_after(game.view(), 1.0) == 0
    game.play_on(1)
    assert seconds_after(game.view(), 1.0) == CARD_SECONDS
    game.play_on(3)
    assert seconds_after(game.view(), 1.0) == TRICK_SECONDS
    game.finish_hand()
    assert seconds_after(game.view(), 1.0) == HAND_SECONDS
    unscored = replace(game.view(), hand_number=2)
    assert seconds_after(unscored, 1.0) == 0


def test_seconds__at_once_leaves_the_points_of_a_hand_in_view() -> None:
    game = playing_game(1)
    assert seconds_after(game.view(), 0.0) == 0
    game.play_on(3)
    assert seconds_after(game.view(), 0.0) == 0
    game.finish_hand()
    assert seconds_after(game.view(), 0.0) == HAND_SECONDS * QUICKEST_HAND > 2
    assert seconds_after(game.view(), 1.8) == HAND_SECONDS * 1.8


def test_frames__before_a_claim_keep_the_cards_that_were_never_played() -> None:
    before, after = my_turn(13), claimed_view()
    shown = frames(before, after)
    assert shown[-1] == after
    assert len(shown) > 2
    for view in shown[:-1]:
        assert view.phase is Phase.PLAY
        assert size(view.hand) == view.counts[view.seat]
