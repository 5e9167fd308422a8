"""How a person wants the table: what is remembered between games, as values and as a file.

The file is TOML with comments, made for people to read and change; only single lines of it are
ever rewritten, so that comments and keys this version does not know stay as they are. Nothing
here opens it: text comes in, text goes out.

A value that makes no sense costs that value only, never the others, and is told in a sentence.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace

LOW_FIRST, HIGH_FIRST = "low-first", "high-first"
"""How a suit of the hand lies."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a person may set; every field is one of the values in `SETTINGS`.

    Attributes:
        sorting: whether a suit of the hand begins with its lowest or its highest card.
        speed: how long cards and tricks stay before the next one.
        colours: how many colours the suits have.
        language: the language of the program, "auto" for that of the computer.
        hints: whether advice comes on a key, at every turn, or not at all.
        bell: how a person's turn is told to who looks elsewhere.
        autoplay: whether the only card that may be played plays itself.
        tour: whether the next game begins with the tour.
    """

    sorting: str = LOW_FIRST
    speed: str = "normal"
    colours: str = "four"
    language: str = "auto"
    hints: str = "key"
    bell: str = "off"
    autoplay: str = "on"
    tour: str = "on"

    @property
    def pace(self) -> float:
        """Factor on the time that cards and tricks stay."""
        return _PACES[self.speed]


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing that may be set: its values, the first the usual one, and its comment."""

    key: str
    values: tuple[str, ...]
    comment: str


SETTINGS = (
    Setting("sorting", (LOW_FIRST, HIGH_FIRST), "How your cards lie: low-first or high-first."),
    Setting(
        "speed",
        ("normal", "slow", "fast", "instant"),
        "How long cards stay: normal, slow, fast or instant.",
    ),
    Setting(
        "colours",
        ("four", "two", "none"),
        "Colours of the suits: four, two (black and red) or none.",
    ),
    Setting(
        "language",
        ("auto", "en", "pt", "id"),
        "Language: auto (as your computer), en, pt or id; from the next start on.",
    ),
    Setting(
        "hints",
        ("key", "always", "off"),
        "Hints: on the key h (key), at each of your turns (always), or off.",
    ),
    Setting(
        "bell",
        ("off", "bell", "notify"),
        "At your turn: off, bell, or notify (the bell and a notification of the terminal).",
    ),
    Setting(
        "autoplay",
        ("on", "off"),
        "The only card you may play plays itself: on or off.",
    ),
    Setting("tour", ("on", "off"), "Begin the next game with the short tour: on or off."),
)
"""Every setting, in the order of the panel and of the file."""

_PACES = {"normal": 1.0, "slow": 1.8, "fast": 0.45, "instant": 0.0}

_HEAD = """\
# Settings of p2p-hearts. Change what you like here, or press o at the table.
"""


def next_value(setting: Setting, value: str, step: int = 1) -> str:
    """Return the value `step` places after `value`, around the end."""
    at = setting.values.index(value) if value in setting.values else 0
    return setting.values[(at + step) % len(setting.values)]


def changed(settings: Settings, setting: Setting, step: int = 1) -> Settings:
    """Return the settings with one of them moved to its next value."""
    value = next_value(setting, getattr(settings, setting.key), step)
    return replace(settings, **{setting.key: value})


def read_settings(text: str) -> tuple[Settings, tuple[str, ...]]:
    """Return what a file sets, and a sentence for each thing in it that makes no sense."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return Settings(), (
            f"The settings file cannot be read ({error}); the usual settings are used, and the "
            "file stays as it is until it is mended.",
        )
    complaints: list[str] = []
    values: dict[str, str] = {}
    for setting in SETTINGS:
        value = found.pop(setting.key, setting.values[0])
        if isinstance(value, bool):  # autoplay = true is what many people write
            value = "on" if value else "off"
        if value in setting.values:
            values[setting.key] = value
        else:
            complaints.append(
                f"The setting {setting.key} cannot be {_shown(value)}: it is one of "
                f"{', '.join(setting.values)}; {setting.values[0]} is used."
            )
    complaints += [f"There is no setting called {_shown(key)}; it is left alone." for key in found]
    return Settings(**values), tuple(complaints)


def written_settings(text: str, settings: Settings) -> str:
    """Return the text of a file with these settings; all that is not a setting stays.

    Raises:
        ValueError: the file cannot be rewritten without losing something; the text says why.
    """
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"the settings file cannot be read ({error})") from None
    at = _end_of_settings(text)
    plain, tables = text[:at], text[at:]
    for setting in SETTINGS:
        value = getattr(settings, setting.key)
        line = f'{setting.key} = "{value}"'
        before = re.search(rf"^{setting.key}[ \t]*=[^#\n]*", plain, re.MULTILINE)
        if before is not None:
            gap = " " if plain[before.end() : before.end() + 1] == "#" else ""
            plain = plain[: before.start()] + line + gap + plain[before.end() :]
        elif value != setting.values[0]:
            gap = "" if not plain or plain.endswith("\n") else "\n"
            plain += f"{gap}# {setting.comment}\n{line}\n"
    if read_settings(plain)[0] != settings:
        raise ValueError("the settings file holds values of several lines")
    return plain + tables


def new_file(settings: Settings) -> str:
    """Return the text of a file with every setting and its comment."""
    parts = [
        f'\n# {setting.comment}\n{setting.key} = "{getattr(settings, setting.key)}"\n'
        for setting in SETTINGS
    ]
    return _HEAD + "".join(parts)


def _end_of_settings(text: str) -> int:
    """Return where the first table of the file begins: settings stand before it."""
    table = re.search(r"^[ \t]*\[", text, re.MULTILINE)
    return len(text) if table is None else table.start()


def _shown(value: object) -> str:
    """Return a foreign value so that it can be printed: short, and without control characters."""
    text = "".join(letter if letter.isprintable() else "?" for letter in str(value))
    return f'"{text[:30]}"'
