from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from prompt_toolkit.input import Input, create_pipe_input
from prompt_toolkit.output import DummyOutput, Output

from p2p_hearts import i18n
from p2p_hearts.i18n import LANGUAGES, Language
from p2p_hearts.rules.cards import EMPTY, CardSet, card_set, parse_card
from p2p_hearts.ui.replay import (
    MOVES,
    Film,
    Frame,
    Projector,
    draw_frame,
    frame_lines,
    moved,
    step_by_lines,
)
from p2p_hearts.ui.words import LETTERS, SYMBOLS, Glyphs, width
from tests.ui.stopping import Close, Run, check_takes_the_terminal_again

NAMES = ("Ana", "Budi", "Clara Maria da Conceição", "漢字漢字漢字")


def cards(text: str) -> CardSet:
    return card_set(parse_card(name) for name in text.split())


def frame(hand: int, number: int, *, starts: bool = False) -> Frame:
    return Frame(
        hand=hand,
        title=f"Hand {hand}, pass across, Ana deals",
        sentence=f"Moment {number} of hand {hand}.",
        proof="Verified: proof holds, 1.2 ms." if number else "",
        dealer=0,
        hands=(cards("2C 10C QS 10H KH AH"), cards("3D JD"), EMPTY, cards("2H 3H 4H 5H")),
        unknown=(0, 3, 13, 0),
        laid=((0, parse_card("QS")), (1, parse_card("10H"))) if number else (),
        winner=0 if number == 3 else None,
        points=(0, 13, 0, -1),
        totals=(99, 0, 12, 26),
        starts_trick=starts,
    )


FILM = Film(
    "Sunday table",
    "amber otter violin nine",
    "Clean: the whole match was verified.",
    True,
    NAMES,
    tuple(
        frame(hand, number, starts=number in (1, 3)) for hand in (1, 2, 3) for number in range(5)
    ),
)


def scored(hand: int, totals: tuple[int, ...], points: tuple[int, ...]) -> Frame:
    """The moment at which a hand is over and counts."""
    over = replace(frame(hand, 9), hands=(EMPTY,) * 4, unknown=(0,) * 4, laid=(), winner=None)
    return replace(over, totals=totals, points=points, ends_hand=True)


COUNTED = replace(
    FILM,
    frames=(
        frame(1, 0),
        scored(1, (0, 0, 0, 0), (26, 0, 0, 0)),
        frame(2, 0),
        scored(2, (26, 0, 0, 0), (0, 13, 13, 0)),
        frame(3, 0),
        scored(3, (26, 13, 13, 0), (5, 6, 7, 8)),
    ),
)


def test_replay__shows_how_the_totals_went_once_two_hands_are_over() -> None:
    assert COUNTED.totals_until(4) == ((26, 0, 0, 0), (26, 13, 13, 0))
    assert COUNTED.totals_until(5)[-1] == (31, 19, 20, 8)
    told = "Totals after each hand, from 1 to 3."
    screen = draw_frame(COUNTED, 5, 60, 18, SYMBOLS).text()
    assert told in screen
    assert "31 │" in screen
    assert "A ▆▆█" in screen
    assert told not in draw_frame(COUNTED, 4, 60, 18, SYMBOLS).text()
    assert "Totals" not in draw_frame(COUNTED, 1, 60, 18, SYMBOLS).text()
    small = draw_frame(COUNTED, 5, 40, 10, SYMBOLS).text()
    assert "A ▆▆█" in small
    assert told not in small


@pytest.mark.parametrize("glyphs", [SYMBOLS, LETTERS])
@pytest.mark.parametrize("columns", [0, 1, 7, 40, 60, 80, 120, 300])
def test_draw_frame__fits_any_screen(columns: int, glyphs: Glyphs) -> None:
    for rows in (0, 1, 5, 18, 24, 40, 100):
        for at in (0, 3):
            drawn = draw_frame(FILM, at, columns, rows, glyphs)
            assert len(drawn.lines) == rows
            for line in drawn.lines:
                assert sum(width(text) for _style, text in line) == columns


def test_draw_frame__shows_who_holds_and_has_what() -> None:
    text = draw_frame(FILM, 3, 80, 24, SYMBOLS).text()
    assert "Sunday table" in text
    assert "4/15" in text
    assert "Moment 3 of hand 1." in text
    assert "Verified: proof holds, 1.2 ms." in text
    assert "♣2 10 ♠Q ♥10 K A" in text
    assert "13 unknown cards" in text
    assert "99 (+0)" in text
    assert "0 (+13)" in text
    assert "✓ Clean: the whole match was verified." in text
    assert "Moment" in draw_frame(FILM, 3, 60, 18, LETTERS).text()


def test_draw_frame__lays_the_trick_out_where_there_is_room() -> None:
    large = draw_frame(FILM, 3, 80, 24, SYMBOLS).text()
    assert "│Q    │" in large
    assert "│" not in draw_frame(FILM, 3, 60, 14, SYMBOLS).text()


@pytest.mark.parametrize("language", LANGUAGES)
def test_draw_frame__names_every_key_at_60_columns_in_every_language(language: Language) -> None:
    i18n.use(language)
    try:
        keys = draw_frame(FILM, 3, 60, 18, SYMBOLS).text().splitlines()[-2]
        narrow = draw_frame(FILM, 3, 40, 15, SYMBOLS).text().splitlines()[-2]
        leave = i18n.pgettext("key", "leave")
    finally:
        i18n.use("en")
    assert keys.endswith(f"q {leave}")
    assert all(f"  {key} " in keys for key in "tnp")
    assert narrow.endswith(f"q {leave}"), "where there is less room, how to leave stays"
    assert narrow.startswith(" → ")


