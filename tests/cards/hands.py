"""A hand that is dealt, passed and re-masked for real, for any test that needs one.

Everything follows from a salt, so the same call gives the same hand. Results are kept: a hand of
four costs about half a second the first time.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, NamedTuple, TypeVar

from p2p_hearts.cards import deal, keys, passing
from p2p_hearts.cards.encoding import Encoding
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.play import unplayed
from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.crypto.elgamal import Ciphertext, Deck, encrypt
from p2p_hearts.crypto.group import Element, base_mul
from p2p_hearts.crypto.transcript import Context
from p2p_hearts.rules.cards import Card, CardSet, ClassSet, card_set, cards_in
from p2p_hearts.rules.dealing import Deal, dealt
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.passing import receiver, sender
from p2p_hearts.rules.play import PlayState, claim, playable, start_play

Value = TypeVar("Value")

FOUR: Final = RuleSet()
TABLE: Final = bytes(range(32))
RULES: Final = hashlib.sha256(b"rules").digest()

KEY_ROUND: Final = 0
SHUFFLE_ROUND: Final = 1
"""Round of the first shuffle; the others follow one by one."""
SHARES_ROUND: Final = 20
PASS_ROUND: Final = 22
REMASK_ROUND: Final = 23
OPEN_ROUND: Final = 24
PLAY_ROUND: Final = 25


def ok(result: Value | Flaw) -> Value:
    """Return what a check accepted."""
    assert not isinstance(result, Flaw), result
    return result


def secret_of(seat: int, salt: str = "", hand: int = 1, attempt: int = 0) -> HandSecret:
    """Return the hand secret of a seat in tests."""
    z = hashlib.sha256(f"z {salt} {hand} {attempt} {seat}".encode()).digest()
    return HandSecret(z, TABLE, hand, attempt, seat)


def context_of(seat: int, round_: int = 0, hand: int = 1, attempt: int = 0) -> Context:
    """Return the context of a seat's message in tests."""
    return Context(TABLE, RULES, hand, attempt, round_, seat)


def hand_of(secret: HandSecret, encoding: Encoding, cards: Sequence[Card]) -> Deck:
    """Return a hand of chosen cards under the key of one seat, without any deal."""
    factors = secret.scalars(len(cards), 99, b"test", b"")
    public = base_mul(secret.x())
    return tuple(
        encrypt(encoding.point(card), public, factor)
        for card, factor in zip(cards, factors, strict=True)
    )


@dataclass(frozen=True, slots=True, eq=False)
class DealtHand:
    """What all seats together know of one hand. Everything by seat unless said otherwise."""

    rules: RuleSet
    encoding: Encoding
    dealer: int
    hand: int
    attempt: int
    secrets: tuple[HandSecret, ...]
    publics: tuple[Element, ...]
    joint: Element
    decks: tuple[Deck, ...]
    """Deck 0 and the deck after each shuffle."""
    deal: Deal
    shares: tuple[dict[int, Element], ...]
    """Decryption shares by deck position."""
    hands: tuple[Deck, ...]
    """Ciphertexts of each hand, under its owner's key alone."""
    cards: tuple[tuple[Card, ...], ...]
    """The cards in them, in the same order."""

    @property
    def deck(self) -> Deck:
        """The deck after all shuffles."""
        return self.decks[-1]

    def context(self, seat: int, round_: int) -> Context:
        """Return the context of a message of this hand."""
        return context_of(seat, round_, self.hand, self.attempt)

    def holder(self, card: Card) -> int:
        """Return the seat that holds a card."""
        return next(seat for seat, cards in enumerate(self.cards) if card in cards)


def positions_to_share(rules: RuleSet, spread: Deal, seat: int) -> tuple[int, ...]:
    """Return the deck positions, ascending, of all cards dealt to somebody else."""
    return tuple(
        sorted(
            position
            for other in range(rules.seats)
            if other != seat
            for position in spread.hands[other]
        )
    )


