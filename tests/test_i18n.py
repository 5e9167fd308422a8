"""Every string that a person sees is marked and has its translations; who chooses the language."""

from __future__ import annotations

import argparse
import ast
import gettext
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from babel.messages.catalog import Message

from p2p_hearts import i18n, parsing
from p2p_hearts.arguments import make_parser, speak
from p2p_hearts.record import audit
from p2p_hearts.record.audit.report import VERIFIED
from p2p_hearts.rules.options import PRESETS
from p2p_hearts.rules.texts import describe
from p2p_hearts.rules.view import Phase
from p2p_hearts.ui import typed as line_mode
from p2p_hearts.ui.panels import help_lines
from p2p_hearts.ui.picture import draw
from p2p_hearts.ui.pressing import is_no, is_yes
from p2p_hearts.ui.status import Status
from p2p_hearts.ui.words import ascii_letter, points_words, width
from p2p_hearts.wire.faults import Fault, Rule
from tests.ui.games import NAMES
from tests.ui.scenes import main_scenes
from tests.unmarked import unmarked, unmarked_in
from tools.messages import extracted, messages, missing, read_catalogue

CATALOGUES = tuple(i18n.CATALOGUES.values())
OTHERS: tuple[i18n.Language, ...] = ("pt", "id")


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    i18n.use("en")
    vars(argparse).update(_=i18n.gettext, ngettext=i18n.ngettext)


# The catalogues.


@cache
def _marked() -> set[tuple[str | None, object]]:
    return _keys(extracted())


def _keys(found: Any) -> set[tuple[str | None, object]]:
    return {(message.context, message.id) for message in messages(found)}


@pytest.mark.parametrize("name", CATALOGUES)
def test_catalogue__has_every_marked_string_and_no_other(name: str) -> None:
    """``make messages`` puts right what this finds."""
    marked, held = _marked(), _keys(read_catalogue(name))
    assert not marked - held, "missing"
    assert not held - marked, "stale"


@pytest.mark.parametrize("name", CATALOGUES)
def test_catalogue__every_string_is_translated_and_none_is_fuzzy(name: str) -> None:
    catalogue = read_catalogue(name)
    assert [message.id for message in missing(catalogue)] == []
    assert [message.id for message in messages(catalogue) if message.fuzzy] == []


def _placeholders(text: str) -> list[str]:
    fields = [
        f"{name}!{conversion}:{spec}"
        for _literal, name, spec, conversion in Formatter().parse(text)
        if name is not None
    ]
    return sorted({*fields, *re.findall(r"%\(\w+\)[rs]|%[rs]", text)})


def _all_forms(message: Message) -> tuple[list[str], list[str]]:
    ids = [message.id] if isinstance(message.id, str) else list(message.id)
    string = message.string or ""
    return ids, [string] if isinstance(string, str) else list(string)


@pytest.mark.parametrize("name", CATALOGUES)
def test_catalogue__translations_have_the_same_placeholders(name: str) -> None:
    for message in messages(read_catalogue(name)):
        ids, strings = _all_forms(message)
        for text in (*ids, *strings):
            assert _placeholders(text) == _placeholders(ids[-1]), message.id


@pytest.mark.parametrize("name", CATALOGUES)
def test_catalogue__translations_begin_and_end_as_the_english_does(name: str) -> None:
    """A full stop or a space that is lost shows where sentences are put side by side."""
    for message in messages(read_catalogue(name)):
        ids, strings = _all_forms(message)
        ends = {text[-1] if text[-1] in ".?!:…, " else "" for text in (*ids, *strings)}
        assert len(ends) == 1, message.id
        assert all(text == text.lstrip() and "\n" not in text for text in strings), message.id


def test_catalogue__plural_forms() -> None:
    assert [len(_all_forms(m)[1]) for m in messages(read_catalogue("pt_BR")) if m.pluralizable]
    for name, forms in (("pt_BR", 2), ("id", 1)):
        catalogue = read_catalogue(name)
        assert catalogue.num_plurals == forms
        assert {len(_all_forms(m)[1]) for m in messages(catalogue) if m.pluralizable} == {forms}
    i18n.use("pt")
    assert [points_words(n) for n in (0, 1, 2)] == ["0 ponto", "1 ponto", "2 pontos"]
    i18n.use("id")
    assert [points_words(n) for n in (1, 2)] == ["1 poin", "2 poin"]


