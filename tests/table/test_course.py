"""What the rounds of a table mean: who is judged for what, and where a table waits for two.

The course is that of a real table after its draw; in the place of the hand stands one that says of
itself what a test needs.
"""

from __future__ import annotations

from collections import deque
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import Struct

from p2p_hearts.agreement.draw import commit_nonce
from p2p_hearts.agreement.rounds import Stage, stage_of
from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.crypto.group import ORDER
from p2p_hearts.record.audit import Verdict
from p2p_hearts.rules.cards import EMPTY, CardSet
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table import course as course_module
from p2p_hearts.table.convictions import Convictions
from p2p_hearts.table.course import Course
from p2p_hearts.table.hand import Job
from p2p_hearts.table.machine import Table
from p2p_hearts.table.tasks import Task
from p2p_hearts.wire.chain import Place
from p2p_hearts.wire.codec import encode
from p2p_hearts.wire.envelope import Sealed, seal
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.messages import Ack, Draw, Kind, Play, Sit
from tests.record.test_audit_table import audit_sim
from tests.table.contents import content_of
from tests.table.sim import Sim, TestSecrets

RULES = RuleSet(hands=2)


@cache
def drawn() -> Sim:
    """A table whose seats are drawn."""
    sim = Sim(RULES, seed="course")
    sim.run(lambda: all(table.hand is not None for table in sim.tables))
    return sim


def course_at(
    kind: Kind, after: Stage | None, *, dummy: int | None, is_certified: bool = True
) -> tuple[Course, list[str]]:
    """A course that follows a complete round of hand 1, and what it then asked of the hand."""
    table = drawn().copy().tables[0]
    course, asked, stages = table.course, list[str](), [stage_of(kind), after]
    hand: Any = SimpleNamespace(
        number=1,
        attempt=1,
        dealer=0,
        dummy=None,
        present=(0, 1, 2, 3),
        complained=None,
        jobs=deque(),
        is_undealt=False,
        moon=None,
        play=SimpleNamespace(taken=(CardSet(RULES.counting_cards), EMPTY, EMPTY, EMPTY)),
        take=lambda *_: None,
        next_stage=lambda: stages[0],
        speakers=lambda stage: (),
        close=lambda kind, absent: asked.append(f"close without {absent}"),
    )
    course.hand = hand
    key = table.history.current
    for item in table.history.rounds:
        item.closing = ()
    key.speeches.clear()
    key.head = b"the head of the keys"
    assert course.advance()
    asked.clear()
    del stages[0]
    hand.dummy = dummy
    course.followed.head = b"the head"
    if is_certified:
        course.followed.closing = ()
    table.history._count_certified()
    return course, asked


def test_course__with_a_dummy_does_not_close_a_round_without_a_second_seat() -> None:
    course, asked = course_at(Kind.PLAY, stage_of(Kind.PLAY), dummy=2)
    course.faulty[1] = Rule.REVOKE
    assert not course.advance()
    assert asked == []
    course.faulty = {2: Rule.REVOKE}
    assert course.advance(), "the dummy itself is missing already"


@pytest.mark.parametrize("ended", [False, True])
@pytest.mark.parametrize("is_certified", [False, True])
def test_course__is_over_once_the_match_has_ended_and_its_last_round_is_certified(
    ended: bool, is_certified: bool
) -> None:
    course, _ = course_at(Kind.REVEAL, None, dummy=None, is_certified=is_certified)
    course.ended = ended
    assert course.over is (ended and is_certified)


def test_course__with_a_dummy_begins_no_hand_anew() -> None:
    course, _ = course_at(Kind.SHUFFLE, stage_of(Kind.ESCROW), dummy=2)
    course.faulty[1] = Rule.SHUFFLE
    assert not course.advance()
    assert course.followed.kind is Kind.SHUFFLE


@pytest.mark.parametrize(
    ("excluded", "faulty", "terms"),
    [
        (set(), set(), (2, 1, None)),
        ({1}, set(), (2, 1, 1)),
        (set(), {3}, (2, 1, 3)),
        ({3}, {3}, (2, 1, 3)),
        ({1}, {3}, None),
    ],
)
def test_course__knows_what_the_next_hand_begins_with_if_nothing_changes(
    excluded: set[int], faulty: set[int], terms: tuple[int, int, int | None] | None
) -> None:
    course, _ = course_at(Kind.PLAY, stage_of(Kind.PLAY), dummy=None)
    course.excluded, course.faulty = excluded, dict.fromkeys(faulty, Rule.REVOKE)
    assert course.next_terms() == terms


@pytest.mark.parametrize("excluded", [set(), {1}, {1, 2}], ids=len)
def test_course__without_two_seats_for_good_scores_the_hand_once_and_deals_no_other(
    excluded: set[int],
) -> None:
    course, _ = course_at(Kind.REVEAL, None, dummy=None)
    course.excluded = set(excluded)
    assert course.advance()
    assert len(course.match.hands) == 1
    assert course.hand_number == (2 if len(excluded) < 2 else 1)
    secrets = course._secrets
    assert isinstance(secrets, TestSecrets)
    # That of a hand that will not be may have been drawn for a deal that was made ahead.
    assert [hand for _, hand, _ in secrets.forgotten] == ([1] if len(excluded) < 2 else [1, 2])
    for _ in range(2):
        assert not course.advance()
        assert len(course.match.hands) == 1
    assert not course.ended


