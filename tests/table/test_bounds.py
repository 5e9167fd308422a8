"""What one seat can make the others keep, in memory and on disk, and send, whatever it signs."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from p2p_hearts.agreement.absence import OPENINGS
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table.budget import BUDGET_SECONDS
from p2p_hearts.table.early import EARLY_BYTES, ROUNDS_AHEAD
from p2p_hearts.table.effects import Send, Store
from p2p_hearts.table.history import BALLOT_TWINS
from p2p_hearts.table.machine import Table
from p2p_hearts.table.post import ANSWERS, Post
from p2p_hearts.wire.codec import decode, encode
from p2p_hearts.wire.envelope import Envelope, Identity, content_hash, seal
from p2p_hearts.wire.evidence import BODY_BYTES
from p2p_hearts.wire.messages import Beat, Content, Frame, Kind, Vote
from tests.table.sim import Sim, Weather

LIAR = 1
BALLOTS = 3 * OPENINGS
"""Of a round at a table of three."""
LARGEST = bytes(BODY_BYTES - 2)


def in_the_middle() -> tuple[Sim, Identity, Content]:
    """A hand that is being played, a seat's key, and the last that it said."""
    sim = Sim(RuleSet(seats=3, hands=1), seed="bounds")
    table = sim.tables[0]
    sim.run(lambda: table.hand is not None and table.hand.play is not None)
    identity = sim.identities[table.player_at(LIAR)]
    said = [decode(decode(data, Envelope).content, Content) for data in sim.logs[0]]
    return sim, identity, [item for item in said if item.author == identity.public][-1]


def hear(sim: Sim, table: Table, *contents: Content, by: Identity) -> int:
    """Let a table receive what a seat signed; return how many bytes it wanted to store."""
    place = table.player_at(LIAR)
    for content in contents:
        envelope = seal(by, content).data
        table.receive(place, encode(Frame(table.roster.hash, [envelope], None)))
    while table.work():
        pass
    return sum(len(effect.envelope) for effect in table.drain() if isinstance(effect, Store))


def test_bounds__early_words_of_a_seat_take_so_much_and_no_more() -> None:
    sim, liar, last = in_the_middle()
    table = sim.tables[0]
    flood = [
        replace(last, hand=hand, round=number, kind=kind, body=LARGEST)
        for hand in range(1, 5)
        for number in range(last.round + 2, last.round + 200)
        for kind in ("play", "ack")
    ][:600]
    assert hear(sim, table, *flood, by=liar) == 0
    kept = [len(data) for data in table.history.early_of(liar.public)]
    assert 0 < sum(kept) <= EARLY_BYTES
    assert len(kept) <= 2 * (2 * ROUNDS_AHEAD + 1)
    assert table.fault is None


def test_bounds__early_words_of_one_seat_leave_room_for_those_of_others() -> None:
    sim, liar, last = in_the_middle()
    table = sim.tables[0]
    for number in range(last.round + 2, last.round + ROUNDS_AHEAD):
        hear(sim, table, replace(last, round=number, kind="play", body=LARGEST), by=liar)
    honest = sim.identities[table.player_at(2)]
    word = replace(
        last, seat=2, author=honest.public, round=last.round + 2, kind="play", body=b"word"
    )
    envelope = seal(honest, word).data
    table.receive(table.player_at(2), encode(Frame(table.roster.hash, [envelope], None)))
    assert table.history.early_of(honest.public) == [envelope]


def test_bounds__what_a_seat_says_again_or_out_of_place_never_reaches_a_log() -> None:
    sim, liar, last = in_the_middle()
    table = sim.tables[0]
    stored = hear(sim, table, *[last] * 200, by=liar)
    stored += hear(
        sim,
        table,
        *(replace(last, hand=0, sequence=number, body=LARGEST) for number in range(50)),
        *(replace(last, attempt=number, body=LARGEST) for number in range(2, 50)),
        *(replace(last, table=bytes([number] * 32)) for number in range(50)),
        by=liar,
    )
    assert stored == 0
    assert table.fault is None


def test_bounds__evidence_against_a_seat_that_says_everything_twice_is_a_pair_for_each_place() -> (
    None
):
    """The worst a proven liar can add to a log: two contents of each of its own places."""
    sim, liar, last = in_the_middle()
    table = sim.tables[0]
    stored = 0
    for number in range(30):
        body = number.to_bytes(2, "big") + LARGEST
        stored += hear(sim, table, replace(last, body=body), by=liar)
    assert table.fault is not None
    assert (table.fault.seat, table.fault.rule) == (LIAR, "two-contents")
    assert stored <= 2 * (len(LARGEST) + 1000)


def votes_of(sim: Sim, last: Content, count: int, ballots: int = BALLOTS) -> list[Content]:
    """Votes of one seat in the current round, each on top of the one before, no two alike."""
    table = sim.tables[0]
    item = table.history.current
    hand, attempt, number = item.place
    made: list[Content] = []
    for at in range(count):
        view = [at.to_bytes(32, "big")] * len(item.speakers)
        vote = Vote(1 + at % ballots, 0, LIAR, view, b"")
        before = made[-1] if made else last
        made.append(
            replace(
                last,
                hand=hand,
                attempt=attempt,
                round=number,
                prev=item.prev,
                sequence=before.sequence + 1,
                last=content_hash(encode(before)),
                kind=Kind.VOTE,
                body=encode(vote),
            )
        )
    return made


