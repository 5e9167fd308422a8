"""Stories of hands without a proof behind them: played by chance, in no time."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

from p2p_hearts.record.audit import PlayerReport, Report, Verdict
from p2p_hearts.record.audit.compare import Comparison, compare
from p2p_hearts.record.audit.story import HandStory, Step
from p2p_hearts.rules.cards import (
    Card,
    CardSet,
    card_set,
    cards_in,
    contains,
    difference,
    remove,
    union,
)
from p2p_hearts.rules.match import new_match
from p2p_hearts.rules.options import Moon, RuleSet
from p2p_hearts.rules.passing import pass_offset, receiver
from p2p_hearts.rules.play import PlayState, playable, start_play
from p2p_hearts.rules.rest import claim_rest, may_claim
from p2p_hearts.rules.score import hand_scores
from p2p_hearts.wire.messages import Kind

PLAIN = RuleSet()


@cache
def played_hand(
    rules: RuleSet = PLAIN, number: int = 1, seed: int = 0, *, claims: bool = False
) -> HandStory:
    """A whole hand of random legal cards; with ``claims`` whoever may claim the rest does."""
    random = Random(f"{seed} {number}")
    pack = list(rules.pack)
    random.shuffle(pack)
    seats, size = range(rules.seats), rules.hand_size
    dealt = tuple(card_set(pack[seat * size : (seat + 1) * size]) for seat in seats)
    widow = pack[rules.seats * size :]
    offset = pass_offset(rules, number)
    count = rules.pass_count if offset else 0
    passed = tuple(card_set(random.sample(cards_in(cards), count)) for cards in dealt)
    held = list(dealt)
    for seat in seats:
        held[seat] = difference(held[seat], passed[seat])
    for seat in seats if offset else ():
        to = receiver(rules, seat, offset)
        held[to] = union(held[to], passed[seat])
    play = _play(rules, random, list(held), widow, claims=claims)
    steps = [Step(at, Kind.SHUFFLE, at, None, {"shuffle proofs": 1}, 0.08, None) for at in seats]
    if offset:
        steps += [Step(9, Kind.PASS, at, None, {"pass proofs": 1}, 0.002, None) for at in seats]
    plays = (*(item for trick in play.tricks for item in trick.cards), *play.trick)
    steps += [
        Step(10 + at, Kind.PLAY, seat, card, {"plays": 1}, 0.003, None)
        for at, (seat, card) in enumerate(plays)
    ]
    if play.claimed is not None:
        steps.append(Step(99, Kind.CLAIM, play.claimed.seat, None, {"claims": 1}, 0.004, None))
    return HandStory(
        rules=rules, number=number, attempt=1, dealer=(number - 1) % rules.seats, offset=offset,
        is_void=False, dummy=None, revealed=frozenset(seats), dealt=dealt, passed=passed,
        held=tuple(held), play=play, choice=None,
        scores=hand_scores(replace(rules, moon=Moon.OFF), play.taken, (0,) * rules.seats),
        steps=tuple(steps),
    )  # fmt: skip


def _play(
    rules: RuleSet, random: Random, left: list[CardSet], widow: list[Card], *, claims: bool
) -> PlayState:
    opening = rules.opening_card
    leader = next((s for s, cards in enumerate(left) if opening is not None
                   and contains(cards, opening)), None)  # fmt: skip
    state = start_play(rules, rules.seats - 1, leader)
    while state.turn is not None or state.widow_due:
        if state.widow_due:
            state = state.with_widow(widow)
            continue
        seat = state.turn
        assert seat is not None
        if claims and may_claim(state, seat, left[seat]):
            return claim_rest(state, seat, left[seat])
        card = random.choice(cards_in(playable(left[seat], state)))
        left[seat] = remove(left[seat], card)
        state = state.play(card)
    return state


def report_of(
    *hands: HandStory, nicks: tuple[str, ...] = (), verdict: Verdict = Verdict.CLEAN
) -> Report:
    """What an audit would say of a table that played these hands."""
    rules = hands[0].rules
    names = nicks or tuple(f"Player {seat}" for seat in range(rules.seats))
    match = new_match(rules)
    for hand in hands:
        match = match.add(hand.scores or ())
    return Report(
        verdict=verdict,
        summary=("Clean: all of it.", "All holds."),
        table=bytes([len(hands)]) * 32,
        phrase="amber otter violin nine",
        name="Sunday table",
        roster=bytes([1]) * 32,
        rules=dict(rules.to_dict()),
        players=tuple(
            PlayerReport(seat, name, bytes([seat]) * 32) for seat, name in enumerate(names)
        ),
        dealer=0,
        owner=bytes([0]) * 32,
        program="0.1.0",
        created=1_700_000_000,
        hands=len(hands),
        scores=match.hands,
        totals=match.totals,
        winners=match.leaders,
        records=500,
        verified={"signatures": 400, "plays": 51, "shuffle proofs": 4},
        story=hands,
    )  # fmt: skip


def comparison_of(*hands: HandStory, nicks: tuple[str, ...] = ()) -> Comparison:
    return compare([report_of(*hands, nicks=nicks)], ["log"])
