"""One hand: what was said, what it means, what this seat says (protocol/SPEC.md sections 3 to 5).

A ``Hand`` follows the rounds of one hand from the public side and, for the seat that owns it, from
the inside. ``take`` judges one speech and keeps it, ``close`` draws the consequences of a whole
round, ``speak`` makes this seat's own speech. Checks that may wait (a shuffle while the next seat
shuffles on, the re-run after the reveal) become jobs, and no secret share is given before they
are done.

Never: opens a network message, decides what to play, goes on after a broken rule.
Errors: a broken rule is a ``Rule``. ``ValueError`` only for a decision of this seat's own player
that the rules do not allow.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from msgspec import Struct

from p2p_hearts.cards import claim as claiming
from p2p_hearts.cards import deal, escrow, keys, passing, play
from p2p_hearts.cards.encoding import Encoding
from p2p_hearts.cards.escrow import Escrow as SplitKey
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.rerun import Step, rerun_step
from p2p_hearts.cards.reveal import check_commitment
from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.cards.tablekey import TableKey
from p2p_hearts.crypto.elgamal import Ciphertext, Deck, decode_deck
from p2p_hearts.crypto.group import BASE, DecodeError, Element, sum_elements
from p2p_hearts.crypto.transcript import Context
from p2p_hearts.rules.cards import (
    ALL_CLASSES,
    EMPTY,
    Card,
    CardClass,
    CardSet,
    ClassSet,
    card_set,
    cards_in,
    contains,
    remove,
)
from p2p_hearts.rules.dealing import Deal, dealt
from p2p_hearts.rules.dummy import CHOICE, dummy_card, dummy_pass
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.passing import pass_offset, receiver, sender
from p2p_hearts.rules.play import PlayState, claim, playable, start_play
from p2p_hearts.rules.rest import REFUSAL, claim_rest, may_claim
from p2p_hearts.rules.score import MoonChoice, choosing_shooter
from p2p_hearts.table.rounds import Facts, Stage, Who, next_stage
from p2p_hearts.wire.faults import FLAW_RULES, Rule, legality_rule
from p2p_hearts.wire.messages import (
    Choice,
    Claim,
    Complaint,
    Escrow,
    Key,
    Kind,
    Open,
    Openings,
    Pass,
    PassSelect,
    Play,
    Remask,
    Reveal,
    Seals,
    Shares,
    Shuffle,
    Widow,
)

NO_CLASSES = ClassSet(0)

BEFORE_CARDS = frozenset({Kind.KEY, Kind.SHUFFLE, Kind.ESCROW, Kind.SEALS})
"""Rounds in which nobody has seen a card: who leaves in one is left out of a new attempt."""

WITHOUT_CARDS = frozenset({Kind.CHOICE, Kind.REVEAL})
"""Rounds that can be closed without a seat and without its cards."""


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


@dataclass(frozen=True, slots=True)
class Job:
    """A check that may wait: whose speech, in which round, and the check itself."""

    seat: int
    round: int
    run: Callable[[], Rule | None]


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
    unplayed: dict[int, Card] = field(default_factory=dict)
    """Where a claim ended the play: its other cards, once the revealed secret reads them."""
    excluded: ClassSet = NO_CLASSES
    """Classes it has proven not to hold."""
    steps: list[Step] = field(default_factory=list)
    secret: bytes = b""
    split: SplitKey | None = None
    """Its key as it is sealed to the others."""
    points: tuple[Element, ...] = ()
    """Its parts of what is being opened."""


class Hand:
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
        self._known: dict[Ciphertext, Card] = {}
        """Cards of a dummy, as everybody has read them."""
        self._postponed: Kind | None = None
        """A round that closes only once the cards of a seat that left are open."""
        self._secret = secret
        self._joint: Element | None = None

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
        state = self._state()
        speaker = state.turn if stage.who is Who.TURN else self._shooter()
        if speaker is None:
            raise RuntimeError(f"a {stage.kind} round without a speaker")
        return (speaker,)

    # What others say.

    def take(self, kind: Kind, seat: int, number: int, body: Struct) -> Rule | None:
        """Judge one speech of round ``number`` and keep it; return the rule it broke, if any."""
        return self._takers[kind](self, seat, self._context(number, seat), body)

    @property
    def dummy(self) -> int | None:
        """The seat whose cards lie open because its player is away, if there is one."""
        return self.keyless if self.away is None else self.away

    @property
    def present(self) -> tuple[int, ...]:
        """The seats that take part."""
        return tuple(seat for seat in self.keyed if seat != self.away)

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
            self._close_openings()
        elif self.away is not None and kind not in WITHOUT_CARDS and self._to_open(kind):
            self._postponed = kind
            self.facts = replace(self.facts, openings_wait=True)
        else:
            self._close(kind)

    def _close(self, kind: Kind) -> None:
        if self.dummy is not None:
            self._stand_in(kind, self.dummy)
        self._closers[kind](self)
        self._play_dummy()

    # Of a seat whose player is away: what is opened, and what it does.

    def _to_open(self, kind: Kind | None) -> tuple[Ciphertext, ...]:
        """Return what the seats that are here open together, in an order that everybody knows.

        While ``kind`` waits to be closed: the shares that the absent seat owes others, then its own
        unplayed cards that nobody has read, then the widow's.
        """
        if self.away is None:
            return ()
        deck, side, found = self.decks[-1], self.sides[self.away], list[Ciphertext]()
        if kind is Kind.SHARES:
            if not side.shares:
                found += [deck[at] for at in self._shared_positions(self.away)]
            hand = self._own_cards_of(self.away)
        else:
            hand = side.hand
        found += [
            card
            for at, card in enumerate(hand)
            if at not in side.opened and card not in self._known
        ]
        if kind is Kind.WIDOW and not side.widow:
            found += [deck[at] for at in self.deal.widow]
        return tuple(found)

    def _own_cards_of(self, owner: int) -> Deck:
        """Return a hand as it is dealt, under its owner's key alone."""
        deck = self.decks[-1]
        given = {
            seat: dict(zip(self._shared_positions(seat), self.sides[seat].shares, strict=True))
            for seat in self.keyed
            if seat != owner
        }
        return tuple(
            deal.owned(deck[position], [shares[position] for shares in given.values()])
            for position in self.deal.hands[owner]
        )

    def _take_openings(self, seat: int, context: Context, body: Openings) -> Rule | None:
        split = self._split(self._away())
        cards = self._to_open(self._postponed)
        points = escrow.check_opening(
            context, self._away(), split.publics[seat], cards, body.points, body.proof
        )
        if isinstance(points, Flaw):
            return FLAW_RULES[points]
        self.sides[seat].points = points
        return None

    def _speak_openings(self, context: Context) -> Openings:
        away = self._away()
        share = escrow.open_seal(self.ground.table_key, self._split(away), self.seat)
        if share is None:
            raise RuntimeError("a seal that opened right no longer does")
        cards = self._to_open(self._postponed)
        return Openings(*escrow.make_opening(self._secret, context, away, share, cards))

    def _close_openings(self) -> None:
        """Take off what was opened; then close the round that waited for it."""
        side, kind = self.sides[self._away()], self._postponed
        cards = self._to_open(kind)
        sums = [
            sum_elements(self.sides[seat].points[number] for seat in self.present)
            for number in range(len(cards))
        ]
        count = 0
        if kind is Kind.SHARES and not side.shares:
            count = len(self._shared_positions(self._away()))
            side.shares = tuple(sums[:count])
        widow = len(self.deal.widow) if kind is Kind.WIDOW and not side.widow else 0
        if widow:
            side.widow = tuple(sums[len(sums) - widow :])
        for card, mask in zip(
            cards[count : len(cards) - widow], sums[count : len(sums) - widow], strict=True
        ):
            face = self.ground.encoding.card_of(card.b - mask)
            if face is None:
                raise RuntimeError("a proven hand holds something that is no card")
            self._known[card] = face
        self.facts = replace(self.facts, openings_wait=False)
        self._postponed = None
        if kind is None:
            self._play_dummy()
        else:
            self._close(kind)

    def _stand_in(self, kind: Kind, seat: int) -> None:
        """Do in a round what a dummy would have said in it, where it said nothing."""
        side, rules = self.sides[seat], self.ground.rules
        if kind is Kind.PASS_SELECT and not side.selection:
            cards = [self._known[card] for card in side.hand]
            side.selection = _places(cards, dummy_pass(rules, card_set(cards)))
        elif kind is Kind.PASS and not side.transfer:
            to = self._public(receiver(rules, seat, self.offset))
            side.transfer = tuple(
                Ciphertext(BASE, self.ground.encoding.point(self._known[side.hand[at]]) + to)
                for at in side.selection
            )
        elif kind is Kind.REMASK and not side.remasked:
            side.remasked = side.hand
        elif kind is Kind.OPEN and side.opener is None:
            opening = self._opening_card()
            cards = [self._known[card] for card in side.hand]
            if opening in cards:
                side.opener = cards.index(opening)
                side.opened[side.opener] = opening
        elif kind is Kind.CHOICE and self.moon is None:
            self.moon = CHOICE

    def _play_dummy(self) -> None:
        """Play for a dummy as long as it is its turn and its cards are open."""
        seat = self.dummy
        if seat is None or self.facts.openings_wait:
            return
        side = self.sides[seat]
        while self.play is not None and not self.play.widow_due and self.play.turn == seat:
            held = {
                at: self._known[card] for at, card in enumerate(side.hand) if at not in side.opened
            }
            card = dummy_card(card_set(held.values()), self.play)
            side.opened[min(at for at, other in held.items() if other == card)] = card
            self.play = self.play.play(card)
            self._note_play()

    def open_cards(self, seat: int) -> CardSet:
        """Return the cards of a dummy that it has not played; none of anybody else."""
        if seat != self.dummy or self.facts.play_over:
            return EMPTY
        side = self.sides[seat]
        return card_set(
            self._known[card]
            for at, card in enumerate(side.hand)
            if at not in side.opened and card in self._known
        )

    def needs_decision(self, kind: Kind) -> bool:
        """Whether this seat's speech waits for its player to decide."""
        if kind is Kind.PASS_SELECT:
            return self.chosen_pass is None
        if kind is Kind.PLAY:
            return self.chosen_card is None and not self.chosen_claim
        return kind is Kind.CHOICE and self.chosen_moon is None

    def kind_to_speak(self, kind: Kind) -> Kind:
        """Return what this seat says in a round of ``kind``: it may have decided to claim."""
        return Kind.CLAIM if kind is Kind.PLAY and self.chosen_claim else kind

    def speak(self, kind: Kind, number: int) -> Struct:
        """Make this seat's own speech for round ``number``."""
        return self._speakers[kind](self, self._context(number, self.seat))

    # What this seat's player sees and decides.

    @property
    def own_cards(self) -> CardSet:
        """The cards this seat holds now; none once a claim ended the play."""
        if self.facts.play_over:
            return EMPTY
        if self.seat == self.dummy:
            return self.open_cards(self.seat)
        played = self.sides[self.seat].opened
        held = card_set(card for at, card in enumerate(self.cards) if at not in played)
        if self.facts.selected and not self.facts.remasked:
            for card in cards_in(self.passed):
                held = remove(held, card)
        return held

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
            raise ValueError(f"{count} cards are passed, and {len(chosen)} are chosen")
        positions: list[int] = []
        for card in chosen:
            at = next(
                (at for at, own in enumerate(self.cards) if own == card and at not in positions),
                None,
            )
            if at is None:
                raise ValueError("a card that is not in your hand cannot be passed")
            positions.append(at)
        self.chosen_pass = tuple(sorted(positions))

    def choose_card(self, card: Card) -> None:
        """Decide which card to play.

        Raises:
            ValueError: it is not this seat's turn, or the card may not be played now.
        """
        if not contains(self.legal(), card):
            raise ValueError("this card may not be played now")
        self.chosen_card = card

    def choose_claim(self) -> None:
        """Decide to claim the rest instead of playing a card.

        Raises:
            ValueError: the claim would not stand; nothing is said to anybody.
        """
        if not self.may_claim():
            raise ValueError(REFUSAL)
        self.chosen_claim = True

    # Each kind of speech: judge, close, make. In the order of the rounds.

    def _take_key(self, seat: int, context: Context, body: Key) -> Rule | None:
        public = keys.check_key(context, body.commitment, body.public, body.proof)
        if isinstance(public, Flaw):
            return FLAW_RULES[public]
        side = self.sides[seat]
        side.commitment, side.public = body.commitment, public
        said = (body.commitment, body.public, body.proof)
        side.steps.append(Step(said, lambda secret: keys.make_key(secret, context)))
        return None

    def _close_key(self) -> None:
        joint = keys.joint_key([self._public(seat) for seat in self.keyed])
        if isinstance(joint, Flaw):
            # Every share was proven, so this happens once in 2**252 hands.
            raise RuntimeError("the key shares add up to nothing")
        self._joint = joint
        self.decks.append(deal.first_deck(self.ground.encoding, joint))
        self.facts = replace(self.facts, keyed=True)

    def _speak_key(self, context: Context) -> Key:
        return Key(*keys.make_key(self._secret, context))

    def _take_shuffle(self, seat: int, context: Context, body: Shuffle) -> Rule | None:
        """Decode now, so that the next seat can shuffle on; verify as a job."""
        before, joint = self.decks[-1], self._joint_key()
        try:
            after = decode_deck(body.deck, len(before))
        except DecodeError:
            return Rule.BODY

        def verify() -> Rule | None:
            result = deal.check_shuffle(context, joint, before, body.deck, body.proof)
            return FLAW_RULES[result] if isinstance(result, Flaw) else None

        self.decks.append(after)
        if seat != self.seat:
            self.jobs.append(Job(seat, context.round, verify))
        self.sides[seat].steps.append(
            Step(
                (body.deck, body.proof),
                lambda secret: deal.make_shuffle(secret, context, joint, before)[:2],
            )
        )
        return None

    def _close_shuffle(self) -> None:
        self.facts = replace(self.facts, shuffles=self.facts.shuffles + 1)

    def _speak_shuffle(self, context: Context) -> Shuffle:
        made = deal.make_shuffle(self._secret, context, self._joint_key(), self.decks[-1])
        return Shuffle(made[0], made[1])

    def _recipients(self, owner: int) -> dict[int, Element]:
        """The table keys to which the key of a seat is sealed."""
        return {seat: self.ground.table_keys[seat] for seat in self.keyed if seat != owner}

    def _take_escrow(self, seat: int, context: Context, body: Escrow) -> Rule | None:
        keys_, public = self._recipients(seat), self._public(seat)
        split = escrow.check_escrow(context, public, keys_, body.publics, body.seals)
        if isinstance(split, Flaw):
            return FLAW_RULES[split]
        self.sides[seat].split = split
        self.sides[seat].steps.append(
            Step(
                (body.publics, body.seals),
                lambda secret: escrow.make_escrow(secret, context, keys_),
            )
        )
        return None

    def _close_escrow(self) -> None:
        self.facts = replace(self.facts, escrowed=True)

    def _speak_escrow(self, context: Context) -> Escrow:
        return Escrow(*escrow.make_escrow(self._secret, context, self._recipients(self.seat)))

    def _take_seals(self, seat: int, context: Context, body: Seals) -> Rule | None:
        owners = [complaint.owner for complaint in body.complaints]
        if owners != sorted(set(owners) & set(self.keyed) - {seat}):
            return Rule.COMPLAINT
        for complaint in body.complaints:
            split = self._split(complaint.owner)
            flaw = escrow.check_complaint(context, split, complaint.point, complaint.proof)
            if flaw is not None:
                return FLAW_RULES[flaw]
        if owners:
            # Of several the lowest seat: the hand begins anew without it in any case.
            found = [owners[0]] if self.complained is None else [owners[0], self.complained]
            self.complained = min(found)
        return None

    def _close_seals(self) -> None:
        self.facts = replace(self.facts, sealed=True)

    def _speak_seals(self, context: Context) -> Seals:
        complaints = []
        for owner in self.keyed:
            if owner == self.seat:
                continue
            split, key = self._split(owner), self.ground.table_key
            if escrow.open_seal(key, split, self.seat) is None:
                made = escrow.make_complaint(key, context, split)
                complaints.append(Complaint(owner, *made))
        return Seals(complaints)

    def _shared_positions(self, seat: int) -> tuple[int, ...]:
        """Deck positions dealt to others, ascending: the shares ``seat`` gives."""
        others = [hand for owner, hand in enumerate(self.deal.hands) if owner != seat]
        return tuple(sorted(position for hand in others for position in hand))

    def _take_shares(self, seat: int, context: Context, body: Shares) -> Rule | None:
        deck, positions = self.decks[-1], self._shared_positions(seat)
        shares = deal.check_shares(
            context, self._public(seat), deck, positions, body.shares, body.proof
        )
        if isinstance(shares, Flaw):
            return FLAW_RULES[shares]
        self.sides[seat].shares = shares
        self.sides[seat].steps.append(
            Step(
                (body.shares, body.proof),
                lambda secret: deal.make_shares(secret, context, deck, positions),
            )
        )
        return None

    def _close_shares(self) -> None:
        for owner, side in enumerate(self.sides):
            side.hand = self._own_cards_of(owner)
        if self.keyless is not None:
            for card in self.sides[self.keyless].hand:
                face = self.ground.encoding.card_of(card.b)
                if face is None:
                    raise RuntimeError("a proven deck holds something that is no card")
                self._known[card] = face
        self.facts = replace(self.facts, shared=True)
        self._read_own_hand()
        if not self.facts.passes:
            self._begin_play()

    def _speak_shares(self, context: Context) -> Shares:
        positions = self._shared_positions(self.seat)
        return Shares(*deal.make_shares(self._secret, context, self.decks[-1], positions))

    def _take_pass_select(self, seat: int, _: Context, body: PassSelect) -> Rule | None:
        rules = self.ground.rules
        flaw = passing.check_selection(body.positions, rules.pass_count, rules.hand_size)
        if flaw is not None:
            return FLAW_RULES[flaw]
        self.sides[seat].selection = tuple(body.positions)
        if seat == self.seat:
            self.passed = card_set(self.cards[at] for at in body.positions)
        return None

    def _close_pass_select(self) -> None:
        self.facts = replace(self.facts, selected=True)

    def _speak_pass_select(self, _: Context) -> PassSelect:
        return PassSelect(list(self.chosen_pass or ()))

    def _pass_terms(self, seat: int) -> tuple[tuple[int, ...], Deck, Element]:
        """What the pass of a seat is about: positions, its ciphertexts there, receiver's key."""
        side = self.sides[seat]
        to = receiver(self.ground.rules, seat, self.offset)
        return side.selection, passing.selected(side.hand, side.selection), self._public(to)

    def _take_pass(self, seat: int, context: Context, body: Pass) -> Rule | None:
        positions, sources, receiver_key = self._pass_terms(seat)
        cards = passing.check_pass(
            context, self._public(seat), receiver_key, sources, body.cards, body.proof
        )
        if isinstance(cards, Flaw):
            return FLAW_RULES[cards]
        self.sides[seat].transfer = cards
        self.sides[seat].steps.append(
            Step(
                (body.cards, body.proof),
                lambda secret: passing.make_pass(secret, context, positions, sources, receiver_key),
            )
        )
        return None

    def _close_pass(self) -> None:
        rules = self.ground.rules
        inputs = [
            passing.remask_input(
                side.hand,
                side.selection,
                self.sides[sender(rules, seat, self.offset)].transfer,
            )
            for seat, side in enumerate(self.sides)
        ]
        for side, cards in zip(self.sides, inputs, strict=True):
            side.hand = cards
        self.facts = replace(self.facts, passed=True)
        count = rules.pass_count
        if self.seat != self.dummy:
            own = self.sides[self.seat].hand[-count:]
            self.received = card_set(self._read(card) for card in own)

    def _speak_pass(self, context: Context) -> Pass:
        positions, sources, receiver_key = self._pass_terms(self.seat)
        return Pass(*passing.make_pass(self._secret, context, positions, sources, receiver_key))

    def _take_remask(self, seat: int, context: Context, body: Remask) -> Rule | None:
        side, public = self.sides[seat], self._public(seat)
        before = side.hand
        after = passing.check_remask(context, public, before, body.deck, body.proof)
        if isinstance(after, Flaw):
            return FLAW_RULES[after]
        side.remasked = after
        side.steps.append(
            Step(
                (body.deck, body.proof),
                lambda secret: passing.make_remask(secret, context, public, before)[:2],
            )
        )
        return None

    def _close_remask(self) -> None:
        for side in self.sides:
            side.hand = side.remasked
        self.facts = replace(self.facts, remasked=True)
        self._read_own_hand()
        self._begin_play()

    def _speak_remask(self, context: Context) -> Remask:
        hand = self.sides[self.seat].hand
        made = passing.make_remask(self._secret, context, self._public(self.seat), hand)
        return Remask(made[0], made[1])

    def _take_open(self, seat: int, context: Context, body: Open) -> Rule | None:
        side, encoding = self.sides[seat], self.ground.encoding
        public, hand, position = self._public(seat), side.hand, body.position
        if position is None:
            flaw = play.check_no_opening(context, public, encoding, hand, body.proof)
            if flaw is not None:
                return FLAW_RULES[flaw]
            side.excluded = ClassSet(side.excluded | 1 << CardClass.OPENING)
            side.steps.append(
                Step(
                    (body.proof,),
                    lambda secret: (
                        play.make_no_opening(
                            secret,
                            context,
                            public,
                            encoding,
                            hand,
                            self._cards_at(secret, side, range(len(hand))),
                        ),
                    ),
                )
            )
            return None
        if position >= len(hand):
            return Rule.POSITION
        opening = self._opening_card()
        flaw = play.check_play(
            context, public, encoding, hand[position], opening, (), None, body.proof
        )
        if flaw is not None:
            return Rule.OPENING_PROOF if flaw is Flaw.CARD_PROOF else FLAW_RULES[flaw]
        side.opener = position
        side.opened[position] = opening
        side.steps.append(
            Step(
                (body.proof,),
                lambda secret: (
                    play.make_play(
                        secret, context, public, encoding, hand[position], opening, (), (), None
                    ),
                ),
            )
        )
        return None

    def _close_open(self) -> None:
        openers = [seat for seat, side in enumerate(self.sides) if side.opener is not None]
        if len(openers) != 1:
            raise RuntimeError("proofs show the opening card in no hand or in two")
        rules = self.ground.rules
        self.play = start_play(rules, self.dealer, openers[0]).play(self._opening_card())
        self.facts = replace(self.facts, opened=True)

    def _speak_open(self, context: Context) -> Open:
        opening, side = self._opening_card(), self.sides[self.seat]
        common = (self._secret, context, self._public(self.seat), self.ground.encoding)
        if opening not in self.cards:
            return Open(None, play.make_no_opening(*common, side.hand, self.cards))
        at = self.cards.index(opening)
        return Open(at, play.make_play(*common, side.hand[at], opening, (), (), None))

    def _take_play(self, seat: int, context: Context, body: Play) -> Rule | None:
        state, side, card = self._state(), self.sides[seat], Card(body.card)
        if body.position >= len(side.hand) or body.position in side.opened:
            return Rule.POSITION
        try:
            after = state.play(card)
        except ValueError:
            return Rule.CARD
        due, public, encoding = claim(card, state), self._public(seat), self.ground.encoding
        source = side.hand[body.position]
        others = [
            at for at in range(len(side.hand)) if at != body.position and at not in side.opened
        ]
        remaining: tuple[Ciphertext, ...] = tuple(side.hand[at] for at in others)
        flaw = play.check_play(context, public, encoding, source, card, remaining, due, body.proof)
        if flaw is not None:
            return legality_rule(state, card) if flaw is Flaw.REVOKE else FLAW_RULES[flaw]
        side.opened[body.position] = card
        if due is not None:
            side.excluded = ClassSet(side.excluded | (ALL_CLASSES & ~due))
        side.steps.append(
            Step(
                (body.proof,),
                lambda secret: (
                    play.make_play(
                        secret,
                        context,
                        public,
                        encoding,
                        source,
                        card,
                        remaining,
                        self._cards_at(secret, side, others),
                        due,
                    ),
                ),
            )
        )
        self.play = after
        return None

    def _take_claim(self, seat: int, context: Context, body: Claim) -> Rule | None:
        side, public, encoding = self.sides[seat], self._public(seat), self.ground.encoding
        places = [at for at in range(len(side.hand)) if at not in side.opened]
        remaining = tuple(side.hand[at] for at in places)
        cards = [Card(card) for card in body.cards]
        flaw = claiming.check_claim(context, public, encoding, remaining, cards, body.proof)
        if flaw is not None:
            return FLAW_RULES[flaw]
        try:
            after = claim_rest(self._state(), seat, card_set(cards))
        except ValueError:
            return Rule.CLAIM
        side.opened.update(zip(places, cards, strict=True))
        side.steps.append(
            Step(
                (body.proof,),
                lambda secret: (
                    claiming.make_claim(secret, context, public, encoding, remaining, cards),
                ),
            )
        )
        self.play = after
        return None

    def _speak_claim(self, context: Context) -> Claim:
        side = self.sides[self.seat]
        places = [at for at in range(len(self.cards)) if at not in side.opened]
        cards = [self.cards[at] for at in places]
        proof = claiming.make_claim(
            self._secret,
            context,
            self._public(self.seat),
            self.ground.encoding,
            tuple(side.hand[at] for at in places),
            cards,
        )
        return Claim([int(card) for card in cards], proof)

    def _close_play(self) -> None:
        self.chosen_card, self.chosen_claim = None, False
        self._note_play()

    def _note_play(self) -> None:
        """Draw from the play what the next round is."""
        state = self._state()
        self.facts = replace(
            self.facts,
            play_over=state.over,
            widow_waits=state.widow_due,
            choice_waits=state.over and self._chooser() is not None,
        )

    def _speak_play(self, context: Context) -> Play:
        state, side, card = self._state(), self.sides[self.seat], self.chosen_card
        if card is None:
            raise ValueError("no card was chosen")
        held = [at for at in range(len(self.cards)) if at not in side.opened]
        at = next(at for at in held if self.cards[at] == card)
        held.remove(at)
        proof = play.make_play(
            self._secret,
            context,
            self._public(self.seat),
            self.ground.encoding,
            side.hand[at],
            card,
            tuple(side.hand[other] for other in held),
            [self.cards[other] for other in held],
            claim(card, state),
        )
        return Play(at, card, proof)

    def _take_widow(self, seat: int, context: Context, body: Widow) -> Rule | None:
        deck, positions = self.decks[-1], self.deal.widow
        shares = deal.check_shares(
            context, self._public(seat), deck, positions, body.shares, body.proof
        )
        if isinstance(shares, Flaw):
            return FLAW_RULES[shares]
        self.sides[seat].widow = shares
        self.sides[seat].steps.append(
            Step(
                (body.shares, body.proof),
                lambda secret: deal.make_shares(secret, context, deck, positions),
            )
        )
        return None

    def _close_widow(self) -> None:
        cards: list[Card] = []
        for number, position in enumerate(self.deal.widow):
            shares = [self.sides[seat].widow[number] for seat in self.keyed]
            card = deal.read_open(self.ground.encoding, self.decks[-1][position], shares)
            if card is None:
                raise RuntimeError("a proven deck holds something that is no card")
            cards.append(card)
        self.play = self._state().with_widow(cards)
        self._close_play()

    def _speak_widow(self, context: Context) -> Widow:
        return Widow(*deal.make_shares(self._secret, context, self.decks[-1], self.deal.widow))

    def _take_choice(self, seat: int, _: Context, body: Choice) -> Rule | None:
        try:
            self.moon = MoonChoice(body.moon)
        except ValueError:
            return Rule.CHOICE
        return None

    def _close_choice(self) -> None:
        self.facts = replace(self.facts, choice_waits=False)

    def _speak_choice(self, _: Context) -> Choice:
        return Choice(str(self.chosen_moon))

    def _take_reveal(self, seat: int, context: Context, body: Reveal) -> Rule | None:
        place = (self.ground.table, self.number, self.attempt, seat)
        side = self.sides[seat]
        flaw = check_commitment(*place, side.commitment, body.secret)
        if flaw is not None:
            return FLAW_RULES[flaw]
        side.secret = body.secret
        return None

    def _close_reveal(self) -> None:
        """Queue the re-run of every other seat, step by step."""
        self.facts = replace(self.facts, revealed=True)
        for seat, side in enumerate(self.sides):
            if seat == self.seat or not side.secret:
                continue
            secret = HandSecret(side.secret, self.ground.table, self.number, self.attempt, seat)
            for step in side.steps:
                self.jobs.append(Job(seat, -1, _rerun(secret, step)))

    def _speak_reveal(self, _: Context) -> Reveal:
        return Reveal(self._secret.z)

    _takers: ClassVar[Mapping[Kind, Callable[[Hand, int, Context, Any], Rule | None]]] = {
        Kind.KEY: _take_key,
        Kind.SHUFFLE: _take_shuffle,
        Kind.ESCROW: _take_escrow,
        Kind.SEALS: _take_seals,
        Kind.OPENINGS: _take_openings,
        Kind.SHARES: _take_shares,
        Kind.PASS_SELECT: _take_pass_select,
        Kind.PASS: _take_pass,
        Kind.REMASK: _take_remask,
        Kind.OPEN: _take_open,
        Kind.PLAY: _take_play,
        Kind.CLAIM: _take_claim,
        Kind.WIDOW: _take_widow,
        Kind.CHOICE: _take_choice,
        Kind.REVEAL: _take_reveal,
    }
    _closers: ClassVar[Mapping[Kind, Callable[[Hand], None]]] = {
        Kind.KEY: _close_key,
        Kind.SHUFFLE: _close_shuffle,
        Kind.ESCROW: _close_escrow,
        Kind.SEALS: _close_seals,
        Kind.SHARES: _close_shares,
        Kind.PASS_SELECT: _close_pass_select,
        Kind.PASS: _close_pass,
        Kind.REMASK: _close_remask,
        Kind.OPEN: _close_open,
        Kind.PLAY: _close_play,
        Kind.WIDOW: _close_widow,
        Kind.CHOICE: _close_choice,
        Kind.REVEAL: _close_reveal,
    }
    _speakers: ClassVar[Mapping[Kind, Callable[[Hand, Context], Struct]]] = {
        Kind.KEY: _speak_key,
        Kind.SHUFFLE: _speak_shuffle,
        Kind.ESCROW: _speak_escrow,
        Kind.SEALS: _speak_seals,
        Kind.OPENINGS: _speak_openings,
        Kind.SHARES: _speak_shares,
        Kind.PASS_SELECT: _speak_pass_select,
        Kind.PASS: _speak_pass,
        Kind.REMASK: _speak_remask,
        Kind.OPEN: _speak_open,
        Kind.PLAY: _speak_play,
        Kind.CLAIM: _speak_claim,
        Kind.WIDOW: _speak_widow,
        Kind.CHOICE: _speak_choice,
        Kind.REVEAL: _speak_reveal,
    }

    def _context(self, number: int, seat: int) -> Context:
        ground = self.ground
        return Context(ground.table, ground.rules_hash, self.number, self.attempt, number, seat)

    def _public(self, seat: int) -> Element:
        public = self.sides[seat].public
        if public is None:
            raise RuntimeError("a key is used before the key round")
        return public

    def _split(self, seat: int) -> SplitKey:
        split = self.sides[seat].split
        if split is None:
            raise RuntimeError("a split key is used before the escrow round")
        return split

    def _away(self) -> int:
        if self.away is None:
            raise RuntimeError("cards are opened while everybody is here")
        return self.away

    def _joint_key(self) -> Element:
        if self._joint is None:
            raise RuntimeError("the joint key is used before the key round")
        return self._joint

    def _state(self) -> PlayState:
        if self.play is None:
            raise RuntimeError("the play is used before it began")
        return self.play

    def _opening_card(self) -> Card:
        opening = self.ground.rules.opening_card
        if opening is None:
            raise RuntimeError("these rules have no opening card")
        return opening

    def _shooter(self) -> int | None:
        return choosing_shooter(self.ground.rules, self._state().taken)

    def _read(self, ciphertext: Ciphertext) -> Card:
        card = deal.read_card(self._secret, self.ground.encoding, ciphertext)
        if card is None:
            raise RuntimeError("a proven hand holds something that is no card")
        return card

    def _chooser(self) -> int | None:
        """Who is to choose how its moon counts; a dummy's choice is known."""
        shooter = self._shooter()
        if shooter is not None and shooter == self.dummy:
            self.moon = CHOICE
            return None
        return None if self.moon is not None else shooter

    def _read_own_hand(self) -> None:
        if self.seat == self.dummy:
            return
        self.cards = tuple(self._read(card) for card in self.sides[self.seat].hand)

    def _begin_play(self) -> None:
        if not self.facts.opens:
            self.play = start_play(self.ground.rules, self.dealer)

    def _cards_at(self, secret: HandSecret, side: Side, positions: range | list[int]) -> list[Card]:
        """Return the cards at these positions for the re-run of a seat.

        What was never played, because a claim ended the play, is read with the revealed secret;
        ``ValueError`` if it reads no card there.
        """
        for at in positions:
            if at not in side.opened and at not in side.unplayed:
                card = deal.read_card(secret, self.ground.encoding, side.hand[at])
                if card is None:
                    raise ValueError("there is no card under this key")
                side.unplayed[at] = card
        return [side.opened[at] if at in side.opened else side.unplayed[at] for at in positions]


def _places(cards: list[Card], chosen: tuple[Card, ...]) -> tuple[int, ...]:
    """Return the lowest places that hold these cards."""
    free = list(range(len(cards)))
    found = []
    for card in chosen:
        at = next(at for at in free if cards[at] == card)
        free.remove(at)
        found.append(at)
    return tuple(sorted(found))


def _rerun(secret: HandSecret, step: Step) -> Callable[[], Rule | None]:
    def run() -> Rule | None:
        flaw = rerun_step(secret, step)
        return None if flaw is None else FLAW_RULES[flaw]

    return run
