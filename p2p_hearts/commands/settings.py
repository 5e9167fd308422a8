"""``p2p-hearts settings``, and the file ``HOME/settings.toml`` that all front ends share.

Every start of the program looks here for its language, so what is heavy is imported where it is
used.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from p2p_hearts.i18n import _, os_reason
from p2p_hearts.ui.settings import (
    SETTINGS,
    Settings,
    new_file,
    read_settings,
    written_settings,
)

FILE_NAME = "settings.toml"
MAX_BYTES = 64 * 1024
"""A settings file is a page of text; what is larger is something else."""


class SettingsFile:
    """The settings file of one folder; a missing one means the usual settings."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE_NAME

    def load(self) -> tuple[Settings, tuple[str, ...]]:
        """Return the settings, and a sentence for everything that makes no sense."""
        try:
            text = self._text()
        except (OSError, ValueError) as error:
            told = _("The settings in {path} cannot be read: {reason}.")
            return Settings(), (told.format(path=self.path, reason=_reason(error)),)
        if text is None:
            return Settings(), ()
        settings, complaints = read_settings(text)
        return settings, tuple(f"{self.path}: {complaint}" for complaint in complaints)

    def keep(self, settings: Settings) -> str | None:
        """Write the settings chosen at a table; return what it means if that fails."""
        refusal = self.save(settings)
        if refusal is None:
            return None
        return _("The settings hold for this game only. {reason}").format(reason=refusal)

    def save(self, settings: Settings) -> str | None:
        """Write the settings, whole or not at all; return why not, if so."""
        part = self.path.with_name(f"{FILE_NAME}.part")
        try:
            before = self._text()
            text = new_file(settings) if before is None else written_settings(before, settings)
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            part.write_text(text, encoding="utf-8")
            part.replace(self.path)
        except (OSError, ValueError) as error:
            told = _("{path} was not changed: {reason}.")
            return told.format(path=self.path, reason=_reason(error))
        return None

    def _text(self) -> str | None:
        """Return what the file holds, None where there is none."""
        try:
            with self.path.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
        except FileNotFoundError:
            return None
        if len(data) > MAX_BYTES:
            raise ValueError(_("it is larger than a settings file can be"))
        return data.decode("utf-8")


def _reason(error: OSError | ValueError) -> str:
    """Return what is wrong, without the name of the file."""
    if isinstance(error, OSError):
        return os_reason(error)
    if isinstance(error, UnicodeDecodeError):
        return _("it is no text in UTF-8")
    return str(error)


def settings_folder(home: Path | None) -> Path:
    """Return the folder that ``--home`` or the environment names, or the usual one."""
    if home is not None:
        return home
    # Imported where it is needed: with --home nobody has to look for the usual place.
    from platformdirs import user_data_path

    return user_data_path("p2p-hearts", appauthor=False)


def run(arguments: argparse.Namespace) -> int:
    """Show the settings, or change those given as KEY=VALUE.

    Raises:
        CommandError: there is no such setting or value, or the file cannot be written.
    """
    from p2p_hearts.commands.common import CommandError

    file = SettingsFile(settings_folder(arguments.home))
    settings, complaints = file.load()
    for complaint in complaints:
        sys.stderr.write(f"p2p-hearts: {complaint}\n")
    if arguments.change:
        for item in arguments.change:
            settings = _changed(settings, item)
        refusal = file.save(settings)
        if refusal is not None:
            raise CommandError(refusal)
    sys.stdout.write(f"# {file.path}\n")
    for setting in SETTINGS:
        value = getattr(settings, setting.key)
        values = ", ".join(setting.values)
        sys.stdout.write(f'{setting.key} = "{value}"  # {_(setting.comment)} ({values})\n')
    return 0


def _changed(settings: Settings, item: str) -> Settings:
    """Return the settings with one KEY=VALUE applied."""
    from p2p_hearts.commands.common import CommandError

    key, equals, value = item.partition("=")
    if not equals:
        raise CommandError(_("{item} is not of the form KEY=VALUE").format(item=repr(item)))
    for setting in SETTINGS:
        if setting.key != key.strip():
            continue
        if value.strip() not in setting.values:
            raise CommandError(
                _("{setting} is one of {values}").format(
                    setting=setting.key, values=", ".join(setting.values)
                )
            )
        return replace(settings, **{setting.key: value.strip()})
    keys = ", ".join(setting.key for setting in SETTINGS)
    raise CommandError(
        _("there is no setting {key}; there are {keys}").format(key=repr(key.strip()), keys=keys)
    )
