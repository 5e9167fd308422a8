"""A proven liar: what proves it rides in a reveal, and it is dealt no further hand.

An absent player comes back with the next hand; one whose own signatures convict it does not. All
honest seats derive that alike from the history, and so does the audit.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from p2p_hearts.record.audit import Verdict
from p2p_hearts.record.audit.auditor import Auditor
from p2p_hearts.record.audit.memo import Memo
from p2p_hearts.record.audit.speeches import _judge_evidence
from p2p_hearts.record.log import read_log
from p2p_hearts.record.records import RecordKind, start_data
from p2p_hearts.table.consent import Consent
from p2p_hearts.table.effects import Secrets
from p2p_hearts.table.machine import Table
from p2p_hearts.table.post import Post
from p2p_hearts.table.round import Round
from p2p_hearts.wire.codec import decode, encode
from p2p_hearts.wire.envelope import Sealed, Signer, seal
from p2p_hearts.wire.evidence import open_content
from p2p_hearts.wire.faults import Fault, Rule
from p2p_hearts.wire.lobby import SealedRoster
from p2p_hearts.wire.messages import Ack, Beat, Content, Frame, Kind, Reveal
from tests.record.maker import write
from tests.record.test_audit_table import audit_sim
from tests.table.cheats import Cheat, Cheater, saying
from tests.table.sim import Sim, make_identities
from tests.table.test_absence import finish, others, rules_of


class Discreet(Post):
    """The post of a seat that passes nothing on beside the history."""

    def tell_fault(self, fault: Fault) -> None:
        """Tell nobody."""

    def correct(self, place: int, beat: Beat) -> None:
        """Tell not even who names no fault."""


class Witness(Table):
    """A seat of which nobody learns a fault but by its reveal."""

    post_type = Discreet


def with_witness(place: int, signer: Signer, roster: SealedRoster, secrets: Secrets) -> Table:
    """Seat a witness at place 0."""
    return (Table if place else Witness)(signer, roster, secrets)


class Careless(Consent):
    """What a player decides whom no fault stops, once it is ``careless``."""

    is_careless = False

    @property
    def is_stopped(self) -> bool:
        return not self.is_careless and super().is_stopped


class Stubborn(Cheater):
    """A cheater whose program does not care that it was convicted."""

    consent_type = Careless
    consent: Careless

    def turn(self) -> None:
        super().turn()
        self.consent.is_careless = True


class Brazen(Cheat):
    """A cheat by such a program."""

    def seat_down(
        self, place: int, signer: Signer, roster: SealedRoster, secrets: Secrets
    ) -> Table:
        return Stubborn(signer, roster, secrets, self)


def brazen(cheat: Cheat) -> Cheat:
    return Brazen(cheat.instead, cheat.besides, cheat.fooled)


def two_heads(fooled: int, number: int = 3) -> Cheat:
    """Another head acknowledged to some, in a round of hand 1."""

    def instead(table: Cheater, content: Content) -> Content | None:
        if content.kind != Kind.ACK or (content.hand, content.round) != (1, number):
            return None
        return replace(content, body=encode(Ack(bytes(32))))

    return brazen(Cheat(instead, fooled=fooled))


LIARS: dict[str, tuple[Callable[[], Cheat], Rule]] = {
    "two contents in one round": (
        lambda: brazen(saying(Kind.SHARES, lambda hand, context, body: b"", fooled=1)),
        Rule.TWO_CONTENTS,
    ),
    "two acks": (lambda: two_heads(1), Rule.TWO_CONTENTS),
    "two acks, told the other way round": (lambda: two_heads(2), Rule.TWO_CONTENTS),
    "a body of nonsense": (
        lambda: brazen(saying(Kind.SHARES, lambda hand, context, body: b"")),
        Rule.BODY,
    ),
}


def test_liars__two_in_one_round_end_the_game_and_nobody_is_asked_to_go_on() -> None:
    """A hand can be ended without one of them only."""
    nonsense = saying(Kind.SHARES, lambda hand, context, body: b"")
    liars = {place: brazen(nonsense) for place in (1, 2)}

    def seat_down(place: int, signer: Signer, roster: SealedRoster, secrets: Secrets) -> Table:
        liar = liars.get(place)
        if liar is None:
            return Table(signer, roster, secrets)
        return liar.seat_down(place, signer, roster, secrets)

    sim = Sim(rules_of(hands=1), seed="two liars", auto_vote=True, seating=seat_down)
    honest = [sim.tables[0], sim.tables[3]]
    sim.run(lambda: all(table.stopped_for_good for table in honest))
    for table in honest:
        assert table.draw is not None
        assert table.course.faulty.keys() == {table.draw.seats.index(place) for place in liars}
        assert table.may_vote_out() == ()


def keyless_by_hand(table: Table) -> dict[tuple[int, int], set[int]]:
    """By hand and attempt, the seats that gave no key."""
    found = {}
    for item in table.history.rounds:
        if item.kind is Kind.KEY:
            found[item.place[:2]] = set(range(table.history.seats)) - set(item.speakers)
    return found


def plays_on_without(sim: Sim, cheat: Cheat, rule: Rule, hands: int) -> tuple[Table, Fault]:
    """The others play the match to its end; the audit names the liar alone, and their scores."""
    sim.run(lambda: cheat.place is not None)
    assert cheat.place is not None
    rest = others(sim, cheat.place)
    table = finish(sim, rest)
    assert len(table.match.hands) == hands
    fault = table.fault
    assert fault is not None
    assert fault.rule is rule
    assert table.player_at(fault.seat) == cheat.place
    assert len({tuple(map(str, keyless_by_hand(sim.tables[at]).items())) for at in rest}) == 1
    found = audit_sim(sim, rest)
    assert found.verdict is Verdict.FAULT
    assert {item.fault.seat for item in found.faults} == {fault.seat}
    assert found.fullest.scores == table.match.hands
    return table, fault


def stays_a_dummy(name: str, hands: int) -> None:
    make, rule = LIARS[name]
    cheat = make()
    sim = Sim(rules_of(hands=hands), seed="liar", seating=cheat.seat_down, auto_vote=True)
    table, fault = plays_on_without(sim, cheat, rule, hands)
    keyless = keyless_by_hand(table)
    assert keyless.pop((1, 1)) == set()
    later = {(hand, 1): {fault.seat} for hand in range(2, hands + 1)}
    assert keyless == later, "no key is asked of it any more"


@pytest.mark.parametrize("name", ["two acks", "two contents in one round"])
def test_liar__is_a_dummy_in_the_next_hand_and_the_others_play_on(name: str) -> None:
    stays_a_dummy(name, hands=2)


@pytest.mark.deep
@pytest.mark.parametrize("name", LIARS)
def test_liar__is_a_dummy_for_the_rest_of_the_match(name: str) -> None:
    stays_a_dummy(name, hands=4)


def test_evidence__of_another_table_version_attempt_seat_or_author_proves_nothing() -> None:
    """Who says two things at one table is convicted there, by its own signatures alone."""
    cheat = two_heads(1)
    sim = Sim(rules_of(hands=1), seed="proof", seating=cheat.seat_down)
    sim.run(lambda: any(table.history.fault for table in sim.tables))
    (table, *_) = [table for table in sim.tables if table.history.fault]
    fault = table.history.fault
    assert fault is not None
    assert cheat.place is not None
    liar, other = sim.identities[cheat.place], sim.identities[cheat.place - 1]
    said = [open_content(data).content for data in fault.evidence]
    place = table.history.current.place
    honest = sim.tables.index(table)
    contents = [(RecordKind.CONTENT, data) for data in sim.logs[honest]]
    start = (RecordKind.START, start_data(sim.identities[honest], "0.1.0", 1_700_000_000))
    log = write([start, (RecordKind.ROSTER, sim.roster.data), *contents])
    auditor = Auditor(Memo())
    for record in read_log(log):
        auditor.feed(record)

    def proves(signer: Signer = liar, **changes: object) -> bool:
        evidence = [seal(signer, replace(content, **changes)).data for content in said]
        proven = table.course.proven(place, evidence) is not None
        rule = _judge_evidence(auditor._state, place, (fault.seat + 1) % len(sim.tables), evidence)
        assert rule is (None if proven else Rule.EVIDENCE), "the audit says the same"
        return proven

    assert proves()
    own = _judge_evidence(auditor._state, place, fault.seat, fault.evidence)
    assert own is Rule.EVIDENCE, "nobody accuses itself"
    assert table.course.judge_evidence(place, fault.seat, fault.evidence) is Rule.EVIDENCE
    assert not proves(version=2)
    assert not proves(table=bytes(32))
    assert not proves(attempt=3)
    assert not proves(seat=len(sim.tables))
    assert not proves(other, author=other.public)


def evidence_of(table: Table) -> list[tuple[int, int]]:
    """Who accused in which hand: hand and seat."""
    return [
        (item.place.hand, seat)
        for item in table.history.rounds
        if item.kind is Kind.REVEAL
        for seat, said in sorted(item.speeches.items())
        if decode(said.content.body, Reveal).evidence
    ]


def test_liar__known_to_one_seat_alone_is_known_to_all_by_its_reveal() -> None:
    """What proves the lie reaches one seat, and its links pass nothing on beside the history."""
    sim = Sim(rules_of(hands=2), seed="one witness", seating=with_witness, auto_vote=True)
    witness, others_ = sim.tables[0], sim.tables[1:]
    sim.run(lambda: witness.hand is not None and witness.hand.facts.play_over)
    liar = sim.tables[2]
    ack = next(
        item.acks[liar.seat or 0]
        for item in witness.history.rounds
        if item.place.hand == 1 and item.kind is Kind.SHARES
    )
    second = seal(sim.identities[2], replace(ack.content, body=encode(Ack(bytes(32)))))
    witness.hearing.take(second)
    assert witness.fault is not None
    assert all(table.fault is None for table in others_)
    rest = others(sim, 2)
    table = finish(sim, rest)
    assert evidence_of(table) == [(1, witness.seat)]
    assert [sim.tables[at].fault for at in rest] == [witness.fault] * 3
    assert keyless_by_hand(table)[2, 1] == {liar.seat}
    found = audit_sim(sim, [1])
    assert [(item.fault.seat, item.fault.rule) for item in found.faults] == [
        (liar.seat, Rule.TWO_CONTENTS)
    ]


def test_liar__cannot_contradict_itself_at_a_length_that_no_reveal_carries() -> None:
    """The long story is taken by nobody, so that there is no contradiction; the hand goes on."""
    cheat = brazen(saying(Kind.SHARES, lambda hand, context, body: bytes(40_000), fooled=1))
    sim = Sim(rules_of(hands=1), seed="long story", seating=cheat.seat_down)
    sim.run(lambda: all(table.history.current.kind is Kind.PASS for table in sim.tables))
    assert cheat.place is not None
    assert all(table.fault is None for table in sim.tables)
    assert all(len(data) < 30_000 for log in sim.logs for data in log)


def second_ack_of_the_draw(sim: Sim, place: int) -> Sealed:
    """Make another ack of the draw by this peer."""
    identity = sim.identities[place]
    own = (open_content(data).content for data in sim.logs[place])
    ack = next(
        item
        for item in own
        if item.author == identity.public and (item.kind, item.hand) == (Kind.ACK, 0)
    )
    return seal(identity, replace(ack, body=encode(Ack(bytes(32)))))


def show(sim: Sim, twin: Sealed, place: int) -> None:
    """Show a twin to everybody but to who signed it, at this place."""
    for table in sim.tables:
        if table.place != place:
            table.receive(place, encode(Frame(sim.roster.hash, [twin.data], None)))


def is_accused_of_the_draw(sim: Sim, places: list[int]) -> None:
    """Both readers name the player at place 2 for what it said in hand 0, and nobody else."""
    found = audit_sim(sim, places)
    accused = {(item.player.key, item.fault.hand) for item in found.faults}
    assert accused == {(sim.identities[2].public, 0)}


def test_liar__that_said_two_things_in_the_draw_is_a_dummy_from_the_next_hand_on() -> None:
    sim = Sim(rules_of(hands=2), auto_vote=True)
    sim.run(lambda: sim.tables[0].history.current.kind is Kind.PLAY)
    show(sim, second_ack_of_the_draw(sim, 2), 2)
    table = finish(sim, [0, 1, 3])
    assert len(table.match.hands) == 2
    assert table.draw is not None
    assert keyless_by_hand(table) == {(1, 1): set(), (2, 1): {table.draw.seats.index(2)}}
    is_accused_of_the_draw(sim, [0, 1, 3])


def test_liar__of_the_draw_that_one_seat_alone_knows_of_is_known_to_all_by_its_reveal() -> None:
    sim = Sim(rules_of(hands=2), seed="one witness", seating=with_witness, auto_vote=True)
    witness = sim.tables[0]
    sim.run(lambda: witness.hand is not None and witness.hand.facts.play_over)
    witness.hearing.take(second_ack_of_the_draw(sim, 2))
    assert [table.fault is not None for table in sim.tables] == [True, False, False, False]
    table = finish(sim, [0, 1, 3])
    assert evidence_of(table) == [(1, witness.seat)]
    assert keyless_by_hand(table)[2, 1] == {sim.tables[2].seat}
    is_accused_of_the_draw(sim, [1])


def test_liar__of_the_draw_that_is_known_before_it_stands_stops_nobody_later() -> None:
    """A seat that is slow hears of it after its last word in the draw, before it knows seats."""
    sim = Sim(rules_of(hands=1), seed="early", auto_vote=True)
    slow = sim.tables[0]

    def has_acknowledged() -> bool:
        draw = slow.history.current
        return draw.kind is Kind.DRAW and slow.place in draw.acks

    def work() -> bool:
        return not has_acknowledged() and Table.work(slow)

    slow.work = work  # type: ignore[method-assign]
    sim.run(has_acknowledged)
    show(sim, second_ack_of_the_draw(sim, 2), 2)
    assert (slow.hand, slow.stopped) == (None, True)
    del slow.work
    finish(sim, [0, 1, 3])
    is_accused_of_the_draw(sim, [0, 1, 3])


def test_liar__of_the_draw_that_is_known_before_all_acknowledged_it_stops_everybody() -> None:
    """Nobody is replaced in the draw; all others stop there, with the proof."""
    sim = Sim(rules_of(hands=1), seed="stopped", auto_vote=True)
    first, last = sim.tables[0], sim.tables[3]
    sim.run(lambda: first.hand is not None and last.history.current.head is None)
    show(sim, second_ack_of_the_draw(sim, 2), 2)
    sim.run(lambda: all(table.stopped_for_good for table in (first, sim.tables[1], last)))
    assert first.may_vote_out() == ()


def test_liar__of_the_draw_is_gone_on_without_if_people_say_so() -> None:
    sim = Sim(rules_of(hands=1))
    sim.run(lambda: sim.tables[0].history.current.kind is Kind.PLAY)
    show(sim, second_ack_of_the_draw(sim, 2), 2)
    rest = [sim.tables[place] for place in (0, 1, 3)]
    for table in rest:
        assert table.draw is not None
        seat = table.draw.seats.index(2)
        assert table.stopped
        assert not table.stopped_for_good
        assert table.may_vote_out() == (seat,)
        table.vote_out(seat)
    finish(sim, [0, 1, 3])


def test_evidence__is_in_no_reveal_where_everybody_keeps_the_rules() -> None:
    sim = Sim(rules_of(hands=1), seed="honest")
    sim.run()
    assert evidence_of(sim.tables[0]) == []


def rounds_of(table: Table) -> list[Round]:
    return [item for item in table.history.rounds if item.place.hand == 1]


def second_ack(table: Cheater) -> list[bytes]:
    """An own ack, and another one that is signed for nothing but this evidence."""
    said = rounds_of(table)[0].acks[table.seat or 0]
    twin = seal(table.voice.signer, replace(said.content, body=encode(Ack(bytes(32)))))
    return [said.data, twin.data]


def deep(*names: str) -> list[object]:
    return [pytest.param(name, marks=pytest.mark.deep) for name in names]


def of_two_tables(table: Cheater) -> list[bytes]:
    """An honest seat's ack, and one that the same player has signed at another table."""
    said = rounds_of(table)[0].acks[1]
    player = make_identities(4, "slander")[table.player_at(1)]
    assert player.public == said.content.author
    there = replace(said.content, table=bytes(32), body=encode(Ack(bytes(32))))
    return [said.data, seal(player, there).data]


