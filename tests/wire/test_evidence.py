"""Evidence: contents that convict their author wherever they are shown, and those that do not."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from p2p_hearts.wire.chain import NO_HASH, Place
from p2p_hearts.wire.codec import DecodeError, encode
from p2p_hearts.wire.envelope import Identity, Sealed, seal
from p2p_hearts.wire.evidence import (
    BODY_BYTES,
    REVEAL_BYTES,
    Known,
    fits_a_reveal,
    open_content,
    proven_by,
)
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.messages import Ack, Confirm, Kind, Reveal, Shuffle, Vote
from tests.wire.test_envelope import content_of
from tests.wire.test_faults import said

HEAD, OTHER = bytes(31) + b"\1", bytes(31) + b"\2"


def known(place: Place) -> Known | None:
    """Seats 0 to 2 speak in round 2 of hand 1; nobody knows another round."""
    return Known(HEAD, (0, 1, 2)) if (place.hand, place.round) == (1, 2) else None


def rule_of(*contents: Sealed) -> Rule | None:
    fault = proven_by(contents, known)
    return None if fault is None else fault.rule


def vote(ballot: int, view: bytes = HEAD, **fields: object) -> Sealed:
    body = encode(Vote(ballot, 1, 0, [view], b""))
    return said(body, kind=Kind.VOTE, **fields)


def confirm(ballot: int, value: bytes = HEAD, **fields: object) -> Sealed:
    return said(encode(Confirm(ballot, 1, [value], [])), kind=Kind.CONFIRM, **fields)


def ack(head: bytes = HEAD, **fields: object) -> Sealed:
    return said(encode(Ack(head)), kind=Kind.ACK, **fields)


TWINS = {
    "speeches": (said(b"one"), said(b"two", sequence=90)),
    "speeches on two histories": (said(b"one", prev=HEAD), said(b"one", prev=OTHER, sequence=90)),
    "speeches of two kinds": (said(b"one"), said(b"one", kind="key", sequence=90)),
    "speeches of the draw": (said(b"one", hand=0), said(b"two", hand=0, sequence=90)),
    "acks": (ack(HEAD), ack(OTHER, sequence=90)),
    "votes of one ballot": (vote(1, HEAD), vote(1, OTHER, sequence=90)),
    "confirms of one ballot": (confirm(1, HEAD), confirm(1, OTHER, sequence=90)),
}


@pytest.mark.parametrize("name", TWINS)
def test_evidence__of_two_contents_for_one_place_convicts(name: str) -> None:
    first, second = TWINS[name]
    assert rule_of(first, second) is rule_of(second, first) is Rule.TWO_CONTENTS


HONEST = {
    "a speech and its ack": (said(b"one", sequence=3), ack(sequence=90)),
    "speeches of two rounds": (said(b"one"), said(b"one", round=3, sequence=90)),
    "speeches of two attempts": (said(b"one"), said(b"one", attempt=2, sequence=90)),
    "speeches of two hands": (said(b"one"), said(b"one", hand=2, sequence=90)),
    "votes of two ballots": (vote(1), vote(2, sequence=90)),
    "votes on two histories": (vote(1, prev=HEAD), vote(1, prev=OTHER, sequence=90)),
    "a vote and a confirm": (vote(1), confirm(1, sequence=90)),
    "one content twice": (said(b"one"), said(b"one")),
    "seats that are not one": (said(b"one"), said(b"two", seat=2)),
    "tables that are not one": (said(b"one"), said(b"two", table=OTHER)),
    "three contents": (said(b"one"), said(b"two"), said(b"three")),
    "nothing": (),
    "the draw and a hand": (said(b"one", hand=0, table=OTHER), said(b"two", sequence=90)),
    "the draw of two tables": (said(b"one", hand=0), said(b"two", hand=0, table=OTHER)),
    "two seats of the draw": (said(b"one", hand=0), said(b"two", hand=0, seat=2)),
}


@pytest.mark.parametrize("name", HONEST)
def test_evidence__of_what_an_honest_seat_may_sign_proves_nothing(name: str) -> None:
    assert rule_of(*HONEST[name]) is None


def test_evidence__of_a_number_used_twice_convicts() -> None:
    assert rule_of(said(b"one", sequence=5), said(b"two", sequence=5, round=3)) is Rule.CHAIN


def test_evidence__of_a_number_used_in_the_draw_and_in_a_hand_convicts() -> None:
    """The table has another name by then, and its author another seat."""
    drawing = said(b"one", hand=0, table=OTHER, seat=2, sequence=5)
    assert rule_of(said(b"two", sequence=5), drawing) is Rule.CHAIN
    assert rule_of(said(b"two", sequence=6, last=drawing.hash), drawing) is None
    assert rule_of(said(b"two", sequence=6, last=OTHER), drawing) is Rule.CHAIN


def test_evidence__of_a_content_that_does_not_follow_its_author_s_last_one_convicts() -> None:
    first = said(b"one", sequence=5)
    follows = said(b"two", sequence=6, round=3, last=first.hash)
    denies = said(b"two", sequence=6, round=3, last=OTHER)
    later = said(b"two", sequence=7, round=3, last=OTHER)
    assert rule_of(first, follows) is None
    assert rule_of(denies, first) is Rule.CHAIN
    assert rule_of(first, later) is None


def test_evidence__of_a_first_content_that_names_one_before_convicts() -> None:
    assert rule_of(said(sequence=0, last=OTHER, prev=HEAD, seat=1)) is Rule.CHAIN
    assert rule_of(said(sequence=0, last=NO_HASH, prev=HEAD, seat=1)) is None


@pytest.mark.parametrize("kind", [Kind.ACK, Kind.VOTE, Kind.CONFIRM])
def test_evidence__of_nonsense_beside_the_speeches_convicts(kind: Kind) -> None:
    assert rule_of(said(b"nonsense", kind=kind)) is Rule.BODY
    assert rule_of(ack(), ack()) is None
    assert rule_of(vote(1)) is None


def test_evidence__of_a_speech_out_of_turn_convicts() -> None:
    assert rule_of(said(prev=HEAD, seat=1)) is None
    assert rule_of(said(prev=HEAD, seat=3)) is Rule.TURN
    assert rule_of(said(prev=HEAD, seat=3, round=3)) is None, "not everybody knows this round"


def test_evidence__of_a_speech_on_another_history_proves_nothing() -> None:
    """That its author knew better takes more than this content to prove."""
    assert rule_of(said(prev=OTHER, seat=1)) is None
    assert rule_of(said(prev=OTHER, seat=3)) is None


ACCUSER = Identity.from_private_bytes(b"a" * 32)


def longest(kind: Kind, filler: bytes = b"\0", more: int = 0) -> Sealed:
    """A content with a body of the greatest length that everybody takes, or longer."""
    most = REVEAL_BYTES if kind is Kind.REVEAL else BODY_BYTES
    return said(filler * (most + more), kind=kind)


def accusation(*contents: Sealed, accuser: Identity = ACCUSER) -> Sealed:
    body = encode(Reveal(bytes(32), [item.data for item in contents]))
    return seal(accuser, replace(content_of(accuser.public, body), kind=Kind.REVEAL))


@pytest.mark.parametrize("kind", Kind)
def test_content__that_is_longer_than_any_message_needs_is_taken_by_nobody(kind: Kind) -> None:
    fits = longest(kind)
    assert open_content(fits.data) == fits
    with pytest.raises(DecodeError, match="longer"):
        open_content(longest(kind, more=1).data)


@pytest.mark.parametrize("kind", Kind)
def test_evidence__of_contents_that_are_taken_is_never_too_long_for_a_reveal(kind: Kind) -> None:
    """Else a seat could contradict itself at such length that it is dealt the next hand."""
    pair = longest(kind), longest(kind, b"\1")
    for contents in (pair, pair[:1]):
        assert fits_a_reveal([item.data for item in contents])
        reveal = accusation(*contents)
        assert open_content(reveal.data) == reveal


def test_content__of_a_shuffle_of_two_packs_is_not_too_long() -> None:
    body = encode(Shuffle(bytes(64 * 104), bytes(32 * (5 * 104 + 9))))
    open_content(said(body, kind=Kind.SHUFFLE).data)


def test_reveal__is_long_only_with_evidence_that_proves_something_against_another_seat() -> None:
    big, twin = longest(Kind.SHUFFLE), longest(Kind.SHUFFLE, b"\1")
    unrelated = said(twin.content.body, kind=Kind.SHUFFLE, sequence=9, round=7)
    own = [
        seal(ACCUSER, replace(content_of(ACCUSER.public, filler * BODY_BYTES), kind=Kind.SHUFFLE))
        for filler in (b"\0", b"\1")
    ]
    nested = accusation(big, twin)
    disguised = seal(ACCUSER, replace(nested.content, kind=Kind.SHUFFLE))
    for reveal in (accusation(big, unrelated), accusation(*own), accusation(nested), disguised):
        with pytest.raises(DecodeError, match="longer"):
            open_content(reveal.data)
    assert not fits_a_reveal([nested.data])


def test_evidence__of_contents_of_two_authors_proves_nothing() -> None:
    """Else whoever signs in the seat of another could make it look two-faced."""
    first = said(b"one")
    other = seal(ACCUSER, replace(said(b"two").content, author=ACCUSER.public))
    assert first.content.author != other.content.author
    assert rule_of(first, other) is rule_of(other, first) is None
