"""What is known of one hand at one seat, and what its modules all ask of it.

``HandState`` is data and look-ups only: the public side of every seat, the cards that are open,
what this seat's player has decided, and this seat's own secret. What a speech means to it is in
the modules beside this one.

Errors: ``RuntimeError`` for a look-up before its round, which is a fault of this program.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct

from p2p_hearts.agreement.rounds import Facts
from p2p_hearts.cards import deal
from p2p_hearts.cards.encoding import Encoding
from p2p_hearts.cards.escrow import Escrow as SplitKey
from p2p_hearts.cards.rerun import Step
from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.cards.tablekey import TableKey
from p2p_hearts.crypto.elgamal import Ciphertext, Deck
from p2p_hearts.crypto.group import Element
from p2p_hearts.crypto.transcript import Context
from p2p_hearts.rules.cards import EMPTY, Card, CardSet, ClassSet
from p2p_hearts.rules.dealing import Deal, dealt
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.passing import pass_offset
from p2p_hearts.rules.play import PlayState
from p2p_hearts.rules.score import MoonChoice, choosing_shooter
from p2p_hearts.rules.view import NOBODY
from p2p_hearts.table.hand.shuffles import Shuffles
from p2p_hearts.table.tasks import Task
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.messages import Kind

NO_CLASSES = ClassSet(0)


@dataclass(frozen=True, slots=True)
class Ground:
    """What all hands of a table stand on."""

    table: bytes
    rules: RuleSet
    rules_hash: bytes
    encoding: Encoding
    table_keys: tuple[Element, ...]
    """By seat."""
    table_key: TableKey
    """The own one."""
    shuffles: Shuffles = field(default_factory=Shuffles, compare=False)
    """What was made and checked before, perhaps ahead."""


@dataclass(frozen=True, slots=True)
class Job:
    """A check that may wait: whose speech, in which round, and the check itself."""

    seat: int
    round: int
    task: Task[Rule | None]


@dataclass(frozen=True, slots=True)
class Revealed:
    """A seat whose secret is known: what all that it said is made again from, anywhere.

    It shares nothing that changes with the hand it is of.
    """

    secret: HandSecret
    encoding: Encoding
    hand: Deck
    """Its cards, by position."""
    opened: Mapping[int, Card]
    """Those that it has played or opened with a claim."""
    unplayed: dict[int, Card] = field(default_factory=dict)
    """Where a claim ended the play: those of the others that the secret has read so far."""

    def cards_at(self, positions: Sequence[int]) -> list[Card]:
        """Return the cards at these positions; ``ValueError`` if the secret reads none there."""
        for at in positions:
            if at not in self.opened and at not in self.unplayed:
                card = deal.read_card(self.secret, self.encoding, self.hand[at])
                if card is None:
                    raise ValueError("there is no card under this key")
                self.unplayed[at] = card
        return [self.opened[at] if at in self.opened else self.unplayed[at] for at in positions]


@dataclass(slots=True)
class Side:
    """What is known of one seat in this hand."""

    commitment: bytes = b""
    public: Element | None = None
    shares: tuple[Element, ...] = ()
    """By the deck positions dealt to others, ascending."""
    hand: Deck = ()
    """Its cards as they lie now, by position, under its key alone."""
    selection: tuple[int, ...] = ()
    transfer: Deck = ()
    remasked: Deck = ()
    opener: int | None = None
    """The position it opened trick one from."""
    widow: tuple[Element, ...] = ()
    opened: dict[int, Card] = field(default_factory=dict)
    """The cards it has played or opened with a claim, by position."""
    excluded: ClassSet = NO_CLASSES
    """Classes it has proven not to hold."""
    steps: list[Step[Revealed]] = field(default_factory=list)
    secret: bytes = b""
    split: SplitKey | None = None
    """Its key as it is sealed to the others."""
    points: tuple[Element, ...] = ()
    """Its parts of what is being opened."""

    @property
    def held(self) -> list[int]:
        """The positions it has not played from, ascending."""
        return [at for at in range(len(self.hand)) if at not in self.opened]

    def said(self, said: Iterable[bytes], make: Callable[[Revealed], tuple[bytes, ...]]) -> None:
        """Note derived bytes that it said, and how its revealed secret makes them again."""
        self.steps.append(Step(tuple(said), make))


class HandState:
    """The state of one hand at one seat."""

    def __init__(
        self,
        ground: Ground,
        number: int,
        attempt: int,
        dealer: int,
        seat: int,
        secret: HandSecret,
        keyless: int | None = None,
    ) -> None:
        """Begin a hand; ``secret`` is this seat's own, already stored.

        ``keyless``: a seat whose player is away from the start. Its cards lie open.
        """
        rules = ground.rules
        self.keyless = keyless
        self.away: int | None = None
        """The seat that left after its key was sealed. Its cards lie open from then on."""
        self.complained: int | None = None
        """A seat that a right complaint has convicted."""
        self.keyed = tuple(other for other in range(rules.seats) if other != keyless)
        self.ground = ground
        self.number = number
        self.attempt = attempt
        self.dealer = dealer
        self.seat = seat
        self.offset = pass_offset(rules, number) if keyless is None else 0
        self.deal: Deal = dealt(rules, dealer)
        self.facts = Facts(
            seats=len(self.keyed),
            escrows=keyless is None,
            passes=self.offset != 0,
            opens=rules.opening_card is not None,
        )
        self.sides = [Side() for _ in range(rules.seats)]
        self.decks: list[Deck] = []
        self.jobs: deque[Job] = deque()
        self.play: PlayState | None = None
        self.cards: tuple[Card, ...] = ()
        """This seat's own cards, by position."""
        self.passed: CardSet = EMPTY
        self.received: CardSet = EMPTY
        self.chosen_pass: tuple[int, ...] | None = None
        self.chosen_card: Card | None = None
        self.chosen_claim = False
        self.chosen_moon: MoonChoice | None = None
        self.moon: MoonChoice | None = None
        self.evidence: tuple[bytes, ...] = ()
        """What this seat's reveal is to carry against another seat."""
        self.known: dict[Ciphertext, Card] = {}
        """Cards of a dummy, as everybody has read them."""
        self.postponed: Kind | None = None
        """A round that closes only once the cards of a seat that left are open."""
        self.secret = secret
        """This seat's own."""
        self.lost = False
        """Whether the own secret is lost: this seat says so, and nothing else, in this hand."""
        self.joint: Element | None = None
        self.is_undealt = False
        """Whether the keys add up to nothing, so that there is no hand."""

    @property
    def dummy(self) -> int | None:
        """The seat whose cards lie open because its player is away, if there is one."""
        return self.keyless if self.away is None else self.away

    @property
    def present(self) -> tuple[int, ...]:
        """The seats that take part."""
        return tuple(seat for seat in self.keyed if seat != self.away)

    def context(self, number: int, seat: int) -> Context:
        """Return what a proof of a seat in round ``number`` is bound to."""
        ground = self.ground
        return Context(ground.table, ground.rules_hash, self.number, self.attempt, number, seat)

    def public_of(self, seat: int) -> Element:
        """Return the key share of a seat."""
        public = self.sides[seat].public
        if public is None:
            raise RuntimeError("a key is used before the key round")
        return public

    def revealed(self, seat: int) -> Revealed:
        """Return a seat with the secret it has revealed, as its cards lie now."""
        side, ground = self.sides[seat], self.ground
        secret = HandSecret(side.secret, ground.table, self.number, self.attempt, seat)
        return Revealed(secret, ground.encoding, side.hand, dict(side.opened))

    def split_of(self, seat: int) -> SplitKey:
        """Return the key of a seat as it was sealed to the others."""
        split = self.sides[seat].split
        if split is None:
            raise RuntimeError("a split key is used before the escrow round")
        return split

    def seat_away(self) -> int:
        """Return the seat that left after its key was sealed."""
        if self.away is None:
            raise RuntimeError("cards are opened while everybody is here")
        return self.away

    def joint_key(self) -> Element:
        """Return the key that the deck is encrypted under."""
        if self.joint is None:
            raise RuntimeError("the joint key is used before the key round")
        return self.joint

    def state(self) -> PlayState:
        """Return the play, which has begun."""
        if self.play is None:
            raise RuntimeError("the play is used before it began")
        return self.play

    def opening_card(self) -> Card:
        """Return the card that opens trick one."""
        opening = self.ground.rules.opening_card
        if opening is None:
            raise RuntimeError("these rules have no opening card")
        return opening

    def shooter(self) -> int | None:
        """Return the seat that shot the moon and may choose, if there is one."""
        return choosing_shooter(self.ground.rules, self.state().taken)

    def read(self, ciphertext: Ciphertext) -> Card:
        """Read a card that lies under this seat's own key alone."""
        card = deal.read_card(self.secret, self.ground.encoding, ciphertext)
        if card is None:
            raise RuntimeError("a proven hand holds something that is no card")
        return card

    @property
    def reads_own(self) -> bool:
        """Whether there are cards that this seat alone can read, and it can."""
        return self.seat not in (NOBODY, self.dummy) and not self.lost

    def read_own_hand(self) -> None:
        """Read this seat's cards as they lie now, unless they lie open or cannot be read."""
        if self.reads_own:
            self.cards = tuple(self.read(card) for card in self.sides[self.seat].hand)


@dataclass(frozen=True, slots=True)
class Speech:
    """What a hand does with one kind of content.

    ``take`` judges a seat's speech and keeps it, ``close`` draws the consequences of a whole
    round, ``speak`` makes this seat's own. ``prepare``, where that may be done elsewhere and
    later: returns what makes it, from what the hand is now.
    """

    take: Callable[[HandState, int, Context, Any], Rule | None]
    close: Callable[[HandState], None]
    speak: Callable[[HandState, Context], Struct]
    prepare: Callable[[HandState, Context], Callable[[], Struct]] | None = None
