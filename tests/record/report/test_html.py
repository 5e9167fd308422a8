from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest

from p2p_hearts.record.report.html import clean, el, page, table_head


class Tags(HTMLParser):
    """Every start tag and all text, as a parser of HTML sees them."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)


HOSTILE = (
    "<script>alert(1)</script>",
    "</title><img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)',
    "' onmouseover='alert(1)",
    "</style></script><svg/onload=alert(1)>",
    "&lt;b&gt; &amp; ]]> <!-- ",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_page__foreign_text_stays_text_wherever_it_stands(text: str) -> None:
    made = page(text, "en", el("p", text, el("b"), text, class_=text, aria_label=text))
    parsed = Tags(made)
    tags = [tag for tag, _ in parsed.tags]
    assert tags == [
        "html", "head", "meta", "meta", "meta", "meta", "meta", "title", "style", "body", "p", "b",
        "script",
    ]  # fmt: skip
    (paragraph,) = [attributes for tag, attributes in parsed.tags if tag == "p"]
    assert paragraph == {"class": text, "aria-label": text}
    assert parsed.text.count(text) == 3


def test_page__allows_its_own_script_and_style_and_nothing_else() -> None:
    made = page("t", "en")
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', made)
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    for tag, rule in (("style", "style-src"), ("script", "script-src")):
        (inside,) = re.findall(rf"<{tag}>(.*?)</{tag}>", made, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert rules[rule] == f"'sha256-{digest}'"
    assert set(rules) == {"default-src", "style-src", "script-src", "base-uri", "form-action"}


def test_page__names_no_address() -> None:
    assert not re.findall(r"(https?:|url\(|@import|src=|href=)", page("t", "en"))


def test_clean__drops_what_is_invisible_or_turns_writing_around() -> None:
    assert clean("a\u202eb\x00c\x1b[31m\u200bd\ud800e\tf\ng") == "abc[31mde\tf\ng"
    assert clean("Tomé ♥ 漢字 عمر") == "Tomé ♥ 漢字 عمر"


def test_el__writes_attributes_as_html_has_them() -> None:
    item = el("p", None, "a", 1, class_="x", data_from=3, hidden=True, title=None, lang=False)
    assert item.attrib == {"class": "x", "data-from": "3", "hidden": ""}
    assert item.text == "a1"


def test_table_head__puts_figures_right() -> None:
    cells = list(table_head(["a", "b"], figures=1)[0])
    assert [cell.get("class") for cell in cells] == [None, "figure"]
    assert {cell.get("scope") for cell in cells} == {"col"}
