"""What opens over the table: last trick, scores, hint, help, leaving, the end of a hand."""

from __future__ import annotations

from dataclasses import dataclass

from p2p_hearts.i18n import N_, _
from p2p_hearts.rules.view import Phase
from p2p_hearts.ui.canvas import Canvas, Line
from p2p_hearts.ui.choice import ENTER, ESCAPE, MOON_KEYS, Panel, Row
from p2p_hearts.ui.curve import LEAST_ROWS, curve_fits, curve_lines
from p2p_hearts.ui.scene import Scene, TableScene
from p2p_hearts.ui.scores import is_scored, moon_seat, running_totals
from p2p_hearts.ui.seats import Area
from p2p_hearts.ui.sentences import (
    CLAIM_QUESTION,
    PHRASE_SENTENCE,
    acquaintance_words,
    moon_choices,
    moon_sentence,
    people_names,
    remark_sentence,
    rule_sentences,
    winners_sentence,
)
from p2p_hearts.ui.settings import SETTINGS
from p2p_hearts.ui.sheet import chart_lines, sheet_lines
from p2p_hearts.ui.status import Acquaintance, Status
from p2p_hearts.ui.styles import suit_style
from p2p_hearts.ui.tour import PAGES
from p2p_hearts.ui.words import Glyphs, card_text, clip, pad, width, wrap

_HELP = (
    (N_("arrows"), N_("move over your cards, up and down by suit")),
    (N_("Enter"), N_("play the card, or confirm the pass")),
    (N_("Space"), N_("choose a card for the pass, or take it back")),
    ("qs 10h", N_("type a card: its rank and c, d, s or h")),
    (N_("mouse"), N_("click on a card")),
    (N_("Backspace"), N_("take back the last card chosen")),
    ("l s p r o", N_("last trick, scores, people, rules, settings")),
    ("h c v m", N_("a hint; claim the rest; go on without; chat")),
    ("?  Esc", N_("this help; close what is open")),
    ("q Enter", N_("leave the table")),
)
_AIM = N_(
    "Take no hearts (1 point each) and not the queen of spades (13); "
    "or take them all. The lowest total wins."
)

_COUNTS = N_("34 (+4) beside a name: 34 points in all, and 4 so far in this hand.")

_YES_NO = N_("y yes, n no")


def _closes(key: str) -> str:
    return _("{key} closes").format(key=key)


def draw_box(
    canvas: Canvas,
    area: Area,
    title: str,
    lines: list[Line],
    *,
    least: int = 0,
    footer: str = "",
) -> None:
    """Draw a titled box around `lines`, centred in the area and clipped to it."""
    inner = max(
        [least, width(title) + 2, width(footer) + 2]
        + [sum(width(text) for _, text in line) for line in lines]
    )
    columns = min(area.columns, inner + 4)
    rows = min(area.rows, len(lines) + 2)
    column = area.column + (area.columns - columns) // 2
    row = area.row + (area.rows - rows) // 2
    canvas.box(column, row, columns, rows, "class:frame")
    canvas.put(column + 2, row, clip(f" {title} ", columns - 4, canvas.glyphs), "class:title")
    if footer:
        text = clip(f" {footer} ", columns - 4, canvas.glyphs)
        canvas.right(column + columns - 2, row + rows - 1, text, "class:faint")
    for index, line in enumerate(lines[: rows - 2]):
        canvas.write(column + 2, row + 1 + index, line, column + columns - 2)


@dataclass(frozen=True, slots=True)
class _Content:
    """What stands in a panel: title, lines, what closes it."""

    title: str
    lines: list[Line]
    footer: str = ""


def panel_rows(scene: TableScene, columns: int) -> int:
    """Rows that the open panel would like to have; a curve takes no more than are there."""
    if scene.choice.panel is Panel.SCORES:
        return len(sheet_lines(scene, columns, 200)) + 2
    content = _content(scene, columns, 200)
    return 0 if content is None else len(content.lines) + 2


def draw_panel(canvas: Canvas, scene: TableScene, area: Area) -> None:
    """Draw the open panel, if any."""
    content = _content(scene, area.columns - 4, area.rows - 2)
    if content is not None:
        _draw_content(canvas, scene, area, content)


def draw_lobby_panel(canvas: Canvas, scene: Scene, area: Area) -> None:
    """Draw what opens where no hand is on the table yet, too."""
    content = _content_without_cards(scene, area.columns - 4, area.rows - 2)
    if content is not None:
        _draw_content(canvas, scene, area, content)


