"""Operations of the vectors on plays, claims of the rest, moons and the end of a match.

protocol/SPEC.md section 5. An operation takes the input of a vector and returns its
result, or raises ``Rejected`` with the name of the rule or the verdict.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.record.audit import Verdict
from p2p_hearts.rules.cards import Card, card_set, cards_in
from p2p_hearts.rules.match import Match, new_match
from p2p_hearts.rules.play import PlayState, start_play
from p2p_hearts.rules.play import claim as claim_of
from p2p_hearts.rules.rest import claim_rest, claim_stands
from p2p_hearts.rules.score import MoonChoice, hand_scores, score_hand
from p2p_hearts.wire.faults import FLAW_RULES, Rule, legality_rule
from tools.vectors.reading import rules_in
from tools.vectors.values import In, Operation, Plain, Rejected


def _play_hand(given: In) -> Plain:
    """Plays of a hand, one after the other: seat, claim before it, and the rule a revoke breaks."""
    rules = rules_in(given)
    leader = given.number("leader") if given.has("leader") else None
    state = start_play(rules, given.number("dealer"), leader)
    told: list[Plain] = []
    for face in given.numbers("plays"):
        card = Card(face)
        if state.turn is None:
            raise Rejected("turn")
        said = claim_of(card, state)
        named = None if said is None else legality_rule(state, card).value
        told.append([state.turn, said, named])
        try:
            state = state.play(card)
        except ValueError:
            raise Rejected(FLAW_RULES[Flaw.CARD_UNKNOWN].value) from None
        if state.widow_due:
            state = state.with_widow([Card(face) for face in given.numbers("widow")])
    result: dict[str, Plain] = {"plays": told}
    if state.over:
        result["taken"] = [cards_in(cards) for cards in state.taken]
        result["scores"] = hand_scores(rules, state.taken, (0,) * rules.seats)
    return result


def _played(given: In) -> PlayState:
    """The state after all plays of a hand; the widow is opened where it is due."""
    leader = given.number("leader") if given.has("leader") else None
    state = start_play(rules_in(given), given.number("dealer"), leader)
    for face in given.numbers("plays"):
        state = state.play(Card(face))
        if state.widow_due:
            state = state.with_widow([Card(face) for face in given.numbers("widow")])
    return state


def _claim_rest(given: In) -> Plain:
    """The seat in turn claims the rest with its open hand: who it is, and the scores."""
    state, hand = _played(given), card_set(Card(face) for face in given.numbers("hand"))
    seat = state.turn
    if seat is None or not claim_stands(state, seat, hand):
        raise Rejected(Rule.CLAIM.value)
    taken = claim_rest(state, seat, hand).taken
    return {"seat": seat, "scores": hand_scores(state.rules, taken, (0,) * state.rules.seats)}


def _score_hand(given: In) -> Plain:
    """The scores of a hand after those before it, from the cards that each seat has taken."""
    taken = tuple(
        card_set(Card(face) for face in item.numbers("cards")) for item in given.parts("taken")
    )
    choice = MoonChoice(given.text("choice")) if given.has("choice") else None
    return score_hand(_match(given), taken, choice)


def _end_match(given: In) -> Plain:
    """The totals and the winners of a match that is over after these hands, and not before."""
    match = _match(given)
    if not match.over:
        raise Rejected(Verdict.INCOMPLETE.value)
    return {"totals": match.totals, "winners": match.winners}


def _match(given: In) -> Match:
    match = new_match(rules_in(given))
    for item in given.parts("hands"):
        if match.over:
            raise Rejected(Verdict.UNREADABLE.value)
        match = match.add(tuple(item.numbers("scores")))
    return match


RULE_OPERATIONS: Final[Mapping[str, Operation]] = {
    "play hand": _play_hand,
    "claim rest": _claim_rest,
    "score hand": _score_hand,
    "end match": _end_match,
}
