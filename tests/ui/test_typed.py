"""A typed line, read in every way that it may be meant."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from p2p_hearts.i18n import use
from p2p_hearts.rules.cards import parse_card
from p2p_hearts.ui.typed import own_words, read_line


@pytest.fixture(autouse=True)
def _english_afterwards() -> Iterator[None]:
    yield
    use("en")


@pytest.mark.parametrize(
    ("text", "command"),
    [("help", "help"), (" Go  ON ", "go on"), ("mão", "hand"), ("MAO", "hand"), ("foo", "foo")],
)
def test_read_line__finds_commands_in_english_and_the_players_language(
    text: str, command: str
) -> None:
    use("pt")
    assert read_line(text, own_words()).command == command


def test_read_line__of_cards_and_other_words() -> None:
    line = read_line("QS, 10h as", {})
    assert line.cards == (parse_card("qs"), parse_card("10h"), parse_card("as"))
    assert line.words == ("qs", "10h", "as")
    assert read_line("qs rubbish", {}).cards is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("say Well Played", "Well Played"),
        ('"Well Played"', "Well Played"),
        (' "Well', "Well"),
        ("mute Ana Maria", "/mute Ana Maria"),
        ("unmute Ana", "/unmute Ana"),
        ("say", None),
        ("mute", None),
        ("well played", None),
    ],
)
def test_read_line__what_is_said_keeps_its_letters(text: str, said: str | None) -> None:
    assert read_line(text, own_words()).said == said


def test_read_line__yes_and_settings() -> None:
    use("pt")
    own = own_words()
    assert all(read_line(text, own).says_yes for text in ("y", "s", "sim", "yes", "Yes please"))
    assert not any(read_line(text, own).says_yes for text in ("não", "n", "", "qs"))
    assert read_line("ajustar speed fast", own).to_set == ("speed", "fast")
    assert read_line("set", own).to_set == ()
    assert read_line("speed fast", own).to_set is None


def test_read_line__nothing_typed_and_what_could_paint_over_the_screen() -> None:
    assert read_line("  ", {}).words == ()
    assert read_line("  ", {}).command == ""
    assert read_line("a\x1b[2Jb", {}).shown == "a[2jb"
    assert len(read_line("x" * 100, {}).shown) == 40
