"""The person's own hand at the bottom of the table, in three sizes.

Cards overlap like held cards: each shows its left edge, the last one its whole face. A chosen
card is raised; a card that may not be played is dimmed and has no mark below. In the smallest
size a card is its text alone and the cursor is a pair of brackets.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum

from p2p_hearts.rules.cards import Card, contains, suit_of
from p2p_hearts.rules.view import Phase
from p2p_hearts.ui.canvas import Canvas
from p2p_hearts.ui.choice import Click
from p2p_hearts.ui.scene import TableScene
from p2p_hearts.ui.styles import suit_style
from p2p_hearts.ui.words import Glyphs, card_text, rank_text, suit_text, width


class CardSize(IntEnum):
    """How many rows a card takes."""

    TEXT = 1
    MEDIUM = 3
    LARGE = 5


FACE_COLUMNS = {CardSize.TEXT: 3, CardSize.MEDIUM: 5, CardSize.LARGE: 7}
"""Columns of a whole card."""

_EDGE = 4
"""Columns that an overlapped card shows at least: a border and "10♠"."""


@dataclass(frozen=True, slots=True)
class _Slot:
    card: Card
    index: int
    column: int
    line: int


def hand_rows(scene: TableScene, size: CardSize, columns: int) -> int:
    """Rows that `draw_hand` takes at this size."""
    if size is CardSize.TEXT:
        return 2 * (1 + max((slot.line for slot in _text_slots(scene, columns)), default=0))
    return size + 1 + _raised_rows(scene)


def hand_fits(scene: TableScene, size: CardSize, columns: int) -> bool:
    """Whether the hand fits into one row of cards of this size."""
    if size is CardSize.TEXT:
        return True
    order = scene.choice.order(scene.view)
    return _spread(order, _EDGE, FACE_COLUMNS[size]) <= columns - 2


def draw_hand(canvas: Canvas, scene: TableScene, top: int, size: CardSize) -> None:
    """Draw the hand from row `top` on, over the whole width of the canvas."""
    if size is CardSize.TEXT:
        _draw_text(canvas, scene, top)
    else:
        _draw_cards(canvas, scene, top, size)


def draw_card(
    canvas: Canvas,
    column: int,
    row: int,
    card: Card,
    size: CardSize,
    *,
    edge: str = "class:card.edge",
    face: str | None = None,
) -> None:
    """Draw one whole card with its top left cell at (column, row).

    Args:
        canvas: where to draw.
        column: leftmost column.
        row: topmost row.
        card: what to draw.
        size: how large.
        edge: style of the border.
        face: style of rank and suit; the suit's own colour when None.
    """
    style = suit_style(card) if face is None else face
    columns, glyphs = FACE_COLUMNS[size], canvas.glyphs
    if size is CardSize.TEXT:
        text = card_text(card, glyphs)
        canvas.put(column + (columns - width(text)) // 2, row, text, style)
        return
    canvas.box(column, row, columns, size, edge)
    if size is CardSize.MEDIUM:
        text = card_text(card, glyphs)
        canvas.put(column + 1 + (columns - 2 - width(text)) // 2, row + 1, text, style)
        return
    canvas.put(column + 1, row + 1, rank_text(card), style)
    canvas.put(column + columns // 2, row + 2, suit_text(card, glyphs), style)
    canvas.right(column + columns - 1, row + 3, rank_text(card), style)


def _live(scene: TableScene, card: Card) -> bool:
    """Whether the card is drawn bright: it may be played, or nothing is to be played now."""
    view = scene.view
    return view.phase is not Phase.PLAY or not view.your_turn or contains(view.legal, card)


def _marks(scene: TableScene, index: int, card: Card, columns: int) -> tuple[str, str]:
    """Return the mark under a card and its style."""
    glyphs, view = scene.glyphs, scene.view
    if view.phase not in (Phase.PASS, Phase.PLAY):
        return "", ""
    if index == scene.choice.cursor:
        return glyphs.cursor, "class:mark"
    if index in scene.choice.chosen:
        return glyphs.chosen, "class:mark"
    if view.phase is Phase.PLAY and view.your_turn and _live(scene, card):
        return glyphs.legal * columns, "class:mark"
    return "", ""


def _text_slots(scene: TableScene, columns: int) -> list[_Slot]:
    """Where each card's text stands; a second line where the first is full."""
    slots: list[_Slot] = []
    column, line = 1, 0
    before: Card | None = None
    for index, card in enumerate(scene.choice.order(scene.view)):
        taken = width(card_text(card, scene.glyphs))
        if before is not None and suit_of(before) is not suit_of(card):
            column += 1
        if column + taken + 1 > columns and column > 1:
            column, line = 1, line + 1
        slots.append(_Slot(card, index, column, line))
        column += taken + 1
        before = card
    if line == 0:  # a single line stands in the middle
        shift = max(0, (columns - column) // 2)
        return [replace(slot, column=slot.column + shift) for slot in slots]
    return slots


def _draw_text(canvas: Canvas, scene: TableScene, top: int) -> None:
    glyphs, choice = scene.glyphs, scene.choice
    for slot in _text_slots(scene, canvas.columns):
        text = card_text(slot.card, glyphs)
        taken, row = width(text), top + 2 * slot.line
        style = suit_style(slot.card) if _live(scene, slot.card) else "class:card.dim"
        cursor = slot.index == choice.cursor and scene.view.phase in (Phase.PASS, Phase.PLAY)
        if cursor or slot.index in choice.chosen:
            style += " class:card.cursor"
        canvas.put(slot.column, row, text, style)
        if cursor:
            canvas.put(slot.column - 1, row, "[", "class:mark")
            canvas.put(slot.column + taken, row, "]", "class:mark")
        mark, mark_style = _marks(scene, slot.index, slot.card, taken)
        if slot.index in choice.chosen:
            mark = glyphs.chosen
        canvas.centre(slot.column + taken // 2, row + 1, mark, mark_style)
        canvas.target(slot.column, row, taken + 1, 2, Click(slot.index))


def _raised_rows(scene: TableScene) -> int:
    """Rows above the cards that chosen ones are raised into."""
    return 1 if scene.view.phase is Phase.PASS else 0


def _spread(order: tuple[Card, ...], edge: int, face: int) -> int:
    """Columns of a row of overlapping cards."""
    if not order:
        return 0
    suits = len({suit_of(card) for card in order})
    return edge * (len(order) - 1) + (face - edge) * (suits - 1) + face


def _draw_cards(canvas: Canvas, scene: TableScene, top: int, size: CardSize) -> None:
    """Rows: one to raise a chosen card into while passing, the card, one of marks."""
    raised = _raised_rows(scene)
    order, face = scene.choice.order(scene.view), FACE_COLUMNS[size]
    edge = _EDGE
    while edge < face and _spread(order, edge + 1, face) <= canvas.columns - 2:
        edge += 1
    column = (canvas.columns - _spread(order, edge, face)) // 2
    for index, card in enumerate(order):
        chosen = index in scene.choice.chosen
        live = _live(scene, card)
        last_of_suit = index + 1 == len(order) or suit_of(order[index + 1]) is not suit_of(card)
        shown = face if last_of_suit else edge
        row = top + (0 if chosen else raised)
        under_cursor = index == scene.choice.cursor and scene.view.phase in (
            Phase.PASS,
            Phase.PLAY,
        )
        border = "class:card.edge.dim"
        if under_cursor or chosen:
            border = "class:card.edge.live"
        elif live:
            border = "class:card.edge"
        style = suit_style(card) if live else "class:card.dim"
        if under_cursor:
            style += " class:card.cursor"
        _draw_held(canvas, column, row, card, size, border, style, glyphs=scene.glyphs)
        mark, mark_style = _marks(scene, index, card, 2)
        middle = column + 1 + width(card_text(card, scene.glyphs)) // 2
        canvas.centre(middle, top + size + raised, mark, mark_style)
        canvas.target(column, top, shown, size + 1 + raised, Click(index))
        column += shown


def _draw_held(
    canvas: Canvas,
    column: int,
    row: int,
    card: Card,
    size: CardSize,
    edge: str,
    face: str,
    *,
    glyphs: Glyphs,
) -> None:
    """Return a card with rank and suit in its left corner, where the next card leaves them free."""
    canvas.box(column, row, FACE_COLUMNS[size], size, edge)
    if size is CardSize.MEDIUM:
        canvas.put(column + 1, row + 1, card_text(card, glyphs), face)
        return
    canvas.put(column + 1, row + 1, rank_text(card), face)
    canvas.put(column + 1, row + 2, suit_text(card, glyphs), face)
