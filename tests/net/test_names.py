from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_hearts.net.names import MAX_MARKS, clean_name, kind_of, told_apart


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Ana", "Ana"),
        ("  Ana \t\n Luísa ", "Ana Luísa"),
        ("Jose\u0301", "José"),
        ("\x1b[31mRed\x1b[0m", "[31mRed[0m"),
        ("\x1b]0;title\x07", "]0;title"),
        ("\x9b2Jwiped", "2Jwiped"),
        ("abc\u202edef", "abcdef"),
        ("\u2066Ana\u2069", "Ana"),
        ("A\u200bn\u200ca\u200d\ufeff\u2060", "Ana"),
        ("An\u00ada", "Ana"),
        ("A\u3164n\u115fa\u2800", "Ana"),
        ("A\ufe0fna\U000e0041", "Ana"),
        ("\ue000\U000f0000\u0378Ana\ud800", "Ana"),
        ("Ana\u2028Bob\u2029", "Ana Bob"),
        ("A\u00a0\u3000B", "A B"),
        ("\u0301Ana", "Ana"),
        ("नारा", "नारा"),
        ("יעל", "יעל"),
        ("小明", "小明"),
        ("", ""),
        ("\u200b\x00", ""),
        (b"Ana", ""),
        (None, ""),
    ],
)
def test_clean_name__takes_out_what_does_not_show(text: object, clean: str) -> None:
    assert clean_name(text) == clean


def test_clean_name__counts_graphemes() -> None:
    assert clean_name("abcdef", limit=3) == "abc"
    assert clean_name("e\u0323\u0302" * 5, limit=3) == unicodedata.normalize("NFC", "ệ" * 3)
    assert clean_name("🇧🇷🇮🇩🇫🇷", limit=2) == "🇧🇷🇮🇩"
    assert clean_name("👋🏽👋🏽👋🏽", limit=2) == "👋🏽👋🏽"
    assert clean_name("ab cd", limit=3) == "ab"
    with pytest.raises(ValueError, match="at least one"):
        clean_name("Ana", limit=0)


def test_clean_name__thins_out_heaps_of_marks() -> None:
    clean = clean_name("Z" + "\u0335" * 50 + "a")
    assert clean == "Z" + "\u0335" * MAX_MARKS + "a"


@given(st.text(max_size=80), st.integers(1, 30))
def test_clean_name__is_harmless_short_and_stable(text: str, limit: int) -> None:
    clean = clean_name(text, limit=limit)
    assert clean_name(clean, limit=limit) == clean
    assert clean == clean.strip()
    assert len(clean) <= limit * (2 + 4 * MAX_MARKS)
    for letter in clean:
        assert letter == " " or unicodedata.category(letter)[0] not in "CZ"


def test_clean_name__a_huge_text_takes_no_time() -> None:
    assert clean_name("\u200b" * 10_000_000 + "late") == ""


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (("Ana", "Budi"), ("Ana", "Budi")),
        (("Budi", "Ana", "Budi"), ("Budi 1", "Ana", "Budi 2")),
        (("Budi", "Budi 1", "Budi"), ("Budi 2", "Budi 1", "Budi 3")),
        (("Budi", "BUDI", "\uff22udi"), ("Budi 1", "BUDI 2", "\uff22udi 3")),
        (("You", "Ana"), ("You 1", "Ana")),
    ],
)
def test_told_apart__gives_nobody_the_name_of_another(
    names: tuple[str, ...], shown: tuple[str, ...]
) -> None:
    assert told_apart(names, ("You",)) == shown


@given(st.lists(st.sampled_from(["A", "a", "A 1", "A 2", "B", "A 1 1"]), max_size=11))
def test_told_apart__makes_all_names_different(names: list[str]) -> None:
    shown = told_apart(names, ("B",))
    assert len({name.casefold() for name in (*shown, "B")}) == len(names) + 1
    assert all(new.startswith(old) for old, new in zip(names, shown, strict=True))


@pytest.mark.parametrize("other", ["ana", "ANA", "\uff21na", "\uff41\uff4e\uff41", "A\u24dda"])
def test_kind_of__is_the_same_whatever_case_and_width_the_letters_have(other: str) -> None:
    assert kind_of(other) == kind_of("Ana")
    assert kind_of(other) != kind_of("Anna")


def test_kind_of__of_an_accent_in_either_form_is_the_same() -> None:
    assert kind_of("\u0390") == kind_of("\u03aa\u0301")


@given(st.text())
def test_kind_of__is_a_text_of_its_own_kind(text: str) -> None:
    assert kind_of(kind_of(text)) == kind_of(text)
