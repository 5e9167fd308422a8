"""What a hint says of the risk: true sentences, from what the seat may know."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_hearts.rules.cards import EMPTY, CardSet, card_set, parse_card
from p2p_hearts.rules.options import Moon, RuleSet
from p2p_hearts.rules.play import PlayState
from p2p_hearts.rules.view import View
from p2p_hearts.ui.risks import hint_sentences, risk_sentences
from p2p_hearts.ui.words import SYMBOLS
from tests.ui.scenes import STATUS, my_turn, passing_game

QUEEN = parse_card("qs")


def cards(text: str) -> CardSet:
    return card_set(map(parse_card, text.split()))


def position(*, hand: str = "2c", taken: tuple[str, ...] = (), trick: str = "") -> View:
    """Seat 0 is to play; these piles are taken, these cards lie there."""
    view = my_turn()
    play = view.play
    assert play is not None
    piles = tuple(cards(pile) if pile else EMPTY for pile in (*taken, *[""] * 4))[:4]
    laid = tuple((seat, parse_card(card)) for seat, card in enumerate(trick.split(), 1))
    gone = CardSet(sum(piles) | card_set(card for _seat, card in laid))
    unseen = CardSet(view.rules.pack_set & ~gone)
    past = play.past._replace(taken=piles)
    return replace(view, hand=cards(hand), play=PlayState(past, laid, unseen, 0), legal=cards(hand))


def told(view: View) -> str:
    return " ".join(risk_sentences(view, STATUS, SYMBOLS))


def test_queen__is_out_held_known_or_gone() -> None:
    assert told(position()) == "Q♠ is still out: any trick may bring her."
    assert "You hold Q♠" in told(position(hand="qs 2c"))
    known = (EMPTY, card_set([QUEEN]), EMPTY, EMPTY)
    assert "Lena holds Q♠: you passed her there." in told(replace(position(), known=known))
    assert "Q♠" not in told(position(taken=("", "qs")))
    no_queen = replace(position(), rules=RuleSet(queen_points=0))
    assert "Q♠" not in told(no_queen)


def test_moon__is_told_of_the_only_taker_once_the_points_are_many() -> None:
    assert "Lena alone has taken" in told(position(taken=("", "qs 2h")))
    assert "You alone have taken" in told(position(taken=("qs 2h",)))
    assert "alone" not in told(position(taken=("", "2h 3h")))
    assert "alone" not in told(position(taken=("3h", "qs 2h")))
    off = position(taken=("", "qs 2h"))
    assert "alone" not in told(replace(off, rules=replace(off.rules, moon=Moon.OFF)))


def test_trick__its_points_are_told() -> None:
    assert "This trick costs 1 point so far." in told(position(trick="5c 2h"))
    assert "This trick costs 14 points so far." in told(position(trick="5c 2h qs"))
    assert "costs" not in told(position(trick="5c"))


def test_hint__tells_what_may_be_played_and_why_not_the_rest() -> None:
    first, second, *_ = hint_sentences("Play low.", my_turn(), STATUS, SYMBOLS)
    assert first == "Play low."
    assert second == "Clubs were led, and you hold 7♣ 10♣ K♣. You may play 7♣ 10♣ K♣."


@pytest.mark.parametrize("glyphs", [SYMBOLS, None])
def test_hint__of_a_pass_says_what_a_good_one_is(glyphs: object) -> None:
    told = hint_sentences("Pass.", passing_game().view(), STATUS, SYMBOLS if glyphs else None)
    assert "A good pass" in told[1]
    assert ("Q♠" if glyphs else "queen of spades") in told[2]
    without = replace(passing_game().view(), hand=cards("2c"))
    assert len(hint_sentences("Pass.", without, STATUS, SYMBOLS)) == 2


def test_hint__of_the_only_card_needs_no_more() -> None:
    view = position(hand="2c")
    assert hint_sentences("Play it.", view, STATUS, SYMBOLS) == ["Play it."]
