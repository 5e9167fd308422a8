"""A table signs one history: what it has said on another one, or voted against, binds it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table import absence
from p2p_hearts.table.history import History
from p2p_hearts.table.machine import Table
from p2p_hearts.table.rounds import stage_of
from p2p_hearts.wire.chain import Place
from p2p_hearts.wire.codec import encode
from p2p_hearts.wire.messages import Frame, Kind
from tests.table.sim import Sim, TestSecrets, make_identities

SIT, DRAW = Place(0, 1, 0), Place(0, 1, 1)

ELSEWHERE: Any = SimpleNamespace(content=SimpleNamespace(prev=b"another head"))
"""What a seat has said on another history."""


@pytest.mark.parametrize(
    ("place", "is_ack", "owed"),
    [
        (SIT, False, (0, "message")),
        (SIT, True, (0, "ack")),
        (DRAW, False, (0, "message")),
        (DRAW, True, (0, "ack")),
    ],
)
def test_table__signs_nothing_in_a_place_where_it_has_signed_on_another_history(
    place: Place, is_ack: bool, owed: tuple[int, str]
) -> None:
    """A round that was closed otherwise is opened again on another head: nobody signs twice."""
    sim = Sim(RuleSet(seats=3))
    sim.tables[0]._said[sim.roster.hash, place, is_ack] = ELSEWHERE
    sim.wait(3.0)
    assert sim.tables[1].history.missing() == [owed]


def test_table__that_has_voted_in_an_open_round_does_not_speak_in_the_next_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(History, "has_voted", lambda history, seat: seat == 0)
    sim = Sim(RuleSet(seats=3))
    sim.wait(3.0)
    assert sim.tables[0].history.current.kind is Kind.SIT
    assert sim.tables[1].history.missing() == [(0, "message")]


def test_table__that_no_fault_stops_is_not_stopped_for_good() -> None:
    table = Sim(RuleSet(seats=3)).tables[0]
    assert not table.may_vote_out()
    assert not table.stopped_for_good


@pytest.mark.parametrize("acked", [True, False])
def test_table__acknowledges_nothing_on_top_of_a_round_without_its_certificate(
    acked: bool,
) -> None:
    """Else who goes on without its own ack could not be voted out of that round."""
    sim = Sim(RuleSet(seats=3))
    table = sim.tables[0]
    sim.tables[1]._said[sim.roster.hash, SIT, True] = ELSEWHERE
    if not acked:
        table._said[sim.roster.hash, SIT, True] = ELSEWHERE
    sim.wait(3.0)
    sit, draw = table.history.rounds
    assert (0 in sit.acks) is acked
    draw.head = b"a head, though nobody could speak"
    del table._said[sim.roster.hash, SIT, True]
    table._acknowledge()
    assert 0 in sit.acks
    assert not sit.certified
    assert 0 not in draw.acks


def table_of(**fields: object) -> Any:
    """A table, as far as one method looks at it, that may speak and is asked to play."""
    current = SimpleNamespace(
        kind=Kind.PLAY, place=Place(1, 1, 0), table=b"", prev=b"", votes={}, confirms={}
    )
    return SimpleNamespace(
        **{
            "hand": SimpleNamespace(
                needs_decision=lambda kind: True,
                lost=False,
                kind_to_speak=lambda kind: kind,
                speak=lambda kind, number: None,
                jobs=[],
            ),
            "history": SimpleNamespace(current=current, certified=0, rounds=[current]),
            "_course": SimpleNamespace(ended=False),
            "_recall": SimpleNamespace(waiting=set()),
            "_consent": SimpleNamespace(
                is_stopped=True,
                open_round=lambda: current,
                next_ballot=lambda item: (Kind.VOTE, None),
            ),
            "_stopped": lambda: False,
            "_may_speak_in": lambda item: True,
            "_owes_checks": lambda kind: False,
            "_replaying": False,
            "_balloted": {},
            "_is_free": lambda item, is_ack: True,
            "_say_again": lambda: False,
            **fields,
        }
    )


def note(said: list[Any], what: object) -> bool:
    """Note what is said; the history takes all of it."""
    said.append(what)
    return True


def fails(*_arguments: object) -> None:
    raise AssertionError("the table speaks where it must not")


STOPPED = {"_stopped": lambda: True}
WAITING = {"_recall": SimpleNamespace(waiting={1})}
SILENT = {"_may_speak_in": lambda item: False}
OWING = {"_owes_checks": lambda kind: True}
DECIDED = {"hand": SimpleNamespace(needs_decision=lambda kind: False, jobs=[])}


@pytest.mark.parametrize(
    "fields",
    [
        {"hand": None},
        STOPPED,
        {"_course": SimpleNamespace(ended=True)},
        WAITING,
        SILENT,
        DECIDED,
    ],
    ids=["no hand", "stopped", "over", "waiting", "not its turn", "decided"],
)
def test_decision__is_asked_for_when_the_seat_may_speak_and_has_not_decided(
    fields: dict[str, object],
) -> None:
    getter = Table.decision.fget  # type: ignore[attr-defined]
    assert getter(table_of()) is Kind.PLAY
    assert getter(table_of(**fields)) is None


SPEAKING = {
    "hand": SimpleNamespace(
        needs_decision=lambda kind: False,
        lost=False,
        kind_to_speak=lambda kind: kind,
        speak=lambda kind, number: None,
    ),
    "history": SimpleNamespace(current=SimpleNamespace(kind=Kind.PLAY, place=Place(1, 1, 0))),
}


@pytest.mark.parametrize("fields", [WAITING, SILENT, OWING], ids=["waiting", "silent", "owing"])
def test_table__does_not_speak_before_it_may(fields: dict[str, object]) -> None:
    said: list[Kind] = []
    free = table_of(_say=lambda item, kind, body: note(said, kind), **SPEAKING)
    assert Table._speak(free)
    assert said == [Kind.PLAY]
    assert not Table._speak(table_of(_say=fails, **SPEAKING, **fields))


def test_table__does_not_speak_while_its_player_decides() -> None:
    assert not Table._speak(table_of(_say=fails))


def test_table__whose_secret_is_lost_says_so_only_where_that_may_be_said() -> None:
    said: list[Kind] = []
    for kind in (Kind.PASS, Kind.OPEN, Kind.PLAY, Kind.REVEAL, Kind.CHOICE, Kind.OPENINGS):
        hand = SimpleNamespace(
            needs_decision=lambda kind: False,
            lost=True,
            kind_to_speak=lambda kind: Kind.LOST,
            speak=lambda kind, number: None,
        )
        current = SimpleNamespace(kind=kind, place=Place(1, 1, 0))
        table = table_of(
            hand=hand,
            history=SimpleNamespace(current=current),
            _say=lambda item, kind, body: note(said, item.kind),
        )
        assert Table._speak(table) is stage_of(kind).takes_lost
    assert said == [kind for kind in said if stage_of(kind).takes_lost] != []


@pytest.mark.parametrize("fields", [WAITING, STOPPED], ids=["waiting", "stopped"])
def test_table__neither_acknowledges_nor_votes_while_it_is_stopped_or_asks_for_its_own_words(
    fields: dict[str, object],
) -> None:
    said: list[Kind] = []
    assert Table._ballot(table_of(_say=lambda item, kind, body: note(said, kind)))
    assert said == [Kind.VOTE]
    table = table_of(_say=fails, _own_seat=fails, **fields)
    if fields is WAITING:
        assert not Table._say_again(table)
    assert not Table._ballot(table)
    Table._acknowledge(table)


@pytest.mark.parametrize(
    ("kind", "hand", "owes"),
    [
        (Kind.SHARES, SimpleNamespace(jobs=[1]), True),
        (Kind.SHARES, SimpleNamespace(jobs=[]), False),
        (Kind.SHUFFLE, SimpleNamespace(jobs=[1]), False),
        (Kind.SIT, None, False),
    ],
)
def test_table__speaks_ahead_of_its_own_checks_in_a_shuffle_alone(
    kind: Kind, hand: object, owes: bool
) -> None:
    assert Table._owes_checks(table_of(hand=hand), kind) is owes


@pytest.mark.parametrize(("replaying", "faulty"), [(True, True), (False, True), (False, False)])
def test_table__is_stopped_by_a_fault_but_not_while_it_reads_its_own_log(
    replaying: bool, faulty: bool
) -> None:
    consent = SimpleNamespace(is_stopped=faulty)
    table = table_of(_replaying=replaying, _consent=consent)
    assert Table._stopped(table) is (faulty and not replaying)


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("unfinished", [{1}, set()], ids=len)
def test_all_finished__needs_the_last_word_of_everybody_and_the_own_one(
    told: bool, unfinished: set[int]
) -> None:
    getter = Table.all_finished.fget  # type: ignore[attr-defined]
    assert getter(table_of(_told_over=told, unfinished=unfinished)) is (told and not unfinished)


def test_table__that_watches_answers_no_heartbeat() -> None:
    sim, (watcher,) = Sim(RuleSet(seats=3)), make_identities(1, "watcher")
    table = Table(watcher, sim.roster, TestSecrets((0, 9)), watching=True)
    sim.settle(0)
    (said,) = sim.logs[0]
    beat = sim.tables[1].beat()
    table.receive(0, encode(Frame(sim.roster.hash, [said], None)))
    assert len(table.drain()) == 1
    table.receive(1, encode(Frame(sim.roster.hash, [], beat)))
    assert table.drain() == []
    with pytest.raises(ValueError, match="does not list"):
        Table(watcher, sim.roster, TestSecrets((0, 9)))
    with pytest.raises(ValueError, match="does not list"):
        Table(sim.identities[0], sim.roster, TestSecrets((0, 0)), watching=True)


def test_table__acknowledges_nothing_where_it_has_voted_whether_that_counts_or_not() -> None:
    item = SimpleNamespace(
        table=b"", place=SIT, prev=b"", head=b"head", closing=None, seats=(0,), acks={}
    )
    table = table_of(
        history=SimpleNamespace(rounds=[item], certified=0),
        _own_seat=lambda item: 0,
        _balloted={(b"", SIT, b""): {b"a vote": None}},
        _say=fails,
    )
    item.own = lambda me: absence.Own(0, None, (), ())
    Table._acknowledge(table)


def test_ballot__says_nothing_new_before_all_that_the_seat_has_said_in_ballots_counts() -> None:
    item = SimpleNamespace(table=b"", place=SIT, prev=b"", votes={}, confirms={})
    consent = SimpleNamespace(open_round=lambda: item, next_ballot=fails)
    said = {(b"", SIT, b""): {b"a vote": None}}
    assert not Table._ballot(table_of(_consent=consent, _balloted=said, _say=fails))


@pytest.mark.parametrize("is_taken", [True, False])
def test_ballot__says_whether_the_own_history_took_it(is_taken: bool) -> None:
    assert Table._ballot(table_of(_say=lambda item, kind, body: is_taken)) is is_taken


@pytest.mark.parametrize(
    "field", ["_say_again", "_ballot", "_speak", "_judge", "_run_job", "_advance"]
)
def test_work__does_one_thing_after_the_other_and_nothing_once_the_match_is_over(
    field: str,
) -> None:
    names = ("_say_again", "_ballot", "_speak", "_judge", "_run_job", "_advance", "_leave_draw")
    steps = dict.fromkeys(names, lambda: False)
    assert Table.work(table_of(**steps | {field: lambda: True}))
    over = SimpleNamespace(ended=True)
    assert not Table.work(table_of(_course=over, **dict.fromkeys(names, fails)))
    judged = field in ("_judge", "_run_job")
    assert Table.work(table_of(**steps | STOPPED | {field: lambda: True})) is judged


@pytest.mark.parametrize(
    ("ended", "certified", "over"), [(True, 1, True), (False, 1, False), (True, 0, False)]
)
def test_over__is_a_match_that_has_ended_with_the_last_certificate(
    ended: bool, certified: int, over: bool
) -> None:
    history = SimpleNamespace(certified=certified, rounds=[None])
    getter = Table.over.fget  # type: ignore[attr-defined]
    assert getter(table_of(_course=SimpleNamespace(ended=ended), history=history)) is over


@pytest.mark.parametrize(
    "wrong",
    [
        {"up_to_date": False},
        {"closing": ()},
        {"speakers": (1,)},
        {"speeches": {0: None}},
        {"free": False},
        {"may": False},
        {"voted": True},
    ],
    ids=str,
)
def test_may_speak__is_said_only_if_nothing_forbids_it(wrong: dict[str, object]) -> None:
    def may(fields: dict[str, Any]) -> bool:
        current: Any = SimpleNamespace(
            place=SIT,
            prev=b"head",
            closing=fields.get("closing"),
            speakers=fields.get("speakers", (0,)),
            speeches=fields.get("speeches", {}),
        )
        table = table_of(
            _own_seat=lambda item: 0,
            _course=SimpleNamespace(is_up_to_date=fields.get("up_to_date", True)),
            _is_free=lambda item, is_ack: fields.get("free", True),
            history=SimpleNamespace(
                may_speak=lambda: fields.get("may", True),
                has_voted=lambda seat: fields.get("voted", False),
            ),
        )
        return Table._may_speak_in(table, current)

    assert may({})
    assert not may(wrong)


@pytest.mark.parametrize("stops", [True, False])
@pytest.mark.parametrize("may", [True, False])
def test_table__that_is_stopped_by_what_it_hears_acknowledges_no_further_round(
    stops: bool, may: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(absence, "may_ack", lambda own: may)
    same = {
        "table": b"",
        "prev": b"",
        "head": b"head",
        "closing": None,
        "runs_ahead": True,
        "certified": False,
    }
    rounds = [
        SimpleNamespace(place=place, seats=(0,), acks={}, own=lambda me: me, **same)
        for place in (SIT, DRAW)
    ]
    said: list[object] = []
    table = table_of(
        history=SimpleNamespace(rounds=rounds, certified=0),
        _own_seat=lambda item: 0,
        _stopped=lambda: stops and bool(said),
        _say=lambda item, kind, body: note(said, item.place),
    )
    Table._acknowledge(table)
    assert said == ([] if not may else [SIT] if stops else [SIT, DRAW])


@pytest.mark.parametrize("stopped", [True, False])
@pytest.mark.parametrize("seats", [(1,), ()], ids=len)
def test_stopped_for_good__is_who_has_nothing_to_decide(
    stopped: bool, seats: tuple[int, ...]
) -> None:
    getter = Table.stopped_for_good.fget  # type: ignore[attr-defined]
    table = table_of(_stopped=lambda: stopped, may_vote_out=lambda: seats)
    assert getter(table) is (stopped and not seats)


def test_table__that_is_stopped_leaves_a_draw_that_is_certified_and_nothing_else() -> None:
    draw = SimpleNamespace(certified=1, rounds=[None])
    assert Table._leave_draw(table_of(hand=None, history=draw, _advance=lambda: True))
    assert not Table._leave_draw(table_of(hand=None, history=draw, _advance=lambda: False))
    assert not Table._leave_draw(table_of(history=draw, _advance=fails))
    assert not Table._leave_draw(table_of(hand=None, _advance=fails))


def test_table__takes_no_decision_that_it_does_not_wait_for() -> None:
    table = table_of(decision=Kind.PASS_SELECT)
    assert Table._deciding(table, Kind.PASS_SELECT) is table.hand
    with pytest.raises(ValueError, match="does not wait"):
        Table._deciding(table, Kind.PLAY)


def test_table__acknowledges_no_round_that_was_closed_by_votes_and_none_after_it() -> None:
    closed = SimpleNamespace(place=SIT, head=b"head", closing=())
    history = SimpleNamespace(rounds=[closed], certified=0)
    Table._acknowledge(table_of(history=history, _own_seat=lambda item: 0, _say=fails))


def test_table__that_did_not_get_its_ack_into_its_history_goes_no_further(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(absence, "may_ack", lambda own: True)
    same: dict[str, Any] = {"head": b"head", "closing": None, "runs_ahead": True, "certified": True}
    rounds = [
        SimpleNamespace(
            place=place, table=b"", prev=b"", seats=(0,), acks={}, own=lambda me: me, **same
        )
        for place in (SIT, DRAW)
    ]
    for takes, places in ((False, [SIT]), (True, [SIT, DRAW])):
        said: list[Place] = []

        def say(item: Any, *_: object, takes: bool = takes, said: list[Place] = said) -> bool:
            said.append(item.place)
            return takes

        table = table_of(
            history=SimpleNamespace(rounds=rounds, certified=0),
            _own_seat=lambda item: 0,
            _balloted={},
            _is_free=lambda item, is_ack: True,
            _say=say,
        )
        Table._acknowledge(table)
        assert said == places


@pytest.mark.parametrize("given", [True, False])
@pytest.mark.parametrize("kept", [True, False])
def test_table__says_again_what_its_history_could_not_take_before(given: bool, kept: bool) -> None:
    item = SimpleNamespace(table=b"", place=SIT, prev=b"head")
    own = SimpleNamespace(content=SimpleNamespace(prev=b"head"))
    table = table_of(
        history=SimpleNamespace(rounds=[item], certified=0, keeps=lambda sealed: kept),
        _said={(b"", SIT, False): own},
        _balloted={},
        _give=lambda sealed: given,
    )
    assert Table._say_again(table) is (given and not kept)


def test_table__does_not_forget_what_is_in_its_log_for_what_it_proves() -> None:
    content = SimpleNamespace(table=b"", kind=Kind.SIT, hand=0, attempt=1, round=0)
    sealed: Any = SimpleNamespace(content=content, data=b"data")
    for evidence, forgotten in ({b"data"}, False), (set[bytes](), True):
        said = {(b"", SIT, False): sealed}
        assert Table._forget_own(table_of(_evidence=evidence, _said=said), sealed) is forgotten
        assert (not said) is forgotten


def test_own_seat__of_the_formation_is_the_place_also_once_seats_are_drawn() -> None:
    items: list[Any] = [SimpleNamespace(place=place) for place in (SIT, Place(1, 1, 0))]
    assert [Table._own_seat(table_of(seat=2, place=1), item) for item in items] == [1, 2]
    assert Table._own_seat(table_of(seat=None, place=1), items[1]) == 1
