"""OpenSpiel's ``ISMCTSBot`` in a seat of our table: its state is replayed from the view.

It searches the play phase only (in the pass phase it fails), so its passes are those of the plain
rule player. Its own sampling of hidden cards is OpenSpiel's; what is hidden in the state it gets is
filled in at random, and it draws that anew.
"""

from __future__ import annotations

import random
from typing import Any

import pyspiel

from p2p_hearts.bots.moon import choose_moon
from p2p_hearts.bots.worlds import Hidden
from p2p_hearts.rules.cards import Card, CardSet, cards_in, union
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.score import MoonChoice
from p2p_hearts.rules.view import View
from tests.rules.judge import judge_card
from tools.ladder.duck import DuckPlayer

OURS = {judge_card(Card(face)): Card(face) for face in range(52)}
"""Our card of each of OpenSpiel's."""

EXPLORATION = 5.0
"""The constant of its formula for which nodes to look at; returns of a hand are 0 to 26."""

FINAL = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
"""It plays the move that it looked at most often."""


class IsmctsPlayer:
    """Four seats, the default rules, one hand."""

    def __init__(self, rules: RuleSet, simulations: int) -> None:
        if rules != RuleSet(hands=rules.hands, target=rules.target):
            raise ValueError("OpenSpiel plays the default rules only")
        self._game = pyspiel.load_game("hearts(qs_breaks_hearts=false,pass_cards=false)")
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        self._bot = pyspiel.ISMCTSBot(1, evaluator, EXPLORATION, simulations, -1, FINAL)
        self._rng = random.Random(1)

    def choose_pass(self, view: View) -> CardSet:
        """Pass by rule."""
        return DuckPlayer().choose_pass(view)

    def choose_card(self, view: View) -> Card:
        """Return the card that the bot plays in the replayed state."""
        if view.forced is not None:
            return view.forced
        return OURS[self._bot.step(self._replayed(view))]

    def choose_moon(self, view: View) -> MoonChoice:
        """Never asked for under the default rules."""
        return choose_moon(view)

    def _replayed(self, view: View) -> Any:
        """Return OpenSpiel's state after all plays so far, hidden cards filled in at random."""
        play = view.play
        if play is None:
            raise ValueError("the play has not begun")
        hands = list(Hidden(view).draw(self._rng)[0])
        plays = [*(p for trick in play.tricks for p in trick.cards), *play.trick]
        for seat, card in plays:
            hands[seat] = union(hands[seat], CardSet(1 << card))
        state = self._game.new_initial_state()
        state.apply_action(0)  # no pass: hands are filled in as they are after it
        queues = [[*cards_in(hand)] for hand in hands]
        for number in range(52):
            state.apply_action(judge_card(queues[number % 4][number // 4]))
        for _, card in plays:
            state.apply_action(judge_card(card))
        return state
