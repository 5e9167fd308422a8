"""The log of one table on disk: appended to, synced, never rewritten (SPEC.md section 9.1).

A peer appends what it accepts, in that order, and its own messages before their first byte is
sent. ``sync`` returns once everything appended so far would survive a crash of the machine, so
one sync before sending covers the own message and all that it answers.

On opening, only a torn tail is cut: a record that a crash cut short, after the last whole one. A
copy of it is kept beside the log. Damage before that is never repaired silently.

Errors: ``records.LogError`` for what a file holds, ``LogBusyError`` when another process writes
it, ``OSError`` from the system.
"""

from __future__ import annotations

import fcntl
import io
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from p2p_hearts import __version__
from p2p_hearts.i18n import _
from p2p_hearts.record.records import (
    FIRST_CHAIN,
    MAGIC,
    LogTornError,
    Record,
    RecordKind,
    make_record,
    read_records,
    start_data,
)
from p2p_hearts.wire.envelope import Signer


class LogBusyError(OSError):
    """Another process has this log open for writing."""


def read_log(source: Path | str | bytes) -> Iterator[Record]:
    """Read a log file (or the bytes of one), one record in memory at a time.

    Raises:
        LogError: as ``read_records`` says, when the iterator gets there.
        OSError: the file cannot be opened or read.
    """
    if isinstance(source, bytes):
        yield from read_records(io.BytesIO(source))
        return
    with Path(source).open("rb") as file:
        yield from read_records(file)


def begin_log(path: Path, owner: Signer, roster: bytes, created: int) -> LogWriter:
    """Make the log of a table with its first two records, durable when this returns.

    ``roster`` is the roster's envelope, ``created`` seconds since 1970 by the owner's clock.

    Raises:
        FileExistsError: there is a file of that name.
        OSError: it cannot be written; then there is no such file.
    """
    log = LogWriter.create(path)
    try:
        log.append(RecordKind.START, start_data(owner, __version__, created))
        log.append(RecordKind.ROSTER, roster)
        log.sync()
    except BaseException:
        log.discard()
        raise
    return log


def keep_damaged(path: Path) -> Path:
    """Keep a log under another name as well, durable when this returns; return which.

    Raises:
        OSError: it cannot be kept; then nothing is left behind.
    """
    kept = _free_name(path, "damaged")
    try:
        kept.hardlink_to(path)
    except OSError:  # a file system without links
        with path.open("rb") as file:
            _copy(file, kept)
    _sync_folder(path.parent)
    return kept


