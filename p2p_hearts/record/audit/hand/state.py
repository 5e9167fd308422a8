"""What is known of one attempt at a hand from the outside, and what follows from it.

The state holds what everybody may know: keys, decks, hands as ciphertexts, the play. Whose turn it
is to say what follows from ``agreement.rounds``.

Errors: ``ContradictionError`` if proofs that all verify contradict each other, which their
soundness excludes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from p2p_hearts.agreement.rounds import Facts, Stage, Who, next_stage
from p2p_hearts.cards.encoding import Encoding
from p2p_hearts.cards.escrow import Escrow as SplitKey
from p2p_hearts.crypto.elgamal import Ciphertext, Deck
from p2p_hearts.crypto.group import Element
from p2p_hearts.crypto.transcript import Context
from p2p_hearts.i18n import _
from p2p_hearts.record.audit.hand.again import Owner, Remade
from p2p_hearts.record.audit.memo import Memo, Said
from p2p_hearts.record.audit.story import Step
from p2p_hearts.rules.cards import Card
from p2p_hearts.rules.dealing import dealt
from p2p_hearts.rules.dummy import CHOICE
from p2p_hearts.rules.match import Match
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.passing import pass_offset
from p2p_hearts.rules.play import PlayState, start_play
from p2p_hearts.rules.score import MoonChoice, choosing_shooter, score_hand
from p2p_hearts.wire.messages import Kind


class ContradictionError(RuntimeError):
    """Proofs that all verified say things that cannot all be true."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What all hands of a table share."""

    table: bytes
    """Table id, 32 bytes."""
    rules: RuleSet
    rules_hash: bytes
    encoding: Encoding
    table_keys: tuple[Element, ...]
    """By seat."""


@dataclass(frozen=True, slots=True)
class Waits:
    """A round that closes once what nobody else can read has been opened by all who are here."""

    kind: Kind
    heard: dict[int, object]
    shares: Deck
    """Cards of others for which the absent seat owes shares."""
    hand: Deck
    """Its own cards that nobody has read."""
    widow: Deck

    @property
    def cards(self) -> Deck:
        """All of them, in the order in which they are opened."""
        return self.shares + self.hand + self.widow


