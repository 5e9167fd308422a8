"""The page about one audited game: the verdict first, then everything that it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final
from xml.etree.ElementTree import Element

from p2p_hearts.i18n import CATALOGUES, N_, _, language, listed, ngettext
from p2p_hearts.record.audit import Comparison, FaultReport, Report, Verdict
from p2p_hearts.record.report.chart import line_chart
from p2p_hearts.record.report.hands import hand_section
from p2p_hearts.record.report.html import add, el, page, table_head
from p2p_hearts.record.report.words import duration
from p2p_hearts.rules.options import RuleError, RuleSet
from p2p_hearts.rules.texts import describe

_SIGNS: Final = {
    Verdict.CLEAN: "✓",
    Verdict.FAULT: "✗",
    Verdict.UNREADABLE: "✗",
    Verdict.DISAGREE: "✗",
    Verdict.INCOMPLETE: "…",
}

MOST: Final = 20
"""So many faults, and sentences of a verdict, are shown: a liar may have left thousands."""

COUNTED: Final = {
    "accusations proven": N_("Accusations proven in reveals"),
    "acks": N_("Acknowledgements"),
    "certificates": N_("Rounds certified by everybody"),
    "claims": N_("Claims of the rest"),
    "class proofs": N_("Proofs that the rules allowed a card"),
    "complaints": N_("Complaints that convict"),
    "escrow proofs": N_("Split keys"),
    "hands scored": N_("Hands scored"),
    "key proofs": N_("Keys of hands"),
    "late messages": N_("Messages that came too late to count"),
    "messages made again": N_("Messages made again from revealed secrets"),
    "messages of attempts begun anew": N_("Messages of hands begun anew"),
    "opening parts": N_("Parts that opened an absent player's cards"),
    "opening proofs": N_("Proofs about the opening card"),
    "pass proofs": N_("Passes"),
    "plays": N_("Cards played"),
    "plays of dummies": N_("Cards played for absent players"),
    "re-mask proofs": N_("Hands covered anew"),
    "repeated messages": N_("Messages that were there twice"),
    "revealed secrets": N_("Revealed secrets"),
    "rounds closed by vote": N_("Rounds closed by vote"),
    "share proofs": N_("Shares of cards"),
    "shuffle proofs": N_("Shuffles"),
    "signatures": N_("Signatures"),
    "speeches": N_("Moves and other speeches"),
    "votes and confirms": N_("Votes"),
}
"""What an audit counts, in words."""


def report_page(found: Comparison) -> str:
    """Return the whole page about one game, from one log or several."""
    report = found.fullest
    names = [player.nick for player in report.players]
    title = _("Hearts, {table}: {verdict}").format(
        table=report.name or _("a game"), verdict=found.summary[0]
    )
    main = el("main", id="main")
    for part in (
        _verdict(found),
        _faults(found.faults),
        _players(found),
        _scores(report, names),
        _hands(report, names),
        _verified(report),
        _rules(report),
    ):
        add(main, part)
    return document(title, _header(found, report), main)


def document(title: str, *parts: Element) -> str:
    """Return a page in the language that is spoken."""
    spoken = CATALOGUES.get(language(), "en").replace("_", "-")
    skip = el("a", _("Skip to the verdict"), class_="skip", href="#main")
    return page(title, spoken, skip, *parts)


def _header(found: Comparison, report: Report) -> Element:
    header = el("header", class_="top")
    add(header, el("p", "♣ ♦ ♠ ♥", class_="suits", aria_hidden="true"))
    add(header, el("h1", report.name or _("A game of Hearts")))
    facts = []
    if report.created is not None:
        facts.append(_when(report.created))
    if report.hands:
        facts.append(ngettext("{n} hand", "{n} hands", report.hands).format(n=report.hands))
    facts.append(ngettext("{n} log", "{n} logs", len(found.reports)).format(n=len(found.reports)))
    add(header, el("p", " · ".join(facts)))
    if report.phrase:
        add(header, el("p", _("Table phrase:"), " ", el("strong", report.phrase)))
    if report.story:
        nav = el("nav", aria_label=_("Hands"))
        for hand in report.story:
            if not hand.is_void:
                text = _("Hand {n}").format(n=hand.number)
                add(nav, el("a", text, href=f"#hand-{hand.number}"))
        add(header, nav)
    return header


def _when(seconds: int) -> str:
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")
    except (ValueError, OverflowError, OSError):
        return _("at an unknown time")


def _section(name: str, title: str) -> Element:
    section = el("section", id=name, aria_labelledby=f"{name}-title")
    add(section, el("h2", title, id=f"{name}-title"))
    return section


def _verdict(found: Comparison) -> Element:
    first, *rest = found.summary
    section = el("section", class_=f"verdict {found.verdict}", aria_labelledby="verdict-title")
    sign = el("span", _SIGNS[found.verdict], class_="sign", aria_hidden="true")
    add(section, el("h2", sign, " ", first, id="verdict-title"))
    for sentence in rest[:MOST]:
        add(section, el("p", sentence))
    return section


def _faults(faults: Sequence[FaultReport]) -> Element | None:
    if not faults:
        return None
    section = _section("faults", _("What is proven"))
    text = _(
        "The evidence is what the player signed itself. Whoever has it and the log can check it; "
        "nobody else can make it."
    )
    add(section, el("p", text))
    if len(faults) > MOST:
        text = _("Of {n} faults the gravest {shown} are shown; audit --json has all of them.")
        add(section, el("p", text.format(n=len(faults), shown=MOST)))
    for item in faults[:MOST]:
        fault = item.fault
        box = el("div", class_="fault")
        add(box, el("h3", item.sentence))
        facts = (
            (_("Player"), item.player.nick),
            (_("Key"), el("code", _grouped(item.player.key))),
            (_("Rule"), el("code", str(fault.rule))),
            (_("Where"), _("hand {hand}, attempt {attempt}, round {round}").format(
                hand=fault.hand, attempt=fault.attempt, round=fault.round)),
            (_("Number of the fault"), el("code", fault.id.hex())),
        )  # fmt: skip
        add(box, _facts(facts))
        for number, evidence in enumerate(fault.evidence, 1):
            text = ngettext(
                "Signed message {number}, {n} byte", "Signed message {number}, {n} bytes",
                len(evidence),
            ).format(number=number, n=len(evidence))  # fmt: skip
            hexed = el("pre", el("code", evidence.hex()))
            add(box, el("details", el("summary", text), hexed))
        add(section, box)
    return section


def _facts(facts: Sequence[tuple[str, Element | str]]) -> Element:
    listing = el("dl")
    for term, value in facts:
        add(listing, el("dt", term))
        add(listing, el("dd", value))
    return listing


def _grouped(key: bytes) -> str:
    text = key.hex()
    return " ".join(text[at : at + 8] for at in range(0, len(text), 8))


def _players(found: Comparison) -> Element | None:
    report = found.fullest
    if not report.players:
        return None
    section = _section("players", _("Players"))
    table = el("table", el("caption", _("Names are what players call themselves; a key is one.")))
    heads = (_("Seat"), _("Name"), _("Key"), _("Log"))
    add(table, table_head(heads))
    body = el("tbody")
    owners = {item.owner: name for item, name in zip(found.reports, found.names, strict=True)}
    for number, player in enumerate(report.players):
        seat = "–" if player.seat is None else str(player.seat + 1)
        name = el("th", player.nick, scope="row", class_=f"s{number}")
        if player.seat is not None and player.seat in report.winners:
            add(name, el("span", " ★ ", _("winner"), class_="role"))
        key = el("td", el("code", _grouped(player.key)))
        log = el("td", owners.get(player.key, "–"))
        add(body, el("tr", el("td", seat), name, key, log))
    add(table, body)
    add(section, table)
    return section


def _scores(report: Report, names: Sequence[str]) -> Element | None:
    if not report.scores:
        return None
    section = _section("scores", _("Scores"))
    if report.winners:
        winners = listed([names[seat] for seat in report.winners])
        add(section, el("p", _("Won by {names}.").format(names=winners)))
    totals = [
        [sum(hand[seat] for hand in report.scores[: number + 1])
         for number in range(len(report.scores))]
        for seat in range(len(names))
    ]  # fmt: skip
    target = report.rules.get("target")
    label = _("Totals after each hand; the table has the figures.")
    chart = line_chart(label, names, totals, target if isinstance(target, int) else None)
    add(section, el("figure", chart, el("figcaption", _("Totals after each hand; less is better"))))
    table = el("table", el("caption", _("Points of each hand")), class_="sheet")
    heads = [el("th", _("Hand"), scope="col")]
    heads += [el("th", name, scope="col", class_=f"s{n}") for n, name in enumerate(names)]
    add(table, el("thead", el("tr", *heads)))
    body = el("tbody")
    shooters = {hand.number: hand.shooter for hand in report.story if not hand.is_void}
    for number, scores in enumerate(report.scores, 1):
        row = el("tr", el("th", number, scope="row"))
        for seat, score in enumerate(scores):
            cell = el("td", f"{score:+d}", class_="figure")
            if shooters.get(number) == seat:
                add(cell, el("span", " ☾", el("span", _("moon"), class_="heard")))
            add(row, cell)
        add(body, row)
    add(table, body)
    foot = el("tr", el("th", _("Total"), scope="row"))
    for total in report.totals:
        add(foot, el("td", total, class_="figure"))
    add(table, el("tfoot", foot))
    add(section, el("div", table, class_="wide", tabindex=0, role="group", aria_label=_("Scores")))
    return section


def _hands(report: Report, names: Sequence[str]) -> Element | None:
    if not report.story:
        return None
    section = _section("hands", _("The hands"))
    text = _(
        "Every card shown here was proven. Step through a hand with the buttons, or with the "
        "arrow keys once it has the focus."
    )
    add(section, el("p", text))
    south = next((seat for seat, player in enumerate(report.players)
                  if player.key == report.owner), 0)  # fmt: skip
    for hand in report.story:
        add(section, hand_section(hand, names, south))
    return section


def _verified(report: Report) -> Element | None:
    if not report.verified:
        return None
    section = _section("verified", _("What was verified"))
    took = sum(hand.seconds for hand in report.story)
    if took:
        text = _("The proofs and the re-run of all hands took {time} to check.")
        add(section, el("p", text.format(time=duration(took))))
    table = el("table", el("caption", _("In the fullest log")))
    body = el("tbody")
    for what, count in sorted(report.verified.items()):
        if count:
            text = _(COUNTED[what]) if what in COUNTED else what
            cells = (el("th", text, scope="row"), el("td", count, class_="figure"))
            add(body, el("tr", *cells))
    add(table, body)
    add(section, table)
    facts: list[tuple[str, Element | str]] = [(_("Records read"), str(report.records))]
    if report.table:
        facts.append((_("Number of the table"), el("code", report.table.hex())))
    if report.program:
        facts.append((_("Written by"), f"p2p-hearts {report.program}"))
    add(section, _facts(facts))
    add(section, _meanings())
    text = _(
        "This page was made from the logs alone and asks nobody for anything. It proves nothing "
        "by itself: who doubts it audits the logs, with p2p-hearts audit or with "
        "protocol/verify.py, which was written from the specification alone."
    )
    add(section, el("p", text))
    return section


MEANINGS: Final = (
    (
        N_("Signatures"),
        N_(
            "Every message is signed by its player and names the whole history before it. Nobody "
            "else can have said it, and nobody can have told two people different things unseen."
        ),
    ),
    (
        N_("Shuffles"),
        N_(
            "Every player shuffled the covered deck in turn, with a proof that exactly its cards "
            "came out, in an order that only this player knows. One honest shuffle is enough."
        ),
    ),
    (
        N_("Shares of cards"),
        N_(
            "A hand opens with the help of all others and of its owner, so no others together "
            "could read it. The proofs show that nobody gave wrong help."
        ),
    ),
    (
        N_("Passes"),
        N_(
            "What was passed is what the player had chosen, and afterwards every hand was covered "
            "anew, so that nobody could follow a card."
        ),
    ),
    (
        N_("Cards played"),
        N_(
            "Each card was proven to lie in the hand it came from; where the rules forbid it to "
            "who holds certain other cards, the rest of the hand was proven to hold none of them, "
            "without being shown."
        ),
    ),
    (
        N_("Revealed secrets"),
        N_(
            "After the hand every player showed the secret behind all it did. The audit made every "
            "message again from it and found the same bytes, and so the cards of every hand."
        ),
    ),
)
"""What was verified, for somebody who never heard of it."""


def _meanings() -> Element:
    listing = el("dl")
    for term, meaning in MEANINGS:
        add(listing, el("dt", _(term)))
        add(listing, el("dd", _(meaning)))
    return el("details", el("summary", _("What these checks mean")), listing)


def _rules(report: Report) -> Element | None:
    try:
        rules = RuleSet.from_dict(dict(report.rules))
    except RuleError:
        return None
    section = _section("rules", _("Rules of the table"))
    add(section, el("ul", *(el("li", sentence) for sentence in describe(rules))))
    return section