def test_catalogue__a_lost_placeholder_is_noticed() -> None:
    assert _placeholders("{n} of {total}") != _placeholders("{n} de {totais}")
    assert _placeholders("{n} s") != _placeholders("{n:.1f} s")
    assert _placeholders("%(a)s") != _placeholders("%(b)s")


# What is marked.


def test_source__every_string_for_a_person_is_marked() -> None:
    assert [str(found) for found in unmarked()] == []


@pytest.mark.parametrize(
    ("file", "source", "finds"),
    [
        ("node/x.py", 'raise NodeError("no table is here")', True),
        ("node/x.py", 'raise NodeError(_("no table is here"))', False),
        ("node/x.py", 'told = f"{name} is gone now"', True),
        ("node/x.py", 'raise RuntimeError("a round without a speaker")', False),
        ("net/codes.py", 'raise ValueError("this is no port")', True),
        ("ui/x.py", 'canvas.put(0, 0, "Help")', True),
        ("ui/x.py", 'canvas.put(0, 0, "class:faint")', False),
        ("ui/x.py", 'put(ngettext("{n} card left", "{n} cards left", n).format(n=n))', False),
        ("net/x.py", 'log.warning("a line is lost")', False),
        ("net/x.py", 'def f() -> None:\n    """Say what it does."""', False),
        ("arguments.py", 'parser.add_argument("--x", help="what it does")', True),
    ],
)
def test_unmarked__finds_what_it_should(file: str, source: str, finds: bool) -> None:
    assert bool(unmarked_in(source, file)) is finds


def test_source__what_was_counted_is_marked() -> None:
    """The names of counters are put together with their numbers where they are shown."""
    counted = {
        name
        for path in Path(audit.__file__).parent.rglob("*.py")
        for name in re.findall(r'counts\["([^"]+)"\]', path.read_text(encoding="utf-8"))
    }
    assert counted == set(VERIFIED)


# The language of a process.


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("pt_BR.UTF-8", "pt"),
        ("pt", "pt"),
        ("pt-BR", "pt"),
        ("id_ID", "id"),
        ("en_GB.utf8", "en"),
        ("ca_ES@valencia", None),
        ("C.UTF-8", "en"),
        ("POSIX", "en"),
        ("", None),
        ("ptolemaic", None),
    ],
)
def test_language_of__reads_names_of_locales(name: str, language: str | None) -> None:
    assert i18n.language_of(name) == language


@pytest.mark.parametrize(
    ("wishes", "environment", "language"),
    [
        (["id"], {"LANG": "pt_BR.UTF-8"}, "id"),
        ([None, "pt"], {"LANG": "id_ID.UTF-8"}, "pt"),
        (["klingon", "pt"], {}, "pt"),
        ([], {"LANG": "pt_BR.UTF-8"}, "pt"),
        ([], {"LC_ALL": "id_ID.UTF-8", "LC_MESSAGES": "pt_BR", "LANG": "en_US"}, "id"),
        ([], {"LC_ALL": "", "LC_MESSAGES": "pt_BR", "LANG": "en_US"}, "pt"),
        ([], {"LANG": "de_DE.UTF-8"}, "en"),
        ([], {"LANG": "de_DE.UTF-8", "LANGUAGE": "de:id:en"}, "id"),
        ([], {"LANG": "C.UTF-8", "LANGUAGE": "pt"}, "en"),
        ([], {"LANG": "en_US.UTF-8", "LANGUAGE": "pt"}, "pt"),
        ([], {"LANGUAGE": "pt"}, "en"),
        ([], {}, "en"),
    ],
)
def test_choose_language__first_wish_then_locale(
    wishes: list[str | None], environment: dict[str, str], language: str
) -> None:
    assert i18n.choose_language(wishes, environment) == language


def test_use__english_where_there_is_no_catalogue() -> None:
    i18n.use("pt")
    assert i18n.gettext("no catalogue has this") == "no catalogue has this"
    assert i18n.gettext("") == ""


def test_listed__joins_with_the_language_s_and() -> None:
    assert i18n.listed([]) == ""
    assert i18n.listed(["Ana"]) == "Ana"
    assert i18n.listed(["Ana", "Rui", "Wira"]) == "Ana, Rui and Wira"


