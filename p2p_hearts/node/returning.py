"""Back to a seat: the table is made again from this peer's own log (protocol/SPEC.md section 6.8).

A torn last record is cut, a copy kept beside it. A log that is damaged in the middle is kept beside
a new one with what comes before the damage; the others return the rest, own messages first, and
until they have, nothing is said.

Errors: ``ReturnError`` with what to do; ``HomeError`` where the file of the seat is damaged.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Sequence
from pathlib import Path

from p2p_hearts.home import Home, HomeError, Seat
from p2p_hearts.home.files import cannot_write
from p2p_hearts.home.seats import damaged_seat
from p2p_hearts.i18n import _, os_reason
from p2p_hearts.net.errors import NetError
from p2p_hearts.net.keys import CurveKeys
from p2p_hearts.net.names import clean_name
from p2p_hearts.node.node import Node
from p2p_hearts.node.terms import NodeError, NoSeatError, Where, not_written
from p2p_hearts.record.log import LogBusyError, LogWriter, begin_log, keep_damaged, read_log
from p2p_hearts.record.records import LogError, Record, RecordKind
from p2p_hearts.table.machine import Table
from p2p_hearts.wire.codec import DecodeError
from p2p_hearts.wire.envelope import BadSignatureError
from p2p_hearts.wire.lobby import LobbyError, SealedRoster, open_roster


class ReturnError(NodeError):
    """The seat cannot be taken again; the text says why."""


def open_seats(home: Home) -> tuple[tuple[Seat, SealedRoster], ...]:
    """Return the tables this player may come back to, the latest first.

    Not those of another identity in this folder, or of a version that this program cannot read.
    """
    found = []
    for seat in home.seats():
        with contextlib.suppress(DecodeError, BadSignatureError, LobbyError):
            roster = open_roster(seat.roster)
            if any(entry.identity == home.identity.public for entry in roster.entries):
                found.append((seat, roster))
    return tuple(found)


def choose_seat(home: Home, name: str | None) -> tuple[Seat, SealedRoster]:
    """Return the seat at the table of that name, or the latest.

    Raises:
        NoSeatError: there is none.
    """
    kept = open_seats(home)
    found = kept
    if name is not None:
        wanted = clean_name(name).casefold()
        found = tuple(
            (seat, roster) for seat, roster in kept if clean_name(roster.name).casefold() == wanted
        )
    if not found:
        if name is None:
            nothing = _("There is no table to come back to in {path}.").format(path=home.path)
        else:
            nothing = _("There is no table called {name!r} to come back to in {path}.").format(
                name=clean_name(name), path=home.path
            )
        advice = _(
            "Games that were played to their end are over; p2p-hearts join sits down at a new one."
        )
        if home.seats() and not kept:
            advice = _(
                "What is kept there is of another identity, or of another version of p2p-hearts."
            )
        raise NoSeatError(f"{nothing} {advice}")
    return found[0]


async def come_back(home: Home, seat: Seat, roster: SealedRoster, where: Where, now: int) -> Node:
    """Return a node that sits in its old place; ``now`` in seconds since 1970, for the log.

    Raises:
        HomeError: the link key that was kept is not the one of the roster.
        ReturnError: the log is lost, a secret cannot be read, or another process plays there.
        NetError: no port can be had.
    """
    keys = CurveKeys.from_secret(seat.curve)
    entry = next(entry for entry in roster.entries if entry.identity == home.identity.public)
    if entry.curve != keys.public:
        raise damaged_seat(home.seat_path(seat.roster))
    path = home.games / seat.log
    writer, records = _open_log(home, path, roster, now)
    try:
        envelopes = [item.data for item in records if item.kind is RecordKind.CONTENT]
        recall = 1 + secrets.randbelow(2**31 - 1)
        table = _resume(home, roster, envelopes, recall)
        node = await _open_node(home, entry.nick, where, keys, seat.port)
    except BaseException:
        writer.close()
        raise
    node.come_back(roster, table, writer, seat.code)
    return node


def give_up(home: Home, seat: Seat, roster: SealedRoster) -> None:
    """Forget a seat for good, and erase its secrets; the log stays, and the others go on without.

    Of a log that cannot be read the secrets of its hands stay: nothing else tells which they are.
    The caller's folder is locked, so nobody plays there.

    Raises:
        HomeError: the seat's file cannot be removed.
    """
    with contextlib.suppress(LogError, OSError, ReturnError):
        records = list(read_log(home.games / seat.log))
        envelopes = [item.data for item in records if item.kind is RecordKind.CONTENT]
        _resume(home, roster, envelopes, 1).forget_secrets()
    home.secrets.forget_table(roster.instance, [roster.hash])
    try:
        home.forget_seat(seat.roster)
    except OSError as error:
        raise cannot_write(home.seat_path(seat.roster), error) from None


def _resume(home: Home, roster: SealedRoster, envelopes: Sequence[bytes], recall: int) -> Table:
    try:
        return Table.resume(home.identity, roster, home.secrets, envelopes, recall)
    except HomeError as error:
        raise ReturnError(str(not_written(error))) from None


async def _open_node(home: Home, nick: str, where: Where, keys: CurveKeys, port: int) -> Node:
    """Listen at the old port, where the others dial; at any other if that one is taken.

    Or where ``where`` says, and nowhere else.
    """
    if where.port:
        return await Node.create(home, nick, where, keys=keys)
    try:
        return await Node.create(home, nick, where, keys=keys, table_port=port)
    except NetError:
        return await Node.create(home, nick, where, keys=keys)


def _open_log(
    home: Home, path: Path, roster: SealedRoster, now: int
) -> tuple[LogWriter, list[Record]]:
    try:
        try:
            writer = LogWriter.open(path)
        except LogError:
            writer = _begin_again(home, path, roster, now)
        try:
            return writer, list(read_log(path))
        except BaseException:
            writer.close()
            raise
    except LogBusyError:
        raise ReturnError(
            _("another process plays at this table; it holds {path}").format(path=path)
        ) from None
    except OSError as error:
        raise ReturnError(
            _("{path} cannot be opened: {reason}").format(path=path, reason=os_reason(error))
        ) from None


def _begin_again(home: Home, path: Path, roster: SealedRoster, now: int) -> LogWriter:
    """Begin a damaged log anew with the contents before the damage; keep it under another name.

    The new one takes its place whole: whatever happens on the way, what the old one holds of this
    player's own words is found again by the next start.
    """
    sound: list[Record] = []
    with contextlib.suppress(LogError):
        # Extends the list record by record, up to the damage.
        sound.extend(read_log(path))
    part = path.with_name(f"{path.name}.again")
    part.unlink(missing_ok=True)
    writer = begin_log(part, home.identity, roster.data, now)
    try:
        for record in sound:
            if record.kind is RecordKind.CONTENT:
                writer.append(record.kind, record.data)
        writer.sync()
        keep_damaged(path)
        writer.take_place_of(path)
    except BaseException:
        part.unlink(missing_ok=True)
        writer.close()
        raise
    return writer
