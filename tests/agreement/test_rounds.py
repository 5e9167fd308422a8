"""The rounds as data: everybody names the same next round from public facts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_hearts.agreement.rounds import FORMATION, STAGES, Facts, Who, next_stage, stage_of
from p2p_hearts.rules.options import PRESETS, RuleSet
from p2p_hearts.wire.messages import BALLOTS, Kind
from tests.table.sim import Sim

ESCROW = [Kind.ESCROW, Kind.SEALS]
DEAL = [Kind.KEY, *[Kind.SHUFFLE] * 4, *ESCROW, Kind.SHARES]
PASS = [Kind.PASS_SELECT, Kind.PASS, Kind.REMASK]


def kinds_of(rules: RuleSet, seed: object = 0) -> list[list[Kind]]:
    """The kinds of all rounds of a match, hand by hand; hand 0 is the formation."""
    sim = Sim(rules, seed=seed)
    sim.claims = False
    sim.run()
    rounds = sim.tables[0].history.rounds
    hands: list[list[Kind]] = [[] for _ in range(rounds[-1].place.hand + 1)]
    for item in rounds:
        assert item.place.round == len(hands[item.place.hand])
        hands[item.place.hand].append(item.kind)
    return hands


def test_rounds__of_a_match_stand_in_the_order_of_the_specification() -> None:
    """Pass left, right and across, then a hold without a pass."""
    formation, *hands = kinds_of(RuleSet(hands=4))
    assert formation == [Kind.SIT, Kind.DRAW]
    with_pass = [*DEAL, *PASS, Kind.OPEN, *[Kind.PLAY] * 51, Kind.REVEAL]
    hold = [*DEAL, Kind.OPEN, *[Kind.PLAY] * 51, Kind.REVEAL]
    assert hands == [with_pass, with_pass, with_pass, hold]


def test_rounds__without_an_opening_card_have_no_opening() -> None:
    _, hand = kinds_of(RuleSet(hands=1, pass_count=0).with_options({"opening": "none"}))
    assert hand == [*DEAL, *[Kind.PLAY] * 52, Kind.REVEAL]


def test_rounds__with_a_widow_open_it_after_the_first_trick_that_is_won() -> None:
    _, hand = kinds_of(PRESETS["cancellation"].with_options({"hands": "1"}), seed="widow")
    at = hand.index(Kind.WIDOW)
    assert hand.count(Kind.WIDOW) == 1
    assert (at - hand.index(Kind.PLAY)) % 6 == 0
    assert hand.count(Kind.PLAY) == 102


def test_stages__have_no_escrow_before_the_last_shuffle() -> None:
    """Earlier, all others together could read the deck while they still shuffle."""
    for shuffles in range(4):
        stage = next_stage(Facts(seats=4, keyed=True, shuffles=shuffles, escrows=True))
        assert stage is not None
        assert stage.kind is Kind.SHUFFLE
    stage = next_stage(Facts(seats=4, keyed=True, shuffles=4, escrows=True))
    assert stage is not None
    assert stage.kind is Kind.ESCROW


def test_stages__have_no_share_before_all_seals_were_checked() -> None:
    facts = Facts(seats=4, keyed=True, shuffles=4, escrows=True, escrowed=True)
    stage = next_stage(facts)
    assert stage is not None
    assert stage.kind is Kind.SEALS


def test_stages__every_kind_but_those_beside_a_round_is_spoken_in_exactly_one_stage() -> None:
    spoken = [kind for stage in (*FORMATION, *STAGES) for kind in stage.kinds]
    assert sorted(spoken) == sorted(set(Kind) - {Kind.ACK, Kind.LOST} - BALLOTS)
    for kind in spoken:
        assert kind in stage_of(kind).kinds
    for kind in (Kind.ACK, Kind.LOST):
        with pytest.raises(KeyError):
            stage_of(kind)


def test_stages__let_nothing_but_shuffles_run_ahead_of_certificates() -> None:
    assert [stage.kind for stage in STAGES if stage.runs_ahead] == [Kind.SHUFFLE]
    assert [stage.kind for stage in STAGES if stage.who is Who.DEALER_FIRST] == [Kind.SHUFFLE]


def test_stages__follow_from_facts_alone_and_end() -> None:
    facts = Facts(seats=4, escrows=True)
    steps = {
        Kind.KEY: {"keyed": True},
        Kind.ESCROW: {"escrowed": True},
        Kind.SEALS: {"sealed": True},
        Kind.SHARES: {"shared": True},
        Kind.PLAY: {"play_over": True},
        Kind.REVEAL: {"revealed": True},
    }
    seen = []
    while (stage := next_stage(facts)) is not None:
        seen.append(stage.kind)
        if stage.kind is Kind.SHUFFLE:
            facts = replace(facts, shuffles=facts.shuffles + 1)
        else:
            facts = replace(facts, **steps[stage.kind])
    assert seen == [*DEAL, Kind.PLAY, Kind.REVEAL]


def test_stages__a_moon_choice_comes_before_the_reveal() -> None:
    over = Facts(seats=4, keyed=True, shuffles=4, shared=True, play_over=True, choice_waits=True)
    stage = next_stage(over)
    assert stage is not None
    assert (stage.kind, stage.who) == (Kind.CHOICE, Who.SHOOTER)
    after = next_stage(replace(over, choice_waits=False))
    assert after is not None
    assert after.kind is Kind.REVEAL


def test_stages__take_the_word_of_a_lost_secret_wherever_there_is_a_secret() -> None:
    kinds = {stage.kind for stage in (*FORMATION, *STAGES) if not stage.takes_lost}
    assert kinds == {Kind.SIT, Kind.DRAW, Kind.KEY}