@pytest.mark.parametrize("language", OTHERS)
def test_program__speaks_the_language_of_its_environment(language: str) -> None:
    locale = {"pt": "pt_BR.UTF-8", "id": "id_ID.UTF-8"}[language]
    environment = {**os.environ, "LC_ALL": locale}
    environment.pop(i18n.VARIABLE)
    run = [sys.executable, "-m", "p2p_hearts"]
    told = subprocess.run([*run, "rules"], env=environment, capture_output=True, check=True)
    i18n.use(i18n.language_of(language) or "en")
    assert told.stdout.decode().splitlines()[:-2] == describe(PRESETS["black-lady"])
    told = subprocess.run([*run, "rules", "--lang=en"], env=environment, capture_output=True)
    i18n.use("en")
    assert told.stdout.decode().splitlines()[:-2] == describe(PRESETS["black-lady"])


def test_speak__an_unknown_language_is_refused_in_the_usual_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    speak(["--lang", "tlh"])
    with pytest.raises(SystemExit) as ended:
        make_parser().parse_args(["--lang", "tlh"])
    assert ended.value.code == 2
    assert "invalid choice: 'tlh'" in capsys.readouterr().err


# What people see.


def _helps() -> dict[str, str]:
    parser = make_parser()
    found = {"": parser.format_help()}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            found |= {name: sub.format_help() for name, sub in action.choices.items()}
    return found


_ENGLISH = re.compile(
    r"\b(usage|options|arguments|show|this|the|your|with|and|table|players?|seconds)\b"
)


@pytest.mark.parametrize("language", OTHERS)
def test_help__is_translated_whole(language: str) -> None:
    speak(["--lang", "en"])
    english = _helps()
    speak(["--lang", language])
    translated = _helps()
    assert set(english) == set(translated)
    for command, text in translated.items():
        assert text != english[command]
        prose = re.sub(r"\[[^]]*\]|\{[^}]*\}|p2p-hearts [a-z]+|--[a-z]+", "", text)
        prose = re.sub(r"^  (  )?[a-z-]+( |$)", "", prose, flags=re.MULTILINE)
        found = _ENGLISH.findall(prose.replace("[table]", ""))
        assert found == [], (command, found)


