"""Candidates tried in deals: drawn to fit a view, and followed to the end of the hand.

With one pack hundreds of deals are played at once (``simulation``), every seat as ``normal``. With
two packs, where hardly a draw fits the view, and without the idea of a policy they are drawn and
played one by one, by the habits of ``policy``. The last tricks are solved instead (``endgame``).

All candidates see the same deals. ``Trials.spent`` counts what it took, in playouts of a hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from p2p_hearts.bots import passing
from p2p_hearts.bots.candidates import Candidate, End
from p2p_hearts.bots.endgame import Solver
from p2p_hearts.bots.ideas import Ideas
from p2p_hearts.bots.policy import Habits, losers
from p2p_hearts.bots.utility import Utility
from p2p_hearts.bots.worlds import Hidden
from p2p_hearts.rules.cards import (
    EMPTY,
    QUEEN_OF_SPADES,
    Card,
    CardSet,
    cards_in,
    contains,
    difference,
    remove,
    union,
)
from p2p_hearts.rules.options import Moon
from p2p_hearts.rules.play import PlayState, start_play
from p2p_hearts.rules.playout import Chosen, Policy, play_out
from p2p_hearts.rules.score import moon_shooter
from p2p_hearts.rules.view import View

DRAWN: Final = 8
"""So many deals are drawn and weighed for each one that is played out."""

SOLVING_COST: Final = 12
"""Positions that a solver looks at in the time of a playout."""

Batch = Callable[[Sequence[Candidate], int], Sequence[tuple[int, Sequence[End]]]]
"""Tries candidates in so many deals: how often each deal is due, and its ends by candidate."""


class Trials:
    """The trials of one decision; chance comes from ``seed`` alone."""

    def __init__(self, view: View, utility: Utility, ideas: Ideas, seed: int) -> None:
        self._view, self._utility, self._ideas, self._seed = view, utility, ideas, seed
        self._rng = Random(seed)  # noqa: S311  (a choice of samples, no secret)
        self._habits = Habits(view.rules)
        self._lockstep = ideas.policy and view.rules.packs == 1
        self.spent = 0

    def cards(self, hidden: Hidden, play: PlayState, *, solving: bool) -> Batch:
        """Return what tries cards of the own seat, to the end or, ``solving``, as solved."""
        if self._lockstep:
            return self._cards_at_once(hidden, play, solving)
        return self._cards_by_deal(hidden, play, solving)

    def passes(self, hidden: Hidden) -> Batch:
        """Return what tries passes of the own seat; the others pass as ``normal``."""
        return self._passes_at_once(hidden) if self._lockstep else self._passes_by_deal(hidden)

    # -- many deals at once ------------------------------------------------------------------

    def _cards_at_once(self, hidden: Hidden, play: PlayState, solving: bool) -> Batch:
        """Deals drawn, weighed and played out in arrays."""
        from p2p_hearts.bots.simulation import Simulation

        view = self._view
        simulation = Simulation(view, hidden, self._utility, self._seed)
        drawn = DRAWN if self._ideas.fit and play.unseen != view.rules.pack_set else 1
        solver = Solver(self._utility)

        def batch(live: Sequence[Candidate], number: int) -> Sequence[tuple[int, Sequence[End]]]:
            holder, due = simulation.deals(number, drawn)
            if not len(due):
                return self._cards_by_deal(hidden, play, solving)(live, number)
            self.spent += simulation.cost(number, drawn)
            if solving:
                return [
                    (times, self._solved(solver, play, live, hands, widow))
                    for times, hands, widow in zip(due, *simulation.hands(holder), strict=True)
                ]
            self.spent += len(due) * len(live)
            ends = simulation.cards(play, holder, [(one.cards, one.shoots) for one in live])
            return list(zip(due, ends, strict=True))

        return batch

    def _passes_at_once(self, hidden: Hidden) -> Batch:
        from p2p_hearts.bots.simulation import Simulation

        simulation = Simulation(self._view, hidden, self._utility, self._seed)

        def batch(live: Sequence[Candidate], number: int) -> Sequence[tuple[int, Sequence[End]]]:
            holder, due = simulation.deals(number, 1)
            self.spent += len(due) * len(live)
            mixed = [
                (after, widow, one.shoots)
                for hands, widow in zip(*simulation.hands(holder), strict=True)
                for one, after in zip(live, self._after(hands, live), strict=True)
            ]
            ends = simulation.passes(mixed, len(live))
            return list(zip(due, ends, strict=True))

        return batch

    # -- one deal after the other ------------------------------------------------------------

    def _cards_by_deal(self, hidden: Hidden, play: PlayState, solving: bool) -> Batch:
        """Deals drawn and played out one by one, all seats by their habits."""
        view, solver = self._view, Solver(self._utility)

        def ends(live: Sequence[Candidate]) -> Sequence[End]:
            hands, widow = hidden.draw(self._rng)
            if solving:
                return self._solved(solver, play, live, hands, widow)
            others, found = self._likely_shooters(hands, play), []
            for candidate in live:
                card = Card(candidate.cards.bit_length() - 1)
                left = list(hands)
                left[view.seat] = remove(view.hand, card)
                found.append(self._playout(play.play(card), left, widow, candidate.shoots, others))
            return found

        return lambda live, number: [(1, ends(live)) for _ in range(number)]

    def _passes_by_deal(self, hidden: Hidden) -> Batch:
        rules = self._view.rules

        def ends(live: Sequence[Candidate]) -> Sequence[End]:
            hands, widow = hidden.draw(self._rng)
            found = []
            for one, mixed in zip(live, self._after(hands, live), strict=True):
                state = start_play(rules, self._view.dealer, passing.opener(rules, mixed))
                found.append(self._playout(state, mixed, widow, one.shoots, 0))
            return found

        return lambda live, number: [(1, ends(live)) for _ in range(number)]

    def _likely_shooters(self, hands: Sequence[CardSet], play: PlayState) -> int:
        """Return the other seats that would shoot with these hands, bit by bit."""
        rules = self._view.rules
        if rules.moon is Moon.OFF or not self._ideas.moon or rules.packs == 2:
            return 0
        penalty = rules.penalty_cards
        takers = [s for s, pile in enumerate(play.taken) if pile & penalty]
        if len(takers) > 1:
            return 0
        seats = takers or range(rules.seats)
        allowed = 2 if takers else 1
        found = 0
        for seat in seats:
            if seat != self._view.seat and losers(hands[seat], play.unseen) <= allowed:
                found |= 1 << seat
        return found

    def _playout(
        self, state: PlayState, hands: Sequence[CardSet], widow: CardSet, shoots: bool, others: int
    ) -> End:
        self.spent += 1
        policy: Policy = self._habits
        if self._ideas.policy:
            self._habits.begin(others | 1 << self._view.seat if shoots else others, state.taken)
        else:
            policy = Chosen(lambda legal: self._rng.choice(cards_in(legal)))
        return self._end(play_out(state, hands, policy, widow, whole=False))

    # -- both --------------------------------------------------------------------------------

    def _solved(
        self,
        solver: Solver,
        play: PlayState,
        live: Sequence[Candidate],
        hands: Sequence[CardSet],
        widow: CardSet,
    ) -> Sequence[End]:
        found = []
        for candidate in live:
            card = Card(candidate.cards.bit_length() - 1)
            left = list(hands)
            left[self._view.seat] = remove(self._view.hand, card)
            before = solver.nodes
            taken = solver.solve(play.play(card), tuple(left), widow)
            self.spent += 1 + (solver.nodes - before) // SOLVING_COST
            found.append(self._end(taken))
        return found

    def _end(self, taken: tuple[CardSet, ...]) -> End:
        rules = self._view.rules
        queen = rules.queen_points > 0 and contains(taken[self._view.seat], QUEEN_OF_SPADES)
        return End(self._utility.scores(taken), moon_shooter(rules, taken), queen)

    def _after(
        self, hands: Sequence[CardSet], live: Sequence[Candidate]
    ) -> list[tuple[CardSet, ...]]:
        """Return the hands after all have passed, by candidate; the others pass as ``normal``."""
        view, rules = self._view, self._view.rules
        passed = [
            EMPTY if seat == view.seat else passing.choose(rules, hand, view.offset)
            for seat, hand in enumerate(hands)
        ]
        found = []
        for one in live:
            passed[view.seat] = one.cards
            found.append(
                tuple(
                    union(difference(hand, passed[s]), passed[(s - view.offset) % rules.seats])
                    for s, hand in enumerate(hands)
                )
            )
        return found