@lru_cache(maxsize=32)
def deal_hand(
    rules: RuleSet = FOUR,
    dealer: int = 0,
    salt: str = "",
    hand: int = 1,
    attempt: int = 0,
    verified: bool = True,
) -> DealtHand:
    """Deal a hand by the protocol; `verified` runs one verifier over every message."""
    encoding = Encoding(rules)
    seats = range(rules.seats)
    secrets = tuple(secret_of(seat, salt, hand, attempt) for seat in seats)

    publics = []
    for seat in seats:
        context = context_of(seat, KEY_ROUND, hand, attempt)
        publics.append(ok(keys.check_key(context, *keys.make_key(secrets[seat], context))))
    joint = ok(keys.joint_key(publics))

    decks = [deal.first_deck(encoding, joint)]
    for turn in seats:
        seat = (dealer + turn) % rules.seats
        context = context_of(seat, SHUFFLE_ROUND + turn, hand, attempt)
        data, proof, after = deal.make_shuffle(secrets[seat], context, joint, decks[-1])
        if verified:
            assert ok(deal.check_shuffle(context, joint, decks[-1], data, proof)) == after
        decks.append(after)

    spread = dealt(rules, dealer)
    shares: list[dict[int, Element]] = []
    for seat in seats:
        context = context_of(seat, SHARES_ROUND, hand, attempt)
        positions = positions_to_share(rules, spread, seat)
        data, proof = deal.make_shares(secrets[seat], context, decks[-1], positions)
        checked = ok(deal.check_shares(context, publics[seat], decks[-1], positions, data, proof))
        shares.append(dict(zip(positions, checked, strict=True)))

    hands = tuple(
        tuple(
            deal.owned(
                decks[-1][position],
                [shares[other][position] for other in seats if other != seat],
            )
            for position in spread.hands[seat]
        )
        for seat in seats
    )
    cards = tuple(read_hand(secrets[seat], encoding, hands[seat]) for seat in seats)
    return DealtHand(
        rules,
        encoding,
        dealer,
        hand,
        attempt,
        secrets,
        tuple(publics),
        joint,
        tuple(decks),
        spread,
        tuple(shares),
        hands,
        cards,
    )


def read_hand(secret: HandSecret, encoding: Encoding, hand: Deck) -> tuple[Card, ...]:
    """Return the cards of a hand as its owner reads them."""
    cards = [deal.read_card(secret, encoding, ciphertext) for ciphertext in hand]
    assert None not in cards
    return tuple(card for card in cards if card is not None)


@lru_cache(maxsize=32)
def passed_hand(
    before: DealtHand, offset: int = 1, positions: tuple[int, ...] = (0, 5, 12)
) -> DealtHand:
    """Every seat passes the cards at `positions` by `offset`, then re-masks; all verified."""
    rules = before.rules
    sent: list[Deck] = []
    for seat in range(rules.seats):
        context = before.context(seat, PASS_ROUND)
        to = before.publics[receiver(rules, seat, offset)]
        sources = passing.selected(before.hands[seat], positions)
        data, proof = passing.make_pass(before.secrets[seat], context, positions, sources, to)
        sent.append(ok(passing.check_pass(context, before.publics[seat], to, sources, data, proof)))
    hands: list[Deck] = []
    for seat in range(rules.seats):
        context = before.context(seat, REMASK_ROUND)
        received = sent[sender(rules, seat, offset)]
        source = passing.remask_input(before.hands[seat], positions, received)
        public = before.publics[seat]
        data, proof, after = passing.make_remask(before.secrets[seat], context, public, source)
        assert ok(passing.check_remask(context, public, source, data, proof)) == after
        hands.append(after)
    cards = tuple(
        read_hand(secret, before.encoding, hand)
        for secret, hand in zip(before.secrets, hands, strict=True)
    )
    return replace(before, hands=tuple(hands), cards=cards)


class Turn(NamedTuple):
    """One play of a hand, with all that its proof speaks of."""

    seat: int
    position: int
    ciphertext: Ciphertext
    card: Card
    remaining: Deck
    remaining_cards: tuple[Card, ...]
    claim: ClassSet | None
    state: PlayState
    """Before the play."""


def playout(hand: DealtHand, seed: int = 0) -> Iterator[Turn]:
    """Yield a whole hand of legal plays, chosen by `seed`."""
    choices = random.Random(seed)
    opening = hand.rules.opening_card
    leader = None if opening is None else hand.holder(opening)
    state = start_play(hand.rules, hand.dealer, leader)
    played: list[set[int]] = [set() for _ in range(hand.rules.seats)]
    while (seat := state.turn) is not None or state.widow_due:
        if seat is None:
            state = state.with_widow(open_widow(hand))
            continue
        cards = hand.cards[seat]
        held = {place: card for place, card in enumerate(cards) if place not in played[seat]}
        legal: CardSet = playable(card_set(held.values()), state)
        card = choices.choice(cards_in(legal))
        position = choices.choice([place for place, other in held.items() if other == card])
        played[seat].add(position)
        yield Turn(
            seat,
            position,
            hand.hands[seat][position],
            card,
            unplayed(hand.hands[seat], played[seat]),
            tuple(other for place, other in held.items() if place != position),
            claim(card, state),
            state,
        )
        state = state.play(card)


def open_widow(hand: DealtHand) -> tuple[Card, ...]:
    """Return the cards of the widow, opened by the shares of all seats."""
    opened = []
    for position in hand.deal.widow:
        ciphertext = hand.deck[position]
        shares = [secret.x() * ciphertext.a for secret in hand.secrets]
        card = deal.read_open(hand.encoding, ciphertext, shares)
        assert card is not None
        opened.append(card)
    return tuple(opened)
