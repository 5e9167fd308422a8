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
from typing import TypeVar, cast

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
from p2p_hearts.cards.rerun import Step, rerun_step
from p2p_hearts.cards.reveal import check_commitment
from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.crypto.elgamal import Ciphertext, Deck
from p2p_hearts.crypto.group import Element, sum_elements
from p2p_hearts.crypto.transcript import Context
from p2p_hearts.rules.cards import Card, card_set, contains
from p2p_hearts.rules.dealing import dealt
from p2p_hearts.rules.match import Match
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.passing import pass_offset, receiver, sender
from p2p_hearts.rules.play import PlayState, claim, start_play
from p2p_hearts.rules.rest import claim_rest
from p2p_hearts.rules.score import MoonChoice, choosing_shooter, score_hand
from p2p_hearts.table.rounds import Facts, Stage, Who, next_stage
from p2p_hearts.wire.faults import FLAW_RULES, Rule, legality_rule
from p2p_hearts.wire.messages import (
    Choice,
    Claim,
    Key,
    Kind,
    Open,
    Pass,
    PassSelect,
    Play,
    Remask,
    Reveal,
    Shares,
    Shuffle,
    Widow,
)

T = TypeVar("T")


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


@dataclass(frozen=True, slots=True)
class Said:
    """Where a body was said. ``prev`` and ``hash`` together fix everything it depends on."""

    seat: int
    round: int
    prev: bytes
    """Head of the round before: it hashes the whole history."""
    hash: bytes
    """Hash of the content."""


