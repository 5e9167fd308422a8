"""The folders of a host's computer players: there while there is a way back to their table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from p2p_hearts.commands import companions
from p2p_hearts.commands.companions import Companions, new_folder, was_alone
from p2p_hearts.commands.peers import BOT_NAMES
from p2p_hearts.home import Home, HomeError
from p2p_hearts.net.codes import Address
from p2p_hearts.node.people import People
from p2p_hearts.node.terms import NodeError
from tests.node.peers import until

TABLE, OTHER = b"t" * 32, b"o" * 32


def test_new_folder__remembers_how_they_play_and_whether_the_table_is_of_this_machine_alone(
    tmp_path: Path,
) -> None:
    home = Home(tmp_path)
    folder = new_folder(home, TABLE, "easy", "127.0.0.1")
    assert companions._how(folder) == ("easy", True)
    assert was_alone(home, TABLE)
    assert not was_alone(home, OTHER)
    assert companions._how(new_folder(home, OTHER, "hard", None)) == ("hard", False)
    home.close()


@pytest.mark.parametrize("text", ["", "[]", '{"level": 3, "alone": 1}', '{"level": "best"}'])
def test_how__what_is_damaged_is_as_usual(tmp_path: Path, text: str) -> None:
    (tmp_path / "how.json").write_text(text)
    assert companions._how(tmp_path) == ("normal", False)


def test_new_folder__those_of_tables_without_a_way_back_go(tmp_path: Path) -> None:
    home = Home(tmp_path)
    before = new_folder(home, TABLE, "easy", None)
    after = new_folder(home, OTHER, "easy", None)
    assert (before.exists(), after.exists()) == (False, True)
    home.close()


def test_new_folder__a_damaged_place_at_another_table_is_in_nobody_s_way(tmp_path: Path) -> None:
    home = Home(tmp_path)
    before = new_folder(home, TABLE, "easy", None)
    (tmp_path / "seats" / "damaged.json").write_text("{")
    after = new_folder(home, OTHER, "easy", None)
    assert (before.exists(), after.exists()) == (True, True)
    home.close()


def test_new_folder__of_tables_that_were_left_the_latest_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = [SimpleNamespace(instance=bytes([number]) * 32) for number in range(12)]
    monkeypatch.setattr(companions, "open_seats", lambda home: [(None, roster) for roster in left])
    home = Home(tmp_path)
    for roster in left:
        (home.path / "computers" / roster.instance.hex()[:32]).mkdir(parents=True)
    new_folder(home, TABLE, "easy", None)
    names = {path.name for path in (home.path / "computers").iterdir()}
    assert names == {
        item.hex()[:32] for item in (TABLE, *(roster.instance for roster in left[:10]))
    }
    home.close()


def test_new_folder__where_nothing_can_be_made_it_is_said(tmp_path: Path) -> None:
    home = Home(tmp_path)
    (tmp_path / "computers").write_text("")
    with pytest.raises(HomeError, match=r"computers/.* cannot be written: "):
        new_folder(home, TABLE, "easy", None)
    home.close()


class Sitting:
    """A founder's lobby as far as it counts here: who sits, and how many seats are free."""

    def __init__(self, home: Home) -> None:
        self.nicks = ["Ana"]
        self.identities = [home.identity.public]
        self.roster: object = None
        self.left_out: set[bytes] = set()

    def has_left_out(self, identity: bytes) -> bool:
        return identity in self.left_out

    @property
    def free(self) -> int:
        return 3 - len(self.nicks)

    def sit(self, nick: str, identity: bytes) -> None:
        self.nicks.append(nick)
        self.identities.append(identity)


class Started:
    """In place of processes: who was started, and an end that somebody else brings about."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.ends: dict[str, asyncio.Future[str | None]] = {}

    async def start_bot(self, number: int, name: str, *words: object, **more: object) -> str:
        self.names.append(name)
        self.ends[name] = asyncio.get_running_loop().create_future()
        return name

    async def failure(self, name: str) -> str | None:
        return await self.ends[name]

    async def __aexit__(self, *error: object) -> None: ...


def arguments_of(**changes: object) -> SimpleNamespace:
    """What is typed for a host with a person, as far as it counts here."""
    usual = {"level": "easy", "pace": 0.0, "think": 0.0, "auto": None, "events": False}
    return SimpleNamespace(
        **{**usual, "port": None, "interface": None, "advertise": None, **changes}
    )


def host_of(home: Home, nick: str, fail: Callable[[Any], None]) -> Any:
    """A host's node before the draw, as far as it counts here."""
    return SimpleNamespace(
        formed=False, nick=nick, home=home, people=People(home), fail=fail, listeners=[]
    )


