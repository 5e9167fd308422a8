"""Evidence: contents that convict their author wherever they are shown, and those that do not."""

from __future__ import annotations

import pytest

from p2p_hearts.wire.chain import NO_HASH, Place
from p2p_hearts.wire.codec import encode
from p2p_hearts.wire.envelope import Sealed
from p2p_hearts.wire.evidence import Known, proven_by
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.messages import Ack, Confirm, Kind, Vote
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
    "the formation": (said(b"one", hand=0), said(b"two", hand=0)),
}


@pytest.mark.parametrize("name", HONEST)
def test_evidence__of_what_an_honest_seat_may_sign_proves_nothing(name: str) -> None:
    assert rule_of(*HONEST[name]) is None


def test_evidence__of_a_number_used_twice_convicts() -> None:
    assert rule_of(said(b"one", sequence=5), said(b"two", sequence=5, round=3)) is Rule.CHAIN


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
