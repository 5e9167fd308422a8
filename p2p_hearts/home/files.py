"""Files that only their owner may read: whole or not at all, and on disk before anything is said.

Errors: ``HomeError`` with what to do; ``FullError`` where a file cannot be written.
"""

from __future__ import annotations

import os
from pathlib import Path

from p2p_hearts.i18n import _, os_reason

PRIVATE_FILE = 0o600
PRIVATE_FOLDER = 0o700


class HomeError(Exception):
    """The folder cannot be used; the text says what to do."""


class FullError(HomeError):
    """A file cannot be written, as on a full disk."""


def cannot_read(path: Path, error: OSError) -> HomeError:
    """Return the error that says why a file cannot be read."""
    return HomeError(
        _("{path} cannot be read: {reason}").format(path=path, reason=os_reason(error))
    )


def cannot_write(path: Path, error: OSError) -> FullError:
    """Return the error that says why a file or a folder cannot be written."""
    return FullError(
        _("{path} cannot be written: {reason}").format(path=path, reason=os_reason(error))
    )


def write_private(path: Path, data: bytes) -> None:
    """Write a file that only its owner may read, whole or not at all, durably.

    Raises:
        HomeError: it cannot be written.
    """
    try:
        _write_durably(path, data)
    except OSError as error:
        raise cannot_write(path, error) from None


def _write_durably(path: Path, data: bytes) -> None:
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE)
    try:
        try:
            while data:
                data = data[os.write(handle, data) :]
            os.fsync(handle)
        finally:
            os.close(handle)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
