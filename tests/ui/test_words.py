from __future__ import annotations

from dataclasses import fields

import pytest

from p2p_hearts.rules.cards import card_set, parse_card
from p2p_hearts.rules.texts import card_title
from p2p_hearts.ui.canvas import Canvas
from p2p_hearts.ui.words import (
    LETTERS,
    SYMBOLS,
    card_text,
    cards_text,
    cards_words,
    clip,
    clock,
    glyphs_for,
    pad,
    points_words,
    seat_name,
    width,
    wrap,
)

WIDE = "山田花子"


def test_cards__in_symbols_letters_and_words() -> None:
    ten, queen = parse_card("10h"), parse_card("qs")
    assert card_text(ten, SYMBOLS) == "10♥"
    assert card_text(ten, LETTERS) == "10H"
    assert card_title(ten) == "10 of hearts"
    assert card_title(queen) == "queen of spades"
    assert cards_text(card_set((ten, queen)), SYMBOLS) == "Q♠ 10♥"
    assert cards_text((ten, queen), SYMBOLS) == "10♥ Q♠"
    assert cards_words(card_set((ten, queen))) == "queen of spades and 10 of hearts"


def test_glyphs__every_symbol_is_one_column_and_every_letter_is_ascii() -> None:
    for field in fields(SYMBOLS):
        value = getattr(SYMBOLS, field.name)
        for symbol in value if isinstance(value, tuple) else (value,):
            assert width(symbol) == 1
            assert "\ufe0f" not in symbol
        letters = getattr(LETTERS, field.name)
        assert "".join(letters).isascii()
    assert LETTERS.is_ascii
    assert not SYMBOLS.is_ascii


@pytest.mark.parametrize(
    ("encoding", "ascii_only", "wanted"),
    [
        ("utf-8", False, SYMBOLS),
        ("UTF8", False, SYMBOLS),
        ("utf-8", True, LETTERS),
        ("ascii", False, LETTERS),
        ("latin-1", False, LETTERS),
        ("no-such-code", False, LETTERS),
        (None, False, LETTERS),
    ],
)
def test_glyphs_for__the_richest_that_the_encoding_carries(
    encoding: str | None, ascii_only: bool, wanted: object
) -> None:
    assert glyphs_for(ascii_only=ascii_only, encoding=encoding) is wanted


def test_clip__counts_columns_not_letters() -> None:
    assert clip("Nara", 4) == "Nara"
    assert clip("Narasimha", 5) == "Nara…"
    assert clip(WIDE, 8) == WIDE
    assert clip(WIDE, 7) == "山田花…"
    assert clip(WIDE, 6) == "山田…"
    assert clip("e\u0301" * 5, 3) == "e\u0301e\u0301…"
    assert clip("Nara", 0) == ""
    assert clip("Nara", 1, LETTERS) == "N"
    assert clip("Narasimha", 5, LETTERS) == "Nar.."


@pytest.mark.parametrize("text", ["", "Nara", WIDE, "e\u0301" * 9, "🂡 ace"])
@pytest.mark.parametrize("align", ["<", ">", "^"])
def test_pad__fills_exactly(text: str, align: str) -> None:
    for columns in range(12):
        assert width(pad(text, columns, align)) == columns


def test_wrap__no_line_is_too_long_and_no_word_is_lost() -> None:
    text = "Spades were led, and you hold 3♠ K♠. " + WIDE * 5
    for columns in range(2, 60):
        lines = wrap(text, columns)
        assert all(width(line) <= columns for line in lines)
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert wrap(text, 0) == []
    assert wrap(WIDE, 1) == []
    assert wrap("", 10) == []


def test_wrap__within_rows_ends_with_an_ellipsis() -> None:
    assert wrap("one two three four", 9, 2) == ["one two", "three fo…"]
    assert wrap("one two", 9, 2) == ["one two"]
    assert wrap("one two three", 3, 0) == []


def test_small_words() -> None:
    assert clock(42.9) == "0:42"
    assert clock(605) == "10:05"
    assert clock(-3) == "0:00"
    assert points_words(1) == "1 point"
    assert points_words(0) == "0 points"
    assert points_words(-10) == "-10 points"
    assert seat_name(("Ana", " "), 0) == "Ana"
    assert seat_name(("Ana", " "), 1) == "seat 2"
    assert seat_name((), 4) == "seat 5"


def lines(canvas: Canvas) -> list[str]:
    return ["".join(text for _, text in line) for line in canvas.lines()]


def test_canvas__the_outside_is_cut() -> None:
    canvas = Canvas(5, 2, SYMBOLS)
    canvas.put(3, 0, "abcdef")
    canvas.put(-2, 1, "abcd")
    canvas.put(0, -1, "no")
    canvas.put(0, 2, "no")
    assert lines(canvas) == ["   ab", "cd   "]


def test_canvas__a_wide_letter_never_stands_across_an_edge() -> None:
    canvas = Canvas(3, 3, SYMBOLS)
    canvas.put(2, 0, "山")
    canvas.put(-1, 1, "山x")
    canvas.put(0, 2, "山x")
    assert lines(canvas) == ["   ", " x ", "山x"]


def test_canvas__half_of_a_wide_letter_never_stays() -> None:
    canvas = Canvas(4, 1, SYMBOLS)
    canvas.put(0, 0, "山田")
    canvas.put(1, 0, "x")
    assert lines(canvas) == [" x田"]
    canvas.put(2, 0, "y")
    assert lines(canvas) == [" xy "]
    canvas.put(1, 0, "山")
    assert lines(canvas) == [" 山 "]


def test_canvas__combining_marks_join_the_letter_before() -> None:
    canvas = Canvas(3, 1, SYMBOLS)
    canvas.put(0, 0, "e\u0301x")
    assert lines(canvas) == ["e\u0301x "]
    alone = Canvas(3, 1, SYMBOLS)
    alone.put(0, 0, "\u0301x")
    assert width(lines(alone)[0]) == 3


def test_canvas__control_characters_are_not_drawn() -> None:
    canvas = Canvas(4, 1, SYMBOLS)
    canvas.put(0, 0, "a\x1b[b\x00")
    assert all(letter.isprintable() for letter in lines(canvas)[0])


def test_canvas__letters_replace_what_is_not_ascii() -> None:
    canvas = Canvas(6, 1, LETTERS)
    canvas.put(0, 0, "Zoë♠山")
    assert lines(canvas)[0] == "ZoeS? "


def test_canvas__boxes_too_small_are_not_drawn() -> None:
    canvas = Canvas(4, 3, SYMBOLS)
    canvas.box(0, 0, 1, 3)
    assert lines(canvas) == ["    "] * 3
    canvas.box(0, 0, 4, 3)
    assert lines(canvas) == ["╭──╮", "│  │", "╰──╯"]
