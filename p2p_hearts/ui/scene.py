"""All that one picture is drawn from, as one value."""

from __future__ import annotations

from dataclasses import dataclass, field

from p2p_hearts.i18n import _
from p2p_hearts.rules.view import View
from p2p_hearts.ui.choice import Choice
from p2p_hearts.ui.status import LobbyStatus, Status
from p2p_hearts.ui.words import SYMBOLS, Glyphs, seat_name


@dataclass(frozen=True, slots=True)
class Scene:
    """What a front end knows when it draws.

    Attributes:
        view: what the seat may know, None before there is a hand.
        status: what the table tells beside it.
        choice: what the person is about to do.
        messages: sentences told lately, oldest first.
        glyphs: the characters the terminal can draw.
    """

    view: View | None
    status: Status | LobbyStatus
    choice: Choice = field(default_factory=Choice)
    messages: tuple[str, ...] = ()
    glyphs: Glyphs = SYMBOLS


@dataclass(frozen=True, slots=True)
class TableScene:
    """A `Scene` in which somebody holds a hand: what the parts of the table are drawn from."""

    view: View
    status: Status
    choice: Choice
    messages: tuple[str, ...]
    glyphs: Glyphs

    def name(self, seat: int) -> str:
        """How a seat is called on the screen: the person's own seat is "You"."""
        return _("You") if seat == self.view.seat else seat_name(self.status.names, seat)
