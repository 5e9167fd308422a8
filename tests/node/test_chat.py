"""Chat: signed, counted, few lines, harmless texts, no part of the game."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import structs

from p2p_hearts.commands.talk import talk
from p2p_hearts.home import Home, HomeError
from p2p_hearts.node.chat import (
    CARRIED,
    KEPT_LINES,
    LINES,
    MAX_LINE,
    NEW_AUTHOR_SECONDS,
    Chat,
    Unlisted,
)
from p2p_hearts.node.status import status_of, watched_status
from p2p_hearts.node.watching import WatchingNode
from p2p_hearts.record.log import read_log
from p2p_hearts.ui.status import Status
from p2p_hearts.wire.lobby import Remark, sign_lobby
from p2p_hearts.wire.messages import VERSION
from tests.node.peers import RULES, Room, run, until
from tests.table.sim import make_identities, seeded

ANA, BUDI, STRANGER = make_identities(3, "chat")
TABLE = seeded("roster")
ADA = b"a" * 40
LONG = "Wira whom nobody mutes"


def remark(number: int, text: str = "hello", **changes: object) -> bytes:
    said = Remark(VERSION, TABLE, BUDI.public, number, text)
    return sign_lobby(BUDI, structs.replace(said, **changes))


def chat_of_ana() -> Chat:
    chat = Chat(ANA)
    chat.table = TABLE
    return chat


def heard(chat: Chat, data: bytes, now: float = 0.0, source: bytes = ADA) -> str | None:
    line = chat.receive(source, data, now, lambda author: author != STRANGER.public)
    return None if line is None else line.text


def test_chat__takes_each_line_of_an_author_once_and_in_order() -> None:
    chat = chat_of_ana()
    assert heard(chat, remark(5)) == "hello"
    for old in (remark(5), remark(4, "before"), remark(5, "another")):
        assert heard(chat, old) is None
    assert heard(chat, remark(6, "more")) == "more"
    assert chat.dropped == 3


def test_chat__takes_nothing_forged_of_strangers_or_of_another_table() -> None:
    chat = chat_of_ana()
    right = remark(1)
    for wrong in (
        right[:-1] + bytes([right[-1] ^ 1]),
        remark(1, table=seeded("another roster of this founder")),
        sign_lobby(STRANGER, Remark(VERSION, TABLE, STRANGER.public, 1, "hi")),
        sign_lobby(STRANGER, Remark(VERSION, TABLE, BUDI.public, 1, "I am Budi")),
        b"",
        b"noise",
    ):
        assert heard(chat, wrong) is None
    assert not chat.lines
    assert heard(chat, right) == "hello", "a forged line takes no number"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2Jgone", "[2Jgone"),
        ("a\u202eb\u200bc\x00d\ne", "abcd e"),
        ("q" + "\u0301" * 50, "q\u0301\u0301"),
        ("x" * 399, "x" * MAX_LINE),
    ],
)
def test_chat__cleans_what_it_shows(text: str, shown: str) -> None:
    assert heard(chat_of_ana(), remark(1, text)) == shown


def test_chat__of_nothing_that_can_be_shown_is_dropped() -> None:
    assert heard(chat_of_ana(), remark(1, "\u200b\u202e\x07")) is None


def test_chat__takes_a_few_lines_at_once_and_ten_a_minute() -> None:
    chat = chat_of_ana()
    taken = [heard(chat, remark(number), 0.0) for number in range(1, 20)]
    assert sum(text is not None for text in taken) == LINES.burst
    late = [heard(chat, remark(100 + number), 1.0 + number) for number in range(60)]
    assert sum(text is not None for text in late) in (9, 10)
    assert len(chat.lines) <= KEPT_LINES


def test_unlisted__a_seat_that_invents_authors_makes_few_of_them_heard() -> None:
    unlisted, liar, honest = Unlisted(3), b"liar", b"honest"

    def bring(source: bytes, author: bytes, now: float) -> bool:
        if not unlisted.may_speak(source, author, now):
            return False
        unlisted.note(source, author, now)
        return True

    assert sum(bring(liar, seeded(n), float(n)) for n in range(200)) == 3
    assert bring(liar, seeded(0), 200.0), "who was heard before is heard further"
    assert bring(honest, b"wira", 200.0), "another seat has its own share"
    assert bring(liar, b"wira", 200.0), "and whom it made known may be brought by all"
    assert bring(liar, b"later", 200.0 + NEW_AUTHOR_SECONDS), "people come and go"


def test_chat__looks_at_few_signatures_of_a_peer_that_brings_forged_ones() -> None:
    chat = chat_of_ana()
    wrong = [remark(number)[:-1] + b"\xff" for number in range(1, 200)]
    for data in wrong:
        heard(chat, data)
    assert heard(chat, remark(500)) is None, "its peer has brought too much"
    assert heard(chat, remark(500), source=b"b" * 40) == "hello"
    assert len(wrong) > CARRIED.burst


def test_say__refuses_what_is_empty_too_long_or_too_much() -> None:
    chat = chat_of_ana()
    for text, reason in (("  \x00", "nothing to say"), ("x" * 121, "at most 120")):
        with pytest.raises(ValueError, match=reason):
            chat.say(text, 0.0)
    numbers = [chat.say(f"line {number}", 0.0).number for number in range(5)]
    assert numbers == sorted(set(numbers))
    with pytest.raises(ValueError, match="a lot at once"):
        chat.say("more", 0.0)


def shown(status: object) -> list[tuple[str, str]]:
    assert isinstance(status, Status)
    return [(remark.name, remark.text) for remark in status.chat]


def test_table__people_talk_watchers_only_where_they_may_and_nothing_is_in_a_log(
    tmp_path: Path,
) -> None:
    async def work() -> None:
        async with Room(tmp_path, replace(RULES, watcher_chat=True), held=True) as room:
            founder = await room.found()
            assert founder.node.say("too soon") == "There is nobody to talk to yet."
            watcher, other = await room.watch(LONG), await room.watch("Lena")
            budi, caio = await room.join("Budi"), await room.join("Caio")
            nodes = [founder.node, budi.node, caio.node]
            watching = [watcher.node, other.node]
            await until(lambda: all(node.table and node.table.draw for node in nodes))
            await until(lambda: all(node.table and node.table.draw for node in watching))
            await until(lambda: all(len(node._doors) == 3 for node in watching))
            assert talk(budi.node, "sweet \x1b[1mmarmalade") is None
            budi_line = ("Budi", "sweet [1mmarmalade")
            await until(lambda: budi_line in shown(status_of(caio.node)))
            assert shown(status_of(budi.node)) == [("You", "sweet [1mmarmalade")]
            await until(lambda: budi_line in shown(watched_status(watcher.node)))
            assert talk(watcher.node, "nice") is None
            said = (f"{LONG} (watching)", "nice")
            await until(lambda: all(said in shown(status_of(node)) for node in nodes))
            told = ("Somebody who watches", "nice")
            await until(lambda: told in shown(watched_status(other.node)))
            await watcher.close()
            await until(lambda: founder.node.company and len(founder.node.company.watchers) == 1)
            assert said in shown(status_of(founder.node)), "its name is remembered"
            assert talk(caio.node, "/mute budi") == "You no longer see what budi says."
            assert budi_line not in shown(status_of(caio.node))
            assert str(talk(caio.node, f"/mute {LONG} (watching)")).startswith("You no longer")
            assert said not in shown(status_of(caio.node)), "no name is too long to be muted"
            talk(caio.node, f"/unmute {LONG} (watching)")
            assert talk(caio.node, "/muted") == "Muted here: Budi."
            assert talk(caio.node, "/unmute Budi") == "You see again what Budi says."
            assert budi_line in shown(status_of(caio.node))
            assert talk(caio.node, "/mute nobody") == "Nobody here is called nobody."
            for peer in (founder, budi, caio):
                path = peer.node.log_path
                assert path is not None
                assert b"marmalade" not in path.read_bytes()
                assert list(read_log(path))

    run(work)


def test_watcher__takes_few_authors_that_a_seat_invents(tmp_path: Path) -> None:
    home = Home(tmp_path)
    chat, budi = Chat(home.identity), make_identities(2, "chat")[1]
    chat.table = TABLE
    roster = SimpleNamespace(entries=[SimpleNamespace(identity=budi.public)])
    for most in (0, 2):
        node: Any = SimpleNamespace(
            chat=chat,
            home=home,
            table=SimpleNamespace(roster=roster),
            _unlisted=Unlisted(most) if most else None,
        )
        for author in (*make_identities(12, "invented"), budi):
            said = Remark(VERSION, TABLE, author.public, 1 + most, "hi")
            WatchingNode._take_remark(node, ADA, sign_lobby(author, said), 0.0)
        by_seat = [line.author == budi.public for line in chat.lines]
        assert by_seat == [*[False] * most, True]
        chat.lines.clear()
    home.close()


def test_table__where_watchers_may_not_chat_they_are_heard_by_nobody(tmp_path: Path) -> None:
    async def work() -> None:
        async with Room(tmp_path, held=True) as room:
            founder = await room.found()
            watcher = await room.watch("Wira")
            await room.join("Budi")
            await room.join("Caio")
            await until(lambda: watcher.node.table and watcher.node.table.draw)
            assert watcher.node.say("hi") == "Those who watch this table may not chat."
            chat, company = watcher.node.chat, founder.node.company
            assert chat is not None
            assert company is not None
            data = chat.say("hi all the same", 0.0).envelope
            assert not company.take_remark(watcher.node.links.public_key, data, 0.0)
            assert not company.chat.lines

    run(work)


def test_home__remembers_who_is_muted_by_key(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.mute(b"a" * 32, muted=True)
    home.mute(b"b" * 32, muted=True)
    home.mute(b"a" * 32, muted=False)
    home.close()
    again = Home(tmp_path)
    assert again.muted() == {b"b" * 32}
    again.close()
    (tmp_path / "muted.json").write_text("nonsense")
    damaged = Home(tmp_path)
    with pytest.raises(HomeError, match="is damaged"):
        damaged.muted()
    damaged.close()