def test_companions__one_comes_to_every_free_seat_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(companions, "FIRST_PICTURE_SECONDS", 0.0)
    home, said = Home(tmp_path), list[str]()
    lobby, started = Sitting(home), Started()
    node = host_of(home, "Nara", said.append)
    arguments = arguments_of()

    async def work() -> None:
        coming = Companions(node, lobby, tmp_path, Address("127.0.0.1", 1), arguments)  # type: ignore[arg-type]
        coming._peers, coming.say = started, said.append  # type: ignore[assignment]
        async with coming:
            assert coming.add() == "A computer player comes in a moment."
            lobby.sit("Bo", b"b" * 32)
            refused = "There is no free seat for a computer player."
            assert (coming.may_add, coming.add()) == (False, refused)
            await until(lambda: len(started.names) == 1)
            assert started.names == ["Lena"], "the host is called Nara"
            # A person was faster: the seat is that person's, and the table goes on.
            started.ends["Lena"].set_result("this table is full")
            await until(lambda: said)
            assert said == ["A computer player could not sit down: this table is full"]
            await until(lambda: coming.may_add)
            lobby.roster = "signed"
            assert not coming.may_add
            lobby.roster = None  # it was given up, and a player is looked for anew
            coming.add()
            await until(lambda: len(started.names) == 2)
            lobby.sit("Lena", home.identity.companion("Lena").public)
            assert not coming.may_add
            # It fails; as long as it sits there, its seat is not free.
            started.ends["Lena"].set_result("stopped")
            await until(lambda: len(said) == 2)
            assert said[1] == (
                "A computer player has failed, and its seat is free again soon: stopped"
            )
            assert not coming.may_add
            # The formation is given up without it, and a player of its key can sit no more.
            lobby.nicks.pop()
            lobby.left_out.add(lobby.identities.pop())
            coming.add()
            await until(lambda: len(started.names) == 3)
            assert started.names[-1] == "Wira"
            started.ends["Wira"].set_result("stopped")
            await until(lambda: coming.may_add)
            lobby.left_out |= {home.identity.companion(name).public for name in BOT_NAMES}
            coming.add()
            await until(lambda: len(started.names) == 4)
            assert started.names[-1] == "Nara 2"

    asyncio.run(work())
    home.close()


@pytest.mark.parametrize("state", ["sits", "has left", "never sat"])
@pytest.mark.parametrize("auto", [None, "easy"])
def test_companions__one_that_had_a_seat_is_replaced_by_the_person_at_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, auto: str | None, state: str
) -> None:
    """Friends may wait there; only where nobody can seat another one the table is given up."""
    monkeypatch.setattr(companions, "FIRST_PICTURE_SECONDS", 0.0)
    home, said, failures = Home(tmp_path), list[str](), list[NodeError]()
    lobby, started = Sitting(home), Started()
    node = host_of(home, "Ana", failures.append)

    async def work() -> None:
        coming = Companions(
            node,
            lobby,  # type: ignore[arg-type]
            tmp_path,
            Address("127.0.0.1", 1),
            arguments_of(auto=auto),  # type: ignore[arg-type]
        )
        coming._peers, coming.say = started, said.append  # type: ignore[assignment]
        async with coming:
            coming.begin(1)
            await until(lambda: bool(started.names))
            if state != "never sat":
                lobby.sit("Nara", home.identity.companion("Nara").public)
            if state == "has left":  # in order, before its process has ended
                for listener in node.listeners:
                    listener()
                lobby.nicks.pop()
                lobby.identities.pop()
            started.ends["Nara"].set_result("it said nothing")
            await until(lambda: bool(said or failures))
        goes_on = auto is None and state != "never sat"
        assert (bool(said), bool(failures)) == (goes_on, not goes_on)

    asyncio.run(work())
    home.close()
