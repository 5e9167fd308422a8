"""The secrets of a seat: one file a secret, from the operating system, erased when it is of no use.

protocol/SPEC.md section 3. Errors: ``HomeError`` where a file is damaged, or cannot be read or
written.
"""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
from pathlib import Path

from p2p_hearts.home.files import HomeError, cannot_read, write_private
from p2p_hearts.i18n import _
from p2p_hearts.wire.envelope import digest

log = logging.getLogger(__name__)

SECRET_BYTES = 32


class SecretStore:
    """Secrets by purpose, each durable before it is returned and the same until forgotten.

    Raises ``HomeError`` where a file is damaged, or cannot be read or written.
    """

    def __init__(self, folder: Path) -> None:
        """Keep secrets in this folder."""
        self._folder = folder

    def nonce(self, roster: bytes) -> bytes:
        """Return the nonce for the draw over a roster."""
        return self._get("nonce", roster)

    def table_key(self, instance: bytes) -> bytes:
        """Return the secret that the table key is derived from."""
        return self._get("table-key", instance)

    def hand(self, table: bytes, hand: int, attempt: int, *, fresh: bool) -> bytes:
        """Return the secret z of one attempt at a hand; ``LookupError`` if it is lost.

        One that is damaged and ``fresh`` is as good as lost: nobody was told anything of it, so
        another one is drawn.
        """
        parts = (table, hand.to_bytes(4, "big"), attempt.to_bytes(4, "big"))
        path = self._path("hand", *parts)
        data = _read(path)
        if not fresh and data is None:
            raise LookupError(f"the secret of hand {hand} is not in {self._folder}")
        if fresh and data is not None and len(data) != SECRET_BYTES:
            log.warning("%s was damaged before it was used; another secret is drawn", path)
            self.forget(table, hand, attempt)
        return self._get("hand", *parts)

    def forget(self, table: bytes, hand: int, attempt: int) -> None:
        """Erase the secret of a hand that was revealed, or that nobody comes back to."""
        self._forget("hand", table, hand.to_bytes(4, "big"), attempt.to_bytes(4, "big"))

    def forget_table(self, instance: bytes, rosters: list[bytes]) -> None:
        """Erase what belonged to a table that is over."""
        self._forget("table-key", instance)
        for roster in rosters:
            self._forget("nonce", roster)

    def forget_all(self) -> None:
        """Erase every secret: nobody comes back to any table."""
        for path in self._folder.iterdir():
            _erase(path)

    def _path(self, purpose: str, *parts: bytes) -> Path:
        return self._folder / digest(f"secret file {purpose}", *parts).hex()[:32]

    def _get(self, purpose: str, *parts: bytes) -> bytes:
        path = self._path(purpose, *parts)
        data = _read(path)
        if data is None:
            data = secrets.token_bytes(SECRET_BYTES)
            write_private(path, data)
        if len(data) != SECRET_BYTES:
            # Files appear whole or not at all; another secret in its place would be a second story.
            raise HomeError(
                _("{path} is damaged, so this hand cannot go on from here").format(path=path)
            )
        return data

    def _forget(self, purpose: str, *parts: bytes) -> None:
        _erase(self._path(purpose, *parts))


def _erase(path: Path) -> None:
    """Overwrite a secret and remove it; one that cannot be overwritten is removed all the same.

    A game does not stop here: what an error leaves behind, its owner alone may read.
    """
    with contextlib.suppress(OSError), path.open("r+b") as file:
        file.write(bytes(SECRET_BYTES))
        file.flush()
        os.fsync(file.fileno())
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)


def _read(path: Path) -> bytes | None:
    """Return what a file holds, None where there is none: what cannot be read is not lost."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise cannot_read(path, error) from None
