"""The deal: keys, shuffles, sealed keys, complaints, shares (protocol/SPEC.md sections 4 and 7.3).

``judge_*`` says which rule a body breaks, if any; ``close_*`` draws the consequences of a round.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import cast

from p2p_hearts.cards.deal import check_shares, check_shuffle, first_deck, owned
from p2p_hearts.cards.escrow import Escrow as SplitKey
from p2p_hearts.cards.escrow import check_complaint, check_escrow
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.keys import check_key, joint_key
from p2p_hearts.crypto.elgamal import Deck, decode_deck
from p2p_hearts.crypto.group import IDENTITY, DecodeError, Element, decode_elements
from p2p_hearts.i18n import _
from p2p_hearts.record.audit.hand import again
from p2p_hearts.record.audit.hand.state import ContradictionError, HandState
from p2p_hearts.record.audit.memo import Said
from p2p_hearts.wire.faults import FLAW_RULES, Rule
from p2p_hearts.wire.messages import Escrow, Key, Seals, Shares, Shuffle, Widow


def judge_key(hand: HandState, said: Said, body: Key) -> Rule | None:
    """Check a commitment and a key share."""
    context = hand.context(said)
    result = hand.memo.once(
        said, partial(check_key, context, body.commitment, body.public, body.proof)
    )
    if isinstance(result, Flaw):
        return FLAW_RULES[result]
    hand.counts["key proofs"] += 1
    hand.commitments[said.seat] = body.commitment
    hand.heard[said.seat] = result
    hand.keep(said, (body.commitment, body.public, body.proof), again.key, context)
    return None


def judge_shuffle(hand: HandState, said: Said, body: Shuffle) -> Rule | None:
    """Check a shuffled deck."""
    context, key, deck = hand.context(said), hand.joint_key(), hand.decks[-1]
    result = hand.memo.once(
        said,
        partial(check_shuffle, context, key, deck, body.deck, body.proof),
        partial(decode_deck, body.deck, len(deck)),
    )
    if isinstance(result, Flaw):
        # The next seats have shuffled on, so the deck stands until all have; if it is one.
        try:
            hand.heard[said.seat] = decode_deck(body.deck, len(deck))
        except DecodeError:
            hand.heard[said.seat] = deck
        return FLAW_RULES[result]
    hand.counts["shuffle proofs"] += 1
    hand.heard[said.seat] = result
    hand.keep(said, (body.deck, body.proof), again.shuffle, context, key, deck)
    return None


def judge_escrow(hand: HandState, said: Said, body: Escrow) -> Rule | None:
    """Check a split key and its seals."""
    context, public = hand.context(said), hand.publics[said.seat]
    others = {seat: hand.setting.table_keys[seat] for seat in hand.keyed if seat != said.seat}
    result = hand.memo.once(
        said, partial(check_escrow, context, public, others, body.publics, body.seals)
    )
    if isinstance(result, Flaw):
        return FLAW_RULES[result]
    hand.counts["escrow proofs"] += 1
    hand.heard[said.seat] = result
    hand.keep(said, (body.publics, body.seals), again.escrow, context, others)
    return None


def judge_seals(hand: HandState, said: Said, body: Seals) -> Rule | None:
    """Check complaints, if any: a right one convicts the owner of the seal."""
    owners = [complaint.owner for complaint in body.complaints]
    may_be = [seat for seat in hand.keyed if seat != said.seat]
    if any(owner not in may_be for owner in owners) or any(
        low >= high for low, high in pairwise(owners)
    ):
        return Rule.COMPLAINT  # V72
    context = hand.context(said)
    for complaint in body.complaints:
        split = hand.splits[complaint.owner]
        flaw = check_complaint(context, split, complaint.point, complaint.proof)
        if flaw is not None:
            return FLAW_RULES[flaw]
    for owner in owners:
        hand.counts["complaints"] += 1
        hand.complained = owner if hand.complained is None else min(owner, hand.complained)
    hand.heard[said.seat] = True
    return None


def judge_shares(
    hand: HandState, said: Said, body: Shares | Widow, positions: tuple[int, ...]
) -> Rule | None:
    """Check the decryption shares for cards at these positions of the deck."""
    context, deck, public = hand.context(said), hand.decks[-1], hand.publics[said.seat]
    result = hand.memo.once(
        said,
        partial(check_shares, context, public, deck, positions, body.shares, body.proof),
        partial(decode_elements, body.shares, len(positions)),
    )
    if isinstance(result, Flaw):
        return FLAW_RULES[result]
    hand.counts["share proofs"] += 1
    hand.heard[said.seat] = dict(zip(positions, result, strict=True))
    hand.keep(said, (body.shares, body.proof), again.shares, context, deck, positions)
    return None


def close_key(hand: HandState, heard: dict[int, object]) -> None:
    """Add the key shares up; deck 0 follows."""
    hand.publics = {seat: cast(Element, heard[seat]) for seat in hand.keyed}
    key = joint_key(list(hand.publics.values()))
    if isinstance(key, Flaw):  # V11
        raise ContradictionError(_("the key shares add up to nothing"))
    hand.joint = key
    hand.decks = [first_deck(hand.setting.encoding, key)]


def close_shuffle(hand: HandState, heard: dict[int, object]) -> None:
    """Go on with the new deck."""
    # What is no deck changes nothing; the hand begins anew once all have shuffled.
    (deck,) = heard.values() or (hand.decks[-1],)
    hand.decks.append(cast(Deck, deck))
    hand.shuffled += 1


def close_escrow(hand: HandState, heard: dict[int, object]) -> None:
    """Keep the split keys."""
    hand.splits = {seat: cast(SplitKey, split) for seat, split in heard.items()}
    hand.has_escrowed = True


def close_seals(hand: HandState, heard: dict[int, object]) -> None:
    """Nothing is left to complain of."""
    hand.has_sealed = True


def close_shares(hand: HandState, heard: dict[int, object]) -> None:
    """Take the shares off: every hand is under its own key alone."""
    given = {seat: cast(dict[int, Element], heard[seat]) for seat in hand.keyed}
    deck = hand.decks[-1]
    hand.hands = [
        tuple(
            owned(deck[at], [given[other][at] for other in hand.keyed if other != seat])
            for at in hand.deal.hands[seat]
        )
        for seat in hand.seats
    ]
    if hand.keyless is not None:
        for card in hand.hands[hand.keyless]:
            hand.faces[card] = hand.face_of(card, IDENTITY)
    hand.dealt = list(hand.hands)
    if not hand.offset:
        hand.lay_down()
