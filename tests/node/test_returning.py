"""Back to a seat: logs that are damaged, and places that are nobody's any more."""

from __future__ import annotations

import errno
import json
from dataclasses import replace
from pathlib import Path

import pytest

from p2p_hearts.cli import main
from p2p_hearts.home import Home, HomeError, Seat, secret_store
from p2p_hearts.home.files import cannot_read
from p2p_hearts.net.keys import CurveKeys
from p2p_hearts.node.returning import ReturnError, choose_seat, come_back, give_up
from p2p_hearts.node.terms import NoSeatError, Where
from p2p_hearts.record.log import LogWriter, read_log
from p2p_hearts.record.records import LogDamageError, RecordKind
from tests.node.peers import HOST, Peer, Room, run, until


def contents(log: Path) -> list[bytes]:
    return [item.data for item in read_log(log) if item.kind is RecordKind.CONTENT]


async def caio_vanishes(room: Room) -> Peer:
    """Three sit down, and one is gone without a word when it is to decide."""
    *_, caio = await room.fill("Budi", "Caio")
    await until(lambda: caio.node.table is not None and caio.node.table.decision)
    await caio.vanish()
    return caio


async def try_to_return(folder: Path, keys: CurveKeys | None = None) -> None:
    """Come back to the seat that a folder keeps, or to one with another link key."""
    home = Home(folder)
    seat, roster = choose_seat(home, None)
    if keys is not None:
        seat = replace(seat, curve=keys.secret)
    try:
        await come_back(home, seat, roster, Where(HOST), now=0)
    finally:
        home.close()


def test_come_back__a_damaged_log_is_replaced_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        async with Room(tmp_path, held=True) as room:
            (log,) = (await caio_vanishes(room)).logs
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
            with pytest.raises(ReturnError, match="cannot be opened: No space left on device"):
                await try_to_return(tmp_path / "Caio")
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
            await caio_vanishes(room)
        folder = tmp_path / "Caio"
        home = Home(folder)
        home.keep_seat(Seat(b"of another version", "x.hearts", CurveKeys.generate().secret, 7))
        seat, _roster = choose_seat(home, None)
        assert seat.roster != b"of another version"
        home.close()
        (folder / "identity").unlink()
        home = Home(folder)
        with pytest.raises(NoSeatError, match=r"no table to come back to in .* another identity"):
            choose_seat(home, None)
        home.close()

    run(work)


def test_resume_forget__gives_up_the_named_seat_for_good_and_keeps_its_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def work() -> str:
        async with Room(tmp_path, held=True) as room:
            await room.found()
            await room.join("Budi")
            caio = await room.join("Caio")
            await until(lambda: caio.node.table is not None and caio.node.table.decision)
            await caio.vanish()
            table = caio.node.table
            return "" if table is None else table.roster.name

    names: list[str] = []

    async def noted() -> None:
        names.append(await work())

    run(noted)
    folder, (name,) = tmp_path / "Caio", names
    (log,) = (folder / "games").iterdir()
    written = log.read_bytes()
    command = ["resume", "--forget", "--home", str(folder)]
    assert main(command) == 2
    assert f"wants the name of the table; a seat is kept at: {name}" in capsys.readouterr().err
    assert main([*command, "another"]) == 3
    assert list((folder / "seats").iterdir())
    assert list((folder / "secrets").iterdir())
    assert main([*command, name]) == 0
    told = f"The seat at {name} is given up. Its log stays: {log}\n"
    assert capsys.readouterr().out == told
    assert list((folder / "seats").iterdir()) == []
    assert list((folder / "secrets").iterdir()) == []
    assert log.read_bytes() == written
    assert main(["resume", "--home", str(folder)]) == 3


def test_resume_forget__of_a_damaged_log_gives_the_seat_up_all_the_same(tmp_path: Path) -> None:
    async def work() -> None:
        async with Room(tmp_path, held=True) as room:
            await room.found()
            await room.join("Budi")
            caio = await room.join("Caio")
            await until(lambda: caio.node.table is not None and caio.node.table.decision)
            (log,) = caio.logs
            await caio.vanish()
            log.write_bytes(b"no log")
            home = Home(tmp_path / "Caio")
            give_up(home, *choose_seat(home, None))
            assert home.seats() == ()
            home.close()

    run(work)


NUMBERS = ("true", "1.5", "1e400", "Infinity", "NaN", "-1", "65536", "9" * 5000)
OTHERS = ("null", "[]", "{}", "[" * 10**5, r'"\ud800"', r'"\u0000"', '"' + "a" * 200 + '"')
ODD = {
    "roster": (*NUMBERS, *OTHERS[:6], '"zz"'),
    "log": (*NUMBERS, *OTHERS, '""', '".."', '"a/b.hearts"', '"../a.hearts"', '"' + "a" * 300),
    "curve": (*NUMBERS, *OTHERS, '""', '"00"', '"' + "00" * 40 + '"'),
    "port": (*NUMBERS, *OTHERS, '"7000"'),
    "code": (*NUMBERS, *OTHERS),
    "door": (*NUMBERS, *OTHERS, '"7000"'),
}


@pytest.mark.parametrize("field", ODD)
def test_seats__a_damaged_file_is_said_whatever_the_damage(tmp_path: Path, field: str) -> None:
    home = Home(tmp_path)
    seat = Seat(b"roster", "a.hearts", CurveKeys.generate().secret, 7000, "WXYZ", 7001)
    home.keep_seat(seat)
    assert home.seats() == (seat,)
    path = home.seat_path(b"roster")
    values = json.loads(path.read_bytes())
    texts = [json.dumps({**values, field: "ODD"}).replace('"ODD"', odd) for odd in ODD[field]]
    texts.append(json.dumps({name: value for name, value in values.items() if name != field}))
    for text in (*texts, "", "[]", "7", texts[0][:50]):
        path.write_text(text)
        with pytest.raises(HomeError, match=f"{path.name} is damaged; move it away"):
            home.seats()
    home.close()


def test_come_back__with_another_link_key_than_the_rosters_says_that_the_seat_is_damaged(
    tmp_path: Path,
) -> None:
    async def work() -> None:
        async with Room(tmp_path, held=True) as room:
            await caio_vanishes(room)
            with pytest.raises(HomeError, match=r"seats/.*\.json is damaged; move it away"):
                await try_to_return(tmp_path / "Caio", CurveKeys.generate())

    run(work)


def test_come_back__with_a_secret_that_cannot_be_read_is_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        async with Room(tmp_path, held=True) as room:
            await caio_vanishes(room)

            def unreadable(path: Path) -> bytes:
                raise cannot_read(path, OSError(errno.EIO, "Input/output error"))

            monkeypatch.setattr(secret_store, "_read", unreadable)
            with pytest.raises(ReturnError, match=r"Input/output error\. Nothing was sent\.$"):
                await try_to_return(tmp_path / "Caio")
            monkeypatch.undo()
            await room.resume("Caio")

    run(work)
