"""Statistics as sentences, and the page about them."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from p2p_hearts.i18n import _, figure, ngettext
from p2p_hearts.record.report.chart import bar_chart
from p2p_hearts.record.report.html import add, el, table_head
from p2p_hearts.record.report.page import document
from p2p_hearts.record.stats.fairness import Fairness, Test
from p2p_hearts.record.stats.results import Results, Tally

SHOWN = 50
"""Rows of a table of players, those with most hands."""

_UNUSUAL, _RARE = 0.05, 0.001


def meaning(test: Test) -> str:
    """Say what a χ² means, for somebody who never heard of it."""
    if test.chance is None or test.chi_square is None:
        return _("There are too few deals to say anything yet.")
    often = _frequency(test.chance)
    if test.chance >= _UNUSUAL:
        return _("Nothing unusual: fair deals differ as much as this, or more, {often}.").format(
            often=often
        )
    if test.chance >= _RARE:
        return _(
            "Somewhat unusual: fair deals differ as much as this {often}. Once in a while that "
            "happens; watch whether it goes away with more deals."
        ).format(often=often)
    return _(
        "Very unusual: fair deals differ as much as this {often}. Something steers the deals, or "
        "the logs were chosen for how they came out."
    ).format(often=often)


def _frequency(chance: float) -> str:
    if chance >= 0.1:
        return _("{n} times in a hundred").format(n=round(chance * 100))
    if chance >= 1e-9:
        return _("once in {n} times").format(n=round(1 / chance))
    return _("less than once in a thousand million times")


def figures(test: Test) -> str:
    """Return χ², its degrees of freedom and the chance, as statisticians write them."""
    if test.chi_square is None or test.chance is None:
        return ""
    square, chance = figure(test.chi_square, ".2f"), figure(test.chance, ".3g")
    return f"χ² = {square}, df = {test.freedom}, p = {chance}"


def kind_of_deal(item: Fairness) -> str:
    """Say which deals belong together."""
    return ngettext(
        "{n} deal of {cards} cards to {seats} players",
        "{n} deals of {cards} cards to {seats} players",
        item.deals,
    ).format(n=item.deals, cards=item.cards, seats=item.seats)


def questions(item: Fairness) -> tuple[tuple[str, str, Test], ...]:
    """Return each test with its title and what its columns are."""
    found = [(_("Cards of a suit in a hand"), _("Cards"), item.lengths)]
    if item.queens is not None:
        found.append((_("Who was dealt Q♠"), _("Seat"), item.queens))
    found.append((_("Points in the cards that were dealt"), _("Seat"), item.points))
    return tuple(found)


def average(tally: Tally) -> str:
    """Return the points a hand, "–" without a hand."""
    return "–" if tally.average is None else figure(tally.average, ".2f")


def tally_cells(tally: Tally) -> tuple[str, ...]:
    """Return what the columns of ``tally_heads`` hold."""
    numbers = (tally.matches, tally.won, tally.hands)
    counts = tuple(str(number) for number in numbers)
    return (*counts, average(tally), str(tally.moons), str(tally.queens))


def tally_heads() -> tuple[str, ...]:
    """Return the heads of the columns about a player's results."""
    return (
        _("Matches"), _("Won"), _("Hands"), _("Points a hand"), _("Moons"), _("Q♠ taken")
    )  # fmt: skip


def preset_title(preset: str) -> str:
    """Return the name of rules; presets are called what people type."""
    return _("other rules") if preset == "custom" else preset


def statistics_page(
    results: Sequence[Results], mine: Results | None, deals: Sequence[Fairness], told: str
) -> str:
    """Return the page: results of all players, mine in detail, and the deals.

    ``told`` is a sentence on what all of it was made from.
    """
    header = el("header", class_="top")
    add(header, el("p", "♣ ♦ ♠ ♥", class_="suits", aria_hidden="true"))
    add(header, el("h1", _("Statistics of Hearts")))
    add(header, el("p", told))
    main = el("main", id="main")
    if mine is not None:
        add(main, _mine(mine))
    add(main, _players(results))
    for item in deals:
        add(main, _deal_section(item))
    return document(_("Statistics of Hearts"), header, main)


def _deal_section(item: Fairness) -> Element:
    name = f"deals-{item.seats}-{item.cards}-{item.deals}"
    section = el("section", aria_labelledby=name)
    add(section, el("h2", _("Are the deals fair?"), " ", kind_of_deal(item), id=name))
    for title, column, test in questions(item):
        add(section, el("h3", title))
        add(section, el("p", meaning(test)))
        label = _("{title}: bars are what was seen, lines what fair deals give.")
        chart = bar_chart(label.format(title=title), test.labels, test.observed, test.expected)
        note = _("Bars: what was seen. Lines: what fair deals give on average. {figures}")
        add(section, el("figure", chart, el("figcaption", note.format(figures=figures(test)))))
        add(section, _test_table(title, column, test))
    return section


def _test_table(title: str, column: str, test: Test) -> Element:
    table = el("table", el("caption", title))
    add(table, table_head((column, _("Seen"), _("Expected")), figures=2))
    body = el("tbody")
    for label, have, want in zip(test.labels, test.observed, test.expected, strict=True):
        add(body, el(
            "tr", el("th", label, scope="row"),
            el("td", figure(have, ".0f"), class_="figure"),
            el("td", figure(want, ".1f"), class_="figure"),
        ))  # fmt: skip
    add(table, body)
    return el("details", el("summary", _("The figures")), table)


def _mine(mine: Results) -> Element:
    section = el("section", aria_labelledby="mine")
    add(section, el("h2", _("Results of {name}").format(name=mine.nick), id="mine"))
    rows = [(preset_title(name), tally_cells(tally)) for name, tally in mine.by_preset.items()]
    add(section, _tally_table(_("By rules"), _("Rules"), rows, tally_heads()))
    rows = [
        (item.nick, (str(item.mine.matches), str(item.ahead), average(item.mine),
                     average(item.theirs)))
        for item in mine.met[:SHOWN]
    ]  # fmt: skip
    heads = (_("Matches"), _("In front"), _("Points a hand"), _("Theirs"))
    add(section, _tally_table(_("Against whom"), _("Player"), rows, heads))
    return section


def _players(results: Sequence[Results]) -> Element:
    section = el("section", aria_labelledby="all")
    add(section, el("h2", _("All players"), id="all"))
    rows = [(item.nick, tally_cells(item.whole)) for item in results[:SHOWN]]
    add(
        section,
        _tally_table(
            _("By key; names are the latest; at most {n} players").format(n=SHOWN),
            _("Player"),
            rows,
            tally_heads(),
        ),
    )
    return section


def _tally_table(
    caption: str, first: str, rows: Sequence[tuple[str, tuple[str, ...]]], heads: tuple[str, ...]
) -> Element:
    table = el("table", el("caption", caption))
    add(table, table_head((first, *heads), figures=len(heads)))
    body = el("tbody")
    for name, cells in rows:
        row = el("tr", el("th", name, scope="row"))
        for cell in cells:
            add(row, el("td", cell, class_="figure"))
        add(body, row)
    add(table, body)
    return el("div", table, class_="wide", tabindex=0, role="group", aria_label=caption)
