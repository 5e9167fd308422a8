from __future__ import annotations

import re
from dataclasses import replace

import pytest

from p2p_hearts import i18n
from p2p_hearts.i18n import LANGUAGES, Language
from p2p_hearts.record.audit import FaultReport, Verdict
from p2p_hearts.record.audit.compare import compare
from p2p_hearts.record.moments import moments
from p2p_hearts.record.report import report_page
from p2p_hearts.record.report.page import COUNTED, MEANINGS
from p2p_hearts.record.report.words import (
    direction,
    duration,
    moment_sentence,
    step_result,
)
from p2p_hearts.rules.cards import EMPTY, cards_in
from p2p_hearts.rules.options import PRESETS, RuleSet
from p2p_hearts.rules.texts import symbol
from p2p_hearts.wire.faults import Fault, Rule
from tests.record.games import honest_game
from tests.record.report.test_html import Tags
from tests.record.synthetic import comparison_of, played_hand, report_of
from tests.record.test_story import told

SEATS = range(3, 12)
NAMES = ("Ana", "Budi", "Clara", "Dewi")


def rules_for(seats: int) -> RuleSet:
    if seats < 7:
        return RuleSet(seats=seats)
    return PRESETS["cancellation"].with_options({"seats": str(seats)})


def seen(text: str) -> str:
    """All text of a page without its style and script."""
    body = re.sub(r"<(style|script)>.*?</\1>", "", text, flags=re.DOTALL)
    return " ".join(" ".join(Tags(body).text).split())


@pytest.mark.parametrize("seats", SEATS)
def test_report_page__shows_every_hand_of_tables_of_all_sizes(seats: int) -> None:
    hand = played_hand(rules_for(seats))
    parsed = Tags(report_page(comparison_of(hand)))
    classes = [attributes.get("class") or "" for _tag, attributes in parsed.tags]
    assert len([name for name in classes if name.startswith("seat ")]) == seats
    played = [name for name in classes if name.split()[:1] == ["play"]]
    assert len(played) == seats * hand.rules.hand_size
    assert len([name for name in classes if name == "card"]) == (
        seats * (hand.rules.hand_size + hand.rules.pass_count)
    )


def test_report_page__tells_verdict_players_keys_scores_and_rules() -> None:
    found = comparison_of(played_hand(), played_hand(number=2), nicks=NAMES)
    text = seen(report_page(found))
    report = found.fullest
    assert text.index(report.summary[0]) < text.index("Players")
    assert "amber otter violin nine" in text
    assert "2023-11-14 22:13 UTC" in text
    for player in report.players:
        assert player.nick in text
        assert player.key.hex()[:8] in text
    for total in report.totals:
        assert f" {total} " in text
    assert "The highest card of the suit led wins the trick" in text
    assert "Shuffles 4" in text


def test_report_page__stays_readable_with_thousands_of_faults() -> None:
    report = report_of(played_hand(), verdict=Verdict.FAULT)
    signed = honest_game().contents[50].data
    faults = tuple(
        FaultReport(
            Fault(1, Rule.PASS, "pass", 1, 1, 9, (signed,)),
            report.players[1], f"Fault {at}.",
        )
        for at in range(2000)
    )  # fmt: skip
    found = replace(
        compare([report]), faults=faults, summary=tuple(item.sentence for item in faults)
    )
    text = report_page(found)
    assert "Of 2000 faults the gravest 20 are shown" in seen(text)
    assert len(text) < 500_000
    assert "Of 20" not in seen(report_page(replace(found, faults=faults[:20])))


def test_report_page__says_what_the_checks_mean() -> None:
    text = seen(report_page(comparison_of(played_hand())))
    assert "What these checks mean" in text
    for term, meaning in MEANINGS:
        assert meaning in text
        assert term in COUNTED.values()


def test_report_page__is_one_for_logs_in_which_nothing_can_be_read() -> None:
    for report in (told([]), told(honest_game().records()[:1]), told(honest_game().records()[:2])):
        text = seen(report_page(compare([report])))
        assert report.summary[0] in text
        assert "The hands" not in text


def test_report_page__survives_a_clock_that_was_far_off() -> None:
    report = replace(report_of(played_hand()), created=2**52)
    assert "at an unknown time" in seen(report_page(compare([report])))


