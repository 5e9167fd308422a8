"""What passes and plays say of the hands that are hidden."""

from __future__ import annotations

import random
from dataclasses import replace
from math import log
from statistics import fmean

from p2p_hearts.bots.beliefs import beliefs
from p2p_hearts.bots.player import make_player
from p2p_hearts.bots.worlds import Hidden
from p2p_hearts.rules.cards import Card, cards_in, parse_card
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.play import PlayState
from p2p_hearts.rules.trick import Trick
from p2p_hearts.rules.view import View
from tests.bots.positions import cards, position
from tests.rules.dealer import Hand, at_hand, play_hand

QUEEN, KING = parse_card("QS"), parse_card("KS")


def after(plays: str, hand: str = "2C 3C") -> View:
    """Seat 0 to lead after one trick that seat 0 led, seats in order."""
    view = position(hand)
    assert view.play is not None
    played = tuple((seat, parse_card(name)) for seat, name in enumerate(plays.split()))
    trick = Trick(0, played, 0)
    past = view.play.past._replace(tricks=(Trick(0, (), 0), trick))
    return replace(view, play=PlayState(past, (), view.play.unseen, 0))


def weight(view: View, seat: int, card: str) -> float:
    return beliefs(view)[seat][parse_card(card)]


def test_beliefs__who_could_have_thrown_the_queen_has_it_hardly() -> None:
    view = after("KD 3C 10D 4D")
    assert weight(view, 1, "QS") < 0.1
    assert weight(view, 2, "QS") == 1
    assert weight(after("AS 3S 10D 4D"), 1, "QS") < 0.1


def test_beliefs__who_wins_a_dear_trick_had_nothing_lower() -> None:
    view = after("10D 3H KD 4D")
    assert weight(view, 2, "9D") < 0.5
    assert weight(view, 2, "AD") == 1


def test_beliefs__who_leads_a_low_spade_seldom_has_the_queen() -> None:
    view = after("KD 3D 10D 4D")
    assert view.play is not None
    past = view.play.past
    led = Trick(1, ((1, parse_card("4S")), (2, parse_card("5S"))), 2)
    play = PlayState(past._replace(tricks=(*past.tricks, led)), (), view.play.unseen, 0)
    table = beliefs(replace(view, play=play))
    assert table[1][QUEEN] < 1
    assert table[1][KING] < 1


def test_beliefs__whom_we_passed_to_got_no_queen_from_us() -> None:
    view = replace(position("2C 3C"), offset=1, received=cards("2D 3D 4D"))
    table = beliefs(view)
    assert table[1][QUEEN] < table[2][QUEEN] == table[3][QUEEN]


def test_beliefs__make_the_deal_as_it_lies_likelier() -> None:
    """The log of each hidden card's chance to lie where it lies, against chance alone."""
    rng, player = random.Random(5), make_player("normal")
    gains: list[float] = []

    def chances(view: View, table: list[list[float]] | None) -> dict[Card, dict[int, float]]:
        found = {}
        for card, holders in Hidden(view, table).choices:
            total = sum(weight * view.counts[seat] for seat, weight in holders)
            found[card] = {seat: w * view.counts[seat] / total for seat, w in holders}
        return found

    def watch(hand: Hand) -> None:
        play = hand.play
        assert play is not None
        if play.trick or play.tricks_left not in (5, 8, 11):
            return
        assert play.turn is not None
        view = hand.view(play.turn)
        blind, guided = chances(view, None), chances(view, beliefs(view))
        for seat, held in enumerate(hand.hands):
            if seat != view.seat:
                gains.extend(
                    log(guided[card][seat] / blind[card][seat])
                    for card in cards_in(held)
                    if card in blind
                )

    for number in range(16):
        play_hand(at_hand(RuleSet(), number % 4 + 1), 0, [player] * 4, rng, watch)
    assert fmean(gains) > 0.01