@pytest.mark.parametrize(
    "typed",
    [
        ["nonsense"],
        ["join", "--wait"],
        ["join", "--wait", "soon"],
        ["join", "a", "b"],
        ["join", "--p", "x"],
        ["audit"],
        ["host", "--bots", "x"],
        ["host", "--level", "x"],
        ["host", "--line=x"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("language", OTHERS)
def test_complaints__argparse_speaks_the_language(
    language: str, typed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    said = []
    for spoken in ("en", language):
        speak(["--lang", spoken])
        with pytest.raises(SystemExit):
            make_parser().parse_args(typed)
        said.append(capsys.readouterr().err)
    english, translated = said
    words = re.sub(r"'[^']*'|--?[a-z-]+|\bint\b|/.*?(?=[ :])", "", english)
    left = [word for word in re.findall(r"[a-z]{5,}", words) if word in translated.split()]
    assert set(left) <= {"hearts", "table", "audit"}, translated


def test_argparse__every_word_named_here_is_one_of_its_own() -> None:
    """A later Python may say it otherwise: then these translations are not found."""
    own = {
        call.args[0].value
        for call in ast.walk(ast.parse(inspect.getsource(argparse)))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id == "_"
        and isinstance(call.args[0], ast.Constant)
    }
    assert set(parsing.ARGPARSE_WORDS) <= own


@pytest.mark.parametrize("name", PRESETS)
def test_rules__every_preset_is_described_in_three_languages(name: str) -> None:
    told = []
    for language in i18n.LANGUAGES:
        i18n.use(language)
        told.append(describe(PRESETS[name]))
    assert len({len(sentences) for sentences in told}) == 1
    for sentences in zip(*told, strict=True):
        assert len(set(sentences)) == 3
        numbers = [sorted(re.findall(r"\d+", sentence)) for sentence in sentences]
        assert numbers[0] == numbers[1] == numbers[2]
        for sentence in sentences:
            assert sentence.endswith(".")
            assert not re.search(r"[{}]|  ", sentence)


@pytest.mark.parametrize("rule", Rule)
def test_fault__sentence_in_three_languages(rule: Rule) -> None:
    fault = Fault(2, rule, "play", 3, 1, 42, ())
    said = set()
    for language in i18n.LANGUAGES:
        i18n.use(language)
        sentence = fault.sentence("Nara")
        assert sentence.startswith("Nara ")
        assert "42" in sentence
        said.add(sentence)
    assert len(said) == 3


@pytest.mark.parametrize("language", OTHERS)
def test_line_mode__help_names_the_commands_of_the_language(language: i18n.Language) -> None:
    i18n.use(language)
    told = " ".join(i18n.gettext(sentence) for sentence in line_mode.HELP)
    quoted = {line_mode.plain(words) for words in re.findall(r'"([^"]+)"', told)}
    own = line_mode.own_words()
    commands = set(own.values())
    assert len(commands) == len(own), "two commands have one name"
    for word, english in own.items():
        assert word == english or word not in commands, f"{word} is another command in English"
        if english not in ("help", "set"):
            assert word in quoted
    assert {word.split()[0] for word in quoted} >= {w for w, e in own.items() if e == "set"}


def test_line_mode__accents_need_not_be_typed() -> None:
    i18n.use("pt")
    own = line_mode.own_words()
    assert own[line_mode.plain("MÃO")] == own["mao"] == "hand"


def test_keys__yes_and_no_have_a_letter_in_each_language() -> None:
    for language, yes, no in (("en", "y", "n"), ("pt", "s", "n"), ("id", "y", "t")):
        i18n.use(i18n.language_of(language) or "en")
        assert is_yes(yes)
        assert is_yes(yes.upper())
        assert is_yes("y")
        assert is_no(no)
        assert is_no("n")
        assert not is_yes(no)
    i18n.use("en")
    assert not is_yes("s")


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("size", [(60, 18), (120, 40)])
def test_screen__fits_in_every_language(language: i18n.Language, size: tuple[int, int]) -> None:
    i18n.use(language)
    columns, rows = size
    for scene in main_scenes().values():
        picture = draw(scene, columns, rows)
        assert len(picture.lines) == rows
        assert {sum(width(text) for _style, text in line) for line in picture.lines} == {columns}
        first = picture.text().splitlines()[0]
        assert first.endswith(i18n.gettext("? help"))
        leave = i18n.pgettext("key", "leave")
        assert f" {leave}" in picture.text(), "the last key of the row is not cut"
        if scene.view is not None and scene.view.phase is Phase.PLAY:
            broken = scene.view.play is not None and scene.view.play.broken
            told = i18n.gettext("hearts broken" if broken else "hearts not broken")
            if scene.glyphs.is_ascii:
                told = "".join(mark if mark.isascii() else ascii_letter(mark) for mark in told)
            assert told in first


class _Strokes(gettext.NullTranslations):
    """A language that has no letters: whatever is still English on a screen was not marked."""

    def gettext(self, message: str) -> str:
        return re.sub(r"(\{[^}]*\}|%\(\w+\)[rs]|%[rs])|[A-Za-z]", lambda m: m[1] or "ø", message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)


_FOREIGN = {
    *"Sunday table amber otter violin nine English Português Bahasa Indonesia Esc join".split(),
    *"hearts home ana local share games sunday".split(),
    *(name for names in (NAMES, ("Bo",)) for name in names),
}
"""What the table and its players are called, and what is typed: the same in every language."""


@pytest.mark.parametrize("size", [(60, 18), (100, 30)])
@pytest.mark.parametrize("name", main_scenes())
def test_screen__has_no_word_that_is_not_marked(
    name: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(i18n, "_catalogue", _Strokes())
    scene = main_scenes()[name]
    # What a game tells is English in these scenes.
    fault = None if scene.status.fault is None else "ø"
    status = replace(scene.status, stage="", warnings=(), fault=fault)
    if isinstance(status, Status):
        status = replace(status, verified=("ø",))
    else:
        status = replace(status, rules=("ø",))
    choice = replace(scene.choice, hint="ø", feedback="ø")
    messages_told = tuple("ø" for _message in scene.messages)
    shown = draw(replace(scene, status=status, choice=choice, messages=messages_told), *size).text()
    words = re.findall(r"[A-Za-zÀ-ÿ]{3,}", shown.replace("ø", " "))
    assert [word for word in words if not any(word in foreign for foreign in _FOREIGN)] == []


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_help_panel__no_line_is_cut_at_60_columns(language: i18n.Language) -> None:
    i18n.use(language)
    for line in help_lines(56, 40):
        assert sum(width(text) for _style, text in line) <= 56
        if len(line) > 1:
            assert not line[0][1].rstrip().endswith("…")


@pytest.mark.parametrize(("spoken", "wanted"), [("en", "8.25"), ("pt", "8,25"), ("id", "8,25")])
def test_figure__has_the_decimal_mark_of_the_language(spoken: i18n.Language, wanted: str) -> None:
    i18n.use(spoken)
    assert i18n.figure(8.25, ".2f") == wanted
    assert i18n.figure(8.0, ".0f") == "8"
