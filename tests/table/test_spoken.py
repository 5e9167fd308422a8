"""What a seat has signed fills a slot, once."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from p2p_hearts.table.round import Round
from p2p_hearts.table.spoken import Slot, Spoken, slot_in, slot_of
from p2p_hearts.wire.chain import NO_HASH, place_of
from p2p_hearts.wire.codec import encode
from p2p_hearts.wire.envelope import seal
from p2p_hearts.wire.messages import Ack, Confirm, Content, Kind, Play, Vote
from tests.table.contents import content_of
from tests.table.sim import make_identities

(SEAT,) = make_identities(1)
PLAY = content_of(
    SEAT, round=20, sequence=7, prev=b"p" * 32, kind=Kind.PLAY, body=encode(Play(0, 3, b""))
)
ACK = replace(PLAY, kind=Kind.ACK, body=encode(Ack(bytes(32))))
VOTE = replace(PLAY, kind=Kind.VOTE, body=encode(Vote(1, 2, 0, [b""], b"")))
CONFIRM = replace(PLAY, kind=Kind.CONFIRM, body=encode(Confirm(1, 2, [b""], [])))
ROUND = Round(place_of(PLAY), PLAY.table, Kind.PLAY, (0,), PLAY.prev, False, (0, 1), True)

ANEW = [
    replace(PLAY, body=encode(Play(1, 4, b""))),
    replace(PLAY, prev=NO_HASH),
    replace(PLAY, kind=Kind.LOST, body=b""),
    replace(PLAY, sequence=9),
]
"""Other speeches in the place of a play."""

OTHER_VOTES = [
    replace(VOTE, body=encode(Vote(2, 2, 0, [b""], b""))),
    replace(VOTE, prev=NO_HASH),
    replace(VOTE, body=b"no vote"),
    CONFIRM,
]
"""What may be said besides a vote."""


@pytest.mark.parametrize("other", ANEW)
def test_slot__of_a_speech_or_an_ack_binds_on_every_history(other: Content) -> None:
    assert slot_of(other) == slot_of(PLAY) == slot_in(ROUND, Kind.PLAY)
    assert slot_of(replace(ACK, prev=NO_HASH)) == slot_of(ACK) == slot_in(ROUND, Kind.ACK)


def test_slot__of_each_place_table_and_sort_is_another_one() -> None:
    all_slots = [
        slot_of(content)
        for kind in (PLAY, ACK, VOTE, CONFIRM)
        for content in (
            kind,
            replace(kind, round=21),
            replace(kind, attempt=2),
            replace(kind, hand=2),
            replace(kind, table=b"t" * 32),
        )
    ]
    assert len({*all_slots}) == len(all_slots)


@pytest.mark.parametrize("other", OTHER_VOTES)
def test_slot__of_a_vote_is_of_its_ballot_and_its_history(other: Content) -> None:
    assert slot_of(other) != slot_of(VOTE)
    assert slot_of(replace(VOTE, body=encode(Vote(1, 1, 1, [NO_HASH], b"")))) == slot_of(VOTE)


def test_slot__of_a_ballot_that_says_no_number_is_a_slot_of_its_own() -> None:
    slot = slot_of(replace(CONFIRM, body=b""))
    assert slot == Slot(CONFIRM.table, place_of(CONFIRM), Kind.CONFIRM, CONFIRM.prev)


def test_spoken__keeps_what_filled_a_slot_first() -> None:
    spoken = Spoken()
    assert spoken.is_free(slot_of(PLAY))
    first, second = seal(SEAT, PLAY), seal(SEAT, ANEW[0])
    spoken.note(first)
    spoken.note(second)
    assert not spoken.is_free(slot_of(PLAY))
    assert spoken.on(ROUND) == [first]
    spoken.forget(second)
    assert spoken.on(ROUND) == [first], "another content is forgotten"
    spoken.forget(first)
    assert spoken.is_free(slot_of(PLAY))
    spoken.forget(first)


def test_spoken__tells_what_was_said_in_a_round_on_its_history() -> None:
    spoken = Spoken()
    on = [seal(SEAT, content) for content in (PLAY, ACK, VOTE, CONFIRM)]
    off = [seal(SEAT, replace(content, prev=NO_HASH)) for content in (VOTE, CONFIRM)]
    later = [seal(SEAT, replace(content, round=21)) for content in (PLAY, ACK, VOTE)]
    for sealed in (*on, *off, *later):
        spoken.note(sealed)
    assert spoken.on(ROUND) == on
    assert spoken.ballots(ROUND) == on[2:]


def test_spoken__counts_on_after_the_highest_number_it_has_heard_of() -> None:
    spoken = Spoken()
    for sequence, count in ((7, 8), (3, 8), (8, 9)):
        sealed = seal(SEAT, replace(PLAY, sequence=sequence))
        spoken.adopt(sealed)
        assert spoken.count == count
        assert (spoken.last == sealed.hash) is (sequence == count - 1)
