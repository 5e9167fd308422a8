"""The screen before the first hand: who sits, the words to compare, how others join, the rules."""

from __future__ import annotations

from p2p_hearts.i18n import N_, _, ngettext, pgettext
from p2p_hearts.ui.canvas import Canvas, Line
from p2p_hearts.ui.choice import ADD, ENTER, LEAVE, Key
from p2p_hearts.ui.panels import draw_lobby_panel
from p2p_hearts.ui.scene import Scene
from p2p_hearts.ui.seats import Area
from p2p_hearts.ui.sentences import acquaintance_words, log_sentence, ready_words, waiting_sentence
from p2p_hearts.ui.status import Acquaintance, LobbyStatus
from p2p_hearts.ui.strip import fairness_strip
from p2p_hearts.ui.words import Glyphs, clip, seat_name, width, wrap

_READY_QUESTION = N_(
    "The cards come once all seats are taken and everybody is ready: press Enter when you are."
)


def draw_lobby(canvas: Canvas, scene: Scene) -> None:
    """Draw who sits and what else is known before cards are dealt."""
    columns, rows, glyphs, status = canvas.columns, canvas.rows, scene.glyphs, scene.status
    canvas.clear(0, 0, columns, 1, "class:header")
    canvas.put(
        1, 0, clip(status.table_name, columns - 6 - width(_("? help")), glyphs), "class:header.name"
    )
    help_key = _("? help")
    canvas.right(columns - 1, 0, help_key, "class:header")
    canvas.target(columns - 1 - width(help_key), 0, width(help_key), 1, "?")
    strip = fairness_strip(status, scene, columns - 2)
    bottom = rows - len(strip)
    for index, line in enumerate(strip):
        canvas.write(1, bottom + index, line, columns)
    keys: list[tuple[str, str, Key]] = [
        ("r", pgettext("key", "rules"), "r"),
        ("o", pgettext("key", "settings"), "o"),
        ("q", pgettext("key", "leave"), LEAVE),
    ]
    if isinstance(status, LobbyStatus) and status.may_add:
        keys.append((ADD, pgettext("key", "computer player"), ADD))
    if isinstance(status, LobbyStatus) and status.own_ready is not None:
        use = pgettext("key", "not yet") if status.own_ready else pgettext("key", "ready")
        keys = [(_("Enter"), use, ENTER), *keys]
    canvas.keys(bottom - 1, keys)
    area = Area(0, 1, columns, bottom - 2)
    lines: list[Line] = []
    for style, text in lobby_lines(scene):
        lines += [((style, line),) for line in wrap(text, columns - 4)] if text else [()]
    top = area.row + 1 if len(lines) < area.rows else area.row
    for index, line in enumerate(lines[: area.rows]):
        canvas.write(2, top + index, line, columns - 2)
    draw_lobby_panel(canvas, scene, area)


def _players(status: LobbyStatus, glyphs: Glyphs) -> list[tuple[str, str]]:
    """Who sits, who of them is ready, and what is known of their keys."""
    lines: list[tuple[str, str]] = []
    for place, name in enumerate(status.players):
        is_ready = status.ready[place] if place < len(status.ready) else None
        known = status.people[place] if place < len(status.people) else None
        mark = glyphs.dot if is_ready is False else glyphs.check
        words = acquaintance_words(known)
        told = name if is_ready is None else ready_words(name, is_ready)
        style = "" if is_ready is False else "class:title"
        if known is Acquaintance.CHANGED:
            style = "class:fault"
        lines.append((style, f"{mark} {told}" + (f" {glyphs.dot} {words}" if words else "")))
    return lines


def lobby_lines(scene: Scene) -> list[tuple[str, str]]:
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
        if status.may_add:
            lines.append(("", _("Press b for a computer player.")))
        if status.own_ready is False:
            lines.append(("class:prompt", _(_READY_QUESTION)))
        lines += _told(scene)
        lines.append(("", ""))
        lines += _players(status, glyphs)
        lines += [("class:faint", f"{glyphs.dot} " + _("free"))] * max(0, free)
        if status.phrase:
            lines += [
                ("", ""),
                ("", _("Everybody at this table must see the same words. Read them aloud:")),
                ("class:strip.phrase", status.phrase),
            ]
        if status.invitations and free > 0:
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
        lines += [("", ""), *_told(scene)]
    return lines


def _told(scene: Scene) -> list[tuple[str, str]]:
    """What was told last, and the answer to the last key."""
    lines = [("class:faint", message) for message in scene.messages[-1:]]
    if scene.choice.feedback:
        lines.append(("class:feedback", scene.choice.feedback))
    return lines
