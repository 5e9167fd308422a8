"""The deal of a hand: keys, shuffles, sealed keys, shares (protocol/SPEC.md sections 4 and 7.3).

Errors: a broken rule is a ``Rule``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from p2p_hearts.cards import deal, escrow, keys
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.crypto.elgamal import Deck, decode_deck
from p2p_hearts.crypto.group import DecodeError, Element
from p2p_hearts.crypto.transcript import Context
from p2p_hearts.rules.play import start_play
from p2p_hearts.table.hand.state import HandState, Job, Speech
from p2p_hearts.table.tasks import Task
from p2p_hearts.wire.faults import FLAW_RULES, Rule
from p2p_hearts.wire.messages import (
    Complaint,
    Escrow,
    Key,
    Kind,
    Seals,
    Shares,
    Shuffle,
    Widow,
)


def _take_key(hand: HandState, seat: int, context: Context, body: Key) -> Rule | None:
    public = keys.check_key(context, body.commitment, body.public, body.proof)
    if isinstance(public, Flaw):
        return FLAW_RULES[public]
    side = hand.sides[seat]
    side.commitment, side.public = body.commitment, public
    if seat == hand.seat and body.commitment != hand.secret.commitment():
        # Said before a backup was restored: that secret is gone.
        hand.lost = True
    said = (body.commitment, body.public, body.proof)
    side.said(said, lambda own: keys.make_key(own.secret, context))
    return None


def _close_key(hand: HandState) -> None:
    joint = keys.joint_key([hand.public_of(seat) for seat in hand.keyed])
    if isinstance(joint, Flaw):
        # Of proven shares once in 2**252 hands, or by all who have a key, together (V11).
        hand.is_undealt = True
        return
    hand.joint = joint
    hand.decks.append(deal.first_deck(hand.ground.encoding, joint))
    hand.facts = replace(hand.facts, keyed=True)


def _prepare_key(hand: HandState, context: Context) -> Callable[[], Key]:
    secret = hand.secret
    return lambda: Key(*keys.make_key(secret, context))


def _speak_key(hand: HandState, context: Context) -> Key:
    return _prepare_key(hand, context)()


def _take_shuffle(hand: HandState, seat: int, context: Context, body: Shuffle) -> Rule | None:
    """Decode now, so that the next seat can shuffle on; verify as a job."""
    before, joint, shuffles = hand.decks[-1], hand.joint_key(), hand.ground.shuffles
    try:
        after = decode_deck(body.deck, len(before))
    except DecodeError:
        return Rule.BODY

    def verify() -> Rule | None:
        result = shuffles.check(context, joint, before, body.deck, body.proof)
        return FLAW_RULES[result] if isinstance(result, Flaw) else None

    hand.decks.append(after)
    shuffles.forget()
    if seat != hand.seat:
        hand.jobs.append(Job(seat, context.round, Task(verify)))
    hand.sides[seat].said(
        (body.deck, body.proof),
        lambda own: deal.make_shuffle(own.secret, context, joint, before)[:2],
    )
    return None


def _close_shuffle(hand: HandState) -> None:
    hand.facts = replace(hand.facts, shuffles=hand.facts.shuffles + 1)


def _prepare_shuffle(hand: HandState, context: Context) -> Callable[[], Shuffle]:
    shuffles, secret = hand.ground.shuffles, hand.secret
    joint, before = hand.joint_key(), hand.decks[-1]
    return lambda: Shuffle(*shuffles.make(secret, context, joint, before))


def _speak_shuffle(hand: HandState, context: Context) -> Shuffle:
    return _prepare_shuffle(hand, context)()


def recipients(hand: HandState, owner: int) -> dict[int, Element]:
    """The table keys to which the key of a seat is sealed."""
    return {seat: hand.ground.table_keys[seat] for seat in hand.keyed if seat != owner}


def _take_escrow(hand: HandState, seat: int, context: Context, body: Escrow) -> Rule | None:
    keys_, public = recipients(hand, seat), hand.public_of(seat)
    split = escrow.check_escrow(context, public, keys_, body.publics, body.seals)
    if isinstance(split, Flaw):
        return FLAW_RULES[split]
    hand.sides[seat].split = split
    hand.sides[seat].said(
        (body.publics, body.seals), lambda own: escrow.make_escrow(own.secret, context, keys_)
    )
    return None


def _close_escrow(hand: HandState) -> None:
    hand.facts = replace(hand.facts, escrowed=True)


def _speak_escrow(hand: HandState, context: Context) -> Escrow:
    return Escrow(*escrow.make_escrow(hand.secret, context, recipients(hand, hand.seat)))


def _take_seals(hand: HandState, seat: int, context: Context, body: Seals) -> Rule | None:
    owners = [complaint.owner for complaint in body.complaints]
    if owners != sorted(set(owners) & set(hand.keyed) - {seat}):  # V72
        return Rule.COMPLAINT
    for complaint in body.complaints:
        split = hand.split_of(complaint.owner)
        flaw = escrow.check_complaint(context, split, complaint.point, complaint.proof)
        if flaw is not None:
            return FLAW_RULES[flaw]
    if owners:
        # Of several the lowest seat: the hand begins anew without it in any case.
        found = [owners[0]] if hand.complained is None else [owners[0], hand.complained]
        hand.complained = min(found)
    return None


def _close_seals(hand: HandState) -> None:
    hand.facts = replace(hand.facts, sealed=True)


def _speak_seals(hand: HandState, context: Context) -> Seals:
    complaints = []
    for owner in hand.keyed:
        if owner == hand.seat:
            continue
        split, key = hand.split_of(owner), hand.ground.table_key
        if escrow.open_seal(key, split, hand.seat) is None:
            made = escrow.make_complaint(key, context, split)
            complaints.append(Complaint(owner, *made))
    return Seals(complaints)


def shared_positions(hand: HandState, seat: int) -> tuple[int, ...]:
    """Deck positions dealt to others, ascending: the shares ``seat`` gives."""
    others = [dealt for owner, dealt in enumerate(hand.deal.hands) if owner != seat]
    return tuple(sorted(position for dealt in others for position in dealt))


def own_cards_of(hand: HandState, owner: int) -> Deck:
    """Return a hand as it is dealt, under its owner's key alone."""
    deck = hand.decks[-1]
    given = {
        seat: dict(zip(shared_positions(hand, seat), hand.sides[seat].shares, strict=True))
        for seat in hand.keyed
        if seat != owner
    }
    return tuple(
        deal.owned(deck[position], [shares[position] for shares in given.values()])
        for position in hand.deal.hands[owner]
    )


