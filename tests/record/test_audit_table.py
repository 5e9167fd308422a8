"""The table and the audit were written apart: what real tables log must come out the same."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from p2p_hearts.record.audit import Comparison, Verdict, audit_tables
from p2p_hearts.record.log import read_log
from p2p_hearts.record.records import RecordKind, start_data
from p2p_hearts.rules.options import PRESETS, RuleSet
from p2p_hearts.wire.envelope import open_envelope, seal
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.messages import Kind
from tests.protocol import opinion
from tests.record.games import ONE_HAND
from tests.record.maker import write
from tests.table.cheats import Cheat, convicts, saying
from tests.table.sim import Sim, Weather

STORM = Weather(delay=0.02, jitter=0.3, drop=0.1, double=0.1)


def audit_sim(sim: Sim, places: list[int]) -> Comparison:
    logs = []
    for place in places:
        start = start_data(sim.identities[place], "0.1.0", 1_700_000_000)
        contents = [(RecordKind.CONTENT, data) for data in sim.logs[place]]
        logs.append(
            write([(RecordKind.START, start), (RecordKind.ROSTER, sim.roster.data), *contents])
        )
    (found,) = audit_tables([read_log(log) for log in logs], tells=True).tables
    opinion.ask(found, logs)
    return found


def test_audit__says_clean_of_what_every_seat_of_a_table_logs_in_a_storm() -> None:
    sim = Sim(ONE_HAND, seed="audit", weather=STORM)
    sim.run()
    found = audit_sim(sim, [0, 1, 2, 3])
    assert found.verdict is Verdict.CLEAN, found.summary
    for table, report in zip(sim.tables, found.reports, strict=True):
        assert report.scores == table.match.hands
        assert report.winners == table.match.winners
        assert report.owner == table.voice.signer.public


@pytest.mark.deep
def test_audit__says_clean_of_a_table_with_a_widow() -> None:
    sim = Sim(PRESETS["cancellation"].with_options({"hands": "1"}), seed="audit")
    sim.run()
    found = audit_sim(sim, [0, 3])
    assert found.verdict is Verdict.CLEAN, found.summary
    assert found.reports[0].scores == sim.tables[0].match.hands


def assert_agrees(sim: Sim, cheat: Cheat, rule: Rule, seats: int = 4) -> None:
    honest = [place for place in range(seats) if place != cheat.place]
    found = audit_sim(sim, honest)
    assert found.verdict is Verdict.FAULT
    for place, report in zip(honest, found.reports, strict=True):
        fault = sim.tables[place].fault
        assert fault is not None
        assert report.verdict is Verdict.FAULT
        assert report.faults[0].fault == fault
        assert report.faults[0].fault.rule is rule
        assert {item.player.key for item in report.faults} == {
            sim.identities[cheat.place or 0].public
        }


def test_audit__names_the_fault_that_the_table_named() -> None:
    cheat = saying(Kind.SHARES, lambda hand, context, body: b"\xc0")
    assert_agrees(convicts(cheat, Rule.BODY), cheat, Rule.BODY)


def test_audit__names_who_told_its_peers_two_things() -> None:
    cheat = Cheat(
        lambda table, content: (
            replace(content, body=content.body + b"\0") if content.kind == Kind.KEY else None
        ),
        fooled=1,
    )
    assert_agrees(convicts(cheat, Rule.TWO_CONTENTS), cheat, Rule.TWO_CONTENTS)


def test_audit__accuses_no_seat_of_another_history_in_a_hand_that_goes_on_without_it() -> None:
    """It acknowledges none of those rounds, so none of their certificates binds it."""
    gone = 2
    sim = Sim(RuleSet(seats=3, hands=1, grace=15), seed="vanish of three", auto_vote=True)
    tables = sim.tables[:gone]
    sim.run(lambda: any(table.history.current.kind is Kind.PASS for table in tables))
    sim.stopped.add(gone)
    sim.run(lambda: all(table.over for table in tables), limit=sim.now + 300)
    author, seat = sim.identities[gone], sim.tables[gone].seat
    assert seat is not None
    last = tables[0].history.rounds[-1]
    assert not last.votable
    assert seat not in last.seats
    signed = [open_envelope(data) for data in sim.logs[0]]
    own = max((item for item in signed if item.content.author == author.public),
              key=lambda item: item.content.sequence)  # fmt: skip
    said = seal(
        author,
        replace(
            own.content,
            round=last.place.round,
            kind=Kind.REVEAL,
            sequence=own.content.sequence + 1,
            last=own.hash,
            prev=bytes(32),
        ),
    )
    sim.logs[0].append(said.data)
    found = audit_sim(sim, [0])
    assert found.verdict is Verdict.INCOMPLETE, found.summary
    assert found.faults == ()
