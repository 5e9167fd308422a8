"""Every interleaving of small rounds in which a seat is slow, silent or lies.

The model (``tests.table.model``) asks the functions of ``agreement.absence`` themselves. Three
things must hold in every state: no two certificates close the round differently, no honest seat
can be convicted, and whoever is down, the others close the round. And each rule is there for a
reason: without it the model finds the steps by which the table splits.

With three seats no liar can be borne: the two others may be cut off from each other by it.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from p2p_hearts.agreement import absence
from p2p_hearts.agreement.absence import Own, Shape, Value, Vote
from p2p_hearts.table import voting
from tests.table import model
from tests.table.model import CounterexampleError, Model, Scenario, State

THREE_SLOW = Scenario(3, (0,), slow=0, ballots=((0, 1, 2),), ordered=True)
THREE_ALL = Scenario(3, (0, 1, 2), slow=0, ballots=((0,), (0, 1)), ordered=True)
THREE_TWICE = Scenario(3, (0,), slow=0, ballots=((0, 1, 2), (0, 1, 2)), ordered=True)
FOUR_SLOW = Scenario(4, (0,), slow=0, ballots=((0,), (3,)), ordered=True)
FOUR_LYING = Scenario(4, (0,), liar=0, ballots=((0,), (3,)), ordered=True)
FOUR_VOTER_TARGET = Scenario(4, (0,), slow=0, liar=1, ballots=((0,), (1,)), ordered=True)
FOUR_VOTER = Scenario(4, (0,), slow=0, liar=1, ballots=((0,), (2,)))
THREE_AHEAD = Scenario(3, (0,), slow=0, ballots=((0, 1, 2),), ordered=True, runs_ahead=True)

NORMAL = {
    "three, one slow": (THREE_SLOW, 1),
    "three, one slow in a shuffle": (THREE_AHEAD, 1),
    "three, all speak, one slow": (THREE_ALL, 9),
    "three, lying speaker, one ballot": (Scenario(3, (0,), liar=0, ballots=((0,),)), 1),
    "four, one slow, then another is silent": (FOUR_SLOW, 60),
    "four, the speaker lies": (FOUR_LYING, 150),
    "four, a voter lies and is targeted": (FOUR_VOTER_TARGET, 30),
    "four, a voter lies and another is targeted": (FOUR_VOTER, 0),
}
"""Scenarios, and of how many states one is played on to the end; 0 for none of them."""

DEEP = {
    "four, one slow in a shuffle": (
        Scenario(4, (0,), slow=0, ballots=((0,), (3,)), ordered=True, runs_ahead=True),
        30,
    ),
    "three, one slow, any targets": (THREE_TWICE, 1),
    "three, all speak, any targets": (
        Scenario(3, (0, 1, 2), slow=0, ballots=((0, 1, 2), (0, 1, 2)), ordered=True),
        5,
    ),
    "three, three ballots": (
        Scenario(3, (0,), slow=0, ballots=((0, 1), (0, 1), (0, 1)), ordered=True),
        0,  # every seat may have used up its openings by then
    ),
    "four, two targets, twice": (
        Scenario(4, (0,), slow=0, ballots=((0, 3), (0, 3)), ordered=True),
        50,
    ),
    "four, all speak, one slow": (
        Scenario(4, (0, 1, 2, 3), slow=0, ballots=((0,), (3,)), ordered=True),
        50,
    ),
    "four, the speaker lies, any ballot out of turn": (
        Scenario(4, (0,), liar=0, ballots=((0,), (0, 3))),
        0,
    ),
    "four, a voter lies, two targets": (
        Scenario(4, (0,), slow=0, liar=1, ballots=((0,), (1, 2)), ordered=True),
        20,
    ),
    "four, a voter lies, two targets at first": (
        Scenario(4, (0,), slow=0, liar=1, ballots=((0, 2), (1,)), ordered=True),
        20,
    ),
    "four, all speak, a voter lies": (
        Scenario(4, (0, 1, 2, 3), slow=0, liar=1, ballots=((0,), (1, 2)), ordered=True),
        50,
    ),
}


def explore(scenario: Scenario, every: int) -> int:
    """Explore all states; from each ``every``-th one let any one seat be down."""
    explored, count = Model(scenario), 0
    down = [None, *range(scenario.seats)] if scenario.liar is None else [scenario.liar]

    def play_on(spoken: bool, state: State) -> None:
        nonlocal count
        count += 1
        if every and count % every == 0:
            for seat in down:
                explored.close_without(seat, spoken, state, at_once=count // every % 2 == 0)

    states, is_all = explored.explore(visit=play_on)
    assert is_all
    return states


@pytest.mark.parametrize("name", NORMAL)
def test_absence__closes_a_round_in_one_way_only_and_convicts_nobody_honest(name: str) -> None:
    scenario, every = NORMAL[name]
    assert explore(scenario, every) > 25


@pytest.mark.deep
@pytest.mark.parametrize("name", DEEP)
def test_absence__closes_any_round_in_one_way_only_and_convicts_nobody_honest(name: str) -> None:
    scenario, every = DEEP[name]
    assert explore(scenario, every) > 500


# What each rule is for.


def expect_split(scenario: Scenario, words: str = "two closings", **options: object) -> None:
    with pytest.raises(CounterexampleError, match=words):
        Model(scenario, **options).explore(limit=60_000)  # type: ignore[arg-type]


def test_absence__if_any_copy_of_the_late_message_released_the_promise_crashes_would_fork(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(absence, "may_ack", lambda own: own.acked is None)
    expect_split(THREE_SLOW)


def test_absence__if_an_ack_were_allowed_after_the_own_vote_there_would_be_two_certificates(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(absence, "may_ack", lambda own: own.acked is None and not own.confirms)
    expect_split(THREE_SLOW)


def test_absence__with_one_vote_and_no_confirm_one_lying_voter_would_fork() -> None:
    def by_votes(model: Model, spoken: bool, state: State) -> set[Value]:
        decided = {
            absence.decide(model.shape, 0, votes).value
            for votes in model.vote_sets(spoken, state, 1, 0)
        }
        return {value for value in decided if value is not None}

    expect_split(FOUR_VOTER, closes_by=by_votes)


def test_absence__without_acks_a_speaker_that_says_two_things_would_fork() -> None:
    def by_messages(model: Model, spoken: bool, state: State) -> set[Value]:
        rows = {row for own in state for row in model.firsts(spoken, own)}
        return {row for row in rows if None not in row}

    expect_split(FOUR_LYING, closes_by=by_messages)


def test_absence__without_locks_a_closed_absence_and_a_late_message_would_both_stand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(absence, "winning_lock", lambda shape, votes: None)
    expect_split(FOUR_SLOW)


def test_absence__if_liars_locks_counted_a_made_up_one_would_overturn_a_closed_absence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(absence, "two_faced", lambda *_: frozenset())
    expect_split(FOUR_VOTER)


def test_absence__if_an_old_ballot_could_be_confirmed_after_a_newer_vote_both_would_stand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def may_confirm(own: Own, ballot: int, target: int) -> bool:
        voted = any((vote.ballot, vote.target) == (ballot, target) for vote in own.votes)
        return voted and all(confirm.ballot != ballot for confirm in own.confirms)

    monkeypatch.setattr(absence, "may_confirm", may_confirm)
    expect_split(FOUR_SLOW)


def test_absence__if_a_vote_did_not_say_what_was_acknowledged_both_would_stand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def view_of(shape: Shape, own: Own, first: Value, target: int) -> Value | None:
        view = [
            None if seat == target else content
            for seat, content in zip(shape.speakers, first, strict=True)
        ]
        return tuple(view)

    monkeypatch.setattr(absence, "view_of", view_of)
    expect_split(THREE_SLOW)


def test_absence__if_a_seat_could_vote_twice_in_a_ballot_it_would_be_convicted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        absence,
        "may_vote",
        lambda shape, own, ballot, target: target != own.seat and ballot >= own.ballot,
    )
    expect_split(Scenario(3, (0,), slow=0, ballots=((0,),)), "an honest seat is convicted")


def test_absence__without_a_next_ballot_a_voter_that_dies_before_its_confirm_stops_the_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        voting,
        "_next_target",
        lambda sight, counted, silent: (
            next(iter(silent)) if len(silent) == 1 and not counted else None
        ),
    )
    with pytest.raises(CounterexampleError, match="everybody waits"):
        explore(FOUR_SLOW, 1)


def test_absence__if_others_votes_stopped_the_own_clock_a_shuffle_would_stand_still(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A voter that started again sees the others' votes before it has waited itself."""
    owed = voting.owed

    def forgetful(sight: voting.Sight) -> tuple[tuple[int, voting.Item], ...]:
        has_begun = bool(sight.votes)
        return tuple(
            (seat, item)
            for seat, item in owed(sight)
            if not (has_begun and item is voting.Item.ACK)
        )

    monkeypatch.setattr(voting, "owed", forgetful)
    with pytest.raises(CounterexampleError, match="everybody waits"):
        explore(THREE_AHEAD, 1)


