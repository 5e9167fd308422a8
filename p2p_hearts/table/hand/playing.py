"""The play of a hand and its end: cards, claims, widow, reveal (protocol/SPEC.md section 5).

Errors: a broken rule is a ``Rule``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from p2p_hearts.cards import claim as claiming
from p2p_hearts.cards import deal, play
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.rerun import Step, rerun_step
from p2p_hearts.cards.reveal import check_commitment
from p2p_hearts.crypto.elgamal import Deck
from p2p_hearts.crypto.transcript import Context
from p2p_hearts.rules.cards import ALL_CLASSES, Card, CardClass, ClassSet, card_set
from p2p_hearts.rules.dummy import CHOICE
from p2p_hearts.rules.play import claim, start_play
from p2p_hearts.rules.rest import claim_rest
from p2p_hearts.rules.score import MoonChoice
from p2p_hearts.table.hand.dealing import judge_shares
from p2p_hearts.table.hand.state import HandState, Job, Revealed, Speech
from p2p_hearts.table.tasks import Task
from p2p_hearts.wire.faults import FLAW_RULES, Rule, legality_rule
from p2p_hearts.wire.messages import Choice, Claim, Kind, Open, Play, Reveal, Widow

LAST_ROUND = -1
"""The round of a check that is about the whole hand: the one that reveals the secret."""


def _take_open(hand: HandState, seat: int, context: Context, body: Open) -> Rule | None:
    side, encoding, opening = hand.sides[seat], hand.ground.encoding, hand.opening_card()
    public, position = hand.public_of(seat), body.position
    if position is None:
        everything = side.hand
        flaw = play.check_no_opening(context, public, encoding, everything, body.proof)
        if flaw is not None:
            return FLAW_RULES[flaw]
        side.excluded = ClassSet(side.excluded | 1 << CardClass.OPENING)
        places = range(len(everything))

        def again(own: Revealed) -> tuple[bytes, ...]:
            args = (own.secret, context, public, encoding, everything, own.cards_at(places))
            return (play.make_no_opening(*args),)

        side.said((body.proof,), again)
        return None
    if position >= len(side.hand):  # V27
        return Rule.POSITION
    rule = _judge_card(hand, seat, context, position, opening, (), None, body.proof)
    if rule is not None:
        return Rule.OPENING_PROOF if rule is Rule.CARD else rule
    side.opener = position
    return None


def _judge_card(
    hand: HandState,
    seat: int,
    context: Context,
    position: int,
    card: Card,
    others: Sequence[int],
    due: ClassSet | None,
    proof: bytes,
) -> Rule | None:
    """Judge the proof that a seat's position holds a card, and keep the card as played.

    ``due``: the classes that the cards at ``others`` are proven to be of; ``None`` where nothing
    is proven of them.
    """
    side, public, encoding = hand.sides[seat], hand.public_of(seat), hand.ground.encoding
    source, places = side.hand[position], tuple(others)
    remaining: Deck = tuple(side.hand[at] for at in places)
    flaw = play.check_play(context, public, encoding, source, card, remaining, due, proof)
    if flaw is not None:
        return legality_rule(hand.state(), card) if flaw is Flaw.REVOKE else FLAW_RULES[flaw]
    side.opened[position] = card

    def again(own: Revealed) -> tuple[bytes, ...]:
        held = own.cards_at(places)
        args = (own.secret, context, public, encoding, source, card, remaining, held, due)
        return (play.make_play(*args),)

    side.said((proof,), again)
    return None


def _close_open(hand: HandState) -> None:
    openers = [seat for seat, side in enumerate(hand.sides) if side.opener is not None]
    if len(openers) != 1:
        raise RuntimeError("proofs show the opening card in no hand or in two")
    rules = hand.ground.rules
    hand.play = start_play(rules, hand.dealer, openers[0]).play(hand.opening_card())
    hand.facts = replace(hand.facts, opened=True)


def _speak_open(hand: HandState, context: Context) -> Open:
    opening, side = hand.opening_card(), hand.sides[hand.seat]
    common = (hand.secret, context, hand.public_of(hand.seat), hand.ground.encoding)
    if opening not in hand.cards:
        return Open(None, play.make_no_opening(*common, side.hand, hand.cards))
    at = hand.cards.index(opening)
    return Open(at, play.make_play(*common, side.hand[at], opening, (), (), None))


def _take_play(hand: HandState, seat: int, context: Context, body: Play) -> Rule | None:
    state, side, card = hand.state(), hand.sides[seat], Card(body.card)
    if body.position not in side.held:  # V31
        return Rule.POSITION
    try:
        after = state.play(card)  # V32
    except ValueError:
        return Rule.CARD
    due = claim(card, state)
    others = [at for at in side.held if at != body.position]
    rule = _judge_card(hand, seat, context, body.position, card, others, due, body.proof)
    if rule is not None:
        return rule
    if due is not None:
        side.excluded = ClassSet(side.excluded | (ALL_CLASSES & ~due))
    hand.play = after
    return None


def _speak_play(hand: HandState, context: Context) -> Play:
    state, side, card = hand.state(), hand.sides[hand.seat], hand.chosen_card
    if card is None:
        raise ValueError("no card was chosen")
    held = side.held
    at = next(at for at in held if hand.cards[at] == card)
    held.remove(at)
    proof = play.make_play(
        hand.secret,
        context,
        hand.public_of(hand.seat),
        hand.ground.encoding,
        side.hand[at],
        card,
        tuple(side.hand[other] for other in held),
        [hand.cards[other] for other in held],
        claim(card, state),
    )
    return Play(at, card, proof)


def _take_claim(hand: HandState, seat: int, context: Context, body: Claim) -> Rule | None:
    side, public, encoding = hand.sides[seat], hand.public_of(seat), hand.ground.encoding
    places = side.held
    remaining = tuple(side.hand[at] for at in places)
    cards = tuple(Card(card) for card in body.cards)
    flaw = claiming.check_claim(context, public, encoding, remaining, cards, body.proof)
    if flaw is not None:
        return FLAW_RULES[flaw]
    try:
        after = claim_rest(hand.state(), seat, card_set(cards))  # V45
    except ValueError:
        return Rule.CLAIM
    side.opened.update(zip(places, cards, strict=True))
    side.said(
        (body.proof,),
        lambda own: (claiming.make_claim(own.secret, context, public, encoding, remaining, cards),),
    )
    hand.play = after
    return None


def _speak_claim(hand: HandState, context: Context) -> Claim:
    side = hand.sides[hand.seat]
    places = side.held
    cards = [hand.cards[at] for at in places]
    proof = claiming.make_claim(
        hand.secret,
        context,
        hand.public_of(hand.seat),
        hand.ground.encoding,
        tuple(side.hand[at] for at in places),
        cards,
    )
    return Claim([int(card) for card in cards], proof)


def _close_play(hand: HandState) -> None:
    hand.chosen_card, hand.chosen_claim = None, False
    note_play(hand)


def note_play(hand: HandState) -> None:
    """Draw from the play what the next round is."""
    state = hand.state()
    hand.facts = replace(
        hand.facts,
        play_over=state.over,
        widow_waits=state.widow_due,
        choice_waits=state.over and chooser(hand) is not None,
    )


def _take_widow(hand: HandState, seat: int, context: Context, body: Widow) -> Rule | None:
    shares = judge_shares(hand, seat, context, body, hand.deal.widow)
    if isinstance(shares, Rule):
        return shares
    hand.sides[seat].widow = shares
    return None


def _close_widow(hand: HandState) -> None:
    cards: list[Card] = []
    for number, position in enumerate(hand.deal.widow):
        shares = [hand.sides[seat].widow[number] for seat in hand.keyed]
        card = deal.read_open(hand.ground.encoding, hand.decks[-1][position], shares)
        if card is None:
            raise RuntimeError("a proven deck holds something that is no card")
        cards.append(card)
    hand.play = hand.state().with_widow(cards)
    _close_play(hand)


def _speak_widow(hand: HandState, context: Context) -> Widow:
    return Widow(*deal.make_shares(hand.secret, context, hand.decks[-1], hand.deal.widow))


def chooser(hand: HandState) -> int | None:
    """Who is to choose how its moon counts; a dummy's choice is known."""
    shooter = hand.shooter()
    if shooter is not None and shooter == hand.dummy:
        hand.moon = CHOICE
        return None
    return None if hand.moon is not None else shooter


