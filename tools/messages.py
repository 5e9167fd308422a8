"""The catalogues: ``make messages`` brings them up to date with the source, ``compile`` makes .mo.

``python -m tools.messages`` reads every marked string below ``p2p_hearts/``, adds the new ones to
each catalogue with an empty translation, drops the stale ones, compiles, and says what is left to
translate. ``python -m tools.messages compile`` only makes the files
that the program reads, where they are older than their source. The catalogues hold no line numbers
and stand in the order of the alphabet, so that two people's additions seldom meet.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from p2p_hearts.i18n import CATALOGUES, DOMAIN, FOLDER

PACKAGE = Path(__file__).resolve().parent.parent / "p2p_hearts"
KEYWORDS = {
    "_": None,
    "N_": None,
    "gettext": None,
    "sentence": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
}
"""The functions that mark strings, as Babel writes them."""

PLURALS = {"pt_BR": "nplurals=2; plural=(n > 1);", "id": "nplurals=1; plural=0;"}
"""The forms of numbers that GNU gettext gives each language."""

_HEADER = """\
# Hearts for friends on one network. Bring up to date with make messages.
msgid ""
msgstr ""
"Language: {name}\\n"
"Plural-Forms: {plurals}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""


def catalogue_path(name: str) -> Path:
    """Return the source of a catalogue (``pt_BR``)."""
    return FOLDER / name / "LC_MESSAGES" / f"{DOMAIN}.po"


def read_catalogue(name: str) -> Catalog:
    """Read a catalogue."""
    with catalogue_path(name).open("rb") as file:
        return read_po(file, locale=name, domain=DOMAIN, abort_invalid=True)


def extracted() -> Catalog:
    """Return every string that the source marks."""
    found = Catalog(domain=DOMAIN, charset="utf-8")
    strings = extract_from_dir(
        PACKAGE, [("**.py", "python")], keywords=KEYWORDS, comment_tags=("Translators:",),
        strip_comment_tags=True,
    )  # fmt: skip
    for _file, _line, message, comments, context in strings:
        found.add(message, auto_comments=comments, context=context)
    return found


def updated(name: str, source: Catalog) -> Catalog:
    """Return a catalogue with exactly the messages of ``source``, keeping its translations."""
    before = read_catalogue(name)
    after = Catalog(locale=name, domain=DOMAIN, charset="utf-8")
    after.mime_headers = [("Plural-Forms", PLURALS[name])]
    for message in messages(source):
        known = before.get(message.id, message.context)
        fits = known is not None and isinstance(known.id, str) == isinstance(message.id, str)
        after.add(
            message.id,
            string=_forms(known.string or "", after) if known is not None and fits else None,
            auto_comments=message.auto_comments,
            user_comments=known.user_comments if known is not None else (),
            context=message.context,
        )
    return after


def _forms(string: str | Iterable[str], catalogue: Catalog) -> str | tuple[str, ...]:
    """Return a translation with as many forms as the language has."""
    return string if isinstance(string, str) else tuple(string)[: catalogue.num_plurals]


def messages(catalogue: Catalog) -> Iterator[Message]:
    """Yield the messages of a catalogue, without its header."""
    return (message for message in catalogue if message.id)


def missing(catalogue: Catalog) -> list[Message]:
    """Return the messages without a whole translation."""
    return [
        message
        for message in messages(catalogue)
        if not (all(message.string) if isinstance(message.string, tuple) else message.string)
    ]


def write(name: str, catalogue: Catalog) -> None:
    """Write the source of a catalogue; of its header only what a program needs to read it."""
    header = _HEADER.format(name=name, plurals=catalogue.plural_forms)
    with catalogue_path(name).open("wb") as file:
        file.write(header.encode())
        write_po(file, catalogue, sort_output=True, no_location=True, omit_header=True, width=100)


def compile_stale() -> None:
    """Make the .mo of every catalogue whose source is newer; others may do so at the same time."""
    for name in CATALOGUES.values():
        source = catalogue_path(name)
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
            continue
        part = target.with_suffix(f".{os.getpid()}.part")
        with part.open("wb") as file:
            write_mo(file, without_clock(read_catalogue(name)))
        part.replace(target)


def without_clock(catalogue: Catalog) -> Catalog:
    """Give a catalogue, for which Babel takes the time of now, the one that it always has."""
    catalogue.creation_date = catalogue.revision_date = datetime.fromtimestamp(0, UTC)
    return catalogue


def main(arguments: list[str]) -> int:
    """Do what the module's docstring says."""
    if arguments == ["compile"]:
        compile_stale()
        return 0
    source = extracted()
    for name in CATALOGUES.values():
        catalogue = updated(name, source)
        write(name, catalogue)
        for message in missing(catalogue):
            sys.stdout.write(f"{name}: no translation of {message.id!r}\n")
    compile_stale()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
