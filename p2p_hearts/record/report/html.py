"""HTML as a tree, and a whole page that asks nobody for anything.

Text becomes part of a page in one way only: as a value of ``el``, which keeps it text. Names, file
names and sentences are never joined to markup, so nothing that somebody wrote can become an
element, an attribute or a script.

A page carries its style and its script inside and allows exactly these, by their hashes, in a
Content-Security-Policy: nothing else runs and no request leaves it.

Never: reads a file other than the two that belong to it. Errors: none for text, whatever it holds.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element, SubElement, tostring

Child = Element | str | int | None
"""What may stand in an element; ``None`` is left out."""

_FOLDER: Final = Path(__file__).parent


def el(tag: str, *children: Child, **attributes: str | float | bool | None) -> Element:
    """Return an element.

    Attributes are written with ``_`` for ``-`` (a trailing one is dropped: ``class_``); ``True``
    is an attribute without a value, ``False`` and ``None`` leave it out.
    """
    element = Element(tag)
    for name, value in attributes.items():
        if value is True:
            element.set(name.rstrip("_").replace("_", "-"), "")
        elif value is not None and value is not False:
            element.set(name.rstrip("_").replace("_", "-"), clean(str(value)))
    for child in children:
        add(element, child)
    return element


def add(parent: Element, child: Child) -> None:
    """Append text or an element to an element."""
    if child is None:
        return
    if isinstance(child, Element):
        parent.append(child)
        return
    text = clean(str(child))
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + text
    else:
        parent.text = (parent.text or "") + text


def table_head(heads: Sequence[str], figures: int = 0) -> Element:
    """Return the head of a table; the last ``figures`` columns hold numbers."""
    first = len(heads) - figures
    cells = [
        el("th", head, scope="col", class_="figure" if number >= first else None)
        for number, head in enumerate(heads)
    ]
    return el("thead", el("tr", *cells))


def clean(text: str) -> str:
    """Return text without what is invisible or turns the writing around; spaces stay."""
    return "".join(mark for mark in text if mark.isprintable() or mark in "\n\t")


def page(title: str, language: str, *sections: Child) -> str:
    """Return a whole document; ``language`` as HTML names it (``pt-BR``)."""
    style, script = _part("report.css"), _part("report.js")
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    root = Element("html", {"lang": language})
    head = SubElement(root, "head")
    SubElement(head, "meta", {"charset": "utf-8"})
    SubElement(head, "meta", {"http-equiv": "Content-Security-Policy", "content": policy})
    SubElement(head, "meta", {"name": "viewport", "content": "width=device-width"})
    SubElement(head, "meta", {"name": "referrer", "content": "no-referrer"})
    SubElement(head, "meta", {"name": "color-scheme", "content": "light dark"})
    head.append(el("title", title))
    SubElement(head, "style").text = style
    body = SubElement(root, "body")
    for section in sections:
        add(body, section)
    SubElement(body, "script").text = script
    return "<!DOCTYPE html>\n" + tostring(root, encoding="unicode", method="html") + "\n"


@cache
def _part(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"
