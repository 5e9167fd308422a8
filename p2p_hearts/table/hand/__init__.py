"""One hand: what was said, what it means, what this seat says (protocol/SPEC.md sections 3 to 5).

A ``Hand`` follows the rounds of one hand from the public side and, for the seat that owns it, from
the inside. ``take`` judges one speech and keeps it, ``close`` draws the consequences of a whole
round, ``speak`` makes this seat's own speech. What that is for each kind of speech stands in
``dealing``, ``passing``, ``playing`` and ``standing_in``, as functions over the data in ``state``;
``shuffles`` has those that this seat has made or checked before.
Checks that may wait (a shuffle while the next seat shuffles on, the re-run after the reveal) become
jobs, and no secret share is given before they are done.

Never: opens a network message, decides what to play, goes on after a broken rule.
Errors: a broken rule is a ``Rule``. ``ValueError`` only for a decision of this seat's own player
that the rules do not allow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from msgspec import Struct

from p2p_hearts.agreement.rounds import Stage, Who, next_stage
from p2p_hearts.i18n import _, ngettext
from p2p_hearts.rules.cards import EMPTY, Card, CardSet, card_set, cards_in, contains, remove
from p2p_hearts.rules.play import playable
from p2p_hearts.rules.rest import REFUSAL, may_claim
from p2p_hearts.rules.view import NOBODY
from p2p_hearts.table.hand import dealing, passing, playing, standing_in
from p2p_hearts.table.hand.state import Ground, HandState, Job, Side, Speech
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.messages import Kind, Lost

BEFORE_CARDS = frozenset({Kind.KEY, Kind.SHUFFLE, Kind.ESCROW, Kind.SEALS})
"""Rounds in which nobody has seen a card: who leaves in one is left out of a new attempt."""

WITHOUT_CARDS = frozenset({Kind.CHOICE, Kind.REVEAL})
"""Rounds that can be closed without a seat and without its cards."""


SPEECHES: Mapping[Kind, Speech] = MappingProxyType(
    {**dealing.SPEECHES, **passing.SPEECHES, **playing.SPEECHES, **standing_in.SPEECHES}
)
"""What each kind of content of a hand means."""


class Hand(HandState):
    """One hand at one seat: what its table asks of it and tells it."""

    # What comes next.

    def next_stage(self) -> Stage | None:
        """Return the stage of the next round; ``None`` once the hand is complete."""
        return next_stage(self.facts)

    def speakers(self, stage: Stage) -> tuple[int, ...]:
        """Return the seats that speak in the next round."""
        if stage.who is Who.ALL:
            return self.present
        if stage.who is Who.DEALER_FIRST:
            clockwise = sorted(self.keyed, key=lambda seat: (seat - self.dealer) % len(self.sides))
            return (clockwise[self.facts.shuffles],)
        state = self.state()
        speaker = state.turn if stage.who is Who.TURN else self.shooter()
        if speaker is None:
            raise RuntimeError(f"a {stage.kind} round without a speaker")
        return (speaker,)

    # What others say.

    def take(self, kind: Kind, seat: int, number: int, body: Struct) -> Rule | None:
        """Judge one speech of round ``number`` and keep it; return the rule it broke, if any."""
        return SPEECHES[kind].take(self, seat, self.context(number, seat), body)

    def close(self, kind: Kind, absent: int | None = None) -> None:
        """Draw the consequences of a round in which every speaker was heard and judged.

        ``absent``: but for this one, which is away from this round on. Not for ``BEFORE_CARDS``:
        there the hand begins anew without it.
        """
        if absent is not None:
            self.away = absent
            if kind is Kind.PLAY:
                # Its turn: nothing was said, and once its cards are open it plays.
                self.facts = replace(self.facts, openings_wait=True)
                return
        if kind is Kind.OPENINGS:
            SPEECHES[kind].close(self)
            waited, self.postponed = self.postponed, None
            if waited is None:
                standing_in.play_dummy(self)
            else:
                self._close(waited)
        elif kind not in WITHOUT_CARDS and standing_in.to_open(self, kind):
            self.postponed = kind
            self.facts = replace(self.facts, openings_wait=True)
        else:
            self._close(kind)

    def _close(self, kind: Kind) -> None:
        standing_in.speak_for(self, kind)
        SPEECHES[kind].close(self)
        standing_in.play_dummy(self)

    def open_cards(self, seat: int) -> CardSet:
        """Return the cards of a dummy that it has not played; none of anybody else."""
        return standing_in.open_cards(self, seat)

    def needs_decision(self, kind: Kind) -> bool:
        """Whether this seat's speech waits for its player to decide."""
        if self.lost:
            return False
        if kind is Kind.PASS_SELECT:
            return self.chosen_pass is None
        if kind is Kind.PLAY:
            return self.chosen_card is None and not self.chosen_claim
        return kind is Kind.CHOICE and self.chosen_moon is None

    def kind_to_speak(self, kind: Kind) -> Kind:
        """Return what this seat says in a round of ``kind``: it may have decided to claim."""
        if self.lost:
            return Kind.LOST
        return Kind.CLAIM if kind is Kind.PLAY and self.chosen_claim else kind

    def speak(self, kind: Kind, number: int) -> Struct:
        """Make this seat's own speech for round ``number``."""
        if kind is Kind.LOST:
            return Lost()
        return SPEECHES[kind].speak(self, self.context(number, self.seat))

    def prepare(self, kind: Kind, number: int) -> Callable[[], Struct]:
        """Return what makes the speech that ``speak`` makes now, whenever and wherever it is run.

        Raises:
            RuntimeError: this kind of speech is made where the hand is.
        """
        prepare = SPEECHES[kind].prepare
        if prepare is None:
            raise RuntimeError(f"{kind} is not prepared")
        return prepare(self, self.context(number, self.seat))

    # What this seat's player sees and decides.

    @property
    def own_cards(self) -> CardSet:
        """The cards this seat holds now; none once a claim ended the play."""
        if self.facts.play_over or self.seat == NOBODY:
            return EMPTY
        if self.seat == self.dummy:
            return self.open_cards(self.seat)
        played = self.sides[self.seat].opened
        held = card_set(card for at, card in enumerate(self.cards) if at not in played)
        if self.facts.selected and not self.facts.remasked:
            for card in cards_in(self.passed):
                held = remove(held, card)
        return held

    @property
    def own_pass(self) -> CardSet:
        """What this seat passes in this hand, once it has decided; empty before."""
        if self.chosen_pass is None or self.facts.selected:
            return self.passed
        return card_set(self.cards[at] for at in self.chosen_pass)

    def legal(self) -> CardSet:
        """The faces this seat may play now; empty unless it is its turn."""
        if self.play is None or self.play.turn != self.seat:
            return EMPTY
        return playable(self.own_cards, self.play)

    def may_claim(self) -> bool:
        """Whether this seat may claim the rest now."""
        return self.play is not None and may_claim(self.play, self.seat, self.own_cards)

    def choose_pass(self, cards: CardSet) -> None:
        """Decide which cards to pass.

        Raises:
            ValueError: not the right number of cards of this hand; the text says what is wrong.
        """
        chosen = cards_in(cards)
        count = self.ground.rules.pass_count
        if len(chosen) != count:
            raise ValueError(
                ngettext(
                    "{n} card is passed, and {chosen} are chosen.",
                    "{n} cards are passed, and {chosen} are chosen.",
                    count,
                ).format(n=count, chosen=len(chosen))
            )
        positions: list[int] = []
        for card in chosen:
            at = next(
                (at for at, own in enumerate(self.cards) if own == card and at not in positions),
                None,
            )
            if at is None:
                raise ValueError(_("A card that is not in your hand cannot be passed."))
            positions.append(at)
        self.chosen_pass = tuple(sorted(positions))

    def choose_card(self, card: Card) -> None:
        """Decide which card to play.

        Raises:
            ValueError: it is not this seat's turn, or the card may not be played now.
        """
        if not contains(self.legal(), card):
            raise ValueError(_("This card may not be played now."))
        self.chosen_card = card

    def choose_claim(self) -> None:
        """Decide to claim the rest instead of playing a card.

        Raises:
            ValueError: the claim would not stand; nothing is said to anybody.
        """
        if not self.may_claim():
            raise ValueError(_(REFUSAL))
        self.chosen_claim = True


__all__ = ["BEFORE_CARDS", "SPEECHES", "WITHOUT_CARDS", "Ground", "Hand", "Job", "Side"]
