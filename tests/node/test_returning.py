"""Back to a seat: logs that are damaged, and places that are nobody's any more."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from p2p_hearts.home import Home, Seat
from p2p_hearts.node.returning import ReturnError, choose_seat, come_back
from p2p_hearts.node.terms import NoSeatError, Where
from p2p_hearts.record.log import LogWriter, read_log
from p2p_hearts.record.records import LogDamageError, RecordKind
from tests.node.peers import HOST, Room, run, until


def contents(log: Path) -> list[bytes]:
    return [item.data for item in read_log(log) if item.kind is RecordKind.CONTENT]


def test_come_back__a_damaged_log_is_replaced_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        async with Room(tmp_path, held=True) as room:
            await room.found()
            await room.join("Budi")
            caio = await room.join("Caio")
            await until(lambda: caio.node.table is not None and caio.node.table.decision)
            (log,) = caio.logs
            await caio.vanish()
            before = contents(log)
            data = bytearray(log.read_bytes())
            data[-10] ^= 1
            data += bytes(data[-500:])  # so that the damage is no torn tail
            log.write_bytes(data)
            append, left = LogWriter.append, [5]

            def full(self: LogWriter, kind: RecordKind, body: bytes) -> None:
                left[0] -= 1
                if not left[0]:
                    raise OSError(errno.ENOSPC, "No space left on device")
                append(self, kind, body)

            monkeypatch.setattr(LogWriter, "append", full)
            home = Home(tmp_path / "Caio")
            seat, roster = choose_seat(home, None)
            with pytest.raises(ReturnError, match="cannot be opened: No space left on device"):
                await come_back(home, seat, roster, Where(HOST), now=0)
            home.close()
            monkeypatch.undo()
            assert [item.name for item in log.parent.iterdir()] == [log.name]
            assert log.read_bytes() == data
            with pytest.raises(LogDamageError):
                contents(log)

            again = await room.resume("Caio")
            assert again.node.log_path == log
            assert contents(log)[: len(before) - 1] == before[:-1]
            (kept,) = log.parent.glob("*.damaged-*")
            assert kept.read_bytes() == data

    run(work)


def test_choose_seat__leaves_places_of_another_identity_and_version_alone(tmp_path: Path) -> None:
    async def work() -> None:
        async with Room(tmp_path, held=True) as room:
            await room.found()
            await room.join("Budi")
            caio = await room.join("Caio")
            await until(lambda: caio.node.table is not None)
            await caio.vanish()
        folder = tmp_path / "Caio"
        home = Home(folder)
        home.keep_seat(Seat(b"of another version", "x.hearts", b"", 7))
        seat, _roster = choose_seat(home, None)
        assert seat.roster != b"of another version"
        home.close()
        (folder / "identity").unlink()
        home = Home(folder)
        with pytest.raises(NoSeatError, match=r"no table to come back to in .* another identity"):
            choose_seat(home, None)
        home.close()

    run(work)
