"""The lobby: the founder orders who asks, and decides nothing else."""

from __future__ import annotations

import dataclasses

import pytest
from msgspec.structs import replace

from p2p_hearts.cards.tablekey import make_table_key
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table.effects import Secrets
from p2p_hearts.table.lobby import (
    GUEST_SECONDS,
    MAX_CONTACTS,
    MAX_FORMATIONS,
    WRONG_CODES,
    FounderLobby,
    Gate,
    GuestLobby,
    may_move_on,
)
from p2p_hearts.table.machine import Table
from p2p_hearts.table.voice import Voice
from p2p_hearts.wire.codec import decode, encode
from p2p_hearts.wire.envelope import Identity, Signer
from p2p_hearts.wire.faults import Rule, fault_of
from p2p_hearts.wire.lobby import (
    Hello,
    Join,
    LobbyError,
    News,
    SealedRoster,
    TableCard,
    open_lobby,
    open_roster,
    sign_lobby,
)
from p2p_hearts.wire.messages import Kind
from tests.table.sim import (
    Sim,
    TestSecrets,
    make_hello,
    make_identities,
    make_roster,
    seeded,
    unsealed_roster,
)

RULES = RuleSet(seats=3)
PEOPLE = make_identities(8)


class Lobby:
    """A founder and its guests, without a network between them."""

    def __init__(self, code: str = "", rules: RuleSet = RULES) -> None:
        own = sign_lobby(PEOPLE[0], make_hello(PEOPLE[0], 0))
        self.founder = FounderLobby(PEOPLE[0], own, rules, "table", 7000, code)
        self.now = 0.0
        self.replies: dict[bytes, News] = {}

    def asks(
        self,
        number: int,
        code: str = "",
        leaving: bool = False,
        hello: Hello | None = None,
        ready: bool = True,
    ) -> News | None:
        """A guest sends its join; return the last news it gets for it."""
        hello = hello or make_hello(PEOPLE[number], number)
        join = Join(sign_lobby(PEOPLE[number], hello), code, leaving, ready)
        return self.sends(hello.curve, encode(join))

    def sends(self, curve: bytes, data: bytes) -> News | None:
        self.replies.clear()
        self.founder.receive(curve, data, self.now)
        for answer in self.founder.answers():
            self.replies[answer.curve] = decode(answer.news, News)
        return self.replies.get(curve)

    def waiting(self) -> list[str]:
        return list(self.founder.nicks)

    def roster(self) -> SealedRoster | None:
        return self.founder.roster

    def card(self) -> TableCard:
        return open_lobby(self.founder.card(), TableCard)


def guest_of(lobby: Lobby, number: int) -> GuestLobby:
    hello = sign_lobby(PEOPLE[number], make_hello(PEOPLE[number], number))
    return GuestLobby(lobby.card(), hello)


def test_lobby__seats_the_first_that_ask_in_their_order() -> None:
    lobby = Lobby()
    assert lobby.card().free == 2
    assert lobby.card().nicks == ["Player 0"]
    first = lobby.asks(2)
    assert first is not None
    assert (first.refused, first.nicks, first.roster) == ("", ["Player 0", "Player 2"], b"")
    assert lobby.card().free == 1
    assert lobby.card().nicks == ["Player 0", "Player 2"]
    last = lobby.asks(1)
    assert last is not None
    assert set(lobby.replies) == {make_hello(PEOPLE[n], n).curve for n in (1, 2)}
    roster = open_roster(last.roster)
    assert [entry.identity for entry in roster.entries] == [
        PEOPLE[number].public for number in (0, 2, 1)
    ]
    assert (roster.formation, roster.rules) == (1, RULES)
    assert lobby.card().free == 0
    assert lobby.card().nicks == ["Player 0", "Player 2", "Player 1"]
    third = lobby.asks(3)
    assert third is not None
    assert third.refused == "this table is playing already"
    assert third.roster == b""


def test_lobby__waits_with_the_roster_until_everybody_is_ready() -> None:
    lobby = Lobby()
    lobby.founder.be_ready(False)
    first, last = lobby.asks(2, ready=False), lobby.asks(1)
    assert first is not None
    assert last is not None
    assert (first.ready, last.ready) == ([False, False], [False, False, True])
    assert (lobby.card().free, last.roster) == (0, b"")
    lobby.founder.be_ready(True)
    assert lobby.founder.roster is None
    assert lobby.asks(2, ready=True).roster  # type: ignore[union-attr]
    # Then it is too late to say anything else.
    roster = lobby.founder.roster
    lobby.founder.be_ready(False)
    assert lobby.asks(1, ready=False).ready == [True, True, True]  # type: ignore[union-attr]
    assert lobby.founder.roster is roster


