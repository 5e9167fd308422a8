"""Choosing a table: the list of tables on the network as values, picture, sentences and keys.

Pure like the picture of the table itself: rows and a choice in, styled lines or the next choice
out. `chooser` and `choosing` put it before a person.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from p2p_hearts.i18n import _, listed, ngettext, pgettext
from p2p_hearts.ui.canvas import Canvas, Line
from p2p_hearts.ui.choice import (
    BACKSPACE,
    ENTER,
    ESCAPE,
    FIRST,
    LAST,
    LEAVE,
    NEXT_LEGAL,
    NEXT_SUIT,
    PREVIOUS_LEGAL,
    PREVIOUS_SUIT,
    TOGGLE,
    Key,
    Row,
)
from p2p_hearts.ui.picture import Picture
from p2p_hearts.ui.sentences import acquaintance_words
from p2p_hearts.ui.status import Acquaintance
from p2p_hearts.ui.words import Glyphs, clip, clock, pad, width, wrap

PATIENCE = 5.0
"""Seconds without any table after which it is said why that can be."""

MAX_CODE = 64
"""Characters of a join code that are kept."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """One table of the list.

    Attributes:
        key: by what the caller knows it.
        name: what its host called it, cleaned.
        host: the name of its host, cleaned.
        seats: how many seats it has.
        free: how many of them are free.
        preset: the name of its rules.
        rules: its rules, one sentence each.
        known: what is known of the key of the host, None where it has not answered.
        coded: whether it asks for a join code.
        seated: the names of those who sit, the host's first, as the host says; cleaned.
        problem: why nobody can sit down there now, a sentence; "" where one can.
    """

    key: str
    name: str
    host: str
    seats: int
    free: int
    preset: str
    rules: tuple[str, ...] = ()
    known: Acquaintance | None = None
    coded: bool = False
    problem: str = ""
    seated: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Search:
    """What is known of the network now.

    Attributes:
        rows: the tables, in the order in which they were heard of.
        seconds: how long has been looked.
        advice: what to do where nothing is heard, a sentence.
        watching: whether the person is to watch, and not to sit down.
    """

    rows: tuple[TableRow, ...] = ()
    seconds: float = 0.0
    advice: str = ""
    watching: bool = False


@dataclass(frozen=True, slots=True)
class Picking:
    """What the person is about to do.

    Attributes:
        key: the table that is looked at, None for the first.
        code: the join code typed so far, None while none is asked for.
        feedback: the answer to the last key.
    """

    key: str | None = None
    code: str | None = None
    feedback: str = ""

    def row(self, search: Search) -> TableRow | None:
        """Return the table that is looked at."""
        for row in search.rows:
            if row.key == self.key:
                return row
        return search.rows[0] if search.rows else None


@dataclass(frozen=True, slots=True)
class Sit:
    """The person sits down at this table, with this join code ("" where none is asked for)."""

    key: str
    code: str = ""


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The person sits down nowhere."""


Decision = Sit | GiveUp


def pick(picking: Picking, search: Search, key: Key) -> tuple[Picking, Decision | None]:
    """Return the state after a key press, and what it decides, if anything."""
    picking = replace(picking, feedback="")
    if key == LEAVE:
        return picking, GiveUp()
    row = picking.row(search)
    if picking.code is not None:
        return _type_code(picking, row, key)
    if isinstance(key, Row):
        if not 0 <= key.index < len(search.rows):
            return picking, None
        row, key = search.rows[key.index], ENTER if row is search.rows[key.index] else ""
        picking = replace(picking, key=row.key)
    if key in ("q", ESCAPE):
        return picking, GiveUp()
    if row is None:
        return picking, None
    if key in (ENTER, TOGGLE):
        if row.problem:
            return replace(picking, feedback=row.problem), None
        if row.coded:
            return replace(picking, key=row.key, code=""), None
        return picking, Sit(row.key)
    at = search.rows.index(row)
    moves = {
        PREVIOUS_SUIT: at - 1,
        PREVIOUS_LEGAL: at - 1,
        NEXT_SUIT: at + 1,
        NEXT_LEGAL: at + 1,
        FIRST: 0,
        LAST: len(search.rows) - 1,
    }
    if isinstance(key, str) and key in moves:
        chosen = search.rows[moves[key] % len(search.rows)]
        return replace(picking, key=chosen.key), None
    return picking, None


def _type_code(picking: Picking, row: TableRow | None, key: Key) -> tuple[Picking, Decision | None]:
    code = picking.code or ""
    if row is None or key == ESCAPE:
        return replace(picking, code=None), None
    if key == BACKSPACE:
        return replace(picking, code=code[:-1]), None
    if key == ENTER:
        return (picking, Sit(row.key, code)) if code else (picking, None)
    if isinstance(key, str) and len(key) == 1 and key.isprintable():
        return replace(picking, code=(code + key)[:MAX_CODE]), None
    return picking, None


def seats_words(row: TableRow) -> str:
    """Return how many seats are free, in a few words."""
    return ngettext(
        "{free} of {n} seat free", "{free} of {n} seats free", row.seats
    ).format(free=row.free, n=row.seats)  # fmt: skip


