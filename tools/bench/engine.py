"""Random whole hands a second, against OpenSpiel's engine driven from Python in the same run."""

from __future__ import annotations

import random
import time

import pyspiel

from p2p_hearts.rules.cards import CardSet, card_set, cards_in, remove
from p2p_hearts.rules.dealing import dealt
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.play import playable, start_play
from p2p_hearts.rules.score import hand_scores
from tools.bench.primitives import Floor

HANDS = 1500
ROUNDS = 3


def run(_: Floor) -> None:
    """Print both rates and their ratio."""
    own = max(_rate(_own_hand) for _ in range(ROUNDS))
    game = pyspiel.load_game("hearts(qs_breaks_hearts=false)")
    other = max(_rate(lambda chance: _their_hand(game, chance)) for _ in range(ROUNDS))
    print(
        f"random hands a second: {own:.0f}; OpenSpiel driven from Python {other:.0f}; "
        f"ratio {own / other:.2f}"
    )


def _rate(play) -> float:  # type: ignore[no-untyped-def]
    chance = random.Random(1)
    start = time.process_time()
    for _ in range(HANDS):
        play(chance)
    return HANDS / (time.process_time() - start)


def _own_hand(chance: random.Random) -> None:
    rules = RULES
    pack = list(rules.pack)
    chance.shuffle(pack)
    deal = dealt(rules, 0)
    hands = [card_set(pack[position] for position in hand) for hand in deal.hands]
    passed = [card_set(chance.sample(cards_in(hand), 3)) for hand in hands]
    hands = [
        CardSet(hand & ~passed[seat] | passed[(seat - 1) % 4]) for seat, hand in enumerate(hands)
    ]
    opening = rules.opening_card
    leader = next(seat for seat, hand in enumerate(hands) if hand >> (opening or 0) & 1)
    state = start_play(rules, 0, leader)
    while (turn := state.turn) is not None:
        card = chance.choice(cards_in(playable(hands[turn], state)))
        hands[turn] = remove(hands[turn], card)
        state = state.play(card)
    hand_scores(rules, state.taken, (0, 0, 0, 0))


def _their_hand(game, chance: random.Random) -> None:  # type: ignore[no-untyped-def]
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))
    state.returns()


RULES = RuleSet()
