"""One browser for a file of tests, and a way to look at a page with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.driver import Browser, chromium

CONTRAST = (Path(__file__).parent / "contrast.js").read_text()
"""Returns how many texts are visible, and those that stand out too little."""

Show = Callable[[str], Browser]
"""Opens the text of a page on a large light screen."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Show:
    def shown(text: str) -> Browser:
        path = tmp_path / "page.html"
        path.write_text(text, encoding="utf-8")
        browser.media()
        browser.size(1400)
        browser.open(path)
        return browser

    browser.console(), browser.requests()
    return shown
