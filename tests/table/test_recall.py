"""A seat that was started again with an old log: it never contradicts itself."""

from __future__ import annotations

import heapq

import pytest
from msgspec import structs

from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table.effects import Send
from p2p_hearts.table.machine import Table
from p2p_hearts.table.recall import OwnLog, Recall
from p2p_hearts.wire.codec import decode, encode
from p2p_hearts.wire.envelope import open_envelope, seal
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.messages import Ack, Content, Draw, Frame, Kind, Play, Reveal, Sit
from tests.record.test_audit_table import audit_sim
from tests.table.contents import content_of
from tests.table.sim import Sim, make_identities, seeded

ONE_HAND = RuleSet(hands=1)
VICTIM = 0


def in_the_play(seed: object) -> Sim:
    sim = Sim(ONE_HAND, seed=seed)
    sim.run(lambda: all(table.history.current.place.round >= 45 for table in sim.tables))
    return sim


def restore(sim: Sim, rounds: int) -> Table:
    """Start the victim again from a log that ends so many rounds before the others."""
    last = sim.tables[VICTIM].history.current.place.round - rounds
    log = [
        data
        for data in sim.logs[VICTIM]
        if (content := open_envelope(data).content).hand == 0 or content.round < last
    ]
    return start_again(sim, log)


def start_again(sim: Sim, log: list[bytes]) -> Table:
    """Start the victim again from this log; nothing that was on its way reaches it."""
    sim.logs[VICTIM] = list(log)
    sim._queue = [item for item in sim._queue if item[3] != VICTIM]
    heapq.heapify(sim._queue)
    table = Table.resume(sim.identities[VICTIM], sim.roster, sim.secrets[VICTIM], log, recall=7)
    sim.tables[VICTIM] = table
    return table


def answers(sim: Sim, table: Table) -> list[tuple[int, bytes]]:
    """What the others answer to one heartbeat of the victim."""
    table.greet(1)
    (beat,) = [effect.frame for effect in table.drain() if isinstance(effect, Send)]
    found: list[tuple[int, bytes]] = []
    for place, other in enumerate(sim.tables):
        if place == VICTIM:
            continue
        other.receive(VICTIM, beat)
        sent = [effect for effect in other.drain() if isinstance(effect, Send)]
        found += [(place, item.frame) for item in sent if item.to in (None, VICTIM)]
    return found


@pytest.mark.parametrize("rounds", [16, 20])
def test_recall__an_old_log_convicts_nobody_when_all_answers_come_at_once(rounds: int) -> None:
    """What is too far ahead is dropped: then the answer is not complete, and nothing is said."""
    sim = in_the_play(rounds)
    table = restore(sim, rounds)
    for place, frame in answers(sim, table):
        table.receive(place, frame)
    sim.settle(VICTIM)
    sim.run(limit=sim.now + 60)
    assert [table.fault for table in sim.tables] == [None] * 4
    assert all(table.over for table in sim.tables)


def test_recall__who_is_told_another_content_first_follows_what_all_have_acknowledged() -> None:
    """Else it would wait for ever, vote in a round long past, and so use a number twice."""
    sim = in_the_play("whispered")
    for table in sim.tables:
        table.auto_vote = True
    here, me = sim.tables[1].history.current.place, sim.tables[VICTIM].seat
    item = next(
        item
        for item in reversed(sim.tables[1].history.rounds)
        if item.place.round <= here.round - 5 and me not in item.speakers
    )
    table = restore(sim, sim.tables[VICTIM].history.current.place.round - item.place.round)
    table.auto_vote = True
    assert table.history.current.place == item.place
    (seat,) = item.speakers
    liar = sim.tables[1].player_at(seat)
    said, acked = item.speeches[seat].content, item.acks[seat].content
    play = decode(said.body, Play)
    other = structs.replace(said, body=encode(structs.replace(play, proof=bytes(len(play.proof)))))
    whispered = seal(sim.identities[liar], other)
    head = encode(Ack(item.head_of((whispered.hash,))))
    ack = seal(sim.identities[liar], structs.replace(acked, last=whispered.hash, body=head))
    table.receive(liar, encode(Frame(sim.roster.hash, [whispered.data, ack.data], None)))
    honest = [place for place in range(4) if place != liar]
    sim.run(lambda: all(sim.tables[place].over for place in honest), limit=sim.now + 60)
    faults = [sim.tables[place].fault for place in honest]
    assert {fault.seat for fault in faults if fault is not None} == {seat}
    assert len({sim.tables[place].history.head for place in honest}) == 1
    found = audit_sim(sim, honest)
    assert {item.fault.seat for item in found.faults} == {seat}
    told = found.reports[honest.index(VICTIM)]
    assert told.scores == table.match.hands, "its own log shows the whole game"
    assert {report.scores for report in found.reports} == {told.scores}


