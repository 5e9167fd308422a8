"""What happened in a hand, as far as its log proves it: cards, plays, and what each step proved.

Made by ``hand.HandCheck`` while it judges, for people who want to see the game and not only the
verdict. Everything here was verified; what the log does not prove (the cards of a hand that was
never revealed) is absent, never guessed.

Never: a secret that a player did not reveal. Errors: none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from p2p_hearts.rules.cards import EMPTY, Card, CardSet, card_set, difference, size, union
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.passing import receiver
from p2p_hearts.rules.play import PlayState
from p2p_hearts.rules.score import MoonChoice, moon_shooter
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.messages import Kind


@dataclass(frozen=True, slots=True)
class Step:
    """One speech of a hand and what its check came to."""

    round: int
    kind: Kind
    seat: int
    card: Card | None
    """The card that it played, for an opening or a play."""
    verified: Mapping[str, int]
    """What it proved, as ``Report.verified`` counts it; empty where there is nothing to prove."""
    seconds: float
    """How long the proofs took to check, or the re-run of a reveal; 0 without a clock."""
    rule: Rule | None
    """The rule it broke."""


@dataclass(frozen=True, slots=True)
class HandStory:
    """One attempt at a hand. Tuples are by seat."""

    rules: RuleSet
    number: int
    attempt: int
    dealer: int
    offset: int
    """To whom was passed, seats clockwise; 0 for nobody."""
    is_void: bool
    """It was begun anew without a seat, and counts for nothing."""
    dummy: int | None
    """The seat whose cards lay open and were played by the rules for dummies."""
    revealed: frozenset[int]
    """Seats whose secret is known and was found to be the one they played by."""
    dealt: tuple[CardSet, ...]
    """The known cards of each hand before the pass."""
    passed: tuple[CardSet, ...]
    """The known cards that each seat passed."""
    held: tuple[CardSet, ...]
    """The known cards of each hand as it was played from."""
    play: PlayState | None
    """The play as far as it went; ``None`` before the first lead."""
    choice: MoonChoice | None
    scores: tuple[int, ...] | None
    """``None`` unless every card has its taker."""
    steps: tuple[Step, ...]

    @property
    def plays(self) -> tuple[tuple[int, Card], ...]:
        """Seat and card of all plays, oldest first."""
        play = self.play
        if play is None:
            return ()
        return (*(item for trick in play.tricks for item in trick.cards), *play.trick)

    @property
    def shooter(self) -> int | None:
        """The seat that shot the moon."""
        if self.play is None:
            return None
        return moon_shooter(self.rules, self.play.taken)

    @property
    def is_shown(self) -> bool:
        """Whether every card of every hand is known."""
        return all(size(cards) == self.rules.hand_size for cards in self.held)

    @property
    def seconds(self) -> float:
        """How long all checks of the hand took."""
        return sum(step.seconds for step in self.steps)

    def received(self, seat: int) -> CardSet:
        """Return the known cards that a seat was passed."""
        return self.passed[(seat - self.offset) % self.rules.seats]

    def proofs(self) -> tuple[Step | None, ...]:
        """Return the step that proved each of ``plays``; ``None`` where a dummy played."""
        left = [step for step in self.steps if step.card is not None and step.rule is None]
        found: list[Step | None] = []
        for seat, card in self.plays:
            step = next((item for item in left if (item.seat, item.card) == (seat, card)), None)
            if step is not None:
                left.remove(step)
            found.append(step)
        return tuple(found)


Known = Sequence[Card | None]
"""A hand, position by position; ``None`` for a card that is not known."""


def known_cards(
    rules: RuleSet,
    offset: int,
    dealt: Sequence[Known],
    selections: Sequence[Sequence[int]],
    held: Sequence[Known],
    play: PlayState | None,
) -> tuple[tuple[CardSet, ...], tuple[CardSet, ...], tuple[CardSet, ...]]:
    """Return what is known of the hands as dealt, of what was passed, and of the hands as held.

    ``selections`` are the positions that each seat passed, empty before. What one seat passed is
    known from its own hand, or from the hand of the seat that got it.
    """
    seats = range(rules.seats)
    before = [_set(cards) for cards in dealt]
    after = [_set(cards) for cards in held]
    if play is not None and play.claimed is not None:
        after[play.claimed.seat] = _with_claim(after[play.claimed.seat], play)
    passed = [EMPTY for _ in seats]
    for seat in seats if offset and selections else ():
        own = [dealt[seat][at] for at in selections[seat]]
        to = receiver(rules, seat, offset)
        if None not in own:
            passed[seat] = _set(own)
        elif size(before[to]) == size(after[to]) == rules.hand_size:
            kept = difference(before[to], _set([dealt[to][at] for at in selections[to]]))
            passed[seat] = difference(after[to], kept)
    for seat in seats:
        # The cards of a dummy lie open only as it plays; what it was dealt follows.
        got = passed[(seat - offset) % rules.seats]
        wholes = (size(after[seat]) == rules.hand_size, size(before[seat]) < rules.hand_size)
        if all(wholes) and size(passed[seat]) == size(got) == (offset and rules.pass_count):
            before[seat] = union(difference(after[seat], got), passed[seat])
    return tuple(before), tuple(passed), tuple(after)


def _set(cards: Known) -> CardSet:
    return card_set(card for card in cards if card is not None)


def _with_claim(held: CardSet, play: PlayState) -> CardSet:
    """A claim shows all cards that its seat has left."""
    if play.claimed is None or size(held) == play.rules.hand_size:
        return held
    return union(held, play.claimed.hand)
