"""How a person wants the table: what is remembered between games, as values and as a file.

The file is TOML with comments, made for people to read and change; only single lines of it are
ever rewritten, so that comments and keys this version does not know stay as they are. Nothing
here opens it: text comes in, text goes out.

A value that makes no sense costs that value only, never the others, and is told in a sentence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from p2p_hearts.i18n import N_, _

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
    """One thing that may be set.

    Attributes:
        key: its name in the file.
        label: what it is called on the screen.
        values: what it may be, in the file; the first is the usual one.
        names: what its values are called on the screen, in the same order.
        comment: a sentence about it.
    """

    key: str
    label: str
    values: tuple[str, ...]
    names: tuple[str, ...]
    comment: str

    def shown(self, settings: Settings) -> str:
        """Return what the value of this setting is called, in the person's language."""
        return _(self.names[self.values.index(getattr(settings, self.key))])


_ON_OFF = ("on", "off")
_YES_NO = (N_("yes"), N_("no"))

SETTINGS = (
    Setting(
        "sorting",
        N_("Order"),
        (LOW_FIRST, HIGH_FIRST),
        (N_("low cards first"), N_("high cards first")),
        N_("How the cards of a suit lie in your hand."),
    ),
    Setting(
        "speed",
        N_("Speed"),
        ("normal", "slow", "fast", "instant"),
        (N_("normal"), N_("slow"), N_("fast"), N_("at once")),
        N_("How long cards and tricks stay before the next one."),
    ),
    Setting(
        "colours",
        N_("Colours"),
        ("four", "two", "none"),
        (N_("four, one a suit"), N_("two, black and red"), N_("none")),
        N_("Colours of the suits; their symbols are always there."),
    ),
    Setting(
        "language",
        N_("Language"),
        ("auto", "en", "pt", "id"),
        (N_("as this computer"), "English", "Português", "Bahasa Indonesia"),
        N_("The language of the program, from its next start on."),
    ),
    Setting(
        "hints",
        N_("Hints"),
        ("key", "always", "off"),
        (N_("on the key h"), N_("at every turn"), N_("never")),
        N_("When you are told what a good choice would be, and why."),
    ),
    Setting(
        "bell",
        N_("Bell"),
        ("off", "bell", "notify"),
        (N_("silent"), N_("bell"), N_("bell and notification")),
        N_("How your turn is told when you look elsewhere."),
    ),
    Setting(
        "autoplay",
        N_("Only card"),
        _ON_OFF,
        (N_("plays itself"), N_("waits for you")),
        N_("What happens where there is one card only that you may play."),
    ),
    Setting(
        "tour",
        N_("Tour"),
        _ON_OFF,
        _YES_NO,
        N_("Whether the next game begins with the short tour."),
    ),
)
"""Every setting, in the order of the panel and of the file."""

_PACES = {"normal": 1.0, "slow": 1.8, "fast": 0.45, "instant": 0.0}

_HEAD = N_("Settings of p2p-hearts. Change what you like here, or press o at the table.")


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
    # Imported where there is a file to read: every start of the program comes through here.
    import tomllib

    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return Settings(), (
            _(
                "The settings file cannot be read ({reason}); the usual settings are used, and "
                "the file stays as it is until it is mended."
            ).format(reason=error),
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
                _("{setting} cannot be {value}: it is one of {values}; {usual} is used.").format(
                    setting=setting.key,
                    value=_shown(value),
                    values=", ".join(setting.values),
                    usual=setting.values[0],
                )
            )
    complaints += [
        _("There is no setting called {key}; it is left alone.").format(key=_shown(key))
        for key in found
    ]
    return Settings(**values), tuple(complaints)


def written_settings(text: str, settings: Settings) -> str:
    """Return the text of a file with these settings; all that is not a setting stays.

    Raises:
        ValueError: the file cannot be rewritten without losing something; the text says why.
    """
    import tomllib

    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(_("it cannot be read ({reason})").format(reason=error)) from None
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
            plain += f"{gap}{_about(setting)}{line}\n"
    if read_settings(plain)[0] != settings:
        raise ValueError(_("it holds values of several lines"))
    return plain + tables


def new_file(settings: Settings) -> str:
    """Return the text of a file with every setting and its comment."""
    parts = [
        f'\n{_about(setting)}{setting.key} = "{getattr(settings, setting.key)}"\n'
        for setting in SETTINGS
    ]
    return f"# {_(_HEAD)}\n{''.join(parts)}"


def _about(setting: Setting) -> str:
    """Return the comment above a setting: what it is, and what it may be."""
    return f"# {_(setting.comment)}\n# {', '.join(setting.values)}\n"


def _end_of_settings(text: str) -> int:
    """Return where the first table of the file begins: settings stand before it."""
    table = re.search(r"^[ \t]*\[", text, re.MULTILINE)
    return len(text) if table is None else table.start()


def _shown(value: object) -> str:
    """Return a foreign value so that it can be printed: short, and without control characters."""
    text = "".join(letter if letter.isprintable() else "?" for letter in str(value))
    return f'"{text[:30]}"'
