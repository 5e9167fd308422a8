"""The pass of a hand: selection, transfer, re-mask (protocol/SPEC.md section 4.4 and 4.5).

Errors: a broken rule is a ``Rule``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from p2p_hearts.cards import passing
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.crypto.elgamal import Deck
from p2p_hearts.crypto.group import Element
from p2p_hearts.crypto.transcript import Context
from p2p_hearts.rules.cards import card_set
from p2p_hearts.rules.passing import receiver, sender
from p2p_hearts.table.hand.dealing import begin_play
from p2p_hearts.table.hand.state import HandState, Speech
from p2p_hearts.wire.faults import FLAW_RULES, Rule
from p2p_hearts.wire.messages import Kind, Pass, PassSelect, Remask


def _take_pass_select(hand: HandState, seat: int, _: Context, body: PassSelect) -> Rule | None:
    rules = hand.ground.rules
    flaw = passing.check_selection(body.positions, rules.pass_count, rules.hand_size)
    if flaw is not None:
        return FLAW_RULES[flaw]
    hand.sides[seat].selection = tuple(body.positions)
    if seat == hand.seat and hand.reads_own:
        hand.passed = card_set(hand.cards[at] for at in body.positions)
    return None


def _close_pass_select(hand: HandState) -> None:
    hand.facts = replace(hand.facts, selected=True)


def _speak_pass_select(hand: HandState, _: Context) -> PassSelect:
    return PassSelect(list(hand.chosen_pass or ()))


def pass_terms(hand: HandState, seat: int) -> tuple[tuple[int, ...], Deck, Element]:
    """What the pass of a seat is about: positions, its ciphertexts there, receiver's key."""
    side = hand.sides[seat]
    to = receiver(hand.ground.rules, seat, hand.offset)
    return side.selection, passing.selected(side.hand, side.selection), hand.public_of(to)


def _take_pass(hand: HandState, seat: int, context: Context, body: Pass) -> Rule | None:
    positions, sources, receiver_key = pass_terms(hand, seat)
    cards = passing.check_pass(
        context, hand.public_of(seat), receiver_key, sources, body.cards, body.proof
    )
    if isinstance(cards, Flaw):
        return FLAW_RULES[cards]
    hand.sides[seat].transfer = cards
    hand.sides[seat].said(
        (body.cards, body.proof),
        lambda own: passing.make_pass(own.secret, context, positions, sources, receiver_key),
    )
    return None


def _close_pass(hand: HandState) -> None:
    rules = hand.ground.rules
    inputs = [
        passing.remask_input(
            side.hand,
            side.selection,
            hand.sides[sender(rules, seat, hand.offset)].transfer,
        )
        for seat, side in enumerate(hand.sides)
    ]
    for side, cards in zip(hand.sides, inputs, strict=True):
        side.hand = cards
    hand.facts = replace(hand.facts, passed=True)
    count = rules.pass_count
    if hand.reads_own:
        own = hand.sides[hand.seat].hand[-count:]
        hand.received = card_set(hand.read(card) for card in own)


def _speak_pass(hand: HandState, context: Context) -> Pass:
    positions, sources, receiver_key = pass_terms(hand, hand.seat)
    return Pass(*passing.make_pass(hand.secret, context, positions, sources, receiver_key))


def _take_remask(hand: HandState, seat: int, context: Context, body: Remask) -> Rule | None:
    side, public = hand.sides[seat], hand.public_of(seat)
    before = side.hand
    after = passing.check_remask(context, public, before, body.deck, body.proof)
    if isinstance(after, Flaw):
        return FLAW_RULES[after]
    side.remasked = after
    side.said(
        (body.deck, body.proof),
        lambda own: passing.make_remask(own.secret, context, public, before)[:2],
    )
    return None


def _close_remask(hand: HandState) -> None:
    for side in hand.sides:
        side.hand = side.remasked
    hand.facts = replace(hand.facts, remasked=True)
    hand.read_own_hand()
    begin_play(hand)


def _speak_remask(hand: HandState, context: Context) -> Remask:
    own = hand.sides[hand.seat].hand
    made = passing.make_remask(hand.secret, context, hand.public_of(hand.seat), own)
    return Remask(made[0], made[1])


SPEECHES: Mapping[Kind, Speech] = MappingProxyType(
    {
        Kind.PASS_SELECT: Speech(_take_pass_select, _close_pass_select, _speak_pass_select),
        Kind.PASS: Speech(_take_pass, _close_pass, _speak_pass),
        Kind.REMASK: Speech(_take_remask, _close_remask, _speak_remask),
    }
)
