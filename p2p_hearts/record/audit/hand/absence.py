"""A hand in which a seat is away: its cards opened in parts, and what a dummy does.

protocol/SPEC.md sections 7.5 and 7.6.
"""

from __future__ import annotations

from functools import partial
from typing import cast

from p2p_hearts.cards.deal import owned
from p2p_hearts.cards.escrow import check_opening
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.crypto.elgamal import Ciphertext, Deck
from p2p_hearts.crypto.group import BASE, Element, sum_elements
from p2p_hearts.i18n import _
from p2p_hearts.record.audit.hand.state import ContradictionError, HandState, Waits
from p2p_hearts.record.audit.memo import Said
from p2p_hearts.rules.cards import card_set
from p2p_hearts.rules.dummy import CHOICE, dummy_card, dummy_pass
from p2p_hearts.rules.passing import receiver
from p2p_hearts.wire.faults import FLAW_RULES, Rule
from p2p_hearts.wire.messages import Kind, Openings


def judge_openings(hand: HandState, said: Said, body: Openings) -> Rule | None:
    """Check the parts of a seat that opens what an absent one alone could read."""
    away, waits = hand.away, hand.waits
    if away is None or waits is None:
        raise ContradictionError(_("cards are opened while everybody is here"))
    context, public = hand.context(said), hand.splits[away].publics[said.seat]
    result = hand.memo.once(
        said,
        partial(check_opening, context, away, public, waits.cards, body.points, body.proof),
    )
    if isinstance(result, Flaw):
        return FLAW_RULES[result]
    hand.counts["opening parts"] += 1
    hand.heard[said.seat] = result
    return None


def what_waits(hand: HandState, kind: Kind, heard: dict[int, object]) -> Waits | None:
    """Return what has to be opened before a round can be concluded, if anything."""
    away = hand.away
    if away is None or kind in (Kind.CHOICE, Kind.REVEAL):
        return None
    deck = hand.decks[-1]
    shares: Deck = ()
    widow: Deck = ()
    if kind is Kind.SHARES:
        given = {seat: cast(dict[int, Element], heard[seat]) for seat in hand.present}
        cards = tuple(
            owned(deck[at], [part[at] for part in given.values()]) for at in hand.deal.hands[away]
        )
        if away not in heard:
            shares = tuple(deck[at] for at in hand.given_by(away))
    else:
        cards = tuple(hand.closed[away].values()) if hand.closed else hand.hands[away]
    if kind is Kind.WIDOW and away not in heard:
        widow = tuple(deck[at] for at in hand.deal.widow)
    unread = tuple(card for card in cards if card not in hand.faces)
    waits = Waits(kind, heard, shares, unread, widow)
    return waits if waits.cards else None


def close_openings(hand: HandState, heard: dict[int, object]) -> Waits:
    """Put in what has been opened; return the round that waited for it and can be concluded."""
    waits, away, hand.waits = hand.waits, hand.away, None
    if waits is None or away is None:
        raise ContradictionError(_("cards are opened while everybody is here"))
    parts = [cast(tuple[Element, ...], heard[seat]) for seat in hand.present]
    sums = [sum_elements(column) for column in zip(*parts, strict=True)]
    first, last = len(waits.shares), len(waits.shares) + len(waits.hand)
    if waits.shares:
        waits.heard[away] = dict(zip(hand.given_by(away), sums[:first], strict=True))
    if waits.widow:
        waits.heard[away] = dict(zip(hand.deal.widow, sums[last:], strict=True))
    for card, mask in zip(waits.hand, sums[first:last], strict=True):
        hand.faces[card] = hand.face_of(card, mask)
    return waits


def stand_in(hand: HandState, kind: Kind, away: int, heard: dict[int, object]) -> None:
    """Put in what a seat that is away does in this round, by the rules for dummies."""
    if kind in (Kind.PASS_SELECT, Kind.PASS, Kind.REMASK):
        cards = hand.hands[away]
    if kind is Kind.PASS_SELECT:
        faces = [hand.faces[card] for card in cards]
        free, chosen = list(enumerate(faces)), []
        for face in dummy_pass(hand.rules, card_set(faces)):
            entry = next(item for item in free if item[1] == face)
            free.remove(entry)
            chosen.append(entry[0])
        heard[away] = tuple(sorted(chosen))
    elif kind is Kind.PASS:
        key = hand.publics[receiver(hand.rules, away, hand.offset)]
        encoding = hand.setting.encoding
        heard[away] = tuple(
            Ciphertext(BASE, encoding.point(hand.faces[cards[at]]) + key)
            for at in hand.selections[away]
        )
    elif kind is Kind.REMASK:
        heard[away] = cards
    elif kind is Kind.CHOICE:
        heard[away] = CHOICE


def play_dummy(hand: HandState) -> None:
    """Play for a dummy, whose cards lie open, while it is its turn: not while a widow is due."""
    seat = hand.dummy
    if seat is None:
        return
    while True:
        play = hand.play
        if play is None or play.turn != seat:
            return
        held = {at: hand.faces[card] for at, card in hand.closed[seat].items()}
        face = dummy_card(card_set(held.values()), play)
        at = min(at for at, other in held.items() if other == face)
        del hand.closed[seat][at]
        hand.counts["plays of dummies"] += 1
        hand.play = play.play(face)
