"""What the rounds of a table mean where two seats are missing: it waits, and loses nothing."""

from __future__ import annotations

from collections import deque
from types import SimpleNamespace
from typing import Any

import pytest

from p2p_hearts.rules.cards import EMPTY, CardSet
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table import course as course_module
from p2p_hearts.table.course import Course
from p2p_hearts.table.draw import commit_nonce, draw_table
from p2p_hearts.table.hand import Job
from p2p_hearts.table.history import History
from p2p_hearts.table.recall import OwnLog
from p2p_hearts.table.rounds import Stage, stage_of
from p2p_hearts.wire.chain import Place, first_head
from p2p_hearts.wire.codec import encode
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.messages import Draw, Kind, Sit
from tests.table.sim import TestSecrets, make_identities, make_roster

RULES = RuleSet(hands=2)
ROSTER = make_roster(make_identities(4), RULES)


def course_at(kind: Kind, after: Stage | None, *, dummy: int | None) -> tuple[Course, list[str]]:
    """A course that follows a certified round of hand 1, and what it then asked of the hand."""
    history, asked = History(4, first_head(ROSTER.hash)), list[str]()
    course = Course(history, ROSTER, 0, TestSecrets((0, 0)), OwnLog())
    first = history.current
    first.head = b"the head of the formation"
    course.draw = draw_table(ROSTER.hash, ROSTER.rules_hash, [bytes(32)] * 4)
    hand: Any = SimpleNamespace(
        number=1,
        attempt=1,
        dealer=0,
        dummy=dummy,
        present=(0, 1, 2, 3),
        complained=None,
        jobs=deque(),
        moon=None,
        play=SimpleNamespace(taken=(CardSet(RULES.counting_cards), EMPTY, EMPTY, EMPTY)),
        next_stage=lambda: after,
        speakers=lambda stage: (0,),
        close=lambda kind, absent: asked.append(f"close without {absent}"),
    )
    course.hand = hand
    course._open(stage_of(kind), Place(1, 1, 0), ())
    current = history.current
    current.head, current.closing = b"the head", ()
    return course, asked


def test_course__with_a_dummy_does_not_close_a_round_without_a_second_seat() -> None:
    course, asked = course_at(Kind.PLAY, stage_of(Kind.PLAY), dummy=2)
    course.faulty[1] = Rule.REVOKE
    assert not course.advance()
    assert asked == []
    course.faulty = {2: Rule.REVOKE}
    assert course.advance(), "the dummy itself is missing already"


def test_course__with_a_dummy_begins_no_hand_anew() -> None:
    course, _ = course_at(Kind.SHUFFLE, stage_of(Kind.ESCROW), dummy=2)
    course.faulty[1] = Rule.SHUFFLE
    assert not course.advance()
    assert course.followed.kind is Kind.SHUFFLE


@pytest.mark.parametrize("excluded", [set(), {1}, {1, 2}], ids=len)
def test_course__without_two_seats_for_good_scores_the_hand_once_and_deals_no_other(
    excluded: set[int],
) -> None:
    course, _ = course_at(Kind.REVEAL, None, dummy=None)
    course.excluded = set(excluded)
    assert course.advance()
    assert len(course.match.hands) == 1
    assert course.hand_number == (2 if len(excluded) < 2 else 1)
    for _ in range(2):
        assert not course.advance()
        assert len(course.match.hands) == 1
    assert not course.ended


def test_course__lets_all_shuffle_before_it_leaves_out_who_shuffled_wrongly() -> None:
    course, _ = course_at(Kind.SHUFFLE, stage_of(Kind.SHUFFLE), dummy=None)
    course.faulty[1] = Rule.SHUFFLE
    assert course.advance()
    assert course.followed.place == Place(1, 1, 1)


@pytest.mark.parametrize(
    ("kind", "faulty", "lost", "dummy", "absent"),
    [
        (Kind.PLAY, {1}, set(), None, 1),
        (Kind.PLAY, {2}, {1}, None, 1),
        (Kind.PLAY, {2}, set(), 2, None),
        (Kind.SHUFFLE, {1}, set(), None, None),
        (Kind.SHUFFLE, {1}, {2}, None, 2),
        (Kind.REVEAL, {1}, set(), None, None),
        (Kind.REVEAL, set(), {2}, None, 2),
        (Kind.REVEAL, set(), {2}, 1, None),
    ],
)
def test_course__closes_a_round_without_who_broke_a_rule_or_lost_its_secret(
    kind: Kind, faulty: set[int], lost: set[int], dummy: int | None, absent: int | None
) -> None:
    course, _ = course_at(kind, None, dummy=dummy)
    course.faulty = dict.fromkeys(faulty, Rule.REVOKE)
    course._lost = lost
    assert course._absent(course.followed) == absent


def test_course__closes_a_round_without_who_was_left_out_of_it_whatever_else() -> None:
    course, _ = course_at(Kind.REVEAL, None, dummy=1)
    current = course.followed
    current.speakers, current.closing = (2, 3), (b"said", None)
    assert course._absent(current) == 3


def test_course__waits_with_a_hand_that_is_over_for_the_certificate_of_its_last_round() -> None:
    course, _ = course_at(Kind.REVEAL, None, dummy=None)
    course.followed.closing = None
    assert not course.advance()
    assert course.match.hands == ()


def test_course__waits_for_its_own_checks_before_all_but_a_shuffle() -> None:
    for after, goes_on in ((Kind.ESCROW, False), (Kind.SHUFFLE, True)):
        course, _ = course_at(Kind.SHUFFLE, stage_of(after), dummy=None)
        assert course.hand is not None
        course.hand.jobs.append(Job(1, 0, lambda: None))
        assert course.advance() is goes_on


