"""The screen that is too small: the wish to enlarge it, and the game in as few lines as can be."""

from __future__ import annotations

from p2p_hearts.i18n import _
from p2p_hearts.rules.view import Phase
from p2p_hearts.ui.canvas import Canvas
from p2p_hearts.ui.choice import Click, Panel
from p2p_hearts.ui.lobby import lobby_lines
from p2p_hearts.ui.panels import draw_lobby_panel, draw_panel, help_lines, leave_lines
from p2p_hearts.ui.prompts import half_typed, message_lines
from p2p_hearts.ui.scene import Scene, TableScene
from p2p_hearts.ui.seats import Area, shown_trick, trick_sentence
from p2p_hearts.ui.styles import suit_style
from p2p_hearts.ui.words import card_text, clip, width, wrap

LEAST_COLUMNS, LEAST_ROWS = 60, 18
"""The smallest screen with everything on it."""


def draw_small(canvas: Canvas, scene: Scene, table: TableScene | None) -> None:
    """Return the wish to enlarge, and the game in as few lines as can be."""
    columns, rows = canvas.columns, canvas.rows
    wish = _("enlarge to {size}").format(size=f"{LEAST_COLUMNS}x{LEAST_ROWS}")
    canvas.put(0, 0, clip(wish, columns, scene.glyphs), "class:header")
    row = 1
    if scene.choice.panel is Panel.LEAVE:
        for line in leave_lines(columns, scene.view is not None and scene.view.watching):
            canvas.write(0, row, line, columns)
            row += 1
        return
    if scene.choice.panel is Panel.HELP:
        for line in help_lines(columns, 0 if columns >= 50 else rows):
            canvas.write(0, row, line, columns)
            row += 1
        return
    if scene.choice.panel in (Panel.TOUR, Panel.SETTINGS, Panel.PEOPLE, Panel.RULES):
        draw_lobby_panel(canvas, scene, Area(0, row, columns, rows - row))
        return
    if table is None:
        for style, text in lobby_lines(scene):
            for part in wrap(text, columns):
                canvas.put(0, row, part, style)
                row += 1
        return
    over = table.view.phase in (Phase.HAND_OVER, Phase.MATCH_OVER)
    first = [] if over and table.status.fault is None else message_lines(table)[:1]
    for style, sentence in first:
        for part in wrap(sentence, columns, max(2, rows // 3), scene.glyphs):
            canvas.put(0, row, part, style)
            row += 1
    if table.choice.panel is not Panel.NONE or over:
        draw_panel(canvas, table, Area(0, row, columns, rows - row))
        return
    row = _small_trick(canvas, table, row)
    row = _small_hand(canvas, table, row)
    typed = table.choice.typed
    if typed:
        for part in wrap(f"{typed.upper()}_ {half_typed(typed)}", columns, None, scene.glyphs):
            canvas.put(0, row, part, "class:mark")
            row += 1
    for style, sentence in message_lines(table)[1:]:
        for part in wrap(sentence, columns):
            canvas.put(0, row, part, style)
            row += 1


def _small_trick(canvas: Canvas, scene: TableScene, row: int) -> int:
    trick = shown_trick(scene)
    column = 0
    for seat, card in trick.cards:
        name = clip(scene.name(seat), 10, scene.glyphs)
        text = card_text(card, scene.glyphs)
        if column and column + width(name) + 1 + width(text) > canvas.columns:
            row, column = row + 1, 0
        column = canvas.put(column, row, f"{name} ", "class:faint")
        column = canvas.put(column, row, text, suit_style(card)) + 2
    taken = trick_sentence(scene)
    if taken:
        row += 1
        canvas.put(0, row, clip(taken, canvas.columns, scene.glyphs), "class:faint")
    return row + 1 if trick.cards else row


def _small_hand(canvas: Canvas, scene: TableScene, row: int) -> int:
    choice = scene.choice
    column = 0
    for index, card in enumerate(scene.choice.order(scene.view)):
        text = card_text(card, scene.glyphs)
        if index in choice.chosen:
            text = scene.glyphs.chosen + text
        framed = f"[{text}]" if index == choice.cursor else f" {text} "
        if column and column + width(framed) > canvas.columns:
            row, column = row + 1, 0
        dim = scene.view.your_turn and scene.view.phase is Phase.PLAY
        dim = dim and not scene.view.may_play(card)
        style = "class:card.dim" if dim else suit_style(card)
        start = column
        column = canvas.put(column, row, framed, style)
        canvas.target(start, row, column - start, 1, Click(index))
    return row + 1
