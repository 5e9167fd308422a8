"""A second opinion on logs: what ``protocol/verify.py`` says; it shares no code with the program.

Verdict, every fault with player, rule and place, and every score must be the same. With
``pytest --second-opinion`` every audit of the tests that make their own logs asks for one.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2p_hearts.record.audit import Comparison, Report
from p2p_hearts.record.audit.report import FaultReport
from protocol import verify

OPTION = "--second-opinion"
is_wanted = False
"""Whether every audit of the tests is to be compared; set by the option."""


def ask(found: Comparison | Report, logs: Sequence[bytes]) -> None:
    """Compare if that is wanted: it takes seconds for a hand that was not judged before."""
    if is_wanted:
        assert_agrees(found, logs)


def assert_agrees(found: Comparison | Report, logs: Sequence[bytes], what: object = "") -> None:
    """Assert that the program's audit of logs found what the second reader finds."""
    reports = found.reports if isinstance(found, Comparison) else (found,)
    again = verify.judge_logs(logs)
    faults = [_of_program(item) for item in found.faults]
    assert (again.verdict, [_of_verifier(item) for item in again.faults]) == (
        str(found.verdict),
        faults,
    ), (what, found.summary, [report.reasons for report in again.reports])
    for report, other in zip(reports, again.reports, strict=True):
        assert [tuple(scores) for scores in other.hands] == list(report.scores), what
        if report.table:
            assert other.drawn is not None
            assert other.drawn.table == report.table
            assert verify.phrase(other.drawn.table) == report.phrase


Fault = tuple[str, bytes, tuple[int, ...], int]
"""Rule, key of the player, place and seat."""


def _of_program(item: FaultReport) -> Fault:
    fault = item.fault
    return str(fault.rule), item.player.key, (fault.hand, fault.attempt, fault.round), fault.seat


def _of_verifier(item: verify.Fault) -> Fault:
    return item.rule, item.author, tuple(item.moment), item.seat
