"""One hand, followed from the outside: every proof, rule, score and revealed secret.

protocol/SPEC.md sections 3 to 5. The check holds what everybody may know: keys, decks, hands as
ciphertexts, the play. It is given the body of each speech in turn and says which rule the body
breaks, if any; once a round is whole it draws the consequences. Whose turn it is to say what
follows from ``table.rounds``.

After the reveal, everything a seat said in the hand is made again from its secret and must be the
same bytes.

Never: believes a list's length, a position, a claim or a score from a message: each is computed
here. Errors: a broken rule is a ``Rule``; ``ContradictionError`` if proofs that all verify
contradict each other, which their soundness excludes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeVar, cast

from msgspec import Struct

from p2p_hearts.cards.claim import check_claim, make_claim
from p2p_hearts.cards.deal import (
    check_shares,
    check_shuffle,
    first_deck,
    make_shares,
    make_shuffle,
    owned,
    read_card,
)
from p2p_hearts.cards.encoding import Encoding
from p2p_hearts.cards.escrow import (
    Escrow as SplitKey,
)
from p2p_hearts.cards.escrow import (
    check_complaint,
    check_escrow,
    check_opening,
    make_escrow,
)
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.keys import check_key, joint_key, make_key
from p2p_hearts.cards.passing import (
    check_pass,
    check_remask,
    make_pass,
    make_remask,
    remask_input,
)
from p2p_hearts.cards.play import (
    check_no_opening,
    check_play,
    make_no_opening,
    make_play,
    proof_due,
)
from p2p_hearts.cards.rerun import Step as Rerun
from p2p_hearts.cards.rerun import rerun_step
from p2p_hearts.cards.reveal import check_commitment
from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.crypto.elgamal import Ciphertext, Deck, decode_deck
from p2p_hearts.crypto.group import (
    BASE,
    IDENTITY,
    DecodeError,
    Element,
    decode_elements,
    sum_elements,
)
from p2p_hearts.crypto.transcript import Context
from p2p_hearts.i18n import _
from p2p_hearts.record.audit.memo import Memo, Said
from p2p_hearts.record.audit.story import HandStory, Step, known_cards
from p2p_hearts.rules.cards import Card, card_set, contains
from p2p_hearts.rules.dealing import dealt
from p2p_hearts.rules.dummy import CHOICE, dummy_card, dummy_pass
from p2p_hearts.rules.match import Match
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.passing import pass_offset, receiver, sender
from p2p_hearts.rules.play import PlayState, claim, start_play
from p2p_hearts.rules.rest import claim_rest
from p2p_hearts.rules.score import MoonChoice, choosing_shooter, score_hand
from p2p_hearts.table.rounds import Facts, Stage, Who, next_stage
from p2p_hearts.wire.faults import FLAW_RULES, Rule, legality_rule
from p2p_hearts.wire.messages import (
    BODIES,
    Choice,
    Claim,
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

T = TypeVar("T")

_KINDS: Final = {body: kind for kind, body in BODIES.items()}


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


class HandCheck:
    """Follows one attempt at one hand."""

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
        self.keyless = keyless
        self.away: int | None = None
        """A seat that is away from some round on; its cards are opened by the others."""
        self.complained: int | None = None
        """The lowest seat that a right complaint convicts."""
        self._keyed = tuple(seat for seat in range(rules.seats) if seat != keyless)
        self._shuffled = 0
        self._splits: dict[int, SplitKey] = {}
        self._has_escrowed = self._has_sealed = keyless is not None
        self._waits: Waits | None = None
        self._faces: dict[Ciphertext, Card] = {}
        """Cards of a seat that is away, as everybody can read them."""
        self._setting = setting
        self._rules = rules
        self._seats = range(rules.seats)
        self._number = number
        self._attempt = attempt
        self.dealer = dealer
        self._match = match
        self._memo = memo
        self._counts = counts
        self._deal = dealt(rules, dealer)
        self._offset = 0 if keyless is not None else pass_offset(rules, number)
        self._heard: dict[int, object] = {}
        """What the speeches of this round bring, by seat."""
        self._steps: dict[int, list[Rerun]] = {seat: [] for seat in self._seats}
        self._commitments: dict[int, bytes] = {}
        self._publics: dict[int, Element] = {}
        self._joint: Element | None = None
        self._decks: list[Deck] = []
        self._shares: tuple[dict[int, Element], ...] = ()
        """By seat and deck position: the shares for other seats' cards."""
        self._hands: list[Deck] = []
        self._selections: tuple[tuple[int, ...], ...] = ()
        self._has_passed = False
        self._has_remasked = False
        self._closed: list[dict[int, Ciphertext]] = []
        """By seat and position: the cards that have not been played, positions ascending."""
        self._has_opened = False
        self._play: PlayState | None = None
        self._choice: MoonChoice | None = None
        self._has_revealed = False
        self._read: dict[tuple[bytes, Ciphertext], Card | None] = {}
        # For the story alone; nothing is judged by these.
        self._told: list[Step] = []
        self._dealt: list[Deck] = []
        self._shown: dict[Ciphertext, Card] = {}
        """Cards that were played."""
        self._secrets: dict[int, HandSecret] = {}
        """By seat, those that were revealed and are right."""

    @property
    def attempt(self) -> tuple[int, int]:
        """Hand and attempt."""
        return self._number, self._attempt

    # What comes next.

    @property
    def stage(self) -> Stage | None:
        """The stage of the next round; ``None`` once the hand is complete."""
        play = self._play
        shooter = None if play is None or not play.over else self._shooter(play)
        return next_stage(
            Facts(
                seats=len(self._keyed),
                keyed=bool(self._decks),
                shuffles=self._shuffled,
                escrows=self.keyless is None,
                escrowed=self._has_escrowed,
                sealed=self._has_sealed,
                openings_wait=self._waits is not None,
                shared=bool(self._hands),
                passes=self._offset != 0,
                selected=bool(self._selections),
                passed=self._has_passed,
                remasked=self._has_remasked,
                opens=self._rules.opening_card is not None,
                opened=self._has_opened,
                play_over=play is not None and play.over,
                widow_waits=play is not None and play.past.widow_due,
                choice_waits=shooter not in (None, self.dummy) and self._choice is None,
                revealed=self._has_revealed,
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
            count = len(self._seats)
            turns = [(self.dealer + step) % count for step in range(count)]
            return ([seat for seat in turns if seat != self.keyless][self._shuffled],)
        play = self._state()
        speaker = play.turn if stage.who is Who.TURN else self._shooter(play)
        if speaker is None:
            raise ContradictionError(
                _("nobody is there to speak in a {kind} round").format(kind=stage.kind)
            )
        return (speaker,)

    @property
    def scores(self) -> tuple[int, ...] | None:
        """Scores by seat, once every card was played and every choice made."""
        play = self._play
        if play is None or not play.over:
            return None
        shooter, choice = self._shooter(play), self._choice
        if shooter is not None and choice is None:
            if shooter != self.dummy:
                return None
            choice = CHOICE
        return score_hand(self._match, play.taken, choice)

    @property
    def dummy(self) -> int | None:
        """The seat whose cards lie open, if there is one."""
        return self.away if self.keyless is None else self.keyless

    @property
    def shuffles_last(self) -> bool:
        """Whether the next round is the last shuffle."""
        stage = self.stage
        is_shuffle = stage is not None and stage.kind is Kind.SHUFFLE
        return is_shuffle and self._shuffled == len(self._keyed) - 1

    @property
    def present(self) -> tuple[int, ...]:
        """The seats that take part, ascending."""
        return tuple(seat for seat in self._keyed if seat != self.away)

    # One speech.

    def judge(self, said: Said, body: Struct) -> Rule | None:
        """Check a body against all that was said before; return the rule it breaks, if any."""
        counts, spent = Counter(self._counts), self._memo.spent
        rule = self._judge_body(said, body)
        verified, seconds = self._counts - counts, self._memo.spent - spent
        card = Card(body.card) if isinstance(body, Play) else None
        if isinstance(body, Open) and body.position is not None:
            card = self._opening_card()
        kind = _KINDS[type(body)]
        self._told.append(Step(said.round, kind, said.seat, card, verified, seconds, rule))
        return rule

    def _judge_body(self, said: Said, body: Struct) -> Rule | None:
        match body:
            case Key():
                return self._judge_key(said, body)
            case Shuffle():
                return self._judge_shuffle(said, body)
            case Escrow():
                return self._judge_escrow(said, body)
            case Seals():
                return self._judge_seals(said, body)
            case Openings():
                return self._judge_openings(said, body)
            case Shares():
                return self._judge_shares(said, body, self._given_by(said.seat))
            case PassSelect():
                return self._judge_selection(said, body)
            case Pass():
                return self._judge_pass(said, body)
            case Remask():
                return self._judge_remask(said, body)
            case Open():
                return self._judge_open(said, body)
            case Play():
                return self._judge_play(said, body)
            case Claim():
                return self._judge_claim(said, body)
            case Widow():
                return self._judge_shares(said, body, self._deal.widow)
            case Choice():
                return self._judge_choice(said, body)
            case Reveal():
                return self._judge_reveal(said, body)
        raise TypeError(f"a hand has no {type(body).__name__}")

    def _judge_key(self, said: Said, body: Key) -> Rule | None:
        context = self._context(said)
        result = self._memo.once(
            said, lambda: check_key(context, body.commitment, body.public, body.proof)
        )
        if isinstance(result, Flaw):
            return FLAW_RULES[result]
        self._counts["key proofs"] += 1
        self._commitments[said.seat] = body.commitment
        self._heard[said.seat] = result
        self._keep(
            said,
            (body.commitment, body.public, body.proof),
            lambda secret: make_key(secret, context),
        )
        return None

    def _judge_shuffle(self, said: Said, body: Shuffle) -> Rule | None:
        context, key, deck = self._context(said), self._key(), self._decks[-1]
        result = self._memo.once(
            said,
            lambda: check_shuffle(context, key, deck, body.deck, body.proof),
            lambda: decode_deck(body.deck, len(deck)),
            remade=True,
        )
        if isinstance(result, Flaw):
            # The next seats have shuffled on, so the deck stands until all have; if it is one.
            try:
                self._heard[said.seat] = decode_deck(body.deck, len(deck))
            except DecodeError:
                self._heard[said.seat] = deck
            return FLAW_RULES[result]
        self._counts["shuffle proofs"] += 1
        self._heard[said.seat] = result
        self._keep(
            said,
            (body.deck, body.proof),
            lambda secret: make_shuffle(secret, context, key, deck)[:2],
        )
        return None

    def _judge_escrow(self, said: Said, body: Escrow) -> Rule | None:
        context, public = self._context(said), self._publics[said.seat]
        others = {seat: self._setting.table_keys[seat] for seat in self._keyed if seat != said.seat}
        result = self._memo.once(
            said, lambda: check_escrow(context, public, others, body.publics, body.seals)
        )
        if isinstance(result, Flaw):
            return FLAW_RULES[result]
        self._counts["escrow proofs"] += 1
        self._heard[said.seat] = result
        self._keep(
            said,
            (body.publics, body.seals),
            lambda secret: make_escrow(secret, context, others),
        )
        return None

    def _judge_seals(self, said: Said, body: Seals) -> Rule | None:
        owners = [complaint.owner for complaint in body.complaints]
        may_be = [seat for seat in self._keyed if seat != said.seat]
        if any(owner not in may_be for owner in owners) or any(
            low >= high for low, high in pairwise(owners)
        ):
            return Rule.COMPLAINT
        context = self._context(said)
        for complaint in body.complaints:
            split = self._splits[complaint.owner]
            flaw = check_complaint(context, split, complaint.point, complaint.proof)
            if flaw is not None:
                return FLAW_RULES[flaw]
        for owner in owners:
            self._counts["complaints"] += 1
            self.complained = owner if self.complained is None else min(owner, self.complained)
        self._heard[said.seat] = True
        return None

    def _judge_openings(self, said: Said, body: Openings) -> Rule | None:
        away, waits = self.away, self._waits
        if away is None or waits is None:
            raise ContradictionError(_("cards are opened while everybody is here"))
        context, public = self._context(said), self._splits[away].publics[said.seat]
        result = self._memo.once(
            said,
            lambda: check_opening(context, away, public, waits.cards, body.points, body.proof),
        )
        if isinstance(result, Flaw):
            return FLAW_RULES[result]
        self._counts["opening parts"] += 1
        self._heard[said.seat] = result
        return None

    def _judge_shares(
        self, said: Said, body: Shares | Widow, positions: tuple[int, ...]
    ) -> Rule | None:
        context, deck, public = self._context(said), self._decks[-1], self._publics[said.seat]
        result = self._memo.once(
            said,
            lambda: check_shares(context, public, deck, positions, body.shares, body.proof),
            lambda: decode_elements(body.shares, len(positions)),
            remade=True,
        )
        if isinstance(result, Flaw):
            return FLAW_RULES[result]
        self._counts["share proofs"] += 1
        self._heard[said.seat] = dict(zip(positions, result, strict=True))
        self._keep(
            said,
            (body.shares, body.proof),
            lambda secret: make_shares(secret, context, deck, positions),
        )
        return None

    def _judge_selection(self, said: Said, body: PassSelect) -> Rule | None:
        positions = tuple(body.positions)
        is_ascending = all(low < high for low, high in pairwise(positions))
        in_hand = all(0 <= position < self._rules.hand_size for position in positions)
        if len(positions) != self._rules.pass_count or not is_ascending or not in_hand:
            return Rule.PASS_POSITIONS
        self._heard[said.seat] = positions
        return None

    def _judge_pass(self, said: Said, body: Pass) -> Rule | None:
        context, seat = self._context(said), said.seat
        positions = self._selections[seat]
        sources = tuple(self._hands[seat][position] for position in positions)
        public = self._publics[seat]
        target = self._publics[receiver(self._rules, seat, self._offset)]
        result = self._memo.once(
            said,
            lambda: check_pass(context, public, target, sources, body.cards, body.proof),
            lambda: decode_deck(body.cards, len(sources)),
            remade=True,
        )
        if isinstance(result, Flaw):
            return FLAW_RULES[result]
        self._counts["pass proofs"] += 1
        self._heard[seat] = result
        self._keep(
            said,
            (body.cards, body.proof),
            lambda secret: make_pass(secret, context, positions, sources, target),
        )
        return None

    def _judge_remask(self, said: Said, body: Remask) -> Rule | None:
        context, public = self._context(said), self._publics[said.seat]
        before = self._hands[said.seat]
        result = self._memo.once(
            said,
            lambda: check_remask(context, public, before, body.deck, body.proof),
            lambda: decode_deck(body.deck, len(before)),
            remade=True,
        )
        if isinstance(result, Flaw):
            return FLAW_RULES[result]
        self._counts["re-mask proofs"] += 1
        self._heard[said.seat] = result
        self._keep(
            said,
            (body.deck, body.proof),
            lambda secret: make_remask(secret, context, public, before)[:2],
        )
        return None

    def _judge_open(self, said: Said, body: Open) -> Rule | None:
        seat, position, encoding = said.seat, body.position, self._setting.encoding
        context, public, card = self._context(said), self._publics[seat], self._opening_card()
        hand = self._hands[seat]
        if position is None:
            flaw = self._memo.once(
                said,
                lambda: check_no_opening(context, public, encoding, hand, body.proof),
                _nothing_wrong,
            )
            self._keep(
                said,
                (body.proof,),
                lambda secret: (
                    make_no_opening(
                        secret, context, public, encoding, hand, self._cards(secret, hand)
                    ),
                ),
            )
        elif position not in self._closed[seat]:
            return Rule.POSITION
        else:
            source = hand[position]
            flaw = self._memo.once(
                said,
                lambda: check_play(context, public, encoding, source, card, (), None, body.proof),
                _nothing_wrong,
            )
            if flaw is Flaw.CARD_PROOF:
                return Rule.OPENING_PROOF
            self._keep(
                said,
                (body.proof,),
                lambda secret: (
                    make_play(secret, context, public, encoding, source, card, (), (), None),
                ),
            )
        if flaw is not None:
            return FLAW_RULES[flaw]
        self._counts["opening proofs"] += 1
        self._heard[seat] = position
        return None

    def _judge_play(self, said: Said, body: Play) -> Rule | None:
        seat, card, state = said.seat, Card(body.card), self._state()
        closed = self._closed[seat]
        if body.position not in closed:
            return Rule.POSITION
        if not contains(state.unseen, card):
            return Rule.CARD
        context, public, encoding = self._context(said), self._publics[seat], self._setting.encoding
        source, due = closed[body.position], claim(card, state)
        rest = tuple(other for at, other in closed.items() if at != body.position)
        flaw = self._memo.once(
            said,
            lambda: check_play(context, public, encoding, source, card, rest, due, body.proof),
            _nothing_wrong,
        )
        if flaw is Flaw.REVOKE:
            return legality_rule(state, card)
        if flaw is not None:
            return FLAW_RULES[flaw]
        self._counts["plays"] += 1
        self._counts["class proofs"] += proof_due(due, rest)
        self._heard[seat] = (body.position, card)
        self._keep(
            said,
            (body.proof,),
            lambda secret: (
                make_play(
                    secret,
                    context,
                    public,
                    encoding,
                    source,
                    card,
                    rest,
                    self._cards(secret, rest),
                    due,
                ),
            ),
        )
        return None

    def _judge_claim(self, said: Said, body: Claim) -> Rule | None:
        seat, cards = said.seat, tuple(Card(card) for card in body.cards)
        context, public, encoding = self._context(said), self._publics[seat], self._setting.encoding
        held = tuple(self._closed[seat].values())
        flaw = self._memo.once(
            said,
            lambda: check_claim(context, public, encoding, held, cards, body.proof),
            _nothing_wrong,
        )
        if flaw is not None:
            return FLAW_RULES[flaw]
        try:
            after = claim_rest(self._state(), seat, card_set(cards))
        except ValueError:
            return Rule.CLAIM
        self._counts["claims"] += 1
        self._heard[seat] = after
        self._keep(
            said,
            (body.proof,),
            lambda secret: (make_claim(secret, context, public, encoding, held, cards),),
        )
        return None

    def _judge_choice(self, said: Said, body: Choice) -> Rule | None:
        if body.moon not in list(MoonChoice):
            return Rule.CHOICE
        self._heard[said.seat] = MoonChoice(body.moon)
        return None

    def _judge_reveal(self, said: Said, body: Reveal) -> Rule | None:
        place = (self._setting.table, self._number, self._attempt, said.seat)
        flaw = check_commitment(*place, self._commitments[said.seat], body.secret)
        if flaw is not None:
            return FLAW_RULES[flaw]
        self._counts["revealed secrets"] += 1
        secret = HandSecret(body.secret, *place)
        flaw = self._memo.again(said, lambda: self._rerun(secret))
        if flaw is not None:
            return FLAW_RULES[flaw]
        self._secrets[said.seat] = secret
        self._counts["messages made again"] += len(self._steps[said.seat])
        return None

    def _rerun(self, secret: HandSecret) -> Flaw | None:
        for step in self._steps[secret.seat]:
            flaw = rerun_step(secret, step)
            if flaw is not None:
                return flaw
        return None

    # A whole round.

    def close(self, absent: int | None = None) -> None:
        """Draw the consequences of a round in which every speaker was heard and kept the rules.

        But for ``absent``, which is away from this round on: its speech, if any, does not count.
        After a reveal round also of one in which a speaker did not: the score stands.
        """
        stage = self.stage
        if stage is None:
            raise ContradictionError(_("a round is closed after the end of the hand"))
        heard, self._heard = self._heard, {}
        if absent is not None:
            heard.pop(absent, None)
            self.away = absent
        if stage.kind is Kind.OPENINGS:
            self._close_openings(heard)
            return
        waits = self._what_waits(stage.kind, heard)
        if waits is not None:
            self._waits = waits
            return
        self._conclude(stage.kind, heard)

    def _conclude(self, kind: Kind, heard: dict[int, object]) -> None:
        if self.away is not None and self.away not in heard:
            self._stand_in(kind, self.away, heard)
        {
            Kind.KEY: self._close_key,
            Kind.SHUFFLE: self._close_shuffle,
            Kind.ESCROW: self._close_escrow,
            Kind.SEALS: self._close_seals,
            Kind.SHARES: self._close_shares,
            Kind.PASS_SELECT: self._close_selection,
            Kind.PASS: self._close_pass,
            Kind.REMASK: self._close_remask,
            Kind.OPEN: self._close_open,
            Kind.PLAY: self._close_play,
            Kind.WIDOW: self._close_widow,
            Kind.CHOICE: self._close_choice,
            Kind.REVEAL: self._close_reveal,
        }[kind](heard)
        self._play_dummy()

    # A seat that is away.

    def _what_waits(self, kind: Kind, heard: dict[int, object]) -> Waits | None:
        """Return what has to be opened before a round can be concluded, if anything."""
        away = self.away
        if away is None or kind in (Kind.CHOICE, Kind.REVEAL):
            return None
        deck = self._decks[-1]
        shares: Deck = ()
        widow: Deck = ()
        if kind is Kind.SHARES:
            given = {seat: cast(dict[int, Element], heard[seat]) for seat in self.present}
            hand = tuple(
                owned(deck[at], [part[at] for part in given.values()])
                for at in self._deal.hands[away]
            )
            if away not in heard:
                shares = tuple(deck[at] for at in self._given_by(away))
        else:
            hand = tuple(self._closed[away].values()) if self._closed else self._hands[away]
        if kind is Kind.WIDOW and away not in heard:
            widow = tuple(deck[at] for at in self._deal.widow)
        unread = tuple(card for card in hand if card not in self._faces)
        waits = Waits(kind, heard, shares, unread, widow)
        return waits if waits.cards else None

    def _close_openings(self, heard: dict[int, object]) -> None:
        waits, away, self._waits = self._waits, self.away, None
        if waits is None or away is None:
            raise ContradictionError(_("cards are opened while everybody is here"))
        parts = [cast(tuple[Element, ...], heard[seat]) for seat in self.present]
        sums = [sum_elements(column) for column in zip(*parts, strict=True)]
        first, last = len(waits.shares), len(waits.shares) + len(waits.hand)
        if waits.shares:
            waits.heard[away] = dict(zip(self._given_by(away), sums[:first], strict=True))
        if waits.widow:
            waits.heard[away] = dict(zip(self._deal.widow, sums[last:], strict=True))
        for card, mask in zip(waits.hand, sums[first:last], strict=True):
            self._faces[card] = self._face(card, mask)
        self._conclude(waits.kind, waits.heard)

    def _face(self, card: Ciphertext, mask: Element) -> Card:
        face = self._setting.encoding.card_of(card.b - mask)
        if face is None:
            raise ContradictionError(_("a proven deck holds something that is no card"))
        return face

    def _stand_in(self, kind: Kind, away: int, heard: dict[int, object]) -> None:
        """Put in what a seat that is away does in this round, by the rules for dummies."""
        if kind in (Kind.PASS_SELECT, Kind.PASS, Kind.REMASK):
            hand = self._hands[away]
        if kind is Kind.PASS_SELECT:
            faces = [self._faces[card] for card in hand]
            free, chosen = list(enumerate(faces)), []
            for face in dummy_pass(self._rules, card_set(faces)):
                entry = next(item for item in free if item[1] == face)
                free.remove(entry)
                chosen.append(entry[0])
            heard[away] = tuple(sorted(chosen))
        elif kind is Kind.PASS:
            key = self._publics[receiver(self._rules, away, self._offset)]
            encoding = self._setting.encoding
            heard[away] = tuple(
                Ciphertext(BASE, encoding.point(self._faces[hand[at]]) + key)
                for at in self._selections[away]
            )
        elif kind is Kind.REMASK:
            heard[away] = hand
        elif kind is Kind.CHOICE:
            heard[away] = CHOICE

    def _play_dummy(self) -> None:
        """Play for a dummy while it is its turn, once its cards lie open."""
        seat = self.dummy
        if seat is None or self._waits is not None:
            return
        while True:
            play = self._play
            if play is None or play.past.widow_due or play.turn != seat:
                return
            held = {at: self._faces[card] for at, card in self._closed[seat].items()}
            face = dummy_card(card_set(held.values()), play)
            at = min(at for at, other in held.items() if other == face)
            del self._closed[seat][at]
            self._counts["plays of dummies"] += 1
            self._play = play.play(face)

    def _close_escrow(self, heard: dict[int, object]) -> None:
        self._splits = {seat: cast(SplitKey, split) for seat, split in heard.items()}
        self._has_escrowed = True

    def _close_seals(self, heard: dict[int, object]) -> None:
        self._has_sealed = True

    def _close_key(self, heard: dict[int, object]) -> None:
        self._publics = {seat: cast(Element, heard[seat]) for seat in self._keyed}
        key = joint_key(list(self._publics.values()))
        if isinstance(key, Flaw):
            raise ContradictionError(_("the key shares add up to nothing"))
        self._joint = key
        self._decks = [first_deck(self._setting.encoding, key)]

    def _close_shuffle(self, heard: dict[int, object]) -> None:
        # What is no deck changes nothing; the hand begins anew once all have shuffled.
        (deck,) = heard.values() or (self._decks[-1],)
        self._decks.append(cast(Deck, deck))
        self._shuffled += 1

    def _close_shares(self, heard: dict[int, object]) -> None:
        given = {seat: cast(dict[int, Element], heard[seat]) for seat in self._keyed}
        deck = self._decks[-1]
        self._hands = [
            tuple(
                owned(deck[at], [given[other][at] for other in self._keyed if other != seat])
                for at in self._deal.hands[seat]
            )
            for seat in self._seats
        ]
        if self.keyless is not None:
            for card in self._hands[self.keyless]:
                self._faces[card] = self._face(card, IDENTITY)
        self._dealt = list(self._hands)
        if not self._offset:
            self._lay_down()

    def _close_selection(self, heard: dict[int, object]) -> None:
        self._selections = tuple(cast(tuple[int, ...], heard[seat]) for seat in self._seats)

    def _close_pass(self, heard: dict[int, object]) -> None:
        passed = [cast(Deck, heard[seat]) for seat in self._seats]
        self._hands = [
            remask_input(
                self._hands[seat],
                self._selections[seat],
                passed[sender(self._rules, seat, self._offset)],
            )
            for seat in self._seats
        ]
        self._has_passed = True

    def _close_remask(self, heard: dict[int, object]) -> None:
        self._hands = [cast(Deck, heard[seat]) for seat in self._seats]
        self._has_remasked = True
        self._lay_down()

    def _lay_down(self) -> None:
        """Hands lie as they will be played from."""
        self._closed = [dict(enumerate(hand)) for hand in self._hands]
        if self._rules.opening_card is None:
            self._play = start_play(self._rules, self.dealer)

    def _close_open(self, heard: dict[int, object]) -> None:
        opening, seat = self._opening_card(), self.dummy
        if seat is not None and seat not in heard:
            places = [at for at, card in self._closed[seat].items() if self._faces[card] == opening]
            heard[seat] = places[0] if places else None
        openers = [seat for seat in self._seats if heard[seat] is not None]
        if len(openers) != 1:
            raise ContradictionError(
                _("{n} seats have proven to hold the opening card").format(n=len(openers))
            )
        (seat,) = openers
        self._shown[self._closed[seat].pop(cast(int, heard[seat]))] = opening
        start = start_play(self._rules, self.dealer, seat)
        self._play = start.play(self._opening_card())
        self._has_opened = True

    def _close_play(self, heard: dict[int, object]) -> None:
        if not heard:
            return  # Its speaker is away; its cards lie open now.
        ((seat, played),) = heard.items()
        if isinstance(played, PlayState):
            # A claim: its seat's cards lie open, and everything left is taken.
            self._closed[seat].clear()
            self._play = played
            return
        position, card = cast(tuple[int, Card], played)
        self._shown[self._closed[seat].pop(position)] = card
        self._play = self._state().play(card)

    def _close_widow(self, heard: dict[int, object]) -> None:
        given = [cast(dict[int, Element], heard[seat]) for seat in self._keyed]
        cards: list[Card] = []
        for at in self._deal.widow:
            mask = sum_elements(shares[at] for shares in given)
            cards.append(self._face(self._decks[-1][at], mask))
        try:
            self._play = self._state().with_widow(cards)
        except ValueError as error:
            raise ContradictionError(_("the widow: {reason}").format(reason=error)) from None

    def _close_choice(self, heard: dict[int, object]) -> None:
        (choice,) = heard.values()
        self._choice = cast(MoonChoice, choice)

    def _close_reveal(self, heard: dict[int, object]) -> None:
        self._has_revealed = True

    # What is known of it.

    def tell(self, *, is_void: bool = False) -> HandStory:
        """Return what was proven of this attempt so far, cards and all."""
        dealt = [self._known(seat, hand) for seat, hand in enumerate(self._dealt)]
        held = [self._known(seat, hand) for seat, hand in enumerate(self._hands)]
        hidden = [(None,) * self._rules.hand_size for _ in self._seats]
        before, passed, after = known_cards(
            self._rules,
            self._offset,
            dealt or hidden,
            self._selections,
            held if self._closed else hidden,
            self._play,
        )
        return HandStory(
            rules=self._rules,
            number=self._number,
            attempt=self._attempt,
            dealer=self.dealer,
            offset=self._offset,
            is_void=is_void,
            dummy=self.dummy,
            revealed=frozenset(self._secrets),
            dealt=before,
            passed=passed,
            held=after,
            play=self._play,
            choice=self._choice,
            scores=self.scores,
            steps=tuple(self._told),
        )

    def _known(self, seat: int, hand: Deck) -> tuple[Card | None, ...]:
        """Read a hand with its seat's revealed secret, or as far as its cards lie open."""
        if seat in self._secrets:
            return tuple(self._cards(self._secrets[seat], hand))
        return tuple(self._faces.get(card, self._shown.get(card)) for card in hand)

    # Helpers.

    def _context(self, said: Said) -> Context:
        setting = self._setting
        return Context(
            setting.table, setting.rules_hash, self._number, self._attempt, said.round, said.seat
        )

    def _given_by(self, seat: int) -> tuple[int, ...]:
        """Deck positions for which a seat gives shares: those of all other hands, ascending."""
        hands = self._deal.hands
        return tuple(sorted(at for other in self._seats if other != seat for at in hands[other]))

    def _keep(
        self,
        said: Said,
        fields: tuple[bytes, ...],
        make: Callable[[HandSecret], tuple[bytes, ...]],
    ) -> None:
        """Remember how to make a speech again, for the re-run after the reveal."""
        self._steps[said.seat].append(Rerun(fields, make))

    def _cards(self, secret: HandSecret, ciphertexts: Sequence[Ciphertext]) -> list[Card]:
        """Read a seat's own cards with its revealed secret; ``ValueError`` if one is none."""
        found: list[Card] = []
        for ciphertext in ciphertexts:
            key = (secret.z, ciphertext)
            if key not in self._read:
                self._read[key] = read_card(secret, self._setting.encoding, ciphertext)
            card = self._read[key]
            if card is None:
                raise ValueError("there is no card under this key")
            found.append(card)
        return found

    def _key(self) -> Element:
        if self._joint is None:
            raise ContradictionError(_("a shuffle before the joint key"))
        return self._joint

    def _state(self) -> PlayState:
        if self._play is None:
            raise ContradictionError(_("a play before the first lead"))
        return self._play

    def _opening_card(self) -> Card:
        if self._rules.opening_card is None:
            raise ContradictionError(_("these rules have no opening card"))
        return self._rules.opening_card

    def _shooter(self, play: PlayState) -> int | None:
        return choosing_shooter(self._rules, play.taken)


def _nothing_wrong() -> Flaw | None:
    """What a check without a result returns if all is right."""
    return None
