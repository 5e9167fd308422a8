"""Where a person chooses a table on the full screen; `chooser` is the same in sentences."""

from __future__ import annotations

from dataclasses import replace

from prompt_toolkit.application import Application
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from p2p_hearts.ui.choice import Key
from p2p_hearts.ui.chooser import Check
from p2p_hearts.ui.keys import key_bindings
from p2p_hearts.ui.layout import TableControl, table_layout
from p2p_hearts.ui.picture import Picture
from p2p_hearts.ui.styles import style_of
from p2p_hearts.ui.tables import Decision, GiveUp, Picking, Search, Sit, draw_search, pick
from p2p_hearts.ui.terminal import taken_again
from p2p_hearts.ui.words import SYMBOLS, Glyphs

_REDRAW_SECONDS = 1.0
_ESCAPE_SECONDS = 0.05
"""As at the table itself (`app`)."""


class ScreenChooser:
    """The list on the whole terminal, live."""

    def __init__(
        self,
        check: Check,
        *,
        glyphs: Glyphs = SYMBOLS,
        colours: str = "four",
        terminal_input: Input | None = None,
        terminal_output: Output | None = None,
    ) -> None:
        self._check = check
        self._glyphs = glyphs
        self._colours = colours
        self._terminal = (terminal_input, terminal_output)
        self._search = Search()
        self._picking = Picking()
        self._decision: Decision = GiveUp()
        self._app: Application[None] | None = None

    async def choose(self) -> Decision:
        """Own the terminal until the person decided."""
        control = TableControl(self.picture, self.press)
        self._app = Application(
            layout=table_layout(control),
            key_bindings=key_bindings(self.press),
            style=style_of(self._colours),
            full_screen=True,
            mouse_support=True,
            refresh_interval=_REDRAW_SECONDS,
            input=self._terminal[0],
            output=self._terminal[1],
        )
        self._app.ttimeoutlen = _ESCAPE_SECONDS
        try:
            with taken_again(self._app):
                await self._app.run_async()
        except (EOFError, OSError):
            self._decision = GiveUp()  # the terminal is gone, and with it the person
        return self._decision

    def show(self, search: Search) -> None:
        """Draw this list."""
        self._search = search
        self._redraw()

    def picture(self, columns: int, rows: int) -> Picture:
        """Return what is on a screen of this size now."""
        return draw_search(self._search, self._picking, self._glyphs, columns, rows)

    def press(self, key: Key) -> None:
        """Take a key."""
        self._picking, decision = pick(self._picking, self._search, key)
        if isinstance(decision, Sit):
            refusal = self._check(decision)
            if refusal is not None:
                # A wrong code is typed once more: among the tables its letters were keys.
                code = "" if decision.code else None
                self._picking = replace(self._picking, code=code, feedback=refusal)
                decision = None
        if decision is not None and self._app is not None and self._app.is_running:
            self._decision = decision
            self._app.exit()
        self._redraw()

    def _redraw(self) -> None:
        if self._app is not None:
            self._app.invalidate()
