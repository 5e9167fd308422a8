"""The player that searches: every candidate is played out in the same likely deals.

For each deal that agrees with the view (``worlds``, weighed by ``beliefs``) every candidate card or
pass is followed to the end of the hand by sensible seats (``policy``), as plain play and, where
that is thinkable, as a try to shoot the moon; the last tricks are solved (``endgame``). What counts
is what the end is worth for the match (``utility``). Candidates that fall clearly behind are
dropped, so that the time goes to the close ones.

Chance is seeded by the view alone, and time is somebody else's (``budget``): equal views and
equal budgets of playouts give equal decisions.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from p2p_hearts.bots import heuristic, moon, passing
from p2p_hearts.bots.beliefs import beliefs
from p2p_hearts.bots.budget import Budget, Budgets
from p2p_hearts.bots.candidates import Candidate, End, Findings, still_close
from p2p_hearts.bots.careful import Careful
from p2p_hearts.bots.endgame import Solver, distinct
from p2p_hearts.bots.policy import Habits, losers
from p2p_hearts.bots.reading import Reading
from p2p_hearts.bots.utility import Utility
from p2p_hearts.bots.worlds import Hidden, NoDealError
from p2p_hearts.rules.cards import (
    EMPTY,
    QUEEN_OF_SPADES,
    Card,
    CardSet,
    cards_in,
    difference,
    remove,
    union,
)
from p2p_hearts.rules.options import Moon
from p2p_hearts.rules.play import PlayState, start_play
from p2p_hearts.rules.playout import Chosen, Policy, play_out
from p2p_hearts.rules.score import moon_shooter
from p2p_hearts.rules.view import View

VERSION: Final = 2
"""Raised with every change of what is chosen: what was measured of one version is of that one."""

SOLVED_CARDS: Final = 8
"""With so many cards left in all hands they are solved, as if all lay open, not played out."""

SOLVED_IF_KNOWN: Final = 12
"""The same where the seat knows who holds every card."""

SOLVING_COST: Final = 12
"""Positions that a solver looks at in the time of a playout."""

FIRST_LOOK: Final = 16
"""Deals before a candidate can be dropped; the next look is after twice as many."""

DRAWN: Final = 8
"""So many deals are drawn and weighed for each one that is played out."""

MOST_LANES: Final = 256
"""Hands that are played at once: a budget is asked again after at most so many."""

DOUBT: Final = 0.3
"""Parts of all penalty points that a moon in a playout is worth less where it is tried: of tries
that succeeded in 95 % of the deals, 70 % did against ``normal``, and a failed one costs dearly."""

TRY: Final = -0.15
"""The first impression of a try to shoot the moon, in parts of all points: mostly not worth it."""

CARDS: Final = 6
"""At most so many cards are compared, the likeliest by the first impression."""

HOPELESS: Final = 0.12
"""Parts of all points by which a card may seem worse than the best one and still be compared."""

PASSES: Final = 8
"""Passes on the short list."""

PASS_TIMES: Final = 3.0
"""A pass is decided once a hand, and may take so many times as long as a card."""


@dataclass(frozen=True, slots=True)
class Ideas:
    """What the search uses; each can be left out to measure what it is worth."""

    voids: bool = True
    beliefs: bool = True
    fit: bool = True
    """Deals are weighed by what ``normal`` would have played from them."""
    policy: bool = True
    endgame: bool = True
    match_score: bool = True
    moon: bool = True
    prior: bool = True
    passing: bool = True


ALL_IDEAS: Final = Ideas()


Batch = Callable[[Sequence[Candidate], int], Sequence[tuple[int, Sequence[End]]]]
"""Plays candidates to the end in so many deals: how often each deal is due, and its ends."""


class Search:
    """One decision of one seat."""

    def __init__(self, view: View, budget: Budget, ideas: Ideas) -> None:
        self._view, self._budget, self._ideas = view, budget, ideas
        self._rng = Random(seed_of(view))  # noqa: S311  (a choice of samples, no secret)
        self._utility = Utility(view.match, view.seat, match_score=ideas.match_score)
        self._habits = Habits(view.rules)
        self._spent = 0
        self._lockstep = ideas.policy and view.rules.packs == 1

    # -- cards ------------------------------------------------------------------------------

    def cards(self) -> Findings:
        """Compare the cards that may be played; ``ValueError`` if there is none."""
        view, ideas = self._view, self._ideas
        play = view.play
        if play is None or not view.legal:
            raise ValueError("there is no card to play")
        hidden = Hidden(view, beliefs(view) if ideas.beliefs else None, voids=ideas.voids)
        reading = Reading(view)
        danger = moon.threat(reading)
        choices = distinct(play, view.legal, view.hand)
        firsts = {card: heuristic.value(reading, card, danger) for card in choices}
        top = max(firsts.values())
        candidates = []
        most = SOLVED_IF_KNOWN if hidden.certain else SOLVED_CARDS
        solving = ideas.endgame and play.unseen.bit_count() <= most
        if ideas.prior and not solving:
            least = top - HOPELESS * view.rules.total_penalty
            choices.sort(key=lambda card: -firsts[card])
            choices = [card for card in choices[:CARDS] if firsts[card] >= least]
        for card in choices:
            prior = firsts[card] - top if ideas.prior and not solving else 0.0
            candidates.append(Candidate(CardSet(1 << card), False, prior))
        if not solving and self._may_shoot(play):
            card = heuristic.shooting(reading, cards_in(view.legal))
            candidates.append(self._try(CardSet(1 << card)))
        if self._lockstep:
            batch = self._cards_at_once(hidden, play, solving)
        else:
            batch = self._cards_by_deal(hidden, play, solving)
        return self._compare(candidates, batch, hidden.certain and solving)

    def _cards_at_once(self, hidden: Hidden, play: PlayState, solving: bool) -> Batch:
        """Deals drawn, weighed and played out in arrays."""
        from p2p_hearts.bots.simulation import Simulation

        view = self._view
        simulation = Simulation(view, hidden, self._utility, seed_of(view))
        drawn = DRAWN if self._ideas.fit and play.unseen != view.rules.pack_set else 1
        solver = Solver(self._utility)

        def batch(live: Sequence[Candidate], number: int) -> Sequence[tuple[int, Sequence[End]]]:
            holder, due = simulation.deals(number, drawn)
            if not len(due):
                return self._cards_by_deal(hidden, play, solving)(live, number)
            self._spent += simulation.cost(number, drawn)
            if solving:
                return [
                    (times, self._solved(solver, play, live, hands, widow))
                    for times, hands, widow in zip(due, *simulation.hands(holder), strict=True)
                ]
            self._spent += len(due) * len(live)
            ends = simulation.cards(play, holder, [(one.cards, one.shoots) for one in live])
            return list(zip(due, ends, strict=True))

        return batch

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
            self._spent += 1 + (solver.nodes - before) // SOLVING_COST
            found.append(self._end(taken))
        return found

    def _end(self, taken: tuple[CardSet, ...]) -> End:
        return End(
            self._utility.scores(taken),
            moon_shooter(self._view.rules, taken),
            bool(taken[self._view.seat] >> QUEEN_OF_SPADES & 1),
        )

    def _try(self, cards: CardSet) -> Candidate:
        """Return the begin of a moon as a candidate."""
        total = self._view.rules.total_penalty
        prior = TRY * total if self._ideas.prior else 0.0
        return Candidate(cards, True, prior, stake=DOUBT * total)

    def _may_shoot(self, play: PlayState) -> bool:
        """Whether a moon of the own seat is thinkable: nobody else has a penalty card."""
        view, rules = self._view, self._view.rules
        if rules.moon is Moon.OFF or not self._ideas.moon or rules.packs == 2:
            return False
        penalty = rules.penalty_cards
        if any(pile & penalty for s, pile in enumerate(play.taken) if s != view.seat):
            return False
        return losers(view.hand, play.unseen) <= 1 + rules.hand_size // 4

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
        self._spent += 1
        policy: Policy = self._habits
        if self._ideas.policy:
            self._habits.begin(others | 1 << self._view.seat if shoots else others, state.taken)
        else:
            policy = Chosen(lambda legal: self._rng.choice(cards_in(legal)))
        return self._end(play_out(state, hands, policy, widow, whole=False))

    # -- passes -----------------------------------------------------------------------------

    def passes(self) -> Findings:
        """Compare the passes on the short list."""
        view, rules = self._view, self._view.rules
        hidden = Hidden(view, voids=False)
        lists = passing.short_list(rules, view.hand, view.offset, PASSES)
        candidates = []
        for cards, worse in lists:
            candidates.append(Candidate(cards, False, -0.15 * worse if self._ideas.prior else 0.0))
            if self._ideas.moon and rules.moon is not Moon.OFF:
                kept = CardSet(view.hand & ~cards)
                if losers(kept, rules.pack_set) <= 1 + rules.hand_size // 4:
                    candidates.append(self._try(cards))
        if self._lockstep:
            return self._compare(candidates, self._passes_at_once(hidden), False)
        return self._compare(candidates, self._passes_by_deal(hidden), False)

    def _passes_at_once(self, hidden: Hidden) -> Batch:
        from p2p_hearts.bots.simulation import Simulation

        simulation = Simulation(self._view, hidden, self._utility, seed_of(self._view))

        def batch(live: Sequence[Candidate], number: int) -> Sequence[tuple[int, Sequence[End]]]:
            holder, due = simulation.deals(number, 1)
            self._spent += len(due) * len(live)
            mixed = [
                (after, widow, one.shoots)
                for hands, widow in zip(*simulation.hands(holder), strict=True)
                for one, after in zip(live, self._after(hands, live), strict=True)
            ]
            ends = simulation.passes(mixed, len(live))
            return list(zip(due, ends, strict=True))

        return batch

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

    # -- comparing --------------------------------------------------------------------------

    def _compare(self, candidates: list[Candidate], batch: Batch, certain: bool) -> Findings:
        """Try all candidates in the same deals until time is up or one is left."""
        live, deals, look, value = candidates, 0, FIRST_LOOK, self._utility.of
        seat = self._view.seat
        while not deals or (len(live) > 1 and self._budget.allows(self._spent)):
            number = (
                1
                if certain or len(live) == 1
                else max(1, min(look - deals, MOST_LANES // len(live)))
            )
            while number > 1 and not self._budget.allows(self._spent + number * len(live)):
                number //= 2
            for due, ends in batch(live, number):
                deals += due
                for candidate, end in zip(live, ends, strict=True):
                    candidate.note(seat, end, value(end.scores), due)
            if certain:
                break
            if deals >= look:
                live, look = still_close(live), look * 2
        ranked = sorted(live, key=lambda one: (-one.mean(), one.cards, one.shoots))
        dropped = [one for one in candidates if one not in live]
        return Findings((*ranked, *dropped), deals, certain)


class SearchPlayer(Careful):
    """Searches as long as its budgets allow; where nothing is to be found out it does not."""

    name: Final = "hard"

    def __init__(self, budgets: Budgets, ideas: Ideas = ALL_IDEAS) -> None:
        """``budgets`` are asked for one at every decision."""
        self._budgets, self._ideas = budgets, ideas

    def choose_pass(self, view: View) -> CardSet:
        """Return the pass after which sampled hands end best."""
        if not self._ideas.passing:
            return passing.choose_pass(view)
        return self.search_pass(view).best.cards

    def choose_card(self, view: View) -> Card:
        """Return the card after which sampled hands end best; ``ValueError`` if there is none."""
        if view.forced is not None:
            return view.forced
        best = self.search_cards(view).best.cards
        return Card(best.bit_length() - 1)

    def search_pass(self, view: View) -> Findings:
        """Return all that the search for a pass found."""
        try:
            return Search(view, self._budgets(PASS_TIMES), self._ideas).passes()
        except NoDealError:
            return _unsearched(passing.choose_pass(view))

    def search_cards(self, view: View) -> Findings:
        """Return all that the search for a card found."""
        try:
            return Search(view, self._budgets(1.0), self._ideas).cards()
        except NoDealError:
            card = heuristic.HeuristicPlayer().choose_card(view)
            return _unsearched(CardSet(1 << card))


def _unsearched(cards: CardSet) -> Findings:
    """Return the choice of the heuristic player: a view without a possible deal tells no more."""
    return Findings((Candidate(cards, False),), 0, False)


def seed_of(view: View) -> int:
    """Return a seed that equal views share and different ones hardly do."""
    play = view.play
    tricks = () if play is None else (*(t.cards for t in play.tricks), play.trick)
    facts = (view.seat, view.hand, view.legal, view.hand_number, view.match.totals, tricks)
    return zlib.crc32(repr(facts).encode())
