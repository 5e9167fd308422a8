"""Line mode: the same game as plain sentences, for screen readers, dumb terminals and pipes.

Everything the full screen shows can be asked for here, and every decision can be made here.
The end of the input means that the person left.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import TextIO

from p2p_hearts.i18n import N_, _
from p2p_hearts.rules.cards import Card
from p2p_hearts.rules.texts import card_words
from p2p_hearts.rules.view import NOBODY, Phase, View
from p2p_hearts.ui.advising import Advice
from p2p_hearts.ui.answers import set_as_typed
from p2p_hearts.ui.asked import (
    ASKED,
    Sight,
    tell_expected,
    tell_hand,
    tell_people,
    tell_tour,
)
from p2p_hearts.ui.choice import MOON_KEYS
from p2p_hearts.ui.deciding import Deciding
from p2p_hearts.ui.frontend import (
    NO_ADDING,
    NO_CHAT,
    NO_GOING_ON,
    NO_HINTS,
    Callbacks,
)
from p2p_hearts.ui.reminding import Reminder
from p2p_hearts.ui.risks import hint_sentences
from p2p_hearts.ui.sentences import (
    go_on_question,
    going_on_sentence,
    has_strangers,
    left_sentence,
    waiting_sentence,
)
from p2p_hearts.ui.settings import Settings
from p2p_hearts.ui.signals import handled
from p2p_hearts.ui.status import LobbyStatus, Status
from p2p_hearts.ui.telling import Chronicle
from p2p_hearts.ui.typed import own_words, read_line
from p2p_hearts.ui.writing import LineReader, write_bell, write_line

_SHORT_TIME = 10.0
"""Seconds that a person has left for a decision when it is told so."""

_READY_QUESTION = N_(
    "The cards come once all seats are taken and everybody is ready: "
    'type "ready", or press Enter, when you are.'
)


class LineMode:
    """A `FrontEnd` that writes and reads lines.

    Args:
        callbacks: where decisions go.
        source: where lines come from.
        stream: where sentences go.
        autoplay_seconds: how long to wait before the only legal card is played for the
            person; None to leave it to the person, as the settings may, too.
        settings: how the person wants the table; None for the usual way, without the tour.
        handle_signals: whether SIGTERM and SIGHUP end `run` (in the main thread only). SIGINT
            asks before leaving in any case, where the platform allows it.

    """

    def __init__(
        self,
        callbacks: Callbacks,
        source: TextIO,
        stream: TextIO,
        *,
        autoplay_seconds: float | None = 1.0,
        settings: Settings | None = None,
        handle_signals: bool = True,
    ) -> None:
        self._callbacks = callbacks
        self._stream = stream
        self._autoplay_seconds = autoplay_seconds
        self._settings = settings or Settings(tour="off")
        self._handle_signals = handle_signals
        self._reader = LineReader(source, self._guarded_line, self._ended)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._done = asyncio.Event()
        self._chronicle = Chronicle()
        self._view: View | None = None
        self._status: Status | LobbyStatus = LobbyStatus("", (), 0)
        self._status_at = 0.0
        self._deciding = Deciding(callbacks, self._write, self._ask)
        self._asked_ready = False
        self._asked_to_leave = False
        self._left = False
        self._is_hurried = False  # whether it was told that time is short
        self._introduced = False  # whether the people here were told
        self._failure: Exception | None = None
        self._autoplay: asyncio.TimerHandle | None = None
        self._reminder = Reminder(self._waited, self._remind)
        self._asked_without: int | None = None
        self._advice = Advice(self._guard)
        self._own_words = own_words()
        self._commands: dict[str, Callable[[], None]] = {
            "h": self._tell_hint,
            "hint": self._tell_hint,
            "u": self._deciding.undo,
            "undo": self._deciding.undo,
            "ready": self._be_ready,
            "b": self._add_player,
            "bot": self._add_player,
            "c": self._ask_to_claim,
            "claim": self._ask_to_claim,
            "v": self._go_on,
            "go on": self._go_on,
            "q": self._ask_to_leave,
            "quit": self._ask_to_leave,
            "leave": self._ask_to_leave,
        }

    # FrontEnd.

    async def run(self) -> None:
        """Read lines until the person leaves, `close`, or the game is finished."""
        self._loop = asyncio.get_running_loop()
        self._status_at = self._loop.time()
        if not self._done.is_set():
            self._write(_('Type "help" at any time for what you can type.'))
            if self._settings.tour == "on":
                self._write(_('Type "tour" for what this game is about.'))
            self._reader.start()
            self._expect()
            self._reminder.look()
        try:
            with handled(self._loop, self._signals()):
                await self._done.wait()
            if self._failure is not None:
                raise self._failure
        finally:
            self._reader.stop()
            self._reminder.stop()
            if self._autoplay is not None:
                self._autoplay.cancel()
            await self._advice.close()

    def show(self, view: View | None, status: Status | LobbyStatus) -> None:
        """Tell what is new, and what the person may do about it."""
        before = self._view
        news = self._chronicle.news(view, status)
        self._view, self._status = view, status
        self._deciding.show(view)
        self._status_at = self._now()
        for piece in news:
            self._write(piece.sentence)
        if isinstance(status, LobbyStatus) and status.own_ready is False and not self._asked_ready:
            self._asked_ready = True
            self._write(_(_READY_QUESTION))
            if status.may_add:
                self._write(_('"bot" seats a computer player where a seat is free.'))
        if isinstance(status, Status) and has_strangers(status) and not self._introduced:
            self._introduced = True
            self._tell(tell_people)
        if view != before and self._loop is not None:
            self._expect()
        self._hurry(status)
        if status.finished:
            self.close()
        elif self._loop is not None:
            self._reminder.look()

    def _hurry(self, status: Status | LobbyStatus) -> None:
        """Tell once a decision that the person's time for it is nearly up."""
        left = status.seconds_left if isinstance(status, Status) else None
        is_short = left is not None and left <= _SHORT_TIME
        if isinstance(status, Status) and is_short and not self._is_hurried:
            self._write(left_sentence(status))
        self._is_hurried = is_short

    def say(self, sentence: str) -> None:
        """Tell a sentence."""
        self._write(sentence)

    def close(self) -> None:
        """End `run`."""
        self._reader.stop()
        self._done.set()

    # What the person types.

    @contextlib.contextmanager
    def _guard(self) -> Iterator[None]:
        """Let an exception of a callback end `run`."""
        try:
            yield
        except Exception as error:
            self._failure = error
            self.close()

    def _guarded_line(self, text: str) -> None:
        with self._guard():
            self._line(text)

    def _ended(self) -> None:
        with self._guard():
            self._leave()

    def _line(self, text: str) -> None:
        """Take one line."""
        line = read_line(text, self._own_words)
        moon = MOON_KEYS.get(line.command)
        if line.said is not None:
            on_say = self._callbacks.on_say
            self._write((_(NO_CHAT) if on_say is None else on_say(line.said)) or "")
        elif self._asked_to_leave or self._deciding.asked_to_claim:
            self._answer(line.says_yes)
        elif moon is not None and self._deciding.is_of_moon:
            self._deciding.count_moon(moon)
        elif not line.words:
            self._go_ahead()
        elif line.to_set is not None:
            self._set(list(line.to_set))
        elif line.command in ASKED:
            self._tell(ASKED[line.command])
        elif line.command in self._commands:
            self._commands[line.command]()
        elif line.says_yes and len(line.words) == 1:
            self._deciding.confirm()
        elif line.cards is None:
            told = _('"{typed}" is no card and no command. Type "help" for both.')
            self._write(told.format(typed=line.shown))
        else:
            self._deciding.use(self._status, list(line.cards))

    def _go_ahead(self) -> None:
        """Do what Enter alone means: be ready, confirm the pass, or be told what is expected."""
        if isinstance(self._status, LobbyStatus) and self._status.own_ready is False:
            self._be_ready()
        elif self._deciding.is_pass_chosen:
            self._deciding.confirm()
        else:
            self._ask()

    def _answer(self, yes: bool) -> None:
        """Answer what was asked: whether to leave, or to claim the rest."""
        leaves, self._asked_to_leave = self._asked_to_leave, False
        if not leaves:
            self._deciding.asked_to_claim = False
        if yes:
            self._leave() if leaves else self._deciding.claim()
            return
        self._write(_("You stay at the table.") if leaves else _("You play on."))
        self._ask()

    def _ask_to_claim(self) -> None:
        self._deciding.ask_to_claim(self._status)

    def _be_ready(self) -> None:
        """Be ready for the cards, or not yet after all."""
        status, on_ready = self._status, self._callbacks.on_ready
        if not isinstance(status, LobbyStatus) or status.own_ready is None or on_ready is None:
            self._write(_("Nobody asks now whether you are ready."))
        else:
            on_ready(not status.own_ready)

    def _add_player(self) -> None:
        """Seat a computer player."""
        status, on_add = self._status, self._callbacks.on_add
        if not isinstance(status, LobbyStatus) or on_add is None:
            self._write(_(NO_ADDING))
        else:
            self._write(on_add())

    def _go_on(self) -> None:
        """Go on without a seat that is waited for: asked first, done the second time."""
        status, on_go_on = self._status, self._callbacks.on_go_on
        if not isinstance(status, Status) or not status.may_go_on or on_go_on is None:
            self._write(_(NO_GOING_ON))
            return
        seat = status.may_go_on[0]
        if self._asked_without != seat:
            self._asked_without = seat
            self._write(go_on_question(status) + " " + _('Type "go on" again to go on.'))
            return
        self._asked_without = None
        self._write(on_go_on(seat) or going_on_sentence(status))

    def _ask_to_leave(self) -> None:
        self._asked_to_leave = True
        if self._view is not None and self._view.watching:
            self._write(_('Stop watching? Type "yes" to leave; anything else, and you stay.'))
            return
        self._write(
            _(
                "Leave the table? The others cannot play on without your cards. "
                'Type "yes" to leave; anything else, and you stay.'
            )
        )

    def _leave(self) -> None:
        """Leave now: confirmed, or the input has ended."""
        if not self._left and not self._status.finished and not self._done.is_set():
            self._left = True
            self._callbacks.on_quit()
        self.close()

    # What is expected of the person.

    def _expect(self) -> None:
        """Ask for a decision where one is due, or play the only card."""
        if self._autoplay is not None:
            self._autoplay.cancel()
            self._autoplay = None
        view = self._view
        if view is None or not view.your_turn:
            return
        forced = view.forced
        by_itself = self._autoplay_seconds is not None and self._settings.autoplay == "on"
        if forced is not None and by_itself and self._loop is not None:
            self._autoplay = self._loop.call_later(
                self._autoplay_seconds or 0.0, self._play_forced, view, forced
            )
            return
        if self._settings.bell != "off":
            write_bell(self._stream)
        if view.phase is Phase.PASS:
            self._tell(tell_hand)
        self._ask()
        if self._settings.hints == "always" and self._callbacks.hint is not None:
            self._advice.ask(self._callbacks.hint, view, partial(self._advised, view))

    def _play_forced(self, view: View, card: Card) -> None:
        self._autoplay = None
        deciding = self._deciding
        if view == self._view and not deciding.sent and not deciding.asked_to_claim:
            self._write(_("The only card you may play is {card}.").format(card=card_words(card)))
            with self._guard():
                deciding.play(card)

    def _ask(self) -> None:
        """Say what is expected now."""
        self._write(tell_expected(self._sight()))

    # What can be asked for.

    def _sight(self) -> Sight:
        status = self._status
        if isinstance(status, Status):
            status = status.later(self._now() - self._status_at)
        return Sight(self._view, status, self._settings, self._deciding.chosen, self._deciding.sent)

    def _tell(self, answer: Callable[[Sight], Iterable[str]]) -> None:
        for sentence in answer(self._sight()):
            self._write(sentence)
        if answer is tell_tour and self._settings.tour == "on":
            self._change(replace(self._settings, tour="off"))

    def _tell_hint(self) -> None:
        view = self._view
        if view is None or not view.your_turn:
            self._write(_("There is nothing to choose now."))
        elif self._settings.hints == "off":
            self._write(_('Hints are switched off; "set hints key" brings them back.'))
        elif self._callbacks.hint is None:
            self._write(_(NO_HINTS))
        else:
            self._advice.ask(self._callbacks.hint, view, partial(self._hinted, view))

    def _hinted(self, view: View, advice: str) -> None:
        """Tell advice that was asked for, and what is at stake."""
        if view == self._view and isinstance(self._status, Status):
            for sentence in hint_sentences(advice, view, self._status, None):
                self._write(sentence)

    def _advised(self, view: View, advice: str) -> None:
        """Tell advice that came by itself."""
        if view == self._view and not self._deciding.sent:
            self._write(advice)

    def _set(self, words: list[str]) -> None:
        """Change one setting, as typed: "set speed fast"."""
        settings, told = set_as_typed(self._settings, words)
        self._write(told)
        if settings is not None:
            self._change(settings)

    def _change(self, settings: Settings) -> None:
        self._settings = settings
        on_settings = self._callbacks.on_settings
        refusal = None if on_settings is None else on_settings(settings)
        if refusal is not None:
            self._write(refusal)

    # Around it.

    def _write(self, sentence: str) -> None:
        if sentence and not write_line(self._stream, sentence):
            self._leave()  # nobody reads any more

    def _now(self) -> float:
        return self._loop.time() if self._loop is not None else 0.0

    def _waited(self) -> float | None:
        status = self._sight().status
        is_waiting = isinstance(status, Status) and bool(status.waiting_for)
        return status.waiting_seconds if isinstance(status, Status) and is_waiting else None

    def _remind(self) -> None:
        status = self._sight().status
        if isinstance(status, Status):
            self._write(waiting_sentence(status, self._view.seat if self._view else NOBODY))

    def _signals(self) -> dict[str, Callable[[], None]]:
        """SIGTERM and SIGHUP end the table, and Ctrl-C asks first."""
        asked: dict[str, Callable[[], None]] = {"SIGINT": self._interrupted}
        ended: dict[str, Callable[[], None]] = {"SIGTERM": self._ended, "SIGHUP": self._ended}
        return asked | ended if self._handle_signals else asked

    def _interrupted(self) -> None:
        if self._asked_to_leave:
            self._ended()
        else:
            self._ask_to_leave()