def cut(table: Cheater) -> list[bytes]:
    """Two honest messages, the second without its end."""
    first, second = (item.acks[1].data for item in rounds_of(table)[:2])
    return [first, second[:-1]]


SLANDER: dict[str, Callable[[Cheater], list[bytes]]] = {
    "noise": lambda table: [b"noise"],
    "one honest message": lambda table: [rounds_of(table)[0].acks[1].data],
    "two honest messages": lambda table: [item.acks[1].data for item in rounds_of(table)[:2]],
    "itself": second_ack,
    "an honest player at two tables": of_two_tables,
    "an honest message that is cut": cut,
}


@pytest.mark.parametrize(
    "what",
    [
        "two honest messages",
        "itself",
        "an honest player at two tables",
        *deep("noise", "one honest message", "an honest message that is cut"),
    ],
)
def test_evidence__that_proves_nothing_convicts_who_gave_it(what: str) -> None:
    def instead(table: Cheater, content: Content) -> Content | None:
        if content.kind != Kind.REVEAL or content.hand != 1:
            return None
        secret = decode(content.body, Reveal).secret
        return replace(content, body=encode(Reveal(secret, SLANDER[what](table))))

    cheat = Cheat(instead)
    sim = Sim(rules_of(hands=1), seed="slander", seating=cheat.seat_down, auto_vote=True)
    plays_on_without(sim, cheat, Rule.EVIDENCE, hands=1)
