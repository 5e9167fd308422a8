"""The list of tables, as long as it may be, shows what was asked for."""

from __future__ import annotations

import argparse
import json

import pytest

from p2p_hearts import i18n
from p2p_hearts.commands import tables
from p2p_hearts.commands.tables import is_wanted
from p2p_hearts.net.errors import Sentence, sentence
from p2p_hearts.wire.messages import VERSION

ROW: dict[str, object] = {
    "name": "Sunday table", "host": "Ana", "preset": "black-lady", "seats": 4, "free": 2,
    "live": True, "version": VERSION, "coded": False, "seated": [], "join": "10.0.0.1:7#abc",
}  # fmt: skip
NO_MULTICAST = sentence("Tables on the LAN cannot be announced or heard on this machine now.")

Heard = tuple[list[dict[str, object]], Sentence | None]


@pytest.mark.parametrize(
    ("changes", "text", "free", "wanted"),
    [
        ({}, None, False, True),
        ({}, "sunDAY", False, True),
        ({}, " ana ", False, True),
        ({}, "monday", False, False),
        ({}, None, True, True),
        ({"free": 0}, None, True, False),
        ({"free": 0}, None, False, True),
        ({"live": False}, None, True, False),
        ({"version": VERSION + 1}, None, True, False),
        ({}, "monday", True, False),
    ],
)
def test_is_wanted__is_decided_by_name_host_and_free_seats(
    changes: dict[str, object], text: str | None, free: bool, wanted: bool
) -> None:
    assert is_wanted(ROW | changes, text, free) is wanted


@pytest.mark.parametrize(
    ("rows", "text", "said", "code"),
    [
        ([ROW], "ana", "Sunday table  (Ana, black-lady): 2 of 4 seats free", 0),
        ([ROW], "bo", "1 table was heard of, and it is not what you asked for.", 3),
        ([ROW, ROW], "bo", "2 tables were heard of, and none of them is", 3),
        ([], "bo", "No open table was heard of in 3 s. The host", 3),
    ],
)
def test_tables__says_what_was_heard_of_if_nothing_of_it_was_asked_for(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    rows: list[dict[str, object]],
    text: str,
    said: str,
    code: int,
) -> None:
    async def heard(arguments: argparse.Namespace) -> Heard:
        return rows, None

    monkeypatch.setattr(tables, "_rows", heard)
    arguments = argparse.Namespace(text=text, free=False, json=False, wait=3.0)
    assert tables.run(arguments) == code
    assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "cannot be announced or heard on this machine"),
        ("pt", "não é possível agora anunciar mesas na rede local nem ouvi-las"),
        ("id", "tidak dapat diumumkan atau didengar di komputer ini"),
    ],
)
@pytest.mark.parametrize(
    ("rows", "as_json", "where"), [([], False, "out"), ([], True, "err"), ([ROW], False, "err")]
)
def test_tables__tells_what_keeps_this_machine_from_hearing_any(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    language: i18n.Language,
    told: str,
    rows: list[dict[str, object]],
    as_json: bool,
    where: str,
) -> None:
    """Programs read the list, and a person reads beside it why it may lack something."""

    async def heard(arguments: argparse.Namespace) -> Heard:
        return rows, NO_MULTICAST

    monkeypatch.setattr(tables, "_rows", heard)
    arguments = argparse.Namespace(text=None, free=False, json=as_json, wait=3.0)
    i18n.use(language)
    try:
        tables.run(arguments)
    finally:
        i18n.use("en")
    said = capsys.readouterr()
    assert told in (said.out if where == "out" else said.err)
    if as_json:
        assert json.loads(said.out) == rows