def _draw_content(canvas: Canvas, scene: Scene | TableScene, area: Area, content: _Content) -> None:
    panel, lines = scene.choice.panel, content.lines
    draw_box(canvas, area, content.title, lines, footer=content.footer)
    closes = ENTER if panel is Panel.TOUR else ESCAPE
    canvas.target(area.column, area.row, area.columns, area.rows, closes)
    if panel is Panel.SETTINGS:
        shown = min(len(lines), area.rows - 2)
        top = area.row + (area.rows - shown - 2) // 2 + 1
        for index in range(min(shown, len(SETTINGS))):
            canvas.target(area.column, top + index, area.columns, 1, Row(index))


def _content_without_cards(scene: Scene | TableScene, columns: int, rows: int) -> _Content | None:
    """Return what may be open in the lobby as well as over the table."""
    panel, columns = scene.choice.panel, max(1, columns)
    if panel is Panel.HELP:
        return _Content(_("Help"), help_lines(columns, rows), _("t the tour, ? closes"))
    if panel is Panel.LEAVE:
        watching = scene.view is not None and scene.view.watching
        return _Content(_("Leave the table?"), leave_lines(columns, watching), _(_YES_NO))
    if panel is Panel.PEOPLE:
        return _Content(_("Who is here"), _people_lines(scene, columns), _closes("p"))
    if panel is Panel.SETTINGS:
        return _Content(
            _("Settings"), _settings_lines(scene, columns), _("arrows change, o closes")
        )
    if panel is Panel.CHAT:
        footer = _("Enter says it, Esc closes")
        return _Content(_("Chat"), _chat_lines(scene, columns, rows), footer)
    if panel is Panel.RULES:
        return _rules(scene, columns, rows)
    if panel is Panel.TOUR:
        row = min(scene.choice.row, len(PAGES) - 1)
        text = wrap(_(PAGES[row].text), min(columns, 56))
        footer = _("{page} of {pages}: Enter goes on, Esc ends")
        return _Content(
            _(PAGES[row].title),
            [(("", line),) for line in text],
            footer.format(page=row + 1, pages=len(PAGES)),
        )
    return None


def _rules(scene: Scene | TableScene, columns: int, rows: int) -> _Content:
    """The rules of the table: all where they fit, else from the first that is looked at."""
    sentences = rule_sentences(scene.view, scene.status) or (_("The rules are not known yet."),)
    wrapped = [wrap(sentence, min(columns, 72)) for sentence in sentences]
    fits = sum(map(len, wrapped)) <= rows
    first = 0 if fits else min(scene.choice.row, len(sentences) - 1)
    lines: list[Line] = [(("", line),) for part in wrapped[first:] for line in part]
    footer = _closes("r") if fits else _("arrows move, r closes")
    if len(lines) > rows:
        footer = _("arrows show more, r closes")
    return _Content(_("Rules of this table"), lines, footer)


def _content(scene: TableScene, columns: int, rows: int) -> _Content | None:
    """Return what is open over the table."""
    panel, phase = scene.choice.panel, scene.view.phase
    columns = max(1, columns)
    if panel is Panel.LAST_TRICK:
        return _Content(_("Last trick"), _last_trick(scene, columns), _closes("l"))
    if panel is Panel.SCORES:
        columns = min(columns, 3 + 12 * scene.view.rules.seats)
        totals = running_totals(scene.view.match)
        sheet = len(totals) + 4
        lettered = curve_fits(totals, columns, rows - sheet)
        lines = sheet_lines(scene, columns, rows, lettered=lettered)
        if lettered:
            room = rows - sheet
            lines += [(), *curve_lines(totals, columns, room, scene.glyphs, scene.view.seat)]
        return _Content(_("Scores"), lines, _closes("s"))
    if panel is Panel.HINT:
        lines = _hint_lines(scene.choice.hint, min(columns, 56), rows)
        return _Content(_("Hint"), lines, _closes("h"))
    if panel is Panel.CLAIM:
        return _Content(_("Claim the rest?"), _claim_lines(columns), _(_YES_NO))
    if panel is not Panel.NONE:
        return _content_without_cards(scene, columns, rows)
    if phase is Phase.CHOOSE_MOON and scene.view.your_turn:
        return _Content(_("You shot the moon!"), _moon_lines(scene, columns), _("1 or 2"))
    if phase is Phase.HAND_OVER:
        return _hand_over(scene, columns, rows)
    if phase is Phase.MATCH_OVER:
        return _match_over(scene, columns, rows)
    return None


