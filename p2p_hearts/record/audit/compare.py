"""Several logs: whether those of one table tell one history (protocol/SPEC.md section 9.3).

Each log is audited by itself first. Logs of one roster are of one table, and every table has a
verdict of its own: nothing is compared between tables. All that the authors of one table signed
goes into one ledger, where two contents that no single log holds together convict their author.
Heads, scores and contents must be the same wherever two logs both have them; a log that lacks what
another one holds is incomplete.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import count

from p2p_hearts.i18n import _, listed
from p2p_hearts.record.audit.auditor import Auditor, audit
from p2p_hearts.record.audit.ledger import Ledger, NotKeptError
from p2p_hearts.record.audit.memo import FlawedError, Haste, Memo, Start
from p2p_hearts.record.audit.report import (
    FaultReport,
    PlayerReport,
    Report,
    Trace,
    Verdict,
    gravest,
)
from p2p_hearts.record.records import Record
from p2p_hearts.wire.faults import Fault


@dataclass(frozen=True, slots=True)
class Comparison:
    """The verdict on several logs of one table together."""

    verdict: Verdict
    summary: tuple[str, ...]
    """Sentences for people, the verdict first."""
    names: tuple[str, ...]
    """What the logs are called, in the order they were given."""
    reports: tuple[Report, ...]
    faults: tuple[FaultReport, ...]
    """All faults, of single logs and of several together."""
    differences: tuple[str, ...]

    @property
    def fullest(self) -> Report:
        """The report that covers most: the one to show."""
        return max(self.reports, key=lambda report: (report.hands, report.verified_total))

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON: the fullest log's report, with the verdict on all of them."""
        return {
            **self.fullest.to_dict(),
            "verdict": str(self.verdict),
            "summary": list(self.summary),
            "faults": [fault.to_dict() for fault in self.faults],
            "differences": list(self.differences),
            "logs": [
                {"name": name, **report.to_dict()}
                for name, report in zip(self.names, self.reports, strict=True)
            ],
        }


