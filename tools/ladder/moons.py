"""Moons among players of one level: how often they are made, and how often stopped.

What is counted needs no look inside a player. As long as one seat alone has taken all penalty
cards that were taken so far, a moon of that seat is possible; from ``THREAT`` of all penalty points
on it is called a *threat*. A threat ends as a moon *made*, or is *stopped*: somebody else takes a
penalty card. A hand has at most one threat.

Of ``hard`` more is known: it says which of its choices begin a try to shoot the moon (``Trying``).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from p2p_hearts.bots.candidates import Findings
from p2p_hearts.bots.search import SearchPlayer
from p2p_hearts.rules.cards import CardSet
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.score import moon_shooter, points_of
from p2p_hearts.rules.view import View
from tests.rules.dealer import Chooser, Hand, at_hand, play_hand
from tools.ladder.figures import Share, interval

THREAT: Final = 2 / 3
"""Parts of all penalty points that one seat alone has taken where its moon is a threat. Q♠ with a
heart or two comes to somebody in every hand; with five hearts it looks like more."""


class Trying(SearchPlayer):
    """``hard``, and in which seats it has begun to shoot the moon since ``begun`` was cleared."""

    begun: dict[int, float]
    """By seat: in which part of its playouts the first try of the hand succeeded."""

    def note(self, view: View, found: Findings) -> Findings:
        """Note the first choice of a seat that is a try to shoot the moon."""
        best = found.best
        if best.shoots:
            self.begun.setdefault(view.seat, best.moons / len(best.values))
        return found

    def search_pass(self, view: View) -> Findings:
        """Search and note."""
        return self.note(view, super().search_pass(view))

    def search_cards(self, view: View) -> Findings:
        """Search and note."""
        return self.note(view, super().search_cards(view))


@dataclass(frozen=True)
class Played:
    """What one hand of four alike brought."""

    seed: int
    made: int
    """Moons: 1 or 0."""
    alone: int
    """Penalty points that one seat had when a second one took its first; all of them in a moon."""
    tries: int
    """Seats that knowingly tried to shoot the moon; 0 for players that do not tell."""
    tries_made: int
    """Those of them that did."""
    tries_hoped: float
    """In which parts of their playouts the tries succeeded when they began, added up."""


def alone(rules: RuleSet, moments: Iterable[Sequence[CardSet]]) -> int:
    """Return the penalty points that one seat had when a second one took its first.

    ``moments`` are what each seat had taken after each trick of a hand, in order.
    """
    found = 0
    for taken in moments:
        piles = [CardSet(pile & rules.penalty_cards) for pile in taken]
        points = [points_of(rules, pile) for pile in piles if pile]
        if len(points) > 1:
            break
        found = sum(points)
    return found


def self_play(rules: RuleSet, player: Chooser, seeds: Iterable[int]) -> Iterator[Played]:
    """Play the first deals of ``contest.duplicate``, ``player`` in every seat."""
    for seed in seeds:
        moments: list[Sequence[CardSet]] = []

        def watch(hand: Hand, moments: list[Sequence[CardSet]] = moments) -> None:
            if hand.play is not None and not hand.play.trick:
                moments.append(hand.play.taken)

        begun: dict[int, float] = {}
        if isinstance(player, Trying):
            player.begun = begun
        match, dealer = at_hand(rules, 1 + seed % rules.seats), seed % rules.seats
        hand, _ = play_hand(match, dealer, [player] * rules.seats, random.Random(seed), watch)
        if hand.play is None:
            raise ValueError("a hand was played without a card")
        taken = hand.play.taken
        shooter = moon_shooter(rules, taken)
        yield Played(
            seed,
            int(shooter is not None),
            alone(rules, (*moments, taken)),
            len(begun),
            int(shooter in begun),
            sum(begun.values()),
        )


@dataclass(frozen=True)
class Moons:
    """What hands of self-play brought."""

    rules: RuleSet
    hands: Sequence[Played]
    tells: bool
    """Whether the player tells of its tries."""
    threat: float = THREAT

    @property
    def least(self) -> int:
        """The fewest points of a threat."""
        return ceil(self.threat * self.rules.total_penalty)

    @property
    def made(self) -> Share:
        """Hands in which a moon was made."""
        return Share(sum(hand.made for hand in self.hands), len(self.hands))

    @property
    def threats(self) -> Share:
        """Hands with a threat, made or stopped."""
        return Share(len(self._threats), len(self.hands))

    @property
    def stopped(self) -> Share:
        """Hands in which a threat was stopped."""
        return Share(sum(not hand.made for hand in self._threats), len(self.hands))

    @property
    def stopped_of_threats(self) -> Share:
        """Threats that were stopped."""
        return Share(self.stopped.count, self.threats.count)

    @property
    def tries(self) -> Share:
        """Tries that were made."""
        tries = sum(hand.tries for hand in self.hands)
        return Share(sum(hand.tries_made for hand in self.hands), tries)

    @property
    def _threats(self) -> Sequence[Played]:
        return [hand for hand in self.hands if hand.alone >= self.least]

    def __str__(self) -> str:
        lines = [
            f"moons made in {self.made} hands",
            f"threats ({self.least} points or more alone) stopped in {self.stopped} hands",
            f"of the threats stopped: {self.stopped_of_threats}",
        ]
        if self.tells:
            begun = interval([hand.tries for hand in self.hands])
            lines.append(f"tries knowingly begun: {begun.mean:.3f} ± {begun.half:.3f} a hand")
            hoped = sum(hand.tries_hoped for hand in self.hands) / max(1, self.tries.number)
            lines.append(f"of the tries made: {self.tries}; hoped for: {hoped:.1%}")
        return "\n   ".join(lines)