def test_bounds__votes_of_one_seat_leave_room_for_those_of_others() -> None:
    """Else nobody else's vote would be kept, and the round could not be closed without the liar."""
    sim, liar, last = in_the_middle()
    hear(sim, sim.tables[0], *votes_of(sim, last, 520), by=liar)
    kept = [item.content.seat for item in sim.tables[0].history.current.ballots.values()]
    assert kept.count(LIAR) == BALLOT_TWINS * BALLOTS
    assert sim.tables[0].fault is not None
    place = sim.tables[0].history.current.place
    sim.stopped.add(sim.tables[0].player_at(LIAR))
    rest = [table for table in sim.tables if table.seat != LIAR]
    for table in rest:
        table.auto_vote = True
    sim.run(lambda: all(table.history.rounds[-1].place > place for table in rest), limit=200)


def test_bounds__a_third_vote_in_a_ballot_is_kept_if_a_confirm_names_it() -> None:
    """Whoever confirmed with it could else never be followed."""
    sim, liar, last = in_the_middle()
    table = sim.tables[0]
    first, second, third = votes_of(sim, last, 3, ballots=1)
    hear(sim, table, first, second, third, by=liar)
    name = seal(liar, third).hash
    current = table.history.current
    assert name not in current.ballots
    current.called.add((name, LIAR))
    hear(sim, table, third, by=liar)
    assert name not in current.ballots, "nobody makes room for its own votes"
    current.called.add((name, 2))
    hear(sim, table, third, by=liar)
    assert name in current.ballots


def sent_for(table: Table, place: int, beat: Beat, times: int) -> list[bytes]:
    """Let a table hear a heartbeat so often; return the frames with which it answers that peer."""
    table.drain()
    for _ in range(times):
        table.receive(place, encode(Frame(table.roster.hash, [], beat)))
    return [item.frame for item in table.drain() if isinstance(item, Send) and item.to == place]


def beat_of(table: Table, fault: bytes = b"", hand: int = 0) -> Beat:
    """A heartbeat from the beginning of a hand: it lacks all that was said since."""
    return Beat(table.roster.hash, hand, min(hand, 1), 0, [], fault, False, 0, [0] * 3)


def test_bounds__heartbeats_of_a_seat_have_few_answers_in_a_second() -> None:
    """Else 170 bytes would bring 120 KiB, as often as a seat likes."""
    sim, _, _ = in_the_middle()
    table = sim.tables[0]
    liar, other = table.player_at(LIAR), table.player_at(2)
    table.tick(sim.now + BUDGET_SECONDS)
    assert len(sent_for(table, liar, beat_of(table), 500)) == ANSWERS
    assert sent_for(table, liar, beat_of(table, hand=1), 500) == []
    assert len(sent_for(table, other, beat_of(table), 1)) == 1, "another seat's are answered"
    table.tick(sim.now + 2 * BUDGET_SECONDS)
    assert len(sent_for(table, liar, table.beat(), 500)) == 0
    assert len(sent_for(table, liar, beat_of(table), 1)) == 1, "who lacks nothing has spent nothing"


def test_bounds__heartbeats_with_another_fault_have_few_answers_in_a_second() -> None:
    """Two seats to which a liar has shown different contents send each other their evidence."""
    sim, liar, last = in_the_middle()
    table, other = sim.tables[0], sim.tables[0].player_at(2)
    hear(sim, table, replace(last, body=LARGEST), by=liar)
    assert table.fault is not None
    table.tick(sim.now + BUDGET_SECONDS)
    told = replace(table.beat(), fault=b"another")
    assert len(sent_for(table, other, replace(table.beat(), fault=table.fault.id), 50)) == 0
    frames = sent_for(table, other, told, 500)
    assert len(frames) == ANSWERS
    assert all(table.fault.evidence[0] in decode(frame, Frame).envelopes for frame in frames)


@pytest.mark.parametrize("weather", [Weather(), Weather(0.02, 0.05, drop=0.3)], ids=["fair", "bad"])
def test_bounds__who_has_lost_all_is_sent_all_of_it_as_fast_as_it_asks(
    weather: Weather, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No answer that an honest seat asks for is refused, after a start or on a bad network."""
    sim, _, _ = in_the_middle()
    sim.weather, place, goal = weather, 1, sim.tables[0].history.current.place
    secrets, reply, refused = sim.secrets[place], Post.reply, list[int]()

    def watched(post: Post, asker: int, beat: Beat) -> None:
        if post._answers.is_spent(asker):
            refused.append(asker)
        reply(post, asker, beat)

    monkeypatch.setattr(Post, "reply", watched)
    table = Table.resume(sim.identities[place], sim.roster, secrets, [], recall=7)
    sim.tables[place] = table
    start = sim.now
    while table.history.current.place < goal or table.recall.waiting:
        sim._ticks = [min(tick, sim.now + 0.1) for tick in sim._ticks]  # As a program does.
        sim.step()
        assert sim.now < start + 10
    assert refused == []