def judge_shares(
    hand: HandState,
    seat: int,
    context: Context,
    body: Shares | Widow,
    positions: tuple[int, ...],
) -> tuple[Element, ...] | Rule:
    """Judge the decryption shares that a seat gives for these deck positions."""
    deck = hand.decks[-1]
    shares = deal.check_shares(
        context, hand.public_of(seat), deck, positions, body.shares, body.proof
    )
    if isinstance(shares, Flaw):
        return FLAW_RULES[shares]
    hand.sides[seat].said(
        (body.shares, body.proof),
        lambda own: deal.make_shares(own.secret, context, deck, positions),
    )
    return shares


def _take_shares(hand: HandState, seat: int, context: Context, body: Shares) -> Rule | None:
    shares = judge_shares(hand, seat, context, body, shared_positions(hand, seat))
    if isinstance(shares, Rule):
        return shares
    hand.sides[seat].shares = shares
    return None


def _close_shares(hand: HandState) -> None:
    for owner, side in enumerate(hand.sides):
        side.hand = own_cards_of(hand, owner)
    if hand.keyless is not None:
        for card in hand.sides[hand.keyless].hand:
            face = hand.ground.encoding.card_of(card.b)
            if face is None:
                raise RuntimeError("a proven deck holds something that is no card")
            hand.known[card] = face
    hand.facts = replace(hand.facts, shared=True)
    hand.read_own_hand()
    if not hand.facts.passes:
        begin_play(hand)


def _speak_shares(hand: HandState, context: Context) -> Shares:
    positions = shared_positions(hand, hand.seat)
    return Shares(*deal.make_shares(hand.secret, context, hand.decks[-1], positions))


def begin_play(hand: HandState) -> None:
    """Begin the play, unless a round for the opening card comes before it."""
    if not hand.facts.opens:
        hand.play = start_play(hand.ground.rules, hand.dealer)


SPEECHES: Mapping[Kind, Speech] = MappingProxyType(
    {
        Kind.KEY: Speech(_take_key, _close_key, _speak_key, _prepare_key),
        Kind.SHUFFLE: Speech(_take_shuffle, _close_shuffle, _speak_shuffle, _prepare_shuffle),
        Kind.ESCROW: Speech(_take_escrow, _close_escrow, _speak_escrow),
        Kind.SEALS: Speech(_take_seals, _close_seals, _speak_seals),
        Kind.SHARES: Speech(_take_shares, _close_shares, _speak_shares),
    }
)
