from __future__ import annotations

from dataclasses import replace

import msgspec

from p2p_hearts.record.audit import Verdict
from p2p_hearts.record.stats.facts import GameFacts, facts_of
from p2p_hearts.rules.cards import EMPTY
from tests.record.synthetic import played_hand, report_of


def test_facts_of__have_what_a_log_proves() -> None:
    hand = played_hand()
    report = report_of(hand, played_hand(number=2))
    facts = facts_of(report, "black-lady")
    assert (facts.verdict, facts.table) == ("clean", report.table.hex())
    assert [player.key for player in facts.players] == [p.key.hex() for p in report.players]
    first = facts.hands[0]
    assert tuple(first.scores) == report.scores[0]
    assert sum(first.queens) == sum(first.dealt_queens) == 1
    assert sum(first.dealt_points) == 26
    assert [sum(suits) for suits in first.suits] == [13] * 4
    assert [sum(suits[at] for suits in first.suits) for at in range(4)] == [13] * 4
    assert facts.winners == list(report.winners)


def test_facts_of__go_through_json_and_back() -> None:
    facts = facts_of(report_of(played_hand()), "black-lady")
    assert msgspec.json.decode(msgspec.json.encode(facts), type=GameFacts) == facts


def test_facts_of__a_deal_that_is_not_known_whole_has_none() -> None:
    hand = played_hand()
    hidden = replace(hand, dealt=(EMPTY, *hand.dealt[1:]))
    (found,) = facts_of(report_of(hidden), "black-lady").hands
    assert not found.suits
    assert not found.dealt_queens
    assert not found.dealt_points
    assert found.scores


def test_facts_of__count_certified_hands_only() -> None:
    hand = played_hand()
    report = replace(report_of(hand), story=(hand, played_hand(number=2)))
    assert len(facts_of(report, "black-lady").hands) == 1
    void = replace(hand, is_void=True)
    assert len(facts_of(replace(report, story=(void, hand)), "x").hands) == 1


def test_facts_of__believe_nothing_of_a_log_that_was_altered() -> None:
    report = report_of(played_hand(), verdict=Verdict.UNREADABLE)
    facts = facts_of(report, "black-lady")
    assert (facts.table, facts.hands, facts.winners) == ("", [], [])
    assert facts.verdict == "unreadable"
