"""The lobby without a network: who may sit, who has left, and when a seat may move on."""

from __future__ import annotations

import secrets
from dataclasses import replace

import pytest
from msgspec import structs

from p2p_hearts.rules.options import PRESETS
from p2p_hearts.table.lobby import (
    GUEST_SECONDS,
    MAX_CONTACTS,
    FounderLobby,
    GuestLobby,
    may_move_on,
)
from p2p_hearts.wire.codec import decode, encode
from p2p_hearts.wire.envelope import Identity, seal
from p2p_hearts.wire.lobby import Hello, Join, News, TableCard, open_lobby, sign_lobby
from p2p_hearts.wire.messages import Content, Draw, Frame, Kind
from tests.table.sim import Sim, make_hello, make_identities, make_roster

RULES = replace(PRESETS["black-lady"], seats=3, hands=1)


class Lobby:
    """A founder and guests whose messages are handed over by hand."""

    def __init__(self, code: str = "") -> None:
        self.people = make_identities(8)
        self.founder = FounderLobby(self.people[0], self.hello(0), RULES, "Sunday", 7766, code)

    def hello(self, number: int) -> bytes:
        return sign_lobby(self.people[number], make_hello(self.people[number], number))

    def curve(self, number: int) -> bytes:
        return make_hello(self.people[number], number).curve

    def guest(self, number: int, code: str = "") -> GuestLobby:
        return GuestLobby(self.card, self.hello(number), code)

    @property
    def card(self) -> TableCard:
        return open_lobby(self.founder.card(), TableCard)

    def ask(self, number: int, guest: GuestLobby, now: float = 0.0, leaving: bool = False) -> None:
        """Let a guest say that it is there, and hand all answers to it."""
        self.founder.receive(self.curve(number), guest.join(leaving), now)
        for answer in self.founder.answers():
            if answer.curve == self.curve(number):
                guest.receive(answer.news)


def test_lobby__the_first_who_ask_get_the_seats() -> None:
    lobby = Lobby()
    first, second, late = lobby.guest(1), lobby.guest(2), lobby.guest(3)
    assert lobby.card.free == 2
    lobby.ask(1, first)
    assert (lobby.card.free, first.nicks) == (1, ("Player 0", "Player 1"))
    lobby.ask(2, second)
    lobby.ask(1, first)
    assert first.roster is not None
    assert first.roster == second.roster == lobby.founder.roster
    assert lobby.card.free == 0
    lobby.ask(3, late)
    assert (late.refused, late.roster) == ("this table is playing already", None)


def test_lobby__a_guest_that_is_silent_for_ten_seconds_has_left() -> None:
    lobby = Lobby()
    guest = lobby.guest(1)
    lobby.ask(1, guest, now=100.0)
    lobby.founder.tick(100.0 + GUEST_SECONDS)
    assert lobby.founder.free == 1
    lobby.ask(1, guest, now=105.0)
    lobby.founder.tick(105.0 + GUEST_SECONDS)
    assert lobby.founder.free == 1
    lobby.founder.tick(105.1 + GUEST_SECONDS)
    assert lobby.founder.free == 2


def test_lobby__only_the_guest_itself_can_give_its_seat_back() -> None:
    lobby = Lobby()
    guest = lobby.guest(1)
    lobby.ask(1, guest)
    lobby.founder.receive(lobby.curve(2), guest.join(leaving=True), 0.0)
    assert lobby.founder.free == 1
    lobby.ask(1, guest, leaving=True)
    assert lobby.founder.free == 2


def test_lobby__a_hello_under_another_link_key_or_for_another_table_is_not_heard() -> None:
    lobby = Lobby()
    guest = lobby.guest(1)
    lobby.founder.receive(lobby.curve(2), guest.join(), 0.0)
    other = replace_instance(make_hello(lobby.people[1], 1), secrets.token_bytes(32))
    foreign = Join(hello=sign_lobby(lobby.people[1], other), code="", leaving=False, ready=True)
    lobby.founder.receive(lobby.curve(1), encode(foreign), 0.0)
    for junk in (b"", b"\xff" * 100, encode(Join(hello=b"", code="", leaving=True, ready=True))):
        lobby.founder.receive(lobby.curve(1), junk, 0.0)
    assert (lobby.founder.free, lobby.founder.answers()) == (2, [])


