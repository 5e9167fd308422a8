"""The full-screen table: prompt_toolkit around the pure picture.

This module holds the state of the full screen: the choice being made, and what is drawn; `showing`
holds the Views still to be shown and the clock of their pace. Nothing is drawn or decided here.
However it ends (the person leaves, `close`, SIGTERM, SIGHUP, an exception, cancellation), the
terminal is given back as it was.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output
from prompt_toolkit.styles import DynamicStyle

from p2p_hearts.i18n import N_, _
from p2p_hearts.rules.view import View
from p2p_hearts.ui.advising import Advice
from p2p_hearts.ui.choice import (
    ENTER,
    GO_ON,
    TOGGLE,
    AddPlayer,
    AskHint,
    BeReady,
    ChangeSettings,
    Choice,
    ClaimRest,
    Click,
    CountMoon,
    Key,
    Leave,
    Move,
    Panel,
    PassCards,
    PlayCard,
    SayLine,
    settle,
)
from p2p_hearts.ui.frontend import (
    NO_ADDING,
    NO_CHAT,
    NO_CHOICE,
    NO_CLAIM,
    NO_GOING_ON,
    NO_HINTS,
    Callbacks,
)
from p2p_hearts.ui.keys import key_bindings
from p2p_hearts.ui.layout import TableControl, table_layout
from p2p_hearts.ui.pace import seconds_after
from p2p_hearts.ui.picture import Picture, draw
from p2p_hearts.ui.pressing import react
from p2p_hearts.ui.risks import hint_sentences
from p2p_hearts.ui.scene import Scene
from p2p_hearts.ui.sentences import (
    go_on_question,
    going_on_sentence,
    has_strangers,
    remark_sentence,
)
from p2p_hearts.ui.settings import Settings
from p2p_hearts.ui.showing import Showing
from p2p_hearts.ui.signals import handled
from p2p_hearts.ui.status import LobbyStatus, Status
from p2p_hearts.ui.styles import style_of
from p2p_hearts.ui.telling import Kind, tell
from p2p_hearts.ui.terminal import taken_again
from p2p_hearts.ui.words import SYMBOLS, Glyphs

_MESSAGES = 20
"""Sentences kept for the list of messages."""

_REDRAW_SECONDS = 1.0
"""How often the screen is drawn anew without an event: the clock of a wait runs."""

_ESCAPE_SECONDS = 0.05
"""How long an escape byte may wait for the rest of a key."""

_NOTIFICATION = "\x1b]9;{}\x07"
"""Asks the terminal to notify (OSC 9); terminals that cannot ignore it."""

YOUR_TURN = N_("p2p-hearts: it is your turn.")
"""What a notification says: nothing that another player wrote."""

_TOLD = (Kind.BROKEN, Kind.WIDOW, Kind.CLAIM, Kind.SCORE, Kind.PASS)
"""News that goes into the list of messages."""


def _same_lobby(before: Status | LobbyStatus, after: Status | LobbyStatus) -> bool:
    """Whether nobody has come to a lobby or left it."""
    if not (isinstance(before, LobbyStatus) and isinstance(after, LobbyStatus)):
        return False
    return before.players == after.players


class FullScreen:
    """A `FrontEnd` on the whole terminal.

    Args:
        callbacks: where decisions go.
        glyphs: the characters the terminal can draw (`words.glyphs_for`).
        autoplay_seconds: how long to wait before the only legal card is played for the
            person; None to leave it to the person, as the settings may, too.
        pace: factor on the time that cards and tricks stay, beside that of the settings; 0
            shows everything at once but the points of a hand, which are to be read.
        settings: how the person wants the table; None for the usual way, without the tour.
        handle_signals: whether SIGTERM and SIGHUP end `run` (in the main thread only).
        terminal_input: where keys come from, None for the terminal.
        terminal_output: where the picture goes, None for the terminal.

    """

    def __init__(
        self,
        callbacks: Callbacks,
        *,
        glyphs: Glyphs = SYMBOLS,
        autoplay_seconds: float | None = 1.0,
        pace: float = 1.0,
        settings: Settings | None = None,
        handle_signals: bool = True,
        terminal_input: Input | None = None,
        terminal_output: Output | None = None,
    ) -> None:
        self._callbacks = callbacks
        self._glyphs = glyphs
        self._autoplay_seconds = autoplay_seconds
        self._pace = pace
        self._handle_signals = handle_signals
        self._terminal = (terminal_input, terminal_output)
        self._app: Application[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closing = False
        self._asked_without: int | None = None  # a seat, between two presses of v
        self._left = False
        self._introduced = False  # whether the people here were shown

        self._view: View | None = None  # what is drawn
        self._showing = Showing(self._display, self._seconds_after, self._redraw)
        self._autoplay: asyncio.TimerHandle | None = None

        self._status: Status | LobbyStatus = LobbyStatus("", (), 0)
        self._status_at = 0.0
        self._choice = Choice(settings=settings or Settings(tour="off"))
        if self._settings.tour == "on":
            self._choice = replace(self._choice, panel=Panel.TOUR)
        self._messages: tuple[str, ...] = ()
        self._advice = Advice(self._guard)

    # FrontEnd.

    async def run(self) -> None:
        """Own the terminal until the person leaves, `close` or a signal."""
        self._loop = asyncio.get_running_loop()
        self._status_at = self._loop.time()
        self._showing.begin(self._loop)
        control = TableControl(self.picture, self._press)
        app: Application[None] = Application(
            layout=table_layout(control),
            key_bindings=key_bindings(self._press),
            style=DynamicStyle(lambda: style_of(self._settings.colours)),
            full_screen=True,
            mouse_support=True,
            refresh_interval=_REDRAW_SECONDS,
            input=self._terminal[0],
            output=self._terminal[1],
        )
        app.ttimeoutlen = _ESCAPE_SECONDS
        before = self._loop.get_exception_handler()
        self._loop.set_exception_handler(self._callback_failed)
        self._app = app
        try:
            with handled(self._loop, self._signals()), taken_again(app):
                if not self._closing:
                    await app.run_async(pre_run=self._began, set_exception_handler=False)
        except (EOFError, OSError):
            self._leave()  # the terminal is gone, and with it the person
        finally:
            self._loop.set_exception_handler(before)
            self._app = None
            self._cancel_timers()
            await self._advice.close()

    def _callback_failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Let an exception of a callback, such as drawing, end `run`: the screen would stand still.

        prompt_toolkit itself would print it and wait for a key.
        """
        error = context.get("exception")
        if isinstance(error, Exception) and "handle" in context and self._app is not None:
            with contextlib.suppress(Exception):  # it is on its way out already
                self._app.exit(exception=error)
            return
        loop.default_exception_handler(context)

    def show(self, view: View | None, status: Status | LobbyStatus) -> None:
        """Take a new state; cards are shown one after the other."""
        before = self._status
        known = before.chat if isinstance(before, Status) else ()
        if isinstance(status, Status):
            new = [remark_sentence(remark) for remark in status.chat if remark not in known]
            self._messages = (*self._messages, *new)[-_MESSAGES:]
        self._status = status
        self._status_at = self._now()
        if view is None:
            settled = settle(self._choice, self._view, None)
            if _same_lobby(before, status):  # what was answered there still holds
                settled = replace(settled, feedback=self._choice.feedback)
            self._choice = settled
            self._view = None
        self._showing.take(view)
        self._introduce()
        self._redraw()

    def _introduce(self) -> None:
        """Show once who is here, where somebody has a key that was not met before."""
        status, panel = self._status, self._choice.panel
        strangers = isinstance(status, Status) and has_strangers(status)
        if strangers and not self._introduced and panel in (Panel.NONE, Panel.PEOPLE):
            self._introduced = True
            self._choice = replace(self._choice, panel=Panel.PEOPLE)

    def say(self, sentence: str) -> None:
        """Add a sentence to the messages."""
        self._messages = (*self._messages, sentence)[-_MESSAGES:]
        self._redraw()

    def close(self) -> None:
        """End `run`."""
        self._closing = True
        if self._app is not None and self._app.is_running:
            with contextlib.suppress(Exception):  # it is on its way out already
                self._app.exit()

    @property
    def _settings(self) -> Settings:
        return self._choice.settings

    # Showing one View after the other.

    def _seconds_after(self, view: View) -> float:
        return seconds_after(view, self._pace * self._settings.pace)

    def _display(self, view: View) -> None:
        before = self._view
        self._choice = settle(self._choice, before, view)
        if isinstance(self._status, Status):
            told = [news.sentence for news in tell(before, view, self._status, self._glyphs)
                    if news.kind in _TOLD]  # fmt: skip
            self._messages = (*self._messages, *told)[-_MESSAGES:]
        self._view = view
        if self._autoplay is not None:
            self._autoplay.cancel()
            self._autoplay = None
        began_turn = view.your_turn and not (before is not None and before.your_turn)
        forced = view.forced is not None and self._autoplay_seconds is not None
        forced = forced and not self._status.finished and self._settings.autoplay == "on"
        if began_turn and not forced:
            self._turn_came(view)
        if forced and self._loop is not None and not self._showing.behind:
            self._autoplay = self._loop.call_later(
                self._autoplay_seconds or 0.0, self._play_forced, view
            )

    def _turn_came(self, view: View) -> None:
        """Tell a person who looks elsewhere, and advise one who always wants advice."""
        if self._settings.bell != "off" and self._app is not None:
            self._app.output.bell()
            if self._settings.bell == "notify":
                self._app.output.write_raw(_NOTIFICATION.format(_(YOUR_TURN)))
            self._app.output.flush()
        if self._settings.hints == "always" and self._callbacks.hint is not None:
            self._advice.ask(self._callbacks.hint, view, partial(self._advised, view))

    def _advised(self, view: View, advice: str) -> None:
        """Show advice that came by itself, unless the person was told something else meanwhile."""
        if view == self._view and not self._choice.sent and not self._choice.feedback:
            self._choice = replace(self._choice, feedback=advice)
            self._redraw()

    def _play_forced(self, view: View) -> None:
        self._autoplay = None
        card = view.forced
        busy = self._choice.sent or self._choice.panel in (Panel.CLAIM, Panel.TOUR)
        if view == self._view and card is not None and not busy:
            with self._guard():
                self._carry_out(PlayCard(card))
            self._redraw()

    # Keys.

    def _press(self, key: Key) -> None:
        with self._guard():
            self._pressed(key)

    @contextlib.contextmanager
    def _guard(self) -> Iterator[None]:
        """Let an exception of a callback end `run`, once the terminal was given back."""
        try:
            yield
        except Exception as error:
            if self._app is None or not self._app.is_running:
                raise
            self._app.exit(exception=error)

    def _pressed(self, key: Key) -> None:
        if self._showing.behind and self._choice.panel not in (Panel.LEAVE, Panel.CHAT):
            # What is on the table is not yet on the screen: first let the person see it.
            decides = key in (ENTER, TOGGLE) or isinstance(key, Click)
            if decides or (isinstance(key, str) and len(key) == 1):
                self._showing.catch_up()
            if decides:
                self._redraw()
                return
        if key == GO_ON and self._choice.panel is Panel.NONE:
            self._choice = replace(self._choice, typed="")
            self._go_on()
            self._redraw()
            return
        self._choice, move = react(self._choice, self._view, self._status, key, self._glyphs)
        if move is not None:
            self._carry_out(move)
        self._introduce()
        self._redraw()

    def _carry_out(self, move: Move) -> None:
        match move:
            case PassCards(cards):
                self._choice = replace(self._choice, sent=True)
                self._answered(self._callbacks.on_pass(cards))
            case PlayCard(card):
                self._choice = replace(self._choice, sent=True)
                self._answered(self._callbacks.on_card(card))
            case ClaimRest():
                self._choice = replace(self._choice, sent=True)
                on_claim = self._callbacks.on_claim
                self._answered(_(NO_CLAIM) if on_claim is None else on_claim())
            case CountMoon(choice):
                self._choice = replace(self._choice, sent=True)
                on_moon = self._callbacks.on_moon
                self._answered(_(NO_CHOICE) if on_moon is None else on_moon(choice))
            case SayLine(text):
                on_say = self._callbacks.on_say
                answer = _(NO_CHAT) if on_say is None else on_say(text)
                self._choice = replace(self._choice, feedback=answer or "")
            case AskHint():
                self._hint()
            case ChangeSettings(settings):
                on_settings = self._callbacks.on_settings
                refusal = None if on_settings is None else on_settings(settings)
                if refusal is not None:
                    self.say(refusal)
                    self._choice = replace(self._choice, feedback=refusal)
            case BeReady(ready):
                if self._callbacks.on_ready is not None:
                    self._callbacks.on_ready(ready)
            case AddPlayer():
                on_add = self._callbacks.on_add
                answer = _(NO_ADDING) if on_add is None else on_add()
                self._choice = replace(self._choice, feedback=answer)
            case Leave():
                self._leave()

    def _answered(self, refusal: str | None) -> None:
        """Show a refusal; what was chosen stays chosen. The callback may have shown a View."""
        if refusal is not None:
            self._choice = replace(self._choice, sent=False, feedback=refusal)

    def _go_on(self) -> None:
        """Go on without a seat that is waited for: asked at the first press, done at the next."""
        status, on_go_on = self._status, self._callbacks.on_go_on
        if not isinstance(status, Status) or not status.may_go_on or on_go_on is None:
            self._choice = replace(self._choice, feedback=_(NO_GOING_ON))
            return
        seat = status.may_go_on[0]
        if self._asked_without != seat:
            self._asked_without = seat
            asked = _("Press v again.") + " " + go_on_question(status)
            self._choice = replace(self._choice, feedback=asked)
            return
        self._asked_without = None
        answer = on_go_on(seat) or going_on_sentence(status)
        self._choice = replace(self._choice, feedback=answer)

    def _hint(self) -> None:
        if self._callbacks.hint is None or self._view is None:
            text = _(NO_HINTS)
        else:
            text = _("Looking ahead; the advice comes in a moment.")
            told = partial(self._hinted, self._view)
            self._advice.ask(self._callbacks.hint, self._view, told)
        self._choice = replace(self._choice, hint=text, panel=Panel.HINT)

    def _hinted(self, view: View, advice: str) -> None:
        """Show advice that was asked for and what is at stake, a paragraph a line."""
        status = self._status
        if view == self._view and isinstance(status, Status):
            text = "\n".join(hint_sentences(advice, view, status, self._glyphs))
            self._choice = replace(self._choice, hint=text)
            self._redraw()

    def _leave(self) -> None:
        if not self._left and not self._status.finished and not self._closing:
            self._left = True
            self._callbacks.on_quit()
        self.close()

    # Around the picture.

    def picture(self, columns: int, rows: int) -> Picture:
        """Return what is on a screen of this size now."""
        status = self._status
        if isinstance(status, Status):
            status = status.later(self._now() - self._status_at)
        scene = Scene(self._view, status, self._choice, self._messages, self._glyphs)
        return draw(scene, columns, rows)

    def _redraw(self) -> None:
        if self._app is not None:
            self._app.invalidate()

    def _now(self) -> float:
        return self._loop.time() if self._loop is not None else 0.0

    def _began(self) -> None:
        if self._closing:
            self.close()
        self._showing.advance()

    def _cancel_timers(self) -> None:
        self._showing.stop()
        if self._autoplay is not None:
            self._autoplay.cancel()
            self._autoplay = None

    def _signals(self) -> dict[str, Callable[[], None]]:
        return {"SIGTERM": self._leave, "SIGHUP": self._leave} if self._handle_signals else {}