def test_absence__if_a_ballot_that_cannot_end_were_waited_for_two_would_accuse_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each has named another seat at first: the third one's vote is what both need."""

    def awaited(own: Own, last: Sequence[Vote]) -> int:
        mine = [vote.target for vote in own.votes if vote.ballot == last[0].ballot]
        return (mine or sorted({vote.target for vote in last}))[0]

    monkeypatch.setattr(voting, "_awaited", awaited)
    with pytest.raises(CounterexampleError, match="everybody waits"):
        explore(THREE_SLOW, 1)


def test_absence__if_votes_were_waited_for_no_longer_than_messages_voters_would_be_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a shuffle: a moment before they vote, in ballot after ballot."""
    monkeypatch.setattr(model, "CLOCKS", (model.CLOCKS[0], model.CLOCKS[-1]))
    with pytest.raises(CounterexampleError, match="everybody waits"):
        explore(THREE_AHEAD, 1)


# A restored backup.


def test_absence__after_a_restored_backup_speaking_at_once_would_convict_an_honest_seat() -> None:
    """It voted that nothing came; its log forgot; the message came, and it votes again.

    That is why it says nothing before the others returned its words: then the first vote is there.
    """
    shape = Shape((0, 1, 2), (0,))

    def vote(own: Own, first: Value) -> Vote:
        view = absence.view_of(shape, own, first, 0)
        assert view is not None
        return Vote(repr(view).encode(), 1, 1, 0, 1, view, own.lock)

    before = vote(Own(1), (None,))
    forgotten, returned = Own(1), Own(1, votes=(before,))
    assert absence.may_vote(shape, forgotten, 1, 0)
    assert absence.two_faced(shape, [before, vote(forgotten, (b"0",))]) == {1}
    assert not absence.may_vote(shape, returned, 1, 0)
    assert not absence.may_ack(returned)


# What votes decide, rule by rule.

SHAPE = Shape((0, 1, 2, 3), (0,))


def make_votes(views: Sequence[bytes | None], ballot: int = 1) -> tuple[Vote, ...]:
    return tuple(
        Vote(b"%d %d %r" % (voter, ballot, view), voter, ballot, 0, 1, (view,), None)
        for voter, view in enumerate(views, start=1)
    )


@pytest.mark.parametrize(
    ("views", "value"),
    [
        ((None, None, None), None),
        ((None, b"m", None), b"m"),
        ((b"m", b"m", b"m"), b"m"),
        ((b"m", b"k", None), None),
    ],
)
def test_decide__lets_a_single_content_of_the_target_stand(
    views: tuple[bytes | None, ...], value: bytes | None
) -> None:
    assert absence.decide(SHAPE, 0, make_votes(views)).value == (value,)


def test_decide__with_two_contents_of_another_speaker_accuses_it() -> None:
    shape = Shape((0, 1, 2, 3), (0, 1))
    votes = [
        Vote(b"a", 1, 1, 0, 1, (None, b"x"), None),
        Vote(b"b", 2, 1, 0, 1, (None, b"x"), None),
        Vote(b"c", 3, 1, 0, 1, (None, b"y"), None),
    ]
    assert absence.decide(shape, 0, votes) == absence.Decision(None, 1)


@pytest.mark.parametrize("change", ["voter", "length", "missing", "ballot", "lock"])
def test_vote__that_no_seat_may_sign_is_not_sound(change: str) -> None:
    lock = absence.Confirm(b"l", 2, 1, 0, (None,), make_votes((None, None, None)))
    good = Vote(b"v", 1, 2, 0, 1, (None,), None)
    bad = {
        "voter": Vote(b"v", 0, 2, 0, 1, (None,), None),
        "length": Vote(b"v", 1, 2, 0, 1, (None, None), None),
        "missing": Vote(b"v", 1, 2, 3, 1, (None,), None),
        "ballot": Vote(b"v", 1, 99, 0, 1, (None,), None),
        "lock": Vote(b"v", 1, 2, 0, 1, (None,), lock),
    }
    assert absence.is_sound_vote(SHAPE, good)
    assert not absence.is_sound_vote(SHAPE, bad[change])


def test_confirm__of_another_value_than_the_votes_decide_is_not_sound() -> None:
    votes = make_votes((None, b"m", None))
    good = absence.Confirm(b"c", 1, 1, 0, (b"m",), votes)
    assert absence.is_sound_confirm(SHAPE, good)
    assert not absence.is_sound_confirm(SHAPE, absence.Confirm(b"c", 1, 1, 0, (None,), votes))
    assert not absence.is_sound_confirm(SHAPE, absence.Confirm(b"c", 0, 1, 0, (b"m",), votes))
    assert not absence.is_sound_confirm(SHAPE, absence.Confirm(b"c", 1, 1, 0, (b"m",), votes[1:]))


def test_ballots__of_one_seat_count_three_times_at_most() -> None:
    """So that a liar cannot keep a round open for ever with ballot after ballot."""
    votes = [Vote(b"%d" % ballot, 1, ballot, 0, 1, (None,), None) for ballot in range(1, 6)]
    assert len(voting.counted_ballots(votes)) == absence.OPENINGS == 3


def test_ballots__with_a_gap_do_not_count() -> None:
    votes = [Vote(b"%d" % ballot, 1, ballot, 0, 1, (None,), None) for ballot in (1, 3)]
    assert len(voting.counted_ballots(votes)) == 1


def sight(silent_message: bool = True, **changes: object) -> voting.Sight:
    values: dict[str, object] = {
        "shape": SHAPE,
        "own": Own(1),
        "first": (None,) if silent_message else (b"m",),
        "acks": frozenset[int](),
        "votes": (),
        "confirms": (),
    }
    return voting.Sight(**{**values, **changes})  # type: ignore[arg-type]


def test_next_vote__is_not_given_while_two_seats_are_silent() -> None:
    assert voting.next_vote(sight(), {0}) == (1, 0, 1)
    assert voting.next_vote(sight(), {0, 3}) is None
    assert voting.next_vote(sight(), ()) is None


def test_next_vote__joins_at_once_where_the_message_is_here_and_waits_where_it_is_not() -> None:
    (opened, *_) = make_votes((None, None, None))
    opened = Vote(b"o", 2, 1, 0, 2, (None,), None)
    assert voting.next_vote(sight(votes=(opened,)), ()) is None
    assert voting.next_vote(sight(votes=(opened,)), {0}) == (1, 0, 2)
    assert voting.next_vote(sight(silent_message=False, votes=(opened,)), ()) == (1, 0, 2)


def test_next_vote__in_a_round_of_all_comes_after_the_own_message() -> None:
    """So a slow person is never voted out as a side effect of another's absence."""
    shape = Shape((0, 1, 2, 3), (0, 1, 2, 3))
    unspoken: Value = (None, None, b"2", b"3")
    assert voting.next_vote(sight(shape=shape, first=unspoken), {0}) is None
    spoken: Value = (None, b"1", b"2", b"3")
    assert voting.next_vote(sight(shape=shape, first=spoken), {0}) == (1, 0, 1)


