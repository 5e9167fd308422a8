"""Every string that a person sees is marked and has its translations; who chooses the language."""

from __future__ import annotations

import pytest

from p2p_hearts import i18n


@pytest.fixture(autouse=True)
def _english_again() -> object:
    yield
    i18n.use("en")


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
