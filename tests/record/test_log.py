from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from zlib import crc32

import pytest

from p2p_hearts.record import records as form
from p2p_hearts.record.log import LogBusyError, LogWriter, begin_log, keep_damaged, read_log
from p2p_hearts.record.records import (
    LogDamageError,
    LogError,
    LogTornError,
    NotALogError,
    RecordKind,
    open_start,
)
from p2p_hearts.wire.envelope import Identity
from tests.record.maker import boundaries, write

ITEMS = [
    (RecordKind.START, b"start"),
    (RecordKind.ROSTER, b""),
    *((RecordKind.CONTENT, bytes([number]) * number * 7) for number in range(1, 9)),
]


def read(source: Path | bytes) -> list[tuple[RecordKind, bytes]]:
    return [(record.kind, record.data) for record in read_log(source)]


def make(path: Path) -> None:
    with LogWriter.create(path) as log:
        for kind, data in ITEMS:
            log.append(kind, data)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.hearts"


def test_log__returns_what_was_appended_in_order(path: Path) -> None:
    make(path)
    assert read(path) == ITEMS
    assert read(path.read_bytes()) == ITEMS
    assert path.read_bytes() == write(ITEMS)


def test_log__is_for_its_owner_only(path: Path) -> None:
    make(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_log__goes_on_where_it_ended(path: Path) -> None:
    make(path)
    with LogWriter.open(path) as log:
        assert log.torn is None
        log.append(RecordKind.CONTENT, b"more")
    assert read(path) == [*ITEMS, (RecordKind.CONTENT, b"more")]
    assert path.read_bytes() == write(read(path))


def test_log__never_overwrites_another(path: Path) -> None:
    make(path)
    with pytest.raises(FileExistsError):
        LogWriter.create(path)
    assert read(path) == ITEMS


def test_log__shows_appended_records_before_it_is_closed(path: Path) -> None:
    log = LogWriter.create(path)
    log.append(RecordKind.CONTENT, b"one")
    assert read(path) == [(RecordKind.CONTENT, b"one")]
    log.close()
    log.close()


def test_log__has_one_writer(path: Path) -> None:
    make(path)
    with LogWriter.open(path):
        with pytest.raises(LogBusyError, match="another p2p-hearts"):
            LogWriter.open(path)
        code = (
            "import sys\nfrom p2p_hearts.record.log import LogWriter, LogBusyError\n"
            "try:\n    LogWriter.open(sys.argv[1])\nexcept LogBusyError:\n    sys.exit(7)\n"
        )
        run = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
        assert run.returncode == 7
    LogWriter.open(path).close()


def test_log__sync_reaches_the_disk_and_only_when_needed(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        synced.append(os.fstat(descriptor).st_size)
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    with LogWriter.create(path) as log:
        before = len(synced)
        assert before == 2, "the file, and the folder that names it"
        log.append(RecordKind.CONTENT, b"x")
        log.append(RecordKind.CONTENT, b"y")
        log.sync()
        assert synced[before:] == [path.stat().st_size]
        log.sync()
    assert len(synced) == before + 1


@pytest.mark.parametrize("cut", [1, 5, form.HEADER_BYTES, form.HEADER_BYTES + 3])
def test_log__cuts_a_torn_tail_and_keeps_a_copy(path: Path, cut: int) -> None:
    make(path)
    whole = path.read_bytes()
    ends = list(boundaries(whole))
    torn = whole[ends[-2] : ends[-2] + cut]
    path.write_bytes(whole[: ends[-2]] + torn)
    with pytest.raises(LogTornError) as error:
        read(path)
    assert error.value.offset == ends[-2]
    with LogWriter.open(path) as log:
        assert log.torn is not None
        assert log.torn.read_bytes() == torn
        assert stat.S_IMODE(log.torn.stat().st_mode) == 0o600
        log.append(RecordKind.CONTENT, b"again")
    assert read(path) == [*ITEMS[:-1], (RecordKind.CONTENT, b"again")]


def test_log__keeps_every_copy_of_a_tail(path: Path) -> None:
    for tail in (b"one", b"two"):
        if not path.exists():
            make(path)
        with path.open("ab") as file:
            file.write(tail)
        LogWriter.open(path).close()
    assert sorted(copy.read_bytes() for copy in path.parent.glob("*.torn-*")) == [b"one", b"two"]
    assert read(path) == ITEMS


def test_log__cuts_space_that_was_never_written(path: Path) -> None:
    make(path)
    with path.open("ab") as file:
        file.write(bytes(5000))
    with LogWriter.open(path) as log:
        assert log.torn is not None
    assert read(path) == ITEMS


def flips(data: bytes) -> Iterator[tuple[int, bytes]]:
    for offset in range(len(data)):
        changed = bytearray(data)
        changed[offset] ^= 1 << offset % 8
        yield offset, bytes(changed)


def test_log__finds_every_flipped_byte() -> None:
    whole = write(ITEMS)
    ends = list(boundaries(whole))
    for offset, changed in flips(whole):
        with pytest.raises(LogError) as error:
            read(changed)
        assert not isinstance(error.value, LogTornError)
        if isinstance(error.value, LogDamageError):
            assert error.value.offset == max(end for end in ends if end <= offset)
            assert f"byte {error.value.offset}" in str(error.value)
        else:
            assert offset < len(form.MAGIC)


def test_log__never_repairs_damage_in_the_middle(path: Path) -> None:
    make(path)
    whole = path.read_bytes()
    for offset in list(boundaries(whole))[:-1]:
        changed = bytearray(whole)
        changed[offset + 2] ^= 1  # in the length of a record
        path.write_bytes(changed)
        with pytest.raises(LogDamageError):
            LogWriter.open(path)
        assert path.read_bytes() == changed


def test_log__finds_records_left_out_moved_or_repeated() -> None:
    whole = write(ITEMS)
    ends = list(boundaries(whole))
    pieces = [whole[start:end] for start, end in pairwise(ends)]
    for wrong in (
        pieces[1:],
        pieces[:3] + pieces[4:],
        [*pieces[:3], pieces[4], pieces[3], *pieces[5:]],
        [*pieces[:4], pieces[3], *pieces[4:]],
    ):
        with pytest.raises(LogDamageError, match="does not follow"):
            read(form.MAGIC + b"".join(wrong))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"PK\x03\x04 some other file, long enough", "no p2p-hearts log"),
        (b"p2p-hearts log 2\n....", "another version"),
        (form.MAGIC[:-1], "no p2p-hearts log"),
    ],
)
def test_log__says_that_a_file_is_no_log(path: Path, data: bytes, words: str) -> None:
    path.write_bytes(data)
    with pytest.raises(NotALogError, match=words):
        read(path)
    with pytest.raises(NotALogError, match=words):
        LogWriter.open(path)
    assert path.read_bytes() == data


