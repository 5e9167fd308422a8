"""What is sent to a peer that lacks it: never what it holds for certain, always what it may not."""

from __future__ import annotations

from unittest.mock import patch

from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table import post
from p2p_hearts.table.effects import Send
from p2p_hearts.table.history import Outcome
from p2p_hearts.table.serving import FRAME_ENVELOPES, _is_settled, fill_frame, missing_for
from p2p_hearts.wire.chain import Place
from p2p_hearts.wire.codec import decode
from p2p_hearts.wire.envelope import seal
from p2p_hearts.wire.messages import Beat, Frame, Kind
from tests.table.drowning import LIAR, drowning_table
from tests.table.sim import Sim
from tests.table.test_history import NEXT, PEOPLE, TABLE, begin
from tests.table.test_watching import Watching

ROUNDS_OF_A_DEAL = 8
"""Formation, keys and shuffles of five seats."""

PART = 7
"""So many envelopes in one frame."""


def test_settled__is_what_stands_in_a_certified_round_and_not_its_twin() -> None:
    """Acks certify one of two contents: of the other nobody knows who has it."""
    history, authors = begin()
    said = [author.says() for author in authors]
    for sealed in said:
        history.accept(sealed)
    for author in authors:
        history.accept(author.acks(history.current.head))
    twin = seal(PEOPLE[0], authors[0].content(b"second", sequence=0))
    after, here = Place(1, 1, 1), Place(1, 1, 0)
    assert _is_settled(history, said[0], after)
    assert _is_settled(history, history.current.acks[0], after)
    assert not _is_settled(history, twin, after)
    assert not _is_settled(history, said[0], here)
    history.current.ballots[b"name"] = said[1]
    assert not _is_settled(history, said[0], after)


def test_frame__holds_one_envelope_at_least_and_no_more_than_fit() -> None:
    parts = [b"four", b"four", b"four"]
    assert fill_frame(parts, 8) == (parts[:2], parts[2:])
    assert fill_frame(parts, 3) == (parts[:1], parts[1:])
    assert fill_frame([b""] * (FRAME_ENVELOPES + 1), 3)[1] == [b""]
    assert fill_frame([]) == ([], [])


def test_missing__is_sent_without_what_its_author_said_in_rounds_certified_by_acks() -> None:
    """Whoever is behind by a round holds those: else all that was ever said would go again."""
    history, authors = begin()
    for author in authors:
        history.accept(author.says())
    for author in authors:
        history.accept(author.acks(history.current.head))
    prev = history.current.head
    assert prev is not None
    history.open_round(*NEXT)
    said = authors[0].says(round=1, kind="shares", prev=prev)
    assert history.accept(said) is Outcome.ACCEPTED
    beat = Beat(
        table=TABLE,
        hand=1,
        attempt=1,
        round=1,
        open=[],
        fault=b"",
        finished=False,
        recall=0,
        recalled=[],
    )
    assert missing_for(history, beat) == [said.data]


def test_drowning__what_the_others_keep_and_a_seat_drops_keeps_nothing_else_from_it() -> None:
    """One liar could have a seat left behind for good, and voted out."""
    sim, drowned = drowning_table()
    table = sim.tables[drowned]
    sim.run(lambda: table.history.current.kind is Kind.SHUFFLE, limit=60)
    watching = Watching(sim, drowned)
    watching.catch_up()
    sim.run(lambda: len(table.history.rounds) > ROUNDS_OF_A_DEAL, limit=60)
    assert table.hand is not None
    assert table.hand.attempt == 1
    assert len(table.history.convictions.proven) == 1
    # Who watches has heard what the seat has, and then asks another one.
    watching.source = next(place for place in range(5) if place not in (LIAR, drowned))
    watching.catch_up()
    assert len(watching.table.history.rounds) > ROUNDS_OF_A_DEAL


def test_answer__sends_all_of_it_in_turn_and_then_names_the_recall() -> None:
    """What comes first may be what the other drops each time: it keeps the rest from nobody."""
    sim = Sim(RuleSet(seats=3, hands=1))
    sim.run(lambda: len(sim.tables[0].history.rounds) > ROUNDS_OF_A_DEAL)
    table = sim.tables[0]
    table.drain()
    beat = Beat(sim.roster.hash, 1, 1, 0, [], b"", False, 5, [0, 0, 0])
    missing = missing_for(table.history, beat)
    assert len(missing) > 2 * PART
    sent = list[bytes]()
    with patch.object(post, "fill_frame", lambda parts: (parts[:PART], parts[PART:])):
        for _ in range((len(missing) - 1) // PART):
            table.post.answer(1, beat)
            frames = [decode(item.frame, Frame) for item in table.drain() if isinstance(item, Send)]
            sent += [data for frame in frames for data in frame.envelopes]
            assert table.recall.answered[1] == 0
        table.post.answer(1, beat)
    (last,) = [decode(item.frame, Frame) for item in table.drain() if isinstance(item, Send)]
    assert [*sent, *last.envelopes][: len(missing)] == missing
    assert table.recall.answered[1] == beat.recall


def test_answer__notes_nothing_of_what_is_missed_no_more() -> None:
    """Of one speech the latest contents are kept, so what is missed may change without end."""
    sim = Sim(RuleSet(seats=3, hands=1))
    sim.run(lambda: sim.tables[0].draw is not None)
    table = sim.tables[0]
    beat = Beat(sim.roster.hash, 1, 1, 0, [], b"", False, 0, [0, 0, 0])
    for wave in range(4):
        missing = [b"%d %d" % (wave, number) for number in range(FRAME_ENVELOPES + 1)]
        with patch.object(post, "missing_for", lambda *_, missing=missing: missing):
            table.post.answer(1, beat)
        _, sent = table.post._sent[1]
        assert sent == {*missing[:FRAME_ENVELOPES]}