class Memo:
    """Results of checks, so that several logs of one table cost hardly more than one.

    A result depends on the history before it and on the content, and on nothing else.
    """

    def __init__(self) -> None:
        """Begin with no results."""
        self._results: dict[tuple[bytes, bytes], object] = {}

    def once(self, said: Said, check: Callable[[], T]) -> T:
        """Return the result of ``check``, run once for each history and content."""
        key = (said.prev, said.hash)
        if key not in self._results:
            self._results[key] = check()
        return cast(T, self._results[key])


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
    ) -> None:
        """Begin before the key round; ``match`` is as it stands before this hand."""
        rules = setting.rules
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
        self._offset = pass_offset(rules, number)
        self._heard: dict[int, object] = {}
        """What the speeches of this round bring, by seat."""
        self._steps: dict[int, list[Step]] = {seat: [] for seat in self._seats}
        self._commitments: dict[int, bytes] = {}
        self._publics: tuple[Element, ...] = ()
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

    # What comes next.

    @property
    def stage(self) -> Stage | None:
        """The stage of the next round; ``None`` once the hand is complete."""
        play = self._play
        shooter = None if play is None or not play.over else self._shooter(play)
        return next_stage(
            Facts(
                seats=len(self._seats),
                keyed=bool(self._decks),
                shuffles=max(len(self._decks) - 1, 0),
                shared=bool(self._hands),
                passes=self._offset != 0,
                selected=bool(self._selections),
                passed=self._has_passed,
                remasked=self._has_remasked,
                opens=self._rules.opening_card is not None,
                opened=self._has_opened,
                play_over=play is not None and play.over,
                widow_waits=play is not None and play.past.widow_due,
                choice_waits=shooter is not None and self._choice is None,
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
            return tuple(self._seats)
        if stage.who is Who.DEALER_FIRST:
            return ((self.dealer + len(self._decks) - 1) % len(self._seats),)
        play = self._state()
        speaker = play.turn if stage.who is Who.TURN else self._shooter(play)
        if speaker is None:
            raise ContradictionError(f"nobody is there to speak in a {stage.kind} round")
        return (speaker,)

    @property
    def scores(self) -> tuple[int, ...] | None:
        """Scores by seat, once every card was played and every choice made."""
        play = self._play
        if play is None or not play.over:
            return None
        if self._shooter(play) is not None and self._choice is None:
            return None
        return score_hand(self._match, play.taken, self._choice)

    # One speech.

    def judge(self, said: Said, body: Struct) -> Rule | None:
        """Check a body against all that was said before; return the rule it breaks, if any."""
        match body:
            case Key():
                return self._judge_key(said, body)
            case Shuffle():
                return self._judge_shuffle(said, body)
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
            said, lambda: check_shuffle(context, key, deck, body.deck, body.proof)
        )
        if isinstance(result, Flaw):
            return FLAW_RULES[result]
        self._counts["shuffle proofs"] += 1
        self._heard[said.seat] = result
        self._keep(
            said,
            (body.deck, body.proof),
            lambda secret: make_shuffle(secret, context, key, deck)[:2],
        )
        return None

    def _judge_shares(
        self, said: Said, body: Shares | Widow, positions: tuple[int, ...]
    ) -> Rule | None:
        context, deck, public = self._context(said), self._decks[-1], self._publics[said.seat]
        result = self._memo.once(
            said,
            lambda: check_shares(context, public, deck, positions, body.shares, body.proof),
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
            said, lambda: check_pass(context, public, target, sources, body.cards, body.proof)
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
            said, lambda: check_remask(context, public, before, body.deck, body.proof)
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
                said, lambda: check_no_opening(context, public, encoding, hand, body.proof)
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
            said, lambda: check_claim(context, public, encoding, held, cards, body.proof)
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
        flaw = self._memo.once(said, lambda: self._rerun(HandSecret(body.secret, *place)))
        if flaw is not None:
            return FLAW_RULES[flaw]
        self._counts["messages made again"] += len(self._steps[said.seat])
        return None

    def _rerun(self, secret: HandSecret) -> Flaw | None:
        for step in self._steps[secret.seat]:
            flaw = rerun_step(secret, step)
            if flaw is not None:
                return flaw
        return None

    # A whole round.

    def close(self) -> None:
        """Draw the consequences of a round in which every speaker was heard and kept the rules.

        After a reveal round also of one in which a speaker did not: the score stands.
        """
        stage = self.stage
        if stage is None:
            raise ContradictionError("a round is closed after the end of the hand")
        heard, self._heard = self._heard, {}
        {
            Kind.KEY: self._close_key,
            Kind.SHUFFLE: self._close_shuffle,
            Kind.SHARES: self._close_shares,
            Kind.PASS_SELECT: self._close_selection,
            Kind.PASS: self._close_pass,
            Kind.REMASK: self._close_remask,
            Kind.OPEN: self._close_open,
            Kind.PLAY: self._close_play,
            Kind.WIDOW: self._close_widow,
            Kind.CHOICE: self._close_choice,
            Kind.REVEAL: self._close_reveal,
        }[stage.kind](heard)

    def _close_key(self, heard: dict[int, object]) -> None:
        self._publics = tuple(cast(Element, heard[seat]) for seat in self._seats)
        key = joint_key(self._publics)
        if isinstance(key, Flaw):
            raise ContradictionError("the key shares add up to nothing")
        self._joint = key
        self._decks = [first_deck(self._setting.encoding, key)]

    def _close_shuffle(self, heard: dict[int, object]) -> None:
        (deck,) = heard.values()
        self._decks.append(cast(Deck, deck))

    def _close_shares(self, heard: dict[int, object]) -> None:
        given = [cast(dict[int, Element], heard[seat]) for seat in self._seats]
        deck = self._decks[-1]
        self._hands = [
            tuple(
                owned(deck[at], [given[other][at] for other in self._seats if other != seat])
                for at in self._deal.hands[seat]
            )
            for seat in self._seats
        ]
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
        openers = [seat for seat in self._seats if heard[seat] is not None]
        if len(openers) != 1:
            raise ContradictionError(f"{len(openers)} seats have proven to hold the opening card")
        (seat,) = openers
        del self._closed[seat][cast(int, heard[seat])]
        start = start_play(self._rules, self.dealer, seat)
        self._play = start.play(self._opening_card())
        self._has_opened = True

    def _close_play(self, heard: dict[int, object]) -> None:
        ((seat, played),) = heard.items()
        if isinstance(played, PlayState):
            # A claim: its seat's cards lie open, and everything left is taken.
            self._closed[seat].clear()
            self._play = played
            return
        position, card = cast(tuple[int, Card], played)
        del self._closed[seat][position]
        self._play = self._state().play(card)

    def _close_widow(self, heard: dict[int, object]) -> None:
        given = [cast(dict[int, Element], heard[seat]) for seat in self._seats]
        cards: list[Card] = []
        for at in self._deal.widow:
            mask = sum_elements(shares[at] for shares in given)
            card = self._setting.encoding.card_of(self._decks[-1][at].b - mask)
            if card is None:
                raise ContradictionError("a proven deck holds something that is no card")
            cards.append(card)
        try:
            self._play = self._state().with_widow(cards)
        except ValueError as error:
            raise ContradictionError(f"the widow: {error}") from None

    def _close_choice(self, heard: dict[int, object]) -> None:
        (choice,) = heard.values()
        self._choice = cast(MoonChoice, choice)

    def _close_reveal(self, heard: dict[int, object]) -> None:
        self._has_revealed = True

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
        self._steps[said.seat].append(Step(fields, make))

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
            raise ContradictionError("a shuffle before the joint key")
        return self._joint

    def _state(self) -> PlayState:
        if self._play is None:
            raise ContradictionError("a play before the first lead")
        return self._play

    def _opening_card(self) -> Card:
        if self._rules.opening_card is None:
            raise ContradictionError("these rules have no opening card")
        return self._rules.opening_card

    def _shooter(self, play: PlayState) -> int | None:
        return choosing_shooter(self._rules, play.taken)
