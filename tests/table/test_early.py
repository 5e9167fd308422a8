"""What comes before its round is open waits, within bounds, or is set aside."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from p2p_hearts.table.counts import Counts
from p2p_hearts.table.early import EARLY_BYTES, ROUNDS_AHEAD, Early
from p2p_hearts.wire.chain import Place
from p2p_hearts.wire.envelope import Sealed, seal
from p2p_hearts.wire.messages import Kind
from tests.table.contents import content_of
from tests.table.sim import make_identities

(AUTHOR, OTHER) = make_identities(2)
HERE = Place(1, 1, 5)
HEAD = b"h" * 32
CONTENT = content_of(AUTHOR, round=6, sequence=9, prev=HEAD, kind=Kind.SHUFFLE, body=b"")


def said(**fields: object) -> Sealed:
    return seal(AUTHOR, replace(CONTENT, **fields))


@pytest.mark.parametrize(
    ("hand", "number", "kept"),
    [
        (1, HERE.round + ROUNDS_AHEAD, True),
        (1, HERE.round + ROUNDS_AHEAD + 1, False),
        (2, ROUNDS_AHEAD - 1, True),
        (2, ROUNDS_AHEAD, False),
        (3, 0, False),
    ],
)
def test_early__keeps_what_is_near_and_the_first_rounds_of_the_next_hand(
    hand: int, number: int, kept: bool
) -> None:
    early, sealed = Early(), said(hand=hand, round=number)
    assert early.keep(sealed, HERE) is kept
    assert early.holds(sealed) is kept


def test_early__keeps_one_content_of_each_sort_of_an_author_for_a_round() -> None:
    early, first = Early(), said()
    others = [said(kind=kind) for kind in (Kind.ACK, Kind.VOTE, Kind.CONFIRM)]
    stranger = seal(OTHER, replace(CONTENT, author=OTHER.public))
    for sealed in (first, *others, stranger, said(kind=Kind.KEY)):
        assert early.keep(sealed, HERE)
    assert not early.holds(said(kind=Kind.KEY)), "there is a speech already"
    assert early.said_by(AUTHOR.public) == [item.data for item in (first, *others)]
    assert early.said_by(OTHER.public) == [stranger.data]


def test_early__keeps_so_many_bytes_of_an_author() -> None:
    early, size = Early(), EARLY_BYTES // 4
    kept = [early.keep(said(round=6 + at, body=bytes(size)), HERE) for at in range(5)]
    assert kept == [True, True, True, False, False]
    assert early.keep(seal(OTHER, replace(CONTENT, author=OTHER.public)), HERE)


def test_early__gives_what_is_due_and_forgets_what_is_late() -> None:
    early = Early()
    late, due, later = (said(round=number) for number in (6, 7, 8))
    for sealed in (later, due, late):
        early.keep(sealed, HERE)
    assert early.take_due(Place(1, 1, 7), HEAD) == [due]
    assert [early.holds(sealed) for sealed in (late, due, later)] == [False, False, True]


def test_early__gives_what_was_set_aside_if_its_shuffle_comes_to_stand() -> None:
    early = Early()
    here, elsewhere = said(), said(round=7)
    early.set_aside(here)
    early.set_aside(elsewhere)
    assert early.aside(said(body=b"other")) is here
    assert early.aside(said(kind=Kind.ACK)) is None
    assert early.take_due(Place(1, 1, 6), b"another head") == []
    assert early.holds(here)
    assert early.take_due(Place(1, 1, 6), HEAD) == [here]
    assert early.aside(here) is None
    assert early.holds(elsewhere)


def ahead() -> list[Sealed]:
    """What an author says after number 8: a shuffle, its ack, a shuffle, and a vote."""
    made = [said(sequence=8)]
    kinds = ((6, Kind.SHUFFLE), (6, Kind.ACK), (7, Kind.SHUFFLE), (6, Kind.VOTE))
    for number, kind in kinds:
        before = made[-1]
        sequence = before.content.sequence + 1
        made.append(said(round=number, kind=kind, sequence=sequence, last=before.hash))
    return made


def test_early__admits_what_was_said_ahead_before_a_ballot_in_its_order() -> None:
    first, *chain, vote = ahead()
    counts, early = Counts(), Early()
    counts.note(first)
    for sealed in reversed(chain):
        early.keep(sealed, HERE)
    assert early.admit(vote, counts) == chain
    assert all(early.aside(sealed) is sealed for sealed in chain)
    assert early.said_by(AUTHOR.public) == []


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_early__admits_nothing_where_a_content_before_a_ballot_is_missing(missing: int) -> None:
    first, *chain, vote = ahead()
    counts, early = Counts(), Early()
    counts.note(first)
    for sealed in (item for item in chain if item is not chain[missing]):
        early.keep(sealed, HERE)
    assert early.admit(vote, counts) == []
    assert early.aside(chain[missing - 1]) is None


def test_early__admits_nothing_on_top_of_another_content_than_is_held() -> None:
    _, *chain, vote = ahead()
    counts, early = Counts(), Early()
    counts.note(said(sequence=8, body=b"other"))
    for sealed in chain:
        early.keep(sealed, HERE)
    assert early.admit(vote, counts) == []
    assert early.admit(said(sequence=9, kind=Kind.VOTE), counts) == []