def host_words(row: TableRow) -> str:
    """Return whose table it is, and what is known of that player's key; a clause."""
    words = acquaintance_words(row.known)
    if not words:
        return _("opened by {name}").format(name=row.host)
    return _("opened by {name}, {known}").format(name=row.host, known=words)


def seated_sentence(host: str, seated: tuple[str, ...]) -> str:
    """Return who sits at a table: its host says so, and nobody else has signed it."""
    if len(seated) <= 1:
        return _("Nobody else sits there yet, as {host} says.").format(host=host)
    return _("At the table, as {host} says: {names}.").format(host=host, names=listed(seated))


def row_sentence(row: TableRow) -> str:
    """Return a table as a sentence, for line mode."""
    told = _("{table}: {seats}, {host}; rules: {preset}.").format(
        table=row.name, seats=seats_words(row), host=host_words(row), preset=row.preset
    )
    more = [seated_sentence(row.host, row.seated)] if row.seated else []
    more += [row.problem] if row.problem else []
    if row.coded:
        more.append(_("It asks for a join code."))
    return " ".join([told, *more])


def search_sentence(search: Search) -> str:
    """Return how far the search is."""
    if search.rows:
        return ngettext(
            "{n} table on this network.", "{n} tables on this network.", len(search.rows)
        ).format(n=len(search.rows))
    return _("Looking for tables on this network: {time}").format(time=clock(search.seconds))


def draw_search(
    search: Search, picking: Picking, glyphs: Glyphs, columns: int, rows: int
) -> Picture:
    """Return the screen: the list, what is known of the table looked at, and the keys."""
    canvas = Canvas(columns, rows, glyphs)
    canvas.clear(0, 0, columns, 1, "class:header")
    canvas.put(1, 0, clip(search_sentence(search), columns - 2, glyphs), "class:header.name")
    keys_row = rows - 1
    list_rows = max(1, min(len(search.rows), (rows - 4) // 2)) if search.rows else 0
    row = picking.row(search)
    at = search.rows.index(row) if row is not None else 0
    first = max(0, min(at - list_rows // 2, len(search.rows) - list_rows))
    for line, shown in enumerate(search.rows[first : first + list_rows]):
        _draw_row(canvas, shown, 2 + line, shown is row)
        canvas.target(0, 2 + line, columns, 1, Row(first + line))
    top = 2 + list_rows + (1 if list_rows else 0)
    told = _below(search, picking, row, max(1, columns - 4))
    for index, runs in enumerate(told[: max(0, keys_row - 1 - top)]):
        canvas.write(2, top + index, runs, columns - 1)
    _draw_code(canvas, picking, keys_row - 1)
    canvas.keys(keys_row, _keys(picking, search.watching))
    return Picture(canvas.lines(), tuple(canvas.targets))


def _draw_row(canvas: Canvas, row: TableRow, y: int, here: bool) -> None:
    glyphs, columns = canvas.glyphs, canvas.columns
    facts = seats_words(row) if not row.problem else _("cannot be joined")
    room = max(6, columns - width(facts) - 6)
    name = clip(row.name, room // 2, glyphs)
    style = "class:faint" if row.problem else "class:title" if here else ""
    if here:
        canvas.put(0, y, glyphs.turn, "class:mark")
    column = canvas.put(2, y, pad(name, room // 2, "<", glyphs), style) + 1
    canvas.put(column, y, clip(row.host, max(0, columns - column - width(facts) - 2), glyphs))
    canvas.right(columns - 1, y, facts, "class:faint" if row.problem else "class:good")


def _below(search: Search, picking: Picking, row: TableRow | None, columns: int) -> list[Line]:
    """Return what is told below the list."""
    told: list[tuple[str, str]] = []
    if picking.feedback:
        told.append(("class:feedback", picking.feedback))
    elif row is not None and row.problem:
        told.append(("class:feedback", row.problem))
    if row is not None:
        style = "class:fault" if row.known is Acquaintance.CHANGED else "class:prompt"
        told.append((style, f"{row.name}: {host_words(row)}."))
        if row.seated:
            told.append(("", seated_sentence(row.host, row.seated)))
        told += [("class:faint", sentence) for sentence in row.rules]
    elif search.seconds >= PATIENCE:
        told.append(("", search.advice))
    return [((style, line),) for style, text in told for line in wrap(text, columns)]


def _draw_code(canvas: Canvas, picking: Picking, y: int) -> None:
    if picking.code is None:
        return
    column = canvas.put(1, y, _("Join code:") + " ", "class:prompt")
    shown = picking.code[-max(1, canvas.columns - column - 2) :]
    column = canvas.put(column, y, shown, "class:mark")
    canvas.put(column, y, "_", "class:mark")


def _keys(picking: Picking, watching: bool) -> list[tuple[str, str, Key]]:
    use = pgettext("key", "watch") if watching else pgettext("key", "sit down")
    sit = (_("Enter"), use, ENTER)
    if picking.code is not None:
        return [sit, (_("Esc"), pgettext("key", "another table"), ESCAPE)]
    return [sit, ("q", pgettext("key", "leave"), LEAVE)]
