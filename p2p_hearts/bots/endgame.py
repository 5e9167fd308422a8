"""The last tricks with open cards, solved: every seat takes the line that is best for itself.

Each seat wishes its own score low, the moon counted (``max^n``). Cards that nothing tells apart
are tried once, and a line ends where nothing that counts is left.
"""

from __future__ import annotations

from itertools import pairwise

from p2p_hearts.bots.utility import Utility
from p2p_hearts.rules.cards import Card, CardSet, cards_in, remove
from p2p_hearts.rules.play import PlayState, playable
from p2p_hearts.rules.rest import rest_is_worthless, taken_after_claim
from p2p_hearts.rules.trick import Plays

_Key = tuple[tuple[CardSet, ...], Plays, int | None, tuple[CardSet, ...], bool, CardSet]


class Solver:
    """Solves positions of one hand; ``nodes`` counts the positions looked at."""

    def __init__(self, utility: Utility) -> None:
        self._utility = utility
        self._known: dict[_Key, tuple[CardSet, ...]] = {}
        self.nodes = 0

    def solve(
        self, state: PlayState, hands: tuple[CardSet, ...], widow: CardSet
    ) -> tuple[CardSet, ...]:
        """Return what each seat will have taken at the end of the hand."""
        if state.widow_due:
            state = state.with_widow(cards_in(widow))
        seat = state.turn
        if seat is None:
            return state.taken
        if rest_is_worthless(state):
            return taken_after_claim(state, 0)
        key = (hands, state.trick, seat, state.taken, state.past.broken, widow)
        found = self._known.get(key)
        if found is not None:
            return found
        self.nodes += 1
        ends = [
            self.solve(
                state.play(card),
                (*hands[:seat], remove(hands[seat], card), *hands[seat + 1 :]),
                widow,
            )
            for card in distinct(state, playable(hands[seat], state), hands[seat])
        ]
        scores = self._utility.scores
        best = ends[0] if len(ends) == 1 else min(ends, key=lambda end: scores(end)[seat])
        self._known[key] = best
        return best


def distinct(state: PlayState, legal: CardSet, hand: CardSet) -> list[Card]:
    """Return the legal cards without those that a lower one stands for.

    Two cards of a suit are the same if they cost the same and no card between them is out or
    lies on the table.
    """
    cards, rules = cards_in(legal), state.rules
    if rules.packs == 2:
        return list(cards)
    values, kept = rules.values, list(cards[:1])
    others = state.unseen & ~hand | sum(1 << card for _, card in state.trick)
    for below, card in pairwise(cards):
        between = others & ((1 << card) - (2 << below))
        if between or below // 13 != card // 13 or values[below] != values[card]:
            kept.append(card)
    return kept
