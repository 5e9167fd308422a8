"""From a hand as the table knows it to a ``View``: what one seat may know, and nothing else."""

from __future__ import annotations

from p2p_hearts.rules.cards import EMPTY, CardSet, remove
from p2p_hearts.rules.match import Match
from p2p_hearts.rules.passing import receiver
from p2p_hearts.rules.view import NOBODY, Phase, View
from p2p_hearts.table.hand import Hand
from p2p_hearts.wire.messages import Kind


def make_view(hand: Hand, match: Match, decision: Kind | None) -> View:
    """Return the view of the seat that ``hand`` belongs to, or of somebody who watches.

    ``decision`` is what the table waits for from this seat's player: only then is anything legal.
    """
    rules = hand.ground.rules
    return View(
        rules=rules,
        seat=hand.seat,
        phase=_phase(hand, match, decision),
        hand_number=hand.number,
        dealer=hand.dealer,
        offset=hand.offset,
        match=match,
        hand=hand.own_cards,
        passed=hand.own_pass,
        received=hand.received,
        play=hand.play,
        legal=hand.legal() if decision is Kind.PLAY else EMPTY,
        counts=tuple(_count(hand, seat) for seat in range(rules.seats)),
        void_classes=tuple(side.excluded for side in hand.sides),
        known=tuple(_known(hand, seat) for seat in range(rules.seats)),
        may_claim=decision is Kind.PLAY and hand.may_claim(),
        dummy=hand.dummy,
    )


def _phase(hand: Hand, match: Match, decision: Kind | None) -> Phase:
    facts = hand.facts
    if match.over:
        return Phase.MATCH_OVER
    if decision is Kind.PASS_SELECT:
        return Phase.PASS
    if decision is Kind.CHOICE:
        return Phase.CHOOSE_MOON
    if not facts.shared or (hand.seat == NOBODY and facts.passes and not facts.remasked):
        # Whoever watches sees nothing of the pass.
        return Phase.DEAL
    if facts.passes and not facts.remasked:
        return Phase.WAIT_PASS
    return Phase.HAND_OVER if facts.play_over else Phase.PLAY


def _count(hand: Hand, seat: int) -> int:
    if not hand.facts.shared or hand.facts.play_over:
        return 0
    rules, side = hand.ground.rules, hand.sides[seat]
    away = rules.pass_count if hand.facts.selected and not hand.facts.passed else 0
    return rules.hand_size - len(side.opened) - away


def _known(hand: Hand, seat: int) -> CardSet:
    """Cards of a dummy; else cards that this seat passed there and that were not played yet."""
    if seat == hand.dummy:
        return hand.open_cards(seat)
    if hand.seat == NOBODY:
        return EMPTY
    if receiver(hand.ground.rules, hand.seat, hand.offset) != seat:
        return EMPTY
    held = hand.passed
    for card in hand.sides[seat].opened.values():
        if held >> card & 1:
            held = remove(held, card)
    return held