@pytest.mark.parametrize("closing", [(), None], ids=["certified", "open"])
@pytest.mark.parametrize("kind", [Kind.SHUFFLE, Kind.KEY])
def test_course__begins_a_hand_anew_on_a_certified_round_alone(
    kind: Kind, closing: tuple[()] | None
) -> None:
    course, _ = course_at(kind, stage_of(Kind.ESCROW), dummy=None)
    course.faulty[1] = Rule.SHUFFLE
    course.followed.closing = closing
    assert course.advance() is (closing is not None)
    assert course.hand is not None
    assert course.hand.attempt == (1 if closing is None else 2)


def test_course__goes_back_only_where_a_round_was_closed_otherwise() -> None:
    course, asked = course_at(Kind.PLAY, None, dummy=None)
    hand = course.hand
    course.rewind()
    assert (course.hand, asked) == (hand, [])


def said_by(seat: int, kind: Kind, body: Any) -> Any:
    return SimpleNamespace(
        content=SimpleNamespace(kind=kind, seat=seat, author=b"author", body=encode(body))
    )


def test_course__before_the_first_hand_judges_kinds_bodies_and_nonces() -> None:
    history = History(4, first_head(ROSTER.hash))
    course = Course(history, ROSTER, 0, TestSecrets((0, 0)), OwnLog())
    nonce = bytes(32)
    sit = Sit(commit_nonce(ROSTER.hash, 1, nonce))
    assert course._judge_speech(history.current, said_by(1, Kind.DRAW, sit)) is Rule.KIND
    assert course._judge_speech(history.current, said_by(1, Kind.LOST, sit)) is Rule.KIND
    assert course._judge_speech(history.current, said_by(1, Kind.SIT, [1, 2])) is Rule.BODY
    assert course._judge_speech(history.current, said_by(1, Kind.SIT, sit)) is None
    history.current.head = b"head"
    course._open(stage_of(Kind.DRAW), Place(0, 1, 1), range(4))
    other = said_by(1, Kind.DRAW, Draw(b"x" * 32))
    assert course._judge_speech(history.current, other) is Rule.COMMITMENT
    assert course._judge_speech(history.current, said_by(1, Kind.DRAW, Draw(nonce))) is None


@pytest.mark.parametrize(
    ("convicted", "proves", "fits", "carried"),
    [
        (1, True, True, True),
        (0, True, True, False),  # this seat
        (2, True, True, False),  # excluded in an earlier hand
        (3, True, True, False),  # broke a rule in this hand, as all know
        (1, False, True, False),
        (1, True, False, False),
    ],
)
def test_evidence__of_a_reveal_is_against_a_seat_that_still_plays_and_holds_for_all(
    convicted: int, proves: bool, fits: bool, carried: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    course, _ = course_at(Kind.REVEAL, None, dummy=None)
    fault: Any = SimpleNamespace(evidence=(b"proof",), rule=Rule.CHAIN)
    monkeypatch.setattr(History, "convicted", {convicted: fault})
    monkeypatch.setattr(Course, "seat", 0)
    monkeypatch.setattr(Course, "_proven", lambda *_: fault if proves else None)
    monkeypatch.setattr(course_module, "fits_a_reveal", lambda evidence: fits)
    course.excluded, course.faulty = {2}, {3: Rule.REVOKE}
    assert course.evidence() == ((b"proof",) if carried else ())


@pytest.mark.parametrize(
    ("proven", "accused", "holds"),
    [(True, 1, True), (True, 3, False), (True, None, False), (False, 1, False)],
)
def test_evidence__convicts_who_it_is_against_unless_it_proves_nothing_or_is_the_own_seat(
    proven: bool, accused: int | None, holds: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    course, _ = course_at(Kind.REVEAL, None, dummy=None)
    fault = SimpleNamespace(rule=Rule.CHAIN)
    told: list[object] = []
    monkeypatch.setattr(Course, "_proven", lambda *_: fault if proven else None)
    monkeypatch.setattr(History, "held_against", lambda *_: accused)
    monkeypatch.setattr(History, "convict", lambda _, fault: told.append(fault))
    rule = course._judge_evidence(course.followed.place, 3, (b"proof",))
    assert rule is (None if holds else Rule.EVIDENCE)
    assert told == ([fault] if holds else [])


def test_round__that_was_closed_with_what_all_said_lacks_nobody() -> None:
    course, _ = course_at(Kind.PLAY, None, dummy=None)
    current = course.followed
    current.speakers, current.closing = (2, 3), (b"one", b"other")
    assert current.absent is None


def test_course__closes_no_round_of_which_it_has_not_judged_every_speech() -> None:
    course, asked = course_at(Kind.PLAY, stage_of(Kind.PLAY), dummy=None)
    speeches: Any = course.followed.speeches
    speeches[1] = said_by(1, Kind.PLAY, [])
    speeches[1].hash = b"hash"
    assert not course.advance()
    assert asked == []
    course._judged.add(1)
    assert course.advance()


def test_course__begins_a_hand_anew_once_and_follows_no_other_attempt_again() -> None:
    """Else it would be a fault of this program."""
    course, _ = course_at(Kind.PLAY, None, dummy=None)
    assert course.hand is not None
    course.hand.attempt = 2
    with pytest.raises(RuntimeError, match="begins anew once"):
        course._begin_anew(course.followed, 1)
    with pytest.raises(RuntimeError, match="closed otherwise"):
        course._follow_again(1)
