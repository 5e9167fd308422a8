"""The player's own folder: private, locked, durable, and clear about what is damaged."""

from __future__ import annotations

import argparse
import json
import os
import stat
from pathlib import Path

import pytest

from p2p_hearts.commands.common import open_home
from p2p_hearts.home import Home, HomeError, Seat, found_folder, is_used
from p2p_hearts.net.keys import CurveKeys
from p2p_hearts.node.people import People
from p2p_hearts.ui.status import Acquaintance
from p2p_hearts.wire.envelope import Identity
from tests.programs import Program, run

TABLE = b"t" * 32


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_home__is_made_and_nobody_else_may_look(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        home = Home(tmp_path / "new" / "home")
        home.secrets.hand(TABLE, 1, 1, fresh=True)
        home.meet("Ana", b"a" * 32)
    finally:
        os.umask(before)
    for path in home.path.rglob("*"):
        assert mode(path) == (0o700 if path.is_dir() else 0o600), path
    assert mode(home.path) == 0o700
    home.close()


def test_home__keeps_its_identity(tmp_path: Path) -> None:
    first = Home(tmp_path)
    key = first.identity.public
    first.close()
    second = Home(tmp_path)
    assert second.identity.public == key
    second.close()
    other = Home(tmp_path / "other")
    assert other.identity.public != key
    other.close()


def test_home__one_process_at_a_time(tmp_path: Path) -> None:
    home = Home(tmp_path)
    with pytest.raises(HomeError, match="another p2p-hearts is using"):
        Home(tmp_path)
    home.close()
    Home(tmp_path).close()


def test_home__tells_whether_it_is_used(tmp_path: Path) -> None:
    assert not is_used(tmp_path)
    home = Home(tmp_path)
    assert is_used(tmp_path)
    home.close()
    assert not is_used(tmp_path)


def test_home__is_free_again_after_a_process_was_killed(tmp_path: Path) -> None:
    arguments = ("host", "--events", "--auto", "normal", "--port", "0", "--interface", "127.0.0.1")
    with Program(*arguments, home=tmp_path) as program:
        program.wait_event("open")
        refused = run("join", "127.0.0.1:1", home=tmp_path)
        assert (refused.code, "another p2p-hearts is using" in refused.err) == (2, True)
        program.process.kill()
        program.process.wait(60)
    Home(tmp_path).close()


@pytest.mark.parametrize("content", [b"", b"short", b"x" * 33])
def test_home__a_damaged_identity_is_refused_and_the_lock_let_go(
    tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "identity").write_bytes(content)
    with pytest.raises(HomeError, match="identity is damaged; move it away"):
        Home(tmp_path)
    assert (tmp_path / "identity").read_bytes() == content
    (tmp_path / "identity").unlink()
    Home(tmp_path).close()


def test_home__an_identity_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "identity").mkdir()
    with pytest.raises(HomeError, match="identity cannot be read: Is a directory"):
        Home(tmp_path)


def test_secrets__are_random_durable_and_the_same_until_forgotten(tmp_path: Path) -> None:
    home = Home(tmp_path)
    one = home.secrets.hand(TABLE, 1, 1, fresh=True)
    assert len(one) == 32
    others = {
        home.secrets.hand(TABLE, 2, 1, fresh=True),
        home.secrets.hand(TABLE, 1, 2, fresh=True),
        home.secrets.hand(b"u" * 32, 1, 1, fresh=True),
        home.secrets.nonce(TABLE),
        home.secrets.table_key(TABLE),
    }
    assert len(others | {one}) == 6
    home.close()
    again = Home(tmp_path)
    assert again.secrets.hand(TABLE, 1, 1, fresh=False) == one
    again.secrets.forget(TABLE, 1, 1)
    with pytest.raises(LookupError):
        again.secrets.hand(TABLE, 1, 1, fresh=False)
    assert again.secrets.hand(TABLE, 1, 1, fresh=True) != one
    again.close()


