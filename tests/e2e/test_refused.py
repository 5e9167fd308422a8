"""What stands in the way of sitting down: one sentence, the right code, and the table goes on."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2p_hearts.net.codes import join_code
from p2p_hearts.net.keys import CurveKeys
from p2p_hearts.node.terms import PORTS
from p2p_hearts.rules.options import PRESETS
from p2p_hearts.wire.envelope import Identity
from p2p_hearts.wire.lobby import TableCard, sign_lobby
from p2p_hearts.wire.messages import VERSION
from tests.e2e.tables import QUICK, address_of, bot, card_at, card_door, host, listening_ports
from tests.net.helpers import free_rows
from tests.programs import Ended, Program, audited, run, together, until

USAGE = 2
NO_SEAT = 3


@pytest.fixture
def opener(tmp_path: Path) -> Iterator[Program]:
    """A table that asks for a code and waits for players."""
    with host(tmp_path, "--code") as program:
        yield program


def join(where: str, home: Path, *arguments: str) -> Ended:
    return run("join", where, "--events", *QUICK, *arguments, home=home)


def sentence(ended: Ended) -> str:
    assert ended.err.startswith("p2p-hearts: ")
    assert ended.err.count("\n") == 1, ended.err
    return ended.err.removeprefix("p2p-hearts: ").strip()


def test_join__a_code_is_asked_for(opener: Program, tmp_path: Path) -> None:
    where = address_of(opener)
    plain, _, code = where.partition("#")
    without = join(plain, tmp_path / "Budi")
    assert (without.code, "asks for a join code: add --code" in sentence(without)) == (USAGE, True)
    half = join(f"{plain}#{code[:14]}", tmp_path / "Budi")
    assert (half.code, "asks for the whole join code" in sentence(half)) == (USAGE, True)
    other = "0000-0000-0000" if not code.startswith("0000-0000") else "1111-1111-1111"
    elsewhere = join(f"{plain}#{other}", tmp_path / "Budi")
    assert elsewhere.code == NO_SEAT
    assert "belongs to another host than the join code names" in sentence(elsewhere)


def test_join__five_wrong_codes_close_the_table_to_the_right_one(
    opener: Program, tmp_path: Path
) -> None:
    where = address_of(opener)
    right = where[-4:]
    wrong = where[:-4] + ("0000" if right != "0000" else "1111")
    for _ in range(5):
        refused = join(wrong, tmp_path / "Budi")
        assert refused.code == NO_SEAT
        assert sentence(refused) == (
            "You cannot sit at Sunday: the join code is wrong; ask the host for it."
        )
    for where_again in (wrong, where):
        closed = join(where_again, tmp_path / "Budi")
        assert (closed.code, "closed after five wrong tries" in sentence(closed)) == (NO_SEAT, True)
    assert opener.process.poll() is None


def test_join__the_host_itself_and_a_folder_in_use(opener: Program, tmp_path: Path) -> None:
    where = address_of(opener)
    busy = join(where, tmp_path / "Ana")
    assert busy.code == USAGE
    assert "another p2p-hearts is using" in sentence(busy)
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "identity").write_bytes((tmp_path / "Ana" / "identity").read_bytes())
    same = join(where, copy)
    assert same.code == NO_SEAT
    assert "you are this table's host already" in sentence(same)


@pytest.mark.parametrize("place", [0, 2], ids=["door", "table"])
def test_host__a_taken_port(tmp_path: Path, place: int) -> None:
    (first,) = free_rows(1, PORTS)
    port = first + place
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", port))
        busy.listen()
        ended = run("host", "--port", str(first), *QUICK, home=tmp_path)
    assert ended.code == USAGE
    assert sentence(ended).startswith(f"Port {port} is already taken on this machine.")
    assert ended.out == ""


def test_join__what_answers_is_no_table(tmp_path: Path) -> None:
    with socket.socket() as stranger:
        stranger.bind(("127.0.0.1", 0))
        stranger.listen()
        where = f"127.0.0.1:{stranger.getsockname()[1]}"
        silent = join(where, tmp_path)
    assert (silent.code, "does not answer" in sentence(silent)) == (USAGE, True)
    with card_door(lambda: b"SSH-2.0-OpenSSH_9.2") as port:
        foreign = join(f"127.0.0.1:{port}", tmp_path)
    assert foreign.code == NO_SEAT
    assert "no p2p-hearts table of this version" in sentence(foreign)


def make_card(identity: Identity, **changes: object) -> bytes:
    """Sign a card as an open table shows it, but for some fields."""
    fields: dict[str, object] = {
        "version": VERSION,
        "instance": secrets.token_bytes(32),
        "author": identity.public,
        "curve": CurveKeys.generate().public,
        "name": "Sunday",
        "host": "Ana",
        "lobby": 1,
        "rules": dict(PRESETS["black-lady"].to_dict()),
        "free": 3,
        "coded": False,
        "nicks": ["Ana"],
    }
    return sign_lobby(identity, TableCard(**{**fields, **changes}))  # type: ignore[arg-type]


def test_join__another_version(tmp_path: Path) -> None:
    identity = Identity(Ed25519PrivateKey.generate())
    with card_door(lambda: make_card(identity, version=VERSION + 1)) as port:
        ended = join(f"127.0.0.1:{port}#{join_code(identity.public)}", tmp_path)
    assert ended.code == NO_SEAT
    assert f"speaks protocol version {VERSION + 1}, this program {VERSION}" in sentence(ended)
    assert "install the same version" in sentence(ended)


def test_join__unknown_rules_and_names_with_escape_codes(tmp_path: Path) -> None:
    identity = Identity(Ed25519PrivateKey.generate())
    name = "\x1b[2J\x1b[31mSun\u202eday"
    rules = dict(PRESETS["black-lady"].to_dict()) | {"jokers": 2}
    with card_door(lambda: make_card(identity, name=name, rules=rules)) as port:
        ended = join(f"127.0.0.1:{port}", tmp_path)
    assert ended.code == USAGE
    assert "rules are not known to this program" in sentence(ended)
    assert "\x1b" not in ended.err + ended.out


def test_join__a_playing_table(tmp_path: Path) -> None:
    """With ports of its own choice: a firewall lets others reach a peer at no other."""
    first, second = free_rows(2, 2 * PORTS)
    opener = host(
        *(tmp_path, "--seats", "3", "--hands", "1", "--bots", "1"),
        *("--port", str(first)),
        hold=(1, 0),
    )
    with together(opener):
        where = address_of(opener)
        bots = [bot(tmp_path, where, "Caio", "--port", str(second))]
        with together(*bots):
            opener.wait_event("formed")
            assert listening_ports(opener.process.pid) == [first, first + 1, first + 2]
            assert listening_ports(bots[0].process.pid) == [second + 1, second + 2]
            late = join(where, tmp_path / "Dewi")
            opener.let_go()
            assert late.code == NO_SEAT
            assert sentence(late) == "You cannot sit at Sunday: this table is playing already."
            ends = [program.end() for program in (opener, *bots)]
    assert [ended.code for ended in ends] == [0, 0]
    assert audited(*(program.log for program in (opener, *bots)))["verdict"] == "clean"


def test_host__started_twice_takes_another_port_by_itself(tmp_path: Path) -> None:
    first = Program("host", "--events", *QUICK, home=tmp_path / "first")
    second = Program("host", "--events", *QUICK, home=tmp_path / "second")
    with together(first, second):
        assert first.wait_event("open")["port"] != second.wait_event("open")["port"]


def test_join__left_before_the_table_was_full_and_the_seat_is_free_again(
    opener: Program, tmp_path: Path
) -> None:
    where = address_of(opener)
    assert card_at(where).free == 3
    with bot(tmp_path, where, "Budi") as guest:
        guest.wait_event("stage", text="Waiting for players.")
        assert card_at(where).free == 2
        guest.stop()
        ended = guest.end()
    assert (ended.code, ended.err) == (4, "")
    # Its goodbye was on its way when it ended.
    until(lambda: card_at(where).free == 3)
