from __future__ import annotations

import pytest

from p2p_hearts.record.report.statistics import figures, meaning, statistics_page
from p2p_hearts.record.stats.fairness import Test, fairness
from p2p_hearts.record.stats.results import results
from p2p_hearts.rules.options import PRESETS, RuleSet
from tests.record.report.test_html import HOSTILE, Tags
from tests.record.report.test_page import seen
from tests.record.stats.deals import game_facts


def judged(chance: float | None) -> Test:
    return Test(("1",), (1.0,), (1.0,), None if chance is None else 4.2, 3, chance)


@pytest.mark.parametrize(
    ("chance", "said"),
    [
        (None, "There are too few deals to say anything yet."),
        (
            0.48,
            "Nothing unusual: fair deals differ as much as this, or more, 48 times in a hundred.",
        ),
        (0.06, "Nothing unusual: fair deals differ as much as this, or more, once in 17 times."),
        (0.02, "Somewhat unusual: fair deals differ as much as this once in 50 times."),
        (1e-5, "Very unusual: fair deals differ as much as this once in 100000 times."),
        (0.0, "less than once in a thousand million times"),
    ],
)
def test_meaning__says_how_often_fair_deals_look_so(chance: float | None, said: str) -> None:
    assert said in meaning(judged(chance))


def test_figures__are_those_of_statisticians() -> None:
    assert figures(judged(0.02)) == "χ² = 4.20, df = 3, p = 0.02"
    assert figures(judged(None)) == ""


def test_statistics_page__has_a_plot_for_each_question_and_everybody_s_results() -> None:
    games = [game_facts(RuleSet(), 20), game_facts(PRESETS["british"], 20, table="cd")]
    players, deals = results(games), fairness(games)
    text = statistics_page(players, players[0], deals, "2 logs audited")
    assert text.count("<svg") == 3 + 2
    for player in players:
        assert player.nick in seen(text)
    assert "20 deals of 52 cards to 4 players" in seen(text)
    assert "2 logs audited" in seen(text)
    ids = [attributes["id"] for _tag, attributes in Tags(text).tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert "Results of" not in seen(statistics_page(players, None, deals, ""))


@pytest.mark.parametrize("name", HOSTILE)
def test_statistics_page__names_stay_names(name: str) -> None:
    players = results([game_facts(RuleSet(), 1)])
    for player in players:
        player.nick = name
        for opponent in player.opponents.values():
            opponent.nick = name
    parsed = Tags(statistics_page(players, players[0], (), name))
    assert [tag for tag, _ in parsed.tags].count("script") == 1
    assert "img" not in [tag for tag, _ in parsed.tags]
    assert parsed.text.count(name) >= 4 + 3