def _take_choice(hand: HandState, seat: int, _: Context, body: Choice) -> Rule | None:
    try:
        hand.moon = MoonChoice(body.moon)  # V38
    except ValueError:
        return Rule.CHOICE
    return None


def _close_choice(hand: HandState) -> None:
    hand.facts = replace(hand.facts, choice_waits=False)


def _speak_choice(hand: HandState, _: Context) -> Choice:
    return Choice(str(hand.chosen_moon))


def _take_reveal(hand: HandState, seat: int, context: Context, body: Reveal) -> Rule | None:
    place = (hand.ground.table, hand.number, hand.attempt, seat)
    side = hand.sides[seat]
    flaw = check_commitment(*place, side.commitment, body.secret)
    if flaw is not None:
        return FLAW_RULES[flaw]
    side.secret = body.secret
    return None


def _close_reveal(hand: HandState) -> None:
    """Queue the re-run of every other seat."""
    hand.facts = replace(hand.facts, revealed=True)
    for seat, side in enumerate(hand.sides):
        if seat == hand.seat or not side.secret:
            continue
        hand.jobs.append(Job(seat, LAST_ROUND, Task(rerun(hand.revealed(seat), side.steps))))


def _speak_reveal(hand: HandState, _: Context) -> Reveal:
    return Reveal(hand.secret.z, list(hand.evidence))


def rerun(own: Revealed, steps: Sequence[Step[Revealed]]) -> Callable[[], Rule | None]:
    """Return what makes all again that a seat has said until now."""
    said = tuple(steps)

    def run() -> Rule | None:
        flaws = (rerun_step(own, step) for step in said)
        return next((FLAW_RULES[flaw] for flaw in flaws if flaw is not None), None)

    return run


SPEECHES: Mapping[Kind, Speech] = MappingProxyType(
    {
        Kind.OPEN: Speech(_take_open, _close_open, _speak_open),
        Kind.PLAY: Speech(_take_play, _close_play, _speak_play),
        Kind.CLAIM: Speech(_take_claim, _close_play, _speak_claim),
        Kind.WIDOW: Speech(_take_widow, _close_widow, _speak_widow),
        Kind.CHOICE: Speech(_take_choice, _close_choice, _speak_choice),
        Kind.REVEAL: Speech(_take_reveal, _close_reveal, _speak_reveal),
    }
)
