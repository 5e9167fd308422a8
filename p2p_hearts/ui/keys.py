"""Key bindings: terminal keys to the named keys of `choice`."""

from __future__ import annotations

from collections.abc import Callable

from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from p2p_hearts.ui.choice import (
    BACKSPACE,
    ENTER,
    ESCAPE,
    FIRST,
    HINT,
    LAST,
    LEAVE,
    LEFT,
    NEXT_LEGAL,
    NEXT_SUIT,
    PREVIOUS_LEGAL,
    PREVIOUS_SUIT,
    RIGHT,
    TOGGLE,
    Key,
)
from p2p_hearts.ui.terminal import draw_anew

BINDINGS: dict[Keys | str, Key] = {
    Keys.Left: LEFT,
    Keys.Right: RIGHT,
    Keys.Up: PREVIOUS_SUIT,
    Keys.Down: NEXT_SUIT,
    Keys.Home: FIRST,
    Keys.End: LAST,
    Keys.Tab: NEXT_LEGAL,
    Keys.BackTab: PREVIOUS_LEGAL,
    Keys.Enter: ENTER,
    " ": TOGGLE,
    Keys.Backspace: BACKSPACE,
    Keys.Delete: BACKSPACE,
    Keys.Escape: ESCAPE,
    Keys.F1: HINT,
    Keys.ControlC: LEAVE,
    Keys.ControlD: LEAVE,
    Keys.SIGINT: LEAVE,
}
"""Every key that is not simply a character."""


def key_bindings(press: Callable[[Key], None]) -> KeyBindings:
    """Return bindings that hand every key to `press`; Ctrl-L draws all anew."""
    bindings = KeyBindings()

    def bind(terminal_key: Keys | str, key: Key) -> None:
        @bindings.add(terminal_key)
        def _(event: KeyPressEvent) -> None:
            press(key)

    for terminal_key, key in BINDINGS.items():
        bind(terminal_key, key)

    @bindings.add(Keys.Any)
    def _typed(event: KeyPressEvent) -> None:
        if len(event.data) == 1 and event.data.isprintable():
            press(event.data)

    @bindings.add(Keys.BracketedPaste)
    def _pasted(event: KeyPressEvent) -> None:
        """Ignore pasted text: nobody pastes a game of cards on purpose."""

    @bindings.add(Keys.ControlL)
    def _redraw(event: KeyPressEvent) -> None:
        draw_anew(event.app)  # something else may have written over it

    return bindings
