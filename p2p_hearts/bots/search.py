"""``hard``: the player that searches, trying every candidate in the same likely deals.

Candidates are cards or passes that look best at first sight (``heuristic``, ``passing``), as plain
play and, where that is thinkable, as a try to shoot the moon. Each is followed to the end of the
hand (``trials``) in deals that agree with the view (``worlds``, ``beliefs``, ``pool``); what counts
is what the end is worth for the match (``utility``). Candidates that fall clearly behind are
dropped, so that the time goes to the close ones.

Chance is seeded by the view alone, and time is somebody else's (``budget``): equal views and
equal budgets of playouts give equal decisions.
"""

from __future__ import annotations

import zlib
from typing import Final

from p2p_hearts.bots import heuristic, moon, passing
from p2p_hearts.bots.beliefs import beliefs
from p2p_hearts.bots.budget import Budget, Budgets
from p2p_hearts.bots.candidates import Candidate, Findings, ranked, still_close
from p2p_hearts.bots.careful import Careful
from p2p_hearts.bots.endgame import distinct
from p2p_hearts.bots.ideas import ALL_IDEAS, Ideas
from p2p_hearts.bots.policy import losers
from p2p_hearts.bots.reading import Reading
from p2p_hearts.bots.trials import Batch, Trials
from p2p_hearts.bots.utility import Utility
from p2p_hearts.bots.worlds import Hidden, NoDealError
from p2p_hearts.rules.cards import Card, CardSet, cards_in
from p2p_hearts.rules.options import Moon
from p2p_hearts.rules.play import PlayState
from p2p_hearts.rules.view import View

VERSION: Final = 2
"""Raised with every change of what is chosen: what was measured of one version is of that one."""

SOLVED_CARDS: Final = 8
"""With so many cards left in all hands they are solved, as if all lay open, not played out."""

SOLVED_IF_KNOWN: Final = 12
"""The same where the seat knows who holds every card."""

FIRST_LOOK: Final = 16
"""Deals before a candidate can be dropped; the next look is after twice as many."""

MOST_LANES: Final = 256
"""Hands that are played at once: a budget is asked again after at most so many."""

DOUBT: Final = 0.3
"""Parts of all penalty points that a moon in a playout is worth less where it is tried: players
that search stop more of them than the seats of a playout do (docs/players.md)."""

TRY: Final = -0.15
"""The first impression of a try to shoot the moon, in parts of all points: mostly not worth it."""

CARDS: Final = 6
"""At most so many cards are compared, the likeliest by the first impression."""

HOPELESS: Final = 0.12
"""Parts of all points by which a card may seem worse than the best one and still be compared."""

PASSES: Final = 8
"""Passes on the short list."""

PASS_PRICE: Final = 0.15
"""Points that a pass looks worse by, for one of price (``passing.price``) more that it keeps."""

PASS_TIMES: Final = 3.0
"""A pass is decided once a hand, and may take so many times as long as a card."""


class Search:
    """One decision of one seat."""

    def __init__(self, view: View, budget: Budget, ideas: Ideas) -> None:
        self._view, self._budget, self._ideas = view, budget, ideas
        self._utility = Utility(view.match, view.seat, match_score=ideas.match_score)
        self._trials = Trials(view, self._utility, ideas, seed_of(view))

    @property
    def spent(self) -> int:
        """Playouts so far, and what took as long."""
        return self._trials.spent

    # -- cards -------------------------------------------------------------------------------

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
        most = SOLVED_IF_KNOWN if hidden.certain else SOLVED_CARDS
        solving = ideas.endgame and play.unseen.bit_count() <= most
        impressed = ideas.prior and not solving
        if impressed:
            least = top - HOPELESS * view.rules.total_penalty
            choices.sort(key=lambda card: -firsts[card])
            choices = [card for card in choices[:CARDS] if firsts[card] >= least]
        candidates = [
            Candidate(CardSet(1 << card), False, firsts[card] - top if impressed else 0.0)
            for card in choices
        ]
        if not solving and self._may_shoot(play):
            card = heuristic.shooting(reading, cards_in(view.legal))
            candidates.append(self._try(CardSet(1 << card)))
        batch = self._trials.cards(hidden, play, solving=solving)
        certain = hidden.certain and solving
        return self._compare(candidates, batch, solving=solving, certain=certain)

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
        return self._wins_enough(view.hand, play.unseen)

    def _wins_enough(self, hand: CardSet, unseen: CardSet) -> bool:
        """Whether few enough cards of a hand may lose a trick for a moon to be thinkable."""
        return losers(hand, unseen) <= 1 + self._view.rules.hand_size // 4

    # -- passes ------------------------------------------------------------------------------

    def passes(self) -> Findings:
        """Compare the passes on the short list."""
        view, rules = self._view, self._view.rules
        hidden = Hidden(view, voids=False)
        lists = passing.short_list(rules, view.hand, view.offset, PASSES)
        candidates = []
        moons = self._ideas.moon and rules.moon is not Moon.OFF
        price = PASS_PRICE if self._ideas.prior else 0.0
        for cards, worse in lists:
            candidates.append(Candidate(cards, False, -price * worse))
            if moons and self._wins_enough(CardSet(view.hand & ~cards), rules.pack_set):
                candidates.append(self._try(cards))
        return self._compare(candidates, self._trials.passes(hidden))

    # -- comparing ---------------------------------------------------------------------------

    def _compare(
        self,
        candidates: list[Candidate],
        batch: Batch,
        *,
        solving: bool = False,
        certain: bool = False,
    ) -> Findings:
        """Try all candidates in the same deals until time is up or one is left."""
        live, deals, look, value = candidates, 0, FIRST_LOOK, self._utility.of
        seat = self._view.seat
        while not deals or (len(live) > 1 and self._budget.allows(self.spent)):
            number = (
                1
                if certain or len(live) == 1
                else max(1, min(look - deals, MOST_LANES // len(live)))
            )
            while number > 1 and not self._budget.allows(self.spent + number * len(live)):
                number //= 2
            for due, ends in batch(live, number):
                deals += due
                for candidate, end in zip(live, ends, strict=True):
                    candidate.note(seat, end, value(end.scores), due)
            if certain:
                break
            if deals >= look:
                live, look = still_close(live), look * 2
        return Findings(ranked(live, candidates), deals, solving, certain)


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
    return Findings((Candidate(cards, False),), 0)


def seed_of(view: View) -> int:
    """Return a seed that equal views share and different ones hardly do."""
    play = view.play
    tricks = () if play is None else (*(t.cards for t in play.tricks), play.trick)
    facts = (view.seat, view.hand, view.legal, view.hand_number, view.match.totals, tricks)
    return zlib.crc32(repr(facts).encode())