@pytest.mark.parametrize("has_acked", [False, True])
@pytest.mark.parametrize("kind", [Kind.SIT, Kind.DRAW])
def test_recall__who_is_told_another_word_of_the_draw_first_follows_what_all_have_acknowledged(
    kind: Kind, has_acked: bool
) -> None:
    """Also where the fault that shows stops it at once: the others have gone on from the draw."""
    sim = Sim(ONE_HAND, seed=("whispered", kind), auto_vote=True)
    sim.run(lambda: all(at_play(table) for table in sim.tables))
    liar, honest = 2, [0, 1, 3]
    item = next(item for item in sim.tables[1].history.rounds if item.kind is kind)

    def is_known(content: Content) -> bool:
        if content.hand or content.round > item.place.round:
            return False
        is_of_it = content.round == item.place.round
        return not is_of_it or (content.kind == kind and content.seat != liar)

    log = [data for data in sim.logs[VICTIM] if is_known(open_envelope(data).content)]
    table = start_again(sim, log)
    table.auto_vote = True
    assert table.history.current.place == item.place
    said, acked = item.speeches[liar].content, item.acks[liar].content
    body = Sit(bytes(32)) if kind is Kind.SIT else Draw(bytes(32))
    whispered = seal(sim.identities[liar], structs.replace(said, body=encode(body)))
    told = [whispered.data]
    if has_acked:
        names = [item.speeches[seat].hash for seat in item.speakers]
        names[liar] = whispered.hash
        head = encode(Ack(item.head_of(tuple(names))))
        ack = structs.replace(acked, last=whispered.hash, body=head)
        told.append(seal(sim.identities[liar], ack).data)
    table.receive(liar, encode(Frame(sim.roster.hash, told, None)))
    first = item.speeches[liar].data
    table.receive(1, encode(Frame(sim.roster.hash, [first], None)))
    assert table.fault is not None
    assert (table.stopped, table.stopped_for_good) == (True, False)
    sim.run(lambda: all(sim.tables[place].over for place in honest), limit=sim.now + 60)
    for place in honest:
        fault = sim.tables[place].fault
        assert fault is not None
        assert (fault.rule, fault.seat, fault.hand) == (Rule.TWO_CONTENTS, liar, 0)
    assert len({sim.tables[place].history.head for place in honest}) == 1
    assert len({sim.tables[place].match for place in honest}) == 1
    own = [
        (content.hand, content.round, content.kind)
        for data in sim.logs[1]
        if (content := open_envelope(data).content).author == sim.identities[VICTIM].public
    ]
    assert len(set(own)) == len(own), "nothing was said twice"
    found = audit_sim(sim, honest)
    assert {(item.fault.seat, item.fault.hand) for item in found.faults} == {(liar, 0)}
    assert {report.scores for report in found.reports} == {table.match.hands}


def at_play(table: Table) -> bool:
    return table.history.current.kind is Kind.PLAY


def test_recall__an_own_content_of_another_table_does_not_move_the_own_count() -> None:
    """Before the draw, somebody shows a seat what it once signed elsewhere."""
    sim = Sim(ONE_HAND, seed="other table")
    identity = sim.identities[VICTIM]
    foreign = content_of(identity, table=seeded("another table"), round=3, sequence=500)
    frame = encode(Frame(sim.roster.hash, [seal(identity, foreign).data], None))
    sim.tables[VICTIM].receive(1, frame)
    sim.run()
    own = [
        content.sequence
        for data in sim.logs[1]
        if (content := open_envelope(data).content).author == identity.public
    ]
    assert sorted(own) == list(range(len(own)))


def test_recall__does_without_one_answer_after_the_grace_unless_the_others_knew_more() -> None:
    recall = Recall(4, grace=15)
    recall.note_own(7)
    recall.begin(5, {0, 2, 3})
    assert recall.returned(0, 5) is False
    assert recall.ends(100.0, 7) is False, "two are missing"
    recall.returned(3, 5)
    assert recall.ends(200.0, 7) is False
    assert recall.ends(215.0, 7) is False
    assert recall.ends(215.1, 8) is False, "the others held something newer"
    assert recall.ends(300.0, 7) is False
    assert recall.ends(315.1, 7) is True
    assert recall.number == 0


def test_recall__ends_with_the_answer_of_the_last_one_and_once() -> None:
    recall = Recall(3, grace=15)
    recall.begin(5, {1, 2})
    assert not recall.returned(1, 5)
    assert not recall.returned(2, 4), "an answer to an earlier start"
    assert recall.returned(2, 5)
    assert not recall.returned(2, 5)


def test_own_log__shows_what_its_seat_has_committed_to_and_revealed_and_nobody_else() -> None:
    me, other = make_identities(2)
    key = content_of(other, kind=Kind.KEY, body=b"")
    own = structs.replace(key, author=me.public)
    reveal = encode(Reveal(bytes(32), []))
    log = OwnLog()
    log.read(me.public, [key, structs.replace(key, kind=Kind.REVEAL, body=reveal)])
    assert (log.keyed, log.revealed, log.abandoned) == (set(), {}, set())
    log.read(me.public, [own, structs.replace(own, hand=2, kind=Kind.REVEAL, body=reveal)])
    assert (log.keyed, log.revealed) == ({(1, 1)}, {(2, 1): bytes(32)})
    log.read(me.public, [structs.replace(key, hand=3, attempt=2)])
    assert log.abandoned == {(3, 1)}
