from __future__ import annotations

import random
from dataclasses import replace

import pytest

from p2p_hearts.bots.advice import advise
from p2p_hearts.bots.budget import playouts
from p2p_hearts.bots.candidates import Candidate, Findings, Seen
from p2p_hearts.bots.heuristic import HeuristicPlayer
from p2p_hearts.bots.reading import Reading
from p2p_hearts.bots.search import SearchPlayer, seed_of
from p2p_hearts.rules.cards import EMPTY, CardSet, cards_in, parse_card
from p2p_hearts.rules.match import new_match
from p2p_hearts.rules.options import PRESETS, Moon, RuleSet
from p2p_hearts.rules.texts import card_words
from p2p_hearts.rules.view import Phase, View
from tests.bots.positions import SHOOTER_HAS, cards, position
from tests.bots.searcher import SELDOM, make_quick, make_searcher
from tests.rules.dealer import Hand, RandomPlayer, deal, play_hand


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


class Scripted(SearchPlayer):
    """A search that found what it was told to."""

    def __init__(self, found: Findings) -> None:
        super().__init__(playouts(1))
        self.found = found

    def search_pass(self, view: View) -> Findings:
        return self.found

    def search_cards(self, view: View) -> Findings:
        return self.found


def candidate(names: str, points: int, *, shoots: bool = False) -> Candidate:
    seen = [Seen(points, False, shoots, False)] * 4
    return Candidate(cards(names), shoots, values=[-float(points)] * 4, seen=seen)


def test_advise__one_legal_card_needs_no_search() -> None:
    text = advise(position("2C 9D", "KC"), Scripted(Findings((), 0)))
    assert text == "Play the 2 of clubs: it is the only card you may play."


def test_advise__says_so_where_nothing_tells_the_cards_apart() -> None:
    text = advise(position("5C 6C 7C", "KC"), make_searcher())
    assert text == "Play the 5 of clubs: the cards that you may play are worth the same."


def test_advise__first_impressions_are_no_reason_where_the_end_was_solved() -> None:
    """Nor where the search chose another card than they would."""
    view = position("2D 8D KD 3H", "3D 10D 4H")
    found = (candidate("8D", 1), candidate("KD", 5))
    seen = advise(view, Scripted(Findings(found, 4)))
    assert seen.startswith("Play the 8 of diamonds: it is your highest card that stays below")
    for other in (Findings(found, 4, solved=True), Findings(found[::-1], 4)):
        assert "diamonds. In 4 deals that fit" in advise(view, Scripted(other))
    certain = advise(view, Scripted(Findings(found, 1, solved=True, certain=True)))
    assert certain.startswith("Play the 8 of diamonds. Every card that is left is known: you end")


def test_advise__a_try_to_shoot_the_moon_is_called_one() -> None:
    """Whatever would speak for the same card in plain play."""
    view = position("2D 8D KD 3H", "3D 10D 4H")
    found = (candidate("8D", 0, shoots=True), candidate("KD", 5))
    text = advise(view, Scripted(Findings(found, 4)))
    assert text.startswith("Play the 8 of diamonds: nobody else has a penalty card, and you may")
    assert "It is a try to shoot the moon, which worked in 100% of them." in text
    assert "stays below" not in text


def passing(hand: str, found: Findings) -> str:
    view = replace(deal(new_match(RuleSet()), 0, random.Random(1)).view(0), hand=cards(hand))
    return advise(view, Scripted(found))


def test_advise__gives_reasons_for_a_pass_that_are_true() -> None:
    plain = Findings((candidate("QS AC KH", 5),), 4)
    text = passing("QS 2S AC 3C 2D 3D 4D 5D 6D 7D 2H 3H KH", plain)
    assert "The queen of spades is dangerous where too few low spades guard it." in text
    assert "High cards win tricks that you do not want." in text
    assert "High hearts win tricks that cost points." in text
    guarded = passing("QS 2S 3S 4S 5S AC 3C 2D 3D 4D 2H 3H KH", plain)
    assert "dangerous" not in guarded


def test_advise__gives_no_reasons_for_low_cards_that_a_search_passes() -> None:
    low = Findings((candidate("2C 3D 2H", 5),), 4)
    text = passing("AC KC 2C AD KD 3D AS KS QS AH KH QH 2H", low)
    assert text == "Pass the 2 of clubs, the 3 of diamonds and the 2 of hearts."
    tried = Findings((candidate("2C 3D 2H", 0, shoots=True), candidate("QS KS AH", 6)), 4)
    text = passing("AC KC 2C AD KD 3D AS KS QS AH KH QH 2H", tried)
    assert text.startswith("Pass the 2 of clubs, the 3 of diamonds and the 2 of hearts. In 4 deals")
    assert "It is a try to shoot the moon, which worked in 100% of them." in text


def test_advise__with_the_queen_kept_a_high_spade_need_not_take_it() -> None:
    found = Findings((candidate("KS 4D 4H", 5),), 4)
    kept = passing("QS KS 2S 3S 4S 5S 6S 2D 3D 4D 2H 3H 4H", found)
    assert "A high spade" not in kept
    out = passing("AC KS 2S 3S 4S 5S 6S 2D 3D 4D 2H 3H 4H", found)
    assert "A high spade may have to take the queen of spades." in out


def test_advise__two_equal_cards_cancel_with_two_packs() -> None:
    rng, rules, texts = random.Random(1), PRESETS["cancellation"], []

    def watch(hand: Hand) -> None:
        assert hand.play is not None
        assert hand.play.turn is not None
        view = hand.view(hand.play.turn)
        winning, card = Reading(view).winning, HeuristicPlayer().choose_card(view)
        if winning is not None and winning[1] == card and view.forced is None:
            found = Findings((Candidate(CardSet(1 << card), False),), 0)
            texts.append((card_words(card), advise(view, Scripted(found))))

    for _ in range(4):
        play_hand(new_match(rules), 0, [RandomPlayer(rng)] * rules.seats, rng, watch)
    assert texts
    for name, text in texts:
        assert text == f"Play {name}: it cancels {name}, so that neither can win."


def test_advise__the_jack_is_worth_winning_only_where_it_counts() -> None:
    found = Findings((candidate("JD", 1), candidate("QD", 5)), 4)
    for rules, said in ((PRESETS["omnibus"], True), (RuleSet(), False)):
        view = position("JD QD", "3D 4D 5D", rules=rules)
        assert HeuristicPlayer().choose_card(view) == parse_card("JD")
        assert ("your own jack" in advise(view, Scripted(found))) == said