def test_log__says_which_kinds_of_record_it_does_not_know() -> None:
    record, _ = form.make_record(form.FIRST_CHAIN, 9, b"")  # type: ignore[arg-type]
    with pytest.raises(LogDamageError, match="no record of kind 9"):
        read(form.MAGIC + record)


def test_log__refuses_a_record_that_is_too_long(path: Path) -> None:
    with LogWriter.create(path) as log, pytest.raises(ValueError, match="at most"):
        log.append(RecordKind.CONTENT, bytes(form.MAX_PAYLOAD))
    assert read(path) == []


def test_log__believes_no_length_of_a_record() -> None:
    size = (form.MAX_PAYLOAD + 1).to_bytes(4, "big")
    header = size + crc32(size).to_bytes(4, "big") + bytes(36)
    with pytest.raises(LogDamageError, match="cannot have"):
        read(form.MAGIC + header)


def test_log__is_as_before_when_the_disk_is_full(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import p2p_hearts.record.log as module

    real = module._write
    with LogWriter.create(path) as log:
        log.append(RecordKind.CONTENT, b"before")

        def full(file: object, data: bytes) -> None:
            real(file, data[:10])  # type: ignore[arg-type]
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(module, "_write", full)
        with pytest.raises(OSError, match="No space"):
            log.append(RecordKind.CONTENT, b"lost")
        monkeypatch.setattr(module, "_write", real)
        log.append(RecordKind.CONTENT, b"after")
    assert read(path) == [(RecordKind.CONTENT, b"before"), (RecordKind.CONTENT, b"after")]


def no_space(*arguments: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_log__takes_nothing_more_after_a_sync_that_failed(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = LogWriter.create(path)
    log.append(RecordKind.CONTENT, b"perhaps on the disk")
    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(OSError, match="No space"):
        log.sync()
    monkeypatch.undo()
    with pytest.raises(OSError, match="closed to more"):
        log.append(RecordKind.CONTENT, b"after it")
    with pytest.raises(OSError, match="closed to more"):
        log.sync()  # the system would say now that all is well
    log.close()


def test_log__is_closed_and_free_also_where_the_last_sync_fails(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = LogWriter.create(path)
    log.append(RecordKind.CONTENT, b"x")
    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(OSError, match="No space"):
        log.close()
    monkeypatch.undo()
    LogWriter.open(path).close()


def test_log__that_cannot_be_made_leaves_no_file_behind(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = Identity.from_private_bytes(bytes(32))
    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(OSError, match="No space"):
        LogWriter.create(path)
    assert not path.exists()
    monkeypatch.undo()
    monkeypatch.setattr(LogWriter, "append", no_space)
    with pytest.raises(OSError, match="No space"):
        begin_log(path, owner, b"roster", 0)
    assert not path.exists()
    monkeypatch.undo()
    begin_log(path, owner, b"roster", 7).close()
    (start, roster) = read(path)
    assert open_start(start[1]).owner == owner.public
    assert roster == (RecordKind.ROSTER, b"roster")


def test_log__keeps_its_torn_tail_until_a_whole_copy_of_it_is_made(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(path)
    with path.open("ab") as file:
        file.write(b"torn")
    before = path.read_bytes()
    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(OSError, match="No space"):
        LogWriter.open(path)
    monkeypatch.undo()
    assert [item.name for item in path.parent.iterdir()] == [path.name]
    assert path.read_bytes() == before


@pytest.mark.parametrize("links", [True, False])
def test_log__a_damaged_one_is_kept_whole_and_on_the_disk_under_another_name(
    path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    make(path)
    path.write_bytes(path.read_bytes()[::-1])
    synced: set[tuple[int, int]] = set()

    def fsync(descriptor: int) -> None:
        status = os.fstat(descriptor)
        synced.add((status.st_ino, status.st_size))

    monkeypatch.setattr(os, "fsync", fsync)
    if not links:
        monkeypatch.setattr(Path, "hardlink_to", no_space)
    kept = [keep_damaged(path), keep_damaged(path)]
    assert [item.name for item in kept] == [f"{path.name}.damaged-{n}" for n in (1, 2)]
    assert all(item.read_bytes() == path.read_bytes() for item in kept)
    assert {path.parent.stat().st_ino} <= {number for number, _size in synced}
    if not links:
        assert {(item.stat().st_ino, path.stat().st_size) for item in kept} <= synced


def test_log__of_a_damaged_one_that_cannot_be_kept_nothing_is_left_beside_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(path)
    before = path.read_bytes()
    monkeypatch.setattr(Path, "hardlink_to", no_space)
    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(OSError, match="No space"):
        keep_damaged(path)
    assert list(path.parent.iterdir()) == [path]
    assert path.read_bytes() == before


def test_log__takes_the_place_of_an_older_one_whole(path: Path) -> None:
    make(path)
    with LogWriter.create(path.with_name("newer")) as log:
        log.append(RecordKind.CONTENT, b"new")
        log.take_place_of(path)
        assert log.path == path
        log.append(RecordKind.CONTENT, b"newer")
    assert read(path) == [(RecordKind.CONTENT, b"new"), (RecordKind.CONTENT, b"newer")]
    assert list(path.parent.iterdir()) == [path]


def test_log__is_read_one_record_at_a_time() -> None:
    class Counting:
        def __init__(self, data: bytes) -> None:
            self.data, self.taken = data, 0

        def read(self, size: int, /) -> bytes:
            piece = self.data[self.taken : self.taken + size]
            self.taken += len(piece)
            return piece

    stream = Counting(write(ITEMS))
    for record in form.read_records(stream):
        assert stream.taken == record.end