def test_secrets__are_on_the_disk_before_they_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home(tmp_path)
    synced: list[bytes] = []
    fsync = os.fsync

    def watched(handle: int) -> None:
        if stat.S_ISREG(os.fstat(handle).st_mode):
            synced.append(os.pread(handle, 64, 0))
        fsync(handle)

    monkeypatch.setattr(os, "fsync", watched)
    monkeypatch.setattr(os, "open", open_for_reading_too(os.open))
    secret = home.secrets.nonce(TABLE)
    assert synced == [secret]
    home.close()


def open_for_reading_too(real: object) -> object:
    def opened(path: Path, flags: int, mode: int = 0o777) -> int:
        flags = flags & ~os.O_WRONLY | os.O_RDWR if flags & os.O_WRONLY else flags
        assert callable(real)
        handle = real(path, flags, mode)
        assert isinstance(handle, int)
        return handle

    return opened


def test_secrets__forgotten_ones_are_overwritten_and_gone(tmp_path: Path) -> None:
    home = Home(tmp_path)
    secret = home.secrets.hand(TABLE, 1, 1, fresh=True)
    (path,) = (tmp_path / "secrets").iterdir()
    assert path.read_bytes() == secret
    shadow = tmp_path / "shadow"
    shadow.hardlink_to(path)
    home.secrets.forget(TABLE, 1, 1)
    home.secrets.forget(TABLE, 1, 1)
    assert not path.exists()
    assert shadow.read_bytes() == bytes(32)
    home.close()


@pytest.mark.parametrize("fresh", [True, False])
def test_secrets__what_cannot_be_read_is_neither_lost_nor_another(
    tmp_path: Path, fresh: bool
) -> None:
    home = Home(tmp_path)
    home.secrets.hand(TABLE, 1, 1, fresh=True)
    (path,) = (tmp_path / "secrets").iterdir()
    path.unlink()
    path.mkdir()
    with pytest.raises(HomeError, match="cannot be read: Is a directory"):
        home.secrets.hand(TABLE, 1, 1, fresh=fresh)
    home.close()


def test_found_folder__says_that_it_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    identity = Identity.from_private_bytes(bytes(32))
    with pytest.raises(HomeError, match="cannot be written: Not a directory"):
        found_folder(tmp_path / "file" / "home", identity)