def test_lobby__is_full_though_somebody_is_not_ready_yet() -> None:
    lobby = Lobby()
    lobby.asks(1, ready=False)
    lobby.asks(2)
    third = lobby.asks(3)
    assert third is not None
    assert third.refused == "this table is full"
    assert lobby.waiting() == ["Player 0", "Player 1", "Player 2"]


def test_gate__without_a_code_lets_in_whoever_types_one() -> None:
    gate = Gate("")
    assert [gate.refusal(code) for code in ("", "ABCD")] == ["", ""]


def test_lobby__is_ready_no_more_where_a_guest_thinks_again() -> None:
    lobby = Lobby()
    lobby.asks(2)
    again = lobby.asks(2, ready=False)
    assert again is not None
    assert again.ready == [True, False]
    assert lobby.asks(1).roster == b""  # type: ignore[union-attr]
    assert lobby.founder.roster is None


def test_lobby__repeats_its_news_to_who_repeats_itself() -> None:
    lobby = Lobby()
    assert lobby.asks(1) == lobby.asks(1)
    lobby.asks(2)
    again = lobby.asks(1)
    assert again is not None
    assert again.roster
    assert lobby.founder.formation == 1


def test_lobby__gives_the_seat_of_a_silent_or_leaving_guest_to_others() -> None:
    lobby = Lobby()
    lobby.asks(1)
    lobby.asks(1, leaving=True)
    assert lobby.waiting() == ["Player 0"]
    lobby.asks(1)
    lobby.now = GUEST_SECONDS + 1
    lobby.founder.tick(lobby.now)
    assert lobby.founder.free == 2
    lobby.asks(2)
    lobby.asks(3)
    assert lobby.roster() is not None
    lobby.asks(2, leaving=True)
    lobby.founder.tick(lobby.now + 100)
    assert len(lobby.founder.nicks) == 3


def test_lobby__lets_nobody_speak_under_another_link_key_or_for_another_opening() -> None:
    """The link says which key a frame came from; a hello is for one opening of the table."""
    lobby = Lobby()
    join = encode(Join(sign_lobby(PEOPLE[1], make_hello(PEOPLE[1], 1)), "", False, True))
    assert lobby.sends(b"x" * 40, join) is None
    assert lobby.asks(1, hello=make_hello(PEOPLE[1], 1, seed="yesterday")) is None
    assert lobby.asks(1, hello=replace(make_hello(PEOPLE[1], 1), author=PEOPLE[2].public)) is None
    assert lobby.sends(b"x" * 40, b"garbage") is None
    assert len(lobby.founder.nicks) == 1
    lobby.asks(1)
    leave = encode(Join(sign_lobby(PEOPLE[1], make_hello(PEOPLE[1], 1)), "", True, True))
    lobby.sends(b"x" * 40, leave)
    assert lobby.waiting() == ["Player 0", "Player 1"]


@pytest.mark.parametrize("field", ["table_key", "table_proof"])
def test_lobby__lets_no_guest_in_whose_keys_would_spoil_the_roster(field: str) -> None:
    """Else the last guest to come, who is honest, would pay for it again and again."""
    lobby = Lobby()
    other = make_hello(PEOPLE[5], 5)
    spoiled = replace(make_hello(PEOPLE[1], 1), **{field: getattr(other, field)})
    assert lobby.asks(1, hello=spoiled) is None
    lobby.asks(2)
    lobby.asks(3)
    assert lobby.roster() is not None
    assert lobby.waiting() == ["Player 0", "Player 2", "Player 3"]


def same_keys(field: str) -> Hello:
    """A hello of player 2 with the link key or the table key of player 1, honestly proven."""
    number = 1 if field == "curve" else 2
    curve = f"{number:040d}".encode()
    secret = seeded(0, "table key", 2 if field == "curve" else 1)
    hello = make_hello(PEOPLE[2], number)
    key, proof = make_table_key(secret, hello.instance, PEOPLE[2].public, curve)
    return replace(hello, table_key=key, table_proof=proof)