class HandState:
    """One attempt at one hand."""

    def __init__(
        self,
        setting: Setting,
        number: int,
        attempt: int,
        dealer: int,
        match: Match,
        memo: Memo,
        counts: Counter[str],
        keyless: int | None = None,
    ) -> None:
        """Begin before the key round; ``match`` is as it stands before this hand.

        ``keyless``: a seat that has no key in this attempt, so that its cards lie open.
        """
        rules = setting.rules
        self.setting = setting
        self.rules = rules
        self.seats = range(rules.seats)
        self.number = number
        self.attempt = attempt
        self.dealer = dealer
        self.match = match
        self.memo = memo
        self.counts = counts
        self.deal = dealt(rules, dealer)
        self.offset = 0 if keyless is not None else pass_offset(rules, number)
        self.keyless = keyless
        self.keyed = tuple(seat for seat in range(rules.seats) if seat != keyless)
        self.heard: dict[int, object] = {}
        """What the speeches of this round bring, by seat."""
        self.steps: dict[int, list[Remade]] = {seat: [] for seat in self.seats}
        """What is to be made again after the reveal."""
        # The deal.
        self.commitments: dict[int, bytes] = {}
        self.publics: dict[int, Element] = {}
        self.joint: Element | None = None
        self.decks: list[Deck] = []
        self.shuffled = 0
        self.splits: dict[int, SplitKey] = {}
        self.has_escrowed = self.has_sealed = keyless is not None
        self.complained: int | None = None
        """The lowest seat that a right complaint convicts."""
        # The pass.
        self.hands: list[Deck] = []
        self.selections: tuple[tuple[int, ...], ...] = ()
        self.has_passed = False
        self.has_remasked = False
        # The play.
        self.closed: list[dict[int, Ciphertext]] = []
        """By seat and position: the cards that have not been played, positions ascending."""
        self.has_opened = False
        self.play: PlayState | None = None
        self.choice: MoonChoice | None = None
        self.has_revealed = False
        # A seat that is away.
        self.away: int | None = None
        """A seat that is away from some round on; its cards are opened by the others."""
        self.waits: Waits | None = None
        self.faces: dict[Ciphertext, Card] = {}
        """Its cards, as everybody can read them."""
        # For the story alone; nothing is judged by these.
        self.told: list[Step] = []
        self.dealt: list[Deck] = []
        self.shown: dict[Ciphertext, Card] = {}
        """Cards that were played."""
        self.owners: dict[int, Owner] = {}
        """By seat, those whose secret was revealed and is right."""

    # What comes next.

    @property
    def stage(self) -> Stage | None:
        """The stage of the next round; ``None`` once the hand is complete."""
        play = self.play
        shooter = None if play is None or not play.over else self.shooter(play)
        return next_stage(
            Facts(
                seats=len(self.keyed),
                keyed=bool(self.decks),
                shuffles=self.shuffled,
                escrows=self.keyless is None,
                escrowed=self.has_escrowed,
                sealed=self.has_sealed,
                openings_wait=self.waits is not None,
                shared=bool(self.hands),
                passes=self.offset != 0,
                selected=bool(self.selections),
                passed=self.has_passed,
                remasked=self.has_remasked,
                opens=self.rules.opening_card is not None,
                opened=self.has_opened,
                play_over=play is not None and play.over,
                widow_waits=play is not None and play.past.widow_due,
                choice_waits=shooter not in (None, self.dummy) and self.choice is None,
                revealed=self.has_revealed,
            )
        )

    @property
    def speakers(self) -> tuple[int, ...]:
        """The seats that speak in the next round, ascending."""
        stage = self.stage
        if stage is None:
            return ()
        if stage.who is Who.ALL:
            return self.present
        if stage.who is Who.DEALER_FIRST:
            count = len(self.seats)
            turns = [(self.dealer + step) % count for step in range(count)]
            return ([seat for seat in turns if seat != self.keyless][self.shuffled],)
        play = self.played()
        speaker = play.turn if stage.who is Who.TURN else self.shooter(play)
        if speaker is None:
            raise ContradictionError(
                _("nobody is there to speak in a {kind} round").format(kind=stage.kind)
            )
        return (speaker,)

    @property
    def scores(self) -> tuple[int, ...] | None:
        """Scores by seat, once every card was played and every choice made."""
        play = self.play
        if play is None or not play.over:
            return None
        shooter, choice = self.shooter(play), self.choice
        if shooter is not None and choice is None:
            if shooter != self.dummy:
                return None
            choice = CHOICE
        return score_hand(self.match, play.taken, choice)

    @property
    def dummy(self) -> int | None:
        """The seat whose cards lie open, if there is one."""
        return self.away if self.keyless is None else self.keyless

    @property
    def shuffles_last(self) -> bool:
        """Whether the next round is the last shuffle."""
        return self.shuffled == len(self.keyed) - 1

    @property
    def present(self) -> tuple[int, ...]:
        """The seats that take part, ascending."""
        return tuple(seat for seat in self.keyed if seat != self.away)

    @property
    def numbers(self) -> tuple[int, int]:
        """Hand and attempt."""
        return self.number, self.attempt

    def lay_down(self) -> None:
        """Hands lie as they will be played from."""
        self.closed = [dict(enumerate(hand)) for hand in self.hands]
        if self.rules.opening_card is None:
            self.play = start_play(self.rules, self.dealer)

    # What judges ask for.

    def context(self, said: Said) -> Context:
        """Where the proofs of a speech belong."""
        setting = self.setting
        return Context(
            setting.table, setting.rules_hash, self.number, self.attempt, said.round, said.seat
        )

    def given_by(self, seat: int) -> tuple[int, ...]:
        """Deck positions for which a seat gives shares: those of all other hands, ascending."""
        hands = self.deal.hands
        return tuple(sorted(at for other in self.seats if other != seat for at in hands[other]))

    def joint_key(self) -> Element:
        """Return the key that the deck is encrypted to."""
        if self.joint is None:
            raise ContradictionError(_("a shuffle before the joint key"))
        return self.joint

    def played(self) -> PlayState:
        """Return the play so far."""
        if self.play is None:
            raise ContradictionError(_("a play before the first lead"))
        return self.play

    def opening_card(self) -> Card:
        """Return the card that opens the play."""
        if self.rules.opening_card is None:
            raise ContradictionError(_("these rules have no opening card"))
        return self.rules.opening_card

    def shooter(self, play: PlayState) -> int | None:
        """Return the seat that shot the moon and has a choice."""
        return choosing_shooter(self.rules, play.taken)

    def face_of(self, card: Ciphertext, mask: Element) -> Card:
        """Return the card that is left when a mask is taken off."""
        face = self.setting.encoding.card_of(card.b - mask)
        if face is None:
            raise ContradictionError(_("a proven deck holds something that is no card"))
        return face

    def keep(
        self,
        said: Said,
        fields: tuple[bytes, ...],
        make: Callable[..., tuple[bytes, ...]],
        *of: object,
    ) -> None:
        """Remember how to make a speech again: ``make`` is a function of ``hand.again``."""
        self.steps[said.seat].append(Remade(fields, make, of))
