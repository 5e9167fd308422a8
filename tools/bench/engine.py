"""Random whole hands a second, against OpenSpiel's engine driven from Python in the same run.

Both sides do the same: shuffle and deal, draw a direction of the pass (none is one of four), pass
three cards a seat if there is one, list the legal cards for each of the 52 plays, choose one with
the same generator, play it, and score the hand. OpenSpiel deals by 52 chance moves; ours shuffles
once. Rounds are short and go in turn, by CPU time; the ratio is the median of theirs, since the
machine's speed changes from one moment to the next. The rates are the best ones.

Ours is measured twice: with a state for every card, which tables and players use and which can be
kept and compared; and with ``play_out``, the same rules without those states. The tests hold both
equal (``tests/rules/test_playout.py``).
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from statistics import median

import pyspiel

from p2p_hearts.rules.cards import EMPTY, Card, CardSet, card_set, cards_in, remove
from p2p_hearts.rules.dealing import dealt
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.play import PlayState, playable, start_play
from p2p_hearts.rules.playout import Chosen, play_out
from p2p_hearts.rules.score import hand_scores
from tools.bench.primitives import Floor

HANDS = 50
ROUNDS = 100
RULES = RuleSet()
NO_TOTALS = (0, 0, 0, 0)

PlayHand = Callable[[random.Random], object]


def run(floor: Floor) -> None:
    """Print the rates and their ratios."""
    game = pyspiel.load_game("hearts(qs_breaks_hearts=false)")
    sides: dict[str, PlayHand] = {
        "OpenSpiel": lambda chance: _their_hand(game, chance),
        "played out": _played_out,
        "a state for every card": _with_states,
    }
    rates: dict[str, list[float]] = {name: [] for name in sides}
    for number in range(ROUNDS):
        for name, play_hand in sides.items():
            rates[name].append(_rate(play_hand, random.Random(number)))
    theirs = rates.pop("OpenSpiel")
    print(f"random hands a second; OpenSpiel driven from Python: {max(theirs):.0f}")
    for name, own in rates.items():
        ratio = median(mine / other for mine, other in zip(own, theirs, strict=True))
        print(f"   ours, {name}: {max(own):.0f}, ratio {ratio:.2f}")


def _rate(play: PlayHand, chance: random.Random) -> float:
    start = time.process_time()
    for _ in range(HANDS):
        play(chance)
    return HANDS / (time.process_time() - start)


def _begin(chance: random.Random) -> tuple[list[CardSet], PlayState]:
    """Shuffle, deal and pass; the hands, and the state before the first card."""
    pack = list(RULES.pack)
    chance.shuffle(pack)
    cards = [[pack[at] for at in hand] for hand in dealt(RULES, 0).hands]
    hands = [card_set(own) for own in cards]
    offset = chance.randrange(4)
    if offset:
        passed = [card_set(chance.sample(own, RULES.pass_count)) for own in cards]
        hands = [
            CardSet(hand & ~passed[seat] | passed[(seat - offset) % 4])
            for seat, hand in enumerate(hands)
        ]
    leader = next(seat for seat, hand in enumerate(hands) if hand & 1)  # 2♣ is bit 0
    return hands, start_play(RULES, 0, leader)


def _played_out(chance: random.Random) -> object:
    hands, state = _begin(chance)

    choice = chance.choice

    def choose(legal: CardSet) -> Card:
        return choice(cards_in(legal))

    return hand_scores(RULES, play_out(state, hands, Chosen(choose), EMPTY), NO_TOTALS)


def _with_states(chance: random.Random) -> object:
    hands, state = _begin(chance)
    choice = chance.choice
    while (turn := state.turn) is not None:
        card = choice(cards_in(playable(hands[turn], state)))
        hands[turn] = remove(hands[turn], card)
        state = state.play(card)
    return hand_scores(RULES, state.taken, NO_TOTALS)


def _their_hand(game: pyspiel.Game, chance: random.Random) -> object:
    state, choice = game.new_initial_state(), chance.choice
    while not state.is_terminal():
        state.apply_action(choice(state.legal_actions()))
    return state.returns()
