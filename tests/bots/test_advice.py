from __future__ import annotations

import random
from dataclasses import replace

import pytest

from p2p_hearts.bots.advice import advise
from p2p_hearts.bots.search import seed_of
from p2p_hearts.rules.cards import EMPTY, CardSet, cards_in
from p2p_hearts.rules.match import new_match
from p2p_hearts.rules.options import PRESETS, Moon, RuleSet
from p2p_hearts.rules.texts import card_words
from p2p_hearts.rules.view import Phase
from tests.bots.positions import SHOOTER_HAS, cards, position
from tests.bots.searcher import SELDOM, make_quick, make_searcher
from tests.rules.dealer import Hand, deal, play_hand


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_advise__names_what_the_computer_player_would_do(preset: str) -> None:
    rng, rules, player = random.Random(preset), PRESETS[preset], make_searcher()

    def watch(hand: Hand) -> None:
        assert hand.play is not None
        assert hand.play.turn is not None
        view = hand.view(hand.play.turn)
        if seed_of(view) % SELDOM:
            return
        text = advise(view, player)
        assert text.startswith(f"Play {card_words(player.choose_card(view))}")
        assert text.endswith(".")
        assert text.isascii()

    normal = make_quick("normal")
    dealt = deal(new_match(rules), 0, rng)
    if dealt.offset:
        text = advise(dealt.view(0), player)
        assert all(card_words(c) in text for c in cards_in(player.choose_pass(dealt.view(0))))
        assert text.isascii()
    play_hand(new_match(rules), 0, [normal] * rules.seats, rng, watch)


def test_advise__says_so_where_there_is_nothing_to_decide() -> None:
    view = replace(position("2C 3C"), legal=EMPTY)
    assert advise(view, make_searcher()) == "There is nothing for you to decide now."


def test_advise__does_not_tell_anybody_to_feed_the_shooter() -> None:
    text = advise(position("KH AD 2D", "AC", taken={3: SHOOTER_HAS}), make_searcher(200))
    assert "the king of hearts:" not in text
    assert "the player on your right may be shooting the moon" in text
    assert "would only help" in text


def test_advise__tells_to_win_a_penalty_to_stop_the_moon() -> None:
    text = advise(position("8H KH 2D", "QH 9H 10H", taken={1: SHOOTER_HAS}), make_searcher(200))
    assert text.startswith("Play the king of hearts: the player on your left has taken every")
    assert text.endswith("a penalty card that you win stops the moon.")


def test_advise__explains_the_choice_of_a_moon() -> None:
    rules = RuleSet(moon=Moon.CHOICE)
    view = position("2C", rules=rules)
    assert view.play is not None
    pile = CardSet(rules.pack_set & ~cards("2C"))
    past = view.play.past._replace(taken=(pile, EMPTY, EMPTY, EMPTY))
    view = replace(view, play=view.play._replace(past=past), phase=Phase.CHOOSE_MOON)
    assert advise(view, make_searcher()).startswith("Let the others score 26")
    behind = replace(new_match(rules), totals=(90, 10, 20, 80))
    assert advise(replace(view, match=behind), make_searcher()).startswith(
        "Take 26 off your own score"
    )
