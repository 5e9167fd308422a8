"""An identity sealed with a passphrase: useless to who copies it, one sentence when it is wrong."""

from __future__ import annotations

import contextlib
import os
import pty
import subprocess
from pathlib import Path

import pytest

from p2p_hearts.home import Home, HomeError
from tests.programs import LONG, PROGRAM, clean_environment, run

WORD = "correct horse battery staple ü"


def sealed(path: Path, word: str = WORD, seal: bool = True) -> Home:
    return Home(path, passphrase=lambda: word, seal=seal)


def test_passphrase__seals_a_new_identity_and_opens_it_again(tmp_path: Path) -> None:
    first = sealed(tmp_path)
    private = first.identity.private_bytes()
    first.close()
    written = (tmp_path / "identity").read_bytes()
    assert private not in written
    assert (tmp_path / "identity").stat().st_mode & 0o777 == 0o600
    again = sealed(tmp_path, seal=False)
    assert again.identity.private_bytes() == private
    again.close()


def test_passphrase__seals_an_identity_that_was_not(tmp_path: Path) -> None:
    plain = Home(tmp_path)
    private = plain.identity.private_bytes()
    plain.close()
    sealed(tmp_path).close()
    assert private not in (tmp_path / "identity").read_bytes()
    assert [path.name for path in tmp_path.iterdir() if "part" in path.name] == []
    again = sealed(tmp_path, seal=False)
    assert again.identity.private_bytes() == private
    again.close()


@pytest.mark.parametrize("word", ["", "correct horse battery staple u", WORD + " "])
def test_passphrase__a_wrong_one_is_a_sentence_and_lets_the_folder_go(
    tmp_path: Path, word: str
) -> None:
    sealed(tmp_path).close()
    before = (tmp_path / "identity").read_bytes()
    with pytest.raises(HomeError, match="this is not the passphrase of the identity in"):
        sealed(tmp_path, word)
    with pytest.raises(HomeError, match="sealed with a passphrase"):
        Home(tmp_path)
    assert (tmp_path / "identity").read_bytes() == before
    sealed(tmp_path).close()


def test_passphrase__an_empty_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(HomeError, match="empty passphrase protects nothing"):
        sealed(tmp_path, "")
    assert not (tmp_path / "identity").exists()


def test_passphrase__any_flipped_bit_is_noticed(tmp_path: Path) -> None:
    sealed(tmp_path).close()
    path = tmp_path / "identity"
    whole = path.read_bytes()
    for at in (29, 45, 60, len(whole) - 1):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(HomeError, match="this is not the passphrase"):
            sealed(tmp_path)


def test_passphrase__of_the_environment_or_one_sentence(tmp_path: Path) -> None:
    where = ("join", "127.0.0.1:1", "--line")
    env = {"P2P_HEARTS_PASSPHRASE": WORD}
    first = run(*where, "--passphrase", home=tmp_path, env=env)
    assert "No table is open" in first.err
    assert len((tmp_path / "identity").read_bytes()) > 32
    assert run(*where, home=tmp_path, env=env).err == first.err
    for other, said in (
        ({"P2P_HEARTS_PASSPHRASE": "wrong"}, "this is not the passphrase of the identity"),
        ({}, "sealed with a passphrase, and there is no terminal to ask"),
    ):
        ended = run(*where, home=tmp_path, env=other)
        assert (ended.code, len(ended.sentences), said in ended.err) == (2, 1, True), ended
        assert WORD not in ended.err


def test_passphrase__is_asked_for_on_the_terminal_and_not_shown(tmp_path: Path) -> None:
    sealed(tmp_path).close()
    terminal, other_end = pty.openpty()
    asking = subprocess.Popen(
        [*PROGRAM, "join", "127.0.0.1:1", "--home", str(tmp_path)],
        stdin=other_end,
        stdout=other_end,
        stderr=other_end,
        env=clean_environment(),
        start_new_session=True,
    )
    os.close(other_end)
    screen, typed = b"", False
    try:
        # Read to its end: that of the program, which has the other end of the terminal.
        with contextlib.suppress(OSError):
            while data := os.read(terminal, 4096):
                screen += data
                if b"Passphrase of your identity" in screen and not typed:
                    # The terminal shows nothing any more: getpass asks after that.
                    os.write(terminal, WORD.encode() + b"\n")
                    typed = True
        asking.wait(LONG)
    finally:
        asking.kill()
        asking.wait(LONG)
        os.close(terminal)
    assert b"No table is open" in screen
    assert WORD.encode() not in screen
