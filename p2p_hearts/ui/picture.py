"""The whole screen as one pure function: a `Scene` and a size in, styled lines out.

`draw` never fails for any size, never draws a line longer than the screen and reads no clock.
From 60×18 on everything is there; below, the game goes on in a few plain lines under the wish
to enlarge the window.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p_hearts.i18n import _, ngettext, pgettext
from p2p_hearts.rules.view import Phase
from p2p_hearts.ui.canvas import Canvas, Line, Target
from p2p_hearts.ui.choice import ENTER, HINT, LEAVE, Key
from p2p_hearts.ui.hand import CardSize, draw_hand, hand_fits, hand_rows
from p2p_hearts.ui.lobby import draw_lobby
from p2p_hearts.ui.panels import (
    draw_panel,
    panel_rows,
)
from p2p_hearts.ui.prompts import half_typed, message_lines
from p2p_hearts.ui.scene import Scene, TableScene
from p2p_hearts.ui.scores import is_scored
from p2p_hearts.ui.seats import (
    Area,
    draw_seats,
    pass_words,
    seat_lines,
)
from p2p_hearts.ui.sheet import sheet_columns, sheet_lines
from p2p_hearts.ui.small import LEAST_COLUMNS, LEAST_ROWS, draw_small
from p2p_hearts.ui.status import LobbyStatus
from p2p_hearts.ui.strip import fairness_strip
from p2p_hearts.ui.words import (
    clip,
    width,
    wrap,
)

_TABLE_COLUMNS = 60
"""Columns that the table keeps when a score sheet stands beside it."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawn screen: `lines` as (style, text) runs, `targets` that the mouse can hit."""

    lines: tuple[Line, ...]
    targets: tuple[Target, ...]

    def text(self) -> str:
        """Return the characters alone, trailing spaces removed."""
        return (
            "\n".join("".join(text for _style, text in line).rstrip() for line in self.lines) + "\n"
        )

    def key_at(self, column: int, row: int) -> Key | None:
        """Return the key that a click on a cell stands for: that of the topmost target there."""
        for target in reversed(self.targets):
            if target.holds(column, row):
                return target.key
        return None


def draw(scene: Scene, columns: int, rows: int) -> Picture:
    """Return the screen of `columns` × `rows` for this scene."""
    canvas = Canvas(columns, rows, scene.glyphs)
    table = _table_scene(scene)
    if columns < LEAST_COLUMNS or rows < LEAST_ROWS:
        draw_small(canvas, scene, table)
    elif table is None:
        draw_lobby(canvas, scene)
    else:
        _draw_table(canvas, table)
    return Picture(canvas.lines(), tuple(canvas.targets))


def _table_scene(scene: Scene) -> TableScene | None:
    if scene.view is None or isinstance(scene.status, LobbyStatus):
        return None
    return TableScene(scene.view, scene.status, scene.choice, scene.messages, scene.glyphs)


# The table.


def _draw_table(canvas: Canvas, scene: TableScene) -> None:
    columns, rows = canvas.columns, canvas.rows
    strip = fairness_strip(scene.status, scene, columns - 2)
    size = _hand_size(scene, columns, rows)
    message_rows = 2 if rows < 26 else 3
    bottom = rows - len(strip)
    keys_row = bottom - 1
    message_row = keys_row - message_rows
    hand_row = message_row - hand_rows(scene, size, columns)
    own_row = hand_row - 1

    _draw_header(canvas, scene)
    area = Area(0, 1, columns, own_row - 1)
    side = _side_columns(scene, columns)
    if side:
        _draw_side(canvas, scene, Area(columns - side, 1, side, own_row - 1))
        area = Area(0, 1, columns - side, own_row - 1)
    over = scene.view.phase in (Phase.HAND_OVER, Phase.MATCH_OVER)
    if not over:
        draw_seats(canvas, scene, area)
    _draw_own_line(canvas, scene, own_row)
    draw_hand(canvas, scene, hand_row, size)
    _draw_messages(canvas, scene, message_row, message_rows)
    _draw_keys(canvas, scene, keys_row)
    for index, line in enumerate(strip):
        canvas.write(1, bottom + index, line, columns)
    if over or panel_rows(scene, area.columns - 4) > area.rows:
        area = Area(0, 1, columns, message_row - 1)
        canvas.clear(0, 1, columns, message_row - 1)
    draw_panel(canvas, scene, area)


def _hand_size(scene: TableScene, columns: int, rows: int) -> CardSize:
    if rows >= 34 and hand_fits(scene, CardSize.LARGE, columns):
        return CardSize.LARGE
    if rows >= 24 and hand_fits(scene, CardSize.MEDIUM, columns):
        return CardSize.MEDIUM
    return CardSize.TEXT