def replace_instance(hello: Hello, instance: bytes) -> Hello:
    fields = {name: getattr(hello, name) for name in hello.__struct_fields__}
    return Hello(**{**fields, "instance": instance})


def test_lobby__five_wrong_codes_close_it_to_newcomers_only() -> None:
    lobby = Lobby(code="ABCD")
    inside = lobby.guest(1, "ABCD")
    lobby.ask(1, inside)
    for _ in range(5):
        wrong = lobby.guest(2, "ABCE")
        lobby.ask(2, wrong)
        assert wrong.refused == "the join code is wrong; ask the host for it"
    right = lobby.guest(3, "ABCD")
    lobby.ask(3, right)
    assert "closed after five wrong tries" in right.refused
    lobby.ask(1, inside)
    assert (inside.refused, inside.nicks) == ("", ("Player 0", "Player 1"))


def test_lobby__many_strangers_at_once_are_not_all_answered() -> None:
    lobby = Lobby(code="ABCD")
    for _ in range(3 * MAX_CONTACTS):
        lobby.founder.receive(lobby.curve(1), lobby.guest(1).join(), 0.0)
    assert len(lobby.founder.answers()) == MAX_CONTACTS


def test_lobby__who_was_left_out_may_not_come_back_to_this_table() -> None:
    lobby = Lobby()
    first, second, third = lobby.guest(1), lobby.guest(2), lobby.guest(3)
    lobby.ask(1, first)
    lobby.ask(2, second)
    lobby.founder.dissolve(lobby.people[2].public)
    assert (lobby.founder.free, lobby.card.free) == (1, 1)
    lobby.ask(2, second)
    assert "this table has gone on without you" in second.refused
    lobby.ask(3, third)
    lobby.ask(1, first)
    assert first.roster is not None
    assert first.roster == third.roster
    assert [entry.nick for entry in first.roster.entries] == ["Player 0", "Player 1", "Player 3"]
    assert first.roster.formation == 2


def test_guest__believes_only_a_roster_of_its_host_with_itself_and_the_rules_shown() -> None:
    lobby = Lobby()
    people = lobby.people
    guest = lobby.guest(1)
    good = make_roster(people[:3], RULES)
    others = (
        make_roster([people[2], people[1], people[3]], RULES),
        make_roster([people[0], people[2], people[3]], RULES),
        make_roster(people[:3], replace(RULES, target=50)),
        make_roster(people[:3], RULES, seed="another opening"),
    )
    news = News(instance=lobby.card.instance, refused="", nicks=[], ready=[], roster=b"")
    for roster in others:
        guest.receive(encode(replace_roster(news, roster.data)))
        assert guest.roster is None
    guest.receive(encode(replace_roster(news, good.data[:-1] + b"\0")))
    assert guest.roster is None
    guest.receive(encode(replace_roster(news, good.data)))
    assert guest.roster == good


def replace_roster(news: News, roster: bytes) -> News:
    fields = {name: getattr(news, name) for name in news.__struct_fields__}
    return News(**{**fields, "roster": roster})


def test_founder__a_hello_that_is_not_its_own_is_a_mistake() -> None:
    lobby = Lobby()
    with pytest.raises(ValueError, match="signed by somebody else"):
        FounderLobby(lobby.people[0], lobby.hello(1), RULES, "Sunday", 7766)


def test_news__names_the_instance_of_the_table() -> None:
    lobby = Lobby()
    lobby.founder.receive(lobby.curve(1), lobby.guest(1).join(), 0.0)
    (answer,) = lobby.founder.answers()
    assert decode(answer.news, News).instance == lobby.card.instance
    assert answer.addresses == (("127.0.0.1", 7001),)


