"""One hand as HTML: a diagram that is stepped through, its tricks, and what was verified of it.

The markup holds every moment at once. Elements carry the numbers of the moments at which they
appear (``data-from``), leave (``data-until``), are crossed out (``data-gone``) or are the latest
(``data-now``); the script only compares these with the moment that is shown. Without a script, or
printed, the deal, the tricks and all steps stand there to be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from xml.etree.ElementTree import Element

from p2p_hearts.i18n import N_, _, ngettext
from p2p_hearts.record.audit.story import HandStory, Step
from p2p_hearts.record.moments import Event, Moment, moments, points_after
from p2p_hearts.record.report.html import add, el, table_head
from p2p_hearts.record.report.words import (
    direction,
    duration,
    moment_sentence,
    points,
    step_name,
    step_result,
    trick_points,
)
from p2p_hearts.rules.cards import (
    RANK_NAMES,
    SUIT_SYMBOLS,
    Card,
    CardSet,
    Suit,
    cards_in,
    difference,
    size,
)
from p2p_hearts.rules.passing import receiver
from p2p_hearts.rules.texts import card_words, symbol
from p2p_hearts.wire.messages import Kind

SUIT_CLASSES: Final = ("clubs", "diamonds", "spades", "hearts")
SUIT_WORDS: Final = (N_("clubs"), N_("diamonds"), N_("spades"), N_("hearts"))

_COMPASS: Final = 4
"""With so many seats the hands lie around the table, south first, clockwise."""


def hand_section(hand: HandStory, names: Sequence[str], south: int = 0) -> Element:
    """Return everything about one hand."""
    told = moments(hand)
    title = _("Hand {n}").format(n=hand.number)
    name = f"hand-{hand.number}" if not hand.is_void else f"hand-{hand.number}-void"
    section = el("section", class_="hand", id=name, aria_labelledby=f"{name}-title")
    add(section, el("h3", title, id=f"{name}-title"))
    facts = [_("{name} deals").format(name=names[hand.dealer]), direction(hand)]
    if hand.shooter is not None:
        facts.append(_("{name} shoots the moon").format(name=names[hand.shooter]))
    if hand.dummy is not None:
        facts.append(_("{name} takes no part: its cards are played openly").format(
            name=names[hand.dummy]
        ))  # fmt: skip
    add(section, el("p", " · ".join(facts), class_="facts"))
    for step in hand.steps:
        if step.rule is not None:
            told_of = _("{name} broke a rule in round {n}: {step}.").format(
                name=names[step.seat], n=step.round, step=step_name(step)
            )
            link = el("a", _("What is proven"), href="#faults")
            add(section, el("p", "✗ ", told_of, " ", link, class_="broken"))
    if hand.is_void:
        text = _("Before cards were seen this hand was begun anew without a player; it counts not.")
        add(section, el("p", text))
    else:
        add(section, _stepper(hand, names, told, title, south))
        add(section, _legend(hand))
        add(section, _passes(hand, names))
        if hand.plays:
            add(section, _tricks(hand, names, told))
    add(section, _proofs(hand, names))
    return section


# The diagram.


def _stepper(
    hand: HandStory, names: Sequence[str], told: tuple[Moment, ...], title: str, south: int
) -> Element:
    label = _("{hand}, step by step: arrow keys left and right, up and down for whole tricks")
    stepper = el(
        "div",
        class_="stepper",
        role="group",
        tabindex=0,
        aria_label=label.format(hand=title),
        aria_keyshortcuts="ArrowLeft ArrowRight ArrowUp ArrowDown Home End",
        data_last=len(told) - 1,
    )
    add(stepper, _controls(told))
    sentences = [moment_sentence(hand, names, moment) for moment in told]
    now = el("div", class_="now", role="status", aria_live="polite", aria_atomic="true")
    for number, sentence in enumerate(sentences):
        at = {"data_from": number, "data_until": number + 1, "hidden": number > 0}
        add(now, el("p", sentence, _proof_note(told[number].step), **at))
    add(stepper, now)
    is_round = hand.rules.seats == _COMPASS
    table = el("div", class_="table compass" if is_round else "table")
    add(table, _centre(hand, names, told, south))
    for place in range(hand.rules.seats):
        seat = (south + place) % hand.rules.seats
        add(table, _seat(hand, names, told, seat, place))
    add(stepper, table)
    return stepper


def _proof_note(step: Step | None) -> Element | None:
    if step is None:
        return None
    text = _("{result} ({time})").format(
        result=step_result(step), time=duration(step.seconds)
    )  # fmt: skip
    return el("small", " ✓ " if step.rule is None else " ✗ ", text)


def _controls(told: tuple[Moment, ...]) -> Element:
    controls = el("div", class_="controls", hidden=True)
    buttons = (
        ("first", "«", _("First step")),
        ("back", "‹", _("One step back")),
        ("next", "›", _("One step on")),
        ("last", "»", _("Last step")),
    )
    for go, sign, label in buttons:
        add(controls, el("button", sign, type="button", data_go=go, aria_label=label))
    count = el("span", el("span", 0, class_="number"), f" / {len(told) - 1}", class_="count")
    add(controls, count)
    return controls


def _centre(hand: HandStory, names: Sequence[str], told: tuple[Moment, ...], south: int) -> Element:
    """The cards on the table: each from its play on, until the next trick begins."""
    centre = el("div", class_="centre")
    for number, moment in enumerate(told):
        if moment.event is not Event.PLAY or moment.card is None or moment.seat is None:
            continue
        until = next(
            (later for later in range(number + 1, len(told))
             if told[later].trick != moment.trick),
            len(told),
        )  # fmt: skip
        place = (moment.seat - south) % hand.rules.seats
        add(centre, el(
            "span",
            el("span", names[moment.seat], " ", class_="who"),
            el("span", symbol(moment.card), class_="face"),
            class_=f"laid place{place} {_suit_class(moment.card)}",
            data_from=number, data_until=until, data_now=number, hidden=True,
        ))  # fmt: skip
    return centre


def _seat(
    hand: HandStory, names: Sequence[str], told: tuple[Moment, ...], seat: int, place: int
) -> Element:
    box = el("div", class_=f"seat place{place} s{seat}")
    heading = el("p", el("strong", names[seat]), class_="name")
    if seat == hand.dealer:
        add(heading, el("span", " ", _("dealer"), class_="role"))
    add(box, heading)
    add(box, _points_line(hand, told, seat))
    cards = _cards(hand, told, seat)
    for suit in reversed(Suit):
        row = el("p", class_=f"suit {SUIT_CLASSES[suit]}")
        add(row, el("span", SUIT_SYMBOLS[suit], class_="symbol", aria_hidden="true"))
        add(row, el("span", _(SUIT_WORDS[suit]), ": ", class_="heard"))
        for card, marks in cards:
            if card // 13 == suit:
                add(row, " ")
                add(row, el("span", RANK_NAMES[card % 13], class_="card", **marks))
        add(box, row)
    hidden = hand.rules.hand_size - size(hand.held[seat])
    if hidden:
        text = ngettext("{n} unknown card", "{n} unknown cards", hidden).format(n=hidden)
        add(box, el("p", text, class_="unknown"))
    return box


def _points_line(hand: HandStory, told: tuple[Moment, ...], seat: int) -> Element:
    """Points taken so far: one text for each stretch of moments in which they stay."""
    line = el("p", class_="taken")
    values = [points_after(hand, moment)[seat] for moment in told]
    start = 0
    for number in range(1, len(told) + 1):
        if number < len(told) and values[number] == values[start]:
            continue
        add(line, el(
            "span", points(values[start]), data_from=start, data_until=number, hidden=start > 0
        ))  # fmt: skip
        start = number
    return line


Marks = dict[str, str | float | bool | None]


def _cards(hand: HandStory, told: tuple[Moment, ...], seat: int) -> list[tuple[Card, Marks]]:
    """Every card that a seat has held, sorted, with when it comes, leaves and is played."""
    at_pass = next((n for n, moment in enumerate(told) if moment.event is Event.PASS), None)
    full = hand.rules.hand_size
    shows_pass = at_pass is not None and size(hand.dealt[seat]) == full == size(hand.held[seat])
    passed = hand.passed[seat] if shows_pass else CardSet(0)
    received = hand.received(seat) if shows_pass else CardSet(0)
    gone = _played_at(hand, told, seat)
    found: list[tuple[Card, Marks]] = [
        (card, {"data_until": at_pass, "data_passed": True}) for card in cards_in(passed)
    ]
    come: Marks = {"data_from": at_pass, "data_received": True, "hidden": True}
    found += [(card, {**come, "data_gone": _take(gone, card)}) for card in cards_in(received)]
    kept = difference(hand.held[seat], received)
    found += [(card, {"data_gone": _take(gone, card)}) for card in cards_in(kept)]
    return sorted(found, key=lambda item: -item[0])


def _played_at(hand: HandStory, told: tuple[Moment, ...], seat: int) -> dict[Card, list[int]]:
    """By card, the moments at which a seat has laid its copies down."""
    gone: dict[Card, list[int]] = {}
    for number, moment in enumerate(told):
        if moment.event is Event.PLAY and moment.seat == seat and moment.card is not None:
            gone.setdefault(moment.card, []).append(number)
        elif moment.event is Event.CLAIM and moment.seat == seat and hand.play is not None:
            claimed = hand.play.claimed
            for card in cards_in(claimed.hand) if claimed is not None else ():
                gone.setdefault(card, []).append(number)
    return gone


def _take(gone: dict[Card, list[int]], card: Card) -> int | None:
    left = gone.get(card)
    return left.pop(0) if left else None


def _suit_class(card: Card) -> str:
    return SUIT_CLASSES[card // 13]


def _legend(hand: HandStory) -> Element | None:
    if not any(hand.passed):
        return None
    text = _("Dotted line: passed on. Solid line: received. Struck out: played.")
    return el("p", text, class_="legend")


def _passes(hand: HandStory, names: Sequence[str]) -> Element | None:
    """Who passed what to whom, as far as it is known."""
    if not any(hand.passed):
        return None
    table = el("table", el("caption", _("Pass")), class_="passes")
    add(table, table_head((_("From"), _("Cards"), _("To"))))
    body = el("tbody")
    for seat, cards in enumerate(hand.passed):
        to = names[receiver(hand.rules, seat, hand.offset)]
        cell = el("td")
        for card in cards_in(cards):
            add(cell, el("span", symbol(card), class_=f"face {_suit_class(card)}"))
            add(cell, " ")
        add(body, el("tr", el("th", names[seat], scope="row"), cell, el("td", "→ ", to)))
    add(table, body)
    return table


# The tricks.


def _tricks(hand: HandStory, names: Sequence[str], told: tuple[Moment, ...]) -> Element:
    table = el("table", class_="tricks")
    add(table, el("caption", _("Tricks")))
    heads = (_("Trick"), _("Cards"), _("Taken by"), _("Points"))
    add(table, table_head(heads, figures=1))
    body = el("tbody")
    add(table, body)
    play = hand.play
    finished = () if play is None else play.tricks
    for trick in range(-(-len(hand.plays) // hand.rules.seats)):
        cell = el("td")
        winner = finished[trick].winner if trick < len(finished) else None
        for number, moment in enumerate(told):
            if moment.trick == trick and moment.card is not None and moment.seat is not None:
                add(cell, _play_button(moment, names, number, moment.seat == winner))
        row = el("tr", el("th", trick + 1, scope="row"), cell)
        if trick < len(finished):
            taker = _("nobody") if winner is None else names[winner]
            add(row, el("td", taker))
            add(row, el("td", trick_points(hand, trick), class_="figure"))
        else:
            add(row, el("td", "–"))
            add(row, el("td", "–", class_="figure"))
        add(body, row)
    return table


def _play_button(moment: Moment, names: Sequence[str], number: int, is_winner: bool) -> Element:
    card, seat = moment.card, moment.seat
    if card is None or seat is None:
        raise ValueError("only a card that was played has a button")
    said = _("{name}: {card}").format(name=names[seat], card=card_words(card))
    if is_winner:
        said = _("{play}, takes the trick").format(play=said)
    return el(
        "button",
        el("span", names[seat], " ", class_="who"),
        el("span", symbol(card), class_=f"face {_suit_class(card)}"),
        type="button", class_="play winner" if is_winner else "play",
        aria_label=said, data_go=number, data_now=number,
    )  # fmt: skip


# What was verified.


def _proofs(hand: HandStory, names: Sequence[str]) -> Element:
    took = duration(hand.seconds)
    text = ngettext(
        "What was verified: {n} step, {time}", "What was verified: {n} steps, {time}",
        len(hand.steps),
    ).format(n=len(hand.steps), time=took)  # fmt: skip
    details = el("details", el("summary", text), class_="proofs")
    add(details, _stages(hand))
    table = el("table", el("caption", _("Every step")))
    heads = (_("Round"), _("Player"), _("Step"), _("Result"), _("Time"))
    add(table, table_head(heads, figures=1))
    body = el("tbody")
    for step in hand.steps:
        what = step_name(step)
        if step.card is not None:
            what = _("{step}: {card}").format(step=what, card=symbol(step.card))
        add(body, el(
            "tr",
            el("td", step.round),
            el("td", names[step.seat]),
            el("td", what),
            el("td", step_result(step), class_="broken" if step.rule is not None else None),
            el("td", duration(step.seconds), class_="figure"),
        ))  # fmt: skip
    add(table, body)
    add(
        details,
        el("div", table, class_="wide", tabindex=0, role="group", aria_label=_("Every step")),
    )
    return details


def _stages(hand: HandStory) -> Element:
    table = el("table", el("caption", _("By kind of step")))
    heads = (_("Step"), _("Messages"), _("Time"))
    add(table, table_head(heads, figures=2))
    body = el("tbody")
    by_kind: dict[Kind, list[Step]] = {}
    for step in hand.steps:
        by_kind.setdefault(step.kind, []).append(step)
    for steps in by_kind.values():
        add(body, el(
            "tr",
            el("td", step_name(steps[0])),
            el("td", len(steps), class_="figure"),
            el("td", duration(sum(step.seconds for step in steps)), class_="figure"),
        ))  # fmt: skip
    add(table, body)
    return table