def test_secrets__of_a_table_that_is_over_are_gone(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.secrets.table_key(TABLE)
    rosters = [b"1" * 32, b"2" * 32]
    for roster in rosters:
        home.secrets.nonce(roster)
    home.secrets.forget_table(TABLE, rosters)
    assert not list((tmp_path / "secrets").iterdir())
    home.close()


def test_secrets__a_damaged_one_that_was_committed_to_is_never_replaced_by_another(
    tmp_path: Path,
) -> None:
    home = Home(tmp_path)
    home.secrets.hand(TABLE, 1, 1, fresh=True)
    (path,) = (tmp_path / "secrets").iterdir()
    path.write_bytes(b"half")
    for _ in range(2):
        with pytest.raises(HomeError, match="is damaged, so this hand cannot go on"):
            home.secrets.hand(TABLE, 1, 1, fresh=False)
    assert path.read_bytes() == b"half"
    home.close()


@pytest.mark.parametrize("content", [b"", b"half", b"x" * 33])
def test_secrets__a_damaged_one_that_nobody_was_told_of_is_drawn_anew(
    tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    home = Home(tmp_path)
    before = home.secrets.hand(TABLE, 1, 1, fresh=True)
    (path,) = (tmp_path / "secrets").iterdir()
    path.write_bytes(content)
    secret = home.secrets.hand(TABLE, 1, 1, fresh=True)
    assert (len(secret), path.read_bytes()) == (32, secret)
    assert secret != before
    assert home.secrets.hand(TABLE, 1, 1, fresh=False) == secret
    assert f"{path} was damaged before it was used; another secret is drawn" in caplog.text
    home.close()


def test_secrets__a_file_that_a_crash_left_half_written_is_not_used(tmp_path: Path) -> None:
    home = Home(tmp_path)
    secret = home.secrets.nonce(TABLE)
    (path,) = (tmp_path / "secrets").iterdir()
    path.rename(path.with_name(path.name + ".part"))
    assert home.secrets.nonce(TABLE) != secret
    home.close()


def test_home__a_full_disk_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = Home(tmp_path)

    def full(handle: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(HomeError, match="cannot be written: No space left on device"):
        home.secrets.nonce(TABLE)
    monkeypatch.undo()
    assert len(home.secrets.nonce(TABLE)) == 32
    home.close()


def test_players__a_known_name_with_another_key_is_a_warning_every_time(tmp_path: Path) -> None:
    home = Home(tmp_path)
    assert home.meet("Ana", b"a" * 32) is None
    assert home.meet("Budi", b"b" * 32) is None
    assert home.meet("Ana", b"a" * 32) is None
    for _ in range(2):
        warning = home.meet("Ana", b"x" * 32)
        assert warning is not None
        assert "Ana has another key than the Ana you met before" in warning
    home.close()
    again = Home(tmp_path)
    assert again.meet("Ana", b"a" * 32) is None
    assert again.meet("Ana", b"x" * 32) is not None
    again.close()


@pytest.mark.parametrize("name", ["ANA", "ana", "\uff21na"])
def test_players__a_known_name_in_other_letters_with_another_key_is_a_warning(
    tmp_path: Path, name: str
) -> None:
    home = Home(tmp_path)
    assert home.meet("Ana", b"a" * 32) is None
    warning = home.meet(name, b"x" * 32)
    assert warning is not None
    assert f"this {name} has another key" in warning
    assert home.meet(name, b"a" * 32) is None
    assert home.key_of(name) == b"a" * 32
    people = People(home)
    assert people.known(name, b"x" * 32) is Acquaintance.CHANGED
    people.sit([("Budi", b"b" * 32), ("BUDI", b"y" * 32)])
    assert people.known("BUDI", b"y" * 32) is Acquaintance.CHANGED
    assert len(people.warnings) == 1
    home.close()


def test_players__an_older_file_keeps_the_first_of_two_keys_of_one_name(tmp_path: Path) -> None:
    home, path = Home(tmp_path), tmp_path / "players.json"
    path.write_text('{"Ana": "aa", "Budi": "bb", "ANA": "cc", "Zo\u00eb": "dd"}')
    for name in ("Ana", "ANA", "ana"):
        assert home.key_of(name) == b"\xaa"
    assert home.key_of("budi") == b"\xbb"
    assert home.meet("ANA", b"\xcc") is not None
    assert home.meet("ZOE\u0308", b"\xdd") is None
    assert json.loads(path.read_bytes()) == {"budi": "bb", "ana": "aa", "zo\u00eb": "dd"}
    home.close()


@pytest.mark.parametrize("content", [b"", b"[]", b'{"Ana": 1}', b"\xff", b"nonsense"])
def test_players__a_damaged_file_is_said_and_not_overwritten(
    tmp_path: Path, content: bytes
) -> None:
    home = Home(tmp_path)
    (tmp_path / "players.json").write_bytes(content)
    with pytest.raises(HomeError, match=r"players\.json is damaged"):
        home.meet("Ana", b"a" * 32)
    assert (tmp_path / "players.json").read_bytes() == content
    home.close()


def test_secrets__that_a_killed_program_has_left_are_erased_where_no_place_is_kept(
    tmp_path: Path,
) -> None:
    home = Home(tmp_path)
    home.secrets.table_key(TABLE)
    (path,) = (tmp_path / "secrets").iterdir()
    beside = tmp_path / "beside"
    beside.hardlink_to(path)
    home.close()  # As the system does with a process that is killed.
    open_home(argparse.Namespace(home=tmp_path)).close()
    assert not list((tmp_path / "secrets").iterdir())
    assert beside.read_bytes() == bytes(32)


@pytest.mark.parametrize("is_sound", [True, False])
def test_secrets__are_kept_as_long_as_any_place_is_however_damaged(
    tmp_path: Path, is_sound: bool
) -> None:
    home = Home(tmp_path)
    secret = home.secrets.hand(TABLE, 1, 1, fresh=True)
    home.keep_seat(Seat(b"a roster", "a.hearts", CurveKeys.generate().secret, 7000))
    if not is_sound:
        home.seat_path(b"a roster").write_bytes(b"damaged")
    home.erase_leftovers()
    assert home.secrets.hand(TABLE, 1, 1, fresh=False) == secret