# -- moving on to the next formation --------------------------------------------------------


def seats(people: list[Identity], *numbers: int) -> list[Identity]:
    return [people[number] for number in numbers]


def half_drawn() -> Sim:
    """A draw in which the first two have shown their nonces and the third has not."""
    sim = Sim(RULES)
    sim.run(lambda: sim.tables[0].history.current.kind is Kind.DRAW)
    sim.isolate(2)
    sim.wait(5)
    table = sim.tables[0]
    assert sorted(table.history.current.speeches) == [0, 1]
    assert table.draw is None
    return sim


def test_may_move_on__always_while_nonces_are_hidden() -> None:
    sim = Sim(RULES)
    people = make_identities(8)
    for left_out in ((0, 1, 3), (0, 2, 3), (0, 3, 4)):
        roster = make_roster(seats(people, *left_out), RULES, formation=2)
        assert may_move_on(sim.tables[0], roster)


def test_may_move_on__never_back_or_to_another_roster_of_the_same_formation() -> None:
    sim = Sim(RULES)
    people = make_identities(8)
    assert not may_move_on(sim.tables[0], make_roster(seats(people, 0, 1, 3), RULES, formation=1))


def test_may_move_on__after_showing_the_own_nonce_only_without_one_that_hides_its() -> None:
    sim, people = half_drawn(), make_identities(8)
    for place in (0, 1):
        table = sim.tables[place]
        assert may_move_on(table, make_roster(seats(people, 0, 1, 3), RULES, formation=2))
        assert not may_move_on(table, make_roster(seats(people, 0, 2, 1), RULES, formation=2))
        assert not may_move_on(table, make_roster(seats(people, 0, 2, 3), RULES, formation=2))


def tell(sim: Sim, to: int, content: Content) -> None:
    """Let the third in the draw say something to one of the others alone."""
    sealed = seal(sim.identities[2], content)
    sim.tables[to].receive(2, encode(Frame(sim.roster.hash, [sealed.data], None)))
    while sim.tables[to].work():
        pass


def third_nonce(sim: Sim) -> Content:
    (found,) = [
        sealed.content
        for item in sim.tables[2].history.rounds
        for sealed in item.speeches.values()
        if item.kind is Kind.DRAW and sealed.content.seat == 2
    ]
    return found


@pytest.mark.parametrize("is_drawn", [False, True])
def test_may_move_on__after_showing_the_own_nonce_without_one_that_shows_a_false_one(
    is_drawn: bool,
) -> None:
    sim, people = half_drawn(), make_identities(8)
    table, true = sim.tables[0], third_nonce(sim)
    without, still = (
        make_roster(seats(people, *places), RULES, formation=2) for places in ((0, 1, 3), (0, 2, 3))
    )
    if is_drawn:
        tell(sim, 0, true)
        assert table.draw is not None
        assert not may_move_on(table, without)
    tell(sim, 0, structs.replace(true, body=encode(Draw(bytes(32)))))
    assert table.fault is not None
    assert table.fault.seat == 2
    assert may_move_on(table, without)
    assert not may_move_on(table, still)


def test_table__has_formed_once_it_knows_that_everybody_has_the_draw() -> None:
    sim = half_drawn()
    table = sim.tables[0]
    tell(sim, 0, third_nonce(sim))
    assert table.draw is not None
    assert not table.is_forming
    assert not table.has_formed
    sim.cut.clear()
    sim.run(lambda: table.history.current.kind is Kind.SHUFFLE)
    assert table.has_formed


def test_may_move_on__never_once_seats_are_drawn() -> None:
    sim, people = Sim(RULES), make_identities(8)
    sim.run(lambda: all(table.draw is not None for table in sim.tables))
    for table in sim.tables:
        assert not may_move_on(table, make_roster(seats(people, 0, 1, 3), RULES, formation=2))
