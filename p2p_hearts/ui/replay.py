"""A finished game, step by step: a pure picture, the keys that move through it, and plain lines.

What is shown arrives as `Frame`s, each one moment, with sentences complete and in the language of
the player; nothing here knows where they come from. Like the table's picture it never draws a line
longer than the screen, at any size.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby

from prompt_toolkit.application import Application
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import Output

from p2p_hearts.i18n import _, ngettext, pgettext
from p2p_hearts.rules.cards import CardSet, cards_in, suit_of
from p2p_hearts.rules.trick import Plays
from p2p_hearts.ui.canvas import Canvas
from p2p_hearts.ui.choice import Key
from p2p_hearts.ui.curve import blocks, curve_lines, seat_mark, seat_style
from p2p_hearts.ui.hand import FACE_COLUMNS, CardSize, draw_card
from p2p_hearts.ui.layout import TableControl, table_layout
from p2p_hearts.ui.picture import Picture
from p2p_hearts.ui.styles import style_of, suit_style
from p2p_hearts.ui.terminal import taken_again
from p2p_hearts.ui.words import Glyphs, cards_words, clip, pad, rank_text, width, wrap


@dataclass(frozen=True, slots=True)
class Frame:
    """One moment of a game.

    Attributes:
        hand: number of the hand, from 1.
        title: what is to be known of the hand, a short line.
        sentence: what happens.
        proof: what proved it, "" where there is nothing to prove.
        dealer: the seat that dealt.
        hands: the known cards that each seat holds, by seat.
        unknown: how many more cards each seat holds.
        laid: the cards of the trick on the table, oldest first.
        winner: who takes that trick, once it is whole.
        points: what each seat has taken in this hand.
        totals: what each seat had before it.
        starts_trick: whether the first card of a trick is played.
        ends_hand: whether the hand is over, and its points count.
    """

    hand: int
    title: str
    sentence: str
    proof: str
    dealer: int
    hands: tuple[CardSet, ...]
    unknown: tuple[int, ...]
    laid: Plays
    winner: int | None
    points: tuple[int, ...]
    totals: tuple[int, ...]
    starts_trick: bool = False
    ends_hand: bool = False


@dataclass(frozen=True, slots=True)
class Film:
    """A whole game: at least one frame.

    Attributes:
        table_name: the name of the table.
        phrase: its words.
        verdict: what the audit says, a sentence.
        is_good: whether the verdict is clean.
        names: the name of each seat, by seat.
        frames: its moments, oldest first.
    """

    table_name: str
    phrase: str
    verdict: str
    is_good: bool
    names: tuple[str, ...]
    frames: tuple[Frame, ...]

    def totals_until(self, at: int) -> tuple[tuple[int, ...], ...]:
        """Return the totals after each hand that is over at a frame."""
        return tuple(
            tuple(total + points for total, points in zip(frame.totals, frame.points, strict=True))
            for frame in self.frames[: at + 1]
            if frame.ends_hand
        )

    def first_of(self, hand: int) -> int:
        """Return the first frame of a hand, or of the last one before it; 0 for none."""
        starts = [at for at, frame in enumerate(self.frames) if frame.hand <= hand]
        if not starts:
            return 0
        number = self.frames[starts[-1]].hand
        return next(at for at in starts if self.frames[at].hand == number)


MOVES = ("next", "back", "trick", "trick back", "hand", "hand back", "first", "last")


def moved(film: Film, at: int, move: str) -> int:
    """Return the frame that a move (one of ``MOVES``) leads to; it never leaves the film."""
    frames, last = film.frames, len(film.frames) - 1
    tricks = [number for number, frame in enumerate(frames) if frame.starts_trick]
    hands = [film.first_of(frame.hand) for frame in frames]
    found = {
        "next": min(at + 1, last),
        "back": max(at - 1, 0),
        "trick": next((number for number in tricks if number > at), last),
        "trick back": next((number for number in reversed(tricks) if number < at), 0),
        "hand": next((number for number in hands if number > at), last),
        "hand back": next((number for number in reversed(hands) if number < at), 0),
        "first": 0,
        "last": last,
    }
    return found[move]


# The picture.

_NAME = 12
_SIDE = 26
"""Columns before the cards of a seat: mark, name, points, the card it laid."""

VERDICT_ROWS = 4
"""A fault is a sentence of some length, and the reason to look at all."""
ROOMY = 18
"""On fewer rows the verdict has one."""


def draw_frame(film: Film, at: int, columns: int, rows: int, glyphs: Glyphs) -> Picture:
    """Return the screen of one moment."""
    canvas = Canvas(columns, rows, glyphs)
    frame = film.frames[at]
    seats = len(film.names)
    _header(canvas, film, at)
    row = 2
    mark = glyphs.check if film.is_good else glyphs.cross
    most = VERDICT_ROWS if rows >= ROOMY else 1
    verdict = wrap(f"{mark} {film.verdict}", columns - 2, most, glyphs)
    strip = rows - max(1, len(verdict))
    spare = strip - seats - 7
    size = next((size for size in (CardSize.LARGE, CardSize.MEDIUM) if spare >= size + 3), None)
    if size is not None and not frame.ends_hand and seats * (FACE_COLUMNS[size] + 1) <= columns:
        _trick(canvas, film, frame, row, size)
        row += size + 2
    totals = film.totals_until(at) if frame.ends_hand else ()
    for seat in range(seats):
        _seat(canvas, film, frame, seat, row + seat)
        if len(totals) > 1:
            told = f"{seat_mark(seat)} {blocks(totals, seat, columns - _SIDE - 4, glyphs)}"
            canvas.put(_SIDE + 1, row + seat, told, seat_style(seat))
    row += seats + 1
    keys = strip - 1
    for style, text in (("class:prompt", frame.sentence), ("class:good", frame.proof)):
        for line in wrap(text, columns - 2, max(0, keys - row), glyphs):
            canvas.put(1, row, line, style)
            row += 1
    for number, runs in enumerate(curve_lines(totals, columns - 2, keys - row - 2, glyphs), 1):
        canvas.write(1, row + number, runs, columns - 1)
    _keys(canvas, keys)
    style = "class:good" if film.is_good else "class:fault"
    for number, line in enumerate(verdict):
        canvas.put(1, strip + number, line, style)
    return Picture(canvas.lines(), tuple(canvas.targets))


def _header(canvas: Canvas, film: Film, at: int) -> None:
    frame = film.frames[at]
    canvas.clear(0, 0, canvas.columns, 1, "class:header")
    count = f"{at + 1}/{len(film.frames)}"
    room = canvas.columns - width(count) - 3
    title = f"{film.table_name} {canvas.glyphs.dot} {frame.title}"
    canvas.put(1, 0, clip(title, room, canvas.glyphs), "class:header.name")
    canvas.right(canvas.columns - 1, 0, count, "class:header")


def _trick(canvas: Canvas, film: Film, frame: Frame, row: int, size: CardSize) -> None:
    """The cards on the table, in the order of play, with the names below."""
    seats = len(film.names)
    step = min(14, canvas.columns // seats)
    start = (canvas.columns - step * seats) // 2
    for number, (seat, card) in enumerate(frame.laid):
        column = start + step * number
        won = seat == frame.winner
        edge = "class:card.edge.live" if won or frame.winner is None else "class:card.edge.dim"
        left = column + (step - FACE_COLUMNS[size]) // 2
        draw_card(canvas, left, row, card, size, edge=edge)
        name = clip(film.names[seat], step - 1, canvas.glyphs)
        style = "class:winner" if won else "class:faint"
        canvas.centre(column + step // 2, row + size, name, style)


def _seat(canvas: Canvas, film: Film, frame: Frame, seat: int, row: int) -> None:
    glyphs = canvas.glyphs
    is_latest = bool(frame.laid) and frame.laid[-1][0] == seat
    mark = glyphs.turn if is_latest else " "
    style = "class:seat.turn" if is_latest else "class:seat.name"
    canvas.put(1, row, mark, style)
    canvas.put(3, row, pad(film.names[seat], _NAME, "<", glyphs), style)
    points = f"{frame.totals[seat]} ({frame.points[seat]:+d})"
    canvas.put(3 + _NAME, row, pad(points, 10, ">", glyphs), "class:seat.fact")
    column = _SIDE + 1
    for suit, cards in groupby(cards_in(frame.hands[seat]), suit_of):
        column = canvas.put(column, row, glyphs.suits[suit], f"class:suit.{suit.name.lower()}")
        for card in cards:
            column = canvas.put(column, row, rank_text(card), suit_style(card)) + 1
    if frame.unknown[seat]:
        text = ngettext("{n} unknown card", "{n} unknown cards", frame.unknown[seat])
        canvas.put(column, row, text.format(n=frame.unknown[seat]), "class:faint")


def _keys(canvas: Canvas, row: int) -> None:
    glyphs = canvas.glyphs
    keys: tuple[tuple[str, str, str], ...] = (
        (glyphs.right, _("on"), "next"),
        (glyphs.left, _("back"), "back"),
        ("t", _("trick"), "trick"),
        ("n", _("next hand"), "hand"),
        ("p", _("hand before"), "hand back"),
        ("q", pgettext("key", "leave"), "leave"),
    )
    # How to leave is always told, and how to go on before the rest.
    while len(keys) > 1 and sum(width(f"{key} {text}  ") for key, text, _move in keys) > (
        canvas.columns + 1
    ):
        keys = (*keys[:-2], keys[-1])
    column = 1
    for key, text, move in keys:
        start = column
        column = canvas.put(column, row, key, "class:key")
        column = canvas.put(column, row, f" {text}", "class:faint")
        canvas.target(start, row, column - start, 1, move)
        column += 2


# On the screen.

_KEYS: dict[Keys | str, str] = {
    Keys.Right: "next", " ": "next", Keys.Enter: "next", Keys.Left: "back", Keys.Backspace: "back",
    Keys.Down: "trick", "t": "trick", Keys.Up: "trick back", "n": "hand", Keys.PageDown: "hand",
    "p": "hand back", Keys.PageUp: "hand back", Keys.Home: "first", Keys.End: "last",
    "q": "leave", Keys.ControlC: "leave", Keys.ControlD: "leave",
    Keys.SIGINT: "leave",
}  # fmt: skip


class Projector:
    """Shows a film on the whole terminal.

    Args:
        film: what to show.
        start: the frame to begin with.
        glyphs: the characters the terminal can draw.
        colours: how many colours the suits have, as in the settings.
        terminal_input: where keys come from, None for the terminal.
        terminal_output: where the picture goes, None for the terminal.

    """

    def __init__(
        self,
        film: Film,
        start: int,
        glyphs: Glyphs,
        *,
        colours: str = "four",
        terminal_input: Input | None = None,
        terminal_output: Output | None = None,
    ) -> None:
        self._film = film
        self._glyphs = glyphs
        self.at = start
        control = TableControl(self._picture, self._press)
        self._app: Application[None] = Application(
            layout=table_layout(control),
            key_bindings=self._bindings(),
            style=style_of(colours),
            full_screen=True,
            mouse_support=True,
            input=terminal_input,
            output=terminal_output,
        )
        self._app.ttimeoutlen = 0.05

    async def run(self) -> None:
        """Own the terminal until the person leaves, or it is gone."""
        with contextlib.suppress(EOFError, OSError), taken_again(self._app):
            await self._app.run_async()

    def close(self) -> None:
        """End `run`."""
        if self._app.is_running and not self._app.is_done:
            self._app.exit()

    def _picture(self, columns: int, rows: int) -> Picture:
        return draw_frame(self._film, self.at, columns, rows, self._glyphs)

    def _press(self, key: Key) -> None:
        if key == "leave":
            self.close()
        elif isinstance(key, str):
            self.at = moved(self._film, self.at, key)
            self._app.invalidate()

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()

        def bind(terminal_key: Keys | str, move: str) -> None:
            @bindings.add(terminal_key)
            def _pressed(event: KeyPressEvent) -> None:
                self._press(move)

        for terminal_key, move in _KEYS.items():
            bind(terminal_key, move)
        return bindings


# As lines.


def frame_lines(film: Film, at: int) -> Iterator[str]:
    """Return what is new at a moment, as plain sentences."""
    frame = film.frames[at]
    if at == 0:
        yield _("Table {table}. {verdict}").format(table=film.table_name, verdict=film.verdict)
    starts_hand = at == 0 or film.frames[at - 1].hand != frame.hand
    if starts_hand:
        yield frame.title
    yield f"{frame.sentence} {frame.proof}".rstrip()
    if starts_hand:
        for name, cards, unknown in zip(film.names, frame.hands, frame.unknown, strict=True):
            if cards:
                yield _("{name} holds {cards}.").format(name=name, cards=cards_words(cards))
            if unknown:
                yield ngettext(
                    "{name} holds {n} unknown card.", "{name} holds {n} unknown cards.", unknown
                ).format(name=name, n=unknown)


_WORDS = {
    "": "next", "n": "next", "next": "next", "b": "back", "back": "back", "t": "trick",
    "trick": "trick", "hand": "hand", "h": "hand", "first": "first", "last": "last",
}  # fmt: skip


def step_by_lines(
    film: Film, start: int, ask: Callable[[], str | None], say: Callable[[str], object]
) -> None:
    """Tell one moment after the other, as a person asks for them.

    `ask` returns what was typed, None at the end of the input.
    """
    at = start
    say(_(
        'Enter goes on, "b" back, "t" to the next trick, "h" to the next hand, "h 3" to that '
        'hand, "q" leaves.'
    ))  # fmt: skip
    for line in frame_lines(film, at):
        say(line)
    while (typed := ask()) is not None:
        words = typed.strip().lower().split()
        if words in (["q"], ["quit"]):
            return
        if len(words) == 2 and words[0] in ("h", "hand") and words[1].isdecimal():
            at = film.first_of(int(words[1]))
        elif " ".join(words) in _WORDS:
            before, at = at, moved(film, at, _WORDS[" ".join(words)])
            if at == before:
                say(_("There is nothing more."))
                continue
        else:
            say(_('"{typed}" is no step.').format(typed=typed.strip()[:40]))
            continue
        for line in frame_lines(film, at):
            say(line)
