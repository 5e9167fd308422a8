"""The HTML report in a real browser."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable
from itertools import pairwise

import pytest

from p2p_hearts.i18n import LANGUAGES, Language
from p2p_hearts.record.audit import Comparison
from p2p_hearts.rules.texts import symbol
from tests.browser.conftest import CONTRAST, Show
from tests.browser.pages import (
    HOSTILE,
    HOSTILE_LOG,
    clean_game,
    convicting_game,
    crowded_game,
    made,
    unfinished_game,
)

pytestmark = pytest.mark.browser

GAMES = [clean_game, convicting_game, unfinished_game, crowded_game]
SHOWN = [*((game, "en") for game in GAMES), (clean_game, "pt"), (convicting_game, "id")]


@pytest.mark.parametrize(("game", "language"), SHOWN)
def test_report__renders_without_a_complaint_and_asks_nobody(
    show: Show, game: Callable[[], Comparison], language: Language
) -> None:
    browser = show(made(game(), language))
    assert browser.run("return document.querySelectorAll('h2').length") >= 4
    assert browser.console() == []
    asked = browser.requests()
    assert len(asked) == 1
    assert asked[0].startswith("file:///")


def test_report__says_the_verdict_first(show: Show) -> None:
    found = clean_game()
    browser = show(made(found))
    heading = browser.run("return document.querySelector('main h2').innerText")
    assert heading == f"✓ {found.summary[0]}"


def test_report__keys_step_through_a_trick(show: Show) -> None:
    hand = clean_game().reports[0].story[0]
    browser = show(made(clean_game()))
    browser.focus(".stepper")
    assert "deals" in browser.text(".now p")
    browser.press("right")
    assert "passes" in browser.text(".now p")
    assert browser.text(".laid") == ""
    for number, (_seat, card) in enumerate(hand.plays[:4], 1):
        browser.press("right")
        assert symbol(card) in browser.text(".now p").splitlines()[0]
        assert symbol(card) in browser.text(".laid.now")
        assert (
            browser.run("return document.querySelectorAll('.laid:not([hidden])').length") == number
        )
        assert browser.run("return document.querySelectorAll('.card.gone').length") == number
        current = "return document.querySelector('[aria-current=step]').innerText"
        assert symbol(card) in browser.run(current)
    assert "takes the trick" in browser.text(".now p")
    browser.press("right")
    assert browser.run("return document.querySelectorAll('.laid:not([hidden])').length") == 1
    browser.press("left", "left")
    assert browser.text(".count").startswith("4 /")


def test_report__keys_go_to_tricks_and_to_the_ends(show: Show) -> None:
    browser = show(made(clean_game()))
    browser.focus(".stepper")
    browser.press("down", "down")
    assert browser.text(".count").startswith("6 /")
    browser.press("up")
    assert browser.text(".count").startswith("2 /")
    browser.press("end")
    assert "The hand counts" in browser.text(".now p")
    assert browser.text(".count") == "54 / 54"
    browser.press("right")
    assert browser.text(".count") == "54 / 54"
    browser.press("home", "left")
    assert browser.text(".count") == "0 / 54"


def test_report__buttons_and_cards_can_be_clicked_and_reached_by_tab(show: Show) -> None:
    browser = show(made(clean_game()))
    browser.click("[data-go=next]")
    assert browser.text(".count").startswith("1 /")
    browser.click(".play[data-go='9']")
    assert browser.text(".count").startswith("9 /")
    browser.focus(".stepper")
    browser.press("tab", "tab", "enter")
    assert browser.text(".count").startswith("8 /")


def test_report__passed_cards_change_hands_in_the_diagram(show: Show) -> None:
    hand = clean_game().reports[0].story[0]
    browser = show(made(clean_game()))
    shown = "return document.querySelectorAll('.seat .card:not([hidden])').length"
    before = browser.text(".seat.place0 .suit")
    assert browser.run(shown) == 52
    browser.focus(".stepper")
    browser.press("right")
    assert browser.run(shown) == 52
    assert browser.text(".seat.place0 .suit") != before
    received = "return document.querySelectorAll('.seat .card[data-received]:not([hidden])').length"
    assert browser.run(received) == 4 * hand.rules.pass_count


def test_report__unknown_cards_are_shown_as_unknown(show: Show) -> None:
    browser = show(made(unfinished_game()))
    unknown = browser.text(".unknown").splitlines()
    assert sorted(unknown) == ["10 unknown cards"] * 2 + ["11 unknown cards"] * 2
    assert browser.text(".verdict h2").startswith("… Incomplete")


def test_report__no_script_of_names_or_files_runs(show: Show) -> None:
    browser = show(made(convicting_game()))
    for name in HOSTILE:
        assert name in browser.text("#players")
    assert HOSTILE_LOG in browser.text("#players")
    assert HOSTILE[0] in browser.text(".seat") or HOSTILE[0] in browser.text(".name")
    browser.focus(".stepper")
    browser.press("end")
    assert browser.run("return typeof window.owned") == "undefined"
    assert browser.run("return document.scripts.length") == 1
    assert browser.run("return document.querySelectorAll('img, iframe, object, base').length") == 0
    handlers = "return [...document.querySelectorAll('*')].flatMap((item) => item.getAttributeNames()).filter((name) => name.startsWith('on'))"  # noqa: E501
    assert browser.run(handlers) == []
    links = "return [...document.links].map((link) => link.getAttribute('href'))"
    assert all(link.startswith("#") for link in browser.run(links))


def heard_by(server: socket.socket) -> bytes:
    """All that is sent to a server within a second; a bare connection says nothing.

    Chromium opens one for a frame before it asks whether it may be loaded.
    """
    heard = b""
    try:
        while True:
            connection, _address = server.accept()
            with connection:
                connection.settimeout(1)
                heard += connection.recv(1000)
    except TimeoutError:
        return heard


def test_report__policy_stops_what_escaping_would_have_let_through(show: Show) -> None:
    """The second wall: markup that got into the page all the same neither runs nor asks."""
    browser = show(made(clean_game()))
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(1)
        browser.run(
            "const address = `http://127.0.0.1:${arguments[0]}/x`;"
            "document.body.insertAdjacentHTML('beforeend',"
            " `<img src='${address}' onerror='window.owned=1'><iframe src='${address}'></iframe>"
            "<b style='color:red' onclick='window.owned=1' id=bait>x</b>`);"
            "const script = document.createElement('script');"
            "script.textContent = 'window.owned = 2'; document.body.append(script);"
            "document.getElementById('bait').click();",
            server.getsockname()[1],
        )
        assert heard_by(server) == b""
    assert browser.run("return typeof window.owned") == "undefined"
    assert len([line for line in browser.console() if "Content Security Policy" in line]) >= 4


def test_report__shows_a_fault_with_its_evidence(show: Show) -> None:
    found = convicting_game()
    browser = show(made(found))
    (fault,) = found.faults
    assert fault.sentence in browser.text("#faults h3")
    assert fault.fault.id.hex() in browser.text("#faults")
    browser.click("#faults summary")
    assert fault.fault.evidence[0].hex() in re.sub(r"\s", "", browser.text("#faults pre"))


@pytest.mark.parametrize(("game", "language"), SHOWN)
def test_report__never_scrolls_sideways(
    show: Show, game: Callable[[], Comparison], language: Language
) -> None:
    browser = show(made(game(), language))
    browser.run("for (const item of document.querySelectorAll('details')) item.open = true")
    for width in (400, 1400):
        browser.size(width)
        browser.focus(".stepper")
        browser.press("right", "right", "right")
        assert browser.run("return document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", GAMES)
def test_report__every_text_stands_out(
    show: Show, game: Callable[[], Comparison], scheme: str
) -> None:
    """A contrast of 4.5 to 1 at least (WCAG 2.2, AA), at the start and while a trick lies."""
    browser = show(made(game()))
    browser.media(scheme=scheme)
    browser.run("for (const item of document.querySelectorAll('details')) item.open = true")
    for _step in range(2):
        texts, weak = browser.run(CONTRAST)
        assert texts > 100
        assert weak == []
        browser.focus(".stepper")
        browser.press("right", "right", "right")


def test_report__dark_is_dark(show: Show) -> None:
    browser = show(made(clean_game()))
    colour = "return getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
    assert min(browser.run(colour)) > 200
    browser.media(scheme="dark")
    assert max(browser.run(colour)) < 60


def test_report__printed_has_every_hand_and_no_buttons(show: Show) -> None:
    browser = show(made(clean_game()))
    browser.media("print")
    assert browser.text(".controls") == ""
    assert browser.text("nav") == ""
    assert len(browser.text(".tricks tbody tr").splitlines()) >= 13
    pdf = browser.print()
    assert pdf.startswith(b"%PDF")
    assert len(pdf) > 20_000


@pytest.mark.parametrize("game", GAMES)
def test_report__can_be_heard(show: Show, game: Callable[[], Comparison]) -> None:
    """Every control has a name, every region a heading, every heading its level."""
    browser = show(made(game()))
    names = browser.run(
        "return [...document.querySelectorAll('button, summary, [role=img], [role=group]')]"
        ".map((item) => item.getAttribute('aria-label') || item.innerText.trim())"
    )
    assert len(names) > 8
    assert all(names)
    ids = browser.run("return [...document.querySelectorAll('[id]')].map((item) => item.id)")
    assert len(ids) == len(set(ids))
    labelled = "return [...document.querySelectorAll('[aria-labelledby]')].every((item) => document.getElementById(item.getAttribute('aria-labelledby')))"  # noqa: E501
    assert browser.run(labelled)
    levels = browser.run(
        "return [...document.querySelectorAll('h1,h2,h3')].map((h) => h.tagName[1])"
    )
    assert levels[0] == "1"
    assert levels.count("1") == 1
    assert all(int(after) - int(before) <= 1 for before, after in pairwise(levels))
    tree = browser.devtools("Accessibility.getFullAXTree")["nodes"]
    live = [node for node in tree if node.get("role", {}).get("value") == "status"]
    assert len(live) == len(game().fullest.story)


@pytest.mark.parametrize("language", LANGUAGES)
def test_report__speaks_three_languages(show: Show, language: Language) -> None:
    browser = show(made(clean_game(), language))
    assert browser.run("return document.documentElement.lang") == {
        "en": "en", "pt": "pt-BR", "id": "id"
    }[language]  # fmt: skip
    players = browser.text("#players h2")
    assert players == {"en": "Players", "pt": "Jogadores", "id": "Pemain"}[language]
    browser.focus(".stepper")
    browser.press("right", "right")
    word = {"en": "leads", "pt": "sai com", "id": "memimpin"}[language]
    assert word in browser.text(".now p")