@pytest.mark.parametrize("field", ["curve", "table_key"])
def test_lobby__lets_nobody_in_with_keys_of_somebody_who_waits(field: str) -> None:
    lobby = Lobby()
    lobby.asks(1)
    news = lobby.asks(2, hello=same_keys(field))
    assert news is not None
    assert "same keys" in news.refused
    lobby.asks(3)
    assert lobby.roster() is not None
    assert lobby.waiting() == ["Player 0", "Player 1", "Player 3"]


def test_lobby__lets_a_guest_that_started_again_keep_its_seat() -> None:
    lobby = Lobby()
    lobby.asks(1)
    again = make_hello(PEOPLE[1], 7)
    lobby.asks(1, hello=again)
    assert lobby.waiting() == ["Player 0", "Player 7"]
    assert not lobby.founder.has_guest(make_hello(PEOPLE[1], 1).curve)
    assert lobby.founder.has_guest(again.curve)


def test_lobby__tells_the_host_itself_that_it_is_seated() -> None:
    news = Lobby().asks(0, hello=make_hello(PEOPLE[0], 6))
    assert news is not None
    assert "you are this table's host already" in news.refused


def test_lobby__closes_its_code_after_five_wrong_tries() -> None:
    lobby = Lobby(code="amber fox")
    assert lobby.card().coded
    for number in range(WRONG_CODES):
        news = lobby.asks(1, code=f"guess {number}")
        assert news is not None
        assert "wrong" in news.refused
    news = lobby.asks(1, code="amber fox")
    assert news is not None
    assert "closed after five wrong tries" in news.refused
    usual = Lobby(code="amber fox")
    welcome = usual.asks(1, code="amber fox")
    assert welcome is not None
    assert welcome.refused == ""


def test_lobby__answers_a_bounded_number_of_strangers() -> None:
    lobby = Lobby()
    lobby.asks(1)
    lobby.asks(2)
    for _ in range(3 * MAX_CONTACTS):
        join = encode(Join(sign_lobby(PEOPLE[3], make_hello(PEOPLE[3], 3)), "", False, True))
        lobby.founder.receive(make_hello(PEOPLE[3], 3).curve, join, 0.0)
    assert len(lobby.founder.answers()) == MAX_CONTACTS


def test_lobby__goes_on_without_the_player_whose_formation_was_dissolved() -> None:
    lobby = Lobby()
    lobby.asks(1)
    lobby.asks(2)
    lobby.founder.dissolve(PEOPLE[1].public)
    assert [lobby.founder.has_left_out(PEOPLE[number].public) for number in (1, 2)] == [True, False]
    assert lobby.roster() is None
    news = lobby.asks(1)
    assert news is not None
    assert "gone on without you" in news.refused
    lobby.asks(3)
    roster = lobby.roster()
    assert roster is not None
    assert roster.formation == 2
    assert [entry.identity for entry in roster.entries] == [
        PEOPLE[number].public for number in (0, 2, 3)
    ]


def test_founder__opens_a_table_with_its_own_hello_only() -> None:
    with pytest.raises(ValueError, match="somebody else"):
        FounderLobby(
            PEOPLE[0], sign_lobby(PEOPLE[1], make_hello(PEOPLE[1], 1)), RULES, "table", 7000
        )


def news_with(roster: bytes, refused: str = "") -> bytes:
    return encode(News(make_hello(PEOPLE[0], 0).instance, refused, ["Player 0"], [True], roster))


def signed(
    signer: Identity, places: list[int], rules: RuleSet = RULES, formation: int = 1
) -> bytes:
    """The envelope of a roster of some people."""
    roster = unsealed_roster(PEOPLE, rules, formation=formation)
    entries = [roster.entries[place] for place in places]
    return sign_lobby(signer, replace(roster, entries=entries, author=signer.public))


def test_guest__accepts_a_roster_of_its_founder_that_lists_it_under_the_shown_rules() -> None:
    guest = guest_of(Lobby(), 1)
    guest.receive(news_with(signed(PEOPLE[0], [0, 1, 2])))
    assert guest.roster is not None
    assert guest.nicks == ("Player 0",)


