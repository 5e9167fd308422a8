"""What is sent to a peer that lacks it: never what it holds for certain, always what it may not."""

from __future__ import annotations

from p2p_hearts.table.history import Outcome
from p2p_hearts.table.serving import FRAME_ENVELOPES, _is_settled, fill_frame, missing_for
from p2p_hearts.wire.chain import Place
from p2p_hearts.wire.envelope import seal
from p2p_hearts.wire.messages import Beat
from tests.table.test_history import NEXT, PEOPLE, TABLE, begin


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