def _side_columns(scene: TableScene, columns: int) -> int:
    """Columns of the score sheet beside the table, 0 where it would crowd the table."""
    seats = scene.view.rules.seats
    wanted = sheet_columns(seats) + 3
    if columns - wanted < _TABLE_COLUMNS:
        wanted = 3 + 4 + 5 * seats
    if columns - wanted < _TABLE_COLUMNS:
        return 0
    return wanted + min(16, (columns - wanted - _TABLE_COLUMNS) // 3)


def _draw_side(canvas: Canvas, scene: TableScene, area: Area) -> None:
    for y in range(area.row, area.row + area.rows):
        canvas.put(area.column, y, scene.glyphs.vertical, "class:frame")
    inner = area.columns - 3
    told = scene.messages[-4:] if area.rows >= 18 else ()
    lines = sheet_lines(scene, inner, area.rows - (len(told) * 2 + 2 if told else 0))
    for index, line in enumerate(lines):
        canvas.write(area.column + 2, area.row + index, line, area.column + area.columns - 1)
    row = area.row + len(lines) + 1
    wrapped = [line for sentence in told for line in wrap(sentence, inner)]
    room = max(0, area.row + area.rows - row)
    for index, text in enumerate(wrapped[-room:] if room else []):
        canvas.put(area.column + 2, row + index, text, "class:faint")


def _draw_header(canvas: Canvas, scene: TableScene) -> None:
    glyphs = scene.glyphs
    facts = f" {glyphs.dot} ".join(_header_facts(scene))
    help_key = _("? help")
    canvas.clear(0, 0, canvas.columns, 1, "class:header")
    canvas.right(canvas.columns - 1, 0, help_key, "class:header")
    canvas.target(canvas.columns - width(help_key) - 1, 0, width(help_key), 1, "?")
    room = canvas.columns - width(facts) - width(help_key) - 6
    name = clip(scene.status.table_name, max(0, room), glyphs)
    canvas.put(1, 0, name, "class:header.name")
    free_from, free_to = width(name) + 3, canvas.columns - width(help_key) - 3
    centred = (canvas.columns - width(facts)) // 2
    start = max(free_from, min(centred, free_to - width(facts)))
    canvas.put(start, 0, clip(facts, free_to - start + 1, glyphs), "class:header")


def _header_facts(scene: TableScene) -> list[str]:
    view = scene.view
    if view.phase is Phase.MATCH_OVER:
        hands = len(view.match.hands)
        return [ngettext("{n} hand played", "{n} hands played", hands).format(n=hands)]
    facts = [_("hand {n}").format(n=view.hand_number), pass_words(scene)]
    if view.rules.hearts_break:
        broken = view.play is not None and view.play.broken
        facts.append(_("hearts broken") if broken else _("hearts not broken"))
    return facts


def _draw_own_line(canvas: Canvas, scene: TableScene, row: int) -> None:
    """Return the person's own seat in one line."""
    if scene.view.phase in (Phase.HAND_OVER, Phase.MATCH_OVER):
        return
    name, facts, taken = seat_lines(scene, scene.view.south)
    line: Line = (*name, ("", "   "), *facts, ("", "   "), *taken)
    total = sum(width(text) for _style, text in line)
    canvas.write(max(1, (canvas.columns - total) // 2), row, line, canvas.columns - 1)


# What to do, and why.


def _draw_messages(canvas: Canvas, scene: TableScene, row: int, rows: int) -> None:
    end = row + rows
    for style, sentence in _answer_in_full(message_lines(scene), canvas.columns - 2, rows):
        for text in wrap(sentence, canvas.columns - 2, end - row, scene.glyphs):
            canvas.put(1, row, text, style)
            row += 1


def _answer_in_full(told: list[tuple[str, str]], columns: int, rows: int) -> list[tuple[str, str]]:
    """Put the answer to the last key first where it would be cut below what is said anyway."""
    needed = 0
    for at, (style, sentence) in enumerate(told):
        needed += len(wrap(sentence, columns))
        if style == "class:feedback" and needed > rows:
            return [told[at], *told[:at], *told[at + 1 :]]
    return told


def _draw_keys(canvas: Canvas, scene: TableScene, row: int) -> None:
    """Return what is being typed, or the keys that do something now."""
    choice, view = scene.choice, scene.view
    if choice.typed:
        wish = half_typed(choice.typed)
        column = canvas.put(1, row, choice.typed.upper(), "class:mark")
        canvas.put(column, row, "_", "class:mark")
        canvas.put(column + 2, row, clip(wish, canvas.columns - column - 3), "class:faint")
        return
    use = pgettext("key", "play")
    if view.phase is Phase.PASS:
        complete = len(choice.chosen) == view.rules.pass_count
        use = pgettext("key", "pass") if complete else pgettext("key", "choose")
    elif view.phase is Phase.HAND_OVER:
        use = pgettext("key", "go on")
    keys: list[tuple[str, str, Key]] = [
        (_("Enter"), use, ENTER),
        ("l", pgettext("key", "last trick"), "l"),
        ("s", pgettext("key", "scores"), "s"),
        ("h", pgettext("key", "hint"), HINT),
    ]
    keys += [
        ("q", pgettext("key", "leave"), LEAVE),
        ("o", pgettext("key", "settings"), "o"),
        ("p", pgettext("key", "people"), "p"),
        ("r", pgettext("key", "rules"), "r"),
    ]
    if view.watching and not scene.status.finished:
        keys = [item for item in keys if item[2] not in (ENTER, HINT)]
    if scene.status.finished:
        keys = [(_("Enter"), pgettext("key", "leave"), ENTER), keys[1], keys[2]]
    elif not view.watching and not _enter_decides(scene):
        # Its place stays free: the other keys stand where they are at every turn.
        canvas.keys(row, keys[1:], 4 + width(f"{keys[0][0]} {use}"))
        return
    canvas.keys(row, keys)


def _enter_decides(scene: TableScene) -> bool:
    """Whether Enter does something over the table itself now."""
    view = scene.view
    if view.phase is Phase.HAND_OVER:
        return is_scored(view)
    return view.phase in (Phase.PASS, Phase.PLAY) and view.your_turn and not scene.choice.sent