def _hint_lines(hint: str, columns: int, rows: int) -> list[Line]:
    """The advice, then what is at stake, apart where there is room for it."""
    advice, *risks = [wrap(part, columns) for part in hint.split("\n")]
    apart = len(advice) + sum(len(part) for part in risks) + len(risks) <= rows
    lines: list[Line] = [(("", line),) for line in advice]
    for part in risks:
        lines += [()] if apart else []
        lines += [(("class:faint", line),) for line in part]
    return lines


def _people_lines(scene: Scene | TableScene, columns: int) -> list[Line]:
    """Who sits, what is known of each key, and the words to compare."""
    status, glyphs = scene.status, scene.glyphs
    columns = min(columns, 58)
    lines: list[Line] = []
    names = people_names(status)
    if names:
        taken = min(20, max((width(name) for name in names), default=0))
        for seat, name in enumerate(names):
            known = status.people[seat] if seat < len(status.people) else None
            style = "class:fault" if known is Acquaintance.CHANGED else "class:faint"
            cells = ("class:title", pad(name, taken + 2, "<", glyphs))
            words = wrap(acquaintance_words(known), columns - taken - 2) or [""]
            lines.append((cells, (style, words[0])))
            lines += [(("", " " * (taken + 2)), (style, word)) for word in words[1:]]
    if status.phrase:
        lines += [(), *((("", line),) for line in wrap(_(PHRASE_SENTENCE), columns))]
        lines += [(("class:strip.phrase", line),) for line in wrap(status.phrase, columns)]
    return lines


def _settings_lines(scene: Scene | TableScene, columns: int) -> list[Line]:
    """Every setting with its value, and what the one looked at means."""
    glyphs: Glyphs = scene.glyphs
    settings, row = scene.choice.settings, scene.choice.row % len(SETTINGS)
    names = max(width(_(setting.label)) for setting in SETTINGS) + 2
    lines: list[Line] = []
    for index, setting in enumerate(SETTINGS):
        here = index == row
        mark = glyphs.turn if here else " " * width(glyphs.turn)
        lines.append(
            (
                ("class:mark", f"{mark} "),
                ("class:title" if here else "", pad(_(setting.label), names)),
                ("class:mark" if here else "class:faint", setting.shown(settings)),
            )
        )
    told = wrap(_(SETTINGS[row].comment), min(columns, 56), 2, glyphs)
    return [*lines, (), *((("class:faint", line),) for line in told)]


def _chat_lines(scene: Scene | TableScene, columns: int, rows: int) -> list[Line]:
    """Return the last lines that were said, and the one that is being written."""
    room, writing = min(columns, 64), f"> {scene.choice.line}_"
    while width(writing) > room:
        writing = writing[:2] + writing[3:]
    status, said = scene.status, list[Line]()
    if isinstance(status, Status):
        for remark in status.chat:
            said += [(("", text),) for text in wrap(remark_sentence(remark), room)]
    feedback = [(("class:feedback", text),) for text in wrap(scene.choice.feedback, room)]
    kept = said[len(said) - max(0, rows - 2 - len(feedback)) :] if said else []
    # As wide as may be: a box that grows with every letter would jump.
    return [*kept, *feedback, (("class:mark", pad(writing, room)),)]