def test_course__lets_all_shuffle_before_it_leaves_out_who_shuffled_wrongly() -> None:
    course, _ = course_at(Kind.SHUFFLE, stage_of(Kind.SHUFFLE), dummy=None)
    course.faulty[1] = Rule.SHUFFLE
    assert course.advance()
    assert course.followed.place == Place(1, 1, 2)


@pytest.mark.parametrize(
    ("kind", "faulty", "lost", "dummy", "closed"),
    [
        (Kind.PLAY, {1}, set(), None, ["close without 1"]),
        (Kind.PLAY, {2}, {1}, None, []),  # two are missing
        (Kind.PLAY, {2}, set(), 2, ["close without None"]),
        (Kind.PLAY, set(), {1}, 2, []),
        (Kind.SHUFFLE, {1}, set(), None, ["close without None"]),  # and it begins anew
        (Kind.SHUFFLE, {1}, {2}, None, []),  # it begins anew at once
        (Kind.REVEAL, {1}, set(), None, ["close without None"]),
        (Kind.REVEAL, set(), {2}, None, ["close without 2"]),
        (Kind.REVEAL, {1}, {2}, None, ["close without 2"]),
        (Kind.REVEAL, set(), {2}, 1, ["close without None"]),
    ],
)
def test_course__closes_a_round_without_who_broke_a_rule_or_lost_its_secret(
    kind: Kind, faulty: set[int], lost: set[int], dummy: int | None, closed: list[str]
) -> None:
    course, asked = course_at(kind, None, dummy=dummy)
    course.faulty = dict.fromkeys(faulty, Rule.REVOKE)
    course.lost = lost
    course.advance()
    assert asked == closed
    assert course.hand is not None
    if kind is Kind.SHUFFLE:
        assert (course.hand.attempt, course.hand.keyless) == (2, 2 if lost else 1)


def test_course__closes_a_round_without_who_was_left_out_of_it_whatever_else() -> None:
    course, asked = course_at(Kind.PLAY, None, dummy=None)
    current = course.followed
    current.speakers, current.closing = (2, 3), (b"said", None)
    course.advance()
    assert asked == ["close without 3"]


def test_course__waits_with_a_hand_that_is_over_for_the_certificate_of_its_last_round() -> None:
    course, _ = course_at(Kind.REVEAL, None, dummy=None, is_certified=False)
    assert not course.advance()
    assert course.match.hands == ()


def test_course__waits_for_its_own_checks_before_all_but_a_shuffle() -> None:
    for after, goes_on in ((Kind.ESCROW, False), (Kind.SHUFFLE, True)):
        course, _ = course_at(Kind.SHUFFLE, stage_of(after), dummy=None)
        assert course.hand is not None
        course.hand.jobs.append(Job(1, 0, Task(lambda: None)))
        followed = course.followed
        assert course.advance(), "something is left to do: the next round, or the checks"
        assert (course.followed is not followed) is goes_on
        if not goes_on:
            assert not course.advance(), "it is closed once"


@pytest.mark.parametrize("is_certified", [True, False], ids=["certified", "open"])
@pytest.mark.parametrize("kind", [Kind.SHUFFLE, Kind.KEY])
def test_course__begins_a_hand_anew_on_a_certified_round_alone(
    kind: Kind, is_certified: bool
) -> None:
    course, _ = course_at(kind, stage_of(Kind.ESCROW), dummy=None, is_certified=is_certified)
    course.faulty[1] = Rule.SHUFFLE
    assert course.advance() is is_certified
    assert course.hand is not None
    assert course.hand.attempt == (2 if is_certified else 1)


def test_course__goes_back_only_where_a_round_was_closed_otherwise() -> None:
    course, asked = course_at(Kind.PLAY, None, dummy=None)
    hand = course.hand
    course.rewind(course.followed.place)
    assert (course.hand, asked) == (hand, [])


def says(table: Table, place: int, kind: Kind, body: Struct) -> Sealed:
    """Let the seat, or place, say something in the round that a table follows."""
    item = table.course.followed
    signer = next(each for each in IDENTITIES if each.public == author_of(table, place))
    hand, attempt, number = item.place
    content = content_of(
        signer,
        table=item.table,
        hand=hand,
        attempt=attempt,
        round=number,
        seat=place,
        prev=item.prev,
        kind=kind,
        body=encode(body),
    )
    item.speeches[place] = sealed = seal(signer, content)
    return sealed


IDENTITIES = Sim(RULES, seed="course").identities


def author_of(table: Table, seat: int) -> bytes:
    return table.roster.entries[table.player_at(seat)].identity


def judged(table: Table) -> Rule | None:
    """Let a table judge a speech; return the rule that it broke."""
    assert table.course.judge()
    return None if table.fault is None else table.fault.rule


