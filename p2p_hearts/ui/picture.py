"""The whole screen as one pure function: a `Scene` and a size in, styled lines out.

`draw` never fails for any size, never draws a line longer than the screen and reads no clock.
From 60×18 on everything is there; below, the game goes on in a few plain lines under the wish
to enlarge the window.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p_hearts.i18n import _, ngettext, pgettext
from p2p_hearts.rules.view import Phase, View
from p2p_hearts.ui.canvas import Canvas, Line, Target
from p2p_hearts.ui.choice import ENTER, HINT, LEAVE, Click, Key, Panel, pass_prompt
from p2p_hearts.ui.hand import CardSize, draw_hand, hand_fits, hand_rows
from p2p_hearts.ui.panels import (
    draw_lobby_panel,
    draw_panel,
    help_lines,
    leave_lines,
    panel_rows,
)
from p2p_hearts.ui.reasons import YOUR_TURN_SOON, turn_sentence, why_dimmed, why_not
from p2p_hearts.ui.scene import Scene, TableScene
from p2p_hearts.ui.seats import (
    Area,
    draw_seats,
    pass_words,
    seat_lines,
    shown_trick,
    trick_sentence,
)
from p2p_hearts.ui.sentences import log_sentence, received_sentence, waiting_sentence
from p2p_hearts.ui.sheet import sheet_columns, sheet_lines
from p2p_hearts.ui.status import LobbyStatus, Status
from p2p_hearts.ui.styles import suit_style
from p2p_hearts.ui.words import (
    card_text,
    cards_text,
    clip,
    seat_name,
    width,
    wrap,
)

LEAST_COLUMNS, LEAST_ROWS = 60, 18
"""The smallest screen with everything on it."""

_ONE_STRIP = 114
"""Columns from which the whole fairness strip fits into one line."""

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
        _draw_small(canvas, scene, table)
    elif table is None:
        _draw_lobby(canvas, scene)
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
    strip = _strip(scene.status, scene, columns - 2)
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
    for style, sentence in _messages(scene):
        for text in wrap(sentence, canvas.columns - 2, end - row, scene.glyphs):
            canvas.put(1, row, text, style)
            row += 1


def _messages(scene: TableScene) -> list[tuple[str, str]]:
    """(style, sentence), the most important first."""
    found: list[tuple[str, str]] = []
    status, choice = scene.status, scene.choice
    if status.fault is not None:
        found.append(("class:fault", status.fault))
    if _is_at_the_start(scene.view):
        # Seats are drawn within a second: in the lobby alone nobody would have read them.
        found += [("class:fault", warning) for warning in status.warnings]
    if status.finished and status.log_path:
        found.append(("class:faint", log_sentence(status.log_path)))
    prompt = _prompt(scene)
    waiting = waiting_sentence(scene.status, scene.view.seat)
    if waiting and not scene.view.your_turn:
        more = " " + _("Press v to go on.") if status.may_go_on else ""
        found.append(("class:waiting", waiting + more))
    elif prompt:
        style = "class:prompt" if scene.view.your_turn else "class:faint"
        found.append((style, prompt))
    if choice.feedback:
        found.append(("class:feedback", choice.feedback))
    else:
        reason = _reason(scene)
        if reason is not None:
            found.append(("class:faint", reason))
    received = _received(scene)
    if received:
        found.append(("class:faint", received))
    if scene.messages:
        found.append(("class:faint", scene.messages[-1]))
    return found


def _reason(scene: TableScene) -> str | None:
    """Why the card under the cursor may not be played, or else why others may not."""
    view, order = scene.view, scene.choice.order(scene.view)
    if view.phase is Phase.PLAY and view.your_turn and scene.choice.cursor < len(order):
        why = why_not(view, order[scene.choice.cursor], scene.glyphs)
        if why is not None:
            return why
    return why_dimmed(view, scene.glyphs)


def _is_at_the_start(view: View) -> bool:
    """Whether no card of the match has been played yet."""
    is_played = view.play is not None and bool(view.play.trick or view.play.tricks)
    is_over = view.phase in (Phase.HAND_OVER, Phase.MATCH_OVER)
    return view.hand_number == 1 and not is_played and not is_over


def _prompt(scene: TableScene) -> str:
    """Return what happens now, or what the person shall do."""
    view, status, choice = scene.view, scene.status, scene.choice
    if status.finished:
        return _("The game at this table has ended. Press Enter to leave.")
    if view.phase is Phase.DEAL:
        return status.stage or _("The cards are being dealt.")
    if view.phase is Phase.PASS:
        return pass_prompt(view, status, choice, scene.glyphs)
    if view.phase is Phase.WAIT_PASS:
        passed = cards_text(view.passed, scene.glyphs)
        to = scene.name((view.seat + view.offset) % view.rules.seats)
        return _("You passed {cards} to {player}. The others are still choosing.").format(
            cards=passed, player=to
        )
    if view.phase is Phase.HAND_OVER:
        return status.stage or _("The next hand follows.")
    if view.phase is Phase.MATCH_OVER:
        return status.stage
    if view.phase is Phase.CHOOSE_MOON:
        if view.your_turn:
            return _("Choose how your moon counts: type 1 or 2.")
        return _("The shooter of the moon chooses how it counts.")
    if choice.sent:
        return _("Your card is on its way to the table.")
    if view.your_turn and view.phase is Phase.PLAY:
        leads = view.play is None or not view.play.trick
        if view.may_claim:
            return _("It is your turn: play a card, or press c to claim the rest.")
        if leads:
            return _("It is your turn to lead a card.")
        return _("It is your turn to play a card.")
    turn = view.play.turn if view.play is not None else None
    if turn == view.seat:
        return _(YOUR_TURN_SOON)
    if turn is not None:
        return turn_sentence(status, turn)
    opening = view.rules.opening_card
    if opening is not None and (view.play is None or view.play.leader is None):
        return _("Whoever holds {card} opens the first trick.").format(
            card=card_text(opening, scene.glyphs)
        )
    return status.stage


def _received(scene: TableScene) -> str:
    """Return what the person was passed, until the first trick is over; "" otherwise."""
    view = scene.view
    if view.phase is not Phase.PLAY or (view.play is not None and view.play.tricks):
        return ""
    return received_sentence(view, scene.status, scene.glyphs)


def _draw_keys(canvas: Canvas, scene: TableScene, row: int) -> None:
    """Return what is being typed, or the keys that do something now."""
    choice, view = scene.choice, scene.view
    if choice.typed:
        wish = _("then the suit: c, d, s or h")
        if choice.typed == "q":
            wish = _("then the suit: c, d, s or h; or Enter to leave the table")
        if choice.typed == "1":
            wish = _("then 0 for a ten")
        column = canvas.put(1, row, choice.typed.upper(), "class:mark")
        canvas.put(column, row, "_", "class:mark")
        canvas.put(column + 2, row, clip(wish, canvas.columns - column - 3), "class:faint")
        return
    use = pgettext("key", "play")
    if view.phase is Phase.PASS:
        complete = len(choice.chosen) == view.rules.pass_count
        use = pgettext("key", "pass") if complete else pgettext("key", "choose")
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
    ]
    if view.watching and not scene.status.finished:
        keys = [item for item in keys if item[2] not in (ENTER, HINT)]
    if scene.status.finished:
        keys = [(_("Enter"), pgettext("key", "leave"), ENTER), keys[1], keys[2]]
    canvas.keys(row, keys)


def _strip(status: Status | LobbyStatus, scene: TableScene | Scene, columns: int) -> list[Line]:
    """Return the fairness strip: the phrase, the head of the history, what is verified.

    How many lines it takes depends on the width alone, so that the table never jumps.
    """
    glyphs = scene.glyphs
    dot = ("class:strip", f" {glyphs.dot} ")
    names: list[tuple[str, str]] = []
    if status.phrase:
        names.append(("class:strip.phrase", status.phrase))
    if isinstance(status, LobbyStatus):
        return [tuple(names)] if names else []
    if status.history:
        names.append(("class:strip", _("history {head}").format(head=status.history)))
    checks: list[tuple[str, str]] = []
    if status.fault is not None:
        checks.append(("class:fault", f"{glyphs.cross} " + _("fault")))
    if status.warnings:
        checks.append(("class:fault", f"{glyphs.cross} " + _("a known name has a new key")))

    def lines(verified: str) -> list[Line]:
        good = [("class:good", verified)] if verified else []
        parts = [[*names, *checks, *good]] if columns >= _ONE_STRIP else [names, [*checks, *good]]
        return [
            tuple(part for at, run in enumerate(line) for part in ([dot, run] if at else [run]))
            for line in parts
        ]

    whole = lines(f"{glyphs.check} {', '.join(status.verified)}" if status.verified else "")
    fits = all(sum(width(text) for _style, text in line) <= columns for line in whole)
    if fits or not status.verified_briefly:
        return whole
    return lines(" ".join(f"{glyphs.check} {word}" for word in status.verified_briefly))


# Before the first hand.


def _draw_lobby(canvas: Canvas, scene: Scene) -> None:
    columns, rows, glyphs, status = canvas.columns, canvas.rows, scene.glyphs, scene.status
    canvas.clear(0, 0, columns, 1, "class:header")
    canvas.put(
        1, 0, clip(status.table_name, columns - 6 - width(_("? help")), glyphs), "class:header.name"
    )
    help_key = _("? help")
    canvas.right(columns - 1, 0, help_key, "class:header")
    canvas.target(columns - 1 - width(help_key), 0, width(help_key), 1, "?")
    strip = _strip(status, scene, columns - 2)
    bottom = rows - len(strip)
    for index, line in enumerate(strip):
        canvas.write(1, bottom + index, line, columns)
    keys: list[tuple[str, str, Key]] = [
        ("o", pgettext("key", "settings"), "o"),
        ("q", pgettext("key", "leave"), LEAVE),
    ]
    canvas.keys(bottom - 1, keys)
    area = Area(0, 1, columns, bottom - 2)
    lines: list[Line] = []
    for style, text in _lobby_lines(scene):
        lines += [((style, line),) for line in wrap(text, columns - 4)] if text else [()]
    top = area.row + 1 if len(lines) < area.rows else area.row
    for index, line in enumerate(lines[: area.rows]):
        canvas.write(2, top + index, line, columns - 2)
    draw_lobby_panel(canvas, scene, area)


def _lobby_lines(scene: Scene) -> list[tuple[str, str]]:
    """(style, sentence) of all that is told before the first hand, most important first."""
    status, glyphs = scene.status, scene.glyphs
    lines: list[tuple[str, str]] = []
    if status.fault is not None:
        lines += [("class:fault", status.fault), ("", "")]
    if status.stage:
        lines.append(("class:prompt", status.stage))
    lines += [("class:fault", warning) for warning in status.warnings]
    if isinstance(status, LobbyStatus):
        free = status.seats - len(status.players)
        if free > 0:
            wanted = ngettext("{n} seat is free.", "{n} seats are free.", free).format(n=free)
            lines.append(("", wanted))
        lines.append(("", ""))
        lines += [("class:title", f"{glyphs.check} {name}") for name in status.players]
        lines += [("class:faint", f"{glyphs.dot} " + _("free"))] * max(0, free)
        if status.phrase:
            lines += [
                ("", ""),
                ("", _("Everybody at this table must see the same words. Read them aloud:")),
                ("class:strip.phrase", status.phrase),
            ]
        if status.invitations:
            lines += [("", ""), ("", _("Others join with:"))]
            lines += [("class:key", line) for line in status.invitations]
        if status.rules:
            lines.append(("", ""))
            lines += [("class:faint", rule) for rule in status.rules]
    else:
        waiting = waiting_sentence(status, -1)
        if waiting:
            lines.append(("class:waiting", waiting))
        lines.append(("", ""))
        lines += [
            ("class:title", f"{glyphs.check} {seat_name(status.names, seat)}")
            for seat in range(len(status.names))
        ]
        if status.finished and status.log_path:
            lines += [("", ""), ("class:faint", log_sentence(status.log_path))]
    if scene.messages:
        lines += [("", ""), ("class:faint", scene.messages[-1])]
    if scene.choice.feedback:
        lines.append(("class:feedback", scene.choice.feedback))
    return lines


# Too small a screen.


def _draw_small(canvas: Canvas, scene: Scene, table: TableScene | None) -> None:
    """Return the wish to enlarge, and the game in as few lines as can be."""
    columns, rows = canvas.columns, canvas.rows
    wish = _("enlarge to {size}").format(size=f"{LEAST_COLUMNS}x{LEAST_ROWS}")
    canvas.put(0, 0, clip(wish, columns, scene.glyphs), "class:header")
    row = 1
    if scene.choice.panel is Panel.LEAVE:
        for line in leave_lines(columns):
            canvas.write(0, row, line, columns)
            row += 1
        return
    if scene.choice.panel is Panel.HELP:
        for line in help_lines(columns, 0 if columns >= 50 else rows):
            canvas.write(0, row, line, columns)
            row += 1
        return
    if scene.choice.panel in (Panel.TOUR, Panel.SETTINGS, Panel.PEOPLE):
        draw_lobby_panel(canvas, scene, Area(0, row, columns, rows - row))
        return
    if table is None:
        for style, text in _lobby_lines(scene):
            for part in wrap(text, columns):
                canvas.put(0, row, part, style)
                row += 1
        return
    for style, sentence in _messages(table)[:1]:
        for part in wrap(sentence, columns, max(2, rows // 3), scene.glyphs):
            canvas.put(0, row, part, style)
            row += 1
    if table.choice.panel is not Panel.NONE or table.view.phase in (
        Phase.HAND_OVER,
        Phase.MATCH_OVER,
    ):
        draw_panel(canvas, table, Area(0, row, columns, rows - row))
        return
    row = _small_trick(canvas, table, row)
    row = _small_hand(canvas, table, row)
    for style, sentence in _messages(table)[1:]:
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