@dataclass(frozen=True, slots=True)
class Tables:
    """The verdicts on logs of any number of tables, in the order in which they were named."""

    tables: tuple[Comparison, ...]
    """One or more."""

    @property
    def verdict(self) -> Verdict:
        """The gravest of all."""
        return gravest({table.verdict for table in self.tables})

    @property
    def summary(self) -> tuple[str, ...]:
        """Sentences for people on all tables together."""
        if len(self.tables) == 1:
            return self.tables[0].summary
        clean = sum(table.verdict is Verdict.CLEAN for table in self.tables)
        told = _("The logs are of {n} tables, and each is judged by itself; {clean} of {n} clean.")
        return (told.format(n=len(self.tables), clean=clean),)

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON: of one table its own, of several a list of them."""
        if len(self.tables) == 1:
            return self.tables[0].to_dict()
        return {
            "verdict": str(self.verdict),
            "summary": list(self.summary),
            "tables": [table.to_dict() for table in self.tables],
        }


Told = Callable[[int, int | None], None]
"""Is told how many hands are over, and how many there are, if that is known."""


def audit_tables(
    logs: Sequence[Iterable[Record]],
    names: Sequence[str] = (),
    *,
    tells: bool = False,
    clock: Callable[[], float] | None = None,
    start: Start | None = None,
    told: Told | None = None,
) -> Tables:
    """Audit logs of any number of tables, and compare those of one table.

    ``names`` are what to call the logs, one each; "log 1", "log 2" without them. ``ValueError`` for
    no logs, or another number of names. If it ``tells``, the reports have the story of every hand,
    with times by ``clock``, seconds. With ``start``, which begins work beside other work, whole
    honest logs take a fraction of the time (see ``memo``) and a memory that does not grow with
    their length (see ``folding``); logs must then be ones that can be read several times. ``told``
    is called after every hand.
    """
    _check_names(logs, names)
    found: Tables | None = None
    if start is not None and not tells:
        haste = Haste(start)
        found = _folded(logs, names, haste, tells, told)
        found = found if _is_sound(haste, found) else None
    if start is not None and found is None:
        found = _folded(logs, names, Memo(clock), tells, told)
    if found is None:
        memo = Memo(clock)
        found = compare_tables([audit(log, memo=memo, tells=tells) for log in logs], names)
    return found


def _is_sound(haste: Haste, found: Tables | None) -> bool:
    """Whether a verdict in haste stands: nothing is wrong in the logs."""
    if found is None or found.verdict not in (Verdict.CLEAN, Verdict.INCOMPLETE):
        return False
    try:
        haste.finish()
    except FlawedError:
        return False
    return True


def _folded(
    logs: Sequence[Iterable[Record]],
    names: Sequence[str],
    memo: Memo,
    tells: bool,
    told: Told | None,
) -> Tables | None:
    """Audit logs hand by hand, all of them at the same hand; ``None`` if more must be kept."""
    auditors = [Auditor(memo, tells=tells, folds=True) for _ in logs]
    reading = [auditor.follow(log) for auditor, log in zip(auditors, logs, strict=True)]
    try:
        for hand in count(1):
            going = [follow for follow in reading if next(follow, None) is not None]
            if not going:
                break
            memo.forget(hand)
            if told is not None:
                told(hand, max(filter(None, (one.all_hands for one in auditors)), default=None))
        return compare_tables([auditor.report() for auditor in auditors], names)
    except (FlawedError, NotKeptError):
        return None
    finally:
        for follow in reading:
            follow.close()


def _check_names(logs: Sequence[object], names: Sequence[str]) -> None:
    if not logs:
        raise ValueError("there is no log to audit")
    if names and len(names) != len(logs):
        raise ValueError(f"{len(logs)} logs have {len(names)} names")


def compare_tables(reports: Sequence[Report], names: Sequence[str] = ()) -> Tables:
    """Compare logs that were audited already, table by table; ``audit_tables`` does both.

    A log that does not tell its table is counted to the only one that others tell, and stands by
    itself where there are several.

    Raises:
        NotKeptError: hands were folded, and not all logs of a table hold the same of them.
    """
    _check_names(reports, names)
    called = tuple(names) or _numbered(reports)
    rosters = {report.roster for report in reports if report.roster}
    groups: dict[bytes | int, list[int]] = {}
    for number, report in enumerate(reports):
        group = report.roster or (number if len(rosters) > 1 else b"".join(rosters))
        groups.setdefault(group, []).append(number)
    return Tables(
        tuple(
            compare([reports[number] for number in group], [called[number] for number in group])
            for group in groups.values()
        )
    )


def _numbered(reports: Sequence[Report]) -> tuple[str, ...]:
    return tuple(_("log {n}").format(n=number) for number in range(1, len(reports) + 1))


def compare(reports: Sequence[Report], names: Sequence[str] = ()) -> Comparison:
    """Compare logs of one table that were audited already.

    Raises:
        NotKeptError: hands were folded, and not all logs hold the same of them.
        ValueError: the logs are of several tables.
    """
    _check_names(reports, names)
    called = tuple(names) or _numbered(reports)
    differences: list[str] = []
    verdicts = {report.verdict for report in reports}
    known = {_key(item.fault): item for report in reports for item in report.faults}
    usable = [(name, report) for name, report in zip(called, reports, strict=True) if report.roster]
    if len({report.roster for _name, report in usable}) > 1:
        raise ValueError("the logs are of several tables")
    if len(usable) > 1:
        for item in _cross_faults(usable):
            known.setdefault(_key(item.fault), item)
        if _differ(usable, differences):  # V114
            verdicts.add(Verdict.DISAGREE)
        lacking = _lacking(usable)  # V115
        if lacking:
            differences += lacking
            verdicts.add(Verdict.INCOMPLETE)
    faults = tuple(sorted(known.values(), key=lambda item: item.fault.rank))
    if faults:
        verdicts.add(Verdict.FAULT)
    verdict = gravest(verdicts)
    return Comparison(
        verdict=verdict,
        summary=_summary(verdict, called, reports, faults, differences),
        names=called,
        reports=tuple(reports),
        faults=faults,
        differences=tuple(differences),
    )


def _key(fault: Fault) -> tuple[bytes, str]:
    return fault.id, fault.rule


def _traces(usable: Sequence[tuple[str, Report]]) -> list[tuple[str, Report, Trace]]:
    return [(name, report, report.trace) for name, report in usable if report.trace is not None]


def _cross_faults(usable: Sequence[tuple[str, Report]]) -> list[FaultReport]:
    """Enter what all logs hold into one ledger; what contradicts itself there is proven."""
    ledger = Ledger()
    if len({trace.ledger.folded for _name, _report, trace in _traces(usable)}) > 1:
        raise NotKeptError
    players: dict[bytes, PlayerReport] = {}
    for _name, report, trace in _traces(usable):
        for player in report.players:
            if player.seat is not None or player.key not in players:
                players[player.key] = player
        for sealed in trace.ledger.contents():
            ledger.note(sealed)
    authors = {sealed.data: sealed.content.author for sealed in ledger.contents()}
    found: list[FaultReport] = []
    for fault in [*ledger.faults, *ledger.broken_chains()]:
        player = players[authors[fault.evidence[0]]]
        found.append(FaultReport(fault, player, fault.sentence(player.nick)))
    return found


def _differ(usable: Sequence[tuple[str, Report]], differences: list[str]) -> bool:
    """Compare every log with the first that goes as far: tables, heads, scores."""
    start = len(differences)
    traces = _traces(usable)
    for number, (name, report, trace) in enumerate(traces):
        for other_name, other, other_trace in traces[:number]:
            pair = listed([other_name, name])
            if report.table and other.table and report.table != other.table:
                differences.append(
                    _("{logs} drew different tables from one roster").format(logs=pair)
                )
                continue
            shared = sorted(trace.heads.keys() & other_trace.heads.keys())
            split = next(
                (place for place in shared if trace.heads[place] != other_trace.heads[place]), None
            )
            if split is not None:
                differences.append(
                    _(
                        "{logs} hold different certified histories from hand {hand}, round "
                        "{round} on"
                    ).format(logs=pair, hand=split.hand, round=split.round)
                )
            both = min(len(report.scores), len(other.scores))
            if report.scores[:both] != other.scores[:both]:
                differences.append(_("{logs} come to different scores").format(logs=pair))
    return len(differences) > start


def _lacking(usable: Sequence[tuple[str, Report]]) -> list[str]:
    """Name every log that lacks a content which another one holds."""
    traces = _traces(usable)
    held = [{sealed.hash for sealed in trace.ledger.contents()} for _name, _report, trace in traces]
    everything: set[bytes] = set().union(*held)
    return [
        _("{log} lacks {n} of {total} messages that the others hold").format(
            log=trace[0], n=len(everything - own), total=len(everything)
        )
        for trace, own in zip(traces, held, strict=True)
        if own != everything
    ]


def _summary(
    verdict: Verdict,
    names: Sequence[str],
    reports: Sequence[Report],
    faults: Sequence[FaultReport],
    differences: Sequence[str],
) -> tuple[str, ...]:
    if len(reports) == 1:
        return reports[0].summary
    if verdict is Verdict.CLEAN:
        (first, *rest) = reports[0].summary
        return (
            first,
            *rest,
            _("All {n} logs hold the same history and the same scores.").format(n=len(reports)),
        )
    told = [f"{reason[:1].upper()}{reason[1:]}." for reason in differences]
    if verdict is Verdict.FAULT:
        return (
            _("Fault: the logs prove that a rule was broken."),
            *(item.sentence for item in faults),
            *told,
        )
    if verdict is Verdict.DISAGREE:
        return (_("The logs disagree, and none of them proves who is wrong."), *told)
    single = [
        f"{name}: {sentence}"
        for name, report in zip(names, reports, strict=True)
        if report.verdict is not Verdict.CLEAN
        for sentence in report.summary
    ]
    first = {
        Verdict.UNREADABLE: _("Unreadable: a log was damaged or altered."),
        Verdict.INCOMPLETE: _("Incomplete: what is there agrees, but not every log is whole."),
    }[verdict]
    return (first, *single, *told)
