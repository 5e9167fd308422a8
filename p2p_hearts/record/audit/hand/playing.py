"""The play: opening, cards, claims, the widow, the choice (protocol/SPEC.md sections 4.6 and 5)."""

from __future__ import annotations

from functools import partial
from typing import cast

from p2p_hearts.cards.claim import check_claim
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.play import check_no_opening, check_play, proof_due
from p2p_hearts.crypto.group import Element, sum_elements
from p2p_hearts.i18n import _
from p2p_hearts.record.audit.hand import again
from p2p_hearts.record.audit.hand.state import ContradictionError, HandState
from p2p_hearts.record.audit.memo import Said
from p2p_hearts.rules.cards import Card, card_set, contains
from p2p_hearts.rules.play import PlayState, start_play
from p2p_hearts.rules.play import claim as said_of_rest
from p2p_hearts.rules.rest import claim_rest
from p2p_hearts.rules.score import MoonChoice
from p2p_hearts.wire.faults import FLAW_RULES, Rule, legality_rule
from p2p_hearts.wire.messages import Choice, Claim, Open, Play


def judge_open(hand: HandState, said: Said, body: Open) -> Rule | None:
    """Check an opening card, or the proof that a hand has none."""
    seat, position, encoding = said.seat, body.position, hand.setting.encoding
    context, public, card = hand.context(said), hand.publics[seat], hand.opening_card()
    cards = hand.hands[seat]
    if position is None:
        flaw = hand.memo.once(
            said,
            partial(check_no_opening, context, public, encoding, cards, body.proof),
            nothing_wrong,
        )
        hand.keep(said, (body.proof,), again.no_opening, context, public, cards)
    elif position not in hand.closed[seat]:  # V27
        return Rule.POSITION
    else:
        source = cards[position]
        flaw = hand.memo.once(
            said,
            partial(check_play, context, public, encoding, source, card, (), None, body.proof),
            nothing_wrong,
        )
        if flaw is Flaw.CARD_PROOF:
            return Rule.OPENING_PROOF
        hand.keep(
            said, (body.proof,), again.play, context, public, again.Shown(source, card, (), None)
        )
    if flaw is not None:
        return FLAW_RULES[flaw]
    hand.counts["opening proofs"] += 1
    hand.heard[seat] = position
    return None


def judge_play(hand: HandState, said: Said, body: Play) -> Rule | None:
    """Check a play: position, card, and the proofs that it is that card and legal."""
    seat, card, state = said.seat, Card(body.card), hand.played()
    closed = hand.closed[seat]
    if body.position not in closed:  # V31
        return Rule.POSITION
    if not contains(state.unseen, card):  # V32
        return Rule.CARD
    context, public, encoding = hand.context(said), hand.publics[seat], hand.setting.encoding
    source, due = closed[body.position], said_of_rest(card, state)
    rest = tuple(other for at, other in closed.items() if at != body.position)
    flaw = hand.memo.once(
        said,
        partial(check_play, context, public, encoding, source, card, rest, due, body.proof),
        nothing_wrong,
    )
    if flaw is Flaw.REVOKE:
        return legality_rule(state, card)
    if flaw is not None:
        return FLAW_RULES[flaw]
    hand.counts["plays"] += 1
    hand.counts["class proofs"] += proof_due(due, rest)
    hand.heard[seat] = (body.position, card)
    shown = again.Shown(source, card, rest, due)
    hand.keep(said, (body.proof,), again.play, context, public, shown)
    return None


def judge_claim(hand: HandState, said: Said, body: Claim) -> Rule | None:
    """Check a claim of all cards left."""
    seat, cards = said.seat, tuple(Card(card) for card in body.cards)
    context, public, encoding = hand.context(said), hand.publics[seat], hand.setting.encoding
    held = tuple(hand.closed[seat].values())
    flaw = hand.memo.once(
        said,
        partial(check_claim, context, public, encoding, held, cards, body.proof),
        nothing_wrong,
    )
    if flaw is not None:
        return FLAW_RULES[flaw]
    try:
        after = claim_rest(hand.played(), seat, card_set(cards))  # V45
    except ValueError:
        return Rule.CLAIM
    hand.counts["claims"] += 1
    hand.heard[seat] = after
    hand.keep(said, (body.proof,), again.claim, context, public, held, cards)
    return None


def judge_choice(hand: HandState, said: Said, body: Choice) -> Rule | None:
    """Check what a shooter chose."""
    if body.moon not in list(MoonChoice):  # V38
        return Rule.CHOICE
    hand.heard[said.seat] = MoonChoice(body.moon)
    return None


def close_open(hand: HandState, heard: dict[int, object]) -> None:
    """One seat must hold the opening card; it leads."""
    opening, seat = hand.opening_card(), hand.dummy
    if seat is not None and seat not in heard:
        places = [at for at, card in hand.closed[seat].items() if hand.faces[card] == opening]
        heard[seat] = places[0] if places else None
    openers = [seat for seat in hand.seats if heard[seat] is not None]
    if len(openers) != 1:
        raise ContradictionError(
            _("{n} seats have proven to hold the opening card").format(n=len(openers))
        )
    (seat,) = openers
    hand.shown[hand.closed[seat].pop(cast(int, heard[seat]))] = opening
    start = start_play(hand.rules, hand.dealer, seat)
    hand.play = start.play(hand.opening_card())
    hand.has_opened = True


def close_play(hand: HandState, heard: dict[int, object]) -> None:
    """Play the card, or all that is left."""
    if not heard:
        return  # Its speaker is away; its cards lie open now.
    ((seat, played),) = heard.items()
    if isinstance(played, PlayState):
        # A claim: its seat's cards lie open, and everything left is taken.
        hand.closed[seat].clear()
        hand.play = played
        return
    position, card = cast(tuple[int, Card], played)
    hand.shown[hand.closed[seat].pop(position)] = card
    hand.play = hand.played().play(card)


def close_widow(hand: HandState, heard: dict[int, object]) -> None:
    """Open the widow."""
    given = [cast(dict[int, Element], heard[seat]) for seat in hand.keyed]
    cards: list[Card] = []
    for at in hand.deal.widow:
        mask = sum_elements(shares[at] for shares in given)
        cards.append(hand.face_of(hand.decks[-1][at], mask))
    try:
        hand.play = hand.played().with_widow(cards)
    except ValueError as error:
        raise ContradictionError(_("the widow: {reason}").format(reason=error)) from None


def close_choice(hand: HandState, heard: dict[int, object]) -> None:
    """Keep the choice."""
    (choice,) = heard.values()
    hand.choice = cast(MoonChoice, choice)


def nothing_wrong() -> Flaw | None:
    """What a check without a result returns if all is right."""
    return None