def test_report_page__marks_a_moon_and_a_void_hand() -> None:
    hand = played_hand()
    void = replace(hand, is_void=True, play=None, scores=None)
    text = seen(report_page(comparison_of(hand)))
    assert "begun anew" not in text
    report = replace(report_of(hand), story=(void, hand))
    assert "begun anew" in seen(report_page(compare([report])))


def test_report_page__names_in_the_hand_who_broke_a_rule() -> None:
    hand = played_hand()
    broken = replace(hand.steps[5], rule=Rule.PASS)
    report = replace(
        report_of(hand, nicks=NAMES), story=(replace(hand, steps=(*hand.steps[:5], broken)),)
    )
    text = seen(report_page(compare([report])))
    assert f"✗ {NAMES[broken.seat]} broke a rule in round 9: Pass." in text
    assert "broke a rule" not in seen(report_page(compare([report_of(hand)])))


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.00012, "0.12 ms"), (0.0123, "12 ms"), (0.9, "900 ms"), (1.25, "1.2 s"), (75, "75.0 s")],
)
def test_duration__has_as_many_figures_as_say_something(seconds: float, said: str) -> None:
    assert duration(seconds) == said


def test_report_page__shows_no_card_that_is_not_proven() -> None:
    hand = replace(
        played_hand(), dealt=(EMPTY,) * 4, passed=(EMPTY,) * 4, held=(EMPTY,) * 4,
        play=None, scores=None, revealed=frozenset(),
    )  # fmt: skip
    text = report_page(compare([replace(report_of(played_hand()), story=(hand,))]))
    assert 'class="card"' not in text
    assert text.count("13 unknown cards") == 4
    assert "only cards that were played are known" in seen(text)


def test_report_page__tells_who_passed_what_to_whom_without_a_script() -> None:
    hand = played_hand()
    text = seen(report_page(comparison_of(hand, nicks=NAMES)))
    cards = " ".join(symbol(card) for card in cards_in(hand.passed[0]))
    assert f"Ana {cards} → Budi" in text
    assert "Dotted line: passed on." in text
    assert "Dotted line" not in seen(report_page(comparison_of(played_hand(number=4))))


@pytest.mark.parametrize("language", LANGUAGES)
def test_report_page__speaks_the_language_that_is_chosen(language: Language) -> None:
    i18n.use(language)
    try:
        text = report_page(comparison_of(played_hand(), nicks=NAMES))
    finally:
        i18n.use("en")
    assert {"en": "The hands", "pt": "As mãos", "id": "Babak demi babak"}[language] in seen(text)
    assert f'<html lang="{ {"en": "en", "pt": "pt-BR", "id": "id"}[language] }">' in text


def test_moment_sentence__says_what_everybody_saw() -> None:
    hand = played_hand()
    told_ = [moment_sentence(hand, NAMES, moment) for moment in moments(hand)]
    assert told_[0] == "Ana deals."
    assert told_[1].startswith("Ana passes ")
    assert told_[2].endswith(" leads 2♣.")
    assert " takes the trick: " in told_[5]
    assert told_[-1].startswith("The hand counts: Ana ")


def test_counted__names_everything_that_an_audit_counts() -> None:
    assert set(told(honest_game().records()).verified) <= set(COUNTED)


def test_step_result__says_what_was_proven() -> None:
    step = played_hand().steps[0]
    assert step_result(step) == "proof holds"
    assert step_result(replace(step, verified={})) == "nothing to prove"
    assert step_result(replace(step, rule=Rule.REVOKE)) == "breaks a rule"
    assert step_result(replace(step, verified={"messages made again": 7})).startswith("7 messages")
    assert "rules allow" in step_result(replace(step, verified={"plays": 1, "class proofs": 1}))


@pytest.mark.parametrize(
    ("seats", "offset", "words"),
    [
        (4, 0, "no pass"),
        (4, 1, "pass to the left"),
        (4, 2, "pass across"),
        (4, 3, "pass to the right"),
        (5, 2, "pass 2 to the left"),
        (5, 3, "pass 2 to the right"),
    ],
)
def test_direction__says_to_whom_is_passed(seats: int, offset: int, words: str) -> None:
    assert direction(replace(played_hand(rules_for(seats)), offset=offset)) == words
