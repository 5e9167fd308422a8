"""What a node keeps on disk of its table: the log, and the seat to come back to.

Errors: ``NodeError`` with what it means and what to do, when the disk takes no more.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Sequence
from pathlib import Path

from p2p_hearts.home import Home, HomeError, Seat
from p2p_hearts.i18n import _, os_reason
from p2p_hearts.node.terms import NOTHING_WAS_SENT, NodeError, not_written
from p2p_hearts.record.log import LogWriter, begin_log
from p2p_hearts.record.records import RecordKind
from p2p_hearts.wire.lobby import SealedRoster

log = logging.getLogger(__name__)


class Keeping:
    """The log of the current table, and its entry in the home folder."""

    def __init__(self, home: Home) -> None:
        """No log yet."""
        self.path: Path | None = None
        self.writer: LogWriter | None = None
        self._home = home
        self._seat = b""
        """The roster's envelope of the place that is kept in the home folder."""

    def begin(
        self, roster: SealedRoster, curve: bytes, port: int, code: str = "", door: int = 0
    ) -> None:
        """Begin the log of a table, and keep the seat: secret link key and port.

        Of a founder also the secret part of the join code, and the port of the card door.

        What was kept of a formation that came to nothing goes: nothing was dealt at it.

        Raises:
            NodeError: a file cannot be written.
        """
        stamp = time.strftime("%Y-%m-%d-%H%M")
        path = self._home.games / f"{stamp}-{roster.hash.hex()[:8]}.hearts"
        try:
            if self.writer is not None:
                self.writer.discard()
                self.forget_seat()
            self.writer = begin_log(path, self._home.identity, roster.data, int(time.time()))
            self._seat = roster.data
            self._home.keep_seat(Seat(roster.data, path.name, curve, port, code, door))
        except OSError as error:
            raise _no_log(path, error) from None
        except HomeError as error:
            self._drop()
            raise not_written(error) from None
        self.path = path

    def _drop(self) -> None:
        """Leave no log of a place that could not be kept: nothing was said there."""
        if self.writer is not None:
            with contextlib.suppress(OSError):
                self.writer.discard()
            self.writer = None

    def adopt(self, roster: SealedRoster, writer: LogWriter) -> None:
        """Go on with the log of a table that this player comes back to."""
        self.writer, self.path, self._seat = writer, writer.path, roster.data

    def store(self, envelopes: Sequence[bytes]) -> None:
        """Append contents and make them durable.

        Raises:
            NodeError: they cannot be written.
        """
        if self.writer is None:
            return
        try:
            write_contents(self.writer, envelopes)
        except OSError as error:
            raise _no_log(self.writer.path, error) from None

    def forget_seat(self) -> None:
        """There is nothing to come back to any more; a match does not end in an error for that."""
        try:
            self._home.forget_seat(self._seat)
        except OSError:
            log.warning("the place at a table that is over could not be forgotten", exc_info=True)

    def close(self) -> None:
        """Close the log."""
        if self.writer is not None:
            close_log(self.writer)


def write_contents(writer: LogWriter, envelopes: Sequence[bytes]) -> None:
    """Append contents to a log and make them durable; ``OSError`` if that cannot be done."""
    for envelope in envelopes:
        writer.append(RecordKind.CONTENT, envelope)
    writer.sync()


def close_log(writer: LogWriter) -> None:
    """Close a log at the end; whatever had to be on the disk was synced before."""
    try:
        writer.close()
    except OSError:
        log.warning("the log could not be synced once more", exc_info=True)


def _no_log(path: Path, error: OSError) -> NodeError:
    return NodeError(
        _("The log {path} cannot be written: {reason}.").format(path=path, reason=os_reason(error))
        + " "
        + _(NOTHING_WAS_SENT)
    )