def help_lines(columns: int, rows: int) -> list[Line]:
    """Return the keys, and what the game is about where there is room for it."""
    about = (_(_AIM), _(_COUNTS))
    aim = [(("", line),) for text in about for line in wrap(text, min(columns, 58))]
    keys: list[Line] = [(("class:key", pad(_(key), 10)), ("", _(text))) for key, text in _HELP]
    if len(keys) + len(aim) + 1 <= rows:
        return [*aim, (), *keys]
    if len(keys) <= rows:
        return keys
    half = -(-len(keys) // 2)
    share = columns // 2
    short = [
        (("class:key", pad(_(key), 10)), ("", pad(_(text), share - 11))) for key, text in _HELP
    ]
    return [
        short[index] + (short[index + half] if index + half < len(short) else ())
        for index in range(half)
    ]


def leave_lines(columns: int, watching: bool = False) -> list[Line]:
    """Return what leaving means."""
    if watching:
        text = _("Stop watching? The game goes on without you. Press y to leave, n to stay.")
        return [(("", line),) for line in wrap(text, min(columns, 52))]
    text = _(
        "The others cannot play on without your cards and will wait for you. "
        "Press y to leave, n to stay."
    )
    return [(("", line),) for line in wrap(text, min(columns, 52))]


def _claim_lines(columns: int) -> list[Line]:
    return [(("", line),) for line in wrap(_(CLAIM_QUESTION), min(columns, 52))]


def _last_trick(scene: TableScene, columns: int) -> list[Line]:
    play, glyphs = scene.view.play, scene.glyphs
    if play is None or not play.tricks:
        return [(("", clip(_("No trick is finished in this hand yet."), columns, glyphs)),)]
    trick = play.tricks[-1]
    names = min(20, max(width(scene.name(seat)) for seat, _card in trick.cards))
    lines: list[Line] = []
    for seat, card in trick.cards:
        after = ""
        if seat == trick.winner:
            after = _("took the trick")
        elif seat == trick.leader:
            after = _("led")
        lines.append(
            (
                ("class:title", pad(scene.name(seat), names + 2, "<", glyphs)),
                (suit_style(card), pad(card_text(card, glyphs), 3, ">")),
                ("class:faint", f"  {after}" if after else ""),
            )
        )
    if trick.winner is None:
        lines.append((("class:faint", _("Nobody took it.")),))
    return lines


def _moon_lines(scene: TableScene, columns: int) -> list[Line]:
    lines: list[Line] = []
    for key, sentence in zip(MOON_KEYS, moon_choices(scene.view), strict=True):
        wrapped = wrap(sentence, min(columns - 3, 52))
        lines += [
            (("class:key", key if index == 0 else " "), ("", f"  {text}"))
            for index, text in enumerate(wrapped)
        ]
    return lines


def _hand_over(scene: TableScene, columns: int, rows: int) -> _Content:
    match, glyphs = scene.view.match, scene.glyphs
    title = _("Hand {n} is over").format(n=scene.view.hand_number)
    if not is_scored(scene.view):
        text = scene.status.stage or _("The hidden cards are being checked.")
        return _Content(title, [(("", line),) for line in wrap(text, min(columns, 56))])
    scores = match.hands[-1]
    names = min(20, max(width(scene.name(seat)) for seat in range(match.rules.seats)))
    lines: list[Line] = []
    moon = moon_sentence(scene.view, scene.status, scores)
    moon_at = moon_seat(match.rules, scores)
    lines += [(("class:mark", line),) for line in wrap(moon, columns)]
    cells: list[Line] = [
        (
            ("class:title", pad(scene.name(seat), names + 1, "<", glyphs)),
            ("", pad(f"{scores[seat]:+d}", 5, ">")),
            ("class:mark", f" {glyphs.moon}" if seat == moon_at else "  "),
            ("class:title", pad(str(match.totals[seat]), 5, ">")),
        )
        for seat in range(match.rules.seats)
    ]
    room = rows - len(lines)
    if len(cells) > room > 0:  # two columns, for many seats on a small screen
        half = -(-len(cells) // 2)
        cells = [
            (*cells[i], ("", "   "), *(cells[i + half] if i + half < len(cells) else ()))
            for i in range(half)
        ]
    lines += cells
    if len(match.hands) > 1 and len(lines) + len(match.hands) + 8 <= rows:
        lines += [(), *sheet_lines(scene, min(columns, 72), rows - len(lines) - 1)]
    return _Content(title, lines, _("points and totals"))


def _match_over(scene: TableScene, columns: int, rows: int) -> _Content:
    columns = min(columns, 72)
    head: list[Line] = [
        (("class:winner", line),)
        for line in wrap(winners_sentence(scene.view, scene.status), columns)
    ]
    moon = (
        moon_sentence(scene.view, scene.status, scene.view.match.hands[-1])
        if scene.view.match.hands
        else ""
    )
    head += [(("class:mark", line),) for line in wrap(moon, columns)]
    seats = scene.view.match.rules.seats
    apart: list[Line] = [()] if len(head) + seats < rows else []
    totals = running_totals(scene.view.match)
    room = rows - len(head) - seats - 2 * len(apart)
    lettered = curve_fits(totals, columns, room)
    lines = [*head, *apart, *chart_lines(scene, columns, lettered=lettered)]
    if lettered:
        # The sheet, where it goes in whole beside a curve that can still be read.
        sheet = len(totals) + 4
        with_sheet = room - sheet - 1 >= LEAST_ROWS
        curve = room - sheet - 1 if with_sheet else room
        lines += [(), *curve_lines(totals, columns, curve, scene.glyphs, scene.view.seat)]
    if len(lines) + len(totals) + 5 <= rows:
        lines += [(), *sheet_lines(scene, columns, rows - len(lines) - 1)]
    return _Content(_("The match is over"), lines, _("Enter leaves"))