def test_owed__until_the_own_vote_names_the_target_whatever_came_since() -> None:
    """Else its clock would stop at the others' votes."""
    theirs = Vote(b"a", 2, 1, 0, 2, (b"m",), None)
    mine = Vote(b"b", 1, 1, 0, 2, (b"m",), None)
    before = sight(False, acks=frozenset(range(4)), votes=(theirs,))
    assert dict(voting.owed(before)) == {
        0: voting.Item.ACK,
        1: voting.Item.VOTE,
        3: voting.Item.VOTE,
    }
    after = sight(False, own=Own(1, votes=(mine,)), votes=(theirs, mine))
    assert voting.owed(after) == ((3, voting.Item.VOTE),)


def test_owed__names_who_keeps_the_ballot_that_can_still_end() -> None:
    """Seat 1 named 2, so 2 waits in vain for its vote against 3: that against 2 needs 0 and 3."""
    votes = (
        Vote(b"a", 1, 1, 2, 1, (b"m",), None),
        Vote(b"b", 2, 1, 3, 2, (b"m",), None),
    )
    found = voting.owed(sight(False, own=Own(2, votes=votes[1:]), votes=votes))
    assert found == ((0, voting.Item.VOTE), (3, voting.Item.VOTE))


def test_owed__names_message_ack_vote_and_confirm() -> None:
    votes = make_votes((None, None, None))
    own = Own(1, votes=votes[:1])
    assert voting.owed(sight()) == ((0, voting.Item.MESSAGE),)
    assert voting.owed(sight(False, acks=frozenset({1, 2}))) == (
        (0, voting.Item.ACK),
        (3, voting.Item.ACK),
    )
    assert voting.owed(sight(False, own=own, votes=votes[:2])) == ((3, voting.Item.VOTE),)
    assert voting.owed(sight(False, own=own, votes=votes)) == tuple(
        (seat, voting.Item.CONFIRM) for seat in (1, 2, 3)
    )
