"""One history: cuts, silence, liars, replays, several faults at once."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from p2p_hearts.agreement.draw import Draw
from p2p_hearts.crypto.transcript import Context
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table.course import Course
from p2p_hearts.table.effects import Secrets, Send
from p2p_hearts.table.hand import Hand
from p2p_hearts.table.machine import Table, Waiting
from p2p_hearts.wire.codec import decode, encode
from p2p_hearts.wire.envelope import Signer, seal
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.lobby import SealedRoster
from p2p_hearts.wire.messages import Ack, Content, Frame, Kind
from tests.table.cheats import (
    ONE_HAND,
    Body,
    Cheat,
    Cheater,
    convicts,
    held,
    play_of,
    saying,
)
from tests.table.sim import Sim, Weather, honest
from tests.table.test_match import check_ends_alike
from tests.table.watch import Watch

BOTH_WAYS = [(0, 1), (1, 0)]
LINE = [(0, 2), (2, 0), (0, 3), (3, 0), (1, 3), (3, 1)]
"""Peers 0-1-2-3 in a row: each hears its neighbours only."""
RING = [(0, 1), (1, 2), (2, 3), (3, 0)]
"""No peer reaches the next one, though it hears from it."""


def state_of(sim: Sim) -> object:
    """Everything that all tables hold."""
    return [
        (
            [
                (item.place, [(seat, said.hash) for seat, said in sorted(item.speeches.items())])
                for item in table.history.rounds
            ],
            [
                sorted((seat, ack.hash) for seat, ack in item.acks.items())
                for item in table.history.rounds
            ],
            table.fault,
            table.view(),
            list(log),
        )
        for table, log in zip(sim.tables, sim.logs, strict=True)
    ]


def is_playing(table: Table, tricks: int) -> bool:
    hand = table.hand
    return hand is not None and hand.play is not None and len(hand.play.tricks) >= tricks


def has_reached(table: Table, kind: Kind) -> bool:
    return table.hand is not None and table.history.current.kind is kind


# Cuts.


@pytest.mark.parametrize(
    "cut", [[(0, 1)], BOTH_WAYS, LINE, RING], ids=["one way", "both ways", "a line", "a ring"]
)
def test_table__relays_what_two_peers_cannot_tell_each_other(cut: list[tuple[int, int]]) -> None:
    """No message is lost, though some links never carry a byte; nobody is accused."""
    sim = Sim(ONE_HAND)
    sim.cut = set(cut)
    Watch(sim)
    sim.run(lambda: all(table.over for table in sim.tables))
    check_ends_alike(sim)


@pytest.mark.parametrize("kind", [Kind.DRAW, Kind.SHUFFLE, Kind.PASS, Kind.PLAY, Kind.REVEAL])
def test_table__loses_and_doubles_nothing_when_the_founder_is_cut_off_for_ten_seconds(
    kind: Kind,
) -> None:
    sim = Sim(ONE_HAND, weather=Weather(delay=0.02))
    Watch(sim)
    founder, *others = sim.tables
    sim.run(lambda: founder.history.current.kind is kind)
    sim.isolate(0)
    sim.wait(10.0)
    for table in others:
        assert table.fault is None
        assert {waiting.seat for waiting in table.waiting()} == {seat_of(founder, table)}
    sim.cut.clear()
    sim.run()
    check_ends_alike(sim)


def seat_of(one: Table, other: Table) -> int:
    """The seat of ``one`` as ``other`` names it now: a place of the roster in hand 0."""
    hand = next(item.place.hand for item in other.history.rounds[other.history.certified :])
    if hand == 0 or one.seat is None:
        return one.place
    return one.seat


def test_table__goes_on_after_all_cables_were_pulled() -> None:
    sim = Sim(ONE_HAND, weather=Weather(delay=0.02))
    Watch(sim)
    sim.run(lambda: is_playing(sim.tables[2], 4))
    for place in range(4):
        sim.isolate(place)
    sim.wait(1.0)
    before = [list(log) for log in sim.logs]
    sim.wait(30.0)
    assert sim.logs == before, "somebody went on alone"
    assert all(table.fault is None for table in sim.tables)
    sim.cut.clear()
    sim.run()
    check_ends_alike(sim)


def test_table__waits_by_name_for_a_silent_seat_and_accuses_nobody() -> None:
    sim = Sim(ONE_HAND)
    sim.run(lambda: is_playing(sim.tables[0], 2))
    silent = sim.tables[3]
    sim.stopped.add(3)
    sim.wait(120.0)
    for table in sim.tables[:3]:
        assert table.fault is None
        (waiting,) = table.waiting()
        assert waiting.seat == silent.seat
        assert waiting.item in ("message", "ack")
    assert {table.history.head for table in sim.tables[:3]} == {sim.tables[0].history.head}
    sim.stopped.clear()
    sim.run()
    check_ends_alike(sim)


def test_table__lets_a_peer_finish_that_hears_the_last_words_late() -> None:
    """The last certificate is served until everybody has said that it holds it."""
    sim = Sim(ONE_HAND)
    sim.run(lambda: sim.tables[0].hand is not None and sim.tables[0].hand.facts.play_over)
    sim.cut = {(0, 2), (1, 2), (3, 2)}
    sim.wait(20.0)
    assert not sim.tables[2].over
    assert not any(table.all_finished for table in sim.tables)
    sim.cut.clear()
    sim.run()
    check_ends_alike(sim)


def test_table__has_told_that_it_is_over_before_its_peer_may_leave() -> None:
    """Else who finishes last goes in silence, and the others wait for it."""
    sim = Sim(ONE_HAND)
    sim.run(lambda: any(table.over for table in sim.tables))
    place, last = next((n, table) for n, table in enumerate(sim.tables) if table.over)
    for other in {0, 1, 2, 3} - {place}:
        beat = replace(sim.tables[other].beat(), finished=True)
        last.receive(other, encode(Frame(sim.roster.hash, [], beat)))
    last.drain()
    assert last.over
    assert not last.all_finished
    last.tick(sim.now)
    (said,) = [effect for effect in last.drain() if isinstance(effect, Send) and effect.to is None]
    told = decode(said.frame, Frame).beat
    assert told is not None
    assert told.finished
    assert last.all_finished


# Liars.


def test_ack__of_a_made_up_head_makes_the_table_wait_by_name_and_convicts_nobody() -> None:
    """An ack of a head that nobody else has proves nothing: its signer may have been fooled."""

    def instead(table: Cheater, content: Content) -> Content | None:
        if content.kind != Kind.ACK or content.hand == 0 or content.round != 5:
            return None
        return replace(content, body=encode(Ack(bytes(32))))

    cheat = Cheat(instead)
    sim = Sim(ONE_HAND, seating=cheat.seat_down)
    sim.run(lambda: cheat.place is not None)
    sim.wait(60.0)
    assert cheat.place is not None
    liar = sim.tables[cheat.place]
    for table in sim.tables:
        assert table.fault is None
        if table is not liar:
            assert liar.seat is not None
            assert table.waiting() == (Waiting(liar.seat, "ack"),)
            assert table.history.current.place.round <= 6


def test_shuffle__that_differs_by_listener_never_splits_the_table() -> None:
    """Two decks are shuffled on for a while; still no honest seat speaks on an uncertified one."""

    def second(hand: object, context: object, body: object) -> bytes:
        return b"\x80"

    cheat = saying(Kind.SHUFFLE, second, fooled=1)
    sim = Sim(ONE_HAND, seating=cheat.seat_down, weather=Weather(delay=0.01))
    watch = Watch(sim)
    with pytest.raises(AssertionError):
        # The witness sees the cheater sign two contents, and nobody else.
        sim.run(lambda: all(table.fault for table in sim.tables))
    assert watch.counts["shares"] == 0
    assert cheat.place is not None


@pytest.mark.parametrize("seed", range(3))
def test_fault__of_two_cheaters_at_once_is_the_same_one_for_everybody(seed: int) -> None:
    """Two honest peers each hear of another one first; both name the lower seat in the end."""
    cheats = {place: saying(Kind.SHARES, lambda hand, context, body: b"") for place in (0, 1)}

    def seating(place: int, signer: Signer, roster: SealedRoster, secrets: Secrets) -> Table:
        if place in cheats:
            return cheats[place].seat_down(place, signer, roster, secrets)
        return honest(place, signer, roster, secrets)

    sim = Sim(ONE_HAND, seed=seed, seating=seating)
    sim.run(lambda: all(has_reached(table, Kind.SHARES) for table in sim.tables))
    sim.cut = {(0, 2), (1, 3), (0, 1), (1, 0)}
    others = sim.tables[2:]
    sim.run(lambda: all(table.fault for table in others))
    sim.wait(10.0)
    assert all(cheat.place is not None for cheat in cheats.values())
    lowest = min(table.seat for table in sim.tables[:2] if table.seat is not None)
    for table in others:
        assert table.fault is not None
        assert (table.fault.seat, table.fault.rule) == (lowest, Rule.BODY)
        assert set(table.fault.evidence) <= set(sim.logs[table.place])
    assert len({table.fault.id for table in others if table.fault}) == 1


@pytest.mark.parametrize("seed", range(3))
def test_fault__of_one_play_is_told_to_everybody_in_a_storm(seed: int) -> None:
    def again(hand: Hand, context: Context, body: object) -> Body:
        opened = hand.sides[hand.seat].opened
        return play_of(hand, context, held(hand)[0], opened[min(opened)]) if opened else None

    convicts(saying(Kind.PLAY, again), Rule.CARD, weather=Weather(0.02, 0.3, drop=0.0, double=0.3))


# Replays.


def pause(sim: Sim, tricks: int) -> None:
    """Play so many tricks; then one peer falls silent, so that the others come to rest."""
    sim.run(lambda: is_playing(sim.tables[0], tricks))
    sim.stopped.add(2)
    sim.wait(1.0)
    for table in sim.tables:
        table.drain()


def replayed(sim: Sim, frames: Iterable[bytes]) -> None:
    """Deliver frames to everybody, and check that nothing at all comes of it."""
    before = state_of(sim)
    for frame in frames:
        for table in sim.tables:
            table.receive((table.place + 1) % len(sim.tables), frame)
            assert table.drain() == []
            assert not table.work()
    assert state_of(sim) == before


def test_replay__of_frames_and_messages_of_another_table_changes_nothing() -> None:
    """The same people, the same rules, another opening of the table."""
    sent: list[bytes] = []
    old = Sim(ONE_HAND, seed="old", people="people")
    old.on_send = lambda place, frame: sent.append(frame)
    old.run(lambda: is_playing(old.tables[0], 3))
    new = Sim(ONE_HAND, seed="new", people="people")
    pause(new, tricks=3)
    replayed(new, sent[::5])
    assert all(table.dropped["frame of another table"] for table in new.tables)
    # The same contents in frames of this table, as a cheating peer would pack them.
    envelopes = sorted(set(old.logs[0]))
    replayed(new, [encode(Frame(new.roster.hash, [envelope], None)) for envelope in envelopes])
    assert all(table.dropped["stranger or other table"] for table in new.tables)
    new.stopped.clear()
    new.run()
    check_ends_alike(new)


def test_replay__of_messages_of_this_table_changes_nothing() -> None:
    sim = Sim(ONE_HAND)
    sent: list[bytes] = []
    sim.on_send = lambda place, frame: sent.append(frame)
    pause(sim, tricks=3)
    contents = [envelope for frame in sent for envelope in decode(frame, Frame).envelopes]
    frames = [encode(Frame(sim.roster.hash, [data], None)) for data in sorted(set(contents))]
    held_by_all = set.intersection(*(set(log) for log in sim.logs))
    replayed(sim, [frame for frame in frames if set(decode(frame, Frame).envelopes) <= held_by_all])
    sim.stopped.clear()
    sim.run()
    check_ends_alike(sim)


def test_message__signed_by_one_seat_for_another_is_dropped() -> None:
    """A member's valid signature is worth nothing on another member's place."""
    sim = Sim(ONE_HAND)
    victim, impostor = sim.tables[1], sim.identities[2]
    pause(sim, tricks=1)
    current = sim.tables[0].history.current
    forged = Content(
        version=1,
        table=current.table,
        hand=1,
        attempt=1,
        round=current.place.round,
        seat=victim.seat or 0,
        author=impostor.public,
        sequence=0,
        last=bytes(32),
        prev=current.prev,
        kind="play",
        body=b"",
    )
    replayed(sim, [encode(Frame(sim.roster.hash, [seal(impostor, forged).data], None))])


def test_message__that_sits_down_in_the_place_of_another_is_dropped() -> None:
    sim = Sim(ONE_HAND)
    sim.stopped.add(1)
    sim.wait(1.0)
    current, impostor = sim.tables[0].history.current, sim.identities[2]
    forged = Content(
        version=1,
        table=sim.roster.hash,
        hand=0,
        attempt=1,
        round=0,
        seat=1,
        author=impostor.public,
        sequence=0,
        last=bytes(32),
        prev=current.prev,
        kind="sit",
        body=b"",
    )
    del sim.tables[1]  # it has not spoken yet
    del sim.logs[1]
    replayed(sim, [encode(Frame(sim.roster.hash, [seal(impostor, forged).data], None))])
    assert all(table.dropped["stranger or other table"] for table in sim.tables)


def test_message__of_another_attempt_than_the_one_that_is_played_is_dropped() -> None:
    sim = Sim(ONE_HAND)
    pause(sim, tricks=1)
    member = sim.tables[1]
    current = sim.tables[0].history.current
    frames = []
    for attempt in (0, 3, 4, 2**31 - 1):
        content = Content(
            version=1,
            table=current.table,
            hand=1,
            attempt=attempt,
            round=current.place.round,
            seat=member.seat or 0,
            author=sim.identities[1].public,
            sequence=1000,
            last=bytes(32),
            prev=current.prev,
            kind="play",
            body=b"",
        )
        frames.append(encode(Frame(sim.roster.hash, [seal(sim.identities[1], content).data], None)))
    replayed(sim, frames)
    for table in sim.tables:
        assert table.dropped["stranger or other table"] >= len(frames)


class SlowCourse(Course):
    """A course that puts off every check that may wait."""

    ready = False

    def run_job(self) -> bool:
        return self.ready and super().run_job()


class Slow(Table):
    """A table that puts off every check that may wait."""

    course_type = SlowCourse
    course: SlowCourse


def test_shares__are_given_by_nobody_before_it_has_verified_every_shuffle() -> None:
    """A wrong deck is found before anybody has opened anything of it."""
    slow: list[Slow] = []

    def seating(place: int, signer: Signer, roster: SealedRoster, secrets: Secrets) -> Table:
        slow.append(Slow(signer, roster, secrets))
        return slow[-1]

    sim = Sim(ONE_HAND, seating=seating)
    sim.wait(5.0)
    for table in sim.tables:
        current = table.history.current
        assert current.kind is Kind.SHUFFLE, "not even the keys are split before"
        assert current.certified
    for one in slow:
        one.course.ready = True
    sim.run()
    check_ends_alike(sim)


def test_rules__of_the_match_are_bound_into_the_table_id() -> None:
    """Same people, same nonces, other rules: other table, other words."""
    usual, short = drawn(RuleSet(hands=1)), drawn(RuleSet(hands=1, target=50))
    assert usual.table != short.table
    assert usual.phrase != short.phrase


def drawn(rules: RuleSet) -> Draw:
    """What the peers of a table draw, all alike."""
    sim = Sim(rules, seed="same")
    sim.run(lambda: all(table.draw for table in sim.tables))
    (draw,) = {table.draw for table in sim.tables}
    assert draw is not None
    return draw


def test_over__needs_the_certificate_of_every_round() -> None:
    """An ack of an earlier round may be on its way still when the last round is certified."""
    sim = Sim(ONE_HAND, seed="an ack that comes last")
    sim.run()
    table = sim.copy().tables[0]
    assert table.over
    shuffle = next(item for item in table.history.rounds if item.runs_ahead)
    del shuffle.heads[2]
    table.history._certified = 0
    table.history._count_certified()
    assert table.history.rounds[-1].certified
    assert not table.over


def test_over__is_no_table_whose_last_round_is_certified_while_the_match_goes_on() -> None:
    """As where two are missing for good: no further hand is dealt, and nobody has won."""
    sim = Sim(ONE_HAND, seed="an ack that comes last")
    sim.run()
    table = sim.tables[0]
    table.course.ended = False
    assert table.history.certified == len(table.history.rounds)
    assert not table.over
