"""The fairness strip: the phrase of the table, the head of the history, what is verified."""

from __future__ import annotations

from p2p_hearts.i18n import _
from p2p_hearts.ui.canvas import Line
from p2p_hearts.ui.scene import Scene, TableScene
from p2p_hearts.ui.status import LobbyStatus, Status
from p2p_hearts.ui.words import width

_ONE_LINE = 114
"""Columns from which the whole strip fits into one line."""


def fairness_strip(
    status: Status | LobbyStatus, scene: TableScene | Scene, columns: int
) -> list[Line]:
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
        parts = [[*names, *checks, *good]] if columns >= _ONE_LINE else [names, [*checks, *good]]
        return [
            tuple(part for at, run in enumerate(line) for part in ([dot, run] if at else [run]))
            for line in parts
        ]

    whole = lines(f"{glyphs.check} {', '.join(status.verified)}" if status.verified else "")
    fits = all(sum(width(text) for _style, text in line) <= columns for line in whole)
    if fits or not status.verified_briefly:
        return whole
    return lines(" ".join(f"{glyphs.check} {word}" for word in status.verified_briefly))