@pytest.mark.parametrize(
    "roster",
    [
        signed(PEOPLE[1], [1, 0, 2]),
        signed(PEOPLE[0], [0, 2, 3]),
        signed(PEOPLE[0], [0, 1, 2], RuleSet(seats=3, target=50)),
        signed(PEOPLE[0], [0, 1, 2, 3], RuleSet()),
        signed(PEOPLE[2], [0, 1, 2]),
        b"garbage",
    ],
    ids=["another founder", "without me", "other rules", "more seats", "forged", "garbage"],
)
def test_guest__accepts_no_other_roster(roster: bytes) -> None:
    guest = guest_of(Lobby(), 1)
    guest.receive(news_with(roster))
    assert guest.roster is None
    guest.receive(b"garbage")
    guest.receive(encode(News(bytes(32), "", [], [], signed(PEOPLE[0], [0, 1, 2]))))
    assert guest.roster is None


def test_guest__accepts_one_roster_for_each_formation_and_a_bounded_number_of_them() -> None:
    guest = guest_of(Lobby(), 1)
    guest.receive(news_with(signed(PEOPLE[0], [0, 1, 2], formation=5)))
    first: SealedRoster | None = guest.roster
    for formation, places in ((5, [0, 1, 3]), (4, [0, 1, 3])):
        guest.receive(news_with(signed(PEOPLE[0], places, formation=formation)))
        assert guest.roster is first
    for number in range(2 * MAX_FORMATIONS):
        guest.receive(news_with(signed(PEOPLE[0], [0, 1, 2], formation=6 + number)))
    assert guest.roster is not None
    assert guest.roster.formation < 6 + MAX_FORMATIONS


def test_guest__is_told_why_it_may_not_sit() -> None:
    guest = guest_of(Lobby(), 1)
    guest.receive(news_with(b"", refused="this table is full"))
    assert guest.refused == "this table is full"
    card = replace(Lobby().card(), rules={"seats": 1})
    with pytest.raises(LobbyError, match="not known to this program"):
        GuestLobby(card, b"")


class Mute(Voice):
    """A voice that never says the nonce."""

    def speak(self) -> bool:
        return self.history.current.kind is not Kind.DRAW and super().speak()


class Hiding(Table):
    """A table that never shows its nonce."""

    voice_type = Mute


def forming(spoken: set[int]) -> Table:
    """Player 1's table in a formation in which these players have shown their nonces."""

    def seating(place: int, signer: Signer, roster: SealedRoster, secrets: Secrets) -> Table:
        return (Table if place in spoken else Hiding)(signer, roster, secrets)

    sim = Sim(RULES, seating=seating)
    sim.wait(2.0)
    assert set(sim.tables[1].history.current.speeches) == spoken
    return sim.tables[1]


def roster_of(places: list[int], formation: int = 2) -> SealedRoster:
    return open_roster(signed(PEOPLE[0], places, formation=formation))


def test_move_on__is_allowed_while_the_own_nonce_is_hidden() -> None:
    roster = make_roster(PEOPLE[:3], RULES)
    table = Table(PEOPLE[1], roster, TestSecrets((1, 0)))
    assert may_move_on(table, roster_of([0, 1, 3]))
    assert not may_move_on(table, roster_of([0, 1, 3], formation=1))
    while table.work():
        pass
    assert table.place in table.history.current.speeches, "it has told its commitment, no more"
    assert may_move_on(table, roster_of([0, 1, 2]))


def test_move_on__after_the_own_nonce_only_without_somebody_who_hides_one() -> None:
    """Else a founder that dislikes the draw could have another one."""
    for spoken, places, allowed in (
        ({1}, [0, 1, 3], True),
        ({0, 1}, [0, 1, 3], True),
        ({0, 1}, [0, 1, 2], False),
        ({1, 2}, [0, 1, 2], False),
        ({0, 2}, [0, 1, 2], True),
    ):
        assert may_move_on(forming(spoken), roster_of(places)) == allowed


def test_move_on__never_once_the_table_is_formed() -> None:
    sim = Sim(RULES)
    sim.run(lambda: all(table.draw for table in sim.tables))
    assert not may_move_on(sim.tables[1], roster_of([0, 1, 3]))


def test_move_on__never_once_the_table_is_formed_whatever_is_proven_later() -> None:
    """A fault names a seat then, and no place of the roster."""
    sim = Sim(RULES)
    sim.run(lambda: all(table.draw for table in sim.tables))
    table = sim.tables[1]
    said = next(iter(table.history.rounds[0].speeches.values()))
    table.history.convictions.fault = dataclasses.replace(fault_of(Rule.BODY, said), seat=2, hand=1)
    assert not may_move_on(table, roster_of([0, 1, 3]))
