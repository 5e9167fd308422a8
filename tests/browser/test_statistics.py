"""The page of statistics in a real browser."""

from __future__ import annotations

import pytest

from p2p_hearts import i18n
from p2p_hearts.i18n import LANGUAGES, Language
from p2p_hearts.record.report.statistics import statistics_page
from p2p_hearts.record.stats.fairness import fairness
from p2p_hearts.record.stats.results import results
from p2p_hearts.rules.options import PRESETS, RuleSet
from tests.browser.conftest import CONTRAST, Show
from tests.browser.pages import HOSTILE
from tests.record.stats.deals import game_facts

pytestmark = pytest.mark.browser


def page(language: Language = "en") -> str:
    games = [
        game_facts(RuleSet(), 60),
        game_facts(PRESETS["cancellation"].with_options({"seats": "11"}), 20, table="cd"),
    ]
    players = results(games)
    for player, name in zip(players, HOSTILE, strict=False):
        player.nick = name
    i18n.use(language)
    try:
        return statistics_page(players, players[0], fairness(games), "2 logs audited")
    finally:
        i18n.use("en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_statistics__render_without_a_complaint_and_ask_nobody(
    show: Show, language: Language
) -> None:
    browser = show(page(language))
    assert browser.run("return document.querySelectorAll('svg').length") == 6
    assert browser.console() == []
    assert [address[:8] for address in browser.requests()] == ["file:///"]
    assert browser.run("return typeof window.owned") == "undefined"
    for width in (400, 1400):
        browser.size(width)
        browser.run("for (const item of document.querySelectorAll('details')) item.open = true")
        assert browser.run("return document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_statistics__every_text_stands_out(show: Show, scheme: str) -> None:
    browser = show(page())
    browser.media(scheme=scheme)
    texts, weak = browser.run(CONTRAST)
    assert texts > 60
    assert weak == []
