"""The one window of the full-screen table: it draws the picture and turns clicks into keys."""

from __future__ import annotations

from collections.abc import Callable

from prompt_toolkit.layout import Layout, UIContent, UIControl, Window
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType

from p2p_hearts.ui.choice import Key
from p2p_hearts.ui.picture import Picture


class TableControl(UIControl):
    """Draws whatever `picture` gives for the size of the window.

    Args:
        picture: (columns, rows) to the picture of this moment.
        press: takes the key that a click stands for.

    """

    def __init__(
        self, picture: Callable[[int, int], Picture], press: Callable[[Key], None]
    ) -> None:
        self._picture = picture
        self._press = press
        self._drawn: Picture | None = None

    def create_content(self, width: int, height: int | None) -> UIContent:
        """Draw the table once for this frame."""
        drawn = self._picture(width, height or 1)
        self._drawn = drawn
        return UIContent(
            get_line=lambda row: list(drawn.lines[row]),
            line_count=len(drawn.lines),
            show_cursor=False,
        )

    def is_focusable(self) -> bool:
        """Keys come here: there is nothing else."""
        return True

    def mouse_handler(self, mouse_event: MouseEvent) -> None:
        """Turn the release of the left button into a key."""
        released = mouse_event.event_type is MouseEventType.MOUSE_UP
        if not released or mouse_event.button is MouseButton.RIGHT or self._drawn is None:
            return
        key = self._drawn.key_at(mouse_event.position.x, mouse_event.position.y)
        if key is not None:
            self._press(key)


def table_layout(control: TableControl) -> Layout:
    """Return a layout of the table alone."""
    return Layout(Window(control, always_hide_cursor=True, wrap_lines=False))