def forming() -> Table:
    """A table to which nobody has said anything."""
    return Sim(RULES, seed="course").tables[0]


NONCE = bytes(32)
SIT = Sit(commit_nonce(forming().roster.hash, 1, NONCE))


@pytest.mark.parametrize(
    ("kind", "body", "rule"),
    [
        (Kind.SIT, SIT, None),
        (Kind.DRAW, SIT, Rule.KIND),
        (Kind.LOST, SIT, Rule.KIND),
        (Kind.SIT, Ack(NONCE), Rule.BODY),
    ],
)
def test_course__before_the_first_hand_judges_kinds_and_bodies(
    kind: Kind, body: Struct, rule: Rule | None
) -> None:
    table = forming()
    says(table, 1, kind, body)
    assert judged(table) is rule
    assert not table.course.judge(), "once"


@pytest.mark.parametrize("nonce", [NONCE, b"x" * 32], ids=["committed", "other"])
def test_course__before_the_first_hand_judges_nonces(nonce: bytes) -> None:
    table = forming()
    says(table, 1, Kind.SIT, SIT)
    assert judged(table) is None
    table.course.followed.head = b"head"
    assert table.course.advance()
    says(table, 1, Kind.DRAW, Draw(nonce))
    assert judged(table) is (None if nonce == NONCE else Rule.COMMITMENT)
    if nonce != NONCE:
        table.course.followed.head = b"head"
        assert not table.course.advance(), "nothing is drawn with it"


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
    monkeypatch.setattr(Convictions, "proven", {convicted: fault})
    monkeypatch.setattr(Course, "seat", 0)
    monkeypatch.setattr(Course, "proven", lambda *_: fault if proves else None)
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
    monkeypatch.setattr(Course, "proven", lambda *_: fault if proven else None)
    monkeypatch.setattr(Convictions, "held_against", lambda *_: accused)
    monkeypatch.setattr(Convictions, "add", lambda _, fault: told.append(fault))
    rule = course.judge_evidence(course.followed.place, 3, (b"proof",))
    assert rule is (None if holds else Rule.EVIDENCE)
    assert told == ([fault] if holds else [])


def test_round__that_was_closed_with_what_all_said_lacks_nobody() -> None:
    course, _ = course_at(Kind.PLAY, None, dummy=None)
    current = course.followed
    current.speakers, current.closing = (2, 3), (b"one", b"other")
    assert current.absent is None


def test_course__closes_no_round_of_which_it_has_not_judged_every_speech() -> None:
    table = drawn().copy().tables[0]
    key = table.history.current
    says(table, 1, Kind.KEY, Play(0, 3, b""))
    key.head = b"head"
    assert not table.course.advance()
    assert table.course.judge()


def test_course__begins_a_hand_anew_once_and_follows_no_other_attempt_again() -> None:
    """Else it would be a fault of this program."""
    course, _ = course_at(Kind.SHUFFLE, None, dummy=None)
    assert course.hand is not None
    course.hand.attempt = 2
    course.lost = {1}
    with pytest.raises(RuntimeError, match="begins anew once"):
        course.advance()
    table = drawn().copy().tables[0]
    assert table.hand is not None
    table.hand.attempt = 2
    key = table.history.current
    says(table, 1, Kind.KEY, Play(0, 3, b""))
    while table.course.judge():
        pass
    del key.speeches[1]
    with pytest.raises(RuntimeError, match="closed otherwise"):
        table.course.rewind(key.place)


class Attentive(Sim):
    """A table of which everybody asks, each time that something has come, whether it is over."""

    def settle(self, place: int) -> None:
        table = self.tables[place]
        assert table.course.ended or not table.over
        super().settle(place)


def test_over__is_no_match_with_hands_to_play_when_its_last_round_is_certified() -> None:
    sim = Attentive(RuleSet(hands=1), seed="over")
    sim.run()
    assert all(table.over for table in sim.tables)


def test_course__of_keys_that_add_up_to_nothing_deals_no_hand_and_raises_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two who deal again without a third, and together want to end its program."""
    own = HandSecret.x

    def x(secret: HandSecret) -> int:
        return own(secret) if secret.attempt == 1 else (7, -7)[secret.seat > min(seats)] % ORDER

    monkeypatch.setattr(HandSecret, "x", x)
    sim = Sim(RuleSet(seats=3, grace=15), seed="nothing", auto_vote=True)
    sim.run(lambda: all(table.hand is not None for table in sim.tables))
    sim.isolate(2)
    seats = {table.seat for table in sim.tables[:2] if table.seat is not None}
    liars = [table.course for table in sim.tables[:2]]
    sim.run(lambda: all(course.hand and course.hand.is_undealt for course in liars))
    sim.cut.clear()
    honest = sim.tables[2].course
    sim.run(lambda: honest.hand is not None and honest.hand.is_undealt)
    sim.wait(60.0)
    assert all(table.course.lacking == seats for table in sim.tables)
    assert all(table.fault is None for table in sim.tables)
    assert audit_sim(sim, [2]).verdict is not Verdict.CLEAN
