"""``p2p-hearts audit``: the verdict on games from their logs alone."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import stat
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from p2p_hearts.commands.common import CommandError, unreadable
from p2p_hearts.commands.progress import FollowedLog, Progress
from p2p_hearts.commands.working import Workers
from p2p_hearts.i18n import _, harmless, listed, os_reason
from p2p_hearts.record.audit import Comparison, Report, Tables, audit_tables, exit_code
from p2p_hearts.record.audit.report import printable
from p2p_hearts.record.log import read_log
from p2p_hearts.record.records import LogError, NotALogError
from p2p_hearts.ui.words import pad, width

LONG_BYTES = 500_000
"""Logs with so much in them, about three hands of four seats, are worth new processes."""


def run(arguments: argparse.Namespace) -> int:
    """Audit logs, table by table; return 0 clean, 1 fault, 2 unreadable, 3 incomplete."""
    if not arguments.json:
        for path in arguments.logs:
            must_be_a_log(path)
    found = audit_files(arguments.logs, tells=arguments.report is not None)
    is_reported = arguments.report is not None and len(found.tables) == 1
    if is_reported:
        from p2p_hearts.record.report import report_page

        write_page(arguments.report, report_page(found.tables[0]))
    if arguments.json:
        sys.stdout.write(json.dumps(found.to_dict(), indent=2) + "\n")
    else:
        print_verdicts(found)
        if is_reported:
            sys.stdout.write(report_sentence(arguments.report) + "\n")
    if arguments.report is not None and not is_reported:
        sys.stdout.flush()
        raise CommandError(
            _(
                "No report was written: a report is of one table, and these logs are of {n}. Name "
                "the logs of one table."
            ).format(n=len(found.tables))
        )
    return exit_code(found)


def audit_files(paths: Sequence[Path], *, tells: bool = False) -> Tables:
    """Audit files and compare them; if it ``tells``, with the story of every hand.

    Raises:
        CommandError: a file cannot be opened, or not be read to its end.
    """
    for path in paths:
        must_open(path)
    sizes = {path: path.stat().st_size for path in paths}
    progress = Progress(sys.stderr, sizes)
    with Workers(much=sum(sizes.values()) >= LONG_BYTES) as workers:
        try:
            return audit_tables(
                [FollowedLog(path, progress) for path in paths],
                log_names(paths),
                tells=tells,
                clock=time.perf_counter,
                start=workers.start,
                told=progress.told,
            )
        finally:
            progress.end()


def log_names(paths: Sequence[Path]) -> list[str]:
    """Return what to call each log: its file, or its whole path where two are called alike.

    All who sat at a table have logs of one name, so those of several folders are.
    """
    names = [path.name for path in paths]
    if len(set(names)) < len(names):
        names = [str(path) for path in paths]
    return [harmless(name).replace("\n", "?") for name in names]


def write_page(path: Path, page: str) -> None:
    """Write an HTML file, whole or not at all.

    Raises:
        CommandError: it cannot be written there.
    """
    beside = path.parent / f".{path.name}.{os.getpid()}.new"
    try:
        beside.write_text(page, encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):  # where no file can lie, none is left
            beside.unlink()
        raise CommandError(
            _("{path} cannot be written: {reason}. Choose another place for the report.").format(
                path=path, reason=os_reason(error)
            )
        ) from None


def report_sentence(path: Path) -> str:
    """Return where an HTML report lies."""
    told = _("The report is in {path}: open it with a browser.")
    return told.format(path=harmless(str(path)))


def must_open(path: Path) -> None:
    """Refuse what cannot be opened, or only once: a log is read several times.

    Raises:
        CommandError: says what it is and what to do.
    """
    try:
        mode = path.stat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            # To open a pipe would wait for somebody who writes into it.
            raise CommandError(
                _(
                    "{path} is a pipe or a device, and a log is read several times: "
                    "write it into a file first and name that file."
                ).format(path=path)
            )
        with path.open("rb"):
            pass
    except OSError as error:
        raise unreadable(path, error) from None


def read_whole(path: Path) -> bytes:
    """Return what a file holds that ``must_open`` does not refuse; ``CommandError`` otherwise."""
    must_open(path)
    try:
        return path.read_bytes()
    except OSError as error:
        raise unreadable(path, error) from None


def must_be_a_log(path: Path) -> None:
    """Refuse what is no log at all; of a damaged one the audit says more."""
    must_open(path)
    try:
        next(read_log(path), None)
    except NotALogError as error:
        raise CommandError(
            _("{path} cannot be audited: {reason}").format(path=path, reason=error)
        ) from None
    except LogError:
        return
    except OSError as error:
        raise unreadable(path, error) from None


def owner_seat(report: Report) -> int | None:
    """Return the seat of the player who kept a log."""
    for player in report.players:
        if player.key == report.owner:
            return player.seat
    return None


def print_verdicts(found: Tables) -> None:
    """Print the verdict on every table, and how many there are if there are several."""
    if len(found.tables) > 1:
        heading = _("Table {n} of {total}: {name} ({logs})")
        for number, table in enumerate(found.tables, 1):
            named = printable(table.fullest.name) or _("a game")
            told = heading.format(
                n=number, total=len(found.tables), name=named, logs=listed(table.names)
            )
            sys.stdout.write(told + "\n")
            print_verdict(table)
            sys.stdout.write("\n")
        for sentence in found.summary:
            sys.stdout.write(sentence + "\n")
    else:
        print_verdict(found.tables[0])


def print_verdict(found: Comparison) -> None:
    """Print the scoreboard, what was verified, and the verdict."""
    report = found.fullest
    if report.totals and report.players:
        _print_scores(report)
    if report.phrase:
        sys.stdout.write(_("Table phrase: {phrase}").format(phrase=report.phrase) + "\n")
    if report.verified:
        counts = ", ".join(_(what) + f" {n}" for what, n in sorted(report.verified.items()) if n)
        sys.stdout.write(_("Verified: {fact}.").format(fact=counts) + "\n")
    for sentence in found.summary:
        sys.stdout.write(sentence + "\n")


def _print_scores(report: Report) -> None:
    names = [printable(player.nick) for player in report.players]
    widths = [max(width(name), 5) for name in names]
    rows = [(_("hand"), names)]
    rows += [
        (str(number), [str(score) for score in scores])
        for number, scores in enumerate(report.scores, 1)
    ]
    rows.append((_("total"), [str(total) for total in report.totals]))
    first = max(width(label) for label, _cells in rows)
    for label, cells in rows:
        line = "  ".join(pad(cell, room, ">") for cell, room in zip(cells, widths, strict=True))
        sys.stdout.write(f"{pad(label, max(first, 6), '>')}  {line}\n")
    if report.winners:
        winners = listed([names[seat] for seat in report.winners])
        sys.stdout.write(_("Won by {players}.").format(players=winners) + "\n")