def test_draw_frame__tells_the_whole_verdict_where_there_is_room() -> None:
    """What is proven, and of whom, is the reason to look at a game with a fault."""
    verdict = (
        "Wira (seat 4) broke a rule in hand 2: " + 3 * "the end of a long sentence, " + "here."
    )
    film = replace(FILM, verdict=verdict, is_good=False)
    lines = draw_frame(film, 3, 60, 18, SYMBOLS).text().splitlines()
    assert " ".join(line.strip() for line in lines[-3:]) == f"✗ {verdict}"
    assert "q leave" in lines[-4]
    assert "Moment 3 of hand 1." in "\n".join(lines)
    assert draw_frame(film, 3, 40, 15, SYMBOLS).text().splitlines()[-1].endswith("…")


@pytest.mark.parametrize(
    ("at", "move", "expected"),
    [
        (0, "next", 1), (14, "next", 14), (0, "back", 0), (5, "back", 4),
        (0, "trick", 1), (1, "trick", 3), (3, "trick", 6), (13, "trick", 14),
        (6, "trick back", 3), (1, "trick back", 0), (2, "hand", 5), (12, "hand", 14),
        (12, "hand back", 10), (10, "hand back", 5), (0, "hand back", 0), (7, "first", 0),
        (7, "last", 14),
    ],
)  # fmt: skip
def test_moved__goes_by_moments_tricks_and_hands(at: int, move: str, expected: int) -> None:
    assert moved(FILM, at, move) == expected


def test_moved__never_leaves_the_film() -> None:
    for move in MOVES:
        for at in range(len(FILM.frames)):
            assert 0 <= moved(FILM, at, move) < len(FILM.frames)


@pytest.mark.parametrize(("hand", "at"), [(1, 0), (2, 5), (3, 10), (99, 10), (0, 0)])
def test_film__finds_a_hand_or_the_last_before_it(hand: int, at: int) -> None:
    assert FILM.first_of(hand) == at


def test_frame_lines__say_in_words_what_the_screen_shows() -> None:
    lines = list(frame_lines(FILM, 0))
    assert lines[:3] == [
        "Table Sunday table. Clean: the whole match was verified.",
        "Hand 1, pass across, Ana deals",
        "Moment 0 of hand 1.",
    ]
    assert "Budi holds 3 of diamonds and jack of diamonds." in lines
    assert "Budi holds 3 unknown cards." in lines
    assert list(frame_lines(FILM, 1)) == ["Moment 1 of hand 1. Verified: proof holds, 1.2 ms."]


def typed(*lines: str) -> list[str]:
    """What is told from the first moment on, after these lines were typed."""
    told: list[str] = []
    waiting = iter(lines)
    step_by_lines(FILM, 0, lambda: next(waiting, None), told.append)
    return told


def test_step_by_lines__goes_on_and_back_and_to_hands() -> None:
    told = typed("", "b", "t", "t", "h", "h 3", "last", "first")
    moments = [line[:19] for line in told if line.startswith("Moment")]
    assert [(int(line[7]), int(line[17])) for line in moments] == [
        (0, 1), (1, 1), (0, 1), (1, 1), (3, 1), (0, 2), (0, 3), (4, 3), (0, 1)
    ]  # fmt: skip


def test_step_by_lines__says_what_it_does_not_understand_and_where_it_ends() -> None:
    assert typed("jump")[-1] == '"jump" is no step.'
    assert typed("last", "n")[-1] == "There is nothing more."
    assert typed("q", "n")[-1] != typed("n")[-1]
    assert typed("hand x" * 50)[-1].endswith("is no step.")


def pressed(keys: str) -> int:
    """The frame that is shown after these keys, when the person has left."""

    async def run() -> int:
        with create_pipe_input() as pipe:
            projector = Projector(
                FILM, 0, SYMBOLS, terminal_input=pipe, terminal_output=DummyOutput()
            )
            pipe.send_text(keys)
            await asyncio.wait_for(projector.run(), 60)
            return projector.at

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("keys", "at"),
    [("\x1b[Cq", 1), ("\x1b[C\x1b[C\x1b[Dq", 1), ("tnq", 5), ("nnpq", 5), ("\x1b[F\x03", 14),
     (" \r\x7fq", 1), ("\x1b[B\x1b[B\x1b[Aq", 1), ("nn\x1b[H\x04", 0), ("xyzq", 0)],
)  # fmt: skip
def test_projector__keys_move_and_leave(keys: str, at: int) -> None:
    assert pressed(keys) == at


def test_projector__after_a_stop_takes_the_terminal_again() -> None:
    def make(source: Input, output: Output) -> tuple[Run, Close]:
        projector = Projector(FILM, 0, SYMBOLS, terminal_input=source, terminal_output=output)
        return projector.run, projector.close

    check_takes_the_terminal_again(make)


def test_projector__ends_when_it_is_closed_or_the_terminal_is_gone() -> None:
    async def run(*, gone: bool) -> None:
        with create_pipe_input() as pipe:
            projector = Projector(
                FILM, 0, SYMBOLS, terminal_input=pipe, terminal_output=DummyOutput()
            )
            task = asyncio.create_task(projector.run())
            await asyncio.sleep(0.05)
            if gone:
                pipe.close()
            else:
                projector.close()
                projector.close()
            await asyncio.wait_for(task, 60)

    asyncio.run(run(gone=False))
    asyncio.run(run(gone=True))
