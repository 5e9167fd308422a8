"""Strangers at a lobby: few are answered. A known name with a new key: told loudly."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from p2p_hearts.cards.tablekey import make_table_key
from p2p_hearts.home import Home, found_folder
from p2p_hearts.net.keys import CurveKeys
from p2p_hearts.node.node import Node
from p2p_hearts.node.people import People
from p2p_hearts.node.reception import MAX_PASSERS_BY, PASSER_BY_ADDRESSES
from p2p_hearts.node.status import status_of
from p2p_hearts.node.terms import Where
from p2p_hearts.table.lobby import MAX_FORMATIONS, FounderLobby
from p2p_hearts.table.machine import Table
from p2p_hearts.ui.status import Acquaintance, LobbyStatus, Status
from p2p_hearts.wire.codec import decode, encode
from p2p_hearts.wire.envelope import Identity
from p2p_hearts.wire.lobby import Hello, Join, News, Roster, TableCard, open_lobby, sign_lobby
from p2p_hearts.wire.messages import VERSION
from tests.node.peers import HOST, RULES, Room, run, until
from tests.table.sim import make_hello, make_identities


def stranger(number: int, instance: bytes) -> tuple[bytes, bytes]:
    """The link key and the well signed request of somebody with sixteen addresses."""
    identity = make_identities(number + 1, "strangers")[number]
    curve = CurveKeys.generate().public
    key, proof = make_table_key(bytes(32), instance, identity.public, curve)
    places = [(f"127.0.9.{at + 1}", 9) for at in range(16)]
    hello = Hello(VERSION, instance, identity.public, curve, "Stranger", places, key, proof)
    return curve, encode(Join(sign_lobby(identity, hello), "", False, True))


def test_lobby__answers_few_strangers_at_few_addresses(tmp_path: Path) -> None:
    async def work() -> None:
        async with Room(tmp_path) as room:
            founder = (await room.found(code="ABCD")).node
            assert founder.founder is not None
            for number in range(3 * MAX_PASSERS_BY):
                founder.founder.receive(*stranger(number, room.card.instance), now=0.0)
            founder._stir.set()
            await until(lambda: len(founder.reception.passers_by) == MAX_PASSERS_BY)
            dialled = [
                founder.links.dialler.peers[key].addresses for key in founder.reception.passers_by
            ]
            assert max(map(len, dialled)) == PASSER_BY_ADDRESSES
            assert len(founder.links.peers) <= MAX_PASSERS_BY

    run(work)


def test_lobby__a_guest_is_answered_among_any_number_of_strangers(tmp_path: Path) -> None:
    async def work() -> None:
        async with Room(tmp_path) as room:
            founder = (await room.found()).node
            guest = (await room.join("Budi")).node
            assert founder.founder is not None
            await until(lambda: guest.guest is not None and len(guest.guest.nicks) == 2)
            founder.founder.receive(*stranger(0, room.card.instance), now=0.0)
            for number in range(1, 40):
                founder.founder.receive(*stranger(number, room.card.instance), now=0.0)
            founder._stir.set()
            await until(lambda: len(founder.links.peers) > 1)
            assert len(founder.links.peers) <= MAX_PASSERS_BY + 2
            assert guest.links.public_key in founder.links.peers

    run(work)


def test_players__a_known_name_with_a_new_key_is_told_in_the_lobby_and_at_the_table(
    tmp_path: Path,
) -> None:
    async def work() -> None:
        async with Room(tmp_path) as room:
            founder = (await room.found()).node
            assert founder.home.meet("Budi", bytes(32)) is None
            await room.join("Budi")
            await room.join("Caio")
            await until(lambda: founder.formed)
            (warning,) = status_of(founder).warnings
            assert "this Budi has another key than the Budi you met before" in warning
            assert warning.startswith("WARNING")
            status = status_of(founder)
            assert isinstance(status, Status)
            assert Acquaintance.CHANGED in status.people

    run(work)


def test_players__status_tells_who_is_known_new_changed_or_a_computer(tmp_path: Path) -> None:
    async def work() -> None:
        async with Room(tmp_path) as room:
            founder = (await room.found()).node
            home = founder.home
            assert home.key_of("Budi") is None
            budi = await room.join("Budi")
            home.meet("Budi", budi.node.home.identity.public)
            found_folder(tmp_path / "Caio", home.identity.companion("Caio"))
            await room.join("Caio")
            await until(lambda: founder.formed)
            status = status_of(founder)
            assert isinstance(status, Status)
            known = dict(zip(status.names, status.people, strict=True))
            assert known["Budi"] is Acquaintance.KNOWN
            assert known["Caio"] is Acquaintance.COMPUTER
            assert sorted(person.value for person in status.people) == ["computer", "known", "self"]
            assert home.key_of("Caio") is None  # its own computer players are no acquaintances
            assert status.warnings == ()
            await until(lambda: budi.node.formed)
            seen = status_of(budi.node)
            assert isinstance(seen, Status)
            assert sorted(person.value for person in seen.people) == ["new", "new", "self"]

    run(work)


def test_players__a_guest_finds_itself_in_the_list_of_the_lobby(tmp_path: Path) -> None:
    async def work() -> None:
        async with Room(tmp_path) as room:
            await room.found()
            budi = (await room.join("Budi")).node
            await until(lambda: len(_lobby(budi).players) == 2)
            assert _lobby(budi).people == (Acquaintance.NEW, Acquaintance.SELF)

    run(work)


def _lobby(node: Node) -> LobbyStatus:
    status = status_of(node)
    assert isinstance(status, LobbyStatus)
    return status


def test_players__so_many_are_remembered_and_the_oldest_go(tmp_path: Path) -> None:
    home = Home(tmp_path)
    (tmp_path / "players.json").write_text(
        "{" + ", ".join(f'"name {number}": "00"' for number in range(600)) + "}"
    )
    assert home.meet("Ana", b"a" * 32) is None
    text = (tmp_path / "players.json").read_text()
    assert ("name 599" in text, "name 0" in text, text.count("name")) == (True, False, 499)
    assert home.meet("Ana", b"b" * 32) is not None
    home.close()


def test_players__who_is_met_again_counts_as_the_latest_and_keeps_the_first_key(
    tmp_path: Path,
) -> None:
    home, path = Home(tmp_path), tmp_path / "players.json"
    home.meet_all([("Ana", b"a" * 32), ("Budi", b"b" * 32), ("Caio", b"c" * 32)])
    assert home.meet("Ana", b"a" * 32) is None
    assert list(json.loads(path.read_bytes())) == ["budi", "caio", "ana"]
    assert home.meet("Budi", b"x" * 32) is not None
    assert list(json.loads(path.read_bytes())) == ["caio", "ana", "budi"]
    assert home.key_of("Budi") == b"b" * 32
    home.close()


def rosters_of_a_host(host: Identity, guest: bytes) -> Iterator[bytes]:
    """Rosters of one table, each with one more player of a name that nobody has heard before."""
    own = sign_lobby(host, make_hello(host, 0))
    for number, identity in enumerate(make_identities(MAX_FORMATIONS, "puppets"), start=1):
        hello = replace(make_hello(identity, number), nick=f"Puppet {number}")
        roster = Roster(
            version=VERSION,
            instance=hello.instance,
            author=host.public,
            formation=number,
            name="Sunday",
            rules=dict(RULES.to_dict()),
            entries=[own, guest, sign_lobby(identity, hello)],
        )
        yield sign_lobby(host, roster)


def test_players__rosters_of_ever_new_names_make_nobody_forget_a_friend(tmp_path: Path) -> None:
    friend, (host,) = b"a" * 32, make_identities(1, "host")
    lobby = FounderLobby(host, sign_lobby(host, make_hello(host, 0)), RULES, "Sunday", 9)
    card = open_lobby(lobby.card(), TableCard)

    async def work() -> None:
        home = Home(tmp_path)
        home.meet_all([("Ana", friend), *((f"name {n}", friend) for n in range(499))])
        before = (tmp_path / "players.json").read_bytes()
        node = await Node.create(home, "Rui", Where(HOST))
        guest = node.ask_for_seat(card, [(HOST, 9)])
        own = decode(guest.join(), Join).hello
        for number, roster in enumerate(rosters_of_a_host(host, own), start=1):
            guest.receive(encode(News(card.instance, "", [], [], roster)))
            node._flush()
            assert node.table is not None
            assert node.table.roster.formation == number
        assert home.key_of("Ana") == friend
        assert (tmp_path / "players.json").read_bytes() == before
        await node.close()
        home.close()

    run(work)


def test_players__are_remembered_once_everybody_has_the_draw(tmp_path: Path) -> None:
    async def work() -> None:
        async with Room(tmp_path, held=True) as room:
            ana, budi = (await room.found()).node, (await room.join("Budi")).node
            await until(lambda: room.card.free == 1)
            async with room.quitter("Mute") as mute:

                def lacks_one(table: Table) -> bool:
                    entries = table.roster.entries
                    return {entries[w.seat].identity for w in table.waiting()} == {mute.public}

                await room.lose_patience(lacks_one)
                await until(lambda: room.card.free == 1)
                assert not (ana.home.path / "players.json").exists()
                assert not (budi.home.path / "players.json").exists()
            caio = (await room.join("Caio")).node
            nodes = {"Ana": ana, "Budi": budi, "Caio": caio}
            for node in nodes.values():
                path = node.home.path / "players.json"
                await until(path.exists)
                assert node.table is not None
                assert node.table.has_formed
                for nick, other in nodes.items():
                    known = None if other is node else other.home.identity.public
                    assert node.home.key_of(nick) == known
                assert node.home.key_of("Mute") is None

    run(work)


def test_people__tell_of_a_name_with_another_key_in_a_later_roster_of_the_table(
    tmp_path: Path,
) -> None:
    home = Home(tmp_path)
    people = People(home)
    people.sit([("Ana", b"a" * 32), ("Budi", b"b" * 32)])
    assert people.warnings == []
    people.sit([("Ana", b"a" * 32), ("Budi", b"x" * 32)])
    (warning,) = people.warnings
    assert "this Budi has another key" in warning
    assert people.known("Budi", b"x" * 32) is Acquaintance.CHANGED
    assert people.known("Ana", b"a" * 32) is Acquaintance.NEW
    people.remember()
    assert home.key_of("Ana") == b"a" * 32
    assert people.known("Ana", b"a" * 32) is Acquaintance.NEW
    assert People(home).known("Ana", b"a" * 32) is Acquaintance.KNOWN
    home.close()


def test_people__that_cannot_be_remembered_are_told_of_and_play(tmp_path: Path) -> None:
    home = Home(tmp_path)
    people = People(home)
    people.sit([("Ana", b"a" * 32)])
    (tmp_path / "players.json").write_bytes(b"damaged")
    people.remember()
    assert "players.json is damaged" in people.warnings[0]
    home.close()
