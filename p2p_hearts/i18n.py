"""The languages of the program: every sentence that a person sees goes through here.

How to mark a string:

* Write the whole sentence in English and wrap it where it is used: ``_("Nobody has a card.")``.
  The language is chosen at the start of the program, so ``_`` is never called while a module is
  imported: constants are marked with ``N_("...")``, which changes nothing, and translated where
  they are shown, ``_(CONSTANT)``.
* Values go in by name, after the translation: ``_("{name} leads {card}.").format(name=name,
  card=card)``. Never an f-string, ``%``, ``+``, or half a sentence: other languages order their
  words otherwise, and bend them ("a dama", "do rei"). And no ``_`` *within* an f-string: the tool
  that collects strings does not look into it. If a word changes the sentence, write two
  sentences (``_("You lead {card}.")`` and ``_("{name} leads {card}.")``).
* Numbers that change the words: ``ngettext("{n} card", "{n} cards", n).format(n=n)``. ``{n}``
  stands in both forms; other languages have other numbers of forms.
* A word or two that mean different things in different places (``pass`` as a key and as a
  phase): ``pgettext("key", "pass")``.
* "a, b and c" is ``listed(names)``.
* English on purpose: what programs read (JSON, the events, identifiers, names of options, presets
  and commands to type), log files of the program, errors that mean a mistake in this program
  (``RuntimeError``, ``TypeError``).

Then ``make messages``, which puts the new sentences into ``locale/*/LC_MESSAGES/p2p_hearts.po``
with empty translations: fill them in (Portuguese of Brazil, Indonesian; a screen is 60 columns
wide, so short things stay short). ``tests/test_i18n.py`` fails on a sentence that is missing,
stale, without its placeholders, or not marked.

Never: decides who speaks (no clock, thread, environment is read here; ``choose_language`` is
given what it looks at). The active catalogue is one reference, replaced whole by ``use``, so
threads that translate meanwhile see the one or the other. Errors: none; without a catalogue the
program speaks English.
"""

from __future__ import annotations

import gettext as _library
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

Language = Literal["en", "pt", "id"]

LANGUAGES: Final[tuple[Language, ...]] = ("en", "pt", "id")
"""What ``--lang`` takes; the first is the language of the source."""

DOMAIN: Final = "p2p_hearts"
FOLDER: Final = Path(__file__).with_name("locale")
CATALOGUES: Final[Mapping[Language, str]] = {"pt": "pt_BR", "id": "id"}
"""Names of the catalogues' folders below ``FOLDER``."""

VARIABLE: Final = "P2P_HEARTS_LANG"
"""The environment variable that chooses the language of this program alone."""

_language: Language = "en"
_catalogue: _library.NullTranslations = _library.NullTranslations()


def use(language: Language) -> None:
    """Speak ``language`` from now on; English where its catalogue is not there."""
    global _language, _catalogue
    _catalogue = _load(language)
    _language = language


def language() -> Language:
    """Return the language that is spoken."""
    return _language


def language_of(text: str) -> Language | None:
    """Return the language of a locale's name (``pt_BR.UTF-8``), or None for one not spoken here."""
    name = text.strip().lower().replace("-", "_").partition(".")[0].partition("@")[0]
    if name in ("c", "posix"):
        return "en"
    code = name.partition("_")[0]
    return code if code in LANGUAGES else None


def choose_language(wishes: Iterable[str | None], environment: Mapping[str, str]) -> Language:
    """Return the language to speak: the first wish that names one, else the locale's, else English.

    ``wishes`` are the most particular first (the option, the variable, the settings). The locale
    is read as GNU gettext does: ``LANGUAGE`` counts unless the locale is plain C.
    """
    for wish in wishes:
        spoken = language_of(wish) if wish else None
        if spoken is not None:
            return spoken
    names = [environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG")]
    locale = next((name for name in names if name), "")
    if language_of(locale) == "en" and not locale.lower().startswith("en"):
        return "en"
    for name in environment.get("LANGUAGE", "").split(":") if locale else ():
        spoken = language_of(name)
        if spoken is not None:
            return spoken
    return language_of(locale) or "en"


def gettext(message: str) -> str:
    """Return the translation of a sentence; code calls it ``_``."""
    # The empty message is a catalogue's header.
    return _catalogue.gettext(message) if message else ""


_ = gettext


def ngettext(one: str, many: str, n: int) -> str:
    """Return the translation of a sentence for the number ``n``."""
    return _catalogue.ngettext(one, many, n)


def pgettext(context: str, message: str) -> str:
    """Return the translation of a word in a context."""
    return _catalogue.pgettext(context, message)


def N_(message: str) -> str:  # noqa: N802 - the name that every gettext tool knows
    """Mark a constant; it is translated where it is shown."""
    return message


def figure(value: float, form: str) -> str:
    """Return a number by a format, ".1f" for one, with the decimal mark of the language."""
    return format(value, form).replace(".", "." if language() == "en" else ",")


def listed(names: Sequence[str]) -> str:
    """Return "a", "a and b", "a, b and c"; "" for nothing."""
    if len(names) < 2:
        return "".join(names)
    return _("{all_but_last} and {last}").format(all_but_last=", ".join(names[:-1]), last=names[-1])


def os_reason(error: Exception) -> str:
    """Return what the operating system says of an error, translated where it is a common one."""
    return _(getattr(error, "strerror", None) or str(error))


def harmless(text: str) -> str:
    """Return a text that a terminal may be given: names of files may hold what paints over it."""
    return "".join(mark if mark.isprintable() or mark == "\n" else "?" for mark in text)


_OS_REASONS = (
    N_("No such file or directory"),
    N_("Permission denied"),
    N_("File exists"),
    N_("Not a directory"),
    N_("Is a directory"),
    N_("No space left on device"),
    N_("Read-only file system"),
    N_("File name too long"),
    N_("Too many open files"),
    N_("Input/output error"),
    N_("Disk quota exceeded"),
    N_("File too large"),
    N_("Operation not permitted"),
    N_("Address already in use"),
    N_("Cannot assign requested address"),
    N_("Network is unreachable"),
    N_("No route to host"),
    N_("Connection refused"),
)
"""Of the texts of the system's library these have translations."""


def _load(language: Language) -> _library.NullTranslations:
    if language not in CATALOGUES:
        return _library.NullTranslations()
    return _library.translation(DOMAIN, FOLDER, [CATALOGUES[language]], fallback=True)
