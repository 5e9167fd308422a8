"""Whole games in memory: every peer ends with the same history, score and log."""

from __future__ import annotations

from itertools import pairwise

import pytest

from p2p_hearts.rules.options import PRESETS, RuleSet
from p2p_hearts.table.machine import Table
from p2p_hearts.wire.envelope import open_envelope
from p2p_hearts.wire.messages import NO_HASH
from tests.table.sim import Sim, Weather
from tests.table.watch import Watch

STORM = Weather(delay=0.02, jitter=0.15, drop=0.08, double=0.1)


def check_ends_alike(sim: Sim) -> Table:
    """Check that all peers of a finished match agree about everything; return one of them."""
    first, *others = sim.tables
    assert first.draw is not None
    assert first.match.over
    for table in others:
        assert table.draw == first.draw
        assert table.match == first.match
        assert table.history.head == first.history.head
        assert [item.head for item in table.history.rounds] == [
            item.head for item in first.history.rounds
        ]
    for table, log in zip(sim.tables, sim.logs, strict=True):
        assert table.fault is None
        assert table.over
        assert table.waiting() == ()
        assert table.decision is None
        assert set(log) == set(sim.logs[0])
        assert len(log) == len(set(log)), "something is in the log twice"
    for place, secrets in enumerate(sim.secrets):
        # The last one may be of a hand that was made ahead and not played.
        hands = len(first.match.hands)
        assert [hand for _, hand, _ in secrets.forgotten][:hands] == list(range(1, hands + 1)), (
            place
        )
        assert secrets.drawn <= set(secrets.forgotten), "a secret outlives the match"
    return first


@pytest.mark.timeout(900)  # the long one is a minute of work, on machines that do other work too
@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("target", [40, pytest.param(100, marks=pytest.mark.deep)])
def test_match__of_four_ends_alike_though_frames_are_late_lost_doubled_and_out_of_order(
    target: int,
) -> None:
    """To the target, every peer checking everything by itself."""
    sim = Sim(RuleSet(target=target), seed="whole match", weather=STORM)
    sim.run()
    table = check_ends_alike(sim)
    assert max(table.match.totals) >= target
    assert table.match.winners == (table.match.totals.index(min(table.match.totals)),)


def test_match__has_the_same_scores_in_any_weather() -> None:
    """Weather decides when things are said, never what."""
    rules = RuleSet(hands=1)
    scores = set()
    for weather in (Weather(), Weather(delay=0.05, jitter=0.5), STORM):
        sim = Sim(rules, seed="weather", weather=weather)
        sim.run()
        scores.add(check_ends_alike(sim).match)
    assert len(scores) == 1


def test_match__of_four_keeps_every_promise_of_agreement_in_a_storm() -> None:
    """One content a place, acks of whole rounds only, nothing before its certificate, all stored.

    Only shuffles follow each other without waiting.
    """
    sim = Sim(RuleSet(hands=2), seed="promises", weather=STORM)
    watch = Watch(sim)
    sim.run()
    table = check_ends_alike(sim)
    rounds = table.history.rounds
    assert watch.counts["ack"] == 4 * len(rounds)
    assert watch.counts["play"] == 2 * 51
    assert sum(watch.counts.values()) == len(sim.logs[0])


def test_match__leaves_a_log_in_which_every_author_counts_what_it_signed() -> None:
    sim = Sim(RuleSet(hands=1), seed="log")
    sim.run()
    check_ends_alike(sim)
    for identity in sim.identities:
        contents = [open_envelope(data) for data in sim.logs[0]]
        own = [item for item in contents if item.content.author == identity.public]
        own.sort(key=lambda item: item.content.sequence)
        assert [item.content.sequence for item in own] == list(range(len(own)))
        assert own[0].content.last == NO_HASH
        for before, after in pairwise(own):
            assert after.content.last == before.hash


@pytest.mark.parametrize("seats", [3, 5, 6])
def test_match__of_other_numbers_of_seats_ends_alike(seats: int) -> None:
    sim = Sim(RuleSet(seats=seats, hands=1), seed=seats)
    sim.run()
    check_ends_alike(sim)


def test_match__with_two_packs_and_a_widow_ends_alike() -> None:
    rules = PRESETS["cancellation"].with_options({"hands": "1"})
    sim = Sim(rules, seed="widow")
    sim.run()
    table = check_ends_alike(sim)
    assert table.hand is not None
    assert table.hand.play is not None
    taken = table.hand.play.taken
    assert sum(cards.bit_count() for cards in taken) == 104
    assert table.hand.play.widow.bit_count() == 2


@pytest.mark.deep
@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_match__of_every_preset_ends_alike_in_a_storm(preset: str) -> None:
    rules = PRESETS[preset].with_options({"hands": "5"})
    sim = Sim(rules, seed=preset, weather=STORM)
    sim.run()
    check_ends_alike(sim)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(20))
def test_match__keeps_every_promise_in_many_storms(seed: int) -> None:
    weather = Weather(
        delay=0.01 * seed, jitter=0.1 * (seed % 7), drop=0.02 * seed, double=0.05 * (seed % 5)
    )
    sim = Sim(RuleSet(hands=3), seed=seed, weather=weather)
    Watch(sim)
    sim.run(limit=100_000)
    check_ends_alike(sim)
