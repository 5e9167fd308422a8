"""Computer players claim where a true claim costs them nothing, and only there."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from p2p_hearts.bots.advice import advise
from p2p_hearts.bots.claiming import wants_claim
from p2p_hearts.bots.player import make_player
from p2p_hearts.rules.match import new_match
from p2p_hearts.rules.options import PRESETS
from p2p_hearts.rules.rest import may_claim, rest_is_worthless, taken_after_claim
from p2p_hearts.rules.score import moon_shooter, points_of
from tests.bots.positions import view_of
from tests.bots.searcher import make_searcher
from tests.rules.dealer import Hand, play_hand


def test_wants_claim__where_nothing_that_counts_is_left() -> None:
    view = view_of({0: "2C 3C", 1: "AC KC", 2: "2D 3D", 3: "2S 3S"})
    assert view.may_claim
    assert wants_claim(view)
    assert advise(view, make_searcher()) == "Claim the rest: no card that counts is left."


def test_wants_claim__where_every_card_wins_whatever_is_led_first() -> None:
    view = view_of({0: "AC KC", 1: "2C 2D", 2: "3D 4D", 3: "2H 5D"}, others="QS")
    assert wants_claim(view)
    assert advise(view, make_searcher()).startswith("Claim the rest: you take every trick")


def test_wants_claim__not_where_points_can_be_avoided() -> None:
    """A low card led first loses, and the hearts with it."""
    view = view_of({0: "AC 2C", 1: "3C 2D", 2: "3D 4D", 3: "2H 5D"}, others="QS")
    assert view.may_claim
    assert not wants_claim(view)


def test_wants_claim__where_it_makes_a_moon() -> None:
    taken = "QS 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH"
    left = {0: "AC 2C", 1: "3C 2D", 2: "3D 4D", 3: "2H 5D"}
    assert wants_claim(view_of(left, mine=taken))


def test_wants_claim__not_with_the_last_card_and_not_where_it_would_not_stand() -> None:
    assert not wants_claim(view_of({0: "AC", 1: "2C", 2: "3D", 3: "2H"}))
    view = view_of({0: "2C 3C", 1: "AC KC", 2: "2D 3D", 3: "2S 3S"})
    assert not wants_claim(replace(view, may_claim=False))


@pytest.mark.parametrize("level", ["easy", "normal"])
@pytest.mark.parametrize("preset", ["black-lady", "omnibus", "cancellation"])
def test_wants_claim__never_takes_more_points_than_playing_on(level: str, preset: str) -> None:
    """Against the same player in all seats, with the cards as they lie."""
    rules, rng = PRESETS[preset], random.Random(preset)
    player, claims = make_player(level), 0
    pending: list[tuple[int, int]] = []

    def watch(hand: Hand) -> None:
        nonlocal claims
        play = hand.play
        assert play is not None
        assert play.turn is not None
        seat = play.turn
        view = replace(hand.view(seat), may_claim=may_claim(play, seat, hand.hands[seat]))
        if player.wants_claim(view) and not pending:
            taken = taken_after_claim(play, seat)
            if rest_is_worthless(play) or moon_shooter(rules, taken) == seat:
                return
            claims += 1
            pending.append((seat, points_of(rules, taken[seat])))

    for _ in range(25):
        hand, _ = play_hand(new_match(rules), 0, [player] * rules.seats, rng, watch)
        assert hand.play is not None
        for seat, points in pending:
            assert points_of(rules, hand.play.taken[seat]) == points
        pending.clear()
    assert claims > 0