class LogWriter:
    """An open log; one process at a time holds it.

    After an append failed (a full disk), the log is cut back to its last whole record and may be
    appended to again. If even that fails, or a sync does, every further append raises: what the
    disk holds is not known any more, and a second sync would not tell (the system forgets what it
    failed to write).
    """

    __slots__ = ("_chain", "_end", "_file", "_sound", "_synced", "path", "torn")

    def __init__(self, path: Path, file: BinaryIO, end: int, chain: bytes, torn: Path | None):
        """Use ``create`` or ``open``."""
        self.path = path
        self.torn = torn
        """Copy of the tail that was cut on opening, if one was."""
        self._file = file
        self._end = end
        self._chain = chain
        self._sound = True
        self._synced = True

    @classmethod
    def create(cls, path: Path | str) -> LogWriter:
        """Make a new log, readable by its owner only.

        Raises:
            FileExistsError: there is a file of that name.
            OSError: it cannot be written; then there is no such file.
        """
        path = Path(path)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        file = os.fdopen(descriptor, "r+b", buffering=0)
        try:
            _lock(file, path)
            _write(file, MAGIC)
            os.fsync(file.fileno())
            _sync_folder(path.parent)
        except BaseException:
            file.close()
            path.unlink(missing_ok=True)
            raise
        return cls(path, file, len(MAGIC), FIRST_CHAIN, None)

    @classmethod
    def open(cls, path: Path | str) -> LogWriter:
        """Open an existing log to append to it; reads it all once and cuts a torn tail.

        Raises:
            LogBusyError: another process writes it.
            NotALogError, LogDamageError: it cannot be appended to; it is left as it is.
        """
        path = Path(path)
        file = os.fdopen(os.open(path, os.O_RDWR), "r+b", buffering=0)
        try:
            _lock(file, path)
            end, chain, is_torn = _find_end(file)
            torn = _cut(path, file, end) if is_torn else None
            file.seek(end)
        except BaseException:
            file.close()
            raise
        return cls(path, file, end, chain, torn)

    def append(self, kind: RecordKind, data: bytes) -> None:
        """Append a record; it is durable after the next ``sync``.

        Raises:
            OSError: it could not be written; the log holds what it held before.
        """
        self._check_sound()
        record, chain = make_record(self._chain, kind, data)
        self._synced = False
        try:
            _write(self._file, record)
        except OSError:
            self._sound = False
            self._file.truncate(self._end)
            self._file.seek(self._end)
            self._sound = True
            raise
        self._end += len(record)
        self._chain = chain

    def sync(self) -> None:
        """Return once all appended records are on the disk.

        Raises:
            OSError: they may not be, and nothing more can be appended; so from now on.
        """
        self._check_sound()
        if not self._synced:
            try:
                os.fsync(self._file.fileno())
            except OSError:
                self._sound = False
                raise
            self._synced = True

    def take_place_of(self, path: Path) -> None:
        """Move this log, synced, to where an older one lies; in every instant one of them does."""
        self.sync()
        self.path.replace(path)
        self.path = path
        _sync_folder(path.parent)

    def close(self) -> None:
        """Sync and close; closing twice is allowed. Closed also where the sync raises.

        Of what could not be written before, the writer has been told.
        """
        if not self._file.closed:
            try:
                if self._sound:
                    self.sync()
            finally:
                self._file.close()

    def discard(self) -> None:
        """Close the log and delete it."""
        self._file.close()
        self.path.unlink(missing_ok=True)

    def _check_sound(self) -> None:
        if not self._sound:
            raise OSError(f"{self.path} could not be written before and is closed to more")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _find_end(file: BinaryIO) -> tuple[int, bytes, bool]:
    """Return where the last whole record ends, its chain value, and whether a torn one follows."""
    end, chain = len(MAGIC), FIRST_CHAIN
    reader = io.BufferedReader(io.FileIO(file.fileno(), "rb", closefd=False))
    try:
        for record in read_records(reader):
            end, chain = record.end, record.chain
    except LogTornError:
        return end, chain, True
    finally:
        reader.detach()
    return end, chain, False


def _cut(path: Path, file: BinaryIO, end: int) -> Path:
    """Cut what follows ``end``, once a copy of it lies beside the log; return where."""
    file.seek(end)
    copy = _free_name(path, f"torn-{end}")
    _copy(file, copy)
    _sync_folder(path.parent)
    file.truncate(end)
    os.fsync(file.fileno())
    return copy


def _copy(file: BinaryIO, copy: Path) -> None:
    """Copy what follows in a file, synced, or leave nothing behind."""
    descriptor = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb", buffering=0) as target:
            while block := file.read(65536):
                _write(target, block)
            os.fsync(target.fileno())
    except BaseException:
        copy.unlink(missing_ok=True)
        raise


def _free_name(path: Path, what: str) -> Path:
    """Return a name beside a log that no file has."""
    number = 1
    while (free := path.with_name(f"{path.name}.{what}-{number}")).exists():
        number += 1
    return free


def _write(file: BinaryIO, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[file.write(view) :]


def _lock(file: BinaryIO, path: Path) -> None:
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise LogBusyError(_busy(path)) from None


def _sync_folder(folder: Path) -> None:
    """Make a new name durable: on POSIX that is the folder's own fsync."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _busy(path: Path) -> str:
    return _(
        "another p2p-hearts is writing {path}; end that one first, two processes must not play one "
        "seat"
    ).format(path=path)
