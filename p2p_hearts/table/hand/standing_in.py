"""A seat whose player is away: what is opened of it, and what it does (protocol/SPEC.md 7.5, 7.6).

Its cards lie open: from the start if it has no key in this hand, else once the others have opened
them in parts. What it then says nothing about follows from a public policy (``rules.dummy``).

Errors: a broken rule is a ``Rule``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from p2p_hearts.cards import escrow
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.crypto.elgamal import Ciphertext
from p2p_hearts.crypto.group import BASE, sum_elements
from p2p_hearts.crypto.transcript import Context
from p2p_hearts.rules.cards import EMPTY, Card, CardSet, card_set
from p2p_hearts.rules.dummy import CHOICE, dummy_card, dummy_pass
from p2p_hearts.rules.passing import receiver
from p2p_hearts.table.hand import dealing, playing
from p2p_hearts.table.hand.state import HandState, Speech
from p2p_hearts.wire.faults import FLAW_RULES, Rule
from p2p_hearts.wire.messages import Kind, Openings


def to_open(hand: HandState, kind: Kind | None) -> tuple[Ciphertext, ...]:
    """Return what the seats that are here open together, in an order that everybody knows.

    While ``kind`` waits to be closed: the shares that the absent seat owes others, then its own
    unplayed cards that nobody has read, then the widow's.
    """
    if hand.away is None:
        return ()
    deck, side, found = hand.decks[-1], hand.sides[hand.away], list[Ciphertext]()
    if kind is Kind.SHARES:
        if not side.shares:
            found += [deck[at] for at in dealing.shared_positions(hand, hand.away)]
        cards = dealing.own_cards_of(hand, hand.away)
    else:
        cards = side.hand
    found += [
        card for at, card in enumerate(cards) if at not in side.opened and card not in hand.known
    ]
    if kind is Kind.WIDOW and not side.widow:
        found += [deck[at] for at in hand.deal.widow]
    return tuple(found)


def _take_openings(hand: HandState, seat: int, context: Context, body: Openings) -> Rule | None:
    split = hand.split_of(hand.seat_away())
    cards = to_open(hand, hand.postponed)
    points = escrow.check_opening(
        context, hand.seat_away(), split.publics[seat], cards, body.points, body.proof
    )
    if isinstance(points, Flaw):
        return FLAW_RULES[points]
    hand.sides[seat].points = points
    return None


def _speak_openings(hand: HandState, context: Context) -> Openings:
    away = hand.seat_away()
    share = escrow.open_seal(hand.ground.table_key, hand.split_of(away), hand.seat)
    if share is None:
        raise RuntimeError("a seal that opened right no longer does")
    cards = to_open(hand, hand.postponed)
    return Openings(*escrow.make_opening(hand.secret, context, away, share, cards))


def _close_openings(hand: HandState) -> None:
    """Take off what was opened. The round that waited for it, if one did, can be closed then."""
    side, kind = hand.sides[hand.seat_away()], hand.postponed
    cards = to_open(hand, kind)
    sums = [
        sum_elements(hand.sides[seat].points[number] for seat in hand.present)
        for number in range(len(cards))
    ]
    count = 0
    if kind is Kind.SHARES and not side.shares:
        count = len(dealing.shared_positions(hand, hand.seat_away()))
        side.shares = tuple(sums[:count])
    widow = len(hand.deal.widow) if kind is Kind.WIDOW and not side.widow else 0
    if widow:
        side.widow = tuple(sums[len(sums) - widow :])
    for card, mask in zip(
        cards[count : len(cards) - widow], sums[count : len(sums) - widow], strict=True
    ):
        face = hand.ground.encoding.card_of(card.b - mask)
        if face is None:
            raise RuntimeError("a proven hand holds something that is no card")
        hand.known[card] = face
    hand.facts = replace(hand.facts, openings_wait=False)


def speak_for(hand: HandState, kind: Kind) -> None:
    """Do in a round what a dummy would have said in it, if there is one that said nothing."""
    seat = hand.dummy
    if seat is None:
        return
    side, rules = hand.sides[seat], hand.ground.rules
    if kind is Kind.PASS_SELECT and not side.selection:
        cards = [hand.known[card] for card in side.hand]
        side.selection = _places(cards, dummy_pass(rules, card_set(cards)))
    elif kind is Kind.PASS and not side.transfer:
        to = hand.public_of(receiver(rules, seat, hand.offset))
        side.transfer = tuple(
            Ciphertext(BASE, hand.ground.encoding.point(hand.known[side.hand[at]]) + to)
            for at in side.selection
        )
    elif kind is Kind.REMASK and not side.remasked:
        side.remasked = side.hand
    elif kind is Kind.OPEN and side.opener is None:
        opening = hand.opening_card()
        cards = [hand.known[card] for card in side.hand]
        if opening in cards:
            side.opener = cards.index(opening)
            side.opened[side.opener] = opening
    elif kind is Kind.CHOICE and hand.moon is None:
        hand.moon = CHOICE


def play_dummy(hand: HandState) -> None:
    """Play for a dummy, whose cards are open, as long as it is its turn."""
    seat = hand.dummy
    if seat is None:
        return
    side = hand.sides[seat]
    while hand.play is not None and hand.play.turn == seat:
        held = {at: hand.known[card] for at, card in enumerate(side.hand) if at not in side.opened}
        card = dummy_card(card_set(held.values()), hand.play)
        side.opened[min(at for at, other in held.items() if other == card)] = card
        hand.play = hand.play.play(card)
        playing.note_play(hand)


def open_cards(hand: HandState, seat: int) -> CardSet:
    """Return the cards of a dummy that it has not played; none of anybody else."""
    if hand.facts.play_over:
        return EMPTY
    side = hand.sides[seat]
    return card_set(
        hand.known[card]
        for at, card in enumerate(side.hand)
        if at not in side.opened and card in hand.known
    )


def _places(cards: list[Card], chosen: tuple[Card, ...]) -> tuple[int, ...]:
    """Return the lowest places that hold these cards."""
    free = list(range(len(cards)))
    found = []
    for card in chosen:
        at = next(at for at in free if cards[at] == card)
        free.remove(at)
        found.append(at)
    return tuple(sorted(found))


SPEECHES: Mapping[Kind, Speech] = MappingProxyType(
    {Kind.OPENINGS: Speech(_take_openings, _close_openings, _speak_openings)}
)
