"""``p2p-hearts stats``: how players did and whether deals look fair, over many audited logs.

Every log is audited once. What it contributes is kept in ``HOME/audits``, named by the hash of the
log and the version of this program; a log that grew since is audited again.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path

import msgspec

from p2p_hearts import __version__
from p2p_hearts.commands.audit import read_whole, report_sentence, write_page
from p2p_hearts.commands.common import CommandError, preset_name, unreadable
from p2p_hearts.commands.settings import settings_folder
from p2p_hearts.i18n import _, figure, harmless, ngettext
from p2p_hearts.record.audit import audit
from p2p_hearts.record.audit.report import printable
from p2p_hearts.record.log import read_log
from p2p_hearts.record.report.statistics import (
    average,
    figures,
    kind_of_deal,
    meaning,
    preset_title,
    questions,
    statistics_page,
    tally_cells,
    tally_heads,
)
from p2p_hearts.record.stats.facts import VERSION, GameFacts, facts_of
from p2p_hearts.record.stats.fairness import Fairness, fairness
from p2p_hearts.record.stats.results import Results, keeper, results, tables
from p2p_hearts.rules.options import RuleError, RuleSet
from p2p_hearts.ui.words import pad, width

SHOWN = 12
"""Rows of a table of players; ``--json`` has everybody."""


def run(arguments: argparse.Namespace) -> int:
    """Tell the statistics of all logs in a folder; return 0, or 3 if there are none."""
    home = settings_folder(arguments.home)
    folder = arguments.folder or home / "games"
    try:
        if arguments.folder is not None:
            # A glob finds nothing in what is no folder, and says nothing.
            os.scandir(folder).close()
        paths = sorted(folder.glob("*.hearts"))
    except OSError as error:
        raise unreadable(folder, error) from None
    if not paths:
        raise CommandError(_("There are no logs (*.hearts) in {folder}.").format(folder=folder), 3)
    games = list(read_games(paths, home / "audits", quiet=arguments.json))
    found = tables(games)
    players, deals = results(found), fairness(found)
    key = keeper(games)
    mine = next((item for item in players if item.key == key), None)
    told = source_sentence(games, found)
    if arguments.report is not None:
        write_page(arguments.report, statistics_page(players, mine, deals, told))
    if arguments.json:
        value = {
            "logs": len(games),
            "tables": len(found),
            "verdicts": _verdicts(games),
            "mine": key,
            "players": [item.to_dict() for item in players],
            "deals": [item.to_dict() for item in deals],
        }
        sys.stdout.write(json.dumps(value, indent=2) + "\n")
        return 0
    for line in lines(players, mine, deals, told):
        sys.stdout.write(line + "\n")
    if arguments.report is not None:
        sys.stdout.write(report_sentence(arguments.report) + "\n")
    return 0


# One log.


def read_games(paths: Sequence[Path], kept: Path, *, quiet: bool) -> Iterator[GameFacts]:
    """Return what each log contributes; of one that cannot be read say so and go on."""
    for path in paths:
        try:
            data = read_whole(path)
        except CommandError as error:
            sys.stderr.write(f"{harmless(str(error))}\n")
            continue
        yield facts_of_log(path.name, data, kept, quiet=quiet)


def facts_of_log(called: str, data: bytes, kept: Path, *, quiet: bool) -> GameFacts:
    """Return what a log contributes, from what is kept or by an audit that is then kept."""
    name = blake2b(data, digest_size=24, person=f"stats {VERSION}".encode()).hexdigest()
    file = kept / f"{name}-{__version__}.json"
    # What is damaged or from another version is made again.
    with contextlib.suppress(OSError, msgspec.MsgspecError):
        return msgspec.json.decode(file.read_bytes(), type=GameFacts)
    if not quiet:
        sys.stderr.write(_("Auditing {name} …").format(name=printable(called)) + "\n")
    report = audit(read_log(data), tells=True)
    facts = facts_of(report, _preset(report.rules))
    with contextlib.suppress(OSError):  # it is only a saving of time
        _keep(file, msgspec.json.encode(facts))
    return facts


def _keep(file: Path, data: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    part = file.with_name(f"{file.name}.{os.getpid()}.part")
    part.write_bytes(data)
    part.replace(file)


def _preset(rules: object) -> str:
    if not isinstance(rules, dict):
        return "custom"
    try:
        return preset_name(RuleSet.from_dict(rules))
    except RuleError:
        return "custom"


def _verdicts(games: Sequence[GameFacts]) -> dict[str, int]:
    found = sorted(game.verdict for game in games)
    return {verdict: found.count(verdict) for verdict in dict.fromkeys(found)}


def source_sentence(games: Sequence[GameFacts], found: Sequence[GameFacts]) -> str:
    """Say what the statistics were made from."""
    hands = sum(len(game.hands) for game in found)
    logs = ngettext("{n} log audited", "{n} logs audited", len(games)).format(n=len(games))
    seen = ngettext("{n} table", "{n} tables", len(found)).format(n=len(found))
    played = ngettext("{n} hand", "{n} hands", hands).format(n=hands)
    count = sum(game.verdict == "clean" for game in games)
    clean = ngettext("{n} log is clean", "{n} logs are clean", count).format(n=count)
    return _("{logs}: {tables}, {hands}; {clean}.").format(
        logs=logs, tables=seen, hands=played, clean=clean
    )


# For people.


def lines(
    players: Sequence[Results], mine: Results | None, deals: Sequence[Fairness], told: str
) -> list[str]:
    """Return the statistics as lines for a terminal."""
    found = [told, ""]
    if mine is not None:
        found.append(_("Results of {name}").format(name=mine.nick))
        rows = [(preset_title(name), *tally_cells(item)) for name, item in mine.by_preset.items()]
        found += _table((_("Rules"), *tally_heads()), rows)
        heads = (_("Against"), _("Matches"), _("In front"), _("Points a hand"), _("Theirs"))
        found += _table(heads, [
            (item.nick, str(item.mine.matches), str(item.ahead), average(item.mine),
             average(item.theirs))
            for item in mine.met[:SHOWN]
        ])  # fmt: skip
        found += _more(len(mine.met))
    found.append(_("All players"))
    rows = [(item.nick, *tally_cells(item.whole)) for item in players[:SHOWN]]
    found += _table((_("Player"), *tally_heads()), rows)
    found += _more(len(players))
    for item in deals:
        found.append(_("Are the deals fair?") + " " + kind_of_deal(item))
        for title, column, test in questions(item):
            found.append(title)
            seen = [f"{value:.0f}" for value in test.observed]
            wanted = [figure(value, ".1f") for value in test.expected]
            rows = [(_("Seen"), *seen), (_("Expected"), *wanted)]
            found += _table((column, *test.labels), rows)[:-1]
            found.append(meaning(test))
            if figures(test):
                found.append(f"({figures(test)})")
            found.append("")
    if not deals:
        found.append(_("No deal is known whole yet: hands are known once everybody reveals."))
    return found


def _more(count: int) -> list[str]:
    """Say how many players a table leaves out: computer players have a new key in every game."""
    if count <= SHOWN:
        return []
    more = ngettext("{n} more player", "{n} more players", count - SHOWN)
    return [more.format(n=count - SHOWN), ""]


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return aligned lines, the first column left and the others right, and an empty one."""
    columns = [max(width(cells[at]) for cells in (heads, *rows)) for at in range(len(heads))]
    return [
        "  " + "  ".join(
            pad(cell, columns[at], ">" if at else "<") for at, cell in enumerate(cells)
        ).rstrip()
        for cells in (heads, *rows)
    ] + [""]  # fmt: skip
