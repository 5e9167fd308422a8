"""What a seat may sign in a ballot, and when it votes next: rule by rule, on plain values.

``test_absence_model`` shows what the rules are good for; here each of them has a table of cases of
which the first is allowed, and the others differ from it in one thing.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import pytest

from p2p_hearts.agreement import absence
from p2p_hearts.agreement.absence import Confirm, Own, Shape, Value, Vote
from p2p_hearts.table import voting
from p2p_hearts.table.voting import Sight

SEATS = (0, 1, 2, 3)
SHAPE = Shape(SEATS, (0,))
HELD: Value = (b"m",)


def vote(voter: int, target: int = 0, ballot: int = 1, opener: int = 2, name: str = "") -> Vote:
    """A vote of somebody who holds the message of seat 0."""
    said = name or f"{voter} against {target} in {ballot}"
    return Vote(said.encode(), voter, ballot, target, opener, HELD, None)


VOTES = (vote(1), vote(2), vote(3))
CONFIRM = Confirm(b"confirm", 1, 1, 0, HELD, VOTES)
OWN = Own(1, votes=(vote(1), vote(1, 3, 2)))


def sight(own: Own, *votes: Vote, shape: Shape = SHAPE, first: Value = HELD) -> Sight:
    """What a seat sees that has had no ack and no confirm yet; its own votes are among these."""
    return Sight(shape, own, first, frozenset(), (*own.votes, *votes), own.confirms)


@pytest.mark.parametrize(
    ("own", "may"),
    [
        (Own(1), True),
        (Own(1, acked=HELD), False),
        (Own(1, votes=VOTES[:1]), False),
    ],
)
def test_ack__is_given_once_and_not_after_the_own_vote(own: Own, may: bool) -> None:
    assert absence.may_ack(own) is may


@pytest.mark.parametrize(
    ("ballot", "target", "may"),
    [
        (3, 0, True),
        (3, 1, False),  # itself
        (3, 4, False),  # nobody
        (2, 0, False),  # a ballot it has voted in
        (1, 0, False),
    ],
)
def test_vote__is_given_against_another_seat_in_a_higher_ballot_only(
    ballot: int, target: int, may: bool
) -> None:
    assert absence.may_vote(SHAPE, OWN, ballot, target) is may


@pytest.mark.parametrize(
    ("own", "ballot", "target", "may"),
    [
        (OWN, 2, 3, True),
        (OWN, 1, 0, False),  # not its last vote
        (OWN, 2, 0, False),  # it voted against another seat there
        (Own(1), 2, 3, False),
        (replace(OWN, confirms=(replace(CONFIRM, ballot=2, target=3),)), 2, 3, False),
    ],
)
def test_confirm__is_given_once_for_the_own_last_vote(
    own: Own, ballot: int, target: int, may: bool
) -> None:
    assert absence.may_confirm(own, ballot, target) is may


@pytest.mark.parametrize(
    ("own", "first", "target", "view"),
    [
        (Own(1), (None, b"1"), 0, (None, b"1")),
        (Own(1), (None, b"1"), 3, None),
        (Own(1, acked=(b"0", b"1")), (b"x", b"1"), 3, (b"0", b"1")),
    ],
)
def test_view__may_lack_what_the_target_said_and_nothing_else(
    own: Own, first: Value, target: int, view: Value | None
) -> None:
    assert absence.view_of(Shape(SEATS, (0, 1)), own, first, target) == view


@pytest.mark.parametrize(
    "changes",
    [
        {"voter": 4},
        {"target": 4},
        {"opener": 0},  # the target
        {"opener": 4},
        {"target": 1},  # the voter
        {"ballot": 0},
        {"ballot": absence.OPENINGS * 4 + 1},
        {"view": (b"m", b"m")},
        {"view": (None,), "target": 3},
        {"lock": replace(CONFIRM, voter=2), "ballot": 2},  # of somebody else
        {"lock": CONFIRM},  # of the same ballot
    ],
    ids=str,
)
def test_vote__that_differs_in_one_thing_from_one_that_may_be_signed_is_not_sound(
    changes: dict[str, object],
) -> None:
    good = replace(vote(1), ballot=2, lock=CONFIRM)
    assert absence.is_sound_vote(SHAPE, vote(1))
    assert absence.is_sound_vote(SHAPE, good)
    assert not absence.is_sound_vote(SHAPE, replace(vote(1), **changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "changes",
    [
        {"voter": 0},  # the target
        {"votes": VOTES[1:]},
        {"votes": (*VOTES[:2], vote(3, ballot=2))},
        {"votes": (*VOTES[:2], vote(3, target=2))},
        {"value": (None,)},
    ],
    ids=str,
)
def test_confirm__that_differs_in_one_thing_from_one_that_may_be_signed_is_not_sound(
    changes: dict[str, object],
) -> None:
    assert absence.is_sound_confirm(SHAPE, CONFIRM)
    assert not absence.is_sound_confirm(SHAPE, replace(CONFIRM, **changes))  # type: ignore[arg-type]


def test_votes_and_confirms__are_the_same_if_they_have_the_same_name() -> None:
    assert vote(1) == replace(vote(1), view=(None,))
    assert vote(1) != vote(2)
    assert replace(CONFIRM, voter=2) == CONFIRM
    assert replace(CONFIRM, name=b"another") != CONFIRM


@pytest.mark.parametrize(
    ("confirms", "is_one"),
    [
        ([(3, 1), (1, 1), (2, 1)], True),
        ([(3, 1), (1, 1)], False),
        ([(3, 1), (1, 1), (2, 2)], False),
        ([(3, 1), (1, 1), (1, 1)], False),
    ],
)
def test_certificate__is_equal_confirms_of_all_but_the_target_of_one_ballot(
    confirms: list[tuple[int, int]], is_one: bool
) -> None:
    made = [replace(CONFIRM, voter=voter, ballot=ballot) for voter, ballot in confirms]
    found = absence.certificate(SHAPE, made)
    assert (found is not None and [item.voter for item in found] == [1, 2, 3]) is is_one


@pytest.mark.parametrize(
    ("own", "others", "is_whole"),
    [
        (Own(1, votes=VOTES[:1]), VOTES[1:], True),
        (Own(1, votes=VOTES[:1]), VOTES[1:2], False),
        (Own(1), VOTES[1:], False),
        (Own(1, votes=VOTES[:1], confirms=(CONFIRM,)), VOTES[1:], False),
    ],
)
def test_ballot__is_complete_with_a_vote_of_everybody_and_confirmed_once(
    own: Own, others: tuple[Vote, ...], is_whole: bool
) -> None:
    assert voting.complete_ballot(sight(own, *others)) == (VOTES if is_whole else None)


OPENED = tuple(vote(1, ballot=ballot, opener=1) for ballot in (1, 2, 3))
"""All ballots that one seat may open."""

SPLIT = (vote(2), vote(3, 1, opener=3))
"""Beside a vote of 1 against 0 nobody can be left out any more: 2 and 3 named different seats."""

LATE = Shape(SEATS, (3,), runs_ahead=True)
"""A round ahead of its certificate: nobody joins a ballot against a seat that is not silent."""


@pytest.mark.parametrize(
    ("seen", "silent", "given"),
    [
        # Joining what somebody opened.
        (sight(Own(1), vote(2)), (), (1, 0, 2)),
        (sight(Own(1), vote(2, 3)), (), (1, 3, 2)),  # one that owes an ack
        (sight(Own(1), vote(2, 1), vote(3, 1)), (), None),  # against itself
        (sight(Own(1), vote(2), first=(None,)), (), None),  # the message may still come
        (sight(Own(1), vote(2), shape=LATE), (), None),
        # Opening one.
        (sight(Own(1), first=(None,)), {0}, (1, 0, 1)),
        (sight(Own(1), first=(None,)), {2}, None),  # owes nothing yet
        (sight(Own(1), vote(2), first=(None,)), {2}, None),  # without what 0 has not said
        (sight(Own(1), vote(2), shape=LATE), {2}, (2, 2, 1)),
        (sight(Own(1, votes=OPENED[:2])), {2}, (3, 2, 1)),
        (sight(Own(1, votes=OPENED)), {2}, None),  # has opened as many as it may
        # After two targets were named.
        (sight(Own(1, votes=VOTES[:1]), *SPLIT), (), (2, 0, 1)),
        (sight(Own(1, votes=VOTES[:1]), *SPLIT), {0, 3}, None),  # two are silent
        (sight(Own(1, votes=VOTES[:1]), vote(2)), (), None),  # this ballot can still end
        (sight(Own(0, votes=(vote(0, 3),)), vote(2), vote(1, 3)), (), None),  # leaves it to others
        # After a seat was proven two-faced.
        (sight(Own(1, votes=VOTES[:1]), vote(2), vote(2, 3)), (), (2, 2, 1)),
    ],
)
def test_next_vote__is_given(
    seen: Sight, silent: Collection[int], given: tuple[int, int, int] | None
) -> None:
    assert voting.next_vote(seen, silent) == given
